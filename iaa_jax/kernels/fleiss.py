"""Scott's pi and its generalisation by Fleiss (Siegel and Castellan): one pooled label margin."""

from __future__ import annotations

from dataclasses import replace

from iaa_jax.kernels.agreement import Agreement, chance_corrected, mean_disagreement
from iaa_jax.kernels.counts import (
    RatingStatistics,
    label_proportions,
    observed_disagreement,
    rating_statistics,
)
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.namespace import Array, namespace


def fleiss_kappa_formula(
    sums: RatingStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """``D_e = pi' D pi``, exactly 0 when one label took everything."""
    xp = namespace(sums.proportions, disagreement)
    pi = label_proportions(xp, sums)
    return chance_corrected(
        xp, observed_disagreement(xp, sums), mean_disagreement(pi, disagreement), sums.pairable == 0
    )


fleiss_kappa = Kernel(
    "fleiss_kappa",
    rating_statistics,
    fleiss_kappa_formula,
    "Agreement beyond chance under one label distribution",
)

scott_pi = replace(
    fleiss_kappa, name="scott_pi", summary="Scott's pi, for more than two annotators Fleiss' kappa"
)
