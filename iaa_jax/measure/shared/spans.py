"""What results on spans have of their labels: support, and which label stands for which."""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Floats, Values, Variables
from iaa_jax.catalog.spans import PARTIAL, STRICT
from iaa_jax.data.marked.counts import pair_counts
from iaa_jax.data.marked.documents import Documents
from iaa_jax.data.marked.overlaps import confusions

SAME_PLACES = (STRICT, "boundary")
"""Matches of the same boundaries: partners in the confusions have them too."""

NONE = "NONE"
"""What stands for no span in confusions, as Prodigy has it."""


def support_of_labels(documents: Documents, duplicates: str, weight: Floats) -> Variables:
    """The spans with each label, on both sides of all pairs."""
    counts = pair_counts(documents, STRICT, duplicates)
    return {"support": ("label", weight[counts.pairs.document] @ (counts.first + counts.second))}


def confusion_of_labels(
    documents: Documents, match: str, duplicates: str, weight: Floats
) -> Variables:
    """Labels of each two spans that are partners by a match, and the shares of each row."""
    partners = STRICT if match in SAME_PLACES else PARTIAL
    table = confusions(documents, partners, duplicates, weight)
    of_row = np.broadcast_to(table.sum(axis=1, keepdims=True), table.shape)
    share = np.divide(table, of_row, out=np.full(table.shape, np.nan), where=of_row > 0)
    share[-1, -1] = np.nan  # what nobody marked cannot be counted
    along = ("label_a", "label_b")
    return {"confusion": (along, table), "confusion_share": (along, share)}


def labels_and_none(labels: Values) -> Values:
    """The names of labels, and one for no span that is none of them."""
    known = [*map(str, labels)]
    name = NONE
    while name in known:
        name = f"({name})"
    return np.array([*known, name], dtype=object)
