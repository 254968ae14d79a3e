"""Sums over all items where nothing but estimates is asked for: no statistics are kept."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from iaa_jax.engine.problem import CodedRatings, Floats, Integers, PatternTable, Problem
from iaa_jax.kernels.sums import Fixed, Indexed, NamedSums, sums_over_items

_ROWS = 1 << 11
"""Patterns whose statistics stay in the processor's cache until they are summed."""


def sums_of_all(problem: Problem) -> NamedSums | None:
    """The statistics of a problem summed over all items; None of those that stand by an index."""
    if problem.annotator_of is not None:
        return None
    by_parts = _sums_by_parts(problem)
    return _sums_by_blocks(problem) if by_parts is None else by_parts


class _Parts(NamedTuple):
    """Parts of items, each as an item of its own, and how often it occurs."""

    codes: Integers  # (part, annotator)
    number: Floats


def _sums_by_parts(problem: Problem) -> NamedSums | None:
    """From pairs of ratings, or single ones, where the statistics of an item are sums over them.

    There are fewer different ones than patterns. What an item has as a whole does not depend on
    who gave its ratings, so that of alike patterns one does.
    """
    kernel, ratings, table = problem.kernel, problem.ratings, problem.table
    if not (kernel.by_pair or kernel.by_rating) or not isinstance(ratings, CodedRatings):
        return None
    distinct = int(ratings.codes.max(initial=-1)) + 1
    if 2 * distinct**2 > len(ratings.codes):
        return None
    sums: dict[str, NamedSums] = {}
    for fields, parts_of in ((kernel.by_pair, _pairs), (kernel.by_rating, _ratings)):
        if fields:
            parts = _summed(problem, ratings, parts_of(ratings.codes, table.count, distinct))
            sums.update((name, getattr(parts, name)) for name in fields)
    if whole := [name for name in parts._fields if name not in sums]:
        alike = None if np.ptp(problem.weight) else _alike(ratings.codes, table)
        if alike is None:
            return None
        some = _summed(problem, ratings, alike)
        sums.update((name, getattr(some, name)) for name in whole)
    return parts._replace(**sums)


def _summed(problem: Problem, ratings: CodedRatings, parts: _Parts) -> NamedSums:
    data = ratings.lay_out(parts.codes)
    statistics = problem.kernel.statistics(data, problem.raters, problem.disagreement)
    return sums_over_items(statistics, parts.number)


def _pairs(codes: Integers, count: Floats, distinct: int) -> _Parts:
    base = distinct + 1
    numbers = np.ascontiguousarray(codes.T, dtype=np.intp) + 1
    parts = []
    for first, second in combinations(range(len(numbers)), 2):
        key = numbers[first] * base + numbers[second]
        table = np.bincount(key, count, base**2).astype(np.float64)
        parts.append(_told_apart(table.reshape(base, base)[1:, 1:], (first, second), len(numbers)))
    return _joined(parts, len(numbers))


def _ratings(codes: Integers, count: Floats, distinct: int) -> _Parts:
    numbers = np.ascontiguousarray(codes.T, dtype=np.intp) + 1
    parts = [
        _told_apart(
            np.bincount(each, count, distinct + 1).astype(np.float64)[1:], (column,), len(numbers)
        )
        for column, each in enumerate(numbers)
    ]
    return _joined(parts, len(numbers))


def _told_apart(table: Floats, columns: tuple[int, ...], annotators: int) -> _Parts:
    given = np.nonzero(table)
    codes = np.full((len(given[0]), annotators), -1, dtype=np.intp)
    codes[:, columns] = np.stack(given, axis=1)
    return _Parts(codes, table[given])


def _joined(parts: list[_Parts], annotators: int) -> _Parts:
    none = _Parts(np.empty((0, annotators), dtype=np.intp), np.empty(0))
    codes, count = zip(none, *parts, strict=True)
    return _Parts(np.concatenate(codes), np.concatenate(count))


def _alike(codes: Integers, table: PatternTable) -> _Parts | None:
    """One pattern of all those with the same ratings, whoever gave them."""
    if table.coarse is None or table.pattern_of is None:
        return None
    one = np.empty(len(table.coarse.count), dtype=np.intp)
    one[table.pattern_of] = np.arange(len(table.pattern_of))
    return _Parts(codes[one], table.coarse.count)


def _sums_by_blocks(problem: Problem) -> NamedSums | None:
    statistics_of = problem.kernel.statistics_on(problem.data)
    weight = problem.table.count
    sums: NamedSums = None
    for start in range(0, len(weight), _ROWS):
        rows = slice(start, start + _ROWS)
        statistics = statistics_of(problem.rows(rows), problem.raters, problem.disagreement)
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
