"""What was read, as the first lines of a page."""

from __future__ import annotations

import json
from collections.abc import Sequence

from iaa_jax._types import Attributes
from iaa_jax.io.words import WORDS as READING
from iaa_jax.pages.blocks import Facts, Text
from iaa_jax.wording import Note, Words, joined, load_notes

_WORDS: Words = {
    "ratings_files": "{files:names 5}",
    "ratings_items": "{items:count}: {pairable_items:count} with two ratings or more, "
    "{single_rated_items:count} with one, {unrated_items:count} with none",
    "ratings_annotators": "{annotators:count}: {names:names 10 annotators}",
    "ratings_annotators_counted": "{annotators:count}",
    "ratings_annotators_unknown": "not told apart, at most {largest_panel:count rating} per item",
    "ratings_labels": "{labels:count}: {names:names 20 labels}",
    "ratings_labels_none": "none: ratings are numbers",
    "ratings_ratings": "{ratings:count} ({missing_share:share} missing)",
    "ratings_primary_secondary": "a primary and perhaps a secondary label per rating",
    "ratings_multi_label": "a set of labels per rating",
    "ratings_soft": "shares of labels per rating",
    "ratings_value": "a number per rating",
    "ratings_documents": "{items:count}: {pairable_items:count} seen by two annotators or more, "
    "{single_rated_items:count} by one, {unrated_items:count} by none",
    "ratings_marked": "{spans:count}",
    "ratings_spans": "an item is a document here, and a rating all that is marked in it",
}
WORDS: Words = joined(READING, _WORDS)


def ratings_facts(attrs: Attributes) -> Facts:
    """All that was read, from the attributes of a result."""
    rows: list[tuple[Text, Text]] = []
    files = json.loads(attrs.get("files", "[]"))
    if files:
        rows.append(
            ("File" if len(files) == 1 else "Files", Note("ratings_files", {"files": files}))
        )
    of_spans = attrs["task"] == "spans"
    rows += [
        _items(attrs),
        ("Annotators", _annotators(attrs)),
        ("Labels", _labels(attrs)),
        ("Spans", _note_of("ratings_marked", attrs))
        if of_spans
        else ("Ratings", _note_of("ratings_ratings", attrs)),
    ]
    if attrs["task"] != "single":
        rows.append(("", Note(f"ratings_{attrs['task']}")))
    return Facts([*rows, *reading_rows(attrs, [_NOTHING])])


def short_facts(attrs: Attributes) -> Facts:
    """How much was read, how it was understood, and what was not taken."""
    annotators = (
        "ratings_annotators_unknown" if attrs["anonymous"] else "ratings_annotators_counted"
    )
    rows = [_items(attrs), ("Annotators", _note_of(annotators, attrs))]
    if attrs["task"] == "spans":
        rows.append(("", Note("ratings_spans")))
    return Facts([*rows, *reading_rows(attrs)])


_NOTHING = ("Skipped", "nothing")
_HEADINGS = {"read_as": "Read as", "skipped": "Skipped"}


def reading_rows(
    attrs: Attributes, nothing_skipped: Sequence[tuple[Text, Text]] = ()
) -> list[tuple[Text, Text]]:
    """How files were read, what was skipped, and what may be meant otherwise."""
    rows: dict[str, list[tuple[Text, Text]]] = {"Read as": [], "Skipped": [], "Note": []}
    for note in load_notes(attrs.get("reading", "")):
        heading = _HEADINGS.get(note.code, "Note")
        rows[heading].append((heading, note))
    return [*rows["Read as"], *(rows["Skipped"] or nothing_skipped), *rows["Note"]]


def _note_of(code: str, attrs: Attributes) -> Note:
    return Note(code, {str(name): value for name, value in attrs.items()})


def _items(attrs: Attributes) -> tuple[Text, Text]:
    if attrs["task"] == "spans":
        return "Documents", _note_of("ratings_documents", attrs)
    return "Items", _note_of("ratings_items", attrs)


def _annotators(attrs: Attributes) -> Note:
    if attrs["anonymous"]:
        return _note_of("ratings_annotators_unknown", attrs)
    names = json.loads(attrs["annotator_names"])
    return Note("ratings_annotators", {"annotators": attrs["annotators"], "names": names})


def _labels(attrs: Attributes) -> Note:
    if attrs["task"] == "value":
        return Note("ratings_labels_none")
    names = json.loads(attrs["label_values"])
    return Note("ratings_labels", {"labels": attrs["labels"], "names": names})
