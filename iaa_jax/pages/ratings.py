"""The first lines of a page, which state how many ratings were read, and how."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import replace

import xarray as xr

from iaa_jax._types import Attributes
from iaa_jax.data.facts import code_for
from iaa_jax.data.provenance import in_doubt
from iaa_jax.io.words import FIRST, WORDS as READING
from iaa_jax.pages.blocks import Facts, Text
from iaa_jax.pages.intervals import measured
from iaa_jax.pages.open_questions import question_first
from iaa_jax.pages.page import Page
from iaa_jax.wording import Note, Words, joined, load_notes

_WORDS: Words = {
    "ratings_files": "{files:names 5}",
    "ratings_items": "{items:count}{parts}",
    "ratings_all_alike": ", all {part}",
    "ratings_parts": ": {parts:join , }",
    "ratings_part": "{items:count} {part}",
    "ratings_pairable": "with two ratings or more",
    "ratings_single_rated": "with one rating",
    "ratings_unrated": "without a rating",
    "ratings_pairable_of_spans": "seen by two annotators or more",
    "ratings_single_rated_of_spans": "by one",
    "ratings_unrated_of_spans": "by none",
    "ratings_annotators": "{annotators:count}: {names:names 10 annotators}",
    "ratings_annotators_counted": "{annotators:count}",
    "ratings_annotators_unknown": "unknown, {each} per item",
    "ratings_labels": "{labels:count}: {names:names 20 labels}",
    "ratings_labels_none": "none: ratings are numbers",
    "ratings_ratings": "{ratings:count} ({missing_share:share} missing)",
    "ratings_ratings_counted": "{ratings:count}",
    "ratings_ratings_of_crowd": "{ratings:count} ({each} per item)",
    "ratings_alike": "{largest_panel:count rating}",
    "ratings_from_to": "{smallest_panel:count} to {largest_panel:count rating}",
    "ratings_primary_secondary": "a primary and perhaps a secondary label per rating",
    "ratings_multi_label": "a set of labels per rating",
    "ratings_soft": "shares of labels per rating",
    "ratings_value": "a number per rating",
    "ratings_marked": "{spans:count}",
    "reading_in_doubt": "First check how the file was read: see the note below.",
    "ratings_spans": (
        "an item is a document here, and a rating is all that one annotator marked in it"
    ),
}
_MOSTLY = 0.5
"""Share of missing ratings above which annotators count as a crowd: each rated few items."""

_SETS = '"read_set_of_labels"'
"""Code of the note in "Read as" which states that a rating is a set of labels."""

_NAMED_ABOVE: Words = {
    "read_annotators_in_columns": "a column for each annotator",
    "read_labels_in_columns": "a column for each label",
}
"""Templates that describe columns without their names, which other lines of the page list.

These lines do not name annotators and labels that were left out after reading.
"""

WORDS: Words = {**joined(READING, _WORDS), **_NAMED_ABOVE}


def ratings_facts(attrs: Attributes) -> Facts:
    """Return the facts on the ratings that were read, from the attributes of a result."""
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
        ("Spans", _note_of("ratings_marked", attrs)) if of_spans else ("Ratings", _ratings(attrs)),
    ]
    if attrs["task"] not in ("single", "spans") and _SETS not in str(attrs.get("reading", "")):
        rows.append(("", Note(f"ratings_{attrs['task']}")))
    return Facts([*rows, *reading_rows(attrs)])


def short_facts(attrs: Attributes) -> Facts:
    """Return the numbers of items and annotators, how files were read, and what was left out."""
    annotators = f"ratings_annotators_{'unknown' if attrs['anonymous'] else 'counted'}"
    rows = [_items(attrs), ("Annotators", _note_of(annotators, attrs))]
    return Facts([*rows, *reading_rows(attrs)])


def measured_facts(
    result: xr.Dataset, unsaid: Collection[str], *further: tuple[Text, Text]
) -> Facts:
    """Return the coefficient and further facts, followed by `short_facts`."""
    coefficient = ("Coefficient", measured(result, unsaid))
    return Facts([coefficient, *further, *short_facts(result.attrs).rows])


HEADINGS = {"read_as": "Read as", "skipped": "Left out"}
"""Headings of notes on how files were read, by code; other notes state a possible misreading."""

_GOLD = "label_studio_gold"


def reading_rows(attrs: Attributes) -> list[tuple[Text, Text]]:
    """Return lines on how files were read, what was left out, and what may have been misread."""
    rows: dict[str, list[tuple[Text, Text]]] = {"Read as": [], "Left out": [], "Note": []}
    notes = load_notes(attrs.get("reading", ""))
    gold = [note.values["count"] for note in notes if note.code == _GOLD]
    for note in notes:
        heading = HEADINGS.get(note.code, "Note")
        if note.code != "skipped":
            rows[heading].append((heading, note))
            continue
        parts = [part for part in note.listed("parts") if not _is_repeated(part, gold)]
        if parts:
            shorter = replace(note, values={**note.values, "parts": parts})
            rows[heading].append((heading, shorter))
    return [row for rows_of_heading in rows.values() for row in rows_of_heading]


def _is_repeated(part: object, gold: Sequence[object]) -> bool:
    """Tell whether another note already states that these gold judgements were left out."""
    if not isinstance(part, Note) or part.code != "skipped_gold":
        return False
    return part.values["count"] in gold


def with_guesses_first(page: Page) -> Page:
    """Return the page with an open question, and important doubts about files, in its answer."""
    page = question_first(page)
    first: list[Note] = []
    blocks = []
    for block in page.blocks:
        if isinstance(block, Facts):
            moved = [
                text for _, text in block.rows if isinstance(text, Note) and text.code in FIRST
            ]
            first += moved
            block = Facts([row for row in block.rows if row[1] not in moved])
        blocks.append(block)
    facts = [block for block in blocks if isinstance(block, Facts)]
    rows = [text for block in facts for _, text in block.rows if isinstance(text, Note)]
    items = max((result.attrs.get("items", 0) for result in page.results.values()), default=0)
    if in_doubt(rows, items):
        first.append(Note("reading_in_doubt"))
    if not first:
        return page
    return replace(page, answer=[*page.answer, *dict.fromkeys(first)], blocks=blocks)


def ratings_each(attrs: Attributes) -> Note:
    """Return a note on the number of ratings per rated item, which may be a range."""
    alike = attrs["smallest_panel"] == attrs["largest_panel"]
    return Note("ratings_alike" if alike else "ratings_from_to", attrs)


def _note_of(code: str, attrs: Attributes) -> Note:
    values = {str(name): value for name, value in attrs.items()}
    return Note(code, {**values, "each": ratings_each(attrs)})


def _items(attrs: Attributes) -> tuple[Text, Text]:
    of_spans = attrs["task"] == "spans"
    counts = {
        name: attrs[f"{name}_items"]
        for name in ("pairable", "single_rated", "unrated")
        if attrs[f"{name}_items"]
    }
    parts = [
        Note("ratings_part", {"items": count, "part": Note(code_for(attrs, f"ratings_{name}"))})
        for name, count in counts.items()
    ]
    all_alike = [*counts] == ["pairable"]
    alike = Note("ratings_all_alike", {"part": Note(code_for(attrs, "ratings_pairable"))})
    listed = Note("ratings_parts", {"parts": parts}) if parts else ""
    values = {"items": attrs["items"], "parts": alike if all_alike else listed}
    return "Documents" if of_spans else "Items", Note("ratings_items", values)


def _annotators(attrs: Attributes) -> Note:
    if attrs["anonymous"]:
        return _note_of("ratings_annotators_unknown", attrs)
    names = json.loads(attrs["annotator_names"])
    return Note("ratings_annotators", {"annotators": attrs["annotators"], "names": names})


def _ratings(attrs: Attributes) -> Note:
    kind = "_counted" if attrs["anonymous"] else ""
    if not kind and attrs["missing_share"] > _MOSTLY:
        kind = "_of_crowd"
    return _note_of(f"ratings_ratings{kind}", attrs)


def _labels(attrs: Attributes) -> Note:
    if attrs["task"] == "value":
        return Note("ratings_labels_none")
    names = json.loads(attrs["label_values"])
    return Note("ratings_labels", {"labels": attrs["labels"], "names": names})
