"""Reads the tasks in Label Studio's JSON, with their annotations.

A star marks an annotation as "ground truth".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from iaa_jax._errors import IaaError, brief
from iaa_jax.data.marked.texts import text_from_utf16
from iaa_jax.io.export.answers import Status, text_of
from iaa_jax.io.export.json_records import Json, Record, json_records, lines_or_records
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source
from iaa_jax.io.tools.label_studio.answers import (
    IN_REGION,
    LABELS,
    NO_PLACE,
    TaskAnswers,
    person,
    task_of,
)
from iaa_jax.wording import Note

_MOST = 1 << 20  # limit of annotations per task: one number encodes task and annotation
# fields beside "value" that show that a result is about audio, or about one item of several
_OF_RESULTS = ("original_length", "item_index")
_DATES = ("created_at", "updated_at")
_PLACE = IN_REGION | NO_PLACE | {"end"}


class Tasks:
    """Reads files of tasks."""

    def __init__(self, export: Export, *, counts_stars: bool = False) -> None:
        self.export = export
        self.counts_stars = counts_stars
        self.gold: Counter[str] = Counter()
        # whether an annotator has several annotations of a task, some of them starred
        self.repeats = False
        # number of tasks with several annotators: "before" without, and "after" with the starred
        # annotations
        self.shared: Counter[str] = Counter()
        self.texts = Texts(kept=export.keeps_texts)
        self.tasks: dict[int, Json] = {}  # id of the first task, by hash of its data

    def read(self, source: Source) -> None:
        """Add the annotations of a file and, on request, its drafts and predictions."""
        at = lines_or_records(source)

        def where(number: int) -> str:
            task, annotation = divmod(number, _MOST)
            return f"{source} {at} {task}" + (f" annotation {annotation}" if annotation else "")

        self.export.begin_file(source, where)
        for number, record in json_records(source, self.export.options.progress):
            self._read(task_of(record), number * _MOST)

    def close(self) -> None:
        """Add texts, their lengths, and notes."""
        self.export.lengths |= self.texts.lengths()
        if beyond := self.texts.beyond():
            self.export.remarks.notice("spans_beyond_text", beyond)
        for item, text in self.texts.texts().items():
            self.export.add_text(item, text_from_utf16(text))
        theirs = sum(times for who, times in self.gold.items() if who in self.export.annotators)
        if theirs:
            again = self.repeats and self.export.options.duplicates == "error"
            more = self.shared["after"] > self.shared["before"]
            values = {
                "count": theirs,
                "also": Note("starred_again") if again else "",
                "brings": Note("starred_bring", self.shared) if more else "",
            }
            self.export.remarks.cautions.append(Note("label_studio_gold", values, "caution"))

    def _read(self, task: Record, number: int) -> None:
        export, by_number = self.export, False
        data = task.get("data")
        self.texts.see(task)
        first = self.tasks.setdefault(hash(repr(data)), task.get("id"))
        if data and first != task.get("id") and export.options.item is None:
            export.remarks.notice("label_studio_same_data")
        name = "annotations" if "annotations" in task else "completions"
        kept, gold = Counter[str](), Counter[str]()
        # annotators with an answer without a star, and with a starred one
        without, within = set[str](), set[str]()
        for place, annotation in enumerate(self._listed(task, name, number), number + 1):
            who = person(annotation.get("completed_by"))
            by_number |= isinstance(who, int)
            is_answer = annotation.get("result") and not is_skipped(annotation)
            answered = {text_of(who)} if is_answer else set()
            if annotation.get("ground_truth") and self.counts_stars:
                export.remarks.notice("label_studio_gold_counted")
            elif annotation.get("ground_truth") and not export.remarks.wants("gold"):
                gold[text_of(who)] += 1
                within |= answered
                continue
            kept[text_of(who)] += 1
            without |= answered
            if annotation.get("parent_prediction"):
                export.remarks.notice("label_studio_from_prediction")
            self._add(task, annotation, who, place)
        self.gold += gold
        self.repeats |= any(kept[who] + times > 1 for who, times in gold.items())
        self.shared["before"] += len(without) > 1
        self.shared["after"] += len(without | within) > 1
        for draft in self._wanted(task, "drafts", number):
            who, code = person(draft.get("user")), text_of(draft.get("created_username"))
            code = code.rpartition(", ")[2]  # the annotator's number stands last
            self._add(task, draft, code if by_number and code.isdecimal() else who, number)
        for prediction in self._wanted(task, "predictions", number):
            self._add(task, prediction, prediction.get("model_version") or "prediction", number)

    def _wanted(self, task: Record, what: str, number: int) -> Sequence[Record]:
        listed = task.get(what)
        count = len(listed) if isinstance(listed, list) else 0
        return (
            self._listed(task, what, number)
            if count and self.export.remarks.wants(what, count)
            else ()
        )

    def _listed(self, record: Record, name: str, number: int) -> list[Record]:
        value = record.get(name)
        if isinstance(value, list) and all(isinstance(each, dict) for each in value):
            return cast("list[Record]", value)
        if value is None:
            return []
        where = self.export.place(-1, number)
        raise IaaError(f"{where}: {name!r} is {brief(value)}, where a list of objects is needed")

    def _add(self, task: Record, annotation: Record, who: Json, number: int) -> None:
        answers = TaskAnswers(self.export, number)
        skipped = is_skipped(annotation)
        if not skipped:
            for name, value, kind in entries(self._listed(annotation, "result", number)):
                answers.take(name, value, kind)
                if kind in LABELS:
                    self.texts.look(task, value)
        times = [annotation.get(name) for name in _DATES]
        data = task.get("data")
        inner = data if isinstance(data, dict) else {}
        # fields of the task replace fields of its data, which replace fields of the annotation,
        # except its dates: a task's dates tell when it was imported. The data come first in
        # messages
        dates = {name: annotation[name] for name in _DATES if annotation.get(name)}
        fields = {**inner, **annotation, **inner, **task, **dates, "annotation": annotation}
        status = Status.SKIPPED if skipped else None
        answers.add(task.get("id"), who, times, fields, status)


def is_skipped(annotation: Record) -> bool:
    """Tell whether the annotator skipped the task."""
    return bool(annotation.get("was_cancelled") or annotation.get("skipped"))


def entries(results: Sequence[Record]) -> Iterator[tuple[str, Record, str]]:
    """Yield question, value and type of each result.

    A result without a position has the position of the region with the same id.
    """
    regions: dict[object, Record] = {}
    for result in results:
        value, code = result.get("value"), result.get("id")
        if type(code) is str and type(value) is dict and not IN_REGION.isdisjoint(value):
            regions.setdefault(code, value)
    for result in results:
        kind, value, code = result.get("type"), result.get("value"), result.get("id")
        kind = kind if type(kind) is str else "other"
        value = value if isinstance(value, dict) else {}
        if type(code) is str and code in regions and IN_REGION.isdisjoint(value):
            region = regions[code]
            value = {**value, **{key: region[key] for key in region if key in _PLACE}}
        for mark in _OF_RESULTS:
            if result.get(mark) is not None:
                value = {**value, mark: result[mark]}
        if kind in LABELS and kind not in value and set(LABELS).isdisjoint(value):
            value = {**value, kind: []}  # an answer without a label
        question = result.get("from_name")
        yield question if isinstance(question, str) and question else kind, value, kind


class Texts:
    """Finds the data field whose text was annotated, which the export does not name.

    The text of this field contains most spans at their positions. Lengths are in UTF-16 units.
    """

    def __init__(self, *, kept: bool = False) -> None:
        self._texts: dict[str, dict[str, str]] = {}
        self._kept = kept
        self._lengths: dict[str, dict[str, int]] = {}
        self._found: Counter[str] = Counter()
        self._spans = 0
        self._last: dict[str, int] = {}

    def see(self, task: Record) -> None:
        """Record the texts of a task, and their lengths."""
        data = task.get("data")
        for name, text in data.items() if isinstance(data, dict) else ():
            if isinstance(text, str):
                size = len(text) if text.isascii() else len(_units(text)) // 2
                item = text_of(task.get("id"))
                self._lengths.setdefault(name, {})[item] = size
                if self._kept:
                    self._texts.setdefault(name, {})[item] = text

    def look(self, task: Record, span: Mapping[str, Json]) -> None:
        """Count a span for each data field that has the text of the span at its position."""
        data, marked, start, end = (
            task.get("data"),
            *(span.get(name) for name in ("text", "start", "end")),
        )
        if not (isinstance(data, dict) and isinstance(marked, str) and marked):
            return
        if type(start) is not int or type(end) is not int:
            return
        self._spans += 1
        item = text_of(task.get("id"))
        self._last[item] = max(end, self._last.get(item, 0))
        for name, text in data.items():
            if isinstance(text, str):
                part = text[start:end] if text.isascii() else _units(text)[2 * start : 2 * end]
                self._found[name] += part == (marked if text.isascii() else _units(marked))

    def lengths(self) -> dict[str, int]:
        """Return the lengths of annotated texts, by task; empty if their field is uncertain."""
        return self._lengths.get(self._name(), {})

    def texts(self) -> dict[str, str]:
        """Return the annotated texts, by task; empty if their field is uncertain."""
        return self._texts.get(self._name(), {})

    def beyond(self) -> int:
        """Count the tasks with a span that ends beyond the text."""
        known = self._lengths.get(self._likely(), {})
        return sum(end > known.get(item, end) for item, end in self._last.items())

    def _likely(self) -> str:
        found = self._found.most_common(1)
        return found[0][0] if found and 2 * found[0][1] > self._spans else ""

    def _name(self) -> str:
        """Return the likely field; "" if a span ends beyond its text."""
        known = self._lengths.get(name := self._likely(), {})
        return name if all(end <= known.get(item, 0) for item, end in self._last.items()) else ""


def _units(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")
