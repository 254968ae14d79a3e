"""Correct an annotator's label sets and spans towards the others'."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from iaa_jax._types import Integers
from iaa_jax.analyses.findings.long_ratings import LongRatings, Mask
from iaa_jax.data.marked.documents import Markings
from iaa_jax.data.marked.numbers import expanded, joint


def with_labels_of_others(
    annotator: int, labels: Sequence[int], adds: bool, ratings: LongRatings
) -> LongRatings:
    """Correct ``labels`` in an annotator's sets where most others of the item disagree.

    If the annotator ``adds`` labels, they are removed; otherwise they are added.
    """
    if ratings.masses is None:
        return ratings
    rows = ratings.rows_of(annotator)
    sets = ratings.masses[ratings.code[rows]]
    for label in labels:
        values = ratings.masses[ratings.code, label]
        others = (values - ratings.above_others(values))[rows]
        sets[others < 0.5 if adds else others > 0.5, label] = 0.0 if adds else 1.0
    return ratings.with_sets(rows, sets)


@dataclass(frozen=True)
class SpansOfRatings:
    """The spans of all ratings, as arrays with one element per span.

    Attributes
    ----------
    rating : array
        The rating that the span belongs to.
    unit : array
        The index of the span in `Markings`, where a unit is a span in a document.
    start, end, label : array
    """

    rating: Integers
    unit: Integers
    start: Integers
    end: Integers
    label: Integers

    @classmethod
    def of(cls, ratings: LongRatings, markings: Markings) -> Self:
        """Return the spans of all ratings."""
        units, (start, end) = markings.units, markings.extents
        begins = units.begins
        rating, unit = expanded(begins[ratings.code], begins[ratings.code + 1])
        return cls(rating, unit, start[unit], end[unit], units.label_of[unit])

    def overlapping(self, ratings: LongRatings) -> tuple[Integers, Integers]:
        """Return pairs of overlapping spans of one label, by different annotators."""
        group = joint(ratings.item[self.rating], self.label)
        order = np.lexsort((self.end, self.start, group))
        width = int(self.end.max(initial=0)) + 1
        begin = (group * width + self.start)[order]
        until = np.searchsorted(begin, (group * width + self.end)[order])
        position = np.arange(len(order))
        first, second = expanded(position + 1, np.maximum(until, position + 1))
        one, other = order[first], order[second]
        different = self.rating[one] != self.rating[other]
        return one[different], other[different]


def spans_taken_out(annotator: int, labels: Sequence[int], ratings: LongRatings) -> LongRatings:
    """Remove an annotator's spans of some labels.

    Spans that overlap others' spans with the same label are kept.
    """
    if ratings.markings is None:
        return ratings
    spans = SpansOfRatings.of(ratings, ratings.markings)
    shared = np.zeros(len(spans.unit), dtype=bool)
    for each in spans.overlapping(ratings):
        shared[each] = True
    own = ratings.annotator[spans.rating] == annotator
    kept = shared | ~own | ~np.isin(spans.label, labels)
    return with_spans(ratings, spans, kept)


def with_spans(
    ratings: LongRatings,
    spans: SpansOfRatings,
    kept: Mask,
    start: Integers | None = None,
    end: Integers | None = None,
) -> LongRatings:
    """Return the ratings with the ``kept`` spans, possibly with new starts and ends."""
    markings = ratings.markings
    if markings is None:
        return ratings
    start = spans.start if start is None else start
    end = spans.end if end is None else end
    moved = ~kept | (start != spans.start) | (end != spans.end)
    rows = np.unique(spans.rating[moved])
    of_row = np.full(len(ratings.item), -1)
    of_row[rows] = markings.number + np.arange(len(rows))
    taken = np.flatnonzero(kept & (of_row[spans.rating] >= 0))
    # the parts of a span stay together
    parts = np.argsort(markings.units.unit, kind="stable")
    begins = np.searchsorted(
        markings.units.unit[parts], np.arange(len(markings.units.label_of) + 1)
    )
    which, at = expanded(begins[spans.unit[taken]], begins[spans.unit[taken] + 1])
    part, one = parts[at], taken[which]
    begin, until = markings.start[part], markings.end[part]
    begin = np.where(begin == spans.start[one], start[one], begin)
    until = np.where(until == spans.end[one], end[one], until)
    marking, label = of_row[spans.rating[one]], markings.label_of[part]
    unit = int(markings.unit_of.max(initial=-1)) + 1 + which
    order = np.lexsort((label, until, begin, marking))
    added = {
        "marking_of": marking,
        "start": begin,
        "end": until,
        "label_of": label,
        "unit_of": unit,
    }
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(markings, name), values[order]])
        for name, values in added.items()
    }
    length = markings.length
    if length is not None:
        length = np.concatenate([length, length[ratings.code[rows]]])
    code = np.where(of_row >= 0, of_row, ratings.code)
    number = markings.number + len(rows)
    return ratings.marked(code, replace(markings, number=number, length=length, **columns))
