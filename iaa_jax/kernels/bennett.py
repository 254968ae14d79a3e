"""Bennett, Alpert and Goldstein's S; Brennan and Prediger; Randolph; PABAK: uniform chance."""

from __future__ import annotations

from iaa_jax.kernels.agreement import Agreement, chance_corrected
from iaa_jax.kernels.counts import RatingStatistics, observed_disagreement, rating_statistics
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.namespace import Array, namespace


def brennan_prediger_formula(
    sums: RatingStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """``D_e``: the mean of D over all pairs of labels."""
    xp = namespace(sums.disagreement, disagreement)
    labels = sums.proportions.shape[0]
    chance = 1 - 1 / labels if disagreement is None else xp.mean(disagreement)
    observed = observed_disagreement(xp, sums)
    return chance_corrected(xp, observed, chance * xp.ones_like(observed), sums.pairable == 0)


brennan_prediger = Kernel(
    "brennan_prediger",
    rating_statistics,
    brennan_prediger_formula,
    "Agreement beyond uniform chance over the labels",
)

bennett_s = brennan_prediger
randolph_kappa = brennan_prediger
pabak = brennan_prediger
