"""Scott's pi and its generalisation by Fleiss (Siegel and Castellan): one pooled label margin."""

from __future__ import annotations

from dataclasses import replace

from iaa_jax.kernels.agreement import mean_disagreement
from iaa_jax.kernels.counts import RatingStatistics, label_proportions, rating_kernel
from iaa_jax.kernels.namespace import Array, Namespace


def _expected(xp: Namespace, sums: RatingStatistics, disagreement: Array | None) -> Array:
    """``D_e = pi' D pi``, exactly 0 when one label took everything."""
    return mean_disagreement(label_proportions(xp, sums), disagreement)


fleiss_kappa = rating_kernel(
    "fleiss_kappa", _expected, "Agreement beyond chance under one label distribution"
)

scott_pi = replace(
    fleiss_kappa, name="scott_pi", summary="Scott's pi, for more than two annotators Fleiss' kappa"
)
