"""Boundary similarity, WindowDiff and Pk of segmentations.

The data are (item, annotator, annotator, 2, 1): for each pair of annotators of an item, the number
of matched boundaries or differing windows, and the largest possible number. They are summed as in
`iaa_jax.kernels.pair_shares`.
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
    """Return the matched share of all boundaries; near misses count as partial matches."""
    xp = namespace(sums.matched)
    return share_of(xp, xp.sum(sums.matched), xp.sum(sums.marked), NO_BOUNDARY)


def window_formula(
    sums: ShareStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Return a distance, the share of windows that differ; observed agreement is 1 minus it."""
    xp = namespace(sums.matched)
    agreement = share_of(xp, xp.sum(sums.matched), xp.sum(sums.marked), NO_WINDOW)
    return agreement._replace(observed=1 - agreement.estimate)


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
    "Share of windows with different numbers of boundaries, pooled over pairs of annotators",
)
pk = replace(
    window_diff,
    name="pk",
    summary="Share of windows whose ends only one of two annotators put in the same segment",
)
