"""Recognize results without a conclusion, because the level of measurement is unknown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from iaa_jax.wording.notes import Note, load_notes

UNDECIDED = "level_undecided"
"""Conclusion of a result while the level of measurement of its labels is unknown."""

NUMBERS = "numbers_as_names"
"""Code of the note that asks whether numeric labels form a scale."""

QUESTIONS = (NUMBERS, "order_as_names", "steps_as_names")
"""Codes of notes that ask for the level of measurement; most pages begin with such a note."""


def is_open(notes: Iterable[Note]) -> bool:
    """Tell whether labels that are numbers were taken as nominal, without a declaration.

    Examples
    --------
    >>> is_open([Note("numbers_as_names")]), is_open([Note("steps_as_names")])
    (True, False)
    """
    return any(note.code == NUMBERS for note in notes)


def questions_of(attrs: Mapping[str, object]) -> list[Note]:
    """Return the notes that ask for the level, if the conclusion of a result is `UNDECIDED`."""
    undecided = attrs.get("conclusion") == UNDECIDED
    notes = load_notes(str(attrs.get("notes", ""))) if undecided else []
    return [note for note in notes if note.code in QUESTIONS]
