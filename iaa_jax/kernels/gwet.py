"""Gwet's AC1 and AC2: chance falls on the ratings that are hard, not on all."""

from __future__ import annotations

from iaa_jax.kernels.agreement import Agreement, chance_corrected, evaluate, mean_disagreement
from iaa_jax.kernels.counts import (
    RatingStatistics,
    label_proportions,
    observed_disagreement,
    rating_statistics,
)
from iaa_jax.kernels.namespace import Array, namespace


def gwet_ac2(
    mass: Array,
    *,
    item_weight: Array | None = None,
    annotator_weight: Array | None = None,
    label_agreement: Array | None = None,
    annotator_of: Array | None = None,
) -> Agreement:
    """AC1 with an agreement between labels: see `iaa_jax.gwet_ac2`."""
    return evaluate(
        rating_statistics,
        gwet_formula,
        mass,
        item_weight,
        annotator_weight,
        label_agreement,
        annotator_of,
    )


def gwet_ac1(
    mass: Array,
    *,
    item_weight: Array | None = None,
    annotator_weight: Array | None = None,
    label_agreement: Array | None = None,
    annotator_of: Array | None = None,
) -> Agreement:
    """Gwet's first agreement coefficient: see `iaa_jax.gwet_ac1`."""
    return gwet_ac2(
        mass,
        item_weight=item_weight,
        annotator_weight=annotator_weight,
        label_agreement=label_agreement,
        annotator_of=annotator_of,
    )


def gwet_formula(
    sums: RatingStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """``p_e = sum(S) sum_l pi_l (1 - pi_l) / (L (L - 1))``."""
    xp = namespace(sums.proportions, disagreement)
    labels = sums.proportions.shape[0]
    observed = observed_disagreement(xp, sums)
    nothing = sums.pairable == 0
    if labels < 2:
        return chance_corrected(xp, observed, xp.zeros_like(observed), nothing)
    pi = label_proportions(xp, sums)
    agreement = labels if disagreement is None else labels * labels - xp.sum(disagreement)
    chance = agreement * mean_disagreement(pi, None) / (labels * (labels - 1))
    return chance_corrected(xp, observed, 1 - chance, nothing)
