"""Where two annotators meet: their ratings of common items, and their tables of labels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from iaa_jax.data.patterns import Codes, by_slot
from iaa_jax.engine.problem import Floats, Integers

PairTables = tuple[NDArray[np.intp], Floats]
"""Of each pair a < b of annotators, who they are (pair, 2), and their table of labels."""


def no_pairs(labels: int) -> PairTables:
    """The tables of nobody."""
    return np.zeros((0, 2), dtype=np.intp), np.zeros((0, labels, labels))


def tables_of_pairs(codes: Codes, count: Floats, annotators: int, shares: Floats) -> PairTables:
    """The pairs that have items in common, and their tables."""
    whole = len(shares) == shares.shape[1]  # a rating is one label
    keys, weights = [], []
    base = len(shares)
    for one, other, own, theirs, weight in meetings(codes, count):
        # annotators ascend within an item, so that the first is the first of the pair
        key = ((one * annotators + other) * base + own) * base + theirs
        kept, place = np.unique(key[weight > 0], return_inverse=True)
        keys.append(kept)
        weights.append(np.bincount(place, weights=weight[weight > 0], minlength=len(kept)))
    if not keys:
        return no_pairs(shares.shape[1])
    found, place = np.unique(np.concatenate(keys), return_inverse=True)
    total = np.bincount(place, weights=np.concatenate(weights), minlength=len(found))
    pair, both = np.divmod(found, base * base)
    own, theirs = np.divmod(both, base)
    met, number = np.unique(pair, return_inverse=True)
    labels = shares.shape[1]
    table = np.zeros((len(met), labels, labels))
    if whole:
        np.add.at(table, (number, own, theirs), total)
    else:
        for start in range(0, len(found), 4096):
            part = slice(start, start + 4096)
            outer = shares[own[part], :, None] * shares[theirs[part], None, :]
            np.add.at(table, number[part], total[part, None, None] * outer)
    return np.stack(np.divmod(met, annotators), axis=1), table


def meetings(
    codes: Codes, count: Floats
) -> Iterator[tuple[Integers, Integers, Integers, Integers, Floats]]:
    """For each pair of slots, the annotators that meet there, their codes, and the weights."""
    placed = by_slot(Codes(codes.codes, codes.distinct, codes.annotator_of))
    rows, whose = placed.codes, placed.annotator_of
    assert whose is not None
    panel = (rows >= 0).sum(axis=1)
    # widest panels first: the patterns with a rating in a slot are then the first ones
    order = np.argsort(-panel, kind="stable")
    rows, whose, weight, panel = rows[order], whose[order], count[order], panel[order]
    for later in range(1, rows.shape[1]):
        stop = int(np.searchsorted(-panel, -(later + 1), side="right"))
        for earlier in range(later):
            yield (
                whose[:stop, earlier].astype(np.intp),
                whose[:stop, later].astype(np.intp),
                rows[:stop, earlier],
                rows[:stop, later],
                weight[:stop],
            )
