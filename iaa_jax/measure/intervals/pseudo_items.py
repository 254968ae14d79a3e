"""Tables with the pseudo-items of a prior beside the patterns of items."""

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
"""As how many items the usual prior counts."""

ALL_ORDERS = 64
"""Orders of the ratings of all patterns up to which raters who are told apart have every one."""

MOST_TURNED = 192
"""Patterns in which raters have their turns otherwise, but each pattern has one."""


def by_rater(prior: PseudoItems) -> tuple[PseudoItems, Integers]:
    """The pseudo-items where raters are told apart, and which each of them is otherwise.

    Every order of the ratings where these are few, else other raters begin in turn: each rater
    gives every value equally often, or nearly, so that the prior favours none.

    Examples
    --------
    >>> prior, alike = by_rater(pseudo_items(Labels(np.array([0, 1]), 2, np.array([10.0, 10]))))
    >>> prior.codes.tolist(), prior.number.tolist(), alike.tolist()
    ([[0, 0], [1, 1], [0, 1], [1, 0]], [0.25, 0.25, 0.25, 0.25], [0, 1, 2, 2])
    """
    rows = [tuple(row) for row in prior.codes.tolist()]
    if sum(map(arrangements, rows)) <= ALL_ORDERS:
        orders = [_orders(row) for row in rows]
    else:
        turns = max(1, MOST_TURNED // len(rows))
        orders = [_rotations(row, min(len(row), turns), index) for index, row in enumerate(rows)]
    ways = np.array([len(several) for several in orders])
    codes = np.array([order for several in orders for order in several])
    alike = np.repeat(np.arange(len(rows)), ways)
    return PseudoItems(codes, (prior.number / ways)[alike]), alike


def _orders(row: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All orders of a row, by what stands first in it: codes are in the order declared."""

    def places(order: tuple[int, ...]) -> list[int]:
        return [row.index(code) for code in order]

    return sorted({*permutations(row)}, key=places)


def _rotations(row: tuple[int, ...], turns: int, index: int) -> list[tuple[int, ...]]:
    """A row with so many raters first, evenly apart; of others other raters are."""
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
    """The coefficients of labels on tables with a prior; those of which None is said as they are.

    The prior counts as so many ``items``, by default one. No item shows the patterns that are
    added: no estimate changes, and no derivative. Patterns that are alike for a coefficient become
    one if they are ``merged``; those that stand for pairs of patterns of two sets do not.
    """
    items = ITEMS if items is None else items
    made: dict[tuple[object, ...], _SharedParts] = {}
    tables: dict[bytes, PatternTable] = {}
    extended = []
    # all are kept until the last is extended, for what they share is known by its identity
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
    """A coefficient on its own patterns, as they stand, and those of a prior behind them."""
    return _SharedParts(as_counted=True).extended(problem, pseudo_items(labels))


def _merged(problem: Problem, tables: dict[bytes, PatternTable]) -> Problem:
    """The same on patterns that differ for this coefficient, as few may where it is of one label.

    A sum of Dirichlet weights is one whose shape is the sum: fewer are drawn, of the same law, and
    they are those of ratings that have this label alone and another. ``tables`` keep what was made.
    """
    table, given = problem.table, problem.ratings
    if problem.measure.identified or table.coarse is not None:
        return problem
    assert isinstance(given, CodedRatings)
    distinct = int(given.codes.max(initial=0)) + 1
    weight = np.asarray(table.count, dtype=np.float64)
    patterns = exchangeable_patterns(Codes(given.codes, distinct), weight)
    if len(patterns.count) == len(table.count):
        return problem
    key = patterns.codes.tobytes() + patterns.count.tobytes()
    merged = tables.setdefault(key, table.other(patterns.count))
    return replace(problem, table=merged, ratings=replace(given, codes=patterns.codes))


class _SharedParts:
    """What is made once and shared, as the tables and ratings of problems are."""

    def __init__(self, *, as_counted: bool) -> None:
        self.as_counted = as_counted
        self.tables: dict[int, PatternTable] = {}
        self.ratings: dict[int, CodedRatings] = {}
        self.slots: dict[int, Integers] = {}

    def extended(self, problem: Problem, prior: PseudoItems) -> Problem:
        """The same coefficient with the prior's patterns after those of its table."""
        told, alike = by_rater(prior) if problem.measure.identified else (prior, None)
        given, slots = problem.ratings, problem.annotator_of
        assert isinstance(given, CodedRatings)
        annotators, codes = _pseudo_annotators(problem, told), told.codes
        if slots is not None:  # of which the annotators ascend
            turn = np.argsort(annotators, axis=1)
            annotators = np.take_along_axis(annotators, turn, axis=1)
            codes = np.take_along_axis(codes, turn, axis=1)
        item, rating = np.indices(codes.shape).reshape(2, -1)
        if id(given) not in self.ratings:
            rows = np.full((len(codes), problem.columns), -1, dtype=given.codes.dtype)
            at = annotators[item, rating] if slots is None else rating
            rows[item, at] = codes[item, rating]
            self.ratings[id(given)] = replace(given, codes=np.concatenate([given.codes, rows]))
        if slots is not None and id(slots) not in self.slots:
            rows = np.full((len(codes), problem.columns), -1, dtype=slots.dtype)
            rows[item, rating] = annotators[item, rating]
            self.slots[id(slots)] = np.concatenate([slots, rows])
        return replace(
            problem,
            table=self._table(problem.table, told, prior, alike),
            ratings=self.ratings[id(given)],
            annotator_of=None if slots is None else self.slots[id(slots)],
        )

    def _table(
        self,
        table: PatternTable,
        added: PseudoItems,
        prior: PseudoItems,
        alike: Integers | None,
    ) -> PatternTable:
        """A table with pseudo-items; of its coarse table they are those of the prior."""
        if id(table) not in self.tables:
            coarse, pattern_of = table.coarse, table.pattern_of
            if coarse is not None and pattern_of is not None and alike is not None:
                pattern_of = np.concatenate([pattern_of, len(coarse.count) + alike])
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
    """What makes of n items n - 1, of each pattern its part; of a single one half is left."""
    return np.asarray(-table.count / max(table.items, 2.0))


def _pseudo_annotators(problem: Problem, prior: PseudoItems) -> Integers:
    """Whose ratings pseudo-items have (pseudo-item, rating): those of items with as many."""
    ratings = prior.codes.shape[1]
    if not problem.measure.identified:
        return np.broadcast_to(np.arange(ratings)[None, :], prior.codes.shape)
    in_turn, columns = problem.annotators_in_turn, problem.columns
    assert isinstance(problem.ratings, CodedRatings)
    if problem.annotator_of is None and ratings == columns:
        return np.broadcast_to(in_turn[None, :], prior.codes.shape)
    rated = problem.ratings.codes >= 0
    alike = np.flatnonzero((rated.sum(axis=1) == ratings) & (problem.table.count > 0))
    reached = np.cumsum(problem.table.count[alike])
    # spread over the items by a golden section, so that each value meets all kinds of panels
    turn = (np.arange(len(prior.number)) * GOLDEN) % 1.0
    shown = alike[np.searchsorted(reached, turn * reached[-1], side="right")]
    annotators = np.nonzero(rated[shown])[1].reshape(-1, ratings)
    if problem.annotator_of is not None:
        annotators = np.take_along_axis(problem.annotator_of[shown], annotators, axis=1)
    return in_turn[np.sort(np.argsort(in_turn)[annotators], axis=1)]
