"""Shares of what two annotators both marked, such as F1: twice what they share of what both hold.

The data are (item, annotator, annotator, 2, label): for each pair of annotators of an item, and
each label, what they share (twice, as each of them has it) and what both hold together; NaN where
one of them has not seen the item, 0 for an annotator with himself. ::

    F1 = sum_i w_i sum_ab v_a v_b shared_iab / sum_i w_i sum_ab v_a v_b held_iab
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from iaa_jax._errors import LABEL_NOT_USED, NOTHING_MARKED
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.namespace import Array, Namespace, divided, first_code, namespace
from iaa_jax.kernels.raters import Raters


class ShareStatistics(NamedTuple):
    """What the pairs of annotators of an item share, and what they hold: (item, label)."""

    shared: Array
    held: Array


def share_statistics(data: Array, raters: Raters, disagreement: Array | None) -> ShareStatistics:
    """Statistics of each item, summed over its pairs of annotators."""
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
    """One share of all labels: sums first, then the ratio."""
    xp = namespace(sums.shared)
    return _share(xp, xp.sum(sums.shared), xp.sum(sums.held), NOTHING_MARKED)


def by_label_formula(
    sums: ShareStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """A share for each label."""
    xp = namespace(sums.shared)
    return _share(xp, sums.shared, sums.held, LABEL_NOT_USED)


def macro_formula(
    sums: ShareStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """The mean of the shares of the labels that anybody used."""
    xp = namespace(sums.shared)
    used = sums.held > 0
    labels = xp.sum(xp.astype(used, sums.held.dtype))
    shares = xp.where(used, divided(xp, sums.shared, sums.held), 0)
    return _share(xp, xp.sum(shares), labels, NOTHING_MARKED)


def _share(xp: Namespace, shared: Array, held: Array, nothing: int) -> Agreement:
    empty = held == 0
    share = xp.where(empty, xp.nan, divided(xp, shared, held))
    chance = xp.where(empty, xp.nan, xp.zeros_like(share))
    return Agreement(share, share, chance, first_code(xp, (empty, nothing)))


span_f1 = Kernel(
    "span_f1", share_statistics, micro_formula, "F1 of spans, pooled over pairs of annotators"
)
macro_span_f1 = replace(span_f1, formula=macro_formula)
label_span_f1 = replace(span_f1, formula=by_label_formula)
