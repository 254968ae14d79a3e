"""Reads documents of GATE Teamware with each annotator's answers, as JSON, JSONL or CSV.

A document counts as skipped if the annotator rejected it, ran out of time, or left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from iaa_jax._errors import IaaError, brief
from iaa_jax.io.export.answers import Kind, Status, text_of
from iaa_jax.io.export.columns import columns_of, rows_of
from iaa_jax.io.export.json_records import (
    Json,
    Record,
    first_record,
    json_records,
    keyed,
    lines_or_records,
    listed,
)
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note, named

_SETS = "annotation_sets"
_STATUS = "teamware_status"
_SKIPS = ("rejected_by", "timed_out", "aborted")
_COLUMN = "annotations."
_DOCUMENT = "Document"  # type of annotations on the whole document


class Teamware:
    """Reads GATE Teamware's exports."""

    name = "teamware"
    title = "GATE Teamware"
    summary = "GATE Teamware: JSON, JSONL or CSV of documents with the answers of all annotators"
    known_by = "records with `annotation_sets`, or columns `annotations.*` and `teamware_status.*`"
    example = "agree project.jsonl"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files with Teamware's records or columns."""
        return [
            source
            for source in sources
            if _is_record(first_record(source) or {}) or _is_table(columns_of(source))
        ]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the documents, with a question for each feature that annotators gave."""
        export.named_by.items, export.named_by.annotators = "id", _SETS
        unread = 0
        for source in sources:
            is_json = first_record(source) is not None
            export.note_format("JSON" if is_json else "CSV")
            if is_json:
                at = lines_or_records(source)
                export.begin_file(source, at)
                for number, record in json_records(source, export.options.progress):
                    unread += _add(export, record, number, f"{source} {at} {number}")
            else:
                export.named_by.annotators = "annotations.*"
                for number, row in rows_of(source, export):
                    _add_row(export, row, number)
        if unread:
            export.remarks.notes.append(Note("skipped_annotations", {"count": unread}))


TOOL = Teamware()


def _is_record(record: Record) -> bool:
    return isinstance(record.get(_SETS), dict) and "text" in record


def _is_table(columns: Sequence[str]) -> bool:
    return any(name.startswith(f"{_STATUS}.") for name in columns)


def _add(export: Export, record: Record, number: int, where: str) -> int:
    """Add the answers on a document; return the number of annotations on parts of it."""
    features = record.get("features")
    # in the format for GATE, id and status are among the features of the document
    inner = features if isinstance(features, dict) else {}
    if _SETS not in record:
        raise IaaError(
            f"{where} has no {_SETS}, as each document that Teamware writes has: {brief(record)}"
        )
    item = _item(export, record.get("id", inner.get("id")), number, where)
    unread = 0
    answered: set[str] = set()
    for annotator, annotation_set in keyed(record.get(_SETS), where).items():
        for annotation in listed(keyed(annotation_set, where).get("annotations"), where):
            of = keyed(annotation, where)
            if of.get("type") != _DOCUMENT:
                unread += 1
                continue
            answered.add(annotator)
            answers = {
                name: _answer(value if isinstance(value, list) else [value])
                for name, value in keyed(of.get("features"), where).items()
            }
            export.add_all(item, annotator, answers, number, fields=record)
    status = keyed(record.get(_STATUS, inner.get(_STATUS)), where)
    skipped = [who for how in _SKIPS for who in listed(status.get(how), where)]
    _skip(export, item, skipped, answered, number, record)
    return unread


def _add_row(export: Export, row: Mapping[str, str], number: int) -> None:
    by_annotator: dict[str, dict[str, str]] = {}
    for column, cell in row.items():
        if column.startswith(_COLUMN) and column.count(".") > 1:
            annotator, _, name = column.removeprefix(_COLUMN).rpartition(".")
            by_annotator.setdefault(annotator, {})[name] = cell
    item = _item(export, row.get("id") or None, number + 1, export.place(-1, number))
    answered = {annotator for annotator, cells in by_annotator.items() if any(cells.values())}
    for annotator in by_annotator:
        if annotator in answered:
            cells = by_annotator[annotator]
            answers = {name: _answer(_parts(cell)) for name, cell in cells.items()}
            export.remarks.notice("teamware_commas", sum("," in cell for cell in cells.values()))
            export.add_all(item, annotator, answers, number, fields=row)
    skipped = [who for how in _SKIPS for who in _parts(row.get(f"{_STATUS}.{how}", ""))]
    _skip(export, item, skipped, answered, number, row)


def _item(export: Export, given: Json, number: int, where: str) -> object:
    if export.items and bool(export.named_by.items) == (given is None) and not export.options.item:
        has = "no id, and others have" if given is None else "an id, and others have none"
        raise IaaError(
            f"{where} has {has}: read files of one project, or name a field that all documents "
            f"have by {named('item')}"
        )
    if given is None:
        export.named_by.items = ""
        return number
    return given


def _skip(
    export: Export,
    item: object,
    annotators: Sequence[object],
    answered: set[str],
    number: int,
    fields: Mapping[str, Json],
) -> None:
    """Add annotators who saw a document but gave no answer."""
    for annotator in dict.fromkeys(map(text_of, annotators)):
        if annotator not in answered:
            export.add_all(item, annotator, {}, number, status=Status.SKIPPED, fields=fields)


def _parts(cell: str) -> list[str]:
    return [part.strip() for part in cell.split(",") if part.strip()]


def _answer(parts: Sequence[Json]) -> tuple[Kind, list[Json]]:
    return "labels", [part for part in parts if part is not None and part != ""]
