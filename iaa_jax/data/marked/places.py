"""Places that two markings label alike, counted from the ends of spans."""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.data.marked.documents import Markings, Pairs
from iaa_jax.data.marked.numbers import expanded, joint


def token_matches(markings: Markings, pairs: Pairs) -> Floats:
    """Places with a label that both markings have, as often as both have them: (pair, label)."""
    labels, many = markings.labels, len(pairs.first)
    events: list[tuple[Integers, ...]] = []
    for side, of in enumerate((pairs.first, pairs.second)):
        pair, span = expanded(markings.begins[of], markings.begins[of + 1])
        cell = pair * labels + markings.label_of[span]
        for place, step in ((markings.start, 1), (markings.end, -1)):
            steps = np.zeros((2, len(span)), dtype=np.int8)
            steps[side] = step
            events.append((cell, place[span], *steps))
    cells, places, *steps_of = (np.concatenate(each) for each in zip(*events, strict=True))
    order = np.argsort(joint(cells, places))
    # after all ends of a pair and label nothing is open, so that one running count serves all
    first, second = (np.cumsum(steps[order]) for steps in steps_of)
    extent = np.diff(places[order], append=0)
    shared = np.bincount(cells[order], np.minimum(first, second) * extent, minlength=many * labels)
    return np.asarray(markings.as_given(shared.reshape(many, labels)), dtype=np.float64)


def places_of_markings(markings: Markings) -> Floats:
    """How many places each marking labels, twice where two spans do: (marking, label)."""
    cells = markings.marking_of.astype(np.int64) * markings.labels + markings.label_of
    extent = markings.end - markings.start
    held = np.bincount(cells, extent, minlength=markings.number * markings.labels)
    return np.asarray(markings.as_given(held.reshape(markings.number, -1)), dtype=np.float64)
