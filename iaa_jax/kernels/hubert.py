"""Hubert's kappa: an item counts as agreement only if all annotators agree.

Equation::

    kappa = 1 - D_o / D_e,    D_e = 1 - sum_l prod_a p_al

with D_o the share of items without unanimity and p_a the label shares of annotator a, both over
the items that every annotator rated. Annotators of weight 0 are left out. Other annotator weights
and a label agreement have no effect.

Hubert, L. (1977). https://doi.org/10.1037/0033-2909.84.2.289
"""

from __future__ import annotations

from typing import NamedTuple

from iaa_jax._errors import NO_COMPLETE_ITEM
from iaa_jax.kernels.agreement import Agreement, chance_corrected, disagreement_with
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.namespace import Array, Namespace, divided, namespace
from iaa_jax.kernels.raters import Raters, annotator_by_annotator


class UnanimityStatistics(NamedTuple):
    """The statistics of an item for Hubert's kappa; zero for incomplete items."""

    complete: Array  # (item,) 1 if every annotator rated the item
    disagreement: Array  # (item,) probability that the labels differ: 0 or 1 for single labels
    labels: Array  # (item, annotator, label) the rating's mass: its share on each label


def unanimity_statistics(
    mass: Array, raters: Raters, disagreement: Array | None
) -> UnanimityStatistics:
    """Return the statistics of each item."""
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
    """Return the probability that labels drawn from masses (..., annotator, label) differ.

    It is computed as a sum, not as 1 minus a sum, so it is exactly 0 if one label has all mass.
    """
    same = xp.ones_like(masses[..., 0, :])  # probability that all annotators so far drew this label
    differ = xp.zeros_like(masses[..., 0, 0])
    before = xp.zeros_like(included[0])
    for annotator in range(masses.shape[-2]):
        mass, counts = masses[..., annotator, :], included[annotator]
        lost = xp.sum(same * disagreement_with(mass, None), axis=-1)
        differ = xp.where(counts & before, differ + lost, differ)
        same = xp.where(counts, same * mass, same)
        before = before | counts
    return differ


def hubert_kappa_formula(
    sums: UnanimityStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Return Hubert's kappa."""
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
    "Unanimity of all annotators beyond chance",
)
