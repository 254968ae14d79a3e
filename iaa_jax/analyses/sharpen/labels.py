"""The labels that sharpening makes, and how far the group agrees on each item."""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Columns, Floats, Values, Variables
from iaa_jax.analyses.sharpen.alternation import Alternation
from iaa_jax.kernels.labelling.voting import TIED
from iaa_jax.measure.labelling import VoteTables

HALF = 0.5
"""A label of a set holds where its probability exceeds this."""


def gold_of(sharpening: Alternation) -> Variables:
    """The figures of items, and the concentration of their labels."""
    probability = np.asarray(sharpening.last.probability)
    votes = sharpening.votes
    columns = figures_of_items(votes, probability, sets=sharpening.method.sets)
    columns["item_weight"] = sharpening.item_weight(probability)[votes.pattern_of]
    return {
        name: ("item" if values.ndim == 1 else ("item", "label"), values)
        for name, values in columns.items()
    }


def figures_of_items(votes: VoteTables, probability: Floats, *, sets: bool) -> Columns:
    """Labels by a probability of patterns (pattern, label), read off for the items."""
    labels = np.asarray(votes.tables.ratings["label"].values)
    panel = np.asarray(votes.masses.rated.sum(axis=1))
    voted = panel > 0
    columns = (_sets if sets else _single)(probability, labels)
    columns["gold"] = _where_voted(columns["gold"], voted)
    columns["certainty"] = np.where(voted, columns["certainty"], np.nan)
    columns["tied"] = columns["tied"] & voted
    columns["probability"] = np.where(voted[:, None], probability, np.nan)
    columns["votes"] = panel.astype(np.int64)
    return {name: values[votes.pattern_of] for name, values in columns.items()}


def _single(probability: Floats, labels: Values) -> Columns:
    """The label in front, the first of tied ones."""
    best = probability.max(axis=1)
    in_front = probability >= best[:, None] - TIED
    gold = labels[in_front.argmax(axis=1)]
    return {"gold": gold, "certainty": best, "tied": in_front.sum(axis=1) > 1}


def _sets(probability: Floats, labels: Values) -> Columns:
    """The labels that hold, and on the label that is least sure how much of the weight agrees."""
    holds = probability > HALF + TIED
    names = [str(label) for label in labels.tolist()]
    sets, which = np.unique(holds, axis=0, return_inverse=True)
    texts = [
        " + ".join(name for name, there in zip(names, row, strict=True) if there) or "(none)"
        for row in sets
    ]
    return {
        "gold": np.array(texts, dtype=object)[which.reshape(-1)],
        "holds": holds,
        "certainty": np.where(holds, probability, 1 - probability).min(axis=1),
        "tied": (np.abs(probability - HALF) <= TIED).any(axis=1),
    }


def _where_voted(gold: Values, voted: Values) -> Values:
    """No label where there is no rating: "" among names, NaN among numbers."""
    if gold.dtype.kind in "iuf":
        return gold if voted.all() else np.where(voted, gold, np.nan)
    return np.where(voted, gold.astype(object), "")
