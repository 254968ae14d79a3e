"""Statistics of each item, for exchangeable ratings: who gave which rating does not count.

With v_a the annotator weights, o_ia = 1 if annotator a rated item i and otherwise 0, m_ia the mass
of the rating (its share on each label) and D the disagreement of labels, 1 minus their agreement::

    r_il = sum_a v_a o_ia m_ial      n_i = sum_a v_a o_ia      q_i = sum_a (v_a o_ia)^2
    pairs_i = n_i^2 - q_i            disagree_i = sum_a v_a m_ia' D (r_i - v_a m_ia)

Pairs of a rating with itself are subtracted explicitly, so the equations also hold if ratings are
divided over labels, if ratings are missing, and if annotators are weighted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from iaa_jax.kernels.agreement import (
    Agreement,
    chance_corrected,
    disagreement_with,
    symmetrize,
)
from iaa_jax.kernels.independent import (
    DisagreementTerms,
    IndependentItems,
    LargestTerms,
    largest_disagreement,
    symmetric,
)
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.namespace import Array, Namespace, divided, namespace
from iaa_jax.kernels.raters import Raters
from iaa_jax.kernels.weighing import Weighing


class WeightedRatings(NamedTuple):
    """The ratings of each item, multiplied by the annotator weights."""

    weighted_mass: Array  # (item, annotator, label) v_a o_ia m_ial
    weight: Array  # (item, annotator) v_a o_ia
    ratings: Array  # (item,) n_i
    pairs: Array  # (item,) n_i^2 - q_i
    labels: Array  # (item, label) r_il
    pairable: Array  # (item,) 1 if two or more ratings count


def weighted_ratings(mass: Array, raters: Raters) -> WeightedRatings:
    """Return counts and label sums of each item; a missing rating is a row of NaN."""
    v = raters.rating_weight()
    xp = namespace(mass, v)
    rated = ~xp.any(xp.isnan(mass), axis=-1)
    weight = xp.where(rated, v, 0)
    filled = xp.where(rated[..., None], mass, 0)
    weighted_mass = weight[..., None] * filled
    ratings = xp.sum(weight, axis=1)
    # from the number of ratings, because pairs > 0 may be wrong by rounding
    pairable = xp.sum(xp.astype(rated & (v > 0), xp.int32), axis=1) >= 2
    return WeightedRatings(
        weighted_mass,
        weight,
        ratings,
        ratings * ratings - xp.sum(weight * weight, axis=1),
        xp.sum(weighted_mass, axis=1),
        xp.astype(pairable, mass.dtype),
    )


def pair_disagreement(counted: WeightedRatings, disagreement: Array | None) -> Array:
    """Return the mean disagreement of an item's pairs of ratings, 0 without a pair: (item,)."""
    xp = namespace(counted.weighted_mass, disagreement)
    others = counted.labels[:, None, :] - counted.weighted_mass
    against = disagreement_with(others, None if disagreement is None else symmetrize(disagreement))
    total = xp.sum(counted.weighted_mass * against, axis=(1, 2))
    pairable = counted.pairable > 0
    pairs = xp.where(pairable, counted.pairs, xp.ones_like(counted.pairs))
    return xp.where(pairable, total / pairs, xp.zeros_like(total))


class RatingStatistics(NamedTuple):
    """The statistics of an item for the coefficients of exchangeable ratings."""

    rated: Array  # (item,) 1 if any annotator with weight rated the item
    pairable: Array  # (item,) 1 if two or more ratings count
    disagreement: Array  # (item,) mean disagreement of the item's pairs
    proportions: Array  # (item, label) r_il / n_i


def rating_statistics(mass: Array, raters: Raters, disagreement: Array | None) -> RatingStatistics:
    """Return the statistics of each item."""
    xp = namespace(mass, raters.weight, disagreement)
    counted = weighted_ratings(mass, raters)
    return RatingStatistics(
        xp.astype(counted.ratings != 0, mass.dtype),
        counted.pairable,
        pair_disagreement(counted, disagreement),
        divided(xp, counted.labels, counted.ratings[:, None]),
    )


def observed_disagreement(xp: Namespace, sums: RatingStatistics) -> Array:
    """Return D_o, the mean disagreement over the items with a pair."""
    return divided(xp, sums.disagreement, sums.pairable)


def label_proportions(xp: Namespace, sums: RatingStatistics) -> Array:
    """Return pi, the mean label proportions over rated items."""
    return divided(xp, sums.proportions, sums.rated)


ExpectedDisagreement = Callable[[Namespace, RatingStatistics, Array | None], Array | float]

ExpectedOfTwo = Callable[[Namespace, RatingStatistics, RatingStatistics, Array | None], Array]


def independent_items(
    size: int,
    expected: ExpectedOfTwo,
    *,
    of_chance: bool,
    from_zero: Callable[[int, Array | None], bool] = lambda *_: True,
) -> IndependentItems:
    """Return the terms of observed and expected disagreement: see `IndependentItems`.

    ``expected`` is the expected term of two items. If the expected term is constant, one item
    (``size`` 1) is used twice. If it depends on the label shares (``of_chance``), every rated item
    must have a pair, because the observed disagreement is a mean over items with pairs, but label
    shares are means over rated items. ``from_zero`` tells, from the number of labels and the
    disagreement, whether expected terms are never negative.
    """

    def terms(
        items: Sequence[RatingStatistics], _: Array, disagreement: Array | None
    ) -> DisagreementTerms:
        xp = namespace(items[0].disagreement, disagreement)
        two = items if size > 1 else (items[0], items[0])
        return DisagreementTerms(
            symmetric(lambda one, other: one.disagreement * other.pairable, two),
            symmetric(
                lambda one, other: (
                    one.pairable * other.pairable * expected(xp, one, other, disagreement)
                ),
                two,
            ),
        )

    def largest(statistics: RatingStatistics, disagreement: Array | None, _: float) -> LargestTerms:
        return LargestTerms(
            largest_disagreement(disagreement), max(1.0, largest_disagreement(disagreement))
        )

    def holds(statistics: RatingStatistics, disagreement: Array | None) -> bool:
        xp = namespace(statistics.rated)
        same_items = not of_chance or bool(xp.all(statistics.rated == statistics.pairable))
        return same_items and from_zero(statistics.proportions.shape[-1], disagreement)

    return IndependentItems(size, terms, largest, holds)


def rating_kernel(
    name: str,
    expected_disagreement: ExpectedDisagreement,
    summary: str,
    independent: IndependentItems | None = None,
) -> Kernel:
    """Return the kernel of a coefficient ``1 - D_o / D_e`` of exchangeable ratings, given its D_e.

    ``expected_disagreement`` is ``(xp, sums, disagreement) -> D_e``, from the sums of
    `RatingStatistics` and the disagreement (label, label), which is None for nominal labels.
    """

    def formula(
        sums: RatingStatistics, annotator_weight: Array, disagreement: Array | None
    ) -> Agreement:
        xp = namespace(sums.disagreement, disagreement)
        observed = observed_disagreement(xp, sums)
        expected = expected_disagreement(xp, sums, disagreement) * xp.ones_like(observed)
        return chance_corrected(xp, observed, expected, sums.pairable == 0)

    weighing = Weighing(products=("disagreement",), weights=("proportions",))
    return Kernel(
        name, rating_statistics, formula, summary, weighing=weighing, independent=independent
    )
