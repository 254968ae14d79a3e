"""Prodigy: JSONL as ``db-out`` writes it.

Items are inputs (``_input_hash``), as in Prodigy's own metrics; where one question a label is asked
of an input, its item is the input with the label. A session named by a time stamp names nobody, so
that the file does.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from iaa_jax.io.export.json_records import (
    Json,
    Record,
    first_record,
    json_records,
    lines_or_records,
)
from iaa_jax.io.export.judgements import JOINT, Export, Kind, Span, Status, span_of
from iaa_jax.io.table.source import Source

_STAMP = re.compile(r"(.*-)?\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d")
_SKIPPED, _BAD = "ignore", "reject"
_SPAN_VIEWS = ("ner", "ner_manual", "spans", "spans_manual")
_INPUTS = ("text", "image", "audio", "video", "html", "label")


class Prodigy:
    """Reads ``db-out`` of Prodigy."""

    name = "prodigy"
    title = "Prodigy"
    summary = "Prodigy: JSONL of db-out, all annotators in one file or a file each"
    known_by = "records with `_input_hash`, or `_view_id` and `answer`"
    example = "annotations.jsonl"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """The files whose first record has the marks of Prodigy."""
        return [source for source in sources if _is_prodigy(first_record(source) or {})]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the tasks, a line each."""
        export.form = "JSONL"
        export.items_from, export.annotators_from = "_input_hash", "_annotator_id"
        for source in sources:
            export.enter(source, lines_or_records(source))
            for number, task in json_records(source, export.options.progress):
                if "versions" not in task or export.wants("curator"):  # what review makes
                    _add(export, task, number, source)


TOOL = Prodigy()


def _is_prodigy(record: Record) -> bool:
    return "_input_hash" in record or ("_view_id" in record and "answer" in record)


def _add(export: Export, task: Record, number: int, source: Source) -> None:
    """Add what a task was answered with, one question for each kind of answer in it."""
    item, answer, view = task.get("_input_hash"), task.get("answer"), task.get("_view_id")
    if item is None:
        item = json.dumps({name: task[name] for name in _INPUTS if name in task})
        export.notice("prodigy_without_hash")
    annotator = _annotator(task, source)
    chooses = view == "choice" or isinstance(task.get("accept"), list)
    marks = view in _SPAN_VIEWS or ("spans" in task and view in (None, "blocks"))
    skipped = answer == _SKIPPED
    if answer == _BAD and (chooses or marks):  # the task, and not an answer to it
        skipped = not export.wants("rejected")
    status = Status.SKIPPED if skipped else None
    time = task.get("_timestamp")
    when = float(time) if isinstance(time, (int, float)) else math.nan

    def add(name: str, kind: Kind, value: Iterable[object], several: bool | None = None) -> None:
        question = export.ask(name, kind, several)
        export.add(question, item, annotator, value, number, status=status, time=when, fields=task)

    if chooses:
        add("accept", "labels", _listed(task.get("accept")), _several(task))
    if marks:
        add("spans", "spans", _spans(task, f"{source} line {number}"))
    if not (chooses or marks) and answer is not None:
        if task.get("label") is not None:
            item = f"{item}{JOINT}{task['label']}"
        add("answer", "labels", () if skipped else (answer,), several=False)


def _annotator(task: Record, source: Source) -> Json:
    """Who answered; a session that is only a time is nobody, and so the file tells."""
    for name in ("_annotator_id", "_session_id"):
        told = task.get(name)
        if told is not None and not _STAMP.fullmatch(str(told)):
            return told
    return Path(source.name).stem


def _several(task: Record) -> bool | None:
    """Whether several options could be chosen, where the task says so."""
    config = task.get("config")
    style = config.get("choice_style") if isinstance(config, dict) else None
    return {"single": False, "multiple": True}.get(str(style))


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _spans(task: Record, where: str) -> Iterator[Span]:
    """The spans of a task; patterns that nobody confirmed have no label."""
    for span in _listed(task.get("spans")):
        if isinstance(span, dict) and span.get("label") is not None:
            yield span_of(span.get("start"), span.get("end"), span["label"], where)
