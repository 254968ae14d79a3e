"""Matches of units that overlap: partial, half credit, and those of GATE."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from iaa_jax import _thresholds as thresholds
from iaa_jax._types import Floats
from iaa_jax.data.marked.documents import Markings, Pairs
from iaa_jax.data.marked.equal import times_before
from iaa_jax.data.marked.overlaps import (
    Couples,
    most_couples,
    overlap_densely,
    overlapping,
    overlaps_of_pairs,
    same_boundaries,
)
from iaa_jax.data.marked.sweep import swept_credits, swept_matches

_CREDITS = {"strict": (1.0, 0.0), "lenient": (1.0, 1.0), "average": (1.0, 0.5)}


def partial_matches(markings: Markings, pairs: Pairs) -> Floats:
    """Units with the same label and a place in common, one to one, as many as can be.

    (pair, label)
    """
    return _swept_or_listed(markings, pairs, swept_matches, _partial_among, markings.labels)


def half_credit_matches(markings: Markings, pairs: Pairs) -> Floats:
    """As many units with the same boundaries as can be, then 0.5 for each that overlaps.

    (pair, 1): labels are ignored.
    """
    return _swept_or_listed(markings, pairs, swept_credits, _half_credit_among, 1)


def _swept_or_listed(
    markings: Markings,
    pairs: Pairs,
    swept: Callable[[Markings, Pairs], Floats],
    listed: Callable[[Couples, Markings, Pairs], Floats],
    columns: int,
) -> Floats:
    """Matches of pairs that overlap densely by a sweep, of the others from couples."""
    met = overlaps_of_pairs(markings, pairs)
    dense = overlap_densely(markings, pairs, met)
    matches = np.zeros((len(pairs.first), columns))
    matches[dense] = swept(markings, pairs.take(dense))
    matches[~dense] = _listed(markings, pairs.take(~dense), met[~dense], listed, columns)
    return matches


def _listed(
    markings: Markings,
    pairs: Pairs,
    met: NDArray[np.intp],
    listed: Callable[[Couples, Markings, Pairs], Floats],
    columns: int,
) -> Floats:
    """Matches from couples, which are listed for several pairs together."""
    matches = np.zeros((len(pairs.first), columns))
    ends = np.flatnonzero(np.diff(np.cumsum(met) // thresholds.COUPLES_TOGETHER)) + 1
    for some in np.split(np.arange(len(pairs.first)), ends):
        part = pairs.take(some)
        matches[some] = listed(overlapping(markings, part), markings, part)
    return matches


def _partial_among(couples: Couples, markings: Markings, pairs: Pairs) -> Floats:
    label_of = markings.units.label_of
    same_label = label_of[couples.first] == label_of[couples.second]
    return _by_label(most_couples(couples.take(same_label)), markings, pairs)


def _half_credit_among(couples: Couples, markings: Markings, pairs: Pairs) -> Floats:
    before = times_before(markings, markings.boundaries)
    equal = same_boundaries(couples, markings)
    exact = equal & (before[couples.first] == before[couples.second])
    used = [np.isin(numbers, numbers[exact]) for numbers in (couples.left, couples.right)]
    rest = most_couples(couples.take(~used[0] & ~used[1]))
    many = len(pairs.first)
    credit = np.bincount(couples.pair[exact], minlength=many) * 1.0
    return (credit + 0.5 * np.bincount(rest.pair, minlength=many))[:, None]


def _gate_matches(markings: Markings, pairs: Pairs, *, credit: str) -> Floats:
    """Matches by the greedy rule of GATE: (pair, label)."""
    met = overlaps_of_pairs(markings, pairs)
    return _listed(markings, pairs, met, partial(_gate_among, credit=credit), markings.labels)


def _gate_among(couples: Couples, markings: Markings, pairs: Pairs, *, credit: str) -> Floats:
    """Those of couples that GATE takes.

    A couple that overlaps is worth 3 with the same boundaries and label, 2 with the label, 1 with
    the boundaries alone, else 0. Couples are taken by their worth less that of all couples with
    which they share a unit. Where two are equal, GATE takes the later one in its lists; here the
    more valuable, that with more overlap, and the earlier one come first, so that neither the order
    of spans nor that of the two annotators matters.
    """
    label_of = markings.units.label_of
    same_label = label_of[couples.first] == label_of[couples.second]
    equal = same_boundaries(couples, markings)
    worth = 2 * same_label + equal
    rivals = [np.bincount(each, worth)[each] for each in (couples.left, couples.right)]
    begin, end = markings.extents
    ends = [
        function(each[couples.first], each[couples.second])
        for each in (begin, end)
        for function in (np.maximum, np.minimum)
    ]
    score = 3 * worth - rivals[0] - rivals[1]
    order = np.lexsort([*ends, -couples.overlap, -worth, -score])
    taken = _greedy(couples, order)
    correct, other = _CREDITS[credit]
    value = np.where(equal, correct, other) * same_label
    return _by_label(couples.take(taken), markings, pairs, value[taken])


GATE_MATCHES = {credit: partial(_gate_matches, credit=credit) for credit in _CREDITS}


def _greedy(couples: Couples, order: NDArray[np.intp]) -> NDArray[np.intp]:
    """The couples that are left by taking each in this order whose units are both free."""
    taken = []
    free_left = bytearray(b"\1") * (int(couples.left.max(initial=-1)) + 1)
    free_right = bytearray(b"\1") * (int(couples.right.max(initial=-1)) + 1)
    left_is_free, right_is_free = (
        np.frombuffer(each, np.bool_) for each in (free_left, free_right)
    )
    for begin in range(0, len(order), thresholds.COUPLES_IN_TURN):
        some = order[begin : begin + thresholds.COUPLES_IN_TURN]
        some = some[left_is_free[couples.left[some]] & right_is_free[couples.right[some]]]
        sides = couples.left[some].tolist(), couples.right[some].tolist()
        for couple, left, right in zip(some.tolist(), *sides, strict=True):
            if free_left[left] and free_right[right]:
                free_left[left] = free_right[right] = 0
                taken.append(couple)
    return np.array(taken, dtype=np.intp)


def _by_label(
    couples: Couples, markings: Markings, pairs: Pairs, value: Floats | None = None
) -> Floats:
    many, labels = len(pairs.first), markings.labels
    cells = couples.pair * labels + markings.units.label_of[couples.first]
    counts = np.bincount(cells, value, minlength=many * labels)
    return counts.reshape(many, labels).astype(np.float64)
