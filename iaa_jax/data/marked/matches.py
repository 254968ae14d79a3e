"""Matches of units that are equal, or that overlap (partial, half credit, GATE's rule)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from iaa_jax import _thresholds as thresholds
from iaa_jax._types import Floats, Integers
from iaa_jax.data.marked.documents import Markings, Pairs
from iaa_jax.data.marked.numbers import expanded, joint
from iaa_jax.data.marked.overlaps import (
    Couples,
    most_couples,
    overlap_densely,
    overlapping,
    overlaps_of_pairs,
    same_boundaries,
)

_CREDITS = {"strict": (1.0, 0.0), "lenient": (1.0, 1.0), "average": (1.0, 0.5)}


def partial_matches(markings: Markings, pairs: Pairs) -> Floats:
    """Match as many units as possible, one to one, with the same label and a common place.

    Shape (pair, label).
    """
    return _swept_or_listed(markings, pairs, swept_matches, _partial_among, markings.labels)


def half_credit_matches(markings: Markings, pairs: Pairs) -> Floats:
    """Match as many units as possible with equal boundaries, then overlapping units for 0.5 each.

    Shape (pair, 1): labels are ignored.
    """
    return _swept_or_listed(markings, pairs, swept_credits, _half_credit_among, 1)


def _swept_or_listed(
    markings: Markings,
    pairs: Pairs,
    swept: Callable[[Markings, Pairs], Floats],
    listed: Callable[[Couples, Markings, Pairs], Floats],
    columns: int,
) -> Floats:
    """Match pairs of markings with dense overlaps by a sweep, other pairs from lists of couples."""
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
    """Match units from lists of couples, made for several pairs of markings at a time."""
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
    """Count matches by the greedy rule of GATE: (pair, label)."""
    met = overlaps_of_pairs(markings, pairs)
    return _listed(markings, pairs, met, partial(_gate_among, credit=credit), markings.labels)


def _gate_among(couples: Couples, markings: Markings, pairs: Pairs, *, credit: str) -> Floats:
    """Return the couples that GATE takes.

    An overlapping couple scores 3 with the same boundaries and label, 2 with the same label, 1 with
    the same boundaries, else 0. Couples are taken in order of their score minus the scores of all
    couples with which they share a unit. GATE breaks ties by its list order; here ties go to the
    higher score, then to more overlap, then to the earlier couple, so that neither the order of
    spans nor of annotators matters.
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
    """Take each couple, in this order, if both its units are still free."""
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


def strict_matches(markings: Markings, pairs: Pairs) -> Floats:
    """Count units with the same boundaries and label: (pair, label)."""
    return _matches(markings, pairs, markings.kinds, markings.units.label_of, markings.labels)


def boundary_matches(markings: Markings, pairs: Pairs) -> Floats:
    """Count units with the same boundaries, ignoring labels: (pair, 1)."""
    nothing = np.zeros_like(markings.units.label_of)
    return _matches(markings, pairs, markings.boundaries, nothing, 1)


def _matches(
    markings: Markings, pairs: Pairs, key: Integers, label_of: Integers, labels: int
) -> Floats:
    """Count equal units: as often as they occur in the marking that has fewer of them."""
    width = int(key.max(initial=0)) + 1
    codes = markings.units.marking_of.astype(np.int64) * width + key
    known, first, count = np.unique(codes, return_index=True, return_counts=True)
    begins = np.searchsorted(known, np.arange(markings.number + 1, dtype=np.int64) * width)
    pair, at = expanded(begins[pairs.first], begins[pairs.first + 1])
    wanted = pairs.second[pair].astype(np.int64) * width + known[at] % width
    found = np.minimum(np.searchsorted(known, wanted), max(len(known) - 1, 0))
    equal = known[found] == wanted
    pair, at, found = pair[equal], at[equal], found[equal]
    cells = pair * labels + label_of[first[at]]
    many = len(pairs.first)
    shared = np.bincount(cells, np.minimum(count[at], count[found]), minlength=many * labels)
    return shared.reshape(many, labels).astype(np.float64)


def times_before(markings: Markings, key: Integers) -> NDArray[np.intp]:
    """Count the units of the same marking and key that precede each unit."""
    code = joint(markings.units.marking_of, key)
    order = np.argsort(code, kind="stable")
    begins = np.searchsorted(code[order], code[order])
    before = np.empty(len(code), dtype=np.intp)
    before[order] = np.arange(len(code)) - begins
    return before


Span = tuple[int, int]


def swept_matches(markings: Markings, pairs: Pairs) -> Floats:
    """Count the spans of each label with a partner that overlaps them: (pair, label).

    The number is the largest possible one. Each span must be a unit of its own.
    """
    matches = np.zeros((len(pairs.first), markings.labels))
    label_of = markings.label_of
    for number, one, other in _spans_of(markings, pairs):
        of_one, of_other = label_of[one], label_of[other]
        for label in np.intersect1d(of_one, of_other):
            matches[number, label] = _partners(
                markings, one[of_one == label], other[of_other == label]
            )
    return matches


def swept_credits(markings: Markings, pairs: Pairs) -> Floats:
    """Count spans with equal boundaries, and half of each other span with a partner: (pair, 1).

    Each span must be a unit of its own.
    """
    credits = np.zeros((len(pairs.first), 1))
    code = joint(markings.boundaries, times_before(markings, markings.boundaries))
    code = code[markings.units.unit]
    for number, one, other in _spans_of(markings, pairs):
        equal = np.isin(code[one], code[other])
        one, other = one[~equal], other[~np.isin(code[other], code[one])]
        credits[number] = equal.sum() + 0.5 * _partners(markings, one, other)
    return credits


def _spans_of(
    markings: Markings, pairs: Pairs
) -> Iterator[tuple[int, NDArray[np.intp], NDArray[np.intp]]]:
    """Yield the number of each pair of markings, and the spans of both markings."""
    begins = markings.begins
    for number, two in enumerate(zip(pairs.first, pairs.second, strict=True)):
        one, other = (np.arange(begins[marking], begins[marking + 1]) for marking in two)
        yield number, one, other


def _partners(markings: Markings, one: NDArray[np.intp], other: NDArray[np.intp]) -> int:
    """Return the size of a largest matching of spans that overlap, or are the same point."""
    places, both = zip(*(_split(markings, spans) for spans in (one, other)), strict=True)
    return _same_places(*places) + _most_matches(*both)


def _split(markings: Markings, spans: NDArray[np.intp]) -> tuple[Integers, list[Span]]:
    """Split spans into points and spans with a length."""
    start, end = markings.start[spans], markings.end[spans]
    place = end <= start
    return start[place], list(zip(start[~place].tolist(), end[~place].tolist(), strict=True))


def _same_places(one: Integers, other: Integers) -> int:
    """Count the matches of points, which only match equal points."""
    (places, count), (others, of_other) = (
        np.unique(each, return_counts=True) for each in (one, other)
    )
    _, at_one, at_other = np.intersect1d(places, others, return_indices=True)
    return int(np.minimum(count[at_one], of_other[at_other]).sum())


def _most_matches(one: Sequence[Span], other: Sequence[Span]) -> int:
    """Return the size of a largest matching of spans (start, end) that overlap.

    The span that ends first is matched with a span of the other marking: among the spans that begin
    before its end, the one that ends first. All of them cover its last place, so whatever the
    chosen span overlaps later, the others overlap as well: no other choice is better.

    Examples
    --------
    >>> (
    ...     _most_matches([(0, 4), (2, 9)], [(3, 5), (8, 12)]),
    ...     _most_matches([(0, 4), (1, 3)], [(2, 9)]),
    ... )
    (2, 1)
    """
    sides = [sorted(one), sorted(other)]
    in_turn = sorted(
        (end, side, number) for side in (0, 1) for number, (_, end) in enumerate(sides[side])
    )
    free = [[True] * len(each) for each in sides]
    begun: list[list[tuple[int, int]]] = [[], []]
    after = [0, 0]
    matches = 0
    for end, side, number in in_turn:
        if not free[side][number]:
            continue
        free[side][number] = False  # the span has a partner now, or no possible partner is left
        against = 1 - side
        spans, heap = sides[against], begun[against]
        while after[against] < len(spans) and spans[after[against]][0] < end:
            heappush(heap, (spans[after[against]][1], after[against]))
            after[against] += 1
        while heap and not free[against][heap[0][1]]:
            heappop(heap)
        if heap:
            free[against][heappop(heap)[1]] = False
            matches += 1
    return matches
