"""Ratings to statistics per item and pair of annotators, for coefficients that ask who rated."""

from __future__ import annotations

from typing import Any, NamedTuple

from iaa_jax.kernels.namespace import Array, divided, namespace


class PairStatistics(NamedTuple):
    """What each ordered pair of annotators (a, b) did on one item that both rated."""

    shared: Array  # (item, annotator, annotator) o_a o_b; the diagonal is o_a
    disagreement: Array  # (item, annotator, annotator) m_a' D m_b on the shared item
    margins: Array  # (item, annotator, annotator, label) m_a where b rated too


def pair_statistics(mass: Array, annotator_weight: Array, disagreement: Array) -> PairStatistics:
    """Statistics of each item for the pairwise coefficients."""
    xp = namespace(mass, annotator_weight, disagreement)
    rated = ~xp.any(xp.isnan(mass), axis=-1)
    o = xp.astype(rated, mass.dtype)
    m = xp.where(rated[..., None], mass, xp.zeros((), dtype=mass.dtype))
    return PairStatistics(
        o[:, :, None] * o[:, None, :],
        (m @ disagreement) @ xp.matrix_transpose(m),
        o[:, None, :, None] * m[:, :, None, :],
    )


class AnnotatorPairs(NamedTuple):
    """Each ordered pair of annotators on its common items: arrays (annotator, annotator)."""

    weight: Array  # v_a v_b for pairs that count, 0 for others and on the diagonal
    observed_disagreement: Array
    expected_disagreement: Array


def annotator_pairs(
    xp: Any, sums: PairStatistics, annotator_weight: Array, disagreement: Array, min_common: float
) -> AnnotatorPairs:
    """Observed and expected disagreement of each pair on its common items."""
    annotators = annotator_weight.shape[0]
    other = 1 - xp.eye(annotators, dtype=sums.shared.dtype)
    # half an item of slack: weights are frequencies, and derivatives move them a little
    enough = sums.shared > min_common - 0.5
    shared = xp.where(enough, sums.shared, xp.zeros_like(sums.shared))
    margins = divided(xp, sums.margins, xp.broadcast_to(shared[:, :, None], sums.margins.shape))
    expected = xp.sum((margins @ disagreement) * xp.permute_dims(margins, (1, 0, 2)), axis=-1)
    weight = annotator_weight[:, None] * annotator_weight[None, :] * other
    return AnnotatorPairs(
        xp.where(enough, weight, xp.zeros_like(weight)),
        divided(xp, sums.disagreement, shared),
        expected,
    )


MIN_COMMON = 2
"""Common items that a pair of annotators needs to enter a pairwise figure."""
