"""Annotators of spans: who marks less or more than the others, and shorter or longer spans."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.findings.causes import FEWEST, Cause
from iaa_jax.analyses.findings.long_ratings import LongRatings, p_above
from iaa_jax.data.marked.documents import Markings

_RATIO = 1.25
"""How many times as many spans one marks as the others, or they as he, to be named."""

_LONGER = 1.25
"""The same of how long the spans are."""


def marked_by_all(ratings: LongRatings, markings: Markings) -> Iterator[Cause]:
    """Annotators who mark fewer or more spans than the others of the same documents.

    Of labels taken apart `iaa_jax.analyses.findings.sets` says the same.
    """
    spans = np.diff(markings.units.begins).astype(np.float64)[ratings.code]
    yield from _apart(ratings, spans, _RATIO, ("marks_less", "marks_more"))


def lengths_of_spans(ratings: LongRatings, markings: Markings) -> Iterator[Cause]:
    """Annotators whose spans are shorter or longer than the others' of the same documents."""
    spans = np.diff(markings.units.begins)
    begin, end = markings.extents
    length = np.bincount(markings.units.marking_of, end - begin, markings.number)
    mean = np.asarray(length / np.maximum(spans, 1))[ratings.code]
    kinds = ("shorter_spans", "longer_spans")
    marked = ratings.taken(spans[ratings.code] > 0)
    for cause in _apart(marked, mean[spans[ratings.code] > 0], _LONGER, kinds):
        yield replace(cause, rows=np.flatnonzero(ratings.annotator == cause.annotator))


def _apart(
    ratings: LongRatings, values: Floats, least: float, kinds: tuple[str, str]
) -> Iterator[Cause]:
    """Annotators whose values are so many times those of the others, or the others' theirs."""
    above = ratings.beside_others(values)
    for annotator in range(ratings.annotators):
        rows = np.flatnonzero((ratings.annotator == annotator) & (ratings.size > 2))
        times = ratings.times[rows]
        if times.sum() < FEWEST:
            continue
        own = float(times @ values[rows] / times.sum())
        others = own - float(times @ above[rows] / times.sum())
        more = own > others
        low, high = sorted((own, others))
        if not high > 0 or high < least * low:
            continue
        yield Cause(
            kinds[more],
            p_above(above[rows] if more else -above[rows], times, ratings.unit_of(rows)),
            float(times.sum()),
            abs(own - others),
            annotator=annotator,
            rows=np.flatnonzero(ratings.annotator == annotator),
            values={"share": own, "of_others": others},
        ).asked(2 * ratings.annotators)
