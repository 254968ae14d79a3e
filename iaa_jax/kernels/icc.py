"""Intraclass correlations of numbers, from variance components by the analysis of variance.

The value of a rating stands in ``value`` (item, annotator), NaN where not rated. With ``s`` the
variance between items, ``r`` that between annotators and ``e`` the rest, ICC(1) and ICC(3) are
``s / (s + e)``, ICC(2) is ``s / (s + r + e)``; forms for the mean of k ratings divide r and e by k.
Each component is a mean square less what its expectation holds of the others, so that complete data
of annotators who count the same give the mean squares of Shrout and Fleiss to the last digit.
"""

from __future__ import annotations

from typing import NamedTuple

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
    counted_from,
    middle_of,
    rounding,
    subtract,
)
from iaa_jax.kernels.namespace import Array, Namespace, divided, first_code, namespace
from iaa_jax.kernels.raters import Raters, annotator_by_annotator


class OneWayStatistics(NamedTuple):
    """What the one-way forms need of an item that somebody rated; y is counted from the median."""

    rated: Array  # (item,) 1 where somebody rated
    ratings: Array  # (item,) n_i, the sum of v
    squared_ratings: Array  # (item,) n_i^2
    self_pairs: Array  # (item,) q_i, the sum of v^2
    self_share: Array  # (item,) q_i / n_i
    total: Array  # (item,) sum of v y
    squared_total: Array  # (item,) (sum of v y)^2 / n_i
    within: Array  # (item,) sum of v (y - mean)^2


def middle_of_ratings(value: Array, raters: Raters) -> Centre:
    """A middle one of all ratings by annotators who count."""
    v = raters.rating_weight()
    xp = namespace(value, v)
    return Centre(middle_of(xp, value, ~xp.isnan(value) & (v > 0)))


def one_way_statistics(
    value: Array, raters: Raters, disagreement: Array | None, common: Centre
) -> OneWayStatistics:
    """Statistics of each item for ICC(1), whoever rated."""
    v = raters.rating_weight()
    xp = namespace(value, v)
    rated = ~xp.isnan(value) & (v > 0)
    weight = xp.where(rated, v, 0)
    y = counted_from(xp, common.middle, value, rated)
    ratings, self_pairs = xp.sum(weight, axis=1), xp.sum(weight * weight, axis=1)
    total = xp.sum(weight * y, axis=1)
    deviation = _centre_on_item_mean(xp, value, rated, weight)
    return OneWayStatistics(
        xp.astype(xp.any(rated, axis=1), value.dtype),
        ratings,
        ratings * ratings,
        self_pairs,
        divided(xp, self_pairs, ratings),
        total,
        divided(xp, total * total, ratings),
        xp.sum(weight * deviation * deviation, axis=1),
    )


class TwoWayStatistics(NamedTuple):
    """What the two-way forms need of an item that every annotator rated."""

    complete: Array  # (item,)
    mean: Array  # (item,) weighted mean, from the median
    squared_mean: Array  # (item,)
    within: Array  # (item,) sum of v (x - mean)^2
    deviation: Array  # (item, annotator) x - mean


def two_way_statistics(
    value: Array, raters: Raters, disagreement: Array | None, common: Centre
) -> TwoWayStatistics:
    """Statistics of each item for ICC(2) and ICC(3); items with a gap do not count."""
    xp = namespace(value, raters.weight, raters.annotator_of)
    value, raters = annotator_by_annotator(xp, value, raters)
    included = raters.weight > 0
    complete = xp.all(~xp.isnan(value) | ~included, axis=1) & xp.any(included)
    counted = complete[:, None] & included & ~xp.isnan(value)
    weight = xp.where(counted, raters.weight, 0)
    y = counted_from(xp, common.middle, value, counted)
    mean = divided(xp, xp.sum(weight * y, axis=1), xp.sum(weight, axis=1))
    deviation = _centre_on_item_mean(xp, value, counted, weight)
    return TwoWayStatistics(
        xp.astype(complete, value.dtype),
        mean,
        mean * mean,
        xp.sum(weight * deviation * deviation, axis=1),
        deviation,
    )


class _Components(NamedTuple):
    """Variance components, and k, the number of ratings that an item's mean stands for."""

    items: Array
    annotators: Array
    residual: Array
    per_mean: Array  # 1 / k
    code: Array  # why there are none


def _one_way(sums: OneWayStatistics) -> _Components:
    xp = namespace(sums.ratings)
    ratings = sums.ratings
    freedom = subtract(xp, ratings, sums.self_share)  # degrees of freedom within items
    residual = divided(xp, sums.within, freedom)
    between = subtract(xp, sums.squared_total, divided(xp, sums.total * sums.total, ratings))
    # the parts of the variance between items, and of the rest, in the expectation of ``between``
    of_items = subtract(xp, ratings, divided(xp, sums.squared_ratings, ratings))
    of_rest = sums.self_share - divided(xp, sums.self_pairs, ratings)
    items = divided(xp, between - residual * of_rest, of_items)
    code = first_code(
        xp,
        (freedom == 0, NO_PAIRABLE_ITEM),
        ((of_items == 0) | (sums.rated <= 1), ONE_ITEM),
        ((between == 0) & (residual == 0), NO_VARIANCE),
    )
    none = xp.zeros_like(residual)
    return _Components(items, none, residual, divided(xp, of_rest, of_items), code)


def _two_way(sums: TwoWayStatistics, annotator_weight: Array) -> _Components:
    xp = namespace(sums.mean, annotator_weight)
    v = xp.where(annotator_weight > 0, annotator_weight, xp.zeros_like(annotator_weight))
    total, items = xp.sum(v), sums.complete
    per_mean = divided(xp, xp.sum(v * v), total * total)  # 1 / k
    freedom = subtract(xp, total, per_mean * total)  # degrees of freedom between annotators
    of_items = subtract(xp, items, xp.ones_like(items))
    columns = divided(xp, xp.sum(v * sums.deviation * sums.deviation), items)
    residual = divided(xp, subtract(xp, sums.within, columns), of_items * freedom)
    means = subtract(xp, sums.squared_mean, divided(xp, sums.mean * sums.mean, items))
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


def _variance_share(
    components: _Components, *, absolute: bool, mean_of_ratings: bool, nothing: int = NO_VARIANCE
) -> Agreement:
    """The items' share of the variance, as 1 less a ratio of mean squared differences."""
    xp = namespace(components.items)
    error = components.residual + components.annotators if absolute else components.residual
    if mean_of_ratings:
        error = error * components.per_mean
    whole = components.items + error
    empty = whole <= rounding(xp, error)
    code = xp.where((components.code == DEFINED) & empty, nothing, components.code)
    defined = code == DEFINED
    estimate = 1 - error / xp.where(defined, whole, xp.ones_like(whole))
    return Agreement(
        xp.where(defined, estimate, xp.nan),
        xp.where(defined, 1 - 2 * error, xp.nan),
        xp.where(defined, 1 - 2 * whole, xp.nan),
        code,
    )


def icc1_formula(
    sums: OneWayStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """``s / (s + e)`` of the one-way model."""
    return _variance_share(_one_way(sums), absolute=False, mean_of_ratings=False)


icc1 = Kernel(
    "icc1",
    one_way_statistics,
    icc1_formula,
    "One rating, any annotators",
    common=middle_of_ratings,
)


def icc1k_formula(
    sums: OneWayStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """``s / (s + e / k_0)``: ``(MSB - MSW) / MSB``."""
    components = _one_way(sums)
    return _variance_share(
        components, absolute=False, mean_of_ratings=True, nothing=NO_VARIANCE_OF_MEANS
    )


icc1k = Kernel(
    "icc1k",
    one_way_statistics,
    icc1k_formula,
    "The mean of k ratings, any annotators",
    common=middle_of_ratings,
)


def icc2_formula(
    sums: TwoWayStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """``s / (s + r + e)``."""
    return _variance_share(_two_way(sums, annotator_weight), absolute=True, mean_of_ratings=False)


icc2 = Kernel(
    "icc2",
    two_way_statistics,
    icc2_formula,
    "One rating, the same annotators, absolute agreement",
    common=middle_of_ratings,
)


def icc2k_formula(
    sums: TwoWayStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """``s / (s + (r + e) / k)``."""
    components = _two_way(sums, annotator_weight)
    return _variance_share(
        components, absolute=True, mean_of_ratings=True, nothing=NO_VARIANCE_OF_MEANS
    )


icc2k = Kernel(
    "icc2k",
    two_way_statistics,
    icc2k_formula,
    "The mean of all annotators, absolute agreement",
    common=middle_of_ratings,
)


def icc3_formula(
    sums: TwoWayStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """``s / (s + e)`` of the two-way model."""
    return _variance_share(_two_way(sums, annotator_weight), absolute=False, mean_of_ratings=False)


icc3 = Kernel(
    "icc3",
    two_way_statistics,
    icc3_formula,
    "One rating, the same annotators, consistency",
    common=middle_of_ratings,
)


def icc3k_formula(
    sums: TwoWayStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """``s / (s + e / k)``."""
    components = _two_way(sums, annotator_weight)
    return _variance_share(
        components, absolute=False, mean_of_ratings=True, nothing=NO_VARIANCE_OF_MEANS
    )


icc3k = Kernel(
    "icc3k",
    two_way_statistics,
    icc3k_formula,
    "The mean of all annotators, consistency",
    common=middle_of_ratings,
)


def _centre_on_item_mean(xp: Namespace, value: Array, counted: Array, weight: Array) -> Array:
    """Values from the weighted mean of their item; exactly 0 where all are equal."""
    y = above_lowest(xp, value, counted)
    mean = divided(xp, xp.sum(weight * y, axis=1), xp.sum(weight, axis=1))
    return xp.where(counted, y - mean[:, None], xp.zeros_like(y))
