"""Krippendorff's alpha for numbers, with memory linear in the number of items.

Ratings are numbers ``value`` (item, annotator), NaN where not rated. Interval alpha is a formula of
sums over items, like ratio alpha in `iaa_jax.kernels.alpha_ratio`. Nominal and ordinal alpha need
the weighted total of each distinct value, however many values there are. They are therefore plain
functions, not a `Kernel` with a fixed number of sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from array_api_compat import is_numpy_namespace

from iaa_jax.kernels.agreement import Agreement, chance_corrected
from iaa_jax.kernels.independent import (
    DisagreementTerms,
    IndependentItems,
    LargestTerms,
    symmetric,
)
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.moments import (
    Centre,
    above_lowest,
    centre_of,
    counted_from,
    subtract,
    sum_of_squares,
)
from iaa_jax.kernels.namespace import (
    Array,
    Namespace,
    divided,
    floating,
    namespace,
)
from iaa_jax.kernels.raters import Raters, checked_weight, raters_of
from iaa_jax.kernels.sums import Fixed


class WeightedValues(NamedTuple):
    """The weights of each item's ratings.

    v_a is the weight of annotator a, and o_ia is 1 if annotator a rated item i. n_i and q_i are the
    sums over annotators of v_a o_ia and of its square, and pairs_i is n_i^2 - q_i. An item is
    pairable if it has two ratings or more.
    """

    rated: Array  # (item, annotator) bool; False on items without a pair
    weight: Array  # (item, annotator) v_a o_ia on pairable items, otherwise 0
    ratings: Array  # (item,) n_i, 0 where not pairable
    per_pair: Array  # (item,) n_i / pairs_i, 0 where not pairable
    self_pairs: Array  # (item,) q_i


def weighted_values(value: Array, raters: Raters) -> WeightedValues:
    """Return the weights and counts of each item, 0 for items without a pair."""
    v = raters.rating_weight()
    xp = namespace(value, v)
    rated = ~xp.isnan(value) & (v > 0)
    count = xp.sum(xp.astype(rated, xp.int32), axis=1)
    pairable = (count >= 2)[:, None]
    weight = xp.where(rated & pairable, v, 0)
    ratings = xp.sum(weight, axis=1)
    self_pairs = xp.sum(weight * weight, axis=1)
    pairs = xp.where(pairable[:, 0], ratings * ratings - self_pairs, xp.ones_like(ratings))
    return WeightedValues(
        rated & pairable, weight, ratings, xp.where(pairable[:, 0], ratings / pairs, 0), self_pairs
    )


class MomentStatistics(NamedTuple):
    """The statistics of an item for interval alpha.

    v is a rating's weight. x is its number minus the nearest middle, a value among the ratings (see
    `Centre`). A column of an array (item, middle) is about the ratings nearest to this middle. n_i
    and q_i are as in `WeightedValues`.
    """

    ratings: Array  # (item, middle) n_i
    disagreement: Array  # (item,) n_i times the mean squared difference of its pairs
    total: Array  # (item, middle) sum of v x
    squares: Array  # (item, middle) sum of v x^2
    self_pairs: Array  # (item,) q_i
    middles: Array  # (middle,) the same for all items


def middle_of_pairable(
    value: Array, raters: Raters, middles: tuple[float, ...] | None = None
) -> Centre:
    """Return the middles (`Centre`), by default a middle value of the ratings on pairable items."""
    xp = namespace(value, raters.weight)
    return centre_of(xp, value, weighted_values(value, raters).rated, middles)


def moment_statistics(
    value: Array, raters: Raters, disagreement: Array | None, common: Centre
) -> MomentStatistics:
    """Return the statistics of each item."""
    xp = namespace(value, raters.weight)
    counted = weighted_values(value, raters)
    from_middle = counted_from(xp, common, value, counted.rated)
    x = from_middle.value
    ratings, total, squares = (
        xp.sum(from_middle.by_middle(xp, each), axis=1)
        for each in (counted.weight, counted.weight * x, counted.weight * x * x)
    )
    return MomentStatistics(
        ratings,
        counted.per_pair * _squared_differences(xp, value, counted),
        total,
        squares,
        counted.self_pairs,
        Fixed(common.middles),
    )


def krippendorff_alpha_interval_formula(
    sums: MomentStatistics,
    annotator_weight: Array,
    disagreement: Array | None,
    whole: Array | float = 1.0,
) -> Agreement:
    """Return alpha, with D_e from two moments; a D_e that may be rounding error counts as 0."""
    xp = namespace(sums.total)
    ratings = xp.sum(sums.ratings, axis=-1)
    squares = sum_of_squares(xp, sums.ratings, sums.total, sums.squares, sums.middles)
    return chance_corrected(
        xp,
        divided(xp, sums.disagreement, ratings),
        divided(xp, 2 * ratings * squares, ratings * ratings - sums.self_pairs),
        ratings == 0,
        whole=whole,
    )


def _two_item_terms(
    items: Sequence[MomentStatistics], _: Array, __: Array | None
) -> DisagreementTerms:
    xp = namespace(items[0].total)

    def between(one: MomentStatistics, other: MomentStatistics) -> Array:
        squares = one.squares * other.ratings + one.ratings * other.squares
        distance = xp.sum(squares - 2 * one.total * other.total, axis=-1)
        return xp.where(distance > 0, distance, xp.zeros_like(distance))  # < 0 only by rounding

    return DisagreementTerms(
        symmetric(lambda one, other: one.disagreement * xp.sum(other.ratings, axis=-1), items),
        symmetric(between, items),
    )


def _largest_of_two(statistics: MomentStatistics, _: Array | None, farthest: float) -> LargestTerms:
    xp = namespace(statistics.ratings)
    largest = float(xp.max(_ratings(statistics))) ** 2 * farthest
    return LargestTerms(largest, largest)


def _ratings(statistics: MomentStatistics) -> Array:
    return namespace(statistics.ratings).sum(statistics.ratings, axis=-1)


def _counts_from_one_middle(statistics: MomentStatistics, _: Array | None) -> bool:
    return bool(statistics.ratings.shape[-1] == 1)


krippendorff_alpha_interval = Kernel(
    "krippendorff_alpha_interval",
    moment_statistics,
    krippendorff_alpha_interval_formula,
    "Alpha with squared differences: see `iaa_jax.krippendorff_alpha`",
    common=middle_of_pairable,
    several_middles=True,
    independent=IndependentItems(
        2, _two_item_terms, _largest_of_two, _counts_from_one_middle, _ratings
    ),
)


def krippendorff_alpha_nominal_values(
    value: Array,
    *,
    item_weight: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Agreement:
    """Return nominal alpha, with each number as a label: see `iaa_jax.krippendorff_alpha`."""
    xp, value, counted, w = _prepared(value, item_weight, annotator_weight, annotator_of)
    below, upto = _cumulative_weights(xp, value, counted, w)
    within = counted.per_pair * differing_values(xp, value, counted)
    total = upto.total
    rating_weight = w[:, None] * counted.weight
    all_pairs = xp.sum(rating_weight * (below + (total - upto.reached)))
    return _from_totals(xp, within, all_pairs, total, counted, w)


def krippendorff_alpha_ordinal_values(
    value: Array,
    *,
    item_weight: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Agreement:
    """Return ordinal alpha, from the order of the numbers: see `iaa_jax.krippendorff_alpha`."""
    xp, value, counted, w = _prepared(value, item_weight, annotator_weight, annotator_of)
    below, upto = _cumulative_weights(xp, value, counted, w)
    total = upto.total
    rank = xp.where(counted.rated, (below + upto.reached - total) / 2, xp.zeros_like(value))
    within = counted.per_pair * _squared_differences(xp, rank, counted)
    rating_weight = w[:, None] * counted.weight
    rank_sum, squares = xp.sum(rating_weight * rank), xp.sum(rating_weight * rank * rank)
    all_pairs = 2 * subtract(xp, total * squares, rank_sum * rank_sum)
    return _from_totals(xp, within, all_pairs, total, counted, w)


class _UpTo(NamedTuple):
    reached: Array  # (item, annotator) weight of all ratings up to and including this value
    total: Array  # weight of all ratings


def _prepared(
    value: Array,
    item_weight: Array | None,
    annotator_weight: Array | None,
    annotator_of: Array | None,
) -> tuple[Namespace, Array, WeightedValues, Array]:
    arrays = (value, item_weight, annotator_weight, annotator_of)
    xp = namespace(*arrays)
    value = floating(xp, *arrays)
    w = checked_weight(xp, item_weight, value.shape[0], value, "item")
    raters = raters_of(xp, value, annotator_weight, annotator_of)
    return xp, value, weighted_values(value, raters), w


def _cumulative_weights(
    xp: Namespace, value: Array, counted: WeightedValues, w: Array
) -> tuple[Array, _UpTo]:
    """Return, for each rating, the total weight of smaller values, and of values up to its own."""
    flat = xp.reshape(xp.where(counted.rated, value, xp.inf), (-1,))
    order = xp.argsort(flat)
    ordered = xp.take(flat, order)
    running = xp.cumulative_sum(
        xp.take(xp.reshape(w[:, None] * counted.weight, (-1,)), order), include_initial=True
    )
    below = xp.take(running, xp.searchsorted(ordered, flat, side="left"))
    reached = xp.take(running, xp.searchsorted(ordered, flat, side="right"))
    return xp.reshape(below, value.shape), _UpTo(xp.reshape(reached, value.shape), running[-1])


def _from_totals(
    xp: Namespace, within: Array, all_pairs: Array, total: Array, counted: WeightedValues, w: Array
) -> Agreement:
    return corrected_totals(xp, w @ within, all_pairs, total, w @ counted.self_pairs)


def corrected_totals(
    xp: Namespace, within: Array, all_pairs: Array, total: Array, self_pairs: Array
) -> Agreement:
    """Return alpha from sums over all items, for one vector of item weights or a batch of them."""
    observed = divided(xp, within, total)
    expected = divided(xp, all_pairs, total * total - self_pairs)
    return chance_corrected(xp, observed, expected, total == 0)


def differing_values(xp: Namespace, value: Array, counted: WeightedValues) -> Array:
    """Sum the product of both weights over an item's ordered pairs of ratings that differ."""
    if is_numpy_namespace(xp):
        return _differing_in_order(xp, value, counted)
    differ = xp.astype(value[:, :, None] != value[:, None, :], value.dtype)
    pair_weight = counted.weight[:, :, None] * counted.weight[:, None, :]
    return xp.sum(pair_weight * differ, axis=(1, 2))


def _differing_in_order(xp: Namespace, value: Array, counted: WeightedValues) -> Array:
    """Return `differing_values` from sorted values, with memory linear in the ratings.

    It is exactly 0 for an item with a single value.
    """
    items = value.shape[0]
    order = xp.argsort(value, axis=1)
    ordered = xp.take_along_axis(value, order, axis=1)
    weight = xp.take_along_axis(counted.weight, order, axis=1)
    first = xp.ones(value.shape, dtype=bool)
    first[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    begins = xp.flatnonzero(first)
    if not len(begins):
        return xp.zeros(items, dtype=value.dtype)
    of_value = xp.add.reduceat(xp.reshape(weight, (-1,)), begins)
    item = begins // value.shape[1]
    others = xp.bincount(item, of_value, minlength=items)[item] - of_value
    return xp.bincount(item, of_value * others, minlength=items).astype(value.dtype)


def _squared_differences(xp: Namespace, x: Array, counted: WeightedValues) -> Array:
    """Sum ``(x - y)^2``, times both weights, over ordered pairs; exactly 0 if all are equal."""
    y = above_lowest(xp, x, counted.rated)
    total = xp.sum(counted.weight * y, axis=1)
    return 2 * (counted.ratings * xp.sum(counted.weight * y * y, axis=1) - total * total)
