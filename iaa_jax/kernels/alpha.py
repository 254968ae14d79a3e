"""Krippendorff's alpha for labels: with a fixed agreement between labels, or the ordinal metric.

With a fixed agreement S::

    alpha = 1 - D_o / D_e
    D_o = sum_i n_i d_i / N       D_e = r' D r / (N^2 - N)

with n_i the number of ratings of an item that has at least two, d_i the mean disagreement of the
item's pairs of ratings, r the label totals, N = sum_i n_i and D = 1 - S. D_e leaves out pairs of a
rating with itself, even if ratings are divided over labels or annotators are weighted.

In the comments below, v_a is the weight of annotator a, m_ia the mass of the rating of item i (its
share on each label), r_il the sum of v_a m_ial over annotators, and q_i the sum of v_a^2. With
weights, n_i is the sum of v_a, and pairs_i is n_i^2 - q_i.

Hayes, A. F. and Krippendorff, K. (2007). https://doi.org/10.1080/19312450709336664
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from operator import attrgetter
from typing import Any, NamedTuple

from iaa_jax.kernels.agreement import (
    Agreement,
    chance_corrected,
    disagreement_with,
    mean_disagreement,
)
from iaa_jax.kernels.counts import pair_disagreement, weighted_ratings
from iaa_jax.kernels.independent import (
    DisagreementTerms,
    IndependentItems,
    LargestTerms,
    largest_disagreement,
    symmetric,
)
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.namespace import Array, divided, namespace
from iaa_jax.kernels.raters import Raters
from iaa_jax.kernels.weighing import Weighing


class AlphaStatistics(NamedTuple):
    """The statistics of an item for alpha; zero if the item has no pair."""

    ratings: Array  # (item,) n_i
    disagreement: Array  # (item,) n_i times the mean disagreement of its pairs
    labels: Array  # (item, label) r_il
    self_pairs: Array  # (item,) q_i
    self_disagreement: Array  # (item,) sum_a v_a^2 m_ia' D m_ia, 0 for single labels


def alpha_statistics(mass: Array, raters: Raters, disagreement: Array | None) -> AlphaStatistics:
    """Return the statistics of each item."""
    xp = namespace(mass, raters.weight, disagreement)
    counted = weighted_ratings(mass, raters)
    pairable = counted.pairable
    ratings = pairable * counted.ratings
    return AlphaStatistics(
        ratings,
        ratings * pair_disagreement(counted, disagreement),
        pairable[:, None] * counted.labels,
        pairable * xp.sum(counted.weight * counted.weight, axis=1),
        pairable * xp.sum(mean_disagreement(counted.weighted_mass, disagreement), axis=1),
    )


def krippendorff_alpha_formula(
    sums: AlphaStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Return alpha."""
    xp = namespace(sums.labels, disagreement)
    all_pairs = mean_disagreement(sums.labels, disagreement) - sums.self_disagreement
    return chance_corrected(
        xp,
        divided(xp, sums.disagreement, sums.ratings),
        divided(xp, all_pairs, sums.ratings * sums.ratings - sums.self_pairs),
        sums.ratings == 0,
    )


def _two_item_terms(
    items: Sequence[AlphaStatistics], _: Array, disagreement: Array | None
) -> DisagreementTerms:
    """Return, for items i and j, ``n_i n_j (d_i + d_j) / 2`` and the distances of their ratings.

    The distances are summed over all pairs of a rating of i and a rating of j.
    """
    xp = namespace(items[0].labels, disagreement)
    return DisagreementTerms(
        symmetric(lambda one, other: one.disagreement * other.ratings, items),
        symmetric(
            lambda one, other: xp.sum(
                disagreement_with(one.labels, disagreement) * other.labels, axis=-1
            ),
            items,
        ),
    )


def _largest_of_two(
    statistics: AlphaStatistics, disagreement: Array | None, _: float
) -> LargestTerms:
    ratings = float(namespace(statistics.ratings).max(statistics.ratings))
    largest = ratings * ratings * largest_disagreement(disagreement)
    return LargestTerms(largest, largest)


krippendorff_alpha = Kernel(
    "krippendorff_alpha",
    alpha_statistics,
    krippendorff_alpha_formula,
    "Alpha for a fixed agreement between labels",
    quadratic="labels",
    weighing=Weighing(
        products=("disagreement",), weights=("labels",), squares=("self_disagreement",)
    ),
    independent=IndependentItems(2, _two_item_terms, _largest_of_two, factor=attrgetter("ratings")),
)


class CoincidenceStatistics(NamedTuple):
    """The statistics of an item for alpha with a metric that depends on the label totals."""

    ratings: Array  # (item,) n_i
    coincidences: Array  # (item, label, label) n_i / pairs_i times the item's pairs of two labels
    labels: Array  # (item, label) r_il
    self_pairs: Array  # (item,) q_i
    self_coincidences: Array  # (item, label, label) sum_a v_a^2 m_ia m_ia'


def coincidence_statistics(
    mass: Array, raters: Raters, disagreement: Array | None
) -> CoincidenceStatistics:
    """Return the statistics of each item."""
    xp = namespace(mass, raters.weight)
    counted = weighted_ratings(mass, raters)
    mass, pairable = counted.weighted_mass, counted.pairable[:, None, None]
    self_pairs = xp.matrix_transpose(mass) @ mass
    labels = counted.labels
    pairs = xp.where(counted.pairable > 0, counted.pairs, xp.ones_like(counted.pairs))
    scale = (counted.pairable * counted.ratings / pairs)[:, None, None]
    return CoincidenceStatistics(
        counted.pairable * counted.ratings,
        scale * (labels[:, :, None] * labels[:, None, :] - self_pairs),
        counted.pairable[:, None] * labels,
        counted.pairable * xp.sum(counted.weight * counted.weight, axis=1),
        pairable * self_pairs,
    )


def krippendorff_alpha_ordinal_formula(
    sums: CoincidenceStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Return alpha for squared differences of mid-ranks, computed from weighted label totals."""
    xp = namespace(sums.labels)
    totals = sums.labels
    middle = xp.cumulative_sum(totals) - totals / 2
    metric = (middle[:, None] - middle[None, :]) ** 2
    all_pairs = totals @ metric @ totals - xp.sum(sums.self_coincidences * metric)
    return chance_corrected(
        xp,
        divided(xp, xp.sum(sums.coincidences * metric), sums.ratings),
        divided(xp, all_pairs, sums.ratings * sums.ratings - sums.self_pairs),
        sums.ratings == 0,
    )


def _four_item_terms(
    items: Sequence[CoincidenceStatistics], _: Array, __: Array | None
) -> DisagreementTerms:
    """Return the mean terms over all ways to split four items into two and two.

    Two items provide the pairs of ratings, and the other two the distances of labels: an unbiased
    estimate of the distance ``(M_c - M_k)^2`` of mid-ranks M is ``(u_c - u_k) (v_c - v_k)``, where
    u and v are the mid-ranks among the ratings of each of the other two items.
    """
    xp = namespace(items[0].labels)
    ranks = [xp.cumulative_sum(each.labels, axis=-1) - each.labels / 2 for each in items]
    observed: Any = 0.0
    expected: Any = 0.0
    for one, other in combinations(range(4), 2):
        u, v = (ranks[each] for each in range(4) if each not in (one, other))
        metric = (u[:, :, None] - u[:, None, :]) * (v[:, :, None] - v[:, None, :])
        first, second = items[one], items[other]
        within = [xp.sum(each.coincidences * metric, axis=(1, 2)) for each in (first, second)]
        observed = observed + (within[0] * second.ratings + within[1] * first.ratings) / 2
        between = xp.sum(first.labels[:, :, None] * metric, axis=1) * second.labels
        expected = expected + xp.sum(between, axis=-1)
    return DisagreementTerms(observed / 6, expected / 6)


def _largest_of_four(statistics: CoincidenceStatistics, _: Array | None, __: float) -> LargestTerms:
    """Return the largest possible terms.

    The factors come from enumerating all labels that four items with two ratings each can have.
    """
    ratings = float(namespace(statistics.ratings).max(statistics.ratings)) ** 4
    return LargestTerms(ratings / (4 if statistics.labels.shape[-1] == 2 else 3), ratings / 6)


krippendorff_alpha_ordinal = Kernel(
    "krippendorff_alpha_ordinal",
    coincidence_statistics,
    krippendorff_alpha_ordinal_formula,
    "Alpha with the ordinal metric, labels in order: see `iaa_jax.krippendorff_alpha`",
    weighing=Weighing(
        products=("coincidences",), weights=("labels",), squares=("self_coincidences",)
    ),
    independent=IndependentItems(
        4, _four_item_terms, _largest_of_four, factor=attrgetter("ratings")
    ),
)
