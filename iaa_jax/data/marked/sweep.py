"""Matches where spans overlap by the thousand, without a list of all that overlap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats, Integers
from iaa_jax.data.marked.documents import Markings, Pairs
from iaa_jax.data.marked.equal import times_before
from iaa_jax.data.marked.numbers import joint

Span = tuple[int, int]


def swept_matches(markings: Markings, pairs: Pairs) -> Floats:
    """How many spans of each label have a partner with a place in common: (pair, label).

    As many as can be, for spans that are units of their own.
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
    """Spans with the same boundaries, and half for each other one with a partner: (pair, 1).

    For spans that are units of their own.
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
    """Each pair's number, and the spans of its two markings."""
    begins = markings.begins
    for number, two in enumerate(zip(pairs.first, pairs.second, strict=True)):
        one, other = (np.arange(begins[marking], begins[marking + 1]) for marking in two)
        yield number, one, other


def _partners(markings: Markings, one: NDArray[np.intp], other: NDArray[np.intp]) -> int:
    """The size of a largest matching of spans that overlap, or are the same place."""
    places, both = zip(*(_split(markings, spans) for spans in (one, other)), strict=True)
    return _same_places(*places) + _most_matches(*both)


def _split(markings: Markings, spans: NDArray[np.intp]) -> tuple[Integers, list[Span]]:
    """The places without extent, and the other spans."""
    start, end = markings.start[spans], markings.end[spans]
    place = end <= start
    return start[place], list(zip(start[~place].tolist(), end[~place].tolist(), strict=True))


def _same_places(one: Integers, other: Integers) -> int:
    """Places without extent match those alone that are the same."""
    (places, count), (others, of_other) = (
        np.unique(each, return_counts=True) for each in (one, other)
    )
    _, at_one, at_other = np.intersect1d(places, others, return_indices=True)
    return int(np.minimum(count[at_one], of_other[at_other]).sum())


def _most_matches(one: Sequence[Span], other: Sequence[Span]) -> int:
    """The size of a largest matching of spans (start, end) that overlap.

    The span that ends first takes, of those of the other side that have begun by its end, the one
    that ends first. All of them cover its last place, so what the chosen one overlaps later, the
    others overlap as well: no choice is better.

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
        free[side][number] = False  # it has a partner now, or none that is left
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
