"""A question of an export, whose judgements are stored in columns."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import cast

from iaa_jax.io.export.answers import Answer, Kind, Span, Status, span_order, text_of
from iaa_jax.io.export.fields import NamedFields


class Question:
    """The judgements on one question, one per row: columns of codes, and the value of each code."""

    def __init__(self, name: str, kind: Kind, several: bool | None, fields: NamedFields) -> None:
        self.name = name
        self.repeated = 0  # number of repeated spans in answers
        self.kind: Kind = kind
        self.several = several  # whether an answer may have several labels; None: inferred
        self.feature_of = ""  # the question whose spans have this one as an attribute
        self.items, self.annotators, self.values = array("i"), array("i"), array("i")
        self.status = array("b")
        self.records = array("i")
        self.files, self.places = array("i"), array("q")
        self.times = array("d")
        self.answers: dict[Answer, int] = {}
        self.nothing = -1  # code of the empty answer, -1 if nobody gave it
        self.offered: dict[str, None] = {}  # labels to choose from, if the export states them
        self.kept = [*fields.keep]  # the columns to keep
        self.columns = {name: array("i") for name in fields.columns}

    def leave_out(self, seen: Question) -> None:
        """Begin with the judgements of ``seen``, as empty answers to this question."""
        for name in ("items", "annotators", "records", "status", "files", "places", "times"):
            setattr(self, name, getattr(seen, name)[:])
        self.columns = {name: column[:] for name, column in seen.columns.items()}
        self.values = array("i", [0]) * len(seen.items)
        self.answers, self.nothing = {(): 0}, 0

    def code_of(self, answer: Iterable[object]) -> int:
        """Return the code of an answer; a new answer gets a new code."""
        if self.kind == "spans":
            spans = [*cast("Iterable[Span]", answer)]
            known: Answer = tuple(sorted(set(spans), key=span_order))
            self.repeated += len(spans) - len(known)
        else:
            known = tuple(sorted({text for part in answer if (text := text_of(part))}))
        code = self.answers.setdefault(known, len(self.answers))
        if not known:
            self.nothing = code
        return code

    def empty(self) -> int:
        """The number of empty answers by annotators who answered the question for other items."""
        by = [*zip(self.annotators, self.status, strict=True)]
        busy = {annotator for annotator, status in by if status == Status.ANSWERED}
        return sum(status == Status.EMPTY and annotator in busy for annotator, status in by)

    @property
    def takes_sets(self) -> bool:
        """Whether an answer may have several labels."""
        if self.kind != "labels" or self.several is not None:
            return bool(self.several)
        return any(len(answer) > 1 for answer in self.answers)
