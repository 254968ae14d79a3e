"""Products of weights and statistics on NumPy, computed in parts."""

from __future__ import annotations

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax._types import Floats


def sums_of_rows(weights: Floats, matrix: Floats) -> Floats:
    """Return sums (column, row) of statistics (pattern, column), weighted by rows (row, pattern).

    The parts are so small that BLAS uses only the calling thread. If all cores are busy, threads
    that share a product wait for each other a hundred times as long as the product takes.
    """
    most = thresholds.ON_THIS_THREAD
    patterns, columns = (max(size, 1) for size in matrix.shape)
    rows = most // (patterns * columns)
    if rows < 8:  # not the whole matrix in one step
        rows = max(min(len(weights), 32), 1)
        columns = min(columns, max(most // (rows * patterns), 128))
        patterns = max(most // (rows * columns), 1)
    sums = np.zeros((len(weights), matrix.shape[1]))
    for row in range(0, len(weights), rows):
        for column in range(0, matrix.shape[1], columns):
            part = np.s_[row : row + rows, column : column + columns]
            for start in range(0, len(matrix), patterns):
                some = slice(start, start + patterns)
                sums[part] += weights[part[0], some] @ matrix[some, part[1]]
    return sums.T
