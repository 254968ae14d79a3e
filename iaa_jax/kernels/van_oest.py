"""Van Oest's Ir2: one pooled label margin, with a uniform prior on it.

Equation::

    Ir2 = 1 - D_o / D_e,    D_e = pi' D pi,    pi_l = (N_l + 1) / (N + L)

with D_o the observed disagreement, D the disagreement of labels, N the number of ratings, N_l = N
times the weighted share of label l, and L the number of labels.

Van Oest, R. (2019). https://doi.org/10.1037/met0000183
"""

from __future__ import annotations

from typing import NamedTuple

from iaa_jax.kernels.agreement import Agreement, chance_corrected, mean_disagreement
from iaa_jax.kernels.counts import pair_disagreement, weighted_ratings
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.namespace import Array, divided, namespace
from iaa_jax.kernels.raters import Raters
from iaa_jax.kernels.weighing import Weighing


class PriorStatistics(NamedTuple):
    """The statistics of an item for Ir2."""

    pairable: Array  # (item,) 1 if two or more ratings count
    disagreement: Array  # (item,) mean disagreement of the item's pairs
    count: Array  # (item,) number of ratings by annotators with positive weight
    ratings: Array  # (item,) sum of the ratings' weights
    labels: Array  # (item, label) weighted sum of the ratings' masses


def prior_statistics(mass: Array, raters: Raters, disagreement: Array | None) -> PriorStatistics:
    """Return the statistics of each item."""
    xp = namespace(mass, raters.weight, disagreement)
    counted = weighted_ratings(mass, raters)
    return PriorStatistics(
        counted.pairable,
        pair_disagreement(counted, disagreement),
        xp.sum(xp.astype(counted.weight > 0, mass.dtype), axis=1),
        counted.ratings,
        counted.labels,
    )


def van_oest_ir2_formula(
    sums: PriorStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Return Ir2."""
    xp = namespace(sums.labels, disagreement)
    labels = sums.labels.shape[0]
    shares = divided(xp, sums.labels, sums.ratings)
    pi = (sums.count * shares + 1) / (sums.count + labels)
    return chance_corrected(
        xp,
        divided(xp, sums.disagreement, sums.pairable),
        mean_disagreement(pi, disagreement),
        sums.pairable == 0,
    )


van_oest_ir2 = Kernel(
    "van_oest_ir2",
    prior_statistics,
    van_oest_ir2_formula,
    "Agreement beyond chance under a smoothed label distribution",
    weighing=Weighing(products=("disagreement",), weights=("labels",)),
)
