"""Scott's pi and its generalisation by Fleiss (Siegel and Castellan): one pooled label margin."""

from __future__ import annotations

from iaa_jax.kernels.agreement import Agreement, chance_corrected, evaluate, mean_disagreement
from iaa_jax.kernels.counts import (
    RatingStatistics,
    label_proportions,
    observed_disagreement,
    rating_statistics,
)
from iaa_jax.kernels.namespace import Array, namespace


def fleiss_kappa(
    mass: Array,
    *,
    item_weight: Array | None = None,
    annotator_weight: Array | None = None,
    label_agreement: Array | None = None,
    annotator_of: Array | None = None,
) -> Agreement:
    """Agreement beyond chance under one label distribution: see `iaa_jax.fleiss_kappa`."""
    return evaluate(
        rating_statistics,
        fleiss_kappa_formula,
        mass,
        item_weight,
        annotator_weight,
        label_agreement,
        annotator_of,
    )


def fleiss_kappa_formula(
    sums: RatingStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """``D_e = pi' D pi``, exactly 0 when one label took everything."""
    xp = namespace(sums.proportions, disagreement)
    pi = label_proportions(xp, sums)
    return chance_corrected(
        xp, observed_disagreement(xp, sums), mean_disagreement(pi, disagreement), sums.pairable == 0
    )


def scott_pi(
    mass: Array,
    *,
    item_weight: Array | None = None,
    annotator_weight: Array | None = None,
    label_agreement: Array | None = None,
    annotator_of: Array | None = None,
) -> Agreement:
    """Scott's pi, for more than two annotators Fleiss' kappa: see `iaa_jax.scott_pi`."""
    return fleiss_kappa(
        mass,
        item_weight=item_weight,
        annotator_weight=annotator_weight,
        label_agreement=label_agreement,
        annotator_of=annotator_of,
    )
