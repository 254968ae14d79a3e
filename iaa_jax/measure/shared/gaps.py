"""A note on the annotator with more than half of the missing ratings."""

from __future__ import annotations

import numpy as np

from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.wording import Note

LEAST_ANNOTATORS, LEAST_GAPS = 3, 10
"""Minimum numbers of annotators, and of missing ratings of one annotator, for the note."""


def note_on_whose_gaps(ratings: Rated) -> Note | None:
    """Return a note that names the annotator with more than half of the missing ratings, if any."""
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
