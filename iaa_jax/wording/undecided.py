"""What results say whose labels are numbers of which nobody said whether they are a scale."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from iaa_jax.wording.notes import Note, load_notes

UNDECIDED = "level_undecided"
"""Their conclusion."""

NUMBERS = "numbers_as_names"
"""The question without whose answer nothing is concluded."""


def is_open(notes: Iterable[Note]) -> bool:
    """Whether numbers were taken as names, and nobody said that they are.

    Examples
    --------
    >>> is_open([Note("numbers_as_names")]), is_open([Note("steps_as_names")])
    (True, False)
    """
    return any(note.code == NUMBERS for note in notes)


def questions_of(attrs: Mapping[str, object]) -> list[Note]:
    """The question of a result that concludes nothing; none of any other."""
    undecided = attrs.get("conclusion") == UNDECIDED
    notes = load_notes(str(attrs.get("notes", ""))) if undecided else []
    return [note for note in notes if note.code == NUMBERS]
