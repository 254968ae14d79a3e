"""Reads the annotations in the rows of Label Studio's JSON-MIN, CSV and TSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from iaa_jax.io.export.columns import rows_of
from iaa_jax.io.export.form_fields import field_of
from iaa_jax.io.export.json_records import Json, Record, json_records, lines_or_records
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source
from iaa_jax.io.tools.label_studio.answers import ANSWERS, IN_REGION, TaskAnswers, person

MARKS = {"annotator", "annotation_id", "lead_time"}
"""Columns that every file of these formats has."""

_OF_ANNOTATIONS = MARKS | {"id", "created_at", "updated_at", "agreement", "history"}
_DATA = "_data_"  # prefix of a data column that is named like a question


class AnnotationRows:
    """Reads a file with one annotation per row: JSON-MIN, CSV or TSV.

    A column holds answers if its cells are JSON objects with answers, if it varies between the
    annotations of a task or, in JSON-MIN, if it follows the field ``id``.
    """

    def __init__(self, source: Source, export: Export) -> None:
        self.source = source
        self.export = export
        self.in_json = export.form == "JSON-MIN"
        self.columns: dict[str, None] = {}  # columns of data and answers
        self.answers: set[str] = set()
        self.data: set[str] = set()
        self.spans: set[str] = set()
        self.plain: set[str] = set()

    def read(self) -> None:
        """Add the annotations of the file."""
        if self.in_json:
            self.export.begin_file(self.source, lines_or_records(self.source))
            first, rows = (
                json_records(self.source, progress)
                for progress in (None, self.export.options.progress)
            )
        else:
            kept = [
                (number, {name: field_of(text) for name, text in cells.items()})
                for number, cells in rows_of(self.source, self.export)
            ]
            first, rows = iter(kept), iter(kept)
        self._learn(first)
        asked = self._asked()
        for number, row in rows:
            if _is_made(row):
                self._add(row, number, asked)

    def _learn(self, rows: Iterator[tuple[int, Record]]) -> None:
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
            ends = {"id", "annotator"} <= set(order)
            if self.in_json and order[0] != "id" and ends:  # otherwise "id" may be a data column
                follow = set(order[order.index("id") : order.index("annotator")])
                self.answers |= follow & set(names)
            for name in names:
                if _is_nothing(row[name]):
                    continue
                results = _results(row[name])
                if results is None:
                    self.plain.add(name)
                elif any(key in value for value in results for key in ANSWERS):
                    self.answers.add(name)
                    if any(not IN_REGION.isdisjoint(value) for value in results):
                        self.spans.add(name)
            if "id" in row and before.get("id") == row["id"]:
                self.answers |= {
                    name
                    for name in names + [name for name in before if name in self.columns]
                    if before.get(name) != row.get(name)
                }
            before = row

    def _asked(self) -> list[str]:
        """Return the columns of answers; if only spans are known, all but data columns."""
        answers = self.answers - self.data
        if self.export.options.question in self.columns:
            answers.add(str(self.export.options.question))
        if not answers - self.spans:
            answers |= self.columns.keys() - self.data
        return [name for name in self.columns if name in answers]

    def _add(self, row: Record, number: int, asked: Sequence[str]) -> None:
        answers = TaskAnswers(self.export, number)
        for name in asked:
            cell = row.get(name)
            if _is_nothing(cell):
                continue
            results = _results(cell)
            if name in self.spans and (results is None or name in self.plain):
                self.export.remarks.leave_unread(name, "parts of it without their position")
            elif results is None and isinstance(cell, list):
                self.export.remarks.leave_unread(name, "several texts")
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
        answers.add(row.get("id"), person(row.get("annotator")), times, fields)


def _is_nothing(cell: Json) -> bool:
    return cell is None or cell in ("", [], {})


def _is_made(row: Record) -> bool:
    return not _is_nothing(row.get("annotation_id"))


def _results(cell: Json) -> list[Record] | None:
    results = [cell] if isinstance(cell, dict) else cell
    if isinstance(results, list) and all(isinstance(each, dict) for each in results):
        return cast("list[Record]", results)
    return None


def _kind(value: Record) -> str:
    named = [key for key in value if key in ANSWERS or key.endswith("labels")]
    return named[0] if named else "textarea" if "text" in value else "other"
