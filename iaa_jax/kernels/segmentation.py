"""Boundaries of segments: their similarity, and the windows at which they differ.

The data are those of `iaa_jax.kernels.pair_shares`, with one label: for each pair of annotators of
an item what they share, or differ by, and of how much.
"""

from __future__ import annotations

from dataclasses import replace

from iaa_jax._errors import NO_BOUNDARY, NO_WINDOW
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.namespace import Array, namespace
from iaa_jax.kernels.pair_shares import ShareStatistics, share_of, share_statistics


def boundary_similarity_formula(
    sums: ShareStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Boundaries in common, near misses in part, of all."""
    xp = namespace(sums.matched)
    return share_of(xp, xp.sum(sums.matched), xp.sum(sums.marked), NO_BOUNDARY)


def window_formula(
    sums: ShareStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Windows that differ, of all: a distance; the observed agreement is the others."""
    xp = namespace(sums.matched)
    found = share_of(xp, xp.sum(sums.matched), xp.sum(sums.marked), NO_WINDOW)
    return found._replace(observed=1 - found.estimate)


boundary_similarity = Kernel(
    "boundary_similarity",
    share_statistics,
    boundary_similarity_formula,
    "Boundary similarity, pooled over pairs of annotators",
)
window_diff = Kernel(
    "window_diff",
    share_statistics,
    window_formula,
    "Windows with other numbers of boundaries, pooled over pairs of annotators",
)
pk = replace(window_diff, name="pk", summary="Windows whose ends only one put into one segment")
