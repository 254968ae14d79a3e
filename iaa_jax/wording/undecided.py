"""Results with numbers as labels, when nobody said whether the numbers are a scale."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from iaa_jax.wording.notes import Note, load_notes

UNDECIDED = "level_undecided"
"""The conclusion of such results."""

NUMBERS = "numbers_as_names"
"""The question that has to be answered before anything is concluded."""


def is_open(notes: Iterable[Note]) -> bool:
    """Tell whether numbers were taken as names although nobody said so.

    Examples
    --------
    >>> is_open([Note("numbers_as_names")]), is_open([Note("steps_as_names")])
    (True, False)
    """
    return any(note.code == NUMBERS for note in notes)


def questions_of(attrs: Mapping[str, object]) -> list[Note]:
    """Return the question of a result without a conclusion; none for any other."""
    undecided = attrs.get("conclusion") == UNDECIDED
    notes = load_notes(str(attrs.get("notes", ""))) if undecided else []
    return [note for note in notes if note.code == NUMBERS]
