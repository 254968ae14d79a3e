"""What results note, as tests ask for it."""

from __future__ import annotations

import xarray as xr

from iaa_jax.measure.words import OF_FIGURES, OF_RESULTS
from iaa_jax.wording import Note, joined, load_notes, say


def notes_of(result: xr.Dataset, code: str = "") -> list[Note]:
    """The notes of a result; those with a code alone if one is given."""
    notes = load_notes(result.attrs["notes"])
    return [note for note in notes if code in ("", note.code)]


def sentences_of(result: xr.Dataset) -> str:
    """What is noted of coefficients, as text."""
    return " ".join(say(note, joined(OF_FIGURES, OF_RESULTS)) for note in notes_of(result))
