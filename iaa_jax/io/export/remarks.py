"""Information that a tool's reader reports on an export besides its judgements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from iaa_jax.io.export.answers import INCLUDE
from iaa_jax.wording import Note


@dataclass
class NamedBy:
    """The fields that name items and annotators.

    Attributes
    ----------
    items, annotators : str
        One or several fields; empty if items are numbered, or if files or folders name the items or
        annotators.
    is_by_file : bool
        Whether files or folders name the items.
    columns : list of str
        Annotators that have a column each.
    advice_on_nobody, advice_on_repeats : str, list of str
        Advice specific to the tool: on judgements without an annotator, and on an annotator who
        judged an item twice.
    """

    items: str | Sequence[str] = ""
    annotators: str = ""
    is_by_file: bool = False
    columns: Sequence[str] = ()
    advice_on_nobody: str = ""
    advice_on_repeats: Sequence[str] = ()


@dataclass
class ExportRemarks:
    """Notes on what is left out, and on what may be misread.

    Attributes
    ----------
    included : list of str
        The kinds of judgements (`INCLUDE`) that the caller asks for.
    left_out : Counter
        The number of judgements left out, by kind (`INCLUDE`).
    notes : list of Note
        Notes on parts of the export, other than judgements, that the reader left out.
    notices : Counter
        The number of possible misreadings, by code.
    cautions : list of Note
        Notes on possible misreadings that have values besides the number.
    """

    included: Sequence[str]
    left_out: Counter[str] = field(default_factory=Counter)
    notes: list[Note] = field(default_factory=list)
    notices: Counter[str] = field(default_factory=Counter)
    cautions: list[Note] = field(default_factory=list)

    def wants(self, what: str, count: int = 1) -> bool:
        """Tell whether the caller includes judgements of a kind; otherwise count them as left out.

        `what` is one of `INCLUDE`.
        """
        wanted = what in self.included
        if not wanted:
            self.left_out[what] += count
        return wanted

    def leave_unread(self, question: str, kind: str) -> None:
        """Add a note that answers to a question are neither labels, numbers nor spans."""
        note = Note("skipped_unread", {"question": question, "kind": kind})
        if note not in self.notes:
            self.notes.append(note)

    def notice(self, code: str, count: int = 1) -> None:
        """Count a possible misreading."""
        if count:
            self.notices[code] += count

    @property
    def skipped(self) -> list[Note]:
        """Return the notes on what was left out."""
        known = [Note(INCLUDE[what], {"count": n}) for what, n in self.left_out.items()]
        return [*known, *self.notes]

    @property
    def otherwise(self) -> list[Note]:
        """Return the notes on what may have been misread."""
        counted = [Note(code, {"count": n}, "caution") for code, n in self.notices.items()]
        return [*self.cautions, *counted]
