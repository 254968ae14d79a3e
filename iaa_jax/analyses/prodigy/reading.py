"""Prodigy exports for its commands: tasks of one view, with answers that the command takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import xarray as xr

from iaa_jax._errors import IaaError, OptionError, shown
from iaa_jax.data.duplicates import ways_out
from iaa_jax.data.select import keep_annotators, keep_labels
from iaa_jax.io.choosing import ToolFiles
from iaa_jax.io.export.answers import Status
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.question import Question
from iaa_jax.io.export.ratings import SKIPPED, ratings_of
from iaa_jax.io.export.spans import spans_of
from iaa_jax.io.noting import with_notes
from iaa_jax.io.request import FileRequest
from iaa_jax.wording import keyword, named
from iaa_jax.wording.formats import counted

BINARY, MULTICLASS, MULTILABEL, SPAN = "binary", "multiclass", "multilabel", "span"

_QUESTIONS = {BINARY: "answer", MULTICLASS: "accept", MULTILABEL: "accept", SPAN: "spans"}
_MEASURED_BY = {
    "answer": "are answered by accept and reject: run 'iaa prodigy binary'",
    "accept": (
        "are answered by options: run 'iaa prodigy doc multiclass', or 'iaa prodigy doc "
        "multilabel' where several could be chosen"
    ),
    "spans": "are answered by spans: run 'iaa prodigy span'",
}


def read_tasks(
    asked: FileRequest,
    kind: str,
    labels: Sequence[str] | None = None,
    annotators: Sequence[str] | None = None,
) -> xr.Dataset:
    """Read tasks of a kind (such as "binary"), and keep what is asked for.

    Possible labels are those that the tasks offer, even if nobody chose them.
    """
    choices = asked.options.choices
    if kind in (BINARY, MULTICLASS):
        choices = asked.options.without("combine")
    if asked.options.duplicates == "combine" and "combine" not in choices:
        raise OptionError(
            f"{keyword('duplicates', 'combine')} makes sets of labels, and here a task has one: "
            f"{ways_out(choices)}"
        )
    with asked.opened() as chosen:
        if not isinstance(chosen, ToolFiles):
            raise IaaError("no export of Prodigy")
        export = chosen.export(asked.options)
        question = _question_of(export, kind)
        possible = _possible(question, asked.options.skipped)
        export.options = replace(
            asked.options, question=question.name, labels=possible, choices=choices
        )
        read = spans_of(export) if kind == SPAN else ratings_of(export)
        ratings = with_notes(read, chosen, export.options)
    ratings = ratings.assign_attrs(files=asked.names, layout=chosen.name)
    if annotators is not None:
        ratings = keep_annotators(ratings, annotators)
    return ratings if labels is None else keep_labels(ratings, labels)


def _question_of(export: Export, kind: str) -> Question:
    """Return the question of the tasks; refuse several views, or answers of another kind."""
    if len(export.views) > 1:
        views = ", ".join(f"{view or 'none'!r} ({n:,})" for view, n in export.views.items())
        raise IaaError(
            f"tasks of several views, {views}: agreement is measured on tasks of one view; export "
            "each to a file of its own"
        )
    name = _QUESTIONS[kind]
    if name not in export.questions and export.questions:
        (found, *_) = export.questions
        view = next(iter(export.views), "")
        raise IaaError(f"the tasks (view {view or 'none'!r}) {_MEASURED_BY[found]}")
    if name not in export.questions:
        raise IaaError("the export holds no answered task")
    if (
        not export.named_by.annotators
        and len(export.annotators) == 1
        and not export.has_annotator_files
    ):
        raise IaaError(
            "no task names its annotator (_annotator_id), and all stand in one file: give a file "
            f"for each annotator, or name the field that tells them by {named('annotator')}"
        )
    question = export.questions[name]
    if kind == MULTICLASS:
        _refuse_several(export, question)
    if kind != SPAN:
        question.several = kind == MULTILABEL
    return question


def _refuse_several(export: Export, question: Question) -> None:
    """Refuse several labels on one task if labels exclude one another."""
    known = list(question.answers)
    rows = [row for row, code in enumerate(question.values) if len(known[code]) > 1]
    if rows:
        first = export.place(question.files[rows[0]], question.places[rows[0]])
        labels = shown(known[question.values[rows[0]]])
        raise IaaError(
            f"{counted(len(rows), 'task')} with several labels, as in {first} ({labels}): run "
            "'iaa prodigy doc multilabel'"
        )


def _possible(question: Question, skipped: str) -> list[str] | None:
    """Return the possible labels, those offered first; None if the tasks do not say."""
    if question.name == "answer":
        labels = ["accept", "reject"]
    elif question.offered:
        given = (label for answer in question.answers for label in answer)
        labels = [*dict.fromkeys([*question.offered, *map(str, given)])]
    else:
        return None
    if skipped == "category" and Status.SKIPPED in question.status:
        labels.append(SKIPPED)
    return [label for label in labels if label]
