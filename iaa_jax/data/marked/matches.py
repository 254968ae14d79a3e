"""Match equal or overlapping units of two markings, by several rules.

A marking is what one annotator marked in one document, a unit is one or several spans with a label,
and a couple is two units, one from each of the two markings.
"""

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
"""For each kind of F1 in GATE (a tool for annotating text), the credit for matches with the same
boundaries and for other matches."""


def partial_matches(markings: Markings, pairs: Pairs) -> Floats:
    """Return the number of matches (pair, label) between overlapping units with the same label.

    Units are matched one to one, as many as possible.
    """
    return _swept_or_listed(markings, pairs, swept_matches, _partial_among, markings.labels)


def half_credit_matches(markings: Markings, pairs: Pairs) -> Floats:
    """Return the credits (pair, 1) for matches: 1 for equal boundaries, 0.5 for other overlaps.

    Units are matched one to one, first units with equal boundaries, then as many others as
    possible. Labels are ignored.
    """
    return _swept_or_listed(markings, pairs, swept_credits, _half_credit_among, 1)


def _swept_or_listed(
    markings: Markings,
    pairs: Pairs,
    swept: Callable[[Markings, Pairs], Floats],
    listed: Callable[[Couples, Markings, Pairs], Floats],
    columns: int,
) -> Floats:
    """Return the matches of each pair, by a sweep if there are very many overlaps."""
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
    partial_couples = most_couples(couples.take(~used[0] & ~used[1]))
    many = len(pairs.first)
    credit = np.bincount(couples.pair[exact], minlength=many) * 1.0
    return (credit + 0.5 * np.bincount(partial_couples.pair, minlength=many))[:, None]


def _gate_matches(markings: Markings, pairs: Pairs, *, credit: str) -> Floats:
    met = overlaps_of_pairs(markings, pairs)
    return _listed(markings, pairs, met, partial(_gate_among, credit=credit), markings.labels)


def _gate_among(couples: Couples, markings: Markings, pairs: Pairs, *, credit: str) -> Floats:
    """Return the credits (pair, label) for the couples of overlapping units that GATE matches.

    A couple scores 3 with the same boundaries and label, 2 with the same label, 1 with the same
    boundaries, otherwise 0. Couples are matched in the order of their score minus the scores of all
    other couples with which they share a unit. GATE breaks ties by the order of its list. Here,
    ties are broken by the score, then by the overlap, then by the places, so that the order of
    neither spans nor annotators matters.
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
"""Functions that return the credits for each kind of F1 in GATE, by its name."""


def _greedy(couples: Couples, order: NDArray[np.intp]) -> NDArray[np.intp]:
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
    """Return the number of units (pair, label) with equal boundaries and label in both markings."""
    return _matches(markings, pairs, markings.kinds, markings.units.label_of, markings.labels)


def boundary_matches(markings: Markings, pairs: Pairs) -> Floats:
    """Return the number of units (pair, 1) whose boundaries both markings have, with any label."""
    same_label = np.zeros_like(markings.units.label_of)
    return _matches(markings, pairs, markings.boundaries, same_label, 1)


def _matches(
    markings: Markings, pairs: Pairs, key: Integers, label_of: Integers, labels: int
) -> Floats:
    """Return the number of units (pair, label) with the same key in both markings.

    Equal units of a marking are matched one to one.
    """
    width = int(key.max(initial=0)) + 1
    codes = markings.units.marking_of.astype(np.int64) * width + key
    known, first, count = np.unique(codes, return_index=True, return_counts=True)
    begins = np.searchsorted(known, np.arange(markings.number + 1, dtype=np.int64) * width)
    pair, at = expanded(begins[pairs.first], begins[pairs.first + 1])
    wanted = pairs.second[pair].astype(np.int64) * width + known[at] % width
    position = np.minimum(np.searchsorted(known, wanted), max(len(known) - 1, 0))
    equal = known[position] == wanted
    pair, at, position = pair[equal], at[equal], position[equal]
    cells = pair * labels + label_of[first[at]]
    many = len(pairs.first)
    shared = np.bincount(cells, np.minimum(count[at], count[position]), minlength=many * labels)
    return shared.reshape(many, labels).astype(np.float64)


def times_before(markings: Markings, key: Integers) -> NDArray[np.intp]:
    """Return, for each unit, the number of earlier units of its marking with the same key."""
    code = joint(markings.units.marking_of, key)
    order = np.argsort(code, kind="stable")
    begins = np.searchsorted(code[order], code[order])
    before = np.empty(len(code), dtype=np.intp)
    before[order] = np.arange(len(code)) - begins
    return before


Span = tuple[int, int]


def swept_matches(markings: Markings, pairs: Pairs) -> Floats:
    """Return the maximum number of matches (pair, label) between overlapping spans of a label.

    Each span must be a unit of its own.
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
    """Return the maximum credits (pair, 1): 1 for equal boundaries, 0.5 for other overlaps.

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
    begins = markings.begins
    for number, two in enumerate(zip(pairs.first, pairs.second, strict=True)):
        one, other = (np.arange(begins[marking], begins[marking + 1]) for marking in two)
        yield number, one, other


def _partners(markings: Markings, one: NDArray[np.intp], other: NDArray[np.intp]) -> int:
    """Return the maximum number of matches between spans that overlap, or are the same point."""
    places, both = zip(*(_split(markings, spans) for spans in (one, other)), strict=True)
    return _same_places(*places) + _most_matches(*both)


def _split(markings: Markings, spans: NDArray[np.intp]) -> tuple[Integers, list[Span]]:
    start, end = markings.start[spans], markings.end[spans]
    place = end <= start
    return start[place], list(zip(start[~place].tolist(), end[~place].tolist(), strict=True))


def _same_places(one: Integers, other: Integers) -> int:
    (places, count), (others, of_other) = (
        np.unique(each, return_counts=True) for each in (one, other)
    )
    _, at_one, at_other = np.intersect1d(places, others, return_indices=True)
    return int(np.minimum(count[at_one], of_other[at_other]).sum())


def _most_matches(one: Sequence[Span], other: Sequence[Span]) -> int:
    """Return the maximum number of matches between spans (start, end) that overlap.

    The span that ends first is matched with a span of the other marking that begins before this
    end. Among these candidates, the one that ends first is chosen. All candidates cover the last
    place of the first span. So every later span that the chosen candidate overlaps also overlaps
    the other candidates, and no other choice is better.

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
