"""Bennett, Alpert and Goldstein's S; Brennan and Prediger; Randolph; PABAK: uniform chance."""

from __future__ import annotations

from iaa_jax.kernels.counts import RatingStatistics, rating_kernel
from iaa_jax.kernels.namespace import Array, Namespace


def _expected(xp: Namespace, sums: RatingStatistics, disagreement: Array | None) -> Array | float:
    """``D_e``: the mean of D over all pairs of labels."""
    return 1 - 1 / sums.proportions.shape[0] if disagreement is None else xp.mean(disagreement)


brennan_prediger = rating_kernel(
    "brennan_prediger", _expected, "Agreement beyond uniform chance over the labels"
)

bennett_s = brennan_prediger
randolph_kappa = brennan_prediger
pabak = brennan_prediger
