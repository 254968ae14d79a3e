"""Unbiased bets on a coefficient, from small groups of independent items.

A group has two terms: its observed disagreement, and its expected disagreement, which is multiplied
by 1 - k. Their difference, g in `iaa_jax.watch`, has mean 0 if k is the coefficient.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax import _thresholds as thresholds
from iaa_jax._errors import OptionError
from iaa_jax._types import Floats, Values
from iaa_jax.analyses.watch.arrivals import Arrivals, Indices, chances
from iaa_jax.data.kind import Kind
from iaa_jax.engine import Problem
from iaa_jax.kernels.betting import Bets, bets_on
from iaa_jax.kernels.independent import (
    IndependentItems,
    LargestTerms,
    largest_disagreement,
)
from iaa_jax.kernels.sums import Fixed, Indexed
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.studies import patterns_of_items
from iaa_jax.wording import named

_STAKE = 0.7
"""Usual stake of a bet on items whose terms are at most 1."""


class Terms(NamedTuple):
    """Terms of successive groups of items, and the largest possible terms."""

    observed: Floats  # (group,)
    expected: Floats
    largest: LargestTerms
    ends: Indices  # (arrival,) the number of groups that are complete by each arrival

    def bets(self, alpha: float, items: float | None = None) -> Bets:
        """Return the bets; in a finite population of ``items`` items, each group is one item."""
        observed, expected = self.observed, self.expected
        largest: tuple[Floats | float, Floats | float] = self.largest
        if items is not None:
            # g sums to 0 over the population, so its mean over the remaining items follows from the
            # items seen
            remaining = items - np.arange(len(observed))
            before = [(np.cumsum(each) - each) / remaining for each in (observed, expected)]
            observed, expected = observed + before[0], expected + before[1]
            largest = (largest[0] + before[0], largest[1] + before[1])
        return bets_on(observed, expected, *largest, alpha, items)


class WatchedItems(NamedTuple):
    """The watched items in their order, as indices of patterns, and the patterns' statistics.

    Items with the same ratings form a pattern; its statistics are what the coefficient's kernel
    (formula) computes from it.
    """

    problem: Problem
    statistics: Any
    pattern: Indices  # (item,) index of its pattern in the statistics
    pairable: NDArray[np.bool_]  # (item,)

    @property
    def independent(self) -> IndependentItems:
        """How the coefficient's kernel computes terms of independent items."""
        independent = self.problem.kernel.independent
        assert independent is not None
        return independent

    @classmethod
    def of(cls, ratings: Rated, request: Request, arrivals: Arrivals) -> WatchedItems | None:
        """Return the arrived items with their statistics; None if the coefficient has no terms."""
        problem = _in_grid(ratings, request.problem)
        if not problem.factored or problem.kernel.independent is None:
            return None
        patterns, place = np.unique(
            patterns_of_items(ratings, problem.measure)[arrivals.items], return_inverse=True
        )
        statistics = problem.statistics_of(problem.data, problem.raters)
        if any(isinstance(each, Indexed) for each in statistics):
            return None  # indexed statistics: many annotators, few of whom rated the same items
        return cls(problem, _taken(statistics, patterns), place, arrivals.pairable)

    def why_not_exact(self, bounds: tuple[float, float] | None, *, clusters: bool) -> str:
        """Return the code of the reason why there are no unbiased terms; "" if there are."""
        if clusters:
            return "clusters"
        if self.problem.measure.takes_values and bounds is None:
            return "no_bounds"
        disagreement = self.problem.disagreement
        if disagreement is not None and disagreement.min() < 0:
            return "no_terms"
        holds = self.independent.holds
        if holds(self.statistics, disagreement):
            return ""
        return "no_terms" if holds(self.statistics, None) else "gaps"

    def terms(
        self,
        names: Values,
        ends: Indices,
        bounds: tuple[float, float] | None,
        *,
        of_sets: bool,
        every_item: bool,
    ) -> Terms:
        """Return the terms of disjoint groups of items in their order.

        Items with fewer than two ratings are left out unless ``every_item``. For label sets
        (``of_sets``), the largest terms allow for two entirely different sets.
        """
        problem, size = self.problem, self.independent.size
        counts = self.pairable | every_item
        scale = np.ones(len(self.pattern))
        if self.independent.factor is not None:
            factor = np.asarray(self.independent.factor(self.statistics))[self.pattern]
            unit = usual_factor(factor[counts], size)
            counts &= chances(names.tolist()) < factor / unit
            scale[counts] = np.maximum(factor[counts], unit) / factor[counts]
        pattern, scale = self.pattern[counts], scale[counts]
        whole = len(pattern) // size * size
        groups = pattern[:whole].reshape(-1, size)
        complete = np.append(0, np.cumsum(counts))[ends] // size
        farthest = 0.0
        if bounds is not None:
            farthest = float(np.ldexp(bounds[1] - bounds[0], -problem.power)) ** 2
        largest = self.independent.largest(self.statistics, problem.disagreement, farthest)
        if of_sets:
            apart = largest_disagreement(problem.disagreement)
            largest = LargestTerms(*(each / min(apart, 1.0) for each in largest))
        observed, expected = (
            each * scale[:whole].reshape(-1, size).prod(axis=1)
            for each in _in_blocks(self.independent, self.statistics, groups, problem)
        )
        return Terms(observed, expected, largest, complete)


def usual_factor(factor: Floats, size: int) -> float:
    """Return the factor (such as a number of ratings) from which on an item is always used.

    An item's terms are multiplied by its factor. An item with a smaller factor is used with a
    probability of its factor divided by the returned factor. Otherwise a few items with many
    ratings would shrink all bets: the largest terms limit the stake of a bet, which should be about
    `_STAKE`, or more with fewer items. The returned factor makes the interval over a few hundred
    items narrowest.
    """
    if not len(factor):
        return 1.0
    units = np.unique(factor)
    taken = np.array([np.minimum(factor / unit, 1.0).mean() for unit in units])
    wanted = _STAKE / np.sqrt(taken)
    allowed = (units / units[-1]) ** size
    width = np.where(allowed < wanted, (wanted / allowed + allowed / wanted) / 2, 1.0)
    return float(units[np.argmin(width / np.sqrt(taken))])


def bounds_of(
    ratings: Rated, request: Request, bounds: tuple[float, float] | None
) -> tuple[float, float] | None:
    """Return the least and the largest possible rating, as given or from the declared labels.

    Without either, or if the coefficient uses no numbers, return None. Given bounds are refused if
    the coefficient uses no numbers, or a rating lies outside.
    """
    if not request.problem.measure.takes_values:
        if bounds is not None:
            raise OptionError(
                f"{named('bounds')} are limits of numbers, and {request.name} uses labels here"
            )
        return None
    numbers = ratings.distinct_numbers
    if ratings.kind is not Kind.NUMBERS:
        numbers = np.sort(ratings.label_names.astype(np.float64))
        if bounds is None and ratings.labels_declared:
            return float(numbers[0]), float(numbers[-1])
    if bounds is None:
        return None
    low, high = bounds
    if not (np.isfinite(bounds).all() and low < high):
        raise OptionError(f"{named('bounds')} are the least and the largest number, not {bounds!r}")
    least, most = numbers[[0, -1]]
    if least < low or most > high:
        raise OptionError(
            f"{named('bounds')} are {low:g} to {high:g}, and the ratings go from {least:g} to "
            f"{most:g}: no possible rating may lie outside"
        )
    return bounds


def _in_grid(ratings: Rated, problem: Problem) -> Problem:
    """Return the problem with a column for each annotator, if some item was rated by all of them.

    Data by slot (an item's first, second, ... rating) would give indexed statistics, which have no
    terms.
    """
    if problem.annotator_of is None or problem.columns < ratings.annotators:
        return problem
    measure = replace(problem.measure, takes_slots=False)
    return replace(problem, measure=measure, ratings=ratings.masses(measure), annotator_of=None)


def _in_blocks(
    independent: IndependentItems, statistics: Any, groups: Indices, problem: Problem
) -> tuple[Floats, Floats]:
    width = sum(each[:1].size for each in statistics if not isinstance(each, Fixed))
    block = max(1, thresholds.TERMS_TOGETHER // max(1, width * independent.size))
    parts = []
    for start in range(0, len(groups), block):
        of_block = groups[start : start + block]
        items = [_taken(statistics, of_block[:, place]) for place in range(independent.size)]
        parts.append(independent.terms(items, problem.weight, problem.disagreement))
    if not parts:
        return np.zeros(0), np.zeros(0)
    return (
        np.concatenate([part.observed for part in parts]),
        np.concatenate([part.expected for part in parts]),
    )


def _taken(statistics: Any, rows: Indices) -> Any:
    return type(statistics)(
        *(each if isinstance(each, Fixed) else each[rows] for each in statistics)
    )
