"""Sums over all items where nothing but estimates is asked for: no statistics are kept."""

from __future__ import annotations

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.parts import Parts, statistics_of_parts
from iaa_jax.engine.problem import Problem
from iaa_jax.kernels.sums import Fixed, Indexed, NamedSums, sums_over_items


def sums_of_all(problem: Problem, parts: Parts | None) -> NamedSums | None:
    """The statistics of a problem summed over all items; None of those that stand by an index."""
    if problem.annotator_of is not None:
        return None
    by_parts = None if parts is None else _sums_by_parts(problem, parts)
    return _sums_by_blocks(problem) if by_parts is None else by_parts


def _sums_by_parts(problem: Problem, parts: Parts) -> NamedSums | None:
    several = statistics_of_parts(problem, parts)
    if several is None:
        return None
    sums: NamedSums = None
    for kind, statistics, fields in several:
        summed = sums_over_items(statistics, parts.kind(kind).occurrences(problem.table.count))
        part = {name: getattr(summed, name) for name in fields}
        sums = summed if sums is None else sums._replace(**part)
    return sums


def _sums_by_blocks(problem: Problem) -> NamedSums | None:
    weight = problem.table.count
    sums: NamedSums = None
    for start in range(0, len(weight), thresholds.SUMMED_TOGETHER):
        rows = slice(start, start + thresholds.SUMMED_TOGETHER)
        statistics = problem.statistics_of(problem.rows(rows), problem.raters)
        if any(isinstance(each, Indexed) for each in statistics):
            return None
        part = sums_over_items(statistics, weight[rows])
        if sums is None:
            sums = part
            continue
        sums = type(part)(
            *(
                value if isinstance(each, Fixed) else total + value
                for each, total, value in zip(statistics, sums, part, strict=True)
            )
        )
    return sums
