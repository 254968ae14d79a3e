"""Record notes in ratings on how their files were read and what was left out.

A note is a code with values, which a template puts into words. ``attrs["reading"]`` holds the notes
as JSON: the notes ``read_as`` and ``skipped``, whose ``parts`` are also notes, and a caution
wherever the user may have meant something else. The attributes ``read_as``, ``skipped`` and
``notices`` have the same notes in words, for display only.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence

import pandas as pd
import xarray as xr

from iaa_jax._errors import shown
from iaa_jax._types import Attributes
from iaa_jax.data.notices.words import WORDS as OTHERWISE
from iaa_jax.wording import Note, Words, dump_notes, joined, keyword, load_notes, say
from iaa_jax.wording.formats import counted
from iaa_jax.wording.spelling import marked

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
        "{runs:count run} of places with equal labels)"
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
        "all places are from one document and depend on one another, so that an interval over "
        "them is far too narrow"
    ),
    "skipped_members": "{labels:count label} in label sets",
}
WORDS: Words = joined(_OWN, OTHERWISE)
"""Texts of the notes that constructors and functions of ratings make, by code."""


READING = ("files", "layout", "reading", "read_as", "skipped", "table_of")
"""Attributes of ratings about their origin: files, layout, and how these were read."""


CONSENSUS = ("annotator_of_consensus", "annotator_called_consensus")
"""Codes of notes on an annotator who may be the others' consensus."""


DOUBTED = (
    *("rows_of_annotators", "columns_of_items", "triples_turned", "gaps_as_labels"),
    *(*CONSENSUS, "columns_apart"),
    *("columns_left", "columns_unlike", "items_of_rounds", "answer_as_gap"),
    *("items_alike", "annotators_alike", "item_of_totals", "lists_joined"),
    *("labels_alike", "labels_joined", "labels_of_scores"),
)
"""Codes of notes that doubt how a file was read; if it was read wrongly, every result is wrong."""


COPIED = ("same_judgements", "label_studio_same_data")
"""Codes of notes on annotators or items that may be copies of others."""


_FEW = 0.01
"""Minimum number of groups of similar item ids, per item, that puts the reading in doubt."""


def in_doubt(notes: Iterable[Note], items: float) -> list[Note]:
    """Return the notes that put the reading in doubt; a few groups of similar item ids do not."""
    return [
        note
        for note in notes
        if note.code in DOUBTED
        and not (note.code == "items_alike" and float(str(note.values["count"])) < _FEW * items)
    ]


def doubts_of(attrs: Attributes, items: float) -> list[Note]:
    """Return the notes on doubtful readings of files, then those on possible copies."""
    notes = load_notes(attrs.get("reading", ""))
    return [*in_doubt(notes, items), *(note for note in notes if note.code in COPIED)]


def with_files_of(ratings: xr.Dataset, table: object) -> xr.Dataset:
    """Return ratings with the names of the files that their table was read from, if known.

    The names are known for a table from `iaa_jax.read_long`, and are recorded so that no page of
    results is written over these files.
    """
    attrs = table.attrs if isinstance(table, pd.DataFrame) else {}
    if not {"files", "reading"} <= attrs.keys():
        return ratings
    read = ratings.assign_attrs(reading=attrs["reading"])
    files = [*json.loads(attrs["files"]), *joined_files(read)]
    return ratings.assign_attrs(table_of=json.dumps(files, ensure_ascii=False))


def joined_files(ratings: xr.Dataset) -> list[str]:
    """Return the names of the files that were joined to the ratings as further columns."""
    parts = parts_of(ratings, "read_as")
    return [str(part.values["file"]) for part in parts if part.code == "read_joined"]


def parts_of(ratings: xr.Dataset, code: str) -> list[Note]:
    """Return the parts of a note of ratings; its ``code`` is "read_as" or "skipped"."""
    notes = load_notes(str(ratings.attrs.get("reading", "")))
    parts = (part for note in notes if note.code == code for part in note.listed("parts"))
    return [part for part in parts if isinstance(part, Note)]


def ways_to_read(ratings: xr.Dataset, unknown: Sequence[str]) -> list[str]:
    """Return advice on how to read annotators that the ratings lack."""
    ways = []
    for note in load_notes(str(ratings.attrs.get("reading", ""))):
        columns = note.listed("columns") if note.code == "columns_left" else ()
        left, way = [name for name in unknown if name in columns], note.values.get("way")
        if left and isinstance(way, Note):
            how = say(way, WORDS, marked)
            ways.append(f"{shown(left)} was not read as an annotator: to read it, {how}")
    for part in parts_of(ratings, "skipped"):
        if part.code == "skipped_predictions":
            number = counted(int(str(part.values["count"])), "prediction")
            how = keyword("include", "predictions")
            ways.append(f"{number} left out: to count each model as an annotator, give {how}")
    return ways


def columns_of_items(ratings: xr.Dataset) -> list[str]:
    """Return the columns of the files that name the items; an empty list if no column does."""
    notes = (part for part in parts_of(ratings, "read_as") if part.code == "read_items_from")
    return [str(column) for note in notes for column in note.listed("columns")]


def with_understood(ratings: xr.Dataset, note: Note) -> xr.Dataset:
    """Return ratings with a further note on how they were read."""
    before = load_notes(str(ratings.attrs.get("reading", "")))
    read_as = Note("read_as", {"parts": [*parts_of(ratings, "read_as"), note]})
    notes = [read_as, *(each for each in before if each.code != "read_as")]
    texts = [text for text in (ratings.attrs.get("read_as"), say(note, WORDS)) if text]
    return ratings.assign_attrs(reading=dump_notes(notes), read_as=", ".join(map(str, texts)))


def without_notes(ratings: xr.Dataset, codes: Collection[str]) -> xr.Dataset:
    """Return ratings without the notes of these codes on how they were read."""
    notes = load_notes(str(ratings.attrs.get("reading", "")))
    kept = [note for note in notes if note.code not in codes]
    return ratings if len(kept) == len(notes) else ratings.assign_attrs(reading=dump_notes(kept))


def with_caution(ratings: xr.Dataset, note: Note) -> xr.Dataset:
    """Return ratings with a further caution."""
    before = load_notes(str(ratings.attrs.get("reading", "")))
    texts = [text for text in (ratings.attrs.get("notices"), say(note, WORDS)) if text]
    caution = Note(note.code, note.values, "caution")
    return ratings.assign_attrs(
        reading=dump_notes([*before, caution]), notices="\n".join(map(str, texts))
    )


def with_skipped(ratings: xr.Dataset, note: Note) -> xr.Dataset:
    """Return ratings with a further note on what was left out."""
    before = load_notes(str(ratings.attrs.get("reading", "")))
    skipped = Note("skipped", {"parts": [*parts_of(ratings, "skipped"), note]})
    notes = [*(each for each in before if each.code != "skipped"), skipped]
    # the templates of notes on files are unknown here, so their text is kept as the first part
    parts = [part for part in (ratings.attrs.get("skipped"), note) if part]
    text = say(Note("skipped", {"parts": parts}), WORDS)
    return ratings.assign_attrs(reading=dump_notes(notes), skipped=text)
