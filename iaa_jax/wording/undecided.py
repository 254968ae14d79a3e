"""Recognize results that are open because the level of measurement of labels is unknown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from iaa_jax.wording.notes import Note, load_notes

UNDECIDED = "level_undecided"
"""Conclusion of a result while the level of measurement of its labels is unknown."""

NUMBERS = "numbers_as_names"
"""Code of the note that asks whether numeric labels form a scale."""

QUESTIONS = (NUMBERS, "order_as_names", "steps_as_names")
"""Codes of notes that ask for the level; pages put them before the figures if possible."""


def is_open(notes: Iterable[Note]) -> bool:
    """Tell whether numbers were taken as names although nobody declared them as such.

    Examples
    --------
    >>> is_open([Note("numbers_as_names")]), is_open([Note("steps_as_names")])
    (True, False)
    """
    return any(note.code == NUMBERS for note in notes)


def questions_of(attrs: Mapping[str, object]) -> list[Note]:
    """Return the open question of a result whose conclusion is `UNDECIDED`, otherwise nothing."""
    undecided = attrs.get("conclusion") == UNDECIDED
    notes = load_notes(str(attrs.get("notes", ""))) if undecided else []
    return [note for note in notes if note.code in QUESTIONS]
