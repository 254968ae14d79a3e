"""Strict matches: the same boundaries and the same label."""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.data.marked.documents import Markings, Pairs


def unit_keys(markings: Markings) -> Integers:
    """A number for each unit: the same boundaries, of all its parts, and label are one."""
    units = markings.units
    parts = np.stack([markings.start, markings.end], axis=1)
    _, part = np.unique(parts, axis=0, return_inverse=True)
    key = units.label_of.astype(np.int64)
    order = np.lexsort([part.reshape(-1), units.unit])
    begins = np.searchsorted(units.unit[order], np.arange(len(key) + 1))
    widest = int(np.diff(begins).max(initial=0))
    for place in range(widest):
        there = begins[:-1] + place < begins[1:]
        of_part = np.full(len(key), -1)
        of_part[there] = part.reshape(-1)[order][begins[:-1][there] + place]
        _, key = np.unique(np.stack([key, of_part], axis=1), axis=0, return_inverse=True)
        key = key.reshape(-1)
    return np.asarray(key)


def distinct_units(markings: Markings) -> tuple[Integers, Integers, Integers]:
    """Marking, key and label of each unit; what an annotator marked twice counts once."""
    units, key = markings.units, unit_keys(markings)
    kept = np.stack([units.marking_of, key], axis=1)
    distinct, first = np.unique(kept, axis=0, return_index=True)
    return distinct[:, 0], distinct[:, 1], units.label_of[first]


def units_of_markings(markings: Markings) -> Floats:
    """How many units each marking holds: (marking, label)."""
    marking, _, label = distinct_units(markings)
    cells = marking * markings.labels + label
    counts = np.bincount(cells, minlength=markings.number * markings.labels)
    return counts.reshape(markings.number, markings.labels).astype(np.float64)


def strict_matches(markings: Markings, pairs: Pairs) -> Floats:
    """Units that two markings have in common: (pair, label)."""
    marking, key, label = distinct_units(markings)
    begins = np.searchsorted(marking, np.arange(markings.number + 1))
    counts = np.diff(begins)[pairs.first]
    of_pair = np.arange(len(pairs.first)).repeat(counts)
    place = np.arange(len(of_pair)) - (np.cumsum(counts) - counts)[of_pair]
    unit = begins[pairs.first][of_pair] + place
    width = int(key.max(initial=0)) + 1
    known = marking * width + key  # ascends
    wanted = pairs.second[of_pair].astype(np.int64) * width + key[unit]
    found = np.searchsorted(known, wanted)
    shared = known[np.minimum(found, len(known) - 1)] == wanted if len(known) else wanted == -1
    cells = of_pair[shared] * markings.labels + label[unit[shared]]
    counts_of = np.bincount(cells, minlength=len(pairs.first) * markings.labels)
    return counts_of.reshape(len(pairs.first), markings.labels).astype(np.float64)
