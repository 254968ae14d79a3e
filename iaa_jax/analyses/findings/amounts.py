"""Annotators who give fewer or more labels or spans than the others, or shorter or longer spans."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.findings.causes import Cause, Correction
from iaa_jax.analyses.findings.corrections import spans_taken_out, with_labels_of_others
from iaa_jax.analyses.findings.long_ratings import LongRatings
from iaa_jax.data.marked.counts import units_by_label
from iaa_jax.data.marked.documents import Markings
from iaa_jax.measure.shared.label_users import Amount, find_differing, find_label_preferences
from iaa_jax.measure.shared.versus_others import MANY

_OF_SPANS = 1.25
"""Minimum ratio of an annotator's number or length of spans to the others', or the reverse."""

_LABELS = ("leaves_label_out", "adds_label")


def label_use_in_sets(ratings: LongRatings, sets: Floats) -> Iterator[Cause]:
    """Find annotators who give labels less or more often than the others on the same items.

    The correction adds or removes these labels where most other annotators of the item disagree.
    ``sets`` (code, label) has the labels of each distinct rating (its code).
    """
    for amounts in find_label_preferences(ratings, ratings.code, sets):
        first, labels = amounts[0], [amount.label for amount in amounts]
        mend = partial(with_labels_of_others, first.annotator, labels, first.more)
        yield _together(ratings, amounts, sets[:, labels].max(axis=1), mend)


def label_use_in_spans(ratings: LongRatings, markings: Markings) -> Iterator[Cause]:
    """Find annotators who use labels less or more often than the others in the same documents.

    The correction removes spans that nobody else marks. It cannot add spans that are missing.
    """
    spans = units_by_label(markings.distinct)
    for amounts in find_label_preferences(ratings, ratings.code, spans):
        first, labels = amounts[0], [amount.label for amount in amounts]
        mend = partial(spans_taken_out, first.annotator, labels) if first.more else None
        yield _together(ratings, amounts, spans[:, labels].sum(axis=1), mend)


def label_use_beside_partners(ratings: LongRatings) -> Iterator[Cause]:
    """Find annotators who give a label more often than their partners on items with two ratings."""
    two = ratings.taken(ratings.size == 2)
    if not (two.partners >= MANY).any():
        return
    for first, *_ in find_label_preferences(two, two.code, np.eye(two.codes)):
        if first.more:
            cause = _cause(two, first, "favours_label")
            yield replace(cause, rows=ratings.rows_of(first.annotator))


def marked_by_all(ratings: LongRatings, markings: Markings) -> Iterator[Cause]:
    """Find annotators who mark fewer or more spans than the others in the same documents."""
    spans = np.diff(markings.units.begins).astype(np.float64)[ratings.code]
    for amount in find_differing(ratings, spans, _OF_SPANS):
        kind = "marks_more" if amount.more else "marks_less"
        yield replace(_cause(ratings, amount, kind), rows=ratings.rows_of(amount.annotator))


def lengths_of_spans(ratings: LongRatings, markings: Markings) -> Iterator[Cause]:
    """Find annotators whose spans are shorter or longer than the others' in the same documents."""
    spans = np.diff(markings.units.begins)
    begin, end = markings.extents
    length = np.bincount(markings.units.marking_of, end - begin, markings.number)
    mean = np.asarray(length / np.maximum(spans, 1))[ratings.code]
    has_spans = spans[ratings.code] > 0
    marked = ratings.taken(has_spans)
    for amount in find_differing(marked, mean[has_spans], _OF_SPANS):
        kind = "longer_spans" if amount.more else "shorter_spans"
        yield replace(_cause(marked, amount, kind), rows=ratings.rows_of(amount.annotator))


def _cause(ratings: LongRatings, amount: Amount, kind: str) -> Cause:
    return Cause(
        kind,
        amount.p_value,
        amount.items if amount.label < 0 else amount.difference,
        amount.difference,
        annotator=amount.annotator,
        label=amount.label,
        values={
            "share": amount.own,
            "of_others": amount.others,
            "compared": ratings.items_of_three(amount.annotator),
        },
    )


def _together(
    ratings: LongRatings, amounts: list[Amount], values: Floats, mend: Correction | None
) -> Cause:
    """Join the causes of one annotator's labels; ``values`` (code,) counts these labels by code."""
    first, *further = amounts
    cause = replace(_cause(ratings, first, _LABELS[first.more]), correction=mend)
    if not further:
        return cause
    own, others, number = (sums[first.annotator] for sums in ratings.compared(values[ratings.code]))
    second, third, *_ = *(amount.label for amount in further), -1
    difference = sum(amount.difference for amount in amounts)
    return replace(
        cause,
        p_value=min(amount.p_value for amount in amounts),
        items=difference,
        lost=difference,
        other_label=second,
        third_label=third,
    ).with_values(share=own / number, of_others=others / number, labels=float(len(amounts)))
