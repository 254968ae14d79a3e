"""Answers of annotators: labels, a number, or spans; and the outcome of each judgement."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Literal, NamedTuple, cast

from iaa_jax._errors import IaaError, brief
from iaa_jax.io.table.json_fields import Json, cell_text

Kind = Literal["labels", "number", "spans"]

LAST = 1 << 53  # every position in a text must be less than this


class Status(IntEnum):
    """The outcome of showing an item to an annotator.

    An item that was not shown has no judgement.
    """

    ANSWERED = 0
    EMPTY = 1
    """Answered with no label or no span."""
    SKIPPED = 2
    """Seen but not answered."""


SKIPPED_AS = ("missing", "category", "drop")

EMPTY_AS = ("answered", "missing")


INCLUDE = {
    "drafts": "skipped_drafts",
    "gold": "skipped_gold",
    "predictions": "skipped_predictions",
    "curator": "skipped_curator",
    "rejected": "skipped_rejected",
}
"""Kinds of judgements that are read only on request, and the codes of notes on their omission."""


class Span(NamedTuple):
    """A stretch of a document that an annotator marked; `end` is the first position after it.

    Positions are whole numbers, or times if `time_span` made the span.

    Spans with the same `unit` in one judgement are the parts of one discontinuous span.
    """

    start: int
    end: int
    label: str
    unit: int | None = None


Answer = tuple[str, ...] | tuple[Span, ...]
"""An answer: labels in alphabetical order, one number as text, or spans sorted by `span_order`."""


def text_of(value: object) -> str:
    """Return a label as text, without surrounding blanks.

    Examples
    --------
    >>> text_of(" yes "), text_of(True), text_of(3)
    ('yes', 'True', '3')
    """
    if type(value) is str:
        return value.strip()
    if type(value) is int:
        return str(value)
    return (cell_text(cast("Json", value)) or "").strip()


def span_of(start: object, end: object, label: object, where: str, unit: int | None = None) -> Span:
    """Return a span; positions are whole numbers from 0."""
    if type(start) is int and type(end) is int and 0 <= start <= end < LAST:
        return Span(start, end, text_of(label), unit)
    raise IaaError(
        f"{where}: a span from {brief(start)} to {brief(end)}, which are not positions in a text"
    )


def time_span(start: float | None, end: float | None, label: object, where: str) -> Span:
    """Return a span whose positions are times or other real numbers."""
    if start is not None and end is not None and 0 <= start <= end < LAST:
        begin, last = (cast("int", time if time % 1 else int(time)) for time in (start, end))
        return Span(begin, last, text_of(label))
    raise IaaError(
        f"{where}: a span from {brief(start)} to {brief(end)}, which are not times "
        "of 0 or more, the end after the start"
    )


def separate_units(spans: Iterable[Span]) -> list[Span]:
    """Return all spans; a repetition gets a ``unit`` of its own, so that it is not dropped."""
    known: dict[Span, None] = {}
    for number, span in enumerate(spans):
        known[span._replace(unit=number) if span in known else span] = None
    return list(known)


def span_order(span: Span) -> tuple[int, int, str, int]:
    """Return the key by which the spans of an answer are sorted."""
    return span.start, span.end, span.label, -1 if span.unit is None else span.unit
