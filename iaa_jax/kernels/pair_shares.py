"""F1 and similar coefficients: the share of marked units that two annotators have in common.

A unit is a span, or something else that annotators mark in an item.

The data are (item, annotator, annotator, 2, label): for each pair of annotators of an item and each
label, twice the number of matched units, and the sum of the numbers of units that the two marked.
The data are NaN if one of the two has not seen the item, and 0 on the diagonal. ::

    F1 = sum_i w_i sum_ab v_a v_b matched_iab / sum_i w_i sum_ab v_a v_b marked_iab

with w the item weights and v the annotator weights.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from iaa_jax._errors import LABEL_NOT_USED, NO_SHARED_ITEM, NOTHING_MARKED
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.kappa import PairCounts
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.namespace import Array, Namespace, device_of, divided, first_code, namespace
from iaa_jax.kernels.pairs import number_pairs, pairs_of_columns
from iaa_jax.kernels.raters import Raters
from iaa_jax.kernels.sums import Fixed, Indexed


class ShareStatistics(NamedTuple):
    """Twice the matched units, and the marked units, of an item's pairs: (item, label)."""

    matched: Array
    marked: Array


def share_statistics(data: Array, raters: Raters, disagreement: Array | None) -> ShareStatistics:
    """Return the statistics of each item, summed over its pairs of annotators."""
    xp = namespace(data, raters.weight, raters.annotator_of)
    columns = data.shape[1]
    data = data[:, :, :columns]
    weight = raters.rating_weight()
    pairs = (weight[:, :, None] * weight[:, None, :])[..., None, None]
    sums = xp.sum(pairs * xp.where(xp.isnan(data), 0, data), axis=(1, 2)) / 2
    return ShareStatistics(sums[:, 0], sums[:, 1])


def micro_formula(
    sums: ShareStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Return the share for all labels together, as a ratio of sums."""
    xp = namespace(sums.matched)
    return share_of(xp, xp.sum(sums.matched), xp.sum(sums.marked), NOTHING_MARKED)


def by_label_formula(
    sums: ShareStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Return a share for each label."""
    xp = namespace(sums.matched)
    return share_of(xp, sums.matched, sums.marked, LABEL_NOT_USED)


def macro_formula(
    sums: ShareStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Return the mean of the shares of the labels in use."""
    xp = namespace(sums.matched)
    used = sums.marked > 0
    labels = xp.sum(xp.astype(used, sums.marked.dtype))
    shares = xp.where(used, divided(xp, sums.matched, sums.marked), 0)
    return share_of(xp, xp.sum(shares), labels, NOTHING_MARKED)


def document_share_statistics(
    data: Array, raters: Raters, disagreement: Array | None
) -> ShareStatistics:
    """Return the mean matched share over an item's pairs of annotators, and 1 if there is a pair.

    All labels are taken together. A pair of annotators who marked nothing has a share of 1.
    """
    xp = namespace(data, raters.weight, raters.annotator_of)
    columns = data.shape[1]
    data = data[:, :, :columns]
    seen = ~xp.any(xp.isnan(data), axis=(2, 3, 4))
    both = seen[:, :, None] & seen[:, None, :]
    sums = xp.sum(xp.where(xp.isnan(data), 0, data), axis=-1)
    matched, marked = sums[..., 0], sums[..., 1]
    shares = xp.where(marked == 0, xp.ones_like(marked), divided(xp, matched, marked))
    weight = raters.rating_weight()
    itself = xp.eye(columns, dtype=data.dtype, device=device_of(data))
    pairs = weight[:, :, None] * weight[:, None, :] * (1 - itself)
    pairs = xp.where(both, pairs, xp.zeros_like(pairs))
    total = xp.sum(pairs, axis=(1, 2))
    compared = xp.astype(total > 0, data.dtype)
    mean = compared * divided(xp, xp.sum(pairs * shares, axis=(1, 2)), total)
    return ShareStatistics(mean[:, None], compared[:, None])


def mean_of_documents_formula(
    sums: ShareStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Return the mean share of the items that two or more annotators have seen."""
    xp = namespace(sums.matched)
    return share_of(xp, xp.sum(sums.matched), xp.sum(sums.marked), NO_SHARED_ITEM)


class PairShareStatistics(NamedTuple):
    """Twice the matched units, and the marked units, of each pair a < b that has seen an item.

    If the data are by slot (an item's first, second, ... annotator), the statistics are by pair of
    slots: see `iaa_jax.kernels.pairs.PairStatistics`.
    """

    annotators: Array  # (pair, 2) a and b, the same for all items
    common: Array  # (item, pair) 1 if both have seen the item
    matched: Array  # (item, pair)
    marked: Array  # (item, pair)


def pair_share_statistics(
    data: Array, raters: Raters, disagreement: Array | None
) -> PairShareStatistics:
    """Return the statistics of each item by pair of annotators, all labels together."""
    xp = namespace(data, raters.weight, raters.annotator_of)
    items, columns = data.shape[:2]
    data = data[:, :, :columns]
    seen = ~xp.any(xp.isnan(data), axis=(2, 3, 4))
    sums = xp.sum(xp.where(xp.isnan(data), 0, data), axis=-1)
    a, b = pairs_of_columns(xp, data)
    both = xp.take(seen, a, axis=1) & xp.take(seen, b, axis=1)
    of_pair = xp.take(xp.reshape(sums, (items, columns * columns, 2)), a * columns + b, axis=1)
    values = (xp.astype(both, data.dtype), of_pair[..., 0], of_pair[..., 1])
    if raters.annotator_of is None:
        return PairShareStatistics(Fixed(xp.stack([a, b], axis=1)), *values)
    slots = raters.slot_annotators()
    first, second = (xp.take(slots, column, axis=1) for column in (a, b))
    index, annotators = number_pairs(xp, first, second, both, raters.weight.shape[0])
    by_pair = (Indexed(value, index, annotators.shape[0], annotators) for value in values)
    return PairShareStatistics(Fixed(annotators), *by_pair)


def mean_of_pairs_formula(
    sums: PairShareStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Return the mean of the shares of pairs; a pair that marked nothing is left out."""
    xp = namespace(sums.matched, annotator_weight)
    weight = _weight_of_pairs(xp, sums, annotator_weight)
    used = xp.where(sums.marked == 0, xp.zeros_like(weight), weight)
    shares = divided(xp, sums.matched, sums.marked)
    return _mean(xp, used, shares, xp.sum(weight) == 0)


def mean_of_pairs_of_gate_formula(
    sums: PairShareStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Return the mean share of pairs; as in GATE, a pair that marked nothing has a share of 1."""
    xp = namespace(sums.matched, annotator_weight)
    weight = _weight_of_pairs(xp, sums, annotator_weight)
    shares = xp.where(sums.marked == 0, 1, divided(xp, sums.matched, sums.marked))
    return _mean(xp, weight, shares, xp.sum(weight) == 0)


def pairs_of_shares(
    sums: ShareStatistics | PairShareStatistics,
    annotator_weight: Array,
    disagreement: Array | None,
) -> PairCounts | None:
    """Count the pairs that enter the mean, from NumPy sums; return None if sums are not by pair."""
    if isinstance(sums, ShareStatistics):
        return None
    xp = namespace(sums.matched, annotator_weight)
    counted = _weight_of_pairs(xp, sums, annotator_weight) > 0
    common: Array = sums.common
    documents = tuple(float(x) for x in common[counted])
    empty = int(xp.sum(xp.astype(counted & (sums.marked == 0), xp.int32)))
    return PairCounts(len(documents) - empty, empty, documents)


def _weight_of_pairs(xp: Namespace, sums: PairShareStatistics, annotator_weight: Array) -> Array:
    v = [xp.take(annotator_weight, sums.annotators[:, k]) for k in (0, 1)]
    weight = v[0] * v[1]
    return xp.where(sums.common == 0, xp.zeros_like(weight), weight)


def _mean(xp: Namespace, weight: Array, shares: Array, nobody: Array) -> Agreement:
    total = xp.sum(weight)
    share = xp.where(total == 0, xp.nan, divided(xp, xp.sum(weight * shares), total))
    chance = xp.where(total == 0, xp.nan, xp.zeros_like(share))
    code = first_code(xp, (nobody, NO_SHARED_ITEM), (total == 0, NOTHING_MARKED))
    return Agreement(share, share, chance, code)


def share_of(xp: Namespace, matched: Array, marked: Array, nothing: int) -> Agreement:
    """Return the matched share of marked units, or the code ``nothing`` if none is marked."""
    empty = marked == 0
    share = xp.where(empty, xp.nan, divided(xp, matched, marked))
    chance = xp.where(empty, xp.nan, xp.zeros_like(share))
    return Agreement(share, share, chance, first_code(xp, (empty, nothing)))


def item_shares(
    statistics: ShareStatistics | PairShareStatistics, sums: ShareStatistics | PairShareStatistics
) -> Array:
    """Return each item's share of the sum of ``marked``, which counts units or documents."""
    xp, marked = namespace(sums.marked), statistics.marked
    marked = marked.value if isinstance(marked, Indexed) else marked
    return xp.sum(marked, axis=-1) / xp.sum(sums.marked)


def item_shares_by_label(statistics: ShareStatistics, sums: ShareStatistics) -> Array:
    """Return each item's share of each label's units (item, label), NaN for unused labels."""
    xp = namespace(sums.marked)
    return xp.where(sums.marked > 0, divided(xp, statistics.marked, sums.marked), xp.nan)


def mean_item_shares(statistics: ShareStatistics, sums: ShareStatistics) -> Array:
    """Return each item's share of a label's units, on average over the labels in use."""
    xp = namespace(sums.marked)
    used = sums.marked > 0
    shares = xp.where(used, divided(xp, statistics.marked, sums.marked), 0)
    return xp.sum(shares, axis=-1) / xp.sum(xp.astype(used, sums.marked.dtype))


span_f1 = Kernel(
    "span_f1",
    share_statistics,
    micro_formula,
    "F1 of spans, pooled over pairs of annotators",
    item_share=item_shares,
)
macro_span_f1 = replace(span_f1, formula=macro_formula, item_share=mean_item_shares)
label_span_f1 = replace(span_f1, formula=by_label_formula, item_share=item_shares_by_label)
mean_pair_span_f1 = Kernel(
    "mean_pair_span_f1",
    pair_share_statistics,
    mean_of_pairs_formula,
    "F1 of spans, the mean over pairs of annotators",
    item_share=item_shares,
)
mean_document_span_f1 = Kernel(
    "mean_document_span_f1",
    document_share_statistics,
    mean_of_documents_formula,
    "F1 of spans, the mean over documents of the mean over their pairs of annotators",
    item_share=item_shares,
)
mean_pair_span_f1_of_gate = replace(mean_pair_span_f1, formula=mean_of_pairs_of_gate_formula)
