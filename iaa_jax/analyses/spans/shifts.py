"""Whether an annotator's places are counted otherwise than those of the others."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from iaa_jax._types import Values
from iaa_jax.data.marked.documents import Documents
from iaa_jax.data.marked.overlaps import best_couples, overlapping
from iaa_jax.wording import Note

MOST = 0.8
"""Share of an annotator's spans that lie to one side of their partners, which is no chance."""

LEAST = 10
"""Spans with partners, of an annotator, of which a share means anything."""


def shifted(names: Values, documents: Documents) -> Iterator[Note]:
    """The annotator nearly all of whose spans lie later, or earlier, than others of their length.

    Partners have the same label and a place in common. Of two annotators it is the later one.
    """
    markings, pairs = documents.markings.distinct, documents.pairs
    couples = overlapping(markings, pairs)
    label = markings.units.label_of
    couples = couples.take(label[couples.first] == label[couples.second])
    couples = best_couples(couples, np.ones(len(couples.pair), dtype=np.bool_))
    start, end = markings.extents
    moved = start[couples.first] - start[couples.second]
    moved[end[couples.first] - end[couples.second] != moved] = 0  # of another length
    who = np.concatenate(
        [pairs.first_column[couples.pair], pairs.second_column[couples.pair]]
    ).astype(np.intp)
    later = np.concatenate([moved, -moved])
    held = np.bincount(who, minlength=len(names))
    for sign, code in ((1, "places_later"), (-1, "places_earlier")):
        aside = sign * later > 0
        share = np.bincount(who[aside], minlength=len(names)) / np.maximum(held, 1)
        share[held < LEAST] = 0.0
        worst = int(np.argmax(share))
        if share[worst] >= MOST:
            by = np.abs(later[aside & (who == worst)])
            values = {"annotator": str(names[worst]), "share": float(share[worst])}
            yield Note(code, {**values, "places": float(np.median(by))}, "caution")
            return
