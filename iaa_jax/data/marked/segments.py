"""Segmentations: spans that tile their documents, compared by their boundaries.

A boundary is where one segment ends and the next begins; labels are ignored. The data are laid out
by pair: (document, column, column, 2, 1).
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
    """The boundaries of markings, in order: where each marking's begin, and their places."""

    begins: Integers  # (marking + 1,)
    place: Integers


def _boundaries(markings: Markings) -> _Boundaries:
    kept = markings.start > 0
    marking, place = markings.marking_of[kept], markings.start[kept].astype(np.int64)
    order = np.lexsort([place, marking])
    begins = np.searchsorted(marking[order], np.arange(markings.number + 1))
    return _Boundaries(begins, place[order])


def _lengths(markings: Markings) -> Integers:
    assert markings.length is not None  # other markings are unfit
    return markings.length.astype(np.int64)


def _similarity(documents: Documents, identified: bool, *, n_t: float = 2) -> Floats:
    """Boundaries that match, near misses in part, and all boundaries and near misses.

    Near misses are transpositions over fewer than ``n_t`` places, taken nearest first, from the
    left, each boundary at most once.
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
    for apart in range(1, int(n_t)):
        first, second = _transposed(of, at, whose, apart)
        near += np.bincount(of[first], minlength=number)
        credit += np.bincount(of[first], minlength=number) * (1 - apart / n_t)
        left = np.ones(len(of), dtype=bool)
        left[first] = left[second] = False
        of, at, whose = of[left], at[left], whose[left]
    rest = np.bincount(of, minlength=number)
    both = np.stack([matches + credit, matches + near + rest], axis=1)[..., None]
    return data_of_pairs(documents, both, identified)


def _transposed(
    of: Integers, at: Integers, whose: Integers, apart: int
) -> tuple[Integers, Integers]:
    """Pairs of boundaries of the two at this distance, taken from the left, each boundary once."""
    residue = at % apart
    order = np.lexsort([at, residue, of])
    next_to = np.zeros(len(order), dtype=bool)  # to the boundary before it
    one, other = order[:-1], order[1:]
    next_to[1:] = (of[one] == of[other]) & (at[other] - at[one] == apart)
    next_to[1:] &= whose[one] != whose[other]
    # in a chain, the second is paired with the first, the fourth with the third
    steps = np.arange(len(order))
    chain = np.maximum.accumulate(np.where(next_to, 0, steps))
    taken = np.flatnonzero(next_to & ((steps - chain) % 2 == 1))
    return order[taken - 1], order[taken]


def _windows(
    documents: Documents, identified: bool, *, boundaries_counted: bool, both_ways: bool
) -> Floats:
    """Windows at whose ends two segmentations disagree, and all windows.

    A window spans half the mean segment length of the reference: the second of the pair, or each in
    turn.
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
    """Windows in which two segmentations have different numbers of boundaries, or one has any.

    Window i spans places i to i + size: boundary b lies in windows b - size to b - 1.
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
            "it counts places, and these are measured, as times are: use unitizing_alpha, gamma or "
            "span_f1"
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
"""Boundary similarity of Fournier (2013)."""

WINDOWS = {
    f"{name} {reference}": Comparison(
        partial(_windows, boundaries_counted=counted, both_ways=reference == "both"),
        _unfit,
    )
    for name, counted in (("window_diff", True), ("pk", False))
    for reference in ("both", "second")
}
"""WindowDiff and Pk, by the choice of reference."""
