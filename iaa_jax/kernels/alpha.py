"""Krippendorff's alpha over labels: any agreement between labels, and the ordinal metric."""

from __future__ import annotations

from typing import NamedTuple

from iaa_jax.kernels.agreement import (
    Agreement,
    chance_corrected,
    mean_disagreement,
)
from iaa_jax.kernels.counts import pair_disagreement, weighted_ratings
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.namespace import Array, divided, namespace
from iaa_jax.kernels.raters import Raters
from iaa_jax.kernels.weighing import Weighing


class AlphaStatistics(NamedTuple):
    """What alpha needs of an item; zero where the item has no pair."""

    ratings: Array  # (item,) n_i
    disagreement: Array  # (item,) n_i times the mean disagreement of its pairs
    labels: Array  # (item, label) r_il
    self_pairs: Array  # (item,) q_i
    self_disagreement: Array  # (item,) sum_a v_a^2 m_ia' D m_ia, 0 for single labels


def alpha_statistics(mass: Array, raters: Raters, disagreement: Array | None) -> AlphaStatistics:
    """Statistics of each item for alpha."""
    xp = namespace(mass, raters.weight, disagreement)
    counted = weighted_ratings(mass, raters)
    pairable, own = counted.pairable, counted.weighted_mass
    ratings = pairable * counted.ratings
    return AlphaStatistics(
        ratings,
        ratings * pair_disagreement(counted, disagreement),
        pairable[:, None] * counted.labels,
        pairable * xp.sum(counted.weight * counted.weight, axis=1),
        pairable * xp.sum(mean_disagreement(own, disagreement), axis=1),
    )


def krippendorff_alpha_formula(
    sums: AlphaStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """D_o over the pairs within items, D_e over the pairs of all ratings, self-pairs left out."""
    xp = namespace(sums.labels, disagreement)
    all_pairs = mean_disagreement(sums.labels, disagreement) - sums.self_disagreement
    return chance_corrected(
        xp,
        divided(xp, sums.disagreement, sums.ratings),
        divided(xp, all_pairs, sums.ratings * sums.ratings - sums.self_pairs),
        sums.ratings == 0,
    )


krippendorff_alpha = Kernel(
    "krippendorff_alpha",
    alpha_statistics,
    krippendorff_alpha_formula,
    "Alpha for a fixed agreement between labels",
    quadratic="labels",
    weighing=Weighing(
        products=("disagreement",), weights=("labels",), squares=("self_disagreement",)
    ),
)


class CoincidenceStatistics(NamedTuple):
    """What alpha needs of an item when the agreement between labels moves with the weights."""

    ratings: Array  # (item,) n_i
    coincidences: Array  # (item, label, label) n_i / pairs_i times the label pairs of the item
    labels: Array  # (item, label) r_il
    self_pairs: Array  # (item,) q_i
    self_coincidences: Array  # (item, label, label) sum_a v_a^2 m_ia m_ia'


def coincidence_statistics(
    mass: Array, raters: Raters, disagreement: Array | None
) -> CoincidenceStatistics:
    """Statistics of each item for alpha with a metric made from the label totals."""
    xp = namespace(mass, raters.weight)
    counted = weighted_ratings(mass, raters)
    own, pairable = counted.weighted_mass, counted.pairable[:, None, None]
    self_pairs = xp.matrix_transpose(own) @ own
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
    """The squared difference of mid-ranks, which are those of the weighted label totals."""
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


krippendorff_alpha_ordinal = Kernel(
    "krippendorff_alpha_ordinal",
    coincidence_statistics,
    krippendorff_alpha_ordinal_formula,
    "Alpha with the ordinal metric, labels in order: see `iaa_jax.krippendorff_alpha`",
    weighing=Weighing(
        products=("coincidences",), weights=("labels",), squares=("self_coincidences",)
    ),
)
