"""What results note, as tests ask for it."""

from __future__ import annotations

from collections.abc import Iterator

import xarray as xr

from iaa_jax.measure.words import OF_FIGURES, OF_RESULTS
from iaa_jax.pages import Page, Remarks
from iaa_jax.wording import Note, joined, load_notes, say


def notes_of(result: xr.Dataset, code: str = "") -> list[Note]:
    """The notes of a result; those with a code alone if one is given."""
    notes = load_notes(result.attrs["notes"])
    return [note for note in notes if code in ("", note.code)]


def sentences_of(result: xr.Dataset) -> str:
    """What is noted of coefficients, as text."""
    return " ".join(say(note, joined(OF_FIGURES, OF_RESULTS)) for note in notes_of(result))


def cautions_of(ratings: xr.Dataset) -> list[Note]:
    """What of ratings may be meant otherwise than it was read."""
    notes = load_notes(ratings.attrs.get("reading", ""))
    return [note for note in notes if note.code not in ("read_as", "skipped")]


def cautioned(ratings: xr.Dataset) -> list[str]:
    """The codes of these notes."""
    return [note.code for note in cautions_of(ratings)]


def notes_on(page: Page) -> Iterator[Note]:
    """The notes of a page's answer and remarks, and those that are parts of them."""
    remarks = [note for block in page.blocks if isinstance(block, Remarks) for note in block.notes]
    waiting = [*page.answer, *remarks]
    while waiting:
        note = waiting.pop(0)
        yield note
        waiting += [value for value in note.values.values() if isinstance(value, Note)]


def codes_on(page: Page) -> list[str]:
    """The codes of these notes."""
    return [note.code for note in notes_on(page)]
