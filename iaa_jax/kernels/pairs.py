"""Ratings to statistics per item and pair of annotators, for coefficients that ask who rated."""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

from iaa_jax.kernels.agreement import disagreement_with
from iaa_jax.kernels.namespace import Array, divided, namespace

MIN_COMMON = 2
"""Common items that a pair of annotators needs to enter a pairwise figure."""


class PairStatistics(NamedTuple):
    """What each pair of annotators a < b did on one item that both rated."""

    shared: Array  # (item, pair) o_a o_b
    disagreement: Array  # (item, pair) m_a' D m_b on the shared item
    first: Array  # (item, pair, label) m_a where b rated too
    second: Array  # (item, pair, label) m_b where a rated too


def pair_statistics(
    mass: Array, annotator_weight: Array, disagreement: Array | None
) -> PairStatistics:
    """Statistics of each item for the pairwise coefficients."""
    xp = namespace(mass, annotator_weight, disagreement)
    rated = ~xp.any(xp.isnan(mass), axis=-1)
    o = xp.astype(rated, mass.dtype)
    m = xp.where(rated[..., None], mass, xp.zeros((), dtype=mass.dtype))
    a, b = pair_index(xp, mass.shape[1])
    first = xp.take(m, a, axis=1) * xp.take(o, b, axis=1)[..., None]
    second = xp.take(m, b, axis=1) * xp.take(o, a, axis=1)[..., None]
    return PairStatistics(
        xp.take(o, a, axis=1) * xp.take(o, b, axis=1),
        xp.sum(disagreement_with(first, disagreement) * second, axis=-1),
        first,
        second,
    )


def pair_index(xp: Any, annotators: int) -> tuple[Array, Array]:
    """First and second annotator of each pair a < b."""
    found = list(combinations(range(annotators), 2))
    return tuple(xp.asarray([pair[k] for pair in found], dtype=xp.int32) for k in (0, 1))


class AnnotatorPairs(NamedTuple):
    """Each pair of annotators on its common items: arrays (pair,)."""

    weight: Array  # v_a v_b for pairs that count, else 0
    observed_disagreement: Array
    expected_disagreement: Array


def annotator_pairs(
    xp: Any,
    sums: PairStatistics,
    annotator_weight: Array,
    disagreement: Array | None,
    min_common: float,
) -> AnnotatorPairs:
    """Observed and expected disagreement of each pair on its common items."""
    a, b = pair_index(xp, annotator_weight.shape[0])
    # half an item of slack: weights are frequencies, and derivatives move them a little
    enough = sums.shared > min_common - 0.5
    shared = xp.where(enough, sums.shared, xp.zeros_like(sums.shared))
    spread = xp.broadcast_to(shared[:, None], sums.first.shape)
    first, second = divided(xp, sums.first, spread), divided(xp, sums.second, spread)
    weight = xp.take(annotator_weight, a) * xp.take(annotator_weight, b)
    return AnnotatorPairs(
        xp.where(enough, weight, xp.zeros_like(weight)),
        divided(xp, sums.disagreement, shared),
        xp.sum(disagreement_with(first, disagreement) * second, axis=-1),
    )
