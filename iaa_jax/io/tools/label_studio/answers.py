"""Collects the answers of one annotator to one task of Label Studio."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from iaa_jax._errors import IaaError, brief
from iaa_jax.io.export.answers import Kind, Status, span_of, text_of
from iaa_jax.io.export.fields import Fields
from iaa_jax.io.export.json_records import Json, Record
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.times import time_of

LEVELS = " / "
"""Separator of the levels of a choice, as in "Electronics / Audio"."""

_NUMBERS = ("rating", "number")
LABELS = ("labels", "hypertextlabels", "htmllabels")
"""Fields with the labels of a region of a text."""

ANSWERS = ("choices", "taxonomy", *_NUMBERS, "selected", "ranker", *LABELS)

IN_REGION = {"start", "globalOffsets", "x", "points", "vertices", "rle", "sequence", "ranges"}
"""Every answer about a region has one of these fields."""

NO_PLACE = {"channel", "instant", "original_length", "startOffset"}
"""Fields of regions without a position in the whole text: in audio, time lines or paragraphs."""


class TaskAnswers:
    """The answers of one annotator to one task, by question."""

    def __init__(self, export: Export, number: int) -> None:
        self.export = export
        self.number = number
        self.where = export.place(-1, number)
        self.given: dict[str, tuple[Kind, list[object]]] = {}
        self.orders: dict[str, tuple[Kind, list[tuple[object, object]]]] = {}
        # by position of a region: the question that its labels answer
        self.marked: dict[tuple[Json, Json], str] = {}
        # questions about regions, with the position of one region
        self.said_of: dict[str, tuple[Json, Json]] = {}

    def take(self, name: str, value: Record, kind: str) -> None:
        """Add a result to the answers, or note that it is not read."""
        of_type = kind in value and kind in ANSWERS
        key = kind if of_type else next((key for key in ANSWERS if key in value), None)
        of_region = key in LABELS or not IN_REGION.isdisjoint(value)
        place = _place(value) if of_region else None
        order = _order(name, value["ranker"]) if key == "ranker" else None
        if order is not None:
            self.orders[name] = order
        elif key in (None, "ranker") or "item_index" in value or (of_region and place is None):
            self.export.remarks.leave_unread(name, kind)
        elif place is not None:
            labels = _labels(value[key], self.where) or [""]
            self._put(name, "spans", [span_of(*place, label, self.where) for label in labels])
            if key in LABELS:
                self.marked.setdefault(place, name)
            else:
                self.said_of.setdefault(name, place)
        else:
            kind_of_answer: Kind = "number" if key in _NUMBERS else "labels"
            self._put(name, kind_of_answer, _labels(value[key], self.where))

    def _put(self, name: str, kind: Kind, parts: Iterable[object]) -> None:
        known, given = self.given.setdefault(name, (kind, []))
        given += parts
        if known != kind or (kind == "number" and len(set(given)) > 1):
            several = "several numbers" if known == kind else f"{known} and {kind}"
            raise IaaError(f"{self.where}: one annotation answers {name!r} by {several}")

    def add(
        self,
        item: Json,
        annotator: Json,
        times: Sequence[Json],
        fields: Fields,
        status: Status | None = None,
    ) -> None:
        """Add the answers to the export."""
        time = time_of(*times)
        self.export.add_all(
            item, annotator, self.given, self.number, status=status, time=time, fields=fields
        )
        for name, place in self.said_of.items():
            of = self.marked.get(place, "")
            if of != name and of and not self.export.questions[name].feature_of:
                self.export.questions[name].feature_of = of
        for name, (kind, order) in self.orders.items():
            question = self.export.question(name, kind)
            for option, rank in order:
                self.export.add(
                    *(question, item, annotator, (rank,), self.number),
                    time=time,
                    fields=fields,
                    option=option,
                )


def task_of(record: Record) -> Record:
    """Return the task of a record, which may also be an annotation with its task inside."""
    task = record.get("task")
    if isinstance(task, dict) and "result" in record:
        return {**task, "annotations": [record]}
    return record


def person(told: Json) -> Json:
    """Return an annotator: a number or text, or the e-mail address or id in an object."""
    if isinstance(told, dict):
        told = told.get("email") or told.get("id")
    return told if isinstance(told, (str, int)) else None


def _place(value: Record) -> tuple[Json, Json] | None:
    offsets = value.get("globalOffsets")
    if isinstance(offsets, dict):
        value = offsets
    elif not NO_PLACE.isdisjoint(value):
        return None
    start, end = value.get("start"), value.get("end")
    return (start, end) if type(start) is int and type(end) is int else None


def _order(name: str, ranker: Json) -> tuple[Kind, list[tuple[object, object]]] | None:
    groups = ranker if isinstance(ranker, dict) else {name: ranker}
    if not all(isinstance(options, list) for options in groups.values()):
        return None
    listed = cast("Mapping[str, list[Json]]", groups)
    if set(listed) == {name}:
        return "number", [(option, rank) for rank, option in enumerate(listed[name], 1)]
    return "labels", [(option, group) for group, options in listed.items() for option in options]


def _labels(value: Json, where: str) -> list[str]:
    labels = []
    for part in value if isinstance(value, list) else [value]:
        if isinstance(part, (dict, list)):
            levels = part if isinstance(part, list) else [part]
            if any(isinstance(level, (dict, list)) for level in levels):
                raise IaaError(f"{where}: {brief(part)} where a label is needed")
            labels.append(LEVELS.join(map(text_of, levels)))
        else:
            labels.append(text_of(part))
    return [label for label in labels if label]
