"""A coefficient without each annotator in turn: annotator weight 0."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from iaa_jax.engine import Prepared, Problem, estimates
from iaa_jax.engine.flat import read_back
from iaa_jax.engine.problem import Floats
from iaa_jax.kernels.raters import Raters
from iaa_jax.kernels.sums import Fixed, Indexed, sums_over_items

_WORK = 1 << 32
"""Cells of data, over all annotators, beyond which nothing is evaluated once an annotator."""


def without_each(problem: Problem, annotators: int) -> tuple[Floats, str]:
    """The estimate without each annotator, and why there is none (nothing where there is).

    With labels, leaving somebody out changes the statistics of his own items alone. The sums over
    all others are taken anew, never as a difference, so that what is exactly 0 stays so.
    """
    prepared = Prepared([problem])
    measure = problem.measure
    # statistics of pairs of annotators know nothing of the weights; the formula does
    if measure.of_pairs and problem.factored:
        total = prepared.summed(problem)
        return _each(problem, annotators, lambda *_: total), ""
    # among complete items, those that he missed come in without him; numbers are counted from
    # the middle of all: then every item's statistics change
    by_rows = problem.factored and not measure.complete and not measure.takes_values
    if by_rows and (found := _by_sums(prepared, problem, annotators)) is not None:
        return found, ""
    if annotators * problem.data.size > _WORK:
        reason = (
            f"{annotators} annotators on {len(problem.data):,} rating patterns are too many to "
            "leave out one by one"
        )
        return np.full(annotators, np.nan), reason
    values = np.full(annotators, np.nan)
    for left_out in range(annotators):
        weight = _weights(problem, annotators)
        weight[left_out] = 0.0
        one = replace(problem, annotator_weight=weight)
        values[left_out] = estimates(Prepared([one]))[0].estimate
    return values, ""


def _by_sums(prepared: Prepared, problem: Problem, annotators: int) -> Floats | None:
    flat = prepared.statistics(problem)
    probe = _statistics(problem, np.arange(1), problem.weight)
    if any(isinstance(one, Indexed) and one.keys is not None for one in probe):
        return None  # numbered by what is met: other rows, other numbers
    rows_of = _rows_of(problem, annotators)
    count = problem.table.count.astype(np.float64)

    def sums(weight: Floats, left_out: int) -> Any:
        rows = rows_of[left_out]
        others = count.copy()
        others[rows] = 0.0
        rest = read_back(flat.layout, flat.sums(others))
        if not len(rows):
            return rest
        part = sums_over_items(_statistics(problem, rows, weight), count[rows])
        return type(rest)(
            *(
                one if isinstance(kind, Fixed) else one + two
                for kind, one, two in zip(probe, rest, part, strict=True)
            )
        )

    return _each(problem, annotators, sums)


def _each(problem: Problem, annotators: int, sums: Any) -> Floats:
    formula = problem.measure.formula
    assert formula is not None
    values = np.full(annotators, np.nan)
    for left_out in range(annotators):
        weight = problem.weight.copy()
        weight[left_out] = 0.0
        found = formula(sums(weight, left_out), weight, problem.disagreement, **problem.options)
        values[left_out] = found.estimate
    return values


def _statistics(problem: Problem, rows: NDArray[Any], weight: Floats) -> Any:
    assert problem.measure.statistics is not None
    annotator_of = None if problem.annotator_of is None else problem.annotator_of[rows]
    raters = Raters(weight, annotator_of)
    shared = () if problem.measure.shared is None else (problem.measure.shared(problem.data),)
    return problem.measure.statistics(problem.data[rows], raters, problem.disagreement, *shared)


def _rows_of(problem: Problem, annotators: int) -> list[NDArray[np.intp]]:
    """The patterns that each annotator has a rating in."""
    data = problem.data
    known = ~np.isnan(data if data.ndim == 2 else data[..., 0])
    rows, places = np.nonzero(known)
    whose = places if problem.annotator_of is None else problem.annotator_of[rows, places]
    order = np.argsort(whose, kind="stable")
    ends = np.cumsum(np.bincount(whose, minlength=annotators))[:-1]
    return np.split(rows[order], ends)


def _weights(problem: Problem, annotators: int) -> Floats:
    return np.asarray(problem.weight[:annotators], dtype=np.float64).copy()
