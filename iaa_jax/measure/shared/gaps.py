"""A note on the annotator whose ratings are missing."""

from __future__ import annotations

import numpy as np

from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.wording import Note

LEAST_ANNOTATORS, LEAST_GAPS = 3, 10
"""The minimum numbers of annotators and of gaps for a note that names the annotator."""


def note_on_whose_gaps(ratings: Rated) -> Note | None:
    """Name the annotator who left out most of the missing ratings, if there is one."""
    if ratings.anonymous or ratings.annotators < LEAST_ANNOTATORS:
        return None
    row, _, annotator = ratings.slot_codes.ratings()
    weight = ratings.identified_table.count[row]
    given = np.bincount(annotator, weight, minlength=ratings.annotators)
    gaps = float(ratings.item_weight.sum()) - given
    most, missing = int(gaps.argmax()), float(gaps.sum())
    if gaps[most] < LEAST_GAPS or gaps[most] <= missing / 2:
        return None
    name = str(ratings.annotator_names[most])
    return Note("whose_gaps", {"name": name, "gaps": float(gaps[most]), "missing": missing})
