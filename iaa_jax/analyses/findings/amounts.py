"""Annotators who give less or more than the others: labels in sets, spans, and how long these."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.findings.causes import FEWEST, Cause
from iaa_jax.analyses.findings.long_ratings import LongRatings, p_above
from iaa_jax.data.marked.documents import Markings

_RATIO = 1.5
"""How many times as often one gives a label as the others, or they as he, to be named."""

_OF_SPANS = 1.25
"""The same of spans, and of how long they are."""

_USES = 8
"""Items with the label, by the annotator or by the others, from which that is said."""


def label_use_in_sets(ratings: LongRatings, members: Floats) -> Iterator[Cause]:
    """Annotators who give a label less often, or more often, than others on the same items.

    ``members`` (code, label) says which labels the sets have, or how many spans.
    """
    kinds = ("leaves_label_out", "adds_label")
    for label in range(members.shape[1]):
        for cause in _apart(ratings, members[ratings.code, label], _RATIO, kinds, _USES):
            yield replace(cause, items=cause.lost, label=label).asked(members.shape[1])


def marked_by_all(ratings: LongRatings, markings: Markings) -> Iterator[Cause]:
    """Annotators who mark fewer or more spans than the others of the same documents."""
    spans = np.diff(markings.units.begins).astype(np.float64)[ratings.code]
    yield from _apart(ratings, spans, _OF_SPANS, ("marks_less", "marks_more"))


def lengths_of_spans(ratings: LongRatings, markings: Markings) -> Iterator[Cause]:
    """Annotators whose spans are shorter or longer than the others' of the same documents."""
    spans = np.diff(markings.units.begins)
    begin, end = markings.extents
    length = np.bincount(markings.units.marking_of, end - begin, markings.number)
    mean = np.asarray(length / np.maximum(spans, 1))[ratings.code]
    kinds = ("shorter_spans", "longer_spans")
    marked = ratings.taken(spans[ratings.code] > 0)
    for cause in _apart(marked, mean[spans[ratings.code] > 0], _OF_SPANS, kinds):
        yield replace(cause, rows=np.flatnonzero(ratings.annotator == cause.annotator))


def _apart(
    ratings: LongRatings,
    values: Floats,
    ratio: float,
    kinds: tuple[str, str],
    uses: float = 0.0,
) -> Iterator[Cause]:
    """Annotators whose values are so many times those of the others, or the others' theirs.

    The larger of both sums to ``uses`` at least.
    """
    above = ratings.beside_others(values)
    for annotator in range(ratings.annotators):
        rows = np.flatnonzero((ratings.annotator == annotator) & (ratings.size > 2))
        times = ratings.times[rows]
        if times.sum() < FEWEST:
            continue
        own = float(times @ values[rows])
        others = own - float(times @ above[rows])
        more = own > others
        least, most = sorted((own, others))
        if not most > 0 or most < uses or most < ratio * least:
            continue
        yield Cause(
            kinds[more],
            p_above(above[rows] if more else -above[rows], times, ratings.unit_of(rows)),
            float(times.sum()),
            most - least,
            annotator=annotator,
            rows=np.flatnonzero(ratings.annotator == annotator),
            values={"share": own / times.sum(), "of_others": others / times.sum()},
        ).asked(2 * ratings.annotators)
