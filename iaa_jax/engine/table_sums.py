"""The sums of all coefficients on one table, side by side, for blocks of weights."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from iaa_jax.engine.flat import FlatStatistics
from iaa_jax.engine.inputs import Entries
from iaa_jax.engine.padding import bucket
from iaa_jax.engine.precision import DType
from iaa_jax.engine.prepared import Prepared
from iaa_jax.engine.problem import Floats, Integers, Key, Problem

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_EXACT = 1 << 24
"""Whole numbers below are exact in single precision."""


class TableSums:
    """The statistics of all factored problems on one table, side by side."""

    def __init__(self, prepared: Prepared, problems: Sequence[Problem]) -> None:
        flats: dict[Key, FlatStatistics] = {}
        self.starts: dict[Key, tuple[int, int]] = {}
        dense = indexed = 0
        for problem in problems:
            if problem.shared_key in flats:
                continue
            flat = flats[problem.shared_key] = prepared.statistics(problem)
            self.starts[problem.shared_key] = (dense, indexed)
            dense += flat.dense.shape[1]
            indexed += flat.indexed_columns
        self.dense = np.concatenate([flat.dense for flat in flats.values()], axis=1)
        self._indexed = [flat.indexed for flat in flats.values() if flat.indexed is not None]
        self.indexed_columns = indexed

    def entries(self, dtype: DType) -> Entries:
        """What these sums are made of, for a device that makes them."""
        columns: list[Integers] = [np.zeros(0, dtype=np.intp)]
        patterns: list[Integers] = [np.zeros(0, dtype=np.intp)]
        values: list[Floats] = [np.zeros(0)]
        first = 0
        for matrix in self._indexed:
            stored = matrix.tocoo()
            columns.append(stored.coords[0] + first)
            patterns.append(stored.coords[1])
            values.append(stored.data)
            first += matrix.shape[0]
        value, column, pattern = (np.concatenate(part) for part in (values, columns, patterns))
        missing = bucket(len(value)) - len(value)
        return Entries(
            np.pad(value, (0, missing)).astype(dtype),
            np.pad(column, (0, missing), constant_values=max(self.indexed_columns - 1, 0)),
            np.pad(pattern, (0, missing)),
        )

    def indexed(self, weights: Floats, dtype: DType) -> Floats:
        """Sums by an index (column, row), each column's rows side by side as they are made.

        Whole ones are exact in single precision, which takes half the time and memory.
        """
        if not self._indexed:
            return np.zeros((0, len(weights)), dtype=dtype)
        matrices, upright = self._indexed, np.ascontiguousarray(weights.T)
        if weights.max() * self._most < _EXACT and bool((weights == np.rint(weights)).all()):
            matrices, upright, dtype = self._narrow, upright.astype(np.float32), "float32"
        sums = [(matrix @ upright).astype(dtype, copy=False) for matrix in matrices]
        return sums[0] if len(sums) == 1 else np.concatenate(sums, axis=0)

    @cached_property
    def _most(self) -> float:
        """The largest sum by an index where all weights are 1; infinite if some are not whole."""
        parts = [matrix.data for matrix in self._indexed]
        if not all(bool((part == np.rint(part)).all()) for part in parts):
            return np.inf
        return max(float(abs(matrix).sum(axis=1).max()) for matrix in self._indexed)

    @cached_property
    def _narrow(self) -> list[csr_array]:
        return [matrix.astype(np.float32) for matrix in self._indexed]
