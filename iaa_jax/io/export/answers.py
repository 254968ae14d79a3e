"""What an annotator may answer: labels, a number, or spans; and whether anything was answered."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Literal, NamedTuple, cast

from iaa_jax._errors import IaaError, brief
from iaa_jax.io.table.json_fields import Json, cell_text

Kind = Literal["labels", "number", "spans"]
"""What answers a question: labels (one or several), a number, or spans."""

LAST = 1 << 53  # no place in a text is further on


class Status(IntEnum):
    """What came of showing an item to an annotator; who never saw it has no judgement."""

    ANSWERED = 0
    EMPTY = 1
    """Answered with nothing: no label of several, no span."""
    SKIPPED = 2
    """Seen, and left without an answer."""


SKIPPED_AS = ("missing", "category", "drop")
"""What an item may count as that an annotator skipped."""


INCLUDE = {
    "drafts": "skipped_drafts",
    "gold": "skipped_gold",
    "predictions": "skipped_predictions",
    "curator": "skipped_curator",
    "rejected": "skipped_rejected",
}
"""What is read beside the judgements of annotators if asked for, and the note if it is not."""


class Span(NamedTuple):
    """A stretch of a document that an annotator marked; `end` is the first place after it.

    Places are whole numbers, but for times, which `time_span` makes spans of.

    Parts with the same `unit` in one judgement are one discontinuous span.
    """

    start: int
    end: int
    label: str
    unit: int | None = None


Answer = tuple[str, ...] | tuple[Span, ...]
"""An answer: labels in the order of the alphabet, one number as text, or spans in their order."""


def text_of(value: object) -> str:
    """A label as text, without blanks around it.

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
    """A span of a file, whose places must be whole numbers, the end behind the start."""
    if type(start) is int and type(end) is int and 0 <= start <= end < LAST:
        return Span(start, end, text_of(label), unit)
    raise IaaError(
        f"{where}: a span from {brief(start)} to {brief(end)}, which are no places in a text"
    )


def time_span(start: float | None, end: float | None, label: object, where: str) -> Span:
    """A span whose places are times, or other real numbers."""
    if start is not None and end is not None and 0 <= start <= end < LAST:
        begin, last = (cast("int", time if time % 1 else int(time)) for time in (start, end))
        return Span(begin, last, text_of(label))
    raise IaaError(
        f"{where}: a span from {brief(start)} to {brief(end)}, which are no times from 0 on"
    )


def apart(spans: Iterable[Span]) -> list[Span]:
    """All spans; of equal ones each is a unit of its own."""
    known: dict[Span, None] = {}
    for number, span in enumerate(spans):
        known[span._replace(unit=number) if span in known else span] = None
    return list(known)


def span_order(span: Span) -> tuple[int, int, str, int]:
    """By what spans of an answer are put in order."""
    return span.start, span.end, span.label, -1 if span.unit is None else span.unit
