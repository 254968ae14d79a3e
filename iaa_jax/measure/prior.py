"""The prior of a posterior of agreement: pseudo-items beside those that were rated.

With L labels in use and items of m ratings, h pseudo-items stand on each "all m say l", and ``L h
/ 2`` in all on items that disagree, in proportion to how often they would come about by annotators
who draw labels evenly and alone. By default they agree in two of three only as far as the items do:
where these agree less, the share u of pseudo-items that all say one label lies between 2/3 and the
share u_o with which pseudo-items agree as the items, ``u = u_o + (2/3 - u_o) / (m - 1)``: one item
of many ratings tells much of agreement near chance, and one that agrees wholly would outweigh many.

The weights of items that show a pattern, and of pseudo-items, are then Dirichlet in their numbers
(Rubin 1981 without the prior). By default ``h = sqrt(L_e / 2) / L``, with ``L_e = L^2 / sum_kl
a_kl`` for labels that agree by a_kl: as many labels as would agree by chance as often if they
agreed or did not; sets of labels agree by their Jaccard index. Without weights ``L_e = L`` and ``h
= (2 L)^(-1/2)``: 1/2 for two labels, where with two annotators it is Jeffreys' prior of the three
patterns.

Rubin, D. B. (1981). The Bayesian bootstrap. Annals of Statistics 9(1).
https://doi.org/10.1214/aos/1176345338
Brown, L. D., Cai, T. T. and DasGupta, A. (2001). Interval estimation for a binomial proportion.
Statistical Science 16(2). https://doi.org/10.1214/ss/1009213286
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement, permutations
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.engine import CodedRatings, PatternTable, Problem
from iaa_jax.kernels.label_agreement import table_of_sets

ALL_PATTERNS = 40
"""Patterns of ratings up to which every one is a pseudo-item; beyond, some are drawn instead."""

DRAWN = 30

ALL_ORDERS = 64
"""Orders of the ratings of all patterns up to which raters who are told apart have every one."""

MOST_TURNED = 192
"""Patterns in which raters have their turns otherwise, but each pattern has one."""

MOST_LABELS = 512
"""Labels, or different sets of them, beyond which a prior of each is none of few labels."""

GOLDEN = (math.sqrt(5) - 1) / 2
_TINY = 1e-300
_CELLS = 1 << 22


class Labels(NamedTuple):
    """What can be said of an item.

    Attributes
    ----------
    codes : array (label,)
        The labels in use.
    ratings : int
        The ratings of a full item.
    observed : float
        Observed agreement.
    agreement : array (label, label), optional
        How far labels agree; by default they do or do not.
    """

    codes: Integers
    ratings: int
    observed: float = 1.0
    agreement: Floats | None = None

    @property
    def alike(self) -> float:
        """L_e: as many labels as would agree by chance as often if they agreed or did not."""
        number = float(len(self.codes))
        return number if self.agreement is None else number**2 / float(self.agreement.sum())

    @property
    def usual_prior(self) -> float:
        """``h = sqrt(L_e / 2) / L``, pseudo-items of agreement on each label.

        Examples
        --------
        >>> Labels(np.array([0, 1]), 3).usual_prior
        0.5
        """
        return math.sqrt(self.alike / 2) / len(self.codes)

    @property
    def agreeing(self) -> float:
        """The share of the usual pseudo-items in which all say one label."""
        number = len(self.codes)
        differing, share = _differing(number, self.ratings)
        own = float(share @ _pair_agreement(np.arange(number), differing, self.agreement))
        as_observed = min(max((self.observed - own) / (1 - own), 0.0), 2 / 3)
        return as_observed + (2 / 3 - as_observed) / (self.ratings - 1)

    @property
    def root(self) -> tuple[int, float, float]:
        """What figures have in common that are drawn from one prior, to rounding."""
        return len(self.codes), self.alike, round(self.agreeing, 9)


class PseudoItems(NamedTuple):
    """Items that a prior counts.

    Attributes
    ----------
    codes : array (pseudo-item, rating)
        Their ratings; every one has m.
    number : array (pseudo-item,)
        As how many items each counts.
    """

    codes: Integers
    number: Floats

    @property
    def items(self) -> float:
        """As how many items all count."""
        return float(self.number.sum())


def pseudo_items(labels: Labels, each: float | None = None) -> PseudoItems:
    """The prior for such items, whoever gave which rating; ``each`` is h.

    Examples
    --------
    >>> prior = pseudo_items(Labels(np.array([0, 1]), 2))
    >>> prior.codes.tolist(), prior.number.tolist()
    ([[0, 0], [1, 1], [0, 1]], [0.5, 0.5, 0.5])
    """
    codes, ratings = labels.codes, labels.ratings
    number = len(codes)
    unanimous = np.repeat(codes[:, None], ratings, axis=1)
    differing, share = _differing(number, ratings)
    items = 1.5 * number * (labels.usual_prior if each is None else each)
    agreeing = items * (labels.agreeing if each is None else 2 / 3)
    return PseudoItems(
        np.concatenate([unanimous, codes[differing]]),
        np.concatenate([np.full(number, agreeing / number), share * (items - agreeing)]),
    )


def _pair_agreement(codes: Integers, rows: Integers, agreement: Floats | None) -> Floats:
    """How far two ratings of an item agree on average (item,); NaN where there is one at most."""
    place = np.full(max(int(codes.max(initial=-1)), int(rows.max(initial=-1))) + 2, -1)
    place[codes] = np.arange(len(codes))  # a gap, -1, has the last
    places = place[rows]
    item, at = np.nonzero(places >= 0)
    count = np.zeros((len(rows), len(codes)))
    np.add.at(count, (item, places[item, at]), 1.0)
    ratings = count.sum(axis=1)
    if agreement is None:
        alike = (count**2).sum(axis=1) - ratings
    else:
        alike = ((count @ agreement) * count).sum(axis=1) - count @ np.diagonal(agreement)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(alike / (ratings * (ratings - 1)))


@cache
def _differing(values: int, ratings: int) -> tuple[Integers, Floats]:
    """Patterns (pattern, rating) of indices that are not all one, and the share of each."""
    if math.comb(values + ratings - 1, ratings) <= ALL_PATTERNS:
        several = [
            row for row in combinations_with_replacement(range(values), ratings) if len({*row}) > 1
        ]
        chance = np.array([_arrangements(row) for row in several], dtype=np.float64)
    else:
        evenly = np.resize(np.arange(values), DRAWN * ratings)
        draw = np.random.default_rng(0).permutation(evenly).reshape(DRAWN, ratings)
        several = [tuple(row) for row in draw.tolist() if len({*row}) > 1]
        chance = np.ones(len(several))
    return np.array(several), chance / chance.sum()


def _arrangements(row: Sequence[int]) -> int:
    """In how many orders raters can give these values."""
    ways = math.factorial(len(row))
    for value in {*row}:
        ways //= math.factorial(row.count(value))
    return ways


def by_rater(prior: PseudoItems) -> tuple[PseudoItems, Integers]:
    """The pseudo-items where raters are told apart, and which each of them is otherwise.

    Every order of the ratings where these are few, else other raters begin in turn: each rater
    gives every value equally often, or nearly, so that the prior favours none.

    Examples
    --------
    >>> prior, alike = by_rater(pseudo_items(Labels(np.array([0, 1]), 2)))
    >>> prior.codes.tolist(), prior.number.tolist(), alike.tolist()
    ([[0, 0], [1, 1], [0, 1], [1, 0]], [0.5, 0.5, 0.25, 0.25], [0, 1, 2, 2])
    """
    rows = [tuple(row) for row in prior.codes.tolist()]
    if sum(map(_arrangements, rows)) <= ALL_ORDERS:
        orders = [sorted({*permutations(row)}) for row in rows]
    else:
        turns = min(prior.codes.shape[1], max(1, MOST_TURNED // len(rows)))
        orders = [_turned(row, turns, index) for index, row in enumerate(rows)]
    ways = np.array([len(several) for several in orders])
    codes = np.array([order for several in orders for order in several])
    alike = np.repeat(np.arange(len(rows)), ways)
    return PseudoItems(codes, (prior.number / ways)[alike]), alike


def _turned(row: tuple[int, ...], turns: int, index: int) -> list[tuple[int, ...]]:
    """A row with so many raters first, evenly apart; of others other raters are."""
    if len({*row}) == 1:
        return [row]
    begin = int(index * GOLDEN * len(row))
    first = [(begin + turn * len(row) // turns) % len(row) for turn in range(turns)]
    return [row[at:] + row[:at] for at in first]


def takes_prior(problem: Problem) -> bool:
    """Whether ratings are few different labels, on which pseudo-items can agree."""
    if not isinstance(problem.ratings, CodedRatings):
        return False
    codes, ratings = labels_in_use(problem)
    return 1 < len(codes) <= min(problem.table.items, MOST_LABELS) and ratings > 1


def labels_of(problem: Problem, distance: Floats | None = None) -> Labels:
    """What can be said of an item: the ratings in use, how many it has, and how far they agree."""
    assert isinstance(problem.ratings, CodedRatings)
    codes, ratings = labels_in_use(problem)
    sets, weighted = problem.measure.label_sets, distance is not None and np.any(distance)
    if not len(codes) or not (sets or weighted):
        return Labels(codes, ratings, _observed(problem, codes))
    mass = problem.ratings.lay_out(codes[None, :])[0]
    if sets:
        agreement = 1 - table_of_sets("jaccard", mass)
    else:
        assert distance is not None
        given = mass.any(axis=0)
        away = distance[np.ix_(given, given)]
        away = away / max(float(away.max()), _TINY)
        agreement = mass[:, given] @ (1 - away) @ mass[:, given].T
    return Labels(codes, ratings, _observed(problem, codes, agreement), agreement)


def _observed(problem: Problem, codes: Integers, agreement: Floats | None = None) -> float:
    """The observed agreement of these ratings; 1 where no item has two."""
    assert isinstance(problem.ratings, CodedRatings)
    shown = np.flatnonzero(problem.table.count > 0)
    total = pairable = 0.0
    at_once = max(1, _CELLS // max(len(codes), problem.columns))
    for start in range(0, len(shown), at_once):
        part = shown[start : start + at_once]
        agreed = _pair_agreement(codes, problem.ratings.codes[part], agreement)
        count = np.where(np.isnan(agreed), 0.0, problem.table.count[part])
        total += float(count @ np.nan_to_num(agreed))
        pairable += float(count.sum())
    return total / pairable if pairable else 1.0


def labels_in_use(problem: Problem) -> tuple[Integers, int]:
    """The codes of the ratings in use, as they are drawn, and how many an item has at most."""
    assert isinstance(problem.ratings, CodedRatings)
    given = problem.ratings.codes[problem.table.count > 0]
    rated = given >= 0
    codes = np.unique(given[rated])
    ratings = int(rated.sum(axis=1).max(initial=0))
    if len(codes) == 1 and problem.ratings.labels:
        # one label alone: others that were declared could have been given
        codes = np.arange(problem.ratings.labels)
    place = problem.ratings.place
    return codes if place is None else codes[np.argsort(place[codes])], ratings


def with_prior(
    problems: Sequence[Problem], labels: Sequence[Labels | None], each: float | None = None
) -> list[Problem]:
    """The coefficients of labels on tables with a prior; those of which None is said as they are.

    No item shows the patterns that are added: no estimate changes, and no derivative.
    """
    made: dict[tuple[int, float, float], _Made] = {}
    extended = []
    for problem, of_item in zip(problems, labels, strict=True):
        if of_item is None:
            extended.append(problem)
            continue
        shared = made.setdefault(of_item.root, _Made())
        extended.append(shared.extended(problem, pseudo_items(of_item, each)))
    return extended


class _Made:
    """What is made once and shared, as the tables and ratings of problems are."""

    def __init__(self) -> None:
        self.tables: dict[int, PatternTable] = {}
        self.ratings: dict[int, CodedRatings] = {}
        self.slots: dict[int, Integers] = {}

    def extended(self, problem: Problem, prior: PseudoItems) -> Problem:
        """The same coefficient with the prior's patterns after those of its table."""
        told, alike = by_rater(prior) if problem.measure.identified else (prior, None)
        given, slots = problem.ratings, problem.annotator_of
        assert isinstance(given, CodedRatings)
        annotators = _annotators_of(problem, told)
        codes = told.codes
        if slots is not None:  # of which the annotators ascend
            turn = np.argsort(annotators, axis=1)
            annotators = np.take_along_axis(annotators, turn, axis=1)
            codes = np.take_along_axis(codes, turn, axis=1)
        if id(given) not in self.ratings:
            rows = np.full((len(codes), problem.columns), -1, dtype=given.codes.dtype)
            at = annotators if slots is None else np.arange(codes.shape[1])[None, :]
            np.put_along_axis(rows, np.broadcast_to(at, codes.shape), codes, axis=1)
            self.ratings[id(given)] = replace(given, codes=np.concatenate([given.codes, rows]))
        if slots is not None and id(slots) not in self.slots:
            rows = np.full((len(codes), problem.columns), -1, dtype=slots.dtype)
            rows[:, : annotators.shape[1]] = annotators
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
            none, nothing = np.zeros(len(added.number)), np.zeros(len(table.count))
            self.tables[id(table)] = PatternTable(
                np.concatenate([table.count, none]),
                coarse,
                pattern_of,
                np.concatenate([nothing, added.number]),
            )
        return self.tables[id(table)]


def _annotators_of(problem: Problem, prior: PseudoItems) -> Integers:
    """Whose ratings pseudo-items have (pseudo-item, rating): those of full items in turn."""
    ratings = prior.codes.shape[1]
    if not problem.measure.identified:
        return np.broadcast_to(np.arange(ratings)[None, :], prior.codes.shape)
    in_turn = problem.annotators_in_turn
    if problem.annotator_of is None and ratings == problem.columns:
        return np.broadcast_to(in_turn[None, :], prior.codes.shape)
    assert isinstance(problem.ratings, CodedRatings)
    rated = problem.ratings.codes >= 0
    full = np.flatnonzero((rated.sum(axis=1) == ratings) & (problem.table.count > 0))
    # spread over the items by a golden section, so that each value meets all kinds of panels
    share = (np.arange(len(prior.number)) * GOLDEN) % 1.0
    reached = np.cumsum(problem.table.count[full])
    shown = full[np.searchsorted(reached, share * reached[-1], side="right")]
    places = np.nonzero(rated[shown])[1].reshape(-1, ratings)
    annotators = places
    if problem.annotator_of is not None:
        annotators = np.take_along_axis(problem.annotator_of[shown], places, axis=1)
    return in_turn[np.sort(np.argsort(in_turn)[annotators], axis=1)]
