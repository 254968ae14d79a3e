"""Reads doccano: a file for each member, or one file in which each annotation names its user.

A member's file lists every item of the project, also items without a label.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from iaa_jax._errors import IaaError, brief
from iaa_jax.data.marked.texts import text_from_characters
from iaa_jax.data.usual_names import ANNOTATOR, usual_name
from iaa_jax.io.export.answers import Kind, Span, span_of
from iaa_jax.io.export.columns import columns_of, rows_of
from iaa_jax.io.export.json_records import Json, Record, first_record, json_records, listed
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.measured import TextLengths
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note, keyword

_COLUMNS = {"text", "label", "Comments"}
_OF_ALL = "all"  # the file with the labels of all members
_ITEMS = ("id", "doc_id", "filename")  # fields that name the item; if there is none, the text does
_OF_IMAGES = ("bbox", "segmentation")
_SPANS_OR_LABELS = ("label", "labels")


class Doccano:
    """Reads doccano's exports."""

    name = "doccano"
    title = "doccano"
    summary = "doccano: JSONL, JSON or CSV, a file for each member; older JSONL with users"
    known_by = "records with `text` and lists `label`, `entities`, `cats` or `annotations`"
    example = "agree export.zip"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files with doccano's records or columns."""
        return [
            source
            for source in sources
            if _is_record(first_record(source) or {}) or _is_table(columns_of(source))
        ]

    def take(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return CSV files with texts and labels; older ones have no column of comments."""
        return [source for source in sources if {*columns_of(source)} >= {"text", "label"}]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the items, each with the answers of one or all members."""
        kind = _kind(sources)
        export.lists_unbegun = True
        relations, texts = 0, TextLengths()
        for source in sources:
            export.note_format("JSON" if _is_json(source) else "CSV")
            for number, record in _records(source, export):
                _add(export, source, kind, number, record, texts)
                relations += len(listed(record.get("relations"), _at(source, number)))
        texts.note(export)
        if relations:
            export.remarks.notes.append(Note("skipped_relations", {"count": relations}))
        for question in export.questions.values():
            export.notice_empty("doccano_empty", question)


TOOL = Doccano()


def _is_record(record: Record) -> bool:
    shown = record.get("text", record.get("filename"))
    if not isinstance(shown, str) or "data" in record or "_input_hash" in record:
        return False
    annotations = record.get("annotations")
    if isinstance(annotations, list):
        first = annotations[0] if annotations else None
        return "user" in first if isinstance(first, dict) else "meta" in record
    if isinstance(record.get("username"), str) and "doc_id" in record:
        return any(isinstance(record.get(name), list) for name in ("labels", "entities"))
    if usual_name(list(record), ANNOTATOR) is not None:
        return False
    lists = {name for name, value in record.items() if isinstance(value, list)}
    if lists & {"entities", *_OF_IMAGES}:
        return bool(lists & {"cats", "relations", "Comments"})
    return "label" in lists and ("Comments" in lists or len(lists) == 1)


def _is_table(columns: Sequence[str]) -> bool:
    return {*columns} >= _COLUMNS and usual_name(columns, ANNOTATOR) is None


def _is_json(source: Source) -> bool:
    return first_record(source) is not None


def _records(source: Source, export: Export) -> Iterator[tuple[int, Record]]:
    """Yield the records of a file; labels in CSV become lists."""
    if _is_json(source):
        export.begin_file(source)
        yield from json_records(source, export.options.progress)
        return
    for number, row in rows_of(source, export):
        labels: list[Json] = [label for label in row.get("label", "").split("#") if label]
        yield number, {**row, "label": labels}


def _kind(sources: Sequence[Source]) -> Kind:
    for source in filter(_is_json, sources):
        for number, record in json_records(source):
            for name in _SPANS_OR_LABELS:
                for part in listed(record.get(name), _at(source, number)):
                    return "spans" if isinstance(part, list) else "labels"
    return "labels"


def _add(
    export: Export, source: Source, kind: Kind, number: int, record: Record, texts: TextLengths
) -> None:
    where = _at(source, number)
    name = next((name for name in _ITEMS if name in record), "text")
    export.named_by.items, item = name, record.get(name)
    if any(name in record for name in _OF_IMAGES):
        raise IaaError(
            f"{where}: boxes and segments of images are not read, only labels of whole images are"
        )
    text = record.get("text")
    if isinstance(text, str):
        texts.see(item, text)
        export.add_text(item, text_from_characters(text))
    if "annotations" in record:
        _add_users(export, item, number, record, where)
        return
    export.named_by.annotators = "username" if "username" in record else ""
    annotator = record.get("username", source.stem)
    if annotator == _OF_ALL and source.annotator is None and "username" not in record:
        raise IaaError(
            f"{source}: doccano merged the labels of all members in this file, and left out who "
            "gave them; turn off 'Share annotations across all users' in the settings of the "
            "project and export again, for a file of each member; if one of them is named "
            f"{_OF_ALL!r}, give {keyword('file_pattern', '{annotator}' + source.suffix)}"
        )

    def add(name: str, kind: Kind, answer: Iterable[object]) -> None:
        export.add(export.question(name, kind), item, annotator, answer, number, fields=record)

    for name in _SPANS_OR_LABELS:
        if name in record:
            convert = _span if kind == "spans" else _label
            add(name, kind, [convert(part, where) for part in listed(record[name], where)])
    if "cats" in record:
        add("cats", "labels", [_label(p, where) for p in listed(record["cats"], where)])
    if "entities" in record:
        add("entities", "spans", [_span(p, where) for p in listed(record["entities"], where)])


def _add_users(export: Export, item: Json, number: int, record: Record, where: str) -> None:
    export.named_by.annotators = "user"
    by_user: dict[str, tuple[Json, list[Record]]] = {}
    for annotation in listed(record["annotations"], where):
        if not isinstance(annotation, dict) or "user" not in annotation:
            raise IaaError(f"{where}: an annotation without a user: {brief(annotation)}")
        by_user.setdefault(str(annotation["user"]), (annotation["user"], []))[1].append(annotation)
    for user, given in by_user.values():
        is_span = "start_offset" in given[0]
        question = export.question("annotations", "spans" if is_span else "labels")
        answer: list[object] = [
            _span(part, where) if is_span else _label(part.get("label"), where) for part in given
        ]
        export.add(question, item, user, answer, number, fields=record)


def _at(source: Source, number: int) -> str:
    return f"{source} record {number}"


def _label(value: Json, where: str) -> Json:
    if isinstance(value, (str, int)):
        return value
    raise IaaError(
        f"{where}: {brief(value)} where a label is needed: are these files of one project?"
    )


def _span(value: Json, where: str) -> Span:
    if isinstance(value, dict):
        value = [value.get(name) for name in ("start_offset", "end_offset", "label")]
    if isinstance(value, list) and len(value) == 3 and value[2] is not None:
        return span_of(value[0], value[1], _label(value[2], where), where)
    raise IaaError(
        f"{where}: {brief(value)} where a span is needed: are these files of one project?"
    )
