"""Matches of units that overlap: partial, half credit, and those of GATE."""

from __future__ import annotations

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
    overlapping,
    overlaps_of_pairs,
    same_boundaries,
)
from iaa_jax.data.marked.sweep import swept_matches

_CREDITS = {"strict": (1.0, 0.0), "lenient": (1.0, 1.0), "average": (1.0, 0.5)}


def partial_matches(markings: Markings, pairs: Pairs) -> Floats:
    """Units with the same label and a place in common, one to one, as many as can be.

    (pair, label)
    """
    met = overlaps_of_pairs(markings, pairs)
    dense = _overlap_densely(markings, pairs, met)
    matches = np.zeros((len(pairs.first), markings.labels))
    matches[dense] = swept_matches(markings, pairs.take(dense))
    label_of, others = markings.units.label_of, np.flatnonzero(~dense)
    for some in np.split(others, _block_ends(met[others])):
        part = pairs.take(some)
        couples = overlapping(markings, part)
        couples = most_couples(couples.take(label_of[couples.first] == label_of[couples.second]))
        matches[some] = _by_label(couples, markings, part)
    return matches


def _overlap_densely(markings: Markings, pairs: Pairs, met: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Pairs whose spans overlap so often that matches are found without a list of couples.

    Not of spans whose parts belong together.
    """
    spans, units = np.diff(markings.begins), np.diff(markings.units.begins)
    whole = spans == units
    sizes = spans[pairs.first] + spans[pairs.second]
    dense = whole[pairs.first] & whole[pairs.second] & (met > thresholds.SPANS_MET * sizes)
    return np.asarray(dense)


def _block_ends(met: NDArray[np.intp]) -> NDArray[np.intp]:
    """Where blocks of pairs end whose couples are listed together."""
    return np.flatnonzero(np.diff(np.cumsum(met) // thresholds.COUPLES_TOGETHER)) + 1


def half_credit_matches(markings: Markings, pairs: Pairs) -> Floats:
    """As many units with the same boundaries as can be, then 0.5 for each that overlaps.

    (pair, 1): labels are ignored.
    """
    couples = overlapping(markings, pairs)
    before = times_before(markings, markings.boundaries)
    equal = same_boundaries(couples, markings)
    exact = equal & (before[couples.first] == before[couples.second])
    used = [np.isin(numbers, numbers[exact]) for numbers in (couples.left, couples.right)]
    rest = most_couples(couples.take(~used[0] & ~used[1]))
    many = len(pairs.first)
    credit = np.bincount(couples.pair[exact], minlength=many) * 1.0
    return (credit + 0.5 * np.bincount(rest.pair, minlength=many))[:, None]


def _gate_matches(markings: Markings, pairs: Pairs, *, credit: str) -> Floats:
    """Matches by the greedy rule of GATE: (pair, label).

    A couple that overlaps is worth 3 with the same boundaries and label, 2 with the label, 1 with
    the boundaries alone, else 0. Couples are taken by their worth less that of all couples with
    which they share a unit. Where two are equal, GATE takes the later one in its lists; here the
    more valuable, that with more overlap, and the earlier one come first, so that neither the order
    of spans nor that of the two annotators matters.
    """
    couples = overlapping(markings, pairs)
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
    taken = [order[:0]]
    free_left = np.ones(couples.left.max(initial=-1) + 1, dtype=bool)
    free_right = np.ones(couples.right.max(initial=-1) + 1, dtype=bool)
    while len(order):
        # the first of both its units is taken whatever the others do: all of these at once
        place = np.arange(len(order))
        sides = []
        for numbers, free in ((couples.left, free_left), (couples.right, free_right)):
            first = np.empty(len(free), dtype=np.intp)
            first[numbers[order][::-1]] = place[::-1]
            sides.append(first[numbers[order]] == place)
        now = order[sides[0] & sides[1]]
        taken.append(now)
        free_left[couples.left[now]] = free_right[couples.right[now]] = False
        order = order[free_left[couples.left[order]] & free_right[couples.right[order]]]
    return np.concatenate(taken)


def _by_label(
    couples: Couples, markings: Markings, pairs: Pairs, value: Floats | None = None
) -> Floats:
    many, labels = len(pairs.first), markings.labels
    cells = couples.pair * labels + markings.units.label_of[couples.first]
    counts = np.bincount(cells, value, minlength=many * labels)
    return counts.reshape(many, labels).astype(np.float64)
