"""The prior of labels: one pseudo-item beside those that were rated.

Half of it is of items on which all ratings agree, on each label in proportion to 1 over how often
it was given: of a rare label few items tell. The other half is of items that disagree, in
proportion to how often they would come about by annotators who draw labels evenly and alone. It has
as many ratings as items have on average (of single labels, as those weigh). Of figures of
single labels, of three or more, half of an item agrees on that label, and on half of one it is
given by half of the raters, or by one alone.

The weights of items that show a pattern, and of the pseudo-item's, are Dirichlet in their numbers,
those of n items counted as n - 1: with the pseudo-item they are n, and without it draws vary as
much as standard errors say. Each end of an interval is the farther one of the posterior with the
pseudo-item and of the one without any, which is Rubin's (1981) Bayesian bootstrap: so that what the
items show is never contradicted, and what they cannot show is not excluded. (Where no item differs
from the others that bootstrap is a point: see `iaa_jax.measure.intervals.replicates`.) Of two
labels and annotators that is Jeffreys' interval of the share that agrees (Brown, Cai and DasGupta
2001), or Rubin's end. As labels, their frequencies and the number of ratings come from the data,
that is an empirical Bayes interval.

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

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.engine import CodedRatings, Problem

ALL_PATTERNS = 40
"""Patterns of ratings up to which every one is a pseudo-item; beyond, some are drawn instead."""

DRAWN = 30
"""So many."""

MOST_LABELS = 512
"""Labels, or different sets of them, beyond which a prior of each is none of few labels."""

GOLDEN = (math.sqrt(5) - 1) / 2


class Labels(NamedTuple):
    """What a pseudo-item can show.

    Attributes
    ----------
    codes : array (label,)
        The labels in use.
    ratings : int
        How many ratings it has.
    given : array (label,)
        How often each label was given.
    by_label : bool
        Whether a figure is of single labels of three or more, each of which has its own.
    """

    codes: Integers
    ratings: int
    given: Floats
    by_label: bool = False

    @property
    def prior_key(self) -> tuple[object, ...]:
        """What figures have in common that are drawn from one prior."""
        return tuple(self.codes.tolist()), self.ratings, tuple(self.given.tolist()), self.by_label


class PseudoItems(NamedTuple):
    """Items that a prior counts.

    Attributes
    ----------
    codes : array (pseudo-item, rating)
        Their ratings.
    number : array (pseudo-item,)
        As how many items each counts.
    """

    codes: Integers
    number: Floats

    @property
    def items(self) -> float:
        """As how many items all count."""
        return float(self.number.sum())


def pseudo_items(labels: Labels, items: float = 1.0) -> PseudoItems:
    """The prior for such items, whoever gave which rating; in all it counts as so many.

    Examples
    --------
    >>> prior = pseudo_items(Labels(np.array([0, 1]), 2, np.array([30.0, 10.0])))
    >>> prior.codes.tolist(), prior.number.tolist()
    ([[0, 0], [1, 1], [0, 1]], [0.125, 0.375, 0.5])
    """
    codes, ratings = labels.codes, labels.ratings
    agreeing = np.repeat(codes[:, None], ratings, axis=1)
    if labels.by_label:
        indices, share = _with_each(labels.given, ratings)
        differing = codes[indices]
        number = np.concatenate([np.ones(len(agreeing)), share]) * (items / 2)
    else:
        indices, share = _differing(len(codes), ratings)
        differing = codes[indices]
        rare = 1 / np.maximum(labels.given, labels.given[labels.given > 0].min(initial=1.0))
        number = np.concatenate([rare / rare.sum(), share]) * (items / 2)
    return PseudoItems(np.concatenate([agreeing, differing]), number)


def _with_each(given: Floats, ratings: int) -> tuple[Integers, Floats]:
    """Patterns (pattern, rating) of indices in which each label differs from others.

    With as many labels as ratings or more they are all different, and each label stands on as many
    patterns as there are ratings. With fewer, two labels share the ratings, and each is given once
    beside the commonest.
    """
    order = np.argsort(-given, kind="stable")
    labels = len(order)
    if labels >= ratings:
        turns = np.arange(labels)[:, None] + np.arange(ratings)
        return order[turns % labels], np.full(labels, 0.5)
    first, second = order[0::2], order[1::2]
    second = np.append(second, order[:1])[: len(first)]  # of an odd number the rarest
    half = np.arange(ratings) < ratings // 2
    shared = [np.where(half, a[:, None], b[:, None]) for a, b in ((first, second), (second, first))]
    alone = np.where(np.arange(ratings) < 1, order[1:, None], order[0])
    share = np.concatenate([np.full(2 * len(first), 0.25), np.full(labels - 1, 0.5)])
    return np.concatenate([*shared, alone]), share


@cache
def _differing(values: int, ratings: int) -> tuple[Integers, Floats]:
    """Patterns (pattern, rating) of indices that are not all one, and the share of each."""
    if math.comb(values + ratings - 1, ratings) <= ALL_PATTERNS:
        several = [
            row for row in combinations_with_replacement(range(values), ratings) if len({*row}) > 1
        ]
        chance = np.array([arrangements(row) for row in several], dtype=np.float64)
    else:
        evenly = np.resize(np.arange(values), DRAWN * ratings)
        draw = np.random.default_rng(0).permutation(evenly).reshape(DRAWN, ratings)
        several = [tuple(row) for row in draw.tolist() if len({*row}) > 1]
        chance = np.ones(len(several))
    return np.array(several), chance / chance.sum()


def arrangements(row: Sequence[int]) -> int:
    """In how many orders raters can give these values."""
    ways = math.factorial(len(row))
    for value in {*row}:
        ways //= math.factorial(row.count(value))
    return ways


def farther_quantiles(with_prior: Floats, without: Floats) -> Floats:
    """Draws (replicate, ...) whose quantiles are the farther ones of two posteriors.

    Below the median that is the smaller, above it the greater quantile, so that intervals of all
    levels, and shares of draws beyond a value, are those of the posterior that excludes less. They
    are in the order of the draws with the prior; what is undefined without it is left out there.

    Examples
    --------
    >>> farther_quantiles(np.array([4.0, 1.0, 2.0, 3.0]), np.array([0.0, 2.5, 2.5, 2.5])).tolist()
    [4.0, 0.0, 2.0, 3.0]
    """
    joined = np.array(with_prior, dtype=np.float64)
    flat, other = joined.reshape(len(joined), -1), np.reshape(without, (len(without), -1))
    for column in range(flat.shape[1]):
        drawn, beside = flat[:, column], np.sort(other[:, column])
        known, there = (len(each) - np.count_nonzero(np.isnan(each)) for each in (drawn, beside))
        if not (known and there):
            continue
        order = _ascending(drawn)[:known]
        level, beside = np.linspace(0.0, 1.0, known), beside[:there]
        if known != there:
            beside = np.interp(level, np.linspace(0.0, 1.0, there), beside)
        low, high = np.minimum(drawn[order], beside), np.maximum(drawn[order], beside)
        flat[order, column] = np.where(level < 0.5, low, high)
    return joined


def _ascending(values: Floats) -> Integers:
    """Their order, of equal ones as they come, and behind all what is undefined."""
    order = np.argsort(values)  # a third of the time
    alike = (np.diff(values[order]) == 0).any()
    return np.argsort(values, kind="stable") if alike else order


def takes_prior(problem: Problem) -> bool:
    """Whether ratings are few different labels, on which pseudo-items can agree.

    Of sets and shares, which can all be different, no more than items.
    """
    if not isinstance(problem.ratings, CodedRatings):
        return False
    codes, ratings = problem.labels_in_use
    single = len(codes) and int(codes.max()) < problem.ratings.labels
    most = MOST_LABELS if single else min(problem.table.items, MOST_LABELS)
    return 1 < len(codes) <= most and ratings > 1


def labels_of(
    problem: Problem, distance: Floats | None = None, codes: Integers | None = None
) -> Labels:
    """What a pseudo-item can show: the labels in use, and how many ratings.

    The labels in use can be given, where others use some as well.
    """
    assert isinstance(problem.ratings, CodedRatings)
    if codes is None:
        codes = _labels_that_differ(problem, distance)
    shown = np.flatnonzero(problem.table.count > 0)
    of_items, number = problem.ratings.codes[shown], problem.table.count[shown]
    rated = of_items >= 0
    several = rated.sum(axis=1)
    item, at = np.nonzero(rated & (several >= 2)[:, None])
    length = int(max(codes.max(initial=0), of_items.max(initial=0))) + 1
    given = np.bincount(of_items[item, at], number[item], length)[codes].astype(np.float64)
    by_label = problem.measure.per_label and len(codes) > 2  # of two each is as the other is not
    weight = number
    if problem.measure.observed_over == "pairs":
        weight = number * several * (several - 1)
    elif problem.measure.per_label:  # items of other labels say nothing of the rarest one
        rarest = codes[given == given[given > 0].min(initial=math.inf)]
        weight = number * np.isin(of_items, rarest).any(axis=1)
    # beyond rounding, of which draws must know nothing
    return Labels(codes, _usual(several, weight), given.round(9), by_label)


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


def _usual(several: Integers, weight: Floats) -> int:
    """The number of ratings that is nearest to those of items on average, of those that occur."""
    sizes = np.bincount(several, weight)
    sizes[:2] = 0.0
    occurring = np.flatnonzero(sizes)
    if not len(occurring):
        return 2
    mean = float(sizes @ np.arange(len(sizes)) / sizes.sum())
    return int(occurring[np.argmin(np.abs(occurring - mean).round(9))])
