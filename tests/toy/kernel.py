"""Maxwell's RE: chance is one half, whatever the labels."""

from __future__ import annotations

from iaa_jax.kernels.agreement import Agreement, chance_corrected
from iaa_jax.kernels.counts import RatingStatistics, observed_disagreement, rating_statistics
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.namespace import Array, namespace


def maxwell_re_formula(
    sums: RatingStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """``D_e``: one half."""
    xp = namespace(sums.disagreement, disagreement)
    observed = observed_disagreement(xp, sums)
    return chance_corrected(xp, observed, 0.5 * xp.ones_like(observed), sums.pairable == 0)


maxwell_re = Kernel(
    "maxwell_re", rating_statistics, maxwell_re_formula, "Twice the observed agreement, less one"
)
