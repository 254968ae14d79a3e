"""A coefficient without each annotator in turn: annotator weight 0."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats
from iaa_jax.engine import Prepared, Problem, estimates
from iaa_jax.engine.flat import read_back
from iaa_jax.kernels.namespace import Array
from iaa_jax.kernels.raters import Raters
from iaa_jax.kernels.sums import Fixed, Indexed, sums_over_items
from iaa_jax.measure.tables import RatingTables
from iaa_jax.wording import Note

_WORK = 1 << 32
"""Cells of data, over all annotators, beyond which nothing is evaluated once an annotator."""

_COMPARED = 100_000
"""Documents, over all annotators, beyond which spans are not compared anew without each."""


def leave_each_out(problem: Problem, annotators: int) -> tuple[Floats, Note | None]:
    """The estimate without each annotator, and why there is none (None where there is).

    With labels, leaving somebody out changes the statistics of his own items alone. The sums over
    all others are taken anew, never as a difference, so that what is exactly 0 stays so.
    """
    prepared = Prepared([problem])
    measure = problem.measure
    # statistics of pairs of annotators know nothing of the weights; the formula does
    if measure.of_pairs and problem.factored:
        total = prepared.summed(problem)
        return _by_formula(problem, annotators, lambda *_: total), None
    # among complete items, those that he missed come in without him; numbers are counted from
    # the middle of all: then every item's statistics change
    by_rows = problem.factored and not measure.complete and not measure.takes_values
    if by_rows and (values := _by_sums(prepared, problem, annotators)) is not None:
        return values, None
    values = np.full(annotators, np.nan)
    if annotators * problem.data.size > _WORK:
        return values, Note("not_left_out", {"annotators": annotators, "rows": len(problem.data)})
    for left_out in range(annotators):
        weight = np.array(problem.weight[:annotators], dtype=np.float64)
        weight[left_out] = 0.0
        others = replace(problem, annotator_weight=weight)
        values[left_out] = estimates(Prepared([others]))[0].estimate
    return values, None


def compare_without_each(
    tables: RatingTables, problem: Problem, annotators: int
) -> tuple[Floats, Note | None]:
    """The same of spans that are compared all at once: they are compared anew without each."""
    codes = tables.compact_codes
    values = np.full(annotators, np.nan)
    if annotators * len(codes.codes) > _COMPARED:
        return values, Note("not_left_out", {"annotators": annotators, "rows": len(codes.codes)})
    rows, slots, raters = codes.ratings()
    for left_out in range(annotators):
        marked = codes.codes.copy()
        own = raters == left_out
        marked[rows[own], slots[own]] = -1
        data = tables.spans.data(problem.measure, marked)
        others = replace(problem, table=tables.identified_table, ratings=data)
        values[left_out] = estimates(Prepared([others]))[0].estimate
    return values, None


def _by_sums(prepared: Prepared, problem: Problem, annotators: int) -> Floats | None:
    """From sums over the items that the annotator did not rate, and the others' on those he did."""
    flat = prepared.statistics(problem)
    kinds = _statistics(problem, np.arange(1), problem.weight)
    if any(isinstance(kind, Indexed) and kind.keys is not None for kind in kinds):
        return None  # numbered by what is met: other rows, other numbers
    rows_of = _rows_of(problem, annotators)
    count = problem.table.count.astype(np.float64)

    def sums(weight: Floats, left_out: int) -> tuple[Array, ...]:
        rows = rows_of[left_out]
        others = count.copy()
        others[rows] = 0.0
        rest: tuple[Array, ...] = read_back(flat.layout, flat.sums(others))
        if not len(rows):
            return rest
        part = sums_over_items(_statistics(problem, rows, weight), count[rows])
        return type(rest)(
            *(
                of_rest if isinstance(kind, Fixed) else of_rest + of_part
                for kind, of_rest, of_part in zip(kinds, rest, part, strict=True)
            )
        )

    return _by_formula(problem, annotators, sums)


def _by_formula(
    problem: Problem, annotators: int, sums: Callable[[Floats, int], tuple[Array, ...]]
) -> Floats:
    """The formula on the sums without each annotator."""
    values = np.full(annotators, np.nan)
    for left_out in range(annotators):
        weight = problem.weight.copy()
        weight[left_out] = 0.0
        values[left_out] = problem.of_sums(sums(weight, left_out), weight).estimate
    return values


def _statistics(problem: Problem, rows: NDArray[np.intp], weight: Floats) -> tuple[Array, ...]:
    annotator_of = None if problem.annotator_of is None else problem.annotator_of[rows]
    statistics: tuple[Array, ...] = problem.statistics_of(
        problem.data[rows], Raters(weight, annotator_of)
    )
    return statistics


def _rows_of(problem: Problem, annotators: int) -> list[NDArray[np.intp]]:
    """The patterns that each annotator has a rating in."""
    data = problem.data
    known = ~np.isnan(data.reshape(*data.shape[:2], -1)[..., 0])
    rows, slots = np.nonzero(known)
    raters = slots if problem.annotator_of is None else problem.annotator_of[rows, slots]
    order = np.argsort(raters, kind="stable")
    ends = np.cumsum(np.bincount(raters, minlength=annotators))[:-1]
    return np.split(rows[order], ends)
