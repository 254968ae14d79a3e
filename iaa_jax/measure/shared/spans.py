"""Counts of the labels of spans: their support, and the labels that are confused."""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Floats, Values, Variables
from iaa_jax.catalog.spans import PARTIAL, STRICT
from iaa_jax.data.marked.counts import pair_counts
from iaa_jax.data.marked.documents import Documents
from iaa_jax.data.marked.overlaps import confusions

SAME_PLACES = (STRICT, "boundary")
"""Kinds of match that need equal boundaries; confusions then also need them."""

NONE = "NONE"
"""The name that stands for no span in confusions, as in Prodigy."""


def support_of_labels(documents: Documents, duplicates: str, weight: Floats) -> Variables:
    """Count the spans of both annotators with each label, as a sum over pairs of annotators."""
    counts = pair_counts(documents, STRICT, duplicates)
    return {"support": ("label", weight[counts.pairs.document] @ (counts.first + counts.second))}


def confusion_of_labels(
    documents: Documents, match: str, duplicates: str, weight: Floats
) -> Variables:
    """Return the table of the labels of matched spans, as counts and as shares of each row.

    The last row and the last column are for spans without a match.
    """
    partners = STRICT if match in SAME_PLACES else PARTIAL
    table = confusions(documents, partners, duplicates, weight)
    of_row = np.broadcast_to(table.sum(axis=1, keepdims=True), table.shape)
    share = np.divide(table, of_row, out=np.full(table.shape, np.nan), where=of_row > 0)
    share[-1, -1] = np.nan  # spans that nobody marked cannot be counted
    along = ("label_a", "label_b")
    return {"confusion": (along, table), "confusion_share": (along, share)}


def labels_and_none(labels: Values) -> Values:
    """Return the names of the labels, and a further name that stands for no span."""
    known = [*map(str, labels)]
    name = NONE
    while name in known:
        name = f"({name})"
    return np.array([*known, name], dtype=object)
