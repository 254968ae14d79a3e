"""Annotators who share no item with any other: nothing compares their ratings."""

from __future__ import annotations

import numpy as np

from iaa_jax.data.storage import (
    annotator_of,
    panel_sizes,
    rated,
    without_further_votes,
)
from iaa_jax.measure.rated import Rated
from iaa_jax.wording import Note

NAMED = 5


def note_on_annotators_apart(ratings: Rated) -> Note | None:
    """Who shares no item with another annotator, and how many ratings each gave."""
    if ratings.anonymous:
        return None
    known = rated(ratings.dataset)
    alone = panel_sizes(without_further_votes(ratings.dataset, known)) == 1
    if not alone.any():
        return None
    items, places = np.nonzero(known)
    slots, weights = annotator_of(ratings.dataset), ratings.item_weight[items]
    who = places if slots is None else slots[items, places]
    size = ratings.annotators
    shared = np.bincount(who, ~alone[items], size)
    given = np.bincount(who, weights, size)
    apart = np.flatnonzero((given > 0) & (shared == 0))
    if not apart.size:
        return None
    names = ratings.annotator_names
    first = [
        Note("annotator_apart", {"name": str(names[k]), "ratings": round(float(given[k]))})
        for k in apart[:NAMED]
    ]
    more = apart.size - len(first)
    values = {
        "annotators": [*first, *([Note("more_apart", {"annotators": more})] if more else [])],
        "count": int(apart.size),
        "ratings": round(float(given[apart].sum())),
    }
    return Note("annotators_apart", values, "caution")
