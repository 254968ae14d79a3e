"""The prior of coefficients of labels: one pseudo-item, which is added to the rated items.

In half of the pseudo-item, all ratings agree. This half is divided among the labels in proportion
to 1 over their frequencies, because few items show what happens with a rare label. In the other
half, the ratings disagree: each pattern (combination of ratings) counts in proportion to how often
it arises when annotators draw labels evenly and independently. The pseudo-item has about as many
ratings as items have on average. (If observed agreement weights items by pairs of ratings, the
average weights them so too. Otherwise, for coefficients of single labels, the average is over the
items with the rarest label.) If each of three or more labels has a coefficient of its own, the
pseudo-items weigh more: for each label, a weight of half an item agrees on the label, and half an
item or more has the label from only some annotators.

The weights of the patterns have a Dirichlet distribution. Its parameters are the numbers of items
and of pseudo-items with each pattern, where n items count as n - 1. With one pseudo-item, the
parameters sum to n; without it, the draws vary as much as the standard errors imply. There are two
posteriors: one with the pseudo-item, and one without it, which is Rubin's (1981) Bayesian
bootstrap. Each end of an interval is the outer one of the two ends that these posteriors give. For
two labels and two annotators, the interval of the share of agreeing items is Jeffreys' (Brown, Cai
and DasGupta 2001), unless an end of the Bayesian bootstrap is farther away. The labels, their
frequencies and the number of ratings come from the data, so the interval is an empirical Bayes
interval.

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
"""Maximum number of possible patterns for which each becomes a pseudo-item; beyond it, a random
sample of patterns is used."""

DRAWN = 30
"""Number of patterns in the random sample, before those with only one label are left out."""

MOST_LABELS = 512
"""Maximum number of labels, or of distinct label sets, for which there is a prior."""

GOLDEN = (math.sqrt(5) - 1) / 2


class Labels(NamedTuple):
    """The possible labels of a pseudo-item, and its number of ratings.

    ``given`` (label,) is the number of ratings with each label, in items with two ratings or more.
    ``by_label`` says whether there are three or more labels, each with a figure of its own.
    """

    codes: Integers
    ratings: int
    given: Floats
    by_label: bool = False

    @property
    def prior_key(self) -> tuple[object, ...]:
        """The key of the prior; figures with equal keys share their prior."""
        return tuple(self.codes.tolist()), self.ratings, tuple(self.given.tolist()), self.by_label


class PseudoItems(NamedTuple):
    """The weighted items of a prior.

    ``codes`` (pseudo-item, rating) are the ratings of each pseudo-item, and ``number``
    (pseudo-item,) is its weight in items.
    """

    codes: Integers
    number: Floats

    @property
    def items(self) -> float:
        """The total weight in items."""
        return float(self.number.sum())


def pseudo_items(labels: Labels, items: float = 1.0) -> PseudoItems:
    """Return the pseudo-items, whose annotators are exchangeable, with total weight ``items``.

    The total is larger if each label has a figure of its own (``by_label``), because then a weight
    of ``items / 2`` agrees on each label.

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
    """Return patterns (pattern, rating) in which each label meets others, and their shares.

    With at least as many labels as ratings, all ratings of a pattern differ, and each label is in
    as many patterns as there are ratings. With fewer labels, there are patterns in which two labels
    share the ratings about evenly, and patterns in which one rating has a rarer label and all other
    ratings have the commonest label.
    """
    order = np.argsort(-given, kind="stable")
    labels = len(order)
    if labels >= ratings:
        turns = np.arange(labels)[:, None] + np.arange(ratings)
        return order[turns % labels], np.full(labels, 0.5)
    first, second = order[0::2], order[1::2]
    # with an odd number of labels, the rarest is paired with the commonest
    second = np.append(second, order[:1])[: len(first)]
    half = np.arange(ratings) < ratings // 2
    shared = [np.where(half, a[:, None], b[:, None]) for a, b in ((first, second), (second, first))]
    alone = np.where(np.arange(ratings) < 1, order[1:, None], order[0])
    share = np.concatenate([np.full(2 * len(first), 0.25), np.full(labels - 1, 0.5)])
    return np.concatenate([*shared, alone]), share


@cache
def _differing(values: int, ratings: int) -> tuple[Integers, Floats]:
    """Return patterns (pattern, rating) of indices that are not all equal, and their shares."""
    if math.comb(values + ratings - 1, ratings) <= ALL_PATTERNS:
        patterns = [
            row for row in combinations_with_replacement(range(values), ratings) if len({*row}) > 1
        ]
        chance = np.array([arrangements(row) for row in patterns], dtype=np.float64)
    else:
        evenly = np.resize(np.arange(values), DRAWN * ratings)
        draw = np.random.default_rng(0).permutation(evenly).reshape(DRAWN, ratings)
        patterns = [tuple(row) for row in draw.tolist() if len({*row}) > 1]
        chance = np.ones(len(patterns))
    return np.array(patterns), chance / chance.sum()


def arrangements(row: Sequence[int]) -> int:
    """Count the distinct orders in which annotators can give these values."""
    orders = math.factorial(len(row))
    for value in {*row}:
        orders //= math.factorial(row.count(value))
    return orders


def farther_quantiles(with_prior: Floats, without: Floats) -> Floats:
    """Return draws (replicate, ...) that combine the farther quantiles of two posteriors.

    The farther quantile is the smaller one below the median, and the greater one above it. So an
    interval of any level has, at each end, the outer of the two ends that the posteriors give. The
    result keeps the order of the draws ``with_prior``. Undefined draws ``without`` it are ignored.

    Examples
    --------
    >>> farther_quantiles(np.array([4.0, 1.0, 2.0, 3.0]), np.array([0.0, 2.5, 2.5, 2.5])).tolist()
    [4.0, 0.0, 2.0, 3.0]
    """
    joined = np.array(with_prior, dtype=np.float64)
    flat, other = joined.reshape(len(joined), -1), np.reshape(without, (len(without), -1))
    for column in range(flat.shape[1]):
        drawn, second = flat[:, column], np.sort(other[:, column])
        known, defined = (
            len(draws) - np.count_nonzero(np.isnan(draws)) for draws in (drawn, second)
        )
        if not (known and defined):
            continue
        order = _ascending(drawn)[:known]
        level, second = np.linspace(0.0, 1.0, known), second[:defined]
        if known != defined:
            second = np.interp(level, np.linspace(0.0, 1.0, defined), second)
        low, high = np.minimum(drawn[order], second), np.maximum(drawn[order], second)
        flat[order, column] = np.where(level < 0.5, low, high)
    return joined


def _ascending(values: Floats) -> Integers:
    """Return the stable ascending order, with undefined values last."""
    order = np.argsort(values)  # three times as fast as a stable sort
    has_ties = (np.diff(values[order]) == 0).any()
    return np.argsort(values, kind="stable") if has_ties else order


def takes_prior(problem: Problem) -> bool:
    """Tell whether a prior applies: two or more labels, but few enough to have a pseudo-item each.

    Some item must have two or more ratings. If ratings are not single labels, there must be no more
    distinct ratings than items.
    """
    if not isinstance(problem.ratings, CodedRatings):
        return False
    codes, ratings = problem.labels_in_use
    single = len(codes) and int(codes.max()) < problem.ratings.labels
    limit = MOST_LABELS if single else min(problem.table.items, MOST_LABELS)
    return 1 < len(codes) <= limit and ratings > 1


def labels_of(
    problem: Problem, distance: Floats | None = None, codes: Integers | None = None
) -> Labels:
    """Return the labels that a pseudo-item can have, and its number of ratings.

    ``codes`` replaces the labels in use, for a coefficient whose prior must have more labels.
    """
    assert isinstance(problem.ratings, CodedRatings)
    if codes is None:
        codes = _labels_that_differ(problem, distance)
    shown = np.flatnonzero(problem.table.count > 0)
    of_items, number = problem.ratings.codes[shown], problem.table.count[shown]
    rated = of_items >= 0
    panel = rated.sum(axis=1)
    item, at = np.nonzero(rated & (panel >= 2)[:, None])
    length = int(max(codes.max(initial=0), of_items.max(initial=0))) + 1
    given = np.bincount(of_items[item, at], number[item], length)[codes].astype(np.float64)
    by_label = problem.measure.per_label and len(codes) > 2
    weight = number
    if problem.measure.observed_over == "pairs":
        weight = number * panel * (panel - 1)
    elif problem.measure.per_label:  # items with the rarest label
        rarest = codes[given == given[given > 0].min(initial=math.inf)]
        weight = number * np.isin(of_items, rarest).any(axis=1)
    # draws must not depend on rounding
    return Labels(codes, _usual(panel, weight), given.round(9), by_label)


def _labels_that_differ(problem: Problem, distance: Floats | None) -> Integers:
    """Return the labels in use, or all declared labels if all distances of those in use are 0."""
    assert isinstance(problem.ratings, CodedRatings)
    codes, declared = problem.labels_in_use[0], problem.ratings.labels
    if distance is None or not declared or declared > MOST_LABELS:
        return codes
    of_used = distance[np.ix_(codes, codes)]
    return np.arange(declared) if np.any(distance) and not np.any(of_used) else codes


def _usual(panel: Integers, weight: Floats) -> int:
    """Return the weighted mean number of ratings of items, rounded to a number that occurs.

    Only items with two or more ratings count. If there are none, the result is 2.
    """
    sizes = np.bincount(panel, weight)
    sizes[:2] = 0.0
    occurring = np.flatnonzero(sizes)
    if not len(occurring):
        return 2
    mean = float(sizes @ np.arange(len(sizes)) / sizes.sum())
    return int(occurring[np.argmin(np.abs(occurring - mean).round(9))])
