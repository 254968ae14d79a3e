"""Tables of patterns, extended by the pseudo-items of a prior.

A pattern is a set of items with the same ratings, kept once with their number. A slot holds an
item's first, second, ... rating, no matter which annotator gave it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.data.patterns import Codes, exchangeable_patterns
from iaa_jax.engine import CodedRatings, PatternTable, Problem
from iaa_jax.measure.requests.prior import GOLDEN, Labels, PseudoItems, arrangements, pseudo_items

ITEMS = 1.0
"""Weight of the usual prior, in items."""

ALL_ORDERS = 64
"""Maximum number of orders in which annotators can give the ratings of all pseudo-items. Beyond it,
the ratings are rotated."""

MOST_TURNED = 192
"""Maximum number of rotated pseudo-items, unless each pseudo-item has only one rotation."""


def by_annotator(prior: PseudoItems) -> tuple[PseudoItems, Integers]:
    """Return pseudo-items whose ratings are by identified annotators.

    The second result is the index in ``prior`` of the pseudo-item from which each was made. If the
    ratings have few possible orders, all are used; otherwise the ratings are rotated. Each label is
    then given (nearly) equally often by every annotator, so the prior favours no annotator.

    Examples
    --------
    >>> prior, index = by_annotator(pseudo_items(Labels(np.array([0, 1]), 2, np.array([10.0, 10]))))
    >>> prior.codes.tolist(), prior.number.tolist(), index.tolist()
    ([[0, 0], [1, 1], [0, 1], [1, 0]], [0.25, 0.25, 0.25, 0.25], [0, 1, 2, 2])
    """
    rows = [tuple(row) for row in prior.codes.tolist()]
    if sum(map(arrangements, rows)) <= ALL_ORDERS:
        orders = [_orders(row) for row in rows]
    else:
        turns = max(1, MOST_TURNED // len(rows))
        orders = [_rotations(row, min(len(row), turns), index) for index, row in enumerate(rows)]
    numbers = np.array([len(of_row) for of_row in orders])
    codes = np.array([order for of_row in orders for order in of_row])
    index = np.repeat(np.arange(len(rows)), numbers)
    return PseudoItems(codes, (prior.number / numbers)[index]), index


def _orders(row: tuple[int, ...]) -> list[tuple[int, ...]]:

    def positions(order: tuple[int, ...]) -> list[int]:
        return [row.index(code) for code in order]

    return sorted({*permutations(row)}, key=positions)


def _rotations(row: tuple[int, ...], turns: int, index: int) -> list[tuple[int, ...]]:
    """Return ``turns`` evenly spaced rotations of a row; its index determines the first one."""
    if len({*row}) == 1:
        return [row]
    begin = int(index * GOLDEN * len(row))
    first = [(begin + turn * len(row) // turns) % len(row) for turn in range(turns)]
    return [row[at:] + row[:at] for at in first]


def with_prior(
    problems: Sequence[Problem],
    labels: Sequence[Labels | None],
    items: float | None = None,
    *,
    merged: bool = True,
) -> list[Problem]:
    """Add the pseudo-items of a prior to the tables of coefficients that have labels.

    The prior counts as ``items`` items, one by default, or more for figures by label. The added
    patterns have a count of 0, so estimates and derivatives do not change. If ``merged``, patterns
    that a coefficient cannot distinguish become one pattern. Patterns that combine the patterns of
    two sets of ratings must not be merged.
    """
    items = ITEMS if items is None else items
    made: dict[tuple[object, ...], _SharedParts] = {}
    tables: dict[bytes, PatternTable] = {}
    extended = []
    # keep all problems until the last is extended, because shared parts are found by identity
    distinct = [
        problem if of_item is None or not merged else _merged(problem, tables)
        for problem, of_item in zip(problems, labels, strict=True)
    ]
    for problem, of_item in zip(distinct, labels, strict=True):
        if of_item is None:
            extended.append(problem)
            continue
        shared = made.setdefault(of_item.prior_key, _SharedParts(as_counted=not items))
        extended.append(shared.extended(problem, pseudo_items(of_item, items)))
    return extended


def append_prior(problem: Problem, labels: Labels) -> Problem:
    """Append the pseudo-items of a prior to the patterns of a coefficient, without merging."""
    return _SharedParts(as_counted=True).extended(problem, pseudo_items(labels))


def _merged(problem: Problem, tables: dict[bytes, PatternTable]) -> Problem:
    """Merge patterns that a coefficient cannot distinguish, for example if it is about one label.

    A sum of Dirichlet weights is a Dirichlet weight with the summed parameter, so the distribution
    of the estimates stays the same. ``tables`` caches the merged tables.
    """
    table, ratings = problem.table, problem.ratings
    if problem.measure.identified or table.coarse is not None:
        return problem
    assert isinstance(ratings, CodedRatings)
    distinct = int(ratings.codes.max(initial=0)) + 1
    weight = np.asarray(table.count, dtype=np.float64)
    patterns = exchangeable_patterns(Codes(ratings.codes, distinct), weight)
    if len(patterns.count) == len(table.count):
        return problem
    key = patterns.codes.tobytes() + patterns.count.tobytes()
    merged = tables.setdefault(key, table.other(patterns.count))
    return replace(problem, table=merged, ratings=replace(ratings, codes=patterns.codes))


class _SharedParts:
    """A cache of extended tables and ratings, for problems that share them.

    Unless ``as_counted``, n items count as n - 1.
    """

    def __init__(self, *, as_counted: bool) -> None:
        self.as_counted = as_counted
        self.tables: dict[int, PatternTable] = {}
        self.ratings: dict[int, CodedRatings] = {}
        self.slots: dict[int, Integers] = {}

    def extended(self, problem: Problem, prior: PseudoItems) -> Problem:
        identified, index = by_annotator(prior) if problem.measure.identified else (prior, None)
        ratings, slots = problem.ratings, problem.annotator_of
        assert isinstance(ratings, CodedRatings)
        annotators, codes = _pseudo_annotators(problem, identified), identified.codes
        if slots is not None:  # annotators must ascend within an item
            turn = np.argsort(annotators, axis=1)
            annotators = np.take_along_axis(annotators, turn, axis=1)
            codes = np.take_along_axis(codes, turn, axis=1)
        item, rating = np.indices(codes.shape).reshape(2, -1)
        if id(ratings) not in self.ratings:
            rows = np.full((len(codes), problem.columns), -1, dtype=ratings.codes.dtype)
            at = annotators[item, rating] if slots is None else rating
            rows[item, at] = codes[item, rating]
            self.ratings[id(ratings)] = replace(
                ratings, codes=np.concatenate([ratings.codes, rows])
            )
        if slots is not None and id(slots) not in self.slots:
            rows = np.full((len(codes), problem.columns), -1, dtype=slots.dtype)
            rows[item, rating] = annotators[item, rating]
            self.slots[id(slots)] = np.concatenate([slots, rows])
        return replace(
            problem,
            table=self._table(problem.table, identified, prior, index),
            ratings=self.ratings[id(ratings)],
            annotator_of=None if slots is None else self.slots[id(slots)],
        )

    def _table(
        self,
        table: PatternTable,
        added: PseudoItems,
        prior: PseudoItems,
        index: Integers | None,
    ) -> PatternTable:
        if id(table) not in self.tables:
            coarse, pattern_of = table.coarse, table.pattern_of
            if coarse is not None and pattern_of is not None and index is not None:
                pattern_of = np.concatenate([pattern_of, len(coarse.count) + index])
                coarse = self._table(coarse, prior, prior, None)
            less = 0.0 * table.count if self.as_counted else minus_one_item(table)
            self.tables[id(table)] = table.other(
                np.concatenate([table.count, np.zeros(len(added.number))]),
                coarse,
                pattern_of,
                np.concatenate([less, added.number]),
            )
        return self.tables[id(table)]


def minus_one_item(table: PatternTable) -> Floats:
    """Return the change of counts that makes n items count as n - 1; a single item counts half."""
    return np.asarray(-table.count / max(table.items, 2.0))


def _pseudo_annotators(problem: Problem, prior: PseudoItems) -> Integers:
    """Return annotators (pseudo-item, rating) for the pseudo-items.

    Exchangeable annotators are numbered by the positions 0, 1, ... of ratings. Otherwise, if a
    pseudo-item has as many ratings as there are annotators, all of them rate it. If it has fewer,
    the annotators are taken from items with as many ratings as a pseudo-item.
    """
    ratings = prior.codes.shape[1]
    if not problem.measure.identified:
        return np.broadcast_to(np.arange(ratings)[None, :], prior.codes.shape)
    in_turn, columns = problem.annotators_in_turn, problem.columns
    assert isinstance(problem.ratings, CodedRatings)
    if problem.annotator_of is None and ratings == columns:
        return np.broadcast_to(in_turn[None, :], prior.codes.shape)
    rated = problem.ratings.codes >= 0
    candidates = np.flatnonzero((rated.sum(axis=1) == ratings) & (problem.table.count > 0))
    reached = np.cumsum(problem.table.count[candidates])
    # the golden ratio spreads the choices over the items, so that each label gets varied annotators
    turn = (np.arange(len(prior.number)) * GOLDEN) % 1.0
    shown = candidates[np.searchsorted(reached, turn * reached[-1], side="right")]
    annotators = np.nonzero(rated[shown])[1].reshape(-1, ratings)
    if problem.annotator_of is not None:
        annotators = np.take_along_axis(problem.annotator_of[shown], annotators, axis=1)
    return in_turn[np.sort(np.argsort(in_turn)[annotators], axis=1)]
