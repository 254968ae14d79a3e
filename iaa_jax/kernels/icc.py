"""Intraclass correlations of numbers, from the variance components of an analysis of variance.

Ratings are numbers ``value`` (item, annotator), NaN where not rated. With ``s`` the variance
between items, ``r`` the variance between annotators and ``e`` the residual variance, ICC(1) and
ICC(3) are ``s / (s + e)`` and ICC(2) is ``s / (s + r + e)``; the forms for the mean of k ratings
divide r and e by k. On complete data with equal annotator weights, the estimates are exactly those
of Shrout and Fleiss.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from iaa_jax._errors import (
    DEFINED,
    NO_COMPLETE_ITEM,
    NO_PAIRABLE_ITEM,
    NO_VARIANCE,
    NO_VARIANCE_OF_MEANS,
    ONE_ITEM,
)
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.moments import (
    Centre,
    above_lowest,
    centre_of,
    counted_from,
    rounding,
    subtract,
    sum_of_squares,
)
from iaa_jax.kernels.namespace import Array, Namespace, divided, first_code, namespace
from iaa_jax.kernels.raters import Raters, annotator_by_annotator
from iaa_jax.kernels.sums import Fixed


class OneWayStatistics(NamedTuple):
    """Statistics of a rated item for the one-way forms.

    v is the weight of a rating, and y its value minus a middle value (see `Centre`). Arrays (item,
    middle) are 0 for all middles except the item's own.
    """

    rated: Array  # (item,) 1 if the item has a rating
    ratings: Array  # (item, middle) n_i, the sum of v
    squared_ratings: Array  # (item,) n_i^2
    self_pairs: Array  # (item,) q_i, the sum of v^2
    self_share: Array  # (item,) q_i / n_i
    total: Array  # (item, middle) sum of v y
    squared_total: Array  # (item, middle) (sum of v y)^2 / n_i
    within: Array  # (item,) sum of v (y - mean)^2
    middles: Array  # (middle,) the same for all items


def middle_of_ratings(
    value: Array, raters: Raters, middles: tuple[float, ...] | None = None
) -> Centre:
    """Return the middles (`Centre`), by default a middle value of ratings with positive weight."""
    v = raters.rating_weight()
    xp = namespace(value, v)
    return centre_of(xp, value, ~xp.isnan(value) & (v > 0), middles)


def one_way_statistics(
    value: Array, raters: Raters, disagreement: Array | None, common: Centre
) -> OneWayStatistics:
    """Return the statistics of each item."""
    v = raters.rating_weight()
    xp = namespace(value, v)
    rated = ~xp.isnan(value) & (v > 0)
    weight = xp.where(rated, v, 0)
    from_middle = counted_from(xp, common, value, rated, position=_lowest(xp, value, rated))
    ratings, self_pairs = xp.sum(weight, axis=1), xp.sum(weight * weight, axis=1)
    total = xp.sum(weight * from_middle.value, axis=1)
    of_item = from_middle.for_rows()
    deviation = _centre_on_item_mean(xp, value, rated, weight)
    return OneWayStatistics(
        xp.astype(xp.any(rated, axis=1), value.dtype),
        of_item.by_middle(xp, ratings),
        ratings * ratings,
        self_pairs,
        divided(xp, self_pairs, ratings),
        of_item.by_middle(xp, total),
        of_item.by_middle(xp, divided(xp, total * total, ratings)),
        xp.sum(weight * deviation * deviation, axis=1),
        Fixed(common.middles),
    )


class TwoWayStatistics(NamedTuple):
    """The statistics of an item that every annotator rated, for the two-way forms.

    v is the weight of a rating, and x its value; a middle is a value near the ratings (`Centre`).
    """

    complete: Array  # (item, middle) 1 for the item's middle if every annotator rated the item
    mean: Array  # (item, middle) weighted mean, relative to a middle
    squared_mean: Array  # (item, middle)
    within: Array  # (item,) sum of v (x - mean)^2
    deviation: Array  # (item, annotator) x - mean
    middles: Array  # (middle,) the same for all items


def two_way_statistics(
    value: Array, raters: Raters, disagreement: Array | None, common: Centre
) -> TwoWayStatistics:
    """Return the statistics of each item."""
    xp = namespace(value, raters.weight, raters.annotator_of)
    value, raters = annotator_by_annotator(xp, value, raters)
    included = raters.weight > 0
    complete = xp.all(~xp.isnan(value) | ~included, axis=1) & xp.any(included)
    counted = complete[:, None] & included & ~xp.isnan(value)
    weight = xp.where(counted, raters.weight, 0)
    from_middle = counted_from(xp, common, value, counted, position=_lowest(xp, value, counted))
    mean = divided(xp, xp.sum(weight * from_middle.value, axis=1), xp.sum(weight, axis=1))
    of_item = from_middle.for_rows()
    deviation = _centre_on_item_mean(xp, value, counted, weight)
    return TwoWayStatistics(
        of_item.by_middle(xp, xp.astype(complete, value.dtype)),
        of_item.by_middle(xp, mean),
        of_item.by_middle(xp, mean * mean),
        xp.sum(weight * deviation * deviation, axis=1),
        deviation,
        Fixed(common.middles),
    )


class _Components(NamedTuple):
    items: Array
    annotators: Array
    residual: Array
    per_mean: Array  # 1 / k
    code: Array  # the reason why the components are undefined, or 0


def _one_way(sums: OneWayStatistics) -> _Components:
    xp = namespace(sums.ratings)
    ratings = xp.sum(sums.ratings, axis=-1)
    freedom = subtract(xp, ratings, sums.self_share)  # degrees of freedom within items
    residual = divided(xp, sums.within, freedom)
    between = sum_of_squares(xp, sums.ratings, sums.total, sums.squared_total, sums.middles)
    # coefficients of the item variance and of the residual in the expectation of ``between``
    of_items = subtract(xp, ratings, divided(xp, sums.squared_ratings, ratings))
    of_residual = sums.self_share - divided(xp, sums.self_pairs, ratings)
    items = divided(xp, between - residual * of_residual, of_items)
    code = first_code(
        xp,
        (freedom == 0, NO_PAIRABLE_ITEM),
        ((of_items == 0) | (sums.rated <= 1), ONE_ITEM),
        ((between == 0) & (residual == 0), NO_VARIANCE),
    )
    zero = xp.zeros_like(residual)
    return _Components(items, zero, residual, divided(xp, of_residual, of_items), code)


def _two_way(sums: TwoWayStatistics, annotator_weight: Array) -> _Components:
    xp = namespace(sums.mean, annotator_weight)
    v = xp.where(annotator_weight > 0, annotator_weight, xp.zeros_like(annotator_weight))
    total, items = xp.sum(v), xp.sum(sums.complete, axis=-1)
    per_mean = divided(xp, xp.sum(v * v), total * total)  # 1 / k
    freedom = subtract(xp, total, per_mean * total)  # degrees of freedom between annotators
    of_items = subtract(xp, items, xp.ones_like(items))
    columns = divided(xp, xp.sum(v * sums.deviation * sums.deviation), items)
    residual = divided(xp, subtract(xp, sums.within, columns), of_items * freedom)
    means = sum_of_squares(xp, sums.complete, sums.mean, sums.squared_mean, sums.middles)
    annotators = divided(xp, divided(xp, columns, freedom) - residual, items)
    code = first_code(
        xp,
        (items == 0, NO_COMPLETE_ITEM),
        (freedom == 0, NO_PAIRABLE_ITEM),
        (items <= 1, ONE_ITEM),
        ((means == 0) & (columns == 0) & (residual == 0), NO_VARIANCE),
    )
    between = divided(xp, means, of_items) - residual * per_mean
    return _Components(between, annotators, residual, per_mean, code)


def _icc(
    name: str,
    summary: str,
    *,
    two_way: bool = True,
    absolute: bool = False,
    mean_of_ratings: bool = False,
) -> Kernel:
    nothing = NO_VARIANCE_OF_MEANS if mean_of_ratings else NO_VARIANCE

    def formula(
        sums: Any,
        annotator_weight: Array,
        disagreement: Array | None,
        whole: Array | float = 1.0,
    ) -> Agreement:
        parts = _two_way(sums, annotator_weight) if two_way else _one_way(sums)
        xp = namespace(parts.items)
        error = parts.residual + parts.annotators if absolute else parts.residual
        if mean_of_ratings:
            error = error * parts.per_mean
        variance = parts.items + error
        empty = variance <= rounding(xp, error)
        code = xp.where((parts.code == DEFINED) & empty, nothing, parts.code)
        defined = code == DEFINED
        estimate = whole - error / xp.where(defined, variance, xp.ones_like(variance))
        return Agreement(
            xp.where(defined, estimate, xp.nan),
            xp.where(defined, 1 - 2 * error, xp.nan),
            xp.where(defined, 1 - 2 * variance, xp.nan),
            code,
        )

    return Kernel(
        name,
        two_way_statistics if two_way else one_way_statistics,
        formula,
        summary,
        common=middle_of_ratings,
        several_middles=True,
    )


icc1 = _icc("icc1", "One rating, any annotators", two_way=False)
icc1k = _icc("icc1k", "The mean of k ratings, any annotators", two_way=False, mean_of_ratings=True)
icc2 = _icc("icc2", "One rating, the same annotators, absolute agreement", absolute=True)
icc2k = _icc(
    "icc2k", "The mean of all annotators, absolute agreement", absolute=True, mean_of_ratings=True
)
icc3 = _icc("icc3", "One rating, the same annotators, consistency")
icc3k = _icc("icc3k", "The mean of all annotators, consistency", mean_of_ratings=True)


def _lowest(xp: Namespace, value: Array, counted: Array) -> Array:
    lowest = xp.min(xp.where(counted, value, xp.inf), axis=1, keepdims=True)
    return xp.where(xp.any(counted, axis=1, keepdims=True), lowest, xp.zeros_like(lowest))


def _centre_on_item_mean(xp: Namespace, value: Array, counted: Array, weight: Array) -> Array:
    """Return values minus the weighted mean of their item; exactly 0 if all are equal."""
    y = above_lowest(xp, value, counted)
    mean = divided(xp, xp.sum(weight * y, axis=1), xp.sum(weight, axis=1))
    return xp.where(counted, y - mean[:, None], xp.zeros_like(y))
