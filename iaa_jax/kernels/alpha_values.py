"""Krippendorff's alpha over numbers, in memory linear in the ratings however many values differ.

The value of a rating stands in ``value`` (item, annotator), NaN where not rated. Interval and ratio
are sums over items; nominal and ordinal need the weighted totals of each distinct value, which a
cumulative sum over the sorted ratings gives without a table of values. So these two are functions,
not kernels of statistics and a formula: a sum for each distinct value would be that table.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from array_api_compat import is_numpy_namespace

from iaa_jax import _thresholds as thresholds
from iaa_jax.kernels.agreement import Agreement, chance_corrected
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.moments import Centre, above_lowest, counted_from, middle_of, subtract
from iaa_jax.kernels.namespace import (
    Array,
    Namespace,
    device_of,
    divided,
    floating,
    namespace,
)
from iaa_jax.kernels.raters import Raters, checked_weight, raters_of

RATIO_NODES = 192
_RATIO_TAIL = 36.0


class WeightedValues(NamedTuple):
    """The numbers of each item with the annotator weights beside them."""

    rated: Array  # (item, annotator) bool
    weight: Array  # (item, annotator) v_a o_ia on pairable items, else 0
    ratings: Array  # (item,) n_i, 0 where not pairable
    per_pair: Array  # (item,) n_i / pairs_i, 0 where not pairable
    self_pairs: Array  # (item,) q_i


def weighted_values(value: Array, raters: Raters) -> WeightedValues:
    """Counts of each item that has a pair."""
    v = raters.rating_weight()
    xp = namespace(value, v)
    rated = ~xp.isnan(value)
    count = xp.sum(xp.astype(rated & (v > 0), xp.int32), axis=1)
    pairable = (count >= 2)[:, None]
    weight = xp.where(rated & pairable, v, 0)
    ratings = xp.sum(weight, axis=1)
    self_pairs = xp.sum(weight * weight, axis=1)
    pairs = xp.where(pairable[:, 0], ratings * ratings - self_pairs, xp.ones_like(ratings))
    return WeightedValues(
        rated & pairable, weight, ratings, xp.where(pairable[:, 0], ratings / pairs, 0), self_pairs
    )


class MomentStatistics(NamedTuple):
    """What interval alpha needs of an item."""

    ratings: Array  # (item,) n_i
    disagreement: Array  # (item,) n_i times the mean squared difference of its pairs
    total: Array  # (item,) sum of v x
    squares: Array  # (item,) sum of v x^2
    self_pairs: Array  # (item,) q_i


def middle_of_pairable(value: Array, raters: Raters) -> Centre:
    """A middle one of the ratings that have another beside them."""
    xp = namespace(value, raters.weight)
    return Centre(middle_of(xp, value, weighted_values(value, raters).rated))


def moment_statistics(
    value: Array, raters: Raters, disagreement: Array | None, common: Centre
) -> MomentStatistics:
    """Statistics of each item for interval alpha, values counted from a middle one."""
    xp = namespace(value, raters.weight)
    counted = weighted_values(value, raters)
    x = counted_from(xp, common.middle, value, counted.rated)
    return MomentStatistics(
        counted.ratings,
        counted.per_pair * _squared_differences(xp, x, counted),
        xp.sum(counted.weight * x, axis=1),
        xp.sum(counted.weight * x * x, axis=1),
        counted.self_pairs,
    )


def krippendorff_alpha_interval_formula(
    sums: MomentStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """D_e from the first two moments; 0 when it is below the rounding error of its terms."""
    xp = namespace(sums.total)
    return chance_corrected(
        xp,
        divided(xp, sums.disagreement, sums.ratings),
        divided(
            xp,
            2 * subtract(xp, sums.ratings * sums.squares, sums.total * sums.total),
            sums.ratings * sums.ratings - sums.self_pairs,
        ),
        sums.ratings == 0,
    )


krippendorff_alpha_interval = Kernel(
    "krippendorff_alpha_interval",
    moment_statistics,
    krippendorff_alpha_interval_formula,
    "Alpha with squared differences: see `iaa_jax.krippendorff_alpha`",
    common=middle_of_pairable,
)


class RatioStatistics(NamedTuple):
    """What ratio alpha needs of an item."""

    ratings: Array  # (item,) n_i
    disagreement: Array  # (item,) n_i times the mean distance of its pairs
    positive: Array  # (item,) sum of v over ratings above 0
    versines: Array  # (item, node) sum of v (1 - cos(node log x)), times the node's root weight
    sines: Array  # (item, node) sum of v sin(node log x), times the node's root weight
    roots: Array  # (item, node) sum of v over ratings above 0, times the node's root weight
    self_pairs: Array  # (item,) q_i


class LogRange(NamedTuple):
    """Where the logarithms of all ratings above 0 lie, and the cosine sum that reaches so far."""

    middle: Array  # ()
    nodes: Array  # (node,) frequencies
    root: Array  # (node,) square roots of their weights


def range_of_logs(value: Array, raters: Raters) -> LogRange:
    """The range of the ratings above 0 that have another rating beside them."""
    xp = namespace(value, raters.weight)
    positive, logs = _positive_logs(xp, value, weighted_values(value, raters))
    middle = middle_of(xp, logs, positive)
    return LogRange(middle, *_ratio_nodes(xp, counted_from(xp, middle, logs, positive)))


def ratio_statistics(
    value: Array, raters: Raters, disagreement: Array | None, common: LogRange
) -> RatioStatistics:
    """Statistics of each item for ratio alpha.

    ``((a - b) / (a + b))^2 = 1 - sech^2(t / 2)``, t the difference of the logarithms, and sech^2
    is a short sum of cosines: the distance of two ratings is a sum of ``1 - cos`` of differences.
    Versines keep its digits when all values are near each other.
    """
    xp = namespace(value, raters.weight)
    counted = weighted_values(value, raters)
    positive, logs = _positive_logs(xp, value, counted)
    logs = counted_from(xp, common.middle, logs, positive)
    root = common.root
    weight = xp.where(positive, counted.weight, xp.zeros_like(counted.weight))
    angle = logs[..., None] * common.nodes
    total = xp.sum(weight, axis=1)
    return RatioStatistics(
        counted.ratings,
        counted.per_pair * _ratio_within(xp, value, counted),
        total,
        _summed(weight, 2 * xp.sin(angle / 2) ** 2) * root,
        _summed(weight, xp.sin(angle)) * root,
        total[:, None] * root,
        counted.self_pairs,
    )


def _summed(weight: Array, figures: Array) -> Array:
    """Figures (item, annotator, node) summed by weight (item, annotator): a product an item.

    Under other weights the figures are the same, and are worked out once for many of them.
    """
    return (weight[:, None, :] @ figures)[:, 0, :]


def krippendorff_alpha_ratio_formula(
    sums: RatioStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """D_e: ``2 N V - V^2 - S^2`` over the nodes, and 1 for each pair of a 0 and a number above."""
    xp = namespace(sums.sines)
    whole = 2 * xp.sum(sums.roots * sums.versines)
    among_positive = subtract(xp, whole, xp.sum(sums.versines**2), xp.sum(sums.sines**2))
    with_zero = 2 * sums.positive * (sums.ratings - sums.positive)
    return chance_corrected(
        xp,
        divided(xp, sums.disagreement, sums.ratings),
        divided(xp, among_positive + with_zero, sums.ratings * sums.ratings - sums.self_pairs),
        sums.ratings == 0,
    )


krippendorff_alpha_ratio = Kernel(
    "krippendorff_alpha_ratio",
    ratio_statistics,
    krippendorff_alpha_ratio_formula,
    "Alpha with relative differences, values from 0 up: see `iaa_jax.krippendorff_alpha`",
    common=range_of_logs,
)


def krippendorff_alpha_nominal_values(
    value: Array,
    *,
    item_weight: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Agreement:
    """Nominal alpha where each number is a label of its own: see `iaa_jax.krippendorff_alpha`."""
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
    """Ordinal alpha where each number is a rank of its own: see `iaa_jax.krippendorff_alpha`."""
    xp, value, counted, w = _prepared(value, item_weight, annotator_weight, annotator_of)
    below, upto = _cumulative_weights(xp, value, counted, w)
    total = upto.total
    # mid-ranks, counted from the middle of all ratings
    rank = xp.where(counted.rated, (below + upto.reached - total) / 2, xp.zeros_like(value))
    within = counted.per_pair * _squared_differences(xp, rank, counted)
    rating_weight = w[:, None] * counted.weight
    rank_sum, squares = xp.sum(rating_weight * rank), xp.sum(rating_weight * rank * rank)
    all_pairs = 2 * subtract(xp, total * squares, rank_sum * rank_sum)
    return _from_totals(xp, within, all_pairs, total, counted, w)


class _UpTo(NamedTuple):
    reached: Array  # (item, annotator) weight of all ratings up to and with this value
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
    """For each rating, the weight of all ratings below its value, and up to and with it."""
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
    """Alpha from the sums of all items: of one row of weights, or of an array of them."""
    observed = divided(xp, within, total)
    expected = divided(xp, all_pairs, total * total - self_pairs)
    return chance_corrected(xp, observed, expected, total == 0)


def differing_values(xp: Namespace, value: Array, counted: WeightedValues) -> Array:
    """Sum over ordered pairs of an item of v v where the values differ."""
    if is_numpy_namespace(xp):
        return _differing_in_order(xp, value, counted)
    differ = xp.astype(value[:, :, None] != value[:, None, :], value.dtype)
    pair_weight = counted.weight[:, :, None] * counted.weight[:, None, :]
    return xp.sum(pair_weight * differ, axis=(1, 2))


def _differing_in_order(xp: Namespace, value: Array, counted: WeightedValues) -> Array:
    """The same by the weights of equal values, in memory that grows with the ratings alone.

    An item of one value has exactly 0: its weight is that of the value.
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
    own = xp.add.reduceat(xp.reshape(weight, (-1,)), begins)
    item = begins // value.shape[1]
    of_item = xp.bincount(item, own, minlength=items)
    return xp.bincount(item, own * (of_item[item] - own), minlength=items).astype(value.dtype)


def _squared_differences(xp: Namespace, x: Array, counted: WeightedValues) -> Array:
    """Sum over ordered pairs of an item of v v (x - y)^2, exactly 0 where all are equal."""
    y = above_lowest(xp, x, counted.rated)
    total = xp.sum(counted.weight * y, axis=1)
    return 2 * (counted.ratings * xp.sum(counted.weight * y * y, axis=1) - total * total)


def _positive_logs(xp: Namespace, value: Array, counted: WeightedValues) -> tuple[Array, Array]:
    """Which ratings are above 0, and their logarithms."""
    positive = counted.rated & (value > 0)
    return positive, xp.log(xp.where(positive, value, xp.ones_like(value)))


def _ratio_nodes(xp: Namespace, logs: Array) -> tuple[Array, Array]:
    """Frequencies, and square roots of their weights, of the cosine sum for sech^2(t / 2)."""
    span = xp.max(logs) - xp.min(logs) if math.prod(logs.shape) else 0.0
    step = 2 * math.pi / (span + _RATIO_TAIL)
    index = xp.arange(RATIO_NODES, dtype=logs.dtype, device=device_of(logs))
    nodes = step * index
    safe = xp.where(index > 0, nodes, xp.ones_like(nodes))
    # 1 / sinh without overflow
    decay = xp.exp(-math.pi * safe)
    weight = step * 8 * safe * decay / (1 - decay * decay)
    weight = xp.where(index > 0, weight, step * 2 / math.pi * xp.ones_like(weight))
    return nodes, xp.sqrt(weight)


def _ratio_within(xp: Namespace, value: Array, counted: WeightedValues) -> Array:
    """Sum over ordered pairs of an item of v v ((a - b) / (a + b))^2, 0 for two zeros."""
    x = xp.where(counted.rated, value, xp.zeros_like(value))
    if x.shape[1] > thresholds.SHIFTED_COLUMNS and not is_numpy_namespace(xp):
        # a step for each column would take minutes to compile
        first, second = x[:, :, None], x[:, None, :]
        distance = divided(xp, first - second, first + second) ** 2
        return xp.sum(counted.weight * (distance @ counted.weight[:, :, None])[:, :, 0], axis=1)
    total = xp.zeros_like(counted.ratings)
    for shift in range(1, x.shape[1]):
        other, weight = xp.roll(x, shift, axis=1), xp.roll(counted.weight, shift, axis=1)
        distance = divided(xp, x - other, x + other) ** 2
        total = total + xp.sum(counted.weight * weight * distance, axis=1)
    return total
