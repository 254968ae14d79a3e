"""The prior of a posterior of agreement: pseudo-items beside those that were rated.

With L labels in use there are ``A = 1.5 sqrt(L_e / 2)`` pseudo-items, but at most ``max(1.5,
sqrt(T) / 5)`` where a figure is of all labels together, T the items that are not all of the
commonest label: many labels make no prior that outweighs what the items tell. ``L_e = L^2 / sum_kl
a_kl`` for labels that agree by a_kl: as many labels as would agree by chance as often if they
agreed or did not; sets of labels agree by their Jaccard index, and without weights ``L_e = L``.

Pseudo-items have as many ratings as items have: of the numbers of ratings that occur all, each with
its share, where they are four at most, else the middle ones of the quarters of the items; with more
than 16 labels the middle one alone.

Of m ratings ``A u_l / L`` pseudo-items are "all m say l", for each label l. What is left stands on
items that disagree, in proportion to how often they would come about by annotators who draw labels
evenly and alone. Without knowledge ``u_l`` is 2/3: with two labels and annotators, half an item on
each of the three patterns, which is Jeffreys' prior. What the items with label l tell shrinks it,

    ``u_l = 2/3 - w_l (2/3 - v_l)``,
    ``w_l = T_l / (T_l + 20)``,  ``v_l = o_l + (2/3 - o_l) / (m - 1)``,

T_l the items that have it, and o_l the share with which pseudo-items would agree on it as the items
do, 2/3 at most: one item of many ratings tells much, and one that agrees wholly would outweigh many
that hardly agree.

The weights of items that show a pattern, and of pseudo-items, are then Dirichlet in their numbers
(Rubin 1981 without the prior), those of n items counted as n - 1, so that draws vary as much as
standard errors say.

Rubin, D. B. (1981). The Bayesian bootstrap. Annals of Statistics 9(1).
https://doi.org/10.1214/aos/1176345338
Brown, L. D., Cai, T. T. and DasGupta, A. (2001). Interval estimation for a binomial proportion.
Statistical Science 16(2). https://doi.org/10.1214/ss/1009213286
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.engine import CodedRatings, PatternTable, Problem
from iaa_jax.kernels.label_agreement import table_of_sets

ALL_PATTERNS = 40
"""Patterns of ratings up to which every one is a pseudo-item; beyond, some are drawn instead."""

DRAWN = 30
"""So many, for each number of ratings its part."""

AGREEING = 2 / 3
"""The share of pseudo-items in which all say one label, before anything is known."""

KNOWN = 20
"""Items with a label that tell as much of agreement on it as is said without them."""

SHARE_OF_TOLD = 0.2
"""Pseudo-items of all labels together, over the root of the items that tell something."""

MOST_PANELS = 4
"""Numbers of ratings that pseudo-items have."""

FEW_LABELS = 16
"""Labels up to which they have several."""

MOST_LABELS = 512
"""Labels, or different sets of them, beyond which a prior of each is none of few labels."""

GOLDEN = (math.sqrt(5) - 1) / 2
_TINY = 1e-300
_ALIKE = 1e-9
_CELLS = 1 << 22


class Told(NamedTuple):
    """What items tell of agreement.

    Attributes
    ----------
    agreed : array (label,)
        How often another rating of an item with the label agrees with it.
    items : array (label,)
        The items that have it.
    telling : float
        Items that are not all of the commonest label.
    observed : float
        Observed agreement.
    """

    agreed: Floats
    items: Floats
    telling: float
    observed: float


class Labels(NamedTuple):
    """What can be said of an item.

    Attributes
    ----------
    codes : array (label,)
        The labels in use.
    panels : tuple of (ratings, share)
        How many ratings pseudo-items have, and which share of them.
    told : Told, optional
        What the items tell; nothing by default.
    agreement : array (label, label), optional
        How far labels agree; by default they do or do not.
    by_label : bool
        Whether a figure is of single labels, each of which needs its prior.
    """

    codes: Integers
    panels: tuple[tuple[int, float], ...]
    told: Told | None = None
    agreement: Floats | None = None
    by_label: bool = False

    @property
    def ratings(self) -> int:
        """The most that a pseudo-item has."""
        return max(ratings for ratings, _ in self.panels)

    @property
    def alike(self) -> float:
        """L_e: as many labels as would agree by chance as often if they agreed or did not."""
        number = float(len(self.codes))
        return number if self.agreement is None else number**2 / float(self.agreement.sum())

    @property
    def items(self) -> float:
        """A: how many pseudo-items there are.

        Examples
        --------
        >>> Labels(np.array([0, 1]), ((3, 1.0),)).items
        1.5
        """
        items = 1.5 * math.sqrt(self.alike / 2)
        if self.told is None or self.by_label:
            return items
        return min(items, max(1.5, SHARE_OF_TOLD * math.sqrt(self.told.telling)))

    def agreeing(self, ratings: int) -> Floats:
        """u_l (label,) of so many ratings."""
        number = len(self.codes)
        if self.told is None:
            return np.full(number, AGREEING)
        differing, share = _differing(number, ratings, DRAWN // len(self.panels))
        own = float(share @ _pair_agreement(np.arange(number), differing, self.agreement))
        if own > 1 - _ALIKE:  # labels that count as one tell nothing of how often they differ
            return np.full(number, AGREEING)
        as_told = np.clip((self.told.agreed - own) / (1 - own), 0.0, AGREEING)
        by_ratings = as_told + (AGREEING - as_told) / (ratings - 1)
        weight = self.told.items / (self.told.items + KNOWN)
        # beyond rounding, of which draws must know nothing
        return np.asarray(np.round(AGREEING - weight * (AGREEING - by_ratings), 9))

    @property
    def root(self) -> tuple[object, ...]:
        """What figures have in common that are drawn from one prior.

        Those that observe agreement otherwise are drawn apart, also where their priors happen to
        be the same: which figures go together is then the same for all data.
        """
        of_panels = tuple(tuple(self.agreeing(ratings).tolist()) for ratings, _ in self.panels)
        observed = None if self.told is None else round(self.told.observed, 9)
        return len(self.codes), round(self.items, 9), self.panels, of_panels, observed


class PseudoItems(NamedTuple):
    """Items that a prior counts.

    Attributes
    ----------
    codes : array (pseudo-item, rating)
        Their ratings, -1 behind the last where there are fewer.
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
    """The prior for such items, whoever gave which rating.

    ``each`` is h: as many on which all say l for each label, and ``L h / 2`` that disagree.

    Examples
    --------
    >>> prior = pseudo_items(Labels(np.array([0, 1]), ((2, 1.0),)))
    >>> prior.codes.tolist(), prior.number.tolist()
    ([[0, 0], [1, 1], [0, 1]], [0.5, 0.5, 0.5])
    """
    codes, number = labels.codes, len(labels.codes)
    rows, numbers = [], []
    for ratings, share_of_items in labels.panels:
        differing, share = _differing(number, ratings, DRAWN // len(labels.panels))
        items = share_of_items * (labels.items if each is None else 1.5 * number * each)
        agreeing = labels.agreeing(ratings) if each is None else np.full(number, AGREEING)
        unanimous = items * agreeing / number
        numbers += [unanimous, share * (items - float(unanimous.sum()))]
        for of_items in (np.repeat(codes[:, None], ratings, axis=1), codes[differing]):
            row = np.full((len(of_items), labels.ratings), -1, dtype=codes.dtype)
            row[:, :ratings] = of_items
            rows.append(row)
    return PseudoItems(np.concatenate(rows), np.concatenate(numbers))


def _pair_agreement(codes: Integers, rows: Integers, agreement: Floats | None) -> Floats:
    """How far two ratings of an item agree on average (item,)."""
    count = (rows[:, :, None] == codes).sum(axis=1).astype(np.float64)
    return _agreement_within(count, count.sum(axis=1), agreement)


def _agreement_within(count: Floats, ratings: Floats, agreement: Floats | None) -> Floats:
    """The same for items with so many ratings of each label (item, label), two or more in all."""
    if agreement is None:
        alike = (count**2).sum(axis=1) - ratings
    else:
        alike = ((count @ agreement) * count).sum(axis=1) - count @ np.diagonal(agreement)
    return np.asarray(alike / (ratings * (ratings - 1)))


@cache
def _differing(values: int, ratings: int, drawn: int = DRAWN) -> tuple[Integers, Floats]:
    """Patterns (pattern, rating) of indices that are not all one, and the share of each."""
    if math.comb(values + ratings - 1, ratings) <= ALL_PATTERNS:
        several = [
            row for row in combinations_with_replacement(range(values), ratings) if len({*row}) > 1
        ]
        chance = np.array([arrangements(row) for row in several], dtype=np.float64)
    else:
        evenly = np.resize(np.arange(values), drawn * ratings)
        draw = np.random.default_rng(0).permutation(evenly).reshape(drawn, ratings)
        several = [tuple(row) for row in draw.tolist() if len({*row}) > 1]
        chance = np.ones(len(several))
    return np.array(several), chance / chance.sum()


def arrangements(row: Sequence[int]) -> int:
    """In how many orders raters can give these values."""
    ways = math.factorial(len(row))
    for value in {*row}:
        ways //= math.factorial(row.count(value))
    return ways


def takes_prior(problem: Problem) -> bool:
    """Whether ratings are few different labels, on which pseudo-items can agree."""
    if not isinstance(problem.ratings, CodedRatings):
        return False
    codes, ratings = problem.labels_in_use
    return 1 < len(codes) <= min(problem.table.items, MOST_LABELS) and ratings > 1


def labels_of(
    problem: Problem, distance: Floats | None = None, codes: Integers | None = None
) -> Labels:
    """What can be said of an item: the labels in use, how many ratings, and how far they agree.

    The labels in use can be given, where others use some as well.
    """
    assert isinstance(problem.ratings, CodedRatings)
    if codes is None:
        codes = _labels_that_differ(problem, distance)
    sets, weighted = problem.measure.label_sets, distance is not None and np.any(distance)
    agreement = None
    if len(codes) and sets:
        mass = problem.ratings.lay_out(codes[None, :])[0]
        agreement = 1 - table_of_sets("jaccard", mass)
    elif len(codes) and weighted:
        assert distance is not None
        mass = problem.ratings.lay_out(codes[None, :])[0]
        given = mass.any(axis=0)
        away = distance[np.ix_(given, given)]
        away = away / max(float(away.max()), _TINY)
        agreement = mass[:, given] @ (1 - away) @ mass[:, given].T
    told, sizes = (
        _told_once(problem, codes) if agreement is None else _told(problem, codes, agreement)
    )
    return Labels(codes, _panels(sizes, len(codes)), told, agreement, problem.measure.per_label)


def _labels_that_differ(problem: Problem, distance: Floats | None) -> Integers:
    """The labels in use; with those that were declared, if all in use count as one.

    As of one label alone: the others could have been given.
    """
    assert isinstance(problem.ratings, CodedRatings)
    codes, declared = problem.labels_in_use[0], problem.ratings.labels
    if distance is None or not declared or declared > MOST_LABELS:
        return codes
    of_used = distance[np.ix_(codes, codes)]
    return np.arange(declared) if np.any(distance) and not np.any(of_used) else codes


_TOLD: WeakKeyDictionary[CodedRatings, tuple[PatternTable, Integers, Told, Floats]] = (
    WeakKeyDictionary()
)
"""What was last told of ratings: coefficients of one table ask the same."""


def _told_once(problem: Problem, codes: Integers) -> tuple[Told, Floats]:
    assert isinstance(problem.ratings, CodedRatings)
    known = _TOLD.get(problem.ratings)
    if known is None or known[0] is not problem.table or not np.array_equal(known[1], codes):
        known = (problem.table, codes, *_told(problem, codes, None))
        _TOLD[problem.ratings] = known
    return known[2], known[3]


def _told(problem: Problem, codes: Integers, agreement: Floats | None) -> tuple[Told, Floats]:
    """What the items with two ratings tell, and how many have so many ratings (ratings,)."""
    assert isinstance(problem.ratings, CodedRatings)
    shown = np.flatnonzero(problem.table.count > 0)
    place = np.full(int(codes.max(initial=-1)) + 2, -1)
    place[codes] = np.arange(len(codes))  # a gap, -1, has the last
    sums, sizes, agreed = np.zeros((4, len(codes))), np.zeros(problem.columns + 1), 0.0
    at_once = max(1, _CELLS // max(len(codes), problem.columns))
    for start in range(0, len(shown), at_once):
        rows = shown[start : start + at_once]
        places, number = place[problem.ratings.codes[rows]], problem.table.count[rows]
        item, at = np.nonzero(places >= 0)
        cells = item * len(codes) + places[item, at]
        count = np.bincount(cells, minlength=len(rows) * len(codes)).astype(np.float64)
        count = count.reshape(len(rows), len(codes))
        ratings = count.sum(axis=1)
        several = ratings >= 2
        count, ratings, number = count[several], ratings[several], number[several]
        sizes += np.bincount(ratings.astype(np.intp), number, len(sizes))
        others = (ratings - 1)[:, None]
        sums += [
            number @ (count * (count - 1) / others),
            number @ count,
            number @ (count > 0),
            number @ (count == ratings[:, None]),
        ]
        agreed += float(number @ _agreement_within(count, ratings, agreement))
    again, given, items, alone = sums
    pairable = float(sizes.sum())
    observed = agreed / pairable if pairable else 1.0
    telling = pairable - (float(alone[int(given.argmax())]) if len(codes) else 0.0)
    by_label = np.divide(again, given, out=np.ones(len(codes)), where=given > 0)
    if agreement is not None:  # of labels that agree in part the whole says what is known
        by_label, items = np.full(len(codes), observed), np.full(len(codes), pairable)
    return Told(by_label, items, telling, observed), sizes


def _panels(sizes: Floats, labels: int) -> tuple[tuple[int, float], ...]:
    """The numbers of ratings that pseudo-items have, with their shares."""
    several = np.flatnonzero(sizes)
    if not len(several):
        return ((2, 1.0),)
    share = sizes[several] / sizes.sum()
    if len(several) <= MOST_PANELS and (labels <= FEW_LABELS or len(several) == 1):
        return tuple(zip(several.tolist(), share.round(9).tolist(), strict=True))
    parts = MOST_PANELS if labels <= FEW_LABELS else 1
    middle = (np.arange(parts) + 0.5) / parts
    at = np.searchsorted(np.cumsum(share).round(9), middle)
    of_part = np.bincount(several[at], np.full(parts, 1 / parts))
    return tuple((int(size), float(of_part[size])) for size in np.flatnonzero(of_part))
