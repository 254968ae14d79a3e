"""Gwet's AC1 and AC2: chance falls on the ratings that are hard, not on all."""

from __future__ import annotations

from dataclasses import replace

from iaa_jax.kernels.agreement import mean_disagreement
from iaa_jax.kernels.counts import RatingStatistics, label_proportions, rating_kernel
from iaa_jax.kernels.namespace import Array, Namespace


def _expected(xp: Namespace, sums: RatingStatistics, disagreement: Array | None) -> Array | float:
    """``p_e = sum(S) sum_l pi_l (1 - pi_l) / (L (L - 1))``, and ``D_e = 1 - p_e``."""
    labels = sums.proportions.shape[0]
    if labels < 2:
        return 0.0
    pi = label_proportions(xp, sums)
    agreement = labels if disagreement is None else labels * labels - xp.sum(disagreement)
    return 1 - agreement * mean_disagreement(pi, None) / (labels * (labels - 1))


gwet_ac2 = rating_kernel("gwet_ac2", _expected, "AC1 with an agreement between labels")

gwet_ac1 = replace(gwet_ac2, name="gwet_ac1", summary="Gwet's first agreement coefficient")
