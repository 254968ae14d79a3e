"""Hubert's kappa: annotators agree on an item only where all of them do.

Annotators of weight 0 are left out; other weights, and an agreement between labels, change nothing.
"""

from __future__ import annotations

from typing import NamedTuple

from iaa_jax._errors import NO_COMPLETE_ITEM
from iaa_jax.kernels.agreement import Agreement, chance_corrected, disagreement_with
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.namespace import Array, Namespace, divided, namespace
from iaa_jax.kernels.raters import Raters, annotator_by_annotator


class UnanimityStatistics(NamedTuple):
    """What Hubert's kappa needs of an item that every annotator rated."""

    complete: Array  # (item,)
    disagreement: Array  # (item,) 1 where not all have the same label
    labels: Array  # (item, annotator, label) m_ial


def unanimity_statistics(
    mass: Array, raters: Raters, disagreement: Array | None
) -> UnanimityStatistics:
    """Statistics of each item for Hubert's kappa; items with a gap do not count."""
    xp = namespace(mass, raters.weight, raters.annotator_of)
    mass, raters = annotator_by_annotator(xp, mass, raters)
    included = raters.weight > 0
    rated = ~xp.any(xp.isnan(mass), axis=-1)
    complete = xp.all(rated | ~included, axis=1) & (xp.sum(xp.astype(included, xp.int32)) >= 2)
    counted = complete[:, None] & rated
    labels = xp.where(counted[..., None], mass, 0)
    whole = xp.astype(complete, mass.dtype)
    return UnanimityStatistics(whole, whole * _not_all_alike(xp, labels, included), labels)


def _not_all_alike(xp: Namespace, masses: Array, included: Array) -> Array:
    """Chance that labels drawn from the masses (..., annotator, label) are not all the same.

    Added up, never taken from 1: where one label has every mass it is exactly 0.
    """
    alike = xp.ones_like(masses[..., 0, :])  # chance that all so far have drawn this label
    not_alike = xp.zeros_like(masses[..., 0, 0])
    before = xp.zeros_like(included[0])
    for annotator in range(masses.shape[-2]):
        mass, counts = masses[..., annotator, :], included[annotator]
        lost = xp.sum(alike * disagreement_with(mass, None), axis=-1)
        not_alike = xp.where(counts & before, not_alike + lost, not_alike)
        alike = xp.where(counts, alike * mass, alike)
        before = before | counts
    return not_alike


def hubert_kappa_formula(
    sums: UnanimityStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """``D_e = 1 - sum_l prod_a p_al``, margins on the items that all rated."""
    xp = namespace(sums.complete, annotator_weight)
    margins = divided(xp, sums.labels, sums.complete)
    return chance_corrected(
        xp,
        divided(xp, sums.disagreement, sums.complete),
        _not_all_alike(xp, margins, annotator_weight > 0),
        sums.complete == 0,
        NO_COMPLETE_ITEM,
    )


hubert_kappa = Kernel(
    "hubert_kappa",
    unanimity_statistics,
    hubert_kappa_formula,
    "Agreement of all annotators at once beyond chance",
)
