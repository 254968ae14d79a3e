"""Formulas on NumPy for many rows of sums at once: what small data take instead of compiled code.

A compiled program costs .2 to .9 seconds, and JAX half a second to import: more than all the work
on most data sets. The numbers are those of the compiled code to 1e-12.
"""

from __future__ import annotations

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.batched import Batched
from iaa_jax.engine.flat import Layout, Sums, read_back
from iaa_jax.engine.precision import DType
from iaa_jax.engine.problem import Floats, Problem

SLOPE_STEPS = 8
"""A cell with its slopes costs that of so many cells."""


def sums_of_rows(weights: Floats, matrix: Floats) -> Floats:
    """Sums (column, row) of statistics (pattern, column) under weights (row, pattern).

    In parts that stay on this thread: where all cores are taken, as while others draw weights,
    threads that share a product wait for each other a hundred times longer than it takes.
    """
    rows, columns = max(min(len(weights), 32), 1), max(min(matrix.shape[1], 128), 1)
    patterns = max(thresholds.ON_THIS_THREAD // (rows * columns), 1)
    rows *= max(patterns // max(len(matrix), 1), 1)  # of few patterns more rows together
    sums = np.zeros((len(weights), matrix.shape[1]))
    for row in range(0, len(weights), rows):
        for column in range(0, matrix.shape[1], columns):
            part = np.s_[row : row + rows, column : column + columns]
            for start in range(0, len(matrix), patterns):
                some = slice(start, start + patterns)
                sums[part] += weights[part[0], some] @ matrix[some, part[1]]
    return sums.T


def is_small(cells: int, dtype: DType) -> bool:
    """Whether formulas on so many sums, of all rows together, run on NumPy."""
    return dtype == "float64" and cells <= thresholds.NUMPY_CELLS


def estimate_rows(
    problem: Problem, layout: Layout, sums: Sums, annotators: Floats | None = None
) -> Floats:
    """Estimates (row, ...) at sums (column, row), with annotator weights (row, annotator)."""
    rows = sums.dense.shape[-1]
    together = thresholds.FORMULA_CELLS // max(len(sums.dense) + len(sums.indexed), 1) + 1
    if rows > together:
        parts = []
        for some in (slice(start, start + together) for start in range(0, rows, together)):
            of_some = Sums(sums.dense[:, some], sums.indexed[:, some], sums.fixed)
            weights = None if annotators is None else annotators[some]
            parts.append(estimate_rows(problem, layout, of_some, weights))
        return np.concatenate(parts)
    weight = None if annotators is None else Batched(annotators.T)
    value = _estimate(problem, layout, sums, weight).value
    return _rows_first(np.broadcast_to(value, (*value.shape[:-1], rows)))


def slope_rows(problem: Problem, layout: Layout, sums: Sums) -> tuple[Floats, Floats, Floats]:
    """Estimates (row, ...), and their derivatives (row, ..., column) by both kinds of sums.

    Each row stands there as often as it has sums, once for the direction of each.
    """
    columns, rows = len(sums.dense) + len(sums.indexed), sums.dense.shape[-1]
    if not columns:
        estimates = estimate_rows(problem, layout, sums)
        none = np.zeros((*estimates.shape, 0))
        return estimates, none, none
    directions = np.tile(np.eye(columns), rows)
    dense, indexed = (
        Batched(np.repeat(part, columns, axis=1) if rows > 1 else part, along)
        for part, along in (
            (sums.dense, directions[: len(sums.dense)]),
            (sums.indexed, directions[len(sums.dense) :]),
        )
    )
    estimate = _estimate(problem, layout, Sums(dense, indexed, sums.fixed))
    value = estimate.value[..., :: columns if estimate.value.shape[-1] > 1 else 1]
    shape = (*value.shape[:-1], rows, columns)
    slope = np.zeros(shape) if estimate.slope is None else estimate.slope.reshape(shape)
    by_column = np.moveaxis(slope, -2, 0)
    return (
        _rows_first(np.broadcast_to(value, (*value.shape[:-1], rows))),
        by_column[..., : len(sums.dense)],
        by_column[..., len(sums.dense) :],
    )


def _estimate(
    problem: Problem, layout: Layout, sums: Sums, weight: Batched | None = None
) -> Batched:
    dense, indexed = (
        part if isinstance(part, Batched) else Batched(part) for part in (sums.dense, sums.indexed)
    )
    with np.errstate(all="ignore"):  # what is undefined is not selected
        named = read_back(layout, Sums(dense, indexed, sums.fixed))
        estimate = problem.of_sums(named, weight).estimate
    return estimate if isinstance(estimate, Batched) else Batched(np.asarray(estimate)[..., None])


def _rows_first(estimates: Floats) -> Floats:
    return np.moveaxis(estimates, -1, 0)
