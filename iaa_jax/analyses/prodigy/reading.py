"""Read exports of Prodigy, and refuse tasks that the chosen command cannot measure."""

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
    request: FileRequest,
    kind: str,
    labels: Sequence[str] | None = None,
    annotators: Sequence[str] | None = None,
) -> xr.Dataset:
    """Read tasks of a kind, such as "binary", with only the named labels and annotators.

    All options that the tasks offer are possible labels, even if nobody chose them.
    """
    choices = request.options.choices
    if kind in (BINARY, MULTICLASS):
        choices = request.options.without("combine")
    if request.options.duplicates == "combine" and "combine" not in choices:
        raise OptionError(
            f"{keyword('duplicates', 'combine')} makes label sets, and here a task has one label: "
            f"{ways_out(choices)}"
        )
    with request.opened() as chosen:
        if not isinstance(chosen, ToolFiles):
            raise IaaError("these files are not an export of Prodigy")
        export = chosen.export(request.options)
        question = _question_of(export, kind)
        possible = _possible(question, request.options.skipped)
        export.options = replace(
            request.options, question=question.name, labels=possible, choices=choices
        )
        read = spans_of(export) if kind == SPAN else ratings_of(export)
        ratings = with_notes(read, chosen, export.options)
    ratings = ratings.assign_attrs(files=request.names, layout=chosen.name)
    if annotators is not None:
        ratings = keep_annotators(ratings, annotators)
    return ratings if labels is None else keep_labels(ratings, labels)


def _question_of(export: Export, kind: str) -> Question:
    """Return the question of the tasks, or refuse tasks that cannot be measured together."""
    if len(export.views) > 1:
        views = ", ".join(f"{view or 'none'!r} ({n:,})" for view, n in export.views.items())
        raise IaaError(
            f"tasks of several views, {views}: agreement is measured on tasks of one view; export "
            "each view to a file of its own"
        )
    name = _QUESTIONS[kind]
    if name not in export.questions and export.questions:
        (question_name, *_) = export.questions
        view = next(iter(export.views), "")
        raise IaaError(f"the tasks (view {view or 'none'!r}) {_MEASURED_BY[question_name]}")
    if name not in export.questions:
        raise IaaError("the export contains no answered task")
    if (
        not export.named_by.annotators
        and len(export.annotators) == 1
        and not export.has_annotator_files
    ):
        raise IaaError(
            "no task names its annotator (_annotator_id), and all tasks are in one file: give a "
            f"file for each annotator, or name the field of the annotator by {named('annotator')}"
        )
    question = export.questions[name]
    if kind == MULTICLASS:
        _refuse_several(export, question)
    if kind != SPAN:
        question.several = kind == MULTILABEL
    return question


def _refuse_several(export: Export, question: Question) -> None:
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
    """Return the possible labels, first those that tasks offer; None if tasks offer no options."""
    if question.name == "answer":
        labels = ["accept", "reject"]
    elif question.offered:
        chosen = (label for answer in question.answers for label in answer)
        labels = [*dict.fromkeys([*question.offered, *map(str, chosen)])]
    else:
        return None
    if skipped == "category" and Status.SKIPPED in question.status:
        labels.append(SKIPPED)
    return [label for label in labels if label]
