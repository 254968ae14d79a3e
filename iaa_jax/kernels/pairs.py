"""Statistics by item and pair of annotators, for coefficients that compare annotators in pairs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from iaa_jax.kernels.agreement import disagreement_with
from iaa_jax.kernels.independent import (
    DisagreementTerms,
    IndependentItems,
    all_or_none,
    largest_of_labels,
    symmetric,
)
from iaa_jax.kernels.namespace import Array, Namespace, device_of, divided, is_concrete, namespace
from iaa_jax.kernels.raters import Raters, annotator_by_annotator
from iaa_jax.kernels.sums import Fixed, Indexed

MIN_COMMON = 2
"""Default number of common items that a pair of annotators needs in pairwise coefficients."""


class PairStatistics(NamedTuple):
    """The ratings of each pair of annotators a < b on an item that both rated.

    o_a is 1 if annotator a rated the item, m_a is the mass of the rating (a share or weight for
    each label), and D is the disagreement of labels. If the columns of the data are slots (an
    item's first, second, ... rating) instead of annotators, statistics are (item, pair of slots),
    and their sums are by pair of annotators.
    """

    annotators: Array  # (pair, 2) a and b, the same for all items
    shared: Array  # (item, pair) o_a o_b
    disagreement: Array  # (item, pair) m_a' D m_b on the shared item
    first: Array  # (item, pair, label) m_a where b rated too
    second: Array  # (item, pair, label) m_b where a rated too


def pair_statistics(mass: Array, raters: Raters, disagreement: Array | None) -> PairStatistics:
    """Return the statistics of each item."""
    xp = namespace(mass, raters.weight, disagreement, raters.annotator_of)
    rated = ~xp.any(xp.isnan(mass), axis=-1)
    o = xp.astype(rated, mass.dtype)
    m = xp.where(rated[..., None], mass, 0)
    first_column, second_column = pairs_of_columns(xp, mass)
    shared = xp.take(o, first_column, axis=1) * xp.take(o, second_column, axis=1)
    first = xp.take(m, first_column, axis=1) * shared[..., None]
    second = xp.take(m, second_column, axis=1) * shared[..., None]
    if raters.annotator_of is None:
        between = _disagreement(xp, first, second, disagreement)
        return PairStatistics(
            Fixed(xp.stack([first_column, second_column], axis=1)), shared, between, first, second
        )
    a, b = (
        xp.take(raters.slot_annotators(), column, axis=1)
        for column in (first_column, second_column)
    )
    swapped = (a > b)[..., None]
    first, second = xp.where(swapped, second, first), xp.where(swapped, first, second)
    index, annotators = number_pairs(xp, a, b, shared != 0, raters.weight.shape[0])
    values = (shared, _disagreement(xp, first, second, disagreement), first, second)
    size = annotators.shape[0]
    by_pair = (Indexed(value, index, size, annotators) for value in values)
    return PairStatistics(Fixed(annotators), *by_pair)


def two_annotator_statistics(
    mass: Array, raters: Raters, disagreement: Array | None
) -> PairStatistics:
    """Return the statistics of each item."""
    if raters.weight.shape[0] != 2:
        raise ValueError(f"cohen_kappa takes two annotators, got {raters.weight.shape[0]}")
    xp = namespace(mass, raters.weight, raters.annotator_of)
    return pair_statistics(*annotator_by_annotator(xp, mass, raters), disagreement)


def pairs_of_columns(xp: Namespace, data: Array) -> tuple[Array, Array]:
    """Return the first and second column of each pair a < b, along the second axis of the data."""
    pairs = list(combinations(range(data.shape[1]), 2))
    a, b = ([pair[k] for pair in pairs] for k in (0, 1))
    device = device_of(data)
    return tuple(xp.asarray(each, dtype=xp.int32, device=device) for each in (a, b))


def _disagreement(xp: Namespace, first: Array, second: Array, disagreement: Array | None) -> Array:
    return xp.sum(disagreement_with(first, disagreement) * second, axis=-1)


def number_pairs(
    xp: Namespace, a: Array, b: Array, both: Array, annotators: int
) -> tuple[Array, Array]:
    """Return the index of the annotator pair at each (item, pair of slots), and the pairs.

    Under tracing, the largest possible number of pairs is used: the last rows then repeat a pair.
    Cells without a pair have the index 0, with the pair (0, 0).
    """
    whole = xp.asarray(0).dtype
    if annotators**2 > xp.iinfo(whole).max:
        raise ValueError(
            f"{annotators} annotators make more pairs than {whole} can number: use 64 bits"
        )
    a, b = xp.astype(a, whole), xp.astype(b, whole)
    if not a.shape[1]:  # one slot: no pairs
        return a, xp.zeros((1, 2), dtype=whole, device=device_of(a))
    lower, upper = xp.where(a < b, a, b), xp.where(a < b, b, a)
    # cells without a pair share one extra index
    key = xp.reshape(xp.where(both, lower * annotators + upper, -xp.ones_like(lower)), (-1,))
    ordered = xp.sort(key)
    new = xp.astype(ordered[1:] != ordered[:-1], whole)
    number = xp.cumulative_sum(new, include_initial=True)
    size = min(key.shape[0], annotators * (annotators - 1) // 2 + 1)
    if is_concrete(number) and key.shape[0]:
        size = int(number[-1]) + 1
    index = xp.take(number, xp.searchsorted(ordered, key))
    start = xp.searchsorted(number, xp.arange(size, dtype=whole, device=device_of(number)))
    last = key.shape[0] - 1
    keys = xp.take(ordered, xp.where(start < last, start, last))
    keys = xp.where(keys < 0, 0, keys)
    return xp.reshape(index, a.shape), xp.stack([keys // annotators, keys % annotators], axis=1)


class AnnotatorPairs(NamedTuple):
    """Disagreements of each pair of annotators on its common items: arrays (pair,)."""

    weight: Array  # product v_a v_b of annotator weights; 0 with too few common items
    observed_disagreement: Array
    expected_disagreement: Array


def annotator_pairs(
    xp: Namespace,
    sums: PairStatistics,
    annotator_weight: Array,
    disagreement: Array | None,
    min_common: Array | float,
) -> AnnotatorPairs:
    """Return observed and expected disagreement of each pair on its common items."""
    # half an item of slack, because small changes of the weights make ``shared`` fractional
    enough = sums.shared > min_common - 0.5
    shared = xp.where(enough, sums.shared, xp.zeros_like(sums.shared))
    first, second = (divided(xp, each, shared[:, None]) for each in (sums.first, sums.second))
    v = [xp.take(annotator_weight, sums.annotators[:, k]) for k in (0, 1)]
    weight = v[0] * v[1]
    return AnnotatorPairs(
        xp.where(enough, weight, xp.zeros_like(weight)),
        divided(xp, sums.disagreement, shared),
        _disagreement(xp, first, second, disagreement),
    )


def pairs_of_sums(
    sums: PairStatistics,
    annotator_weight: Array,
    disagreement: Array | None,
    min_common: Array | float = MIN_COMMON,
) -> AnnotatorPairs:
    """Return `annotator_pairs`, as the first step of a `ChainedFormula`."""
    xp = namespace(sums.shared, disagreement)
    return annotator_pairs(xp, sums, annotator_weight, disagreement, min_common)


def _two_item_terms(
    items: Sequence[PairStatistics], annotator_weight: Array, disagreement: Array | None
) -> DisagreementTerms:
    """Return the terms of each group of two items.

    ``expected`` compares annotator a's rating of one item with annotator b's rating of the other,
    for all pairs a, b.
    """
    xp = namespace(items[0].shared, disagreement)
    annotators = items[0].annotators.value
    v = [xp.take(annotator_weight, annotators[:, k]) for k in (0, 1)]
    share = v[0] * v[1] / xp.sum(v[0] * v[1])

    def between(one: PairStatistics, other: PairStatistics) -> Array:
        return _disagreement(xp, one.first, other.second, disagreement) @ share

    return DisagreementTerms(
        symmetric(lambda one, other: (one.disagreement * other.shared) @ share, items),
        symmetric(between, items),
    )


independent_pairs = IndependentItems(
    2, _two_item_terms, largest_of_labels, lambda statistics, _: all_or_none(statistics.shared)
)
"""Terms of observed and expected disagreement, for coefficients that compare pairs of annotators.

They are unbiased if all pairs of annotators share the same items.
"""
