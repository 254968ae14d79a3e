"""Find ends of spans that are one or two positions apart, as when blanks are included."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np
from scipy.sparse import coo_array

from iaa_jax._types import Integers
from iaa_jax.analyses.findings.causes import FEWEST, Cause
from iaa_jax.analyses.findings.corrections import SpansOfRatings, with_spans
from iaa_jax.analyses.findings.long_ratings import LongRatings, Mask, RatedPairs
from iaa_jax.data.marked.documents import Markings
from iaa_jax.measure.shared.versus_others import p_above

NEAR = 2
"""Maximum distance, in characters or tokens, between near ends."""

_SHARE = 0.05
"""Minimum share of near ends among pairs of overlapping spans."""

_RATIO = 1.25
"""Minimum ratio of a named annotator's share to the share among the others."""


def near_ends(ratings: LongRatings, markings: Markings) -> Iterator[Cause]:
    """Find annotators whose spans often begin or end near, but not at, ends of others' spans."""
    if markings.steps:  # positions are measured, such as times, and hardly ever equal
        return
    spans = SpansOfRatings.of(ratings, markings)
    first, second = spans.overlapping(ratings)
    begins, ends, near = _near(spans, first, second)
    one, other = spans.rating[first], spans.rating[second]
    index = ratings.place
    counted = RatedPairs(index[one[near]], index[other[near]], np.full(int(near.sum()), -1.0))
    shortfall = replace(ratings, pairs=counted).shortfall
    for annotator in range(ratings.annotators):
        own = (ratings.annotator[one] == annotator) | (ratings.annotator[other] == annotator)
        rows = ratings.rows_of(annotator, others=2)
        of_others = ~own & np.isin(ratings.item[one], ratings.item[rows])
        number = int(own.sum())
        if number < FEWEST or near[own].mean() < max(_SHARE, _RATIO * _share(near[of_others])):
            continue
        if not ratings.times[rows] @ shortfall[rows] > 0:
            continue
        yield Cause(
            "near_ends",
            ratings.p_above(shortfall[rows], rows),
            float(number),
            float(near[own].sum()),
            annotator=annotator,
            correction=partial(_with_nearest_ends, annotator),
            values={
                "share": _share(near[own]),
                "of_others": _share(near[of_others]),
                "begins": _share((near & begins)[own]),
                "ends": _share((near & ends)[own]),
            },
        ).corrected_for(ratings.annotators)


def near_ends_of_all(ratings: LongRatings, markings: Markings) -> Iterator[Cause]:
    """Find overlapping spans with ends that are near but not equal."""
    if markings.steps:
        return
    spans = SpansOfRatings.of(ratings, markings)
    first, second = spans.overlapping(ratings)
    begins, ends, near = _near(spans, first, second)
    if len(near) < FEWEST or near.mean() < _SHARE:
        return
    item = ratings.item[spans.rating[first[near]]]
    number = np.bincount(item, minlength=len(ratings.weight)).astype(np.float64)
    yield Cause(
        "near_ends",
        p_above(number, ratings.weight, ratings.clusters),
        float(len(near)),
        float(near.sum()),
        correction=_with_ends_alike,
        values={
            "share": _share(near),
            "begins": _share(near & begins),
            "ends": _share(near & ends),
        },
    )


def _share(held: Mask) -> float:
    return float(held.mean()) if len(held) else 0.0


def _near(spans: SpansOfRatings, first: Integers, second: Integers) -> tuple[Mask, Mask, Mask]:
    """Return masks of pairs: different starts, different ends, and different but near."""
    begin = np.abs(spans.start[first] - spans.start[second])
    end = np.abs(spans.end[first] - spans.end[second])
    return begin > 0, end > 0, (np.maximum(begin, end) <= NEAR) & (begin + end > 0)


def _with_nearest_ends(annotator: int, ratings: LongRatings) -> LongRatings:
    """Move ends of one annotator's spans to near ends of overlapping spans."""
    if ratings.markings is None:
        return ratings
    spans = SpansOfRatings.of(ratings, ratings.markings)
    pairs = spans.overlapping(ratings)
    both = [np.concatenate(ends) for ends in (pairs, pairs[::-1])]
    own = ratings.annotator[spans.rating[both[0]]] == annotator
    mine, theirs = (spans_of[own] for spans_of in both)
    moved = []
    for places in (spans.start, spans.end):
        away = np.abs(places[mine] - places[theirs])
        order = np.lexsort((places[theirs], -away))  # the nearest end comes last
        order = order[away[order] <= NEAR]
        now = places.copy()
        now[mine[order]] = places[theirs[order]]
        moved.append(now)
    return _moved(ratings, spans, *moved)


def _with_ends_alike(ratings: LongRatings) -> LongRatings:
    """Move ends that are near each other to one common end."""
    if ratings.markings is None:
        return ratings
    from scipy.sparse.csgraph import connected_components  # slow to load

    spans = SpansOfRatings.of(ratings, ratings.markings)
    first, second = spans.overlapping(ratings)
    moved = []
    for places in (spans.start, spans.end):
        near = np.abs(places[first] - places[second]) <= NEAR
        links = (np.ones(int(near.sum())), (first[near], second[near]))
        graph = coo_array(links, shape=(len(places), len(places)))
        group = connected_components(graph, directed=False)[1]
        order = np.lexsort((places, group))
        size = np.bincount(group)
        middle = order[np.cumsum(size) - size + (size - 1) // 2]
        moved.append(places[middle][group])
    return _moved(ratings, spans, *moved)


def _moved(
    ratings: LongRatings, spans: SpansOfRatings, start: Integers, end: Integers
) -> LongRatings:
    """Move the ends of spans, except of spans that would become empty."""
    empty = start >= end
    start, end = np.where(empty, spans.start, start), np.where(empty, spans.end, end)
    return with_spans(ratings, spans, np.ones(len(start), dtype=bool), start, end)
