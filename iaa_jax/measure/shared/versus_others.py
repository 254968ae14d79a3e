"""Comparison of each annotator's ratings with those of the others on the same items."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from iaa_jax._types import Floats, Integers

MANY = 4
"""Minimum number of partners of an annotator (the others on items with two ratings): with fewer,
these items cannot show that it is the annotator who differs."""

_NEARLY = 0.9
"""Minimum share of an annotator's ratings that counts as nearly all of them."""

_SIGNS = 3.18
"""Factor by which the normal tail probability is multiplied, to bound the tail of a weighted sum of
random signs."""


@dataclass(frozen=True, kw_only=True)
class VersusOthers:
    """Ratings in the order of their items, compared with the other ratings of each item.

    ``weight`` (item,) is the weight of each item, which may stand for several items. ``clusters``
    (item,) is the cluster of each item, if items are not independent. ``compare_pairs`` says
    whether two ratings of an item are enough for a comparison.
    """

    item: Integers
    annotator: Integers
    weight: Floats
    annotators: int
    clusters: Integers | None = None
    compare_pairs: bool = False

    OF_RATINGS: ClassVar[tuple[str, ...]] = ("item", "annotator")

    @cached_property
    def size(self) -> Integers:
        """For each rating, the number of ratings of its item."""
        return np.bincount(self.item, minlength=len(self.weight))[self.item]

    @cached_property
    def partner(self) -> Integers:
        """For each rating of an item with two ratings, the other annotator; otherwise -1."""
        other = self.summed_by_item(self.annotator) - self.annotator
        return np.where(self.size == 2, other, -1).astype(np.int64)

    @cached_property
    def partners(self) -> Integers:
        """The number of partners of each annotator on items with two ratings."""
        two = self.size == 2
        met = np.unique(self.annotator[two] * self.annotators + self.partner[two])
        return np.bincount(met // self.annotators, minlength=self.annotators)

    @cached_property
    def comparable(self) -> NDArray[np.bool_]:
        """A mask of the ratings that can show that their own annotator is the one who differs.

        The item of such a rating needs two other ratings. One other is enough if the annotator has
        many partners, or if ``compare_pairs`` is set.
        """
        with_one_other = self.compare_pairs | (self.partners[self.annotator] >= MANY)
        return np.asarray((self.size > 2) | (with_one_other & (self.size == 2)))

    def items_of_three(self, annotator: int, partners: bool = True) -> float:
        """Count the items on which an annotator can be compared.

        Without ``partners``, only items with three or more ratings count. The result is NaN if the
        count includes nearly all items that both the annotator and others rated.
        """
        rows = self.rows_of(annotator, others=1)
        kept = rows[(self.comparable if partners else self.size > 2)[rows]]
        return np.nan if len(kept) >= _NEARLY * len(rows) else float(self.times[kept].sum())

    @cached_property
    def _by_annotator(self) -> tuple[Integers, Integers]:
        order = np.argsort(self.annotator, kind="stable")
        number = np.bincount(self.annotator, minlength=self.annotators)
        return order, np.concatenate([[0], np.cumsum(number)])

    def rows_of(self, annotator: int, others: int = 0) -> Integers:
        """Return the indices of an annotator's ratings, on items with at least ``others`` more."""
        order, begin = self._by_annotator
        rows = order[begin[annotator] : begin[annotator + 1]]
        return rows[self.size[rows] > others] if others else rows

    def unit_of(self, rows: Integers) -> Integers | None:
        """Return the cluster of each rating; None if items are independent."""
        return None if self.clusters is None else self.clusters[self.item[rows]]

    def p_above(self, values: Floats, rows: Integers) -> float:
        """Return the p-value of the hypothesis that the mean of values of ``rows`` is 0 or less."""
        return p_above(values, self.times[rows], self.unit_of(rows))

    @cached_property
    def times(self) -> Floats:
        """The weight of each rating in items."""
        return self.weight[self.item]

    @cached_property
    def others_there(self) -> Floats:
        """For each rating, the number of other ratings of its item; NaN if there are none."""
        return np.where(self.size > 1, self.size - 1.0, np.nan)

    def summed_by_item(self, values: Floats | Integers) -> Floats:
        """Return, for each rating, the sum of values (rating,) over its item."""
        return np.asarray(np.bincount(self.item, values, len(self.weight))[self.item])

    def above_others(self, values: Floats) -> Floats:
        """Return each value minus the mean of the others' values on the item."""
        return np.asarray(values - (self.summed_by_item(values) - values) / self.others_there)

    def above_others_if_comparable(self, values: Floats) -> Floats:
        """Return each value minus the mean of the others; NaN for ratings without comparison."""
        return np.where(self.comparable, self.above_others(values), np.nan)

    def mean(self, values: Floats, rows: Integers) -> float:
        """Return the weighted mean of values (rating,) over some ratings."""
        return float(self.times[rows] @ values[rows] / self.times[rows].sum())

    def by_annotator(self, values: Floats | NDArray[np.bool_]) -> Floats:
        """Return the weighted sum of values (rating,) by annotator, ignoring NaN."""
        summed = np.bincount(self.annotator, np.nan_to_num(self.times * values), self.annotators)
        return np.asarray(summed, dtype=np.float64)

    def compared(self, values: Floats) -> tuple[Floats, Floats, Floats]:
        """Return, by annotator, sums of own values and others' means, and the number of items.

        Only comparable ratings count.
        """
        above = self.above_others_if_comparable(values)
        known = np.isfinite(above)
        own = self.by_annotator(np.where(known, values, np.nan))
        return own, own - self.by_annotator(above), self.by_annotator(known)

    def summed_squares(self, values: Floats) -> Floats:
        """Return, by annotator, the sum of the squared totals of clusters.

        Without clusters, it is the weighted sum of the squared values.
        """
        if self.clusters is None:
            return self.by_annotator(values**2)
        known = np.flatnonzero(np.isfinite(values))
        units = self.clusters[self.item[known]]
        base = int(units.max(initial=0)) + 1
        pair, place = np.unique(self.annotator[known] * base + units, return_inverse=True)
        of_units = np.bincount(place, (self.times * values)[known]) ** 2
        summed = np.bincount(pair // base, of_units, self.annotators)
        return np.asarray(summed, dtype=np.float64)

    def p_of_annotators(self, values: Floats) -> Floats:
        """Return, by annotator, the p-value of the hypothesis that the mean of values is 0 or less.

        Unless ``compare_pairs`` is set, values on items with two ratings are also summed for each
        partner (the other annotator). The p-value is 1 unless most of these sums are positive. It
        is at least the p-value without the items of the partner whose sum is largest.
        """
        p_value = _p_of(self.by_annotator(values), self.summed_squares(values))
        rows = np.flatnonzero((self.partner >= 0) & np.isfinite(values))
        if self.compare_pairs or not len(rows):
            return p_value
        key = self.annotator[rows] * self.annotators + self.partner[rows]
        pair, place = np.unique(key, return_inverse=True)
        sums = np.bincount(place, (self.times * values)[rows])
        who, partner = np.divmod(pair, self.annotators)
        met, agree = (np.bincount(who, weight, self.annotators) for weight in (None, sums > 0))
        order = np.lexsort((-partner, sums))
        farthest = np.full(self.annotators, -2)
        farthest[who[order]] = partner[order]
        kept = np.where(self.partner == farthest[self.annotator], np.nan, values)
        without = _p_of(self.by_annotator(kept), self.summed_squares(kept))
        p_value = np.where(met > 0, np.maximum(p_value, without), p_value)
        return np.where((met > 0) & (2 * agree <= met), 1.0, p_value)

    def taken(self, kept: NDArray[np.bool_]) -> Self:
        """Return some of the ratings, with the same weights."""
        return replace(self, **{name: getattr(self, name)[kept] for name in self.OF_RATINGS})


def _p_of(total: Floats, squares: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        p_value = np.minimum(_SIGNS * ndtr(-total / np.sqrt(squares)), 1.0)
    return np.asarray(np.where(squares > 0, p_value, 1.0))


def p_above(values: Floats, times: Floats, units: Integers | None = None) -> float:
    """Return the p-value of the hypothesis that a mean is 0 or less, from random signs of units.

    It uses the bound of Bentkus and Dzindzalieta (2015) on weighted sums of random signs, which
    holds for any number of values. Values of 0 have no effect.

    Examples
    --------
    >>> round(p_above(np.ones(9), np.ones(9)), 4), p_above(np.array([1.0, -1.0]), np.ones(2))
    (0.0043, 1.0)
    """
    known = np.isfinite(values)
    values, times = values[known], times[known]
    squares = times @ values**2
    if units is not None:
        squares = (np.bincount(units[known], times * values) ** 2).sum()
    return float(_p_of(times @ values, squares))
