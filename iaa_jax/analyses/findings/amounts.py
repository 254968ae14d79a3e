"""Annotators who give less or more than the others: labels, spans, and how long these are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.findings.causes import Cause, PutRight
from iaa_jax.analyses.findings.corrections import spans_taken_out, with_labels_of_others
from iaa_jax.analyses.findings.long_ratings import LongRatings
from iaa_jax.data.marked.counts import units_by_label
from iaa_jax.data.marked.documents import Markings
from iaa_jax.measure.shared.beside_others import MANY
from iaa_jax.measure.shared.label_users import Amount, who_differs, who_uses_labels

_OF_SPANS = 1.25
"""How many times as many spans, or as long ones, somebody marks as the others to be named."""

_LABELS = ("leaves_label_out", "adds_label")


def label_use_in_sets(ratings: LongRatings, sets: Floats) -> Iterator[Cause]:
    """Annotators who give labels less often, or more often, than others on the same items.

    Mended is whether they have these labels. ``sets`` (code, label) says which labels there are.
    """
    for amounts in who_uses_labels(ratings, ratings.code, sets):
        first, labels = amounts[0], [amount.label for amount in amounts]
        mend = partial(with_labels_of_others, first.annotator, labels, first.more)
        yield _together(ratings, amounts, sets[:, labels].max(axis=1), mend)


def label_use_in_spans(ratings: LongRatings, markings: Markings) -> Iterator[Cause]:
    """Annotators who mark less or more with labels than others in the same documents.

    Of what is more, spans are taken out where nobody else marks any; what is less is not known.
    """
    spans = units_by_label(markings.distinct)
    for amounts in who_uses_labels(ratings, ratings.code, spans):
        first, labels = amounts[0], [amount.label for amount in amounts]
        mend = partial(spans_taken_out, first.annotator, labels) if first.more else None
        yield _together(ratings, amounts, spans[:, labels].sum(axis=1), mend)


def label_use_beside_partners(ratings: LongRatings) -> Iterator[Cause]:
    """Annotators who give a label more often than their many partners, one an item."""
    two = ratings.taken(ratings.size == 2)
    if not (two.partners >= MANY).any():
        return
    for first, *_ in who_uses_labels(two, two.code, np.eye(two.codes)):
        if first.more:
            cause = _cause(two, first, "favours_label")
            yield replace(cause, rows=ratings.rows_of(first.annotator))


def marked_by_all(ratings: LongRatings, markings: Markings) -> Iterator[Cause]:
    """Annotators who mark fewer or more spans than the others of the same documents."""
    spans = np.diff(markings.units.begins).astype(np.float64)[ratings.code]
    for amount in who_differs(ratings, spans, _OF_SPANS):
        kind = "marks_more" if amount.more else "marks_less"
        yield replace(_cause(ratings, amount, kind), rows=ratings.rows_of(amount.annotator))


def lengths_of_spans(ratings: LongRatings, markings: Markings) -> Iterator[Cause]:
    """Annotators whose spans are shorter or longer than the others' of the same documents."""
    spans = np.diff(markings.units.begins)
    begin, end = markings.extents
    length = np.bincount(markings.units.marking_of, end - begin, markings.number)
    mean = np.asarray(length / np.maximum(spans, 1))[ratings.code]
    some = spans[ratings.code] > 0
    marked = ratings.taken(some)
    for amount in who_differs(marked, mean[some], _OF_SPANS):
        kind = "longer_spans" if amount.more else "shorter_spans"
        yield replace(_cause(marked, amount, kind), rows=ratings.rows_of(amount.annotator))


def _cause(ratings: LongRatings, amount: Amount, kind: str) -> Cause:
    """One annotator's; of a label about the items that have it more or less often."""
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
    ratings: LongRatings, amounts: list[Amount], values: Floats, mend: PutRight | None
) -> Cause:
    """The cause of all of these labels: of each code ``values`` says how much it has of any."""
    first, *further = amounts
    cause = replace(_cause(ratings, first, _LABELS[first.more]), put_right=mend)
    if not further:
        return cause
    own, others, number = (each[first.annotator] for each in ratings.compared(values[ratings.code]))
    second, third, *_ = *(amount.label for amount in further), -1
    apart = sum(amount.difference for amount in amounts)
    return replace(
        cause,
        p_value=min(amount.p_value for amount in amounts),
        items=apart,
        lost=apart,
        other_label=second,
        third_label=third,
    ).with_values(share=own / number, of_others=others / number, labels=float(len(amounts)))
