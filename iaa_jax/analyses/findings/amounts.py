"""Annotators who give less or more than the others: labels, spans, and how long these are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.findings.causes import FEWEST, SURE, Cause
from iaa_jax.analyses.findings.long_ratings import MANY, LongRatings, Mask
from iaa_jax.analyses.findings.put_right import spans_taken_out, with_labels_of_others
from iaa_jax.data.marked.counts import units_by_label
from iaa_jax.data.marked.documents import Markings

_RATIO = 1.5
"""How many times as often one gives a label as the others, or they as he, to be named."""

_OF_SPANS = 1.25
"""The same of spans, and of how long they are."""

_USES = 8
"""Items with the label, by the annotator or by the others, from which that is said."""

_LABELS = ("leaves_label_out", "adds_label")


def label_use_in_sets(ratings: LongRatings, sets: Floats) -> Iterator[Cause]:
    """Annotators who give labels less often, or more often, than others on the same items.

    Mended is whether they have these labels. ``sets`` (code, label) says which labels there are.
    """
    for causes in _of_labels(ratings, sets, _LABELS):
        labels = [cause.label for cause in causes]
        adds = causes[0].kind == _LABELS[1]
        mend = partial(with_labels_of_others, causes[0].annotator, labels, adds)
        any_of = sets[:, labels].max(axis=1)[ratings.code]
        yield replace(_together(ratings, causes, any_of), put_right=mend)


def label_use_in_spans(ratings: LongRatings, markings: Markings) -> Iterator[Cause]:
    """Annotators who mark less or more with labels than others in the same documents.

    Of what is more, spans are taken out where nobody else marks any; what is less is not known.
    """
    spans = units_by_label(markings.distinct)
    for causes in _of_labels(ratings, spans, _LABELS):
        labels = [cause.label for cause in causes]
        mend = None
        if causes[0].kind == _LABELS[1]:
            mend = partial(spans_taken_out, causes[0].annotator, labels)
        all_of = spans[:, labels].sum(axis=1)[ratings.code]
        yield replace(_together(ratings, causes, all_of), put_right=mend)


def label_use_beside_partners(ratings: LongRatings) -> Iterator[Cause]:
    """Annotators who give a label more often than their many partners, one an item."""
    two = ratings.taken(ratings.size == 2)
    if not (two.partners >= MANY).any():
        return
    for causes in _of_labels(two, np.eye(two.codes), ("", "favours_label")):
        most = max(causes, key=lambda cause: cause.lost)
        if most.kind:
            yield replace(most, rows=np.flatnonzero(ratings.annotator == most.annotator))


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


def _of_labels(
    ratings: LongRatings, members: Floats, kinds: tuple[str, str]
) -> Iterator[list[Cause]]:
    """Of each annotator the labels that he surely gives less, or more, the most so first."""
    known: dict[tuple[str, int], list[Cause]] = {}
    for label in range(members.shape[1]):
        for cause in _apart(ratings, members[ratings.code, label], _RATIO, kinds, _USES):
            asked = replace(cause, items=cause.lost, label=label).asked(members.shape[1])
            if asked.p_value < SURE:
                known.setdefault((cause.kind, cause.annotator), []).append(asked)
    for causes in known.values():
        yield sorted(causes, key=lambda cause: -cause.lost)


def _together(ratings: LongRatings, causes: list[Cause], values: Floats) -> Cause:
    """The cause of all of these labels: of each rating ``values`` says how much it has of any."""
    first = replace(causes[0], rows=causes[0].rows[:0])
    if len(causes) == 1:
        return first
    own, others, number = _amounts(ratings, values, ratings.comparable)
    who = first.annotator
    return replace(
        first,
        p_value=min(cause.p_value for cause in causes),
        items=sum(cause.items for cause in causes),
        lost=sum(cause.lost for cause in causes),
        other_label=causes[1].label,
        third_label=causes[2].label if len(causes) > 2 else -1,
        values={
            **first.values,
            "share": own[who] / number[who],
            "of_others": others[who] / number[who],
            "labels": float(len(causes)),
        },
    )


def _apart(
    ratings: LongRatings,
    values: Floats,
    ratio: float,
    kinds: tuple[str, str],
    uses: float = 0.0,
) -> Iterator[Cause]:
    """Annotators whose values are so many times those of the others, or the others' theirs.

    The larger of both sums to ``uses`` at least. Of three the one who differs makes the others
    differ from their mean: who is farthest comes first, the next is asked about without him.
    """
    asked = [*_farther(ratings, values, ratio, kinds, uses)]
    of_sure = np.zeros(len(ratings.item), dtype=bool)
    for cause in sorted(asked, key=lambda cause: -cause.lost):
        if cause.p_value >= SURE:
            continue
        rows = ratings.rows_of(cause.annotator)
        beside = np.zeros(len(ratings.weight), dtype=bool)
        beside[ratings.item[rows]] = True
        beside = beside[ratings.item]
        if (beside & of_sure).any():
            left = beside & ~of_sure
            again = _farther(ratings.taken(left), values[left], ratio, kinds, uses, cause.annotator)
            if not any(each.p_value < SURE and each.kind == cause.kind for each in again):
                continue
        of_sure[rows] = True
        yield replace(cause, rows=rows)


def _farther(
    ratings: LongRatings,
    values: Floats,
    ratio: float,
    kinds: tuple[str, str],
    uses: float,
    only: int | None = None,
) -> Iterator[Cause]:
    """The same, each beside all others."""
    compared = ratings.comparable
    own, others, number = _amounts(ratings, values, compared)
    least, most = np.minimum(own, others), np.maximum(own, others)
    told = (number >= FEWEST) & (most > 0) & (most >= uses) & (most >= ratio * least)
    above = ratings.beside_others(values)
    for annotator in np.flatnonzero(told).tolist():
        if only not in (None, annotator):
            continue
        rows = ratings.rows_of(annotator)
        rows = rows[compared[rows]]
        more = bool(own[annotator] > others[annotator])
        every = float(number[annotator])
        yield Cause(
            kinds[more],
            ratings.p_of_annotator(above[rows] if more else -above[rows], rows),
            every,
            float(most[annotator] - least[annotator]),
            annotator=annotator,
            values={
                "share": float(own[annotator]) / every,
                "of_others": float(others[annotator]) / every,
                "compared": ratings.items_of_three(annotator),
            },
        ).asked(2 * ratings.annotators)


def _amounts(ratings: LongRatings, values: Floats, compared: Mask) -> tuple[Floats, Floats, Floats]:
    """Of each annotator the sum of the values, that of the others' means, and of how many."""
    above, times = ratings.beside_others(values), ratings.times
    who = ratings.annotator[compared]

    def summed(each: Floats) -> Floats:
        total: Floats = np.bincount(who, each[compared], ratings.annotators).astype(np.float64)
        return total

    own = summed(times * values)
    return own, own - summed(times * above), summed(times)
