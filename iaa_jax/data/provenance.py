"""How ratings came to be, as notes: how files were read, and what was left out.

``attrs["reading"]`` holds the notes as JSON: ``read_as`` and ``skipped``, whose ``parts`` are notes
too, and a note for each reading that may not be what was meant. The attributes ``read_as``,
``skipped`` and ``notices`` put them in words for people; no code reads these texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import pandas as pd
import xarray as xr

from iaa_jax._types import Attributes
from iaa_jax.data.notices.words import WORDS as OTHERWISE
from iaa_jax.wording import Note, Words, dump_notes, joined, load_notes, say

_OWN: Words = {
    "skipped": "{parts:join ; }",
    "skipped_repeated_ratings": (
        "{ratings:count} repeated {ratings:rating|ratings} (kept the {kept} {order})"
    ),
    "order_of_file": "in the order of the file",
    "order_of_table": "in the order of the table",
    "order_of_times": "by time",
    "skipped_annotators": ("{ratings:count rating} by {annotators:count annotator}{emptied}"),
    "skipped_labels": ("{ratings:count rating} of {labels:count label}{emptied}"),
    "skipped_all_of_items": " (no rating left on {items:count item})",
    "skipped_annotators_of_spans": (
        "{ratings:count span} by {annotators:count annotator}{emptied}"
    ),
    "skipped_labels_of_spans": ("{ratings:count span} of {labels:count label}{emptied}"),
    "skipped_all_of_items_of_spans": " (no annotator left on {items:count document})",
    "read_places": (
        "each place of {documents:count document} as an item ({places:count place} in "
        "{runs:count run} of equal ones)"
    ),
    "read_as_votes": (
        "{ratings:count} repeated {ratings:rating|ratings} as further votes of their annotators"
    ),
    "read_as_apart": (
        "{ratings:count} repeated {ratings:rating|ratings} as those of "
        "{annotators:count} further {annotators:annotator|annotators}, as {name:quoted}"
    ),
    "recoded": "labels recoded: {parts:names 8}",
    "places_of_one_document": (
        "all places are from one document and depend on one another, so an interval over them is "
        "far too narrow"
    ),
    "skipped_members": "{labels:count label} in label sets",
}
WORDS: Words = joined(_OWN, OTHERWISE)
"""Templates of the notes that constructors and functions of ratings make, by code."""


READING = ("files", "layout", "reading", "read_as", "skipped", "table_of")
"""Attributes of ratings that say where they come from and how they were understood."""


DOUBTED = (
    *("rows_of_annotators", "columns_of_items", "triples_turned", "gaps_as_labels"),
    *("annotator_of_consensus", "annotator_called_consensus", "columns_apart"),
    *("items_alike", "annotators_alike", "item_of_totals", "lists_joined"),
    *("labels_alike", "labels_joined", "labels_of_scores"),
)
"""Notes on readings of files that, if wrong, would change every figure."""


COPIED = ("same_judgements", "label_studio_same_data")
"""Notes on annotators or items that may be duplicates of others."""


_FEW = 0.01
"""Maximum share of items with similar ids that is mentioned only in the notes."""


def in_doubt(notes: Iterable[Note], items: float) -> list[Note]:
    """The notes that put the reading in doubt; a few similar ids among many items do not."""
    return [
        note
        for note in notes
        if note.code in DOUBTED
        and not (note.code == "items_alike" and float(str(note.values["count"])) < _FEW * items)
    ]


def doubts_of(attrs: Attributes, items: float) -> list[Note]:
    """The doubtful readings of files, then possible duplicates."""
    notes = load_notes(attrs.get("reading", ""))
    return [*in_doubt(notes, items), *(note for note in notes if note.code in COPIED)]


def with_files_of(ratings: xr.Dataset, table: object) -> xr.Dataset:
    """Ratings of a table from `iaa_jax.read_long`, with the files that no page may overwrite."""
    attrs = table.attrs if isinstance(table, pd.DataFrame) else {}
    if not {"files", "reading"} <= attrs.keys():
        return ratings
    read = ratings.assign_attrs(reading=attrs["reading"])
    files = [*json.loads(attrs["files"]), *joined_files(read)]
    return ratings.assign_attrs(table_of=json.dumps(files, ensure_ascii=False))


def joined_files(ratings: xr.Dataset) -> list[str]:
    """The files that were joined to ratings."""
    parts = parts_of(ratings, "read_as")
    return [str(part.values["file"]) for part in parts if part.code == "read_joined"]


def parts_of(ratings: xr.Dataset, code: str) -> list[Note]:
    """The notes on how ratings were read ("read_as") or on what was "skipped"."""
    notes = load_notes(str(ratings.attrs.get("reading", "")))
    parts = (part for note in notes if note.code == code for part in note.listed("parts"))
    return [part for part in parts if isinstance(part, Note)]


def columns_of_items(ratings: xr.Dataset) -> list[str]:
    """The columns of the files that name the items; none where no column does."""
    found = (part for part in parts_of(ratings, "read_as") if part.code == "read_items_from")
    return [str(column) for part in found for column in part.listed("columns")]


def with_understood(ratings: xr.Dataset, note: Note) -> xr.Dataset:
    """Ratings with further notes on how they were read."""
    before = load_notes(str(ratings.attrs.get("reading", "")))
    read_as = Note("read_as", {"parts": [*parts_of(ratings, "read_as"), note]})
    notes = [read_as, *(each for each in before if each.code != "read_as")]
    said = [text for text in (ratings.attrs.get("read_as"), say(note, WORDS)) if text]
    return ratings.assign_attrs(reading=dump_notes(notes), read_as=", ".join(map(str, said)))


def with_caution(ratings: xr.Dataset, note: Note) -> xr.Dataset:
    """Ratings with a caution against a wrong conclusion."""
    before = load_notes(str(ratings.attrs.get("reading", "")))
    said = [text for text in (ratings.attrs.get("notices"), say(note, WORDS)) if text]
    caution = Note(note.code, note.values, "caution")
    return ratings.assign_attrs(
        reading=dump_notes([*before, caution]), notices="\n".join(map(str, said))
    )


def with_skipped(ratings: xr.Dataset, note: Note) -> xr.Dataset:
    """Ratings with further notes on what was left out."""
    before = load_notes(str(ratings.attrs.get("reading", "")))
    skipped = Note("skipped", {"parts": [*parts_of(ratings, "skipped"), note]})
    notes = [*(each for each in before if each.code != "skipped"), skipped]
    # a reader's words are unknown here: its sentence is kept as a part
    said = [text for text in (ratings.attrs.get("skipped"), note) if text]
    text = say(Note("skipped", {"parts": said}), WORDS)
    return ratings.assign_attrs(reading=dump_notes(notes), skipped=text)
