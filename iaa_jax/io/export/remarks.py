"""What a tool's reader says of an export beside its judgements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from iaa_jax.io.export.answers import INCLUDE
from iaa_jax.wording import Note


@dataclass
class NamedBy:
    """What names items and annotators.

    Attributes
    ----------
    items, annotators : str
        A field, or several; empty where items are numbered, and where the names of files or folders
        tell the annotator.
    is_by_file : bool
        Whether items are named by files or folders.
    columns : list of str
        Annotators that have a column each.
    way_of_nobody, ways_of_repeated : str, list of str
        What to do where a judgement has no annotator, or where an annotator judged an item twice,
        if the tool knows more of it than others.
    """

    items: str | Sequence[str] = ""
    annotators: str = ""
    is_by_file: bool = False
    columns: Sequence[str] = ()
    way_of_nobody: str = ""
    ways_of_repeated: Sequence[str] = ()


@dataclass
class ExportRemarks:
    """What is left out of the ``included``, and what may be meant otherwise.

    Attributes
    ----------
    left_out : Counter
        How much was left out, by what it was (`INCLUDE`).
    notes : list of Note
        What else the reader left out.
    notices : Counter
        How often something may be meant otherwise, by its code.
    cautions : list of Note
        What else may be, with more to say of it than how often.
    """

    included: Sequence[str]
    left_out: Counter[str] = field(default_factory=Counter)
    notes: list[Note] = field(default_factory=list)
    notices: Counter[str] = field(default_factory=Counter)
    cautions: list[Note] = field(default_factory=list)

    def wants(self, what: str, count: int = 1) -> bool:
        """Tell whether the caller wants what is no judgement of an annotator, and count it if not.

        `what` is one of `INCLUDE`.
        """
        wanted = what in self.included
        if not wanted:
            self.left_out[what] += count
        return wanted

    def leave_unread(self, question: str, kind: str) -> None:
        """Note that a question was answered by what is neither labels, a number nor spans."""
        note = Note("skipped_unread", {"question": question, "kind": kind})
        if note not in self.notes:
            self.notes.append(note)

    def notice(self, code: str, count: int = 1) -> None:
        """Note what may be meant otherwise; how often is counted."""
        if count:
            self.notices[code] += count

    @property
    def skipped(self) -> list[Note]:
        """What was left out."""
        known = [Note(INCLUDE[what], {"count": n}) for what, n in self.left_out.items()]
        return [*known, *self.notes]

    @property
    def otherwise(self) -> list[Note]:
        """What may be meant otherwise."""
        counted = [Note(code, {"count": n}, "caution") for code, n in self.notices.items()]
        return [*self.cautions, *counted]
