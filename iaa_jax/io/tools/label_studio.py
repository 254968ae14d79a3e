"""Label Studio: JSON, JSON-MIN, CSV and TSV.

A control of the labelling interface is a question, named as there. Answers about a region of a text
are spans of their own question. JSON says what each control is; the other forms have its answers
in a column of its name, beside those of the task's data, and are asked which of them are answers.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from iaa_jax._errors import IaaError, brief
from iaa_jax.io.export.columns import columns_of, rows_of
from iaa_jax.io.export.json_records import (
    Json,
    Record,
    first_record,
    json_records,
    lines_or_records,
)
from iaa_jax.io.export.judgements import Export, Fields, Kind, Status, span_of, text_of
from iaa_jax.io.export.times import time_of
from iaa_jax.io.table.source import Source
from iaa_jax.wording import keyword

LEVELS = " / "
"""Between the levels of a choice, as in "Electronics / Audio"."""

_MIN = {"annotator", "annotation_id", "lead_time"}
_OF_ANNOTATIONS = _MIN | {"id", "created_at", "updated_at", "agreement", "history"}
_DATA = "_data_"  # begins the columns of data that are named like a control
_NUMBERS = ("rating", "number")
_LABELS = ("labels", "hypertextlabels", "htmllabels")
_ANSWERS = ("choices", "taxonomy", *_NUMBERS, "selected", "ranker", *_LABELS)
_MOST = 1 << 20  # annotations of a task
_IN_REGION = {"start", "globalOffsets", "x", "points", "vertices", "rle", "sequence", "ranges"}
_NO_PLACE = {"channel", "instant", "original_length", "startOffset"}  # in sound, or a paragraph
_PLACE = _IN_REGION | _NO_PLACE | {"end"}


class LabelStudio:
    """Reads exports of Label Studio."""

    name = "label_studio"
    title = "Label Studio"
    summary = "Label Studio: JSON, JSON-MIN, CSV or TSV"
    known_by = (
        "tasks with `data` and `annotations`, or the columns `annotation_id`, `annotator` and "
        "`lead_time`"
    )
    example = "project-1-at-2024-06-08.json"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """The files that are tasks, or have the columns of annotations."""
        return [source for source in sources if _form(source)]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the annotations of each task."""
        forms = {_form(source): source for source in sources}
        if len(forms) > 1:
            (form, one), (other, second), *_ = forms.items()
            msg = (
                f"{one} is {form} and {second} is {other}: where they are of one project, its "
                "annotations would count twice; choose the files of one format, as by "
                f"{keyword('file_pattern', '*.json')}"
            )
            raise IaaError(msg)
        (export.form,) = forms
        export.items_from = "id"
        export.annotators_from = "completed_by" if export.form == "JSON" else "annotator"
        for source in sources:
            (_Tasks if export.form == "JSON" else _Rows)(source, export).read()


TOOL = LabelStudio()


def _form(source: Source) -> str:
    """The form of a file; empty if it is none of Label Studio's."""
    record = first_record(source)
    if record is not None and isinstance(_task_of(record).get("data"), dict):
        lists = (_task_of(record).get(name) for name in ("annotations", "completions"))
        return "JSON" if any(isinstance(value, list) for value in lists) else ""
    if record is not None:
        return "JSON-MIN" if record.keys() >= _MIN else ""
    if set(columns_of(source)) >= _MIN:
        return "TSV" if source.suffix == ".tsv" else "CSV"
    return ""


class _Answers:
    """What one annotator gave to one task, by question."""

    def __init__(self, export: Export, number: int) -> None:
        self.export = export
        self.number = number
        self.where = export.place(-1, number)
        self.given: dict[str, tuple[Kind, list[object]]] = {}
        self.orders: dict[str, tuple[Kind, list[tuple[object, object]]]] = {}

    def take(self, name: str, value: Record, kind: str) -> None:
        """Take one entry of the answers to a question, or note that it is not read."""
        key = next((key for key in _ANSWERS if key in value), None)
        of_region = key in _LABELS or not _IN_REGION.isdisjoint(value)
        place = _place(value) if of_region else None
        order = _order(name, value["ranker"]) if key == "ranker" else None
        if order is not None:
            self.orders[name] = order
        elif key in (None, "ranker") or "item_index" in value or (of_region and place is None):
            self.export.leave_unread(name, kind)
        elif place is not None:
            labels = _labels(value[key], self.where) or [""]
            self._put(name, "spans", [span_of(*place, label, self.where) for label in labels])
        else:
            kind_of_answer: Kind = "number" if key in _NUMBERS else "labels"
            self._put(name, kind_of_answer, _labels(value[key], self.where))

    def _put(self, name: str, kind: Kind, parts: Iterable[object]) -> None:
        known, given = self.given.setdefault(name, (kind, []))
        given += parts
        if known != kind or (kind == "number" and len(set(given)) > 1):
            several = "several numbers" if known == kind else f"{known} and {kind}"
            msg = f"{self.where}: one annotation answers {name!r} by {several}"
            raise IaaError(msg)

    def add(
        self,
        item: Json,
        annotator: Json,
        times: Sequence[Json],
        fields: Fields,
        status: Status | None = None,
    ) -> None:
        """Add them to the export."""
        time = time_of(*times)
        self.export.add_all(
            item, annotator, self.given, self.number, status=status, time=time, fields=fields
        )
        for name, (kind, order) in self.orders.items():
            question = self.export.ask(name, kind)
            self.export.add_ranking(
                question, item, annotator, order, self.number, time=time, fields=fields
            )


class _Tasks:
    """Reads a file of tasks."""

    def __init__(self, source: Source, export: Export) -> None:
        self.source = source
        self.export = export
        self.at = lines_or_records(source)
        self.gold: Counter[str] = Counter()

    def read(self) -> None:
        """Add its annotations, and what else is wanted."""
        export = self.export
        export.enter(self.source, self._where)
        for number, record in json_records(self.source, export.options.progress):
            self._read(_task_of(record), number * _MOST)
        theirs = sum(times for who, times in self.gold.items() if who in export.annotators)
        if theirs:
            export.notices["label_studio_gold"] += theirs

    def _where(self, number: int) -> str:
        task, annotation = divmod(number, _MOST)
        of_task = f" annotation {annotation}" if annotation else ""
        return f"{self.source} {self.at} {task}{of_task}"

    def _read(self, task: Record, number: int) -> None:
        export, by_number = self.export, False
        name = "annotations" if "annotations" in task else "completions"
        for place, annotation in enumerate(self._listed(task, name, number), number + 1):
            who = _who(annotation.get("completed_by"))
            by_number |= isinstance(who, int)
            if annotation.get("ground_truth") and not export.wants("gold"):
                self.gold[text_of(who)] += 1
                continue
            if annotation.get("parent_prediction"):
                export.notice("label_studio_from_prediction")
            self._add(task, annotation, who, place)
        for draft in self._wanted(task, "drafts", number):
            who, code = _who(draft.get("user")), text_of(draft.get("created_username"))
            code = code.rpartition(", ")[2]  # behind name and address
            self._add(task, draft, code if by_number and code.isdecimal() else who, number)
        for prediction in self._wanted(task, "predictions", number):
            self._add(task, prediction, prediction.get("model_version") or "prediction", number)

    def _wanted(self, task: Record, what: str, number: int) -> Sequence[Record]:
        listed = task.get(what)
        count = len(listed) if isinstance(listed, list) else 0
        return self._listed(task, what, number) if count and self.export.wants(what, count) else ()

    def _listed(self, record: Record, name: str, number: int) -> list[Record]:
        """The objects in a field."""
        value = record.get(name)
        if isinstance(value, list) and all(isinstance(each, dict) for each in value):
            return cast("list[Record]", value)
        if value is None:
            return []
        where = self.export.place(-1, number)
        msg = f"{where}: {name!r} is {brief(value)}, where a list of objects is needed"
        raise IaaError(msg)

    def _add(self, task: Record, annotation: Record, who: Json, number: int) -> None:
        answers = _Answers(self.export, number)
        is_skipped = bool(annotation.get("was_cancelled") or annotation.get("skipped"))
        if not is_skipped:
            for name, value, kind in _entries(self._listed(annotation, "result", number)):
                answers.take(name, value, kind)
        times = annotation.get("created_at"), annotation.get("updated_at")
        data = task.get("data")
        inner = data if isinstance(data, dict) else {}
        # a name means the task's field, then that of its data, which also come first in messages
        fields = {**inner, **annotation, **inner, **task, "annotation": annotation}
        status = Status.SKIPPED if is_skipped else None
        answers.add(task.get("id"), who, times, fields, status)


class _Rows:
    """Reads a file of rows, an annotation each: JSON-MIN, CSV or TSV.

    Columns of answers are told from those of the task's data by their form, by the order of
    JSON-MIN, where they follow ``id``, and by what differs between the annotations of a task.
    """

    def __init__(self, source: Source, export: Export) -> None:
        self.source = source
        self.export = export
        self.in_json = export.form == "JSON-MIN"
        self.columns: dict[str, None] = {}  # all but those of the annotation itself
        self.answers: set[str] = set()
        self.data: set[str] = set()
        self.spans: set[str] = set()
        self.plain: set[str] = set()

    def read(self) -> None:
        """Add its annotations."""
        if self.in_json:
            self.export.enter(self.source, lines_or_records(self.source))
            first, rows = (
                json_records(self.source, progress)
                for progress in (None, self.export.options.progress)
            )
        else:
            kept = [
                (number, {name: _cell(text) for name, text in cells.items()})
                for number, cells in rows_of(self.source, self.export)
            ]
            first, rows = iter(kept), iter(kept)
        self._learn(first)
        asked = self._asked()
        for number, row in rows:
            if _is_made(row):
                self._add(row, number, asked)
        self.export.notices["label_studio_min"] = 1

    def _learn(self, rows: Iterator[tuple[int, Record]]) -> None:
        """Tell columns of answers from those of data."""
        before: Record = {}
        for _, row in rows:
            names = [name for name in row if name not in _OF_ANNOTATIONS]
            self.columns.update(dict.fromkeys(names))
            if not _is_made(row):  # a task that nobody annotated
                self.data |= {name for name in names if not _is_nothing(row[name])}
                before = {}
                continue
            self.answers |= {name[len(_DATA) :] for name in names if name.startswith(_DATA)}
            order = list(row)
            if self.in_json and order[0] != "id" and "id" in order:  # no data is named so
                follow = set(order[order.index("id") : order.index("annotator")])
                self.answers |= follow & set(names)
            for name in names:
                if _is_nothing(row[name]):
                    continue
                results = _results(row[name])
                if results is None:
                    self.plain.add(name)
                elif any(key in value for value in results for key in _ANSWERS):
                    self.answers.add(name)
                    if any(not _IN_REGION.isdisjoint(value) for value in results):
                        self.spans.add(name)
            if "id" in row and before.get("id") == row["id"]:
                self.answers |= {
                    name
                    for name in names + [name for name in before if name in self.columns]
                    if before.get(name) != row.get(name)
                }
            before = row

    def _asked(self) -> list[str]:
        """The columns of answers; all that may be, where none can be told."""
        answers = self.answers - self.data
        if self.export.options.question in self.columns:
            answers.add(str(self.export.options.question))
        if not answers - self.spans:
            answers |= self.columns.keys() - self.data
        return [name for name in self.columns if name in answers]

    def _add(self, row: Record, number: int, asked: Sequence[str]) -> None:
        answers = _Answers(self.export, number)
        for name in asked:
            cell = row.get(name)
            if _is_nothing(cell):
                continue
            results = _results(cell)
            if name in self.spans and (results is None or name in self.plain):
                self.export.leave_unread(name, "parts of it without their place")
            elif results is None and isinstance(cell, list):
                self.export.leave_unread(name, "several texts")
            else:
                for value in [{"choices": cell}] if results is None else results:
                    answers.take(name, value, _kind(value))
        data = {
            name.removeprefix(_DATA): cell
            for name, cell in row.items()
            if name not in asked and name not in _OF_ANNOTATIONS
        }
        times = row.get("created_at"), row.get("updated_at")
        fields = {**data, **row, **data, "data": cast("Json", data)}
        answers.add(row.get("id"), _who(row.get("annotator")), times, fields)


def _task_of(record: Record) -> Record:
    """A task; of an annotation in a file of its own, as in a target storage, its task with it."""
    task = record.get("task")
    if isinstance(task, dict) and "result" in record:
        return {**task, "annotations": [record]}
    return record


def _who(told: Json) -> Json:
    """An annotator: a number, or the address of an object, as in the forms without objects."""
    if isinstance(told, dict):
        told = told.get("email") or told.get("id")
    return told if isinstance(told, (str, int)) else None


def _entries(results: Sequence[Record]) -> Iterator[tuple[str, Record, str]]:
    """The question, value and type of each result; what is about a region has its place."""
    regions: dict[str, Record] = {}
    for result in results:
        value, name = result.get("value"), result.get("id")
        if isinstance(name, str) and isinstance(value, dict) and not _IN_REGION.isdisjoint(value):
            regions.setdefault(name, value)
    for result in results:
        question, kind = result.get("from_name"), text_of(result.get("type")) or "other"
        value, name = result.get("value"), result.get("id")
        value = value if isinstance(value, dict) else {}
        if isinstance(name, str) and name in regions and _IN_REGION.isdisjoint(value):
            region = regions[name]
            value = {**value, **{key: region[key] for key in region if key in _PLACE}}
        for mark in ("original_length", "item_index"):
            if result.get(mark) is not None:
                value = {**value, mark: result[mark]}
        if kind in _LABELS and set(_LABELS).isdisjoint(value):
            value = {**value, kind: []}  # a region without label
        yield question if isinstance(question, str) and question else kind, value, kind


def _place(value: Record) -> tuple[Json, Json] | None:
    """Where a region of a text begins and ends; None for other regions."""
    offsets = value.get("globalOffsets")
    if isinstance(offsets, dict):
        value = offsets
    elif not _NO_PLACE.isdisjoint(value):
        return None
    start, end = value.get("start"), value.get("end")
    return (start, end) if type(start) is int and type(end) is int else None


def _order(name: str, ranker: Json) -> tuple[Kind, list[tuple[object, object]]] | None:
    """The rank of each option, or the group it was put into."""
    groups = ranker if isinstance(ranker, dict) else {name: ranker}
    if not all(isinstance(options, list) for options in groups.values()):
        return None
    listed = cast("Mapping[str, list[Json]]", groups)
    if set(listed) == {name}:
        return "number", [(option, rank) for rank, option in enumerate(listed[name], 1)]
    return "labels", [(option, group) for group, options in listed.items() for option in options]


def _labels(value: Json, where: str) -> list[str]:
    """The labels of an answer; the levels of one are joined."""
    labels = []
    for part in value if isinstance(value, list) else [value]:
        levels = part if isinstance(part, list) else [part]
        if any(isinstance(level, (dict, list)) for level in levels):
            msg = f"{where}: {brief(part)} where a label is needed"
            raise IaaError(msg)
        labels.append(LEVELS.join(map(text_of, levels)))
    return [label for label in labels if label]


def _is_nothing(cell: Json) -> bool:
    return cell is None or cell in ("", [], {})


def _is_made(row: Record) -> bool:
    """Whether a row is an annotation, and not only a task."""
    return not _is_nothing(row.get("annotation_id"))


def _results(cell: Json) -> list[Record] | None:
    """The results in a cell; None if it is a text, a number or a list of them."""
    results = [cell] if isinstance(cell, dict) else cell
    if isinstance(results, list) and all(isinstance(each, dict) for each in results):
        return cast("list[Record]", results)
    return None


def _cell(text: str) -> Json:
    """A cell, as JSON where it holds an object or a list."""
    if text.startswith(("{", "[")):
        try:
            return cast("Json", json.loads(text))
        except (ValueError, RecursionError):
            pass
    return text


def _kind(value: Record) -> str:
    """What a result is, where only its value tells it."""
    named = [key for key in value if key in _ANSWERS or key.endswith("labels")]
    return named[0] if named else "textarea" if "text" in value else "other"
