"""Batch sizes for coefficients that are computed from the ratings anew for each row of weights.

A kernel has statistics (numbers of each item) and a formula of their sums over items. Some
coefficients are plain functions of the ratings instead.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.drawing import BLOCK
from iaa_jax.engine.padding import bucket
from iaa_jax.engine.precision import DType
from iaa_jax.engine.problem import Problem
from iaa_jax.kernels.namespace import Array
from iaa_jax.kernels.raters import Raters


def from_ratings(problem: Problem) -> bool:
    """Tell whether compiled code can compute the statistics from the ratings.

    It cannot for a plain function, which has no statistics, or for a kernel whose ``common`` values
    (computed from all items) must be known before compilation.
    """
    return problem.factored and problem.kernel.directly is None


def formula_weighs(problem: Problem) -> bool:
    """Tell whether annotator weights enter only the formula, and not the statistics."""
    return from_ratings(problem) and not problem.kernel.weighs_annotators


def rows_of_kernel(cells: int, *, on_device: bool = False) -> int:
    """Return the batch size, given the number of array elements (cells) that one row needs.

    A device gets many rows, because a call with few rows takes as long as one with many.
    """
    row_limit, cell_limit = BLOCK, thresholds.KERNEL_CELLS
    if on_device:
        row_limit, cell_limit = thresholds.DEVICE_ROWS, thresholds.DEVICE_CELLS
    return max(1, min(row_limit, cell_limit // max(cells, 1)))


def batch_size_of(
    problem: Problem, dtype: DType, items: int | None = None, *, on_device: bool = False
) -> int:
    """Return how many rows of weights fit in a batch that is computed from the ratings."""
    import jax

    items = bucket(len(problem.data) if items is None else items)
    shape = (items, *problem.data.shape[1:])
    cells = 3 * int(np.prod(shape))
    if from_ratings(problem):
        data = np.broadcast_to(np.zeros((), dtype), shape)
        shapes = jax.eval_shape(_statistics(problem, items), problem.weight.astype(dtype), data)
        cells += 2 * sum(int(np.prod(leaf.shape)) for leaf in jax.tree.leaves(shapes))
    return rows_of_kernel(cells, on_device=on_device)


def _statistics(problem: Problem, items: int) -> Callable[[Array, Array], list[Array]]:
    annotator_of, kernel = problem.annotator_of, problem.kernel
    if annotator_of is not None:
        annotator_of = np.resize(annotator_of, (items, annotator_of.shape[1]))

    def leaves(weight: Array, data: Array) -> list[Array]:
        import jax

        index = None if annotator_of is None else jax.numpy.asarray(annotator_of)
        raters = Raters(weight, index)
        statistics_of = kernel.statistics_among(data, raters)
        return jax.tree.leaves(statistics_of(data, raters, problem.disagreement))

    return leaves
