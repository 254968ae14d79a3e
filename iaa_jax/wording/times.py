"""Templates for times: how they were read from the data, and how sentences mention them."""

from __future__ import annotations

from collections.abc import Sequence

from iaa_jax.wording.notes import Note
from iaa_jax.wording.templates import Words

TIMES: Words = {
    "dates": "dates",
    "text_as_dates": "dates, read from text{day}{zone}",
    "day_first": ", day first",
    "month_first": ", month first",
    "in_utc": ", in UTC",
    "numbers": "a number",
    "numbers_as_dates": "numbers as dates (year, month, day)",
    "seconds_since_1970": "numbers as seconds since 1970, in UTC",
    "milliseconds_since_1970": "numbers as milliseconds since 1970, in UTC",
    "each_a_batch": "{values}, each a batch",
    "items_as_they_stand": "the items in their order",
    "months": "months in calendar order; {order:option} sets another",
    "weekdays": "days of the week, from Monday; {order:option} sets another",
    "batches_given": "batches in the order given",
    "batches_natural": "batches in natural order",
    "batches_as_seen": "in order of first appearance: {names:names 6}; {order:option} sets another",
    "at_batch": "{name:quoted}",
    "at_date": "{date}",
    "at_item": "item {number:estimate 0}",
    "at_number": "{by:name} {number:short}",
    "at_number_alone": "{number:short}",
    "since_batch": "that batch",
    "since_date": "that date",
    "since_item": "item {number:estimate 0}",
    "since_number": "there",
    "when_batch": "at {name:quoted}",
    "when_date": "on {date}",
    "when_item": "at item {number:estimate 0}",
    "when_number": "at {by:name} {number:short}",
}
"""Templates that state how times were read, and templates for a time within a sentence."""


def later_on(code: str, time: Note) -> Note:
    """Return the note on a time, with a code that begins with ``code`` instead of "at"."""
    return Note(f"{code}_{time.code.removeprefix('at_')}", time.values)


def named_once(times: Sequence[Note]) -> list[Note]:
    """Return the notes for the times in a sentence, which names the time variable only once."""
    return [
        Note("at_number_alone", time.values) if index and time.code == "at_number" else time
        for index, time in enumerate(times)
    ]
