"""Ratings as shares of labels: of every distinct rating once, so that patterns look them up.

Here a label set is spread over its members (1 for each), while the engine's masses take each
distinct set as one label. Studies of labels ask for the first, studies of items for the second.
"""

from __future__ import annotations

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax.data.storage import stored
from iaa_jax.engine.problem import Floats
from iaa_jax.measure.tables import RatingTables

_CELLS = 1 << 26
"""Cells of a (rating, label) table beyond which it is not laid out."""


def label_shares(tables: RatingTables, *, sets_as_labels: bool) -> Floats:
    """The share of each label in each distinct rating: (code, label)."""
    task, distinct = tables.task, tables.codes.distinct
    if task == "value":
        message = (
            "these ratings are numbers without labels; if each number is a label, use from_wide"
        )
        raise IaaError(message)
    whole_sets = task == "multi_label" and sets_as_labels
    labels = distinct if whole_sets else tables.ratings.sizes["label"]
    if distinct * labels > _CELLS:
        message = (
            f"{labels:,} labels and {distinct:,} distinct ratings are too many to lay out as a "
            "table: merge rare labels"
        )
        raise IaaError(message)
    if task == "single" or whole_sets:
        return np.eye(labels)
    if task == "primary_secondary":
        # every code of a pair, whether it occurs or not
        codes = np.arange(distinct)
        primary, secondary = codes // (labels + 1), codes % (labels + 1) - 1
        shares = np.zeros((distinct, labels))
        shares[codes, primary] = 1.0
        double = (secondary >= 0) & (secondary != primary)
        shares[codes[double], primary[double]] = tables.p
        shares[codes[double], secondary[double]] = 1 - tables.p
        return shares
    known = tables.codes.codes >= 0
    _, first = np.unique(tables.codes.codes[known], return_index=True)
    return np.asarray(stored(tables.ratings, "mass")[known][first], dtype=np.float64)
