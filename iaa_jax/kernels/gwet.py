"""Gwet's AC1 and AC2: chance falls on the ratings that are hard, not on all."""

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


gwet_ac2 = Kernel(
    "gwet_ac2", rating_statistics, gwet_formula, "AC1 with an agreement between labels"
)

gwet_ac1 = replace(gwet_ac2, name="gwet_ac1", summary="Gwet's first agreement coefficient")
