"""A question of an export, with its judgements in columns."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import cast

from iaa_jax.io.export.answers import Answer, Kind, Span, Status, span_order, text_of


class Question:
    """The judgements on one question, a row each: columns of codes, and the values of the codes."""

    def __init__(self, name: str, kind: Kind, several: bool | None, keep: Sequence[str]) -> None:
        self.name = name
        self.repeated = 0  # spans that are repeated in an answer
        self.kind: Kind = kind
        self.several = several  # several labels at once; None: inferred from the answers
        self.feature_of = ""  # the question whose spans have this one as an attribute
        self.items, self.annotators, self.values = array("i"), array("i"), array("i")
        self.status = array("b")
        self.records = array("i")
        self.files, self.places = array("i"), array("q")
        self.times = array("d")
        self.answers: dict[Answer, int] = {}
        self.nothing = -1  # the empty answer, if it was given
        self.offered: dict[str, None] = {}  # labels to choose from, if the tool tells
        self.kept = {name: array("i") for name in keep}

    def leave_out(self, seen: Question) -> None:
        """Prepend the judgements in which this question was not answered."""
        for name in ("items", "annotators", "records", "status", "files", "places", "times"):
            setattr(self, name, getattr(seen, name)[:])
        self.kept = {name: column[:] for name, column in seen.kept.items()}
        self.values = array("i", [0]) * len(seen.items)
        self.answers, self.nothing = {(): 0}, 0

    def code_of(self, answer: Iterable[object]) -> int:
        """Return the code of an answer."""
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
        """How often annotators who answered it elsewhere gave an empty answer."""
        by = [*zip(self.annotators, self.status, strict=True)]
        busy = {annotator for annotator, status in by if status == Status.ANSWERED}
        return sum(status == Status.EMPTY and annotator in busy for annotator, status in by)

    @property
    def takes_sets(self) -> bool:
        """Whether annotators may give several labels at once."""
        if self.kind != "labels" or self.several is not None:
            return bool(self.several)
        return any(len(answer) > 1 for answer in self.answers)
