"""Reads JSONL that Prodigy's command ``db-out`` writes.

Items are inputs (``_input_hash``), together with the label or spans if a task asks whether these
are right. If Prodigy named sessions by time stamps, the name of the file is the annotator's.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NoReturn

from iaa_jax._errors import IaaError, brief, shown
from iaa_jax.data.marked.texts import text_from_characters
from iaa_jax.data.notices.similar import JOINT
from iaa_jax.io.export.answers import Span, Status, span_of, text_of
from iaa_jax.io.export.json_records import (
    Json,
    Record,
    first_record,
    json_records,
    lines_or_records,
)
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.question import Question
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.unpacking import unpacked_name
from iaa_jax.wording import Note

_STAMP = re.compile(r"(.*-)?\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d")
_PACKED = re.compile(r"([^:]*[^:\s])\s*: +\S.*")  # "Question: answer"
_ANSWERS = ("accept", "reject", "ignore")
_BY_HAND = ("ner_manual", "spans_manual")
_SHOWN = ("ner", "spans")  # views that ask whether spans are right
_OPEN = ("", "blocks")  # views in which the fields of a task show what was asked
_NOT_READ = ("image_manual", "audio_manual", "relations", "dep", "text_input")
_INPUTS = ("text", "image", "audio", "video", "html")
_NAMED_BY = ("_annotator_id", "_session_id")
_SKIPPED = Status.SKIPPED
_END = 1e300  # a larger number is no time


class Prodigy:
    """Reads Prodigy's ``db-out``."""

    name = "prodigy"
    title = "Prodigy"
    summary = "Prodigy: JSONL of db-out, all annotators in one file or a file each"
    known_by = "records with `_input_hash`, or `_view_id` and `answer`"
    example = "agree annotations.jsonl"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files with Prodigy's tasks."""
        return [source for source in sources if _is_prodigy(first_record(source) or {})]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the tasks, one per line."""
        export.note_format("JSONL")
        export.named_by.items = "_input_hash"
        tasks = _TaskReader(export)
        for source, name in zip(sources, _names(sources), strict=True):
            tasks.enter(source, name)
            for number, task in json_records(source, export.options.progress):
                # tasks with versions are the result of a review
                if "versions" not in task or export.remarks.wants("curator"):
                    tasks.add(task, number)
        tasks.close()


TOOL = Prodigy()


class _TaskReader:
    def __init__(self, export: Export) -> None:
        self.export = export
        self.others: Counter[str] = Counter()  # number of tasks in other views
        self.unanswered = self.named = self.nameless = 0
        self.binary: Question | None = None
        self.question_field = ""  # field with the question about an input
        self.views: dict[str, int] = {}
        # whether the name of a session is empty or ends in a time stamp
        self.stamps: dict[str, bool] = {}

    def enter(self, source: Source, name: str) -> None:
        """Begin a file; its ``name`` is the annotator of tasks that name none."""
        self.source, self.name, self.at = source, name, lines_or_records(source)
        self.export.begin_file(source, self.at)

    def add(self, task: Record, number: int) -> None:
        """Add the answers to a task."""
        export, answer = self.export, task.get("answer")
        view = task.get("_view_id") or ""
        if view == "review":
            view = task.get("view_id") or ""
        if type(view) is not str:
            self.refuse(number, f"_view_id is no name but {brief(view)}")
        if view in _NOT_READ:
            self.others[view] += 1
            return
        if answer not in _ANSWERS and answer is not None:
            self.refuse(number, f"the answer {brief(answer)} is none of {', '.join(_ANSWERS)}")
        chosen, about = task.get("accept"), task.get("label")
        is_open = view in _OPEN and about is None
        chooses = view == "choice" or type(chosen) is list or (is_open and "options" in task)
        marks = view in _BY_HAND or (is_open and ("spans" in task or "tokens" in task))
        if answer is None and not (chooses and chosen) and not (marks and task.get("spans")):
            self.unanswered += 1
            return
        self.views[view] = self.views.get(view, 0) + 1
        item, annotator = self.item_of(task, number), self.annotator_of(task, number)
        status = _SKIPPED if answer == "ignore" else None
        time = task.get("_timestamp")
        when = float(time) if isinstance(time, (int, float)) and abs(time) < _END else math.nan
        if not (chooses or marks):
            question = self.binary or export.question("answer", several=False)
            self.binary = question
            asked = _asked(task, view)
            if asked:
                item = f"{item}{JOINT}{asked}"
                self.question_field = "label" if about is not None else "spans"
            answers = () if status is _SKIPPED else (answer,)
            export.add(
                question, item, annotator, answers, number, status=status, time=when, fields=task
            )
            return
        if answer == "reject" and "rejected" not in export.options.include:
            # the annotator rejected the task, not an answer
            export.remarks.notice("prodigy_rejected")
            status = _SKIPPED
        made: list[tuple[Question, Iterable[object]]] = []
        if chooses:
            question = export.question("accept", "labels", _several(task))
            made.append((question, self.chosen(question, task, number)))
        if marks:
            text = task.get("text")
            if type(text) is str:
                export.lengths[text_of(item)] = len(text)
                export.add_text(item, text_from_characters(text))
            made.append((export.question("spans", "spans"), self.spans(task, number)))
        for question, parts in made:
            export.add(
                question, item, annotator, parts, number, status=status, time=when, fields=task
            )

    def item_of(self, task: Record, number: int) -> Json:
        """Return the input of a task, by its hash or content."""
        item = task.get("_input_hash")
        if item is not None or self.export.options.item is not None:
            return item
        held = [text_of(task[name]) for name in _INPUTS if task.get(name) is not None]
        if not any(held):
            self.refuse(number, f"a task without _input_hash, and without {', '.join(_INPUTS)}")
        self.export.remarks.notice("prodigy_without_hash")
        return JOINT.join(held)

    def annotator_of(self, task: Record, number: int) -> str:
        """Return the annotator of a task, or the name of the file."""
        for field in _NAMED_BY:
            if isinstance(task.get(field), (bool, list, dict)):
                needed = "where the name of an item or annotator is needed"
                self.refuse(number, f"{shown([task[field]])} {needed}")
            name = text_of(task.get(field))
            if name not in self.stamps:
                self.stamps[name] = not name or _STAMP.fullmatch(name) is not None
            if not self.stamps[name]:
                self.named += 1
                return name
        self.nameless += 1
        return self.name

    def chosen(self, question: Question, task: Record, number: int) -> list[Json]:
        """Return the chosen options; record the offered ones."""
        offered = self.listed(task, "options", number)
        for option in offered:
            known = option.get("id", option.get("text")) if isinstance(option, dict) else option
            question.offered.setdefault(text_of(known))
        chosen = self.listed(task, "accept", number)
        for option in chosen:
            if option is None or isinstance(option, (dict, list)):
                self.refuse(number, f"{brief(option)} was accepted, but is not the id of an option")
        return chosen

    def spans(self, task: Record, number: int) -> Iterator[Span]:
        """Yield the spans with a label; count the others, which a search pattern only suggested."""
        for span in self.listed(task, "spans", number):
            if not isinstance(span, dict):
                self.refuse(number, f"{brief(span)} is not a span with start, end and label")
            elif span.get("label") is None:
                self.export.remarks.notice("prodigy_patterns")
            else:
                where = f"{self.source} {self.at} {number}"
                yield span_of(span.get("start"), span.get("end"), span["label"], where)

    def listed(self, task: Record, field: str, number: int) -> list[Json]:
        """Return the list in a field."""
        value = task.get(field)
        if value is not None and not isinstance(value, list):
            self.refuse(number, f"{field} is no list but {brief(value)}")
        return value if isinstance(value, list) else []

    def refuse(self, number: int, message: str) -> NoReturn:
        """Raise an error about a task."""
        raise IaaError(f"{self.source} {self.at} {number}: {message}")

    def close(self) -> None:
        """Add notes, and name the fields of items and annotators."""
        export = self.export
        export.views.update(self.views)
        if self.question_field:
            export.named_by.items = ("_input_hash", self.question_field)
        if self.unanswered:
            export.remarks.notes.append(Note("skipped_unanswered", {"count": self.unanswered}))
        if self.others:
            views = list(self.others)
            if not export.questions:
                self.refuse(1, f"tasks of the view {shown(views)}, which are not read")
            values = {"count": self.others.total(), "views": views}
            export.remarks.notes.append(Note("skipped_views", values))
        if self.named:
            export.named_by.annotators = "_annotator_id"
            if (
                self.nameless
                and export.options.annotator is None
                and not export.has_annotator_files
            ):
                export.remarks.notices["prodigy_sessions"] = self.nameless
        accept = export.questions.get("accept")
        if accept is not None and _is_packed(list(accept.offered)):
            export.remarks.notices["prodigy_packed"] = len(accept.offered)


def _is_prodigy(record: Record) -> bool:
    return "_input_hash" in record or ("_view_id" in record and "answer" in record)


def _names(sources: Sequence[Source]) -> list[str]:
    """Name each file by its name, with as many folders as needed."""
    parts = [Path(unpacked_name(str(source))).with_suffix("").parts for source in sources]
    for length in range(1, max(map(len, parts)) + 1):
        names = ["/".join(part[-length:]) for part in parts]
        if len(set(names)) == len(names):
            break
    return names


def _several(task: Record) -> bool | None:
    """Tell whether several options could be chosen, if the task says so."""
    config = task.get("config")
    style = config.get("choice_style") if isinstance(config, dict) else None
    return {"single": False, "multiple": True}.get(str(style))


def _asked(task: Record, view: str) -> str:
    if task.get("label") is not None:
        return text_of(task["label"])
    spans = task.get("spans")
    if view not in _SHOWN or not isinstance(spans, list):
        return ""
    known = [span for span in spans if isinstance(span, dict)]
    return ", ".join(f"{s.get('start')}-{s.get('end')} {s.get('label')}" for s in known)


def _is_packed(options: Sequence[str]) -> bool:
    """Tell whether options such as "Tone: rude" answer several questions."""
    parts = [_PACKED.fullmatch(option) for option in options]
    questions = Counter(part[1] for part in parts if part is not None)
    return None not in parts and len(questions) > 1 and min(questions.values()) > 1
