"""Formulas on NumPy for batches of rows of sums, used for small data instead of compiled code.

Compiling a program takes 0.2 to 0.9 seconds, and importing JAX half a second: longer than the whole
computation on most data sets. Results equal those of the compiled code to 1e-12. A problem is one
coefficient on one table of patterns (sets of items with the same ratings).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.batched import Batched
from iaa_jax.engine.flat import Layout, Sums, read_back
from iaa_jax.engine.precision import DType
from iaa_jax.engine.problem import Floats, Problem
from iaa_jax.kernels.kernel import ChainedFormula
from iaa_jax.kernels.namespace import Array

SLOPE_STEPS = 8
"""Slopes of fewer rows than this are assumed to cost as much as slopes of this number of rows."""


def is_small(cells: int, dtype: DType) -> bool:
    """Tell whether formulas run on NumPy, given the number of sums in all rows together."""
    return dtype == "float64" and cells <= thresholds.NUMPY_CELLS


def estimate_rows(
    problems: Sequence[Problem], layout: Layout, sums: Sums, annotators: Floats | None = None
) -> list[Floats]:
    """Return estimates (row, ...) at sums (column, row), with annotator weights (row, annotator).

    The problems must have the same sums and the same other inputs.
    """
    rows = sums.dense.shape[-1]
    most = thresholds.FORMULA_CELLS // max(len(sums.dense) + len(sums.indexed), 1) + 1
    size = max(-(-rows // -(-rows // most)), 1) if rows else 1
    parts: list[list[Floats]] = [[] for _ in problems]
    for some in (slice(start, start + size) for start in range(0, max(rows, 1), size)):
        of_some = Sums(sums.dense[:, some], sums.indexed[:, some], sums.fixed)
        weight = None if annotators is None else Batched(annotators[some].T)
        number = of_some.dense.shape[-1]
        for part, estimate in zip(
            parts, _estimates(problems, layout, of_some, weight), strict=True
        ):
            value = estimate.value
            part.append(_rows_first(np.broadcast_to(value, (*value.shape[:-1], number))))
    return [part[0] if len(part) == 1 else np.concatenate(part) for part in parts]


def slope_rows(problem: Problem, layout: Layout, sums: Sums) -> tuple[Floats, Floats, Floats]:
    """Return estimates (row, ...), and derivatives (row, ..., column) by dense and indexed sum."""
    columns, rows = len(sums.dense) + len(sums.indexed), sums.dense.shape[-1]
    if not columns:
        (estimates,) = estimate_rows([problem], layout, sums)
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
    (estimate,) = _estimates([problem], layout, Sums(dense, indexed, sums.fixed))
    value = estimate.value[..., :: columns if estimate.value.shape[-1] > 1 else 1]
    shape = (*value.shape[:-1], rows, columns)
    slope = np.zeros(shape) if estimate.slope is None else estimate.slope.reshape(shape)
    by_column = np.moveaxis(slope, -2, 0)
    return (
        _rows_first(np.broadcast_to(value, (*value.shape[:-1], rows))),
        by_column[..., : len(sums.dense)],
        by_column[..., len(sums.dense) :],
    )


def _estimates(
    problems: Sequence[Problem], layout: Layout, sums: Sums, weight: Batched | None = None
) -> list[Batched]:
    """Return the estimates of problems with the same sums; shared steps of formulas run once."""
    dense, indexed = (
        part if isinstance(part, Batched) else Batched(part) for part in (sums.dense, sums.indexed)
    )
    firsts: dict[object, tuple[Array, ...]] = {}
    estimates = []
    with np.errstate(all="ignore"):  # undefined numbers may occur, but formulas do not select them
        named = read_back(layout, Sums(dense, indexed, sums.fixed))
        for problem in problems:
            formula = problem.kernel.formula
            if not isinstance(formula, ChainedFormula):
                estimate = problem.from_sums(named, weight).estimate
            else:
                if formula.first not in firsts:
                    firsts[formula.first] = problem.first_step(named, weight)
                estimate = formula.second(firsts[formula.first]).estimate
            if not isinstance(estimate, Batched):
                estimate = Batched(np.asarray(estimate)[..., None])
            estimates.append(estimate)
    return estimates


def _rows_first(estimates: Floats) -> Floats:
    return np.moveaxis(estimates, -1, 0)
