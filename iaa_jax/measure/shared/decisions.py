"""Gold labels, or gold sets of labels, from the probability of each label."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Columns, Floats, Integers, Values
from iaa_jax.catalog.labelling import TIES
from iaa_jax.kernels.labelling.voting import TIED
from iaa_jax.wording.formats import label_set

METHOD, TIE, NOBODY = "method", "tie", "nobody"
"""Records of who decided a label: the method, the rule for tied labels, or, without votes,
nobody."""

CONTROL, ADJUDICATED = "control", "adjudicated"
"""Records for labels that were known beforehand, or adjudicated afterwards."""

MAJORITY, EXPERT, EXPERT_TIE = "majority", "expert_coder", "expert_coder_tie"
"""Records of who decided a label by the Expert Coder Index: a majority, the best annotator, or the
rule for tied labels if the best annotators disagree."""

NO_MAJORITY = "no_majority"
"""Record of an empty gold set for which neither a label nor the empty set has a majority."""


def most_probable(probability: Floats) -> NDArray[np.bool_]:
    """Tell which labels (..., label) have the largest probability, up to rounding."""
    return np.asarray(probability >= probability.max(axis=-1, keepdims=True) - TIED)


def decide(
    probability: Floats,
    voted: NDArray[np.bool_],
    labels: Values,
    ties: str,
    shares: Floats | None = None,
) -> Columns:
    """Return the gold label of each item (item, ...), with its certainty and margin.

    ``voted`` marks items with a vote; other items get no label. If labels are tied, the item gets
    the first tied label; with ``ties`` "none", no label; and with "median", the tied label nearest
    to the median of its votes. If ``shares`` of votes are given, they are the certainty, and
    ``probability`` determines only which label is taken: the label of a majority or an expert.
    """
    winner = most_probable(probability) & voted[:, None]
    tied = winner.sum(axis=1) > 1
    figures = probability if shares is None else shares
    chosen = winner.argmax(axis=1)
    if ties == TIES[2]:
        chosen = np.where(winner, _from_the_median(figures), np.inf).argmin(axis=1)
    code = np.where(voted & (~tied | (ties != TIES[1])), chosen, -1)
    rows = np.arange(len(figures))
    of_chosen = figures[rows, chosen]
    others = figures.copy()
    others[rows, chosen] = -np.inf
    second = others.max(axis=1) if len(labels) > 1 else np.zeros(len(figures))
    return {
        "gold": labels_of(code, labels),
        "gold_code": code,
        "certainty": np.where(voted, of_chosen, np.nan),
        "margin": np.where(voted, of_chosen - second, np.nan),
        "winner": winner,
        "tied": tied,
        "decided_by": _decided_by(voted, tied, shares),
    }


def _from_the_median(probability: Floats) -> Floats:
    """Return the distance of each label (item, label) from the item's median, in ranks."""
    below = probability.cumsum(axis=1)
    low, high = (below >= 0.5 - TIED).argmax(axis=1), (below > 0.5 + TIED).argmax(axis=1)
    median = (low + high) / 2
    return np.asarray(np.abs(np.arange(probability.shape[1]) - median[:, None]))


def with_known(columns: Columns, known: Floats | None, labels: Values, by: str) -> Columns:
    """Replace decisions by the ``known`` labels (item, label) of some items.

    ``by`` is the record of who decided these labels.
    """
    if known is None:
        return columns
    fixed = known.sum(axis=1) > 0
    code = np.where(fixed, known.argmax(axis=1), columns["gold_code"])
    return columns | {
        "gold": labels_of(code, labels),
        "gold_code": code,
        "certainty": np.where(fixed, 1.0, columns["certainty"]),
        "margin": np.where(fixed, 1.0, columns["margin"]),
        "winner": np.where(fixed[:, None], known > 0, columns["winner"]),
        "tied": columns["tied"] & ~fixed,
        "decided_by": np.where(fixed, by, columns["decided_by"]),
    }


def labels_of(code: Integers, labels: Values) -> Values:
    """Return the label of each code; -1 becomes "", or NaN if labels are numbers."""
    missing = code < 0
    if labels.dtype.kind in "iuf":
        known = labels[np.maximum(code, 0)]
        return np.where(missing, np.nan, known) if missing.any() else known
    return np.append(labels.astype(object), "")[code]


def at_half(probability: Floats) -> NDArray[np.bool_]:
    """Tell which labels (..., label) have a probability of one half, so that their set is tied."""
    return np.asarray(np.abs(probability - 0.5) <= TIED)


def set_names(holds: NDArray[np.bool_], known: NDArray[np.bool_], labels: Values) -> Values:
    """Return sets (item, label) as text; "" where unknown."""
    sets, index = np.unique(holds, axis=0, return_inverse=True)
    texts = [label_set(labels[row].tolist()) for row in sets]
    return np.where(known, np.array(texts, dtype=object)[index.reshape(-1)], "")


def certainty_of_sets(
    holds: NDArray[np.bool_], probability: Floats, voted: NDArray[np.bool_]
) -> Floats:
    """Return the probability (item,) of the least certain decision about a label of each set."""
    agreeing = np.where(holds, probability, 1 - probability).min(axis=1)
    return np.where(voted, agreeing, np.nan)


def _decided_by(voted: NDArray[np.bool_], tied: NDArray[np.bool_], shares: Floats | None) -> Values:
    if shares is None:
        usual = np.where(tied, TIE, METHOD)
    else:
        expert = np.where(tied, EXPERT_TIE, EXPERT)
        usual = np.where(shares.max(axis=1) > 0.5 + TIED, MAJORITY, expert)
    return np.where(voted, usual, NOBODY).astype(object)
