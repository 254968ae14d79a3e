"""Compare segmentations, which are spans that cover a whole document, by their boundaries.

A boundary is a place where one segment ends and the next begins. Labels are ignored. A marking is
the segmentation of a document by an annotator.

A comparison returns data (document, column, column, 2, 1): a numerator and a denominator for each
pair of columns, with a last axis of length 1 because there are no labels.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.data.marked.comparison import Comparison, Unfit, data_of_pairs
from iaa_jax.data.marked.documents import Documents, Markings, Pairs
from iaa_jax.data.marked.numbers import expanded


class _Boundaries(NamedTuple):
    """The places of all boundaries, sorted by marking, and the first index of each marking."""

    begins: Integers  # (marking + 1,)
    place: Integers  # (boundary,)


def _boundaries(markings: Markings) -> _Boundaries:
    kept = markings.start > 0
    marking, place = markings.marking_of[kept], markings.start[kept].astype(np.int64)
    order = np.lexsort([place, marking])
    begins = np.searchsorted(marking[order], np.arange(markings.number + 1))
    return _Boundaries(begins, place[order])


def _lengths(markings: Markings) -> Integers:
    assert markings.length is not None  # markings without it are unfit
    return markings.length.astype(np.int64)


def _similarity(documents: Documents, identified: bool, *, n_t: float = 2) -> Floats:
    """Return the numerator and denominator of boundary similarity.

    The numerator counts boundaries at the same place, and near misses in part. The denominator
    counts boundaries at the same place, near misses and all other boundaries fully. Near misses are
    pairs of boundaries less than ``n_t`` places apart. The nearest pairs are taken first, and of
    equally near ones the leftmost; each boundary is in at most one pair.
    """
    pairs, boundaries = documents.pairs, _boundaries(documents.markings)
    pair, place, side = [], [], []
    for number, marking in enumerate((pairs.first, pairs.second)):
        of, at = expanded(boundaries.begins[marking], boundaries.begins[marking + 1])
        pair.append(of)
        place.append(boundaries.place[at])
        side.append(np.full(len(of), number))
    of, at, whose = (np.concatenate(each) for each in (pair, place, side))
    order = np.lexsort([whose, at, of])
    of, at, whose = of[order], at[order], whose[order]
    same = np.zeros(len(of), dtype=bool)
    same[1:] = (of[1:] == of[:-1]) & (at[1:] == at[:-1])
    number = len(pairs.first)
    matches = np.bincount(of[same], minlength=number).astype(np.float64)
    alone = ~same
    alone[:-1] &= ~same[1:]
    of, at, whose = of[alone], at[alone], whose[alone]
    near = np.zeros(number)
    credit = np.zeros(number)
    for distance in range(1, int(n_t)):
        first, second = _transposed(of, at, whose, distance)
        near += np.bincount(of[first], minlength=number)
        credit += np.bincount(of[first], minlength=number) * (1 - distance / n_t)
        left = np.ones(len(of), dtype=bool)
        left[first] = left[second] = False
        of, at, whose = of[left], at[left], whose[left]
    unmatched = np.bincount(of, minlength=number)
    both = np.stack([matches + credit, matches + near + unmatched], axis=1)[..., None]
    return data_of_pairs(documents, both, identified)


def _transposed(
    of: Integers, at: Integers, whose: Integers, distance: int
) -> tuple[Integers, Integers]:
    """Return pairs of boundaries, one of each annotator, with this distance between them.

    Pairs are taken from the left, and each boundary is in at most one pair.
    """
    residue = at % distance
    order = np.lexsort([at, residue, of])
    next_to = np.zeros(len(order), dtype=bool)  # whether a boundary pairs with the one before it
    one, other = order[:-1], order[1:]
    next_to[1:] = (of[one] == of[other]) & (at[other] - at[one] == distance)
    next_to[1:] &= whose[one] != whose[other]
    # in a chain of boundaries, the second is paired with the first, and the fourth with the third
    steps = np.arange(len(order))
    chain = np.maximum.accumulate(np.where(next_to, 0, steps))
    taken = np.flatnonzero(next_to & ((steps - chain) % 2 == 1))
    return order[taken - 1], order[taken]


def _windows(
    documents: Documents, identified: bool, *, boundaries_counted: bool, both_ways: bool
) -> Floats:
    """Return the numbers of windows in which two segmentations differ, and of all windows.

    The size of a window is half the mean segment length of the reference, rounded, but at least 2.
    The reference is the second annotator of the pair. If ``both_ways``, each annotator is the
    reference in turn, and the counts are added up.
    """
    pairs, markings = documents.pairs, documents.markings
    boundaries, lengths = _boundaries(markings), _lengths(markings)
    differing, windows = np.zeros(len(pairs.first)), np.zeros(len(pairs.first))
    for reference in (pairs.second, pairs.first)[: 1 + both_ways]:
        segments = np.diff(boundaries.begins)[reference] + 1
        length = lengths[reference]
        size = np.maximum(np.rint(length / segments / 2), 2).astype(np.int64)
        number = np.maximum(length - size, 0)
        differing += _differing(boundaries, pairs, size, number, boundaries_counted)
        windows += number
    both = np.stack([differing, windows], axis=1)[..., None]
    return data_of_pairs(documents, both, identified)


def _differing(
    boundaries: _Boundaries, pairs: Pairs, size: Integers, number: Integers, counted: bool
) -> Floats:
    """Return the number of windows in which two segmentations differ.

    If ``counted``, they differ in a window if they have different numbers of boundaries there;
    otherwise, if only one of them has a boundary there. Window i is from place i to place i + size,
    so that boundary b lies in the windows b - size to b - 1.
    """
    pair, at, change = [], [], []
    for column, marking in enumerate((pairs.first, pairs.second)):
        of, which = expanded(boundaries.begins[marking], boundaries.begins[marking + 1])
        place = boundaries.place[which]
        for ends, step in ((place - size[of], 1), (place, -1)):
            pair.append(of)
            at.append(np.clip(ends, 0, number[of]))
            change.append(step * (np.arange(2) == column) * np.ones((len(of), 1), dtype=int))
    of, place = np.concatenate(pair), np.concatenate(at)
    order = np.lexsort([place, of])
    of, place = of[order], place[order]
    inside = np.cumsum(np.concatenate(change)[order], axis=0)
    first, second = inside.T if counted else (inside > 0).T
    until = np.append(place[1:], 0)
    until[np.append(of[1:] != of[:-1], True)] = 0
    differ = (first != second) * (until - place)
    return np.bincount(of, differ, minlength=len(size)).astype(np.float64)


def _unfit(markings: Markings) -> Unfit | None:
    if markings.steps:
        return Unfit(
            "it counts places, and these places are measured, as times are: use unitizing_alpha, "
            "gamma or span_f1"
        )
    if markings.length is None:
        return Unfit(
            "segments have to cover their documents, and the lengths of the documents are not "
            "known: give them to from_spans as lengths"
        )
    end = np.zeros(markings.number, dtype=np.int64)
    marking, start, ends = markings.marking_of, markings.start, markings.end
    order = np.lexsort([start, marking])
    marking, start, ends = marking[order], start[order], ends[order]
    before = np.where(np.append(-1, marking[:-1]) == marking, np.append(0, ends[:-1]), 0)
    np.maximum.at(end, marking, ends)
    wrong = end != markings.length
    wrong[marking[start != before]] = True
    if not wrong.any():
        return None
    return Unfit(
        "segments have to cover a document from its beginning to its end, without gaps or "
        "overlaps, and some spans do not: for units and gaps use unitizing_alpha",
        int(np.flatnonzero(wrong)[0]),
    )


SIMILARITY = Comparison(_similarity, _unfit)
"""Comparison for the boundary similarity of Fournier (2013)."""

WINDOWS = {
    f"{name} {reference}": Comparison(
        partial(_windows, boundaries_counted=counted, both_ways=reference == "both"),
        _unfit,
    )
    for name, counted in (("window_diff", True), ("pk", False))
    for reference in ("both", "second")
}
"""Comparisons for WindowDiff and Pk, by name and reference."""
