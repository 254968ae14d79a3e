"""Lin's concordance of two annotators' numbers, and Barnhart's concordance of more annotators.

Equation::

    CCC = 1 - sum_ab v_a v_b mean (x_a - x_b)^2
              / sum_ab v_a v_b (s_a^2 + s_b^2 + (mean_a - mean_b)^2)

over pairs of annotators, with v_a the annotator weights, x_a the numbers of annotator a, and s_a^2
their variance. All moments are over the common items of the pair.

Lin, L. I. (1989). https://doi.org/10.2307/2532051
"""

from __future__ import annotations

from typing import NamedTuple

from iaa_jax._errors import NO_SHARED_ITEM
from iaa_jax.kernels.agreement import Agreement, chance_corrected
from iaa_jax.kernels.kappa import PairCounts
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.moments import Centre, centre_of, counted_from, sum_of_squares
from iaa_jax.kernels.namespace import Array, divided, namespace
from iaa_jax.kernels.pairs import MIN_COMMON, pairs_of_columns
from iaa_jax.kernels.raters import Raters, annotator_by_annotator
from iaa_jax.kernels.sums import Fixed


class ConcordanceStatistics(NamedTuple):
    """Numbers of each pair of annotators a < b on an item that both rated.

    A middle is a value among the numbers (see `Centre`). The middle nearest to a's number is
    subtracted from the numbers of both, and arrays with a middle axis are 0 for other middles.
    """

    annotators: Array  # (pair, 2) a and b, the same for all items
    shared: Array  # (item, pair, middle) 1 if both rated the item
    squared_difference: Array  # (item, pair) (x_a - x_b)^2
    first: Array  # (item, pair, middle) x_a
    second: Array  # (item, pair, middle) x_b
    first_squares: Array  # (item, pair, middle) x_a^2
    second_squares: Array  # (item, pair, middle) x_b^2
    middles: Array  # (middle,) the same for all items


def middle_of_all(value: Array, raters: Raters, middles: tuple[float, ...] | None = None) -> Centre:
    """Return the middles (`Centre`), by default a middle value of all ratings, weighted or not."""
    xp = namespace(value)
    return centre_of(xp, value, ~xp.isnan(value), middles)


def concordance_statistics(
    value: Array, raters: Raters, disagreement: Array | None, common: Centre
) -> ConcordanceStatistics:
    """Return the statistics of each item."""
    xp = namespace(value, raters.weight, raters.annotator_of)
    value, raters = annotator_by_annotator(xp, value, raters)
    rated = ~xp.isnan(value)
    a, b = pairs_of_columns(xp, value)
    x_a, x_b = xp.take(value, a, axis=1), xp.take(value, b, axis=1)
    both = xp.take(rated, a, axis=1) & xp.take(rated, b, axis=1)
    from_middle = counted_from(xp, common, x_a, both)
    first, second = from_middle.value, counted_from(xp, common, x_b, both, position=x_a).value
    shared = xp.astype(both, value.dtype)
    return ConcordanceStatistics(
        Fixed(xp.stack([a, b], axis=1)),
        from_middle.by_middle(xp, shared),
        (first - second) ** 2,
        from_middle.by_middle(xp, first),
        from_middle.by_middle(xp, second),
        from_middle.by_middle(xp, first * first),
        from_middle.by_middle(xp, second * second),
        Fixed(common.middles),
    )


class _AnnotatorPairs(NamedTuple):
    weight: Array  # (pair,) v_a v_b for pairs with enough common items, otherwise 0
    observed: Array  # (pair,) mean squared difference on the common items
    expected: Array  # (pair,) expected squared difference of independent ratings


def _pairs(
    sums: ConcordanceStatistics, annotator_weight: Array, min_common: Array | float
) -> _AnnotatorPairs:
    xp = namespace(sums.shared, annotator_weight)
    shared = xp.sum(sums.shared, axis=-1)
    enough = shared > min_common - 0.5
    shared = xp.where(enough, shared, xp.zeros_like(shared))
    moments = sum_of_squares(xp, sums.shared, sums.first, sums.first_squares, sums.middles)
    moments = moments + sum_of_squares(
        xp, sums.shared, sums.second, sums.second_squares, sums.middles
    )
    means = divided(xp, xp.sum(sums.first - sums.second, axis=-1), shared)
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
    whole: Array | float = 1.0,
) -> Agreement:
    """Return the concordance, with variances over n (not n - 1)."""
    xp = namespace(sums.shared, annotator_weight)
    pairs = _pairs(sums, annotator_weight, min_common)
    total = xp.sum(pairs.weight)
    return chance_corrected(
        xp,
        divided(xp, xp.sum(pairs.weight * pairs.observed), total),
        divided(xp, xp.sum(pairs.weight * pairs.expected), total),
        total == 0,
        NO_SHARED_ITEM,
        whole,
    )


lin_ccc = Kernel(
    "lin_ccc",
    concordance_statistics,
    lin_ccc_formula,
    "Concordance of numbers, pooled over pairs",
    options=(("min_common", MIN_COMMON),),
    common=middle_of_all,
    several_middles=True,
    weighs_annotators=False,
)


def pairs_of_numbers(
    sums: ConcordanceStatistics,
    annotator_weight: Array,
    disagreement: Array | None,
    min_common: Array | float = MIN_COMMON,
) -> PairCounts:
    """Count the pairs that are pooled, from NumPy sums."""
    counted = _pairs(sums, annotator_weight, min_common).weight > 0
    shared: Array = sums.shared.sum(axis=-1)
    common = tuple(float(x) for x in shared[counted])
    return PairCounts(len(common), 0, common)
