"""Lin's concordance of two annotators' numbers, and the overall one of Barnhart for more."""

from __future__ import annotations

from typing import NamedTuple

from iaa_jax._errors import NO_SHARED_ITEM
from iaa_jax.kernels.agreement import Agreement, chance_corrected
from iaa_jax.kernels.kappa import PairCounts
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.moments import Centre, counted_from, middle_of, subtract
from iaa_jax.kernels.namespace import Array, divided, namespace
from iaa_jax.kernels.pairs import MIN_COMMON, pairs_of_columns
from iaa_jax.kernels.raters import Raters, annotator_by_annotator
from iaa_jax.kernels.sums import Fixed


class ConcordanceStatistics(NamedTuple):
    """Numbers of each pair of annotators a < b on an item that both rated, from the median."""

    annotators: Array  # (pair, 2) a and b, fixed
    shared: Array  # (item, pair) o_a o_b
    squared_difference: Array  # (item, pair) (x_a - x_b)^2
    first: Array  # (item, pair) x_a
    second: Array  # (item, pair) x_b
    squares: Array  # (item, pair) x_a^2 + x_b^2


def middle_of_all(value: Array, raters: Raters) -> Centre:
    """A middle one of all ratings, whatever their annotators weigh."""
    xp = namespace(value)
    return Centre(middle_of(xp, value, ~xp.isnan(value)))


def concordance_statistics(
    value: Array, raters: Raters, disagreement: Array | None, common: Centre
) -> ConcordanceStatistics:
    """Statistics of each item for the concordance."""
    xp = namespace(value, raters.weight, raters.annotator_of)
    value, raters = annotator_by_annotator(xp, value, raters)
    rated = ~xp.isnan(value)
    x, o = counted_from(xp, common.middle, value, rated), xp.astype(rated, value.dtype)
    a, b = pairs_of_columns(xp, value)
    shared = xp.take(o, a, axis=1) * xp.take(o, b, axis=1)
    first, second = xp.take(x, a, axis=1) * shared, xp.take(x, b, axis=1) * shared
    return ConcordanceStatistics(
        Fixed(xp.stack([a, b], axis=1)),
        shared,
        (first - second) ** 2,
        first,
        second,
        first * first + second * second,
    )


class _AnnotatorPairs(NamedTuple):
    weight: Array  # (pair,) v_a v_b for pairs that count, else 0
    observed: Array  # (pair,) mean squared difference on the common items
    expected: Array  # (pair,) the same if the two were independent


def _pairs(
    sums: ConcordanceStatistics, annotator_weight: Array, min_common: Array | float
) -> _AnnotatorPairs:
    xp = namespace(sums.shared, annotator_weight)
    enough = sums.shared > min_common - 0.5
    shared = xp.where(enough, sums.shared, xp.zeros_like(sums.shared))
    moments = subtract(
        xp, sums.squares, divided(xp, sums.first * sums.first + sums.second * sums.second, shared)
    )
    means = divided(xp, sums.first - sums.second, shared)
    v = [xp.take(annotator_weight, sums.annotators[:, k]) for k in (0, 1)]
    weight = v[0] * v[1]
    return _AnnotatorPairs(
        xp.where(enough, weight, xp.zeros_like(weight)),
        divided(xp, sums.squared_difference, shared),
        divided(xp, moments, shared) + means * means,
    )


def lin_ccc_formula(
    sums: ConcordanceStatistics,
    annotator_weight: Array,
    disagreement: Array | None,
    min_common: Array | float = MIN_COMMON,
) -> Agreement:
    """``1 - sum (x - y)^2 / sum (s_x^2 + s_y^2 + (mean_x - mean_y)^2)``, moments over n."""
    xp = namespace(sums.shared, annotator_weight)
    pairs = _pairs(sums, annotator_weight, min_common)
    total = xp.sum(pairs.weight)
    return chance_corrected(
        xp,
        divided(xp, xp.sum(pairs.weight * pairs.observed), total),
        divided(xp, xp.sum(pairs.weight * pairs.expected), total),
        total == 0,
        NO_SHARED_ITEM,
    )


lin_ccc = Kernel(
    "lin_ccc",
    concordance_statistics,
    lin_ccc_formula,
    "Concordance of numbers, pooled over pairs",
    options=(("min_common", MIN_COMMON),),
    common=middle_of_all,
    weighs_annotators=False,
)


def pairs_of_numbers(
    sums: ConcordanceStatistics,
    annotator_weight: Array,
    disagreement: Array | None,
    min_common: Array | float = MIN_COMMON,
) -> PairCounts:
    """Pairs that are pooled, on NumPy."""
    counted = _pairs(sums, annotator_weight, min_common).weight > 0
    shared: Array = sums.shared
    common = tuple(float(x) for x in shared[counted])
    return PairCounts(len(common), 0, common)
