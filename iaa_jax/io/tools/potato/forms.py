"""Reads answers of users in the forms in which Potato saves and exports them.

The state of a user is the file ``user_state.json`` with all answers of the user.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from iaa_jax._errors import IaaError, brief
from iaa_jax.data.labels import parse_number
from iaa_jax.data.usual_names import LABEL, usual_name
from iaa_jax.io.export.answers import Span, span_of, text_of
from iaa_jax.io.export.columns import Row, columns_of, rows_of
from iaa_jax.io.export.fields import Fields
from iaa_jax.io.export.form_fields import field_of
from iaa_jax.io.export.json_records import Json, Record, first_record, json_records
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table import opening
from iaa_jax.io.table.source import Source

STATE = "instance_id_to_label_to_value"
OLD = "label_annotations"
_OLD_MARK, _OLD_SPANS = ":::", "span_annotation:::"
IDS = ("instance_id", "user_id")
_ORIGIN = "annotator_origin"
_OF_SPANS = {*IDS, "schema_name", "start", "end", "label"}
_SPANS, _HIDDEN = "._spans", ("._room", "._room_id")

_Labels = dict[str, dict[str, Json]]


@dataclass
class ItemAnswers:
    """The answers of a user to an item: values of options and spans, by schema (question).

    ``changes`` are the user's clicks, and ``final`` the answer that Potato inferred, by schema.
    """

    item: Json
    user: Json
    where: str
    labels: _Labels
    spans: Mapping[str, Sequence[Span]] = field(default_factory=dict)
    changes: Sequence[Record] = ()
    final: Mapping[str, str] = field(default_factory=dict)
    fields: Fields = field(default_factory=dict)
    file: int = 0


def is_old(source: Source) -> bool:
    """Tell whether a file has the answers of version 1."""
    record = first_record(source)
    return record is not None and isinstance(record.get(OLD), dict) and "user_id" not in record


def is_export(source: Source) -> bool:
    """Tell whether a file is an export of answers."""
    record = first_record(source)
    if record is not None:
        is_new = {*IDS} <= {*record} and isinstance(record.get("labels"), dict)
        return is_new or ("id" in record and isinstance(record.get(OLD), dict))
    if source.suffix in opening.PARQUET:
        try:
            names = opening.head(source).names
        except IaaError:
            return False
        return {*IDS} <= {*names} and ({*names} >= _OF_SPANS or usual_name(names, LABEL) is None)
    columns = columns_of(source)
    mark, ids = _layout(columns)
    return {*ids} <= {*columns} and any(mark in name for name in columns)


def _layout(names: Sequence[str]) -> tuple[str, tuple[str, str]]:
    if any(_OLD_MARK in name for name in names):
        return _OLD_MARK, ("instance_id", "user")
    return ".", IDS


def answers_in_json(source: Source, folder: str | None, export: Export) -> Iterator[ItemAnswers]:
    """Yield the answers in the state of a user, or in an export."""
    items: set[str] = set()
    for number, record in json_records(source):
        where = f"{source} record {number}"
        if STATE in record:
            yield from _answers_in_state(record, str(source))
        elif OLD in record:
            if record.get("user_id") is None and source.annotator is None:
                export.named_by.annotators = ""
            export.named_by.items = "id" if "id" in record else "instance_id"
            item = record.get(export.named_by.items)
            if text_of(item) in items and "user_id" not in record:
                raise IaaError(
                    f"{where}: the item {brief(item)} again, and no user is named: this file holds "
                    "the answers of all users; read the folders of the users next to it"
                )
            items.add(text_of(item))
            yield ItemAnswers(
                item,
                record.get("user_id") or folder or Path(str(source)).parent.name,
                where,
                _labels(record[OLD], where),
                _spans(record.get("span_annotations"), where),
                fields=record,
            )
        else:
            origin = record.get(_ORIGIN)
            kind = origin.get("kind") if isinstance(origin, dict) else None
            if kind not in (None, "human") and not export.remarks.wants("predictions"):
                continue
            labels, spans = _labels(record.get("labels"), where), _spans(record.get("spans"), where)
            item, user = (record.get(name) for name in IDS)
            yield ItemAnswers(item, user, where, labels, spans, fields=record)


def _answers_in_state(record: Record, where: str) -> Iterator[ItemAnswers]:
    labels, spans, behaviour = (
        _object(record.get(name) or {}, where)
        for name in (STATE, "instance_id_to_span_to_value", "instance_id_to_behavioral_data")
    )
    user = record.get("user_id")
    for item in dict.fromkeys([*labels, *spans]):
        at = f"{where} item {item!r}"
        of_item = behaviour.get(item)
        changes = of_item.get("annotation_changes") if isinstance(of_item, dict) else None
        yield ItemAnswers(
            item,
            user,
            at,
            _labels(labels.get(item), at),
            _spans(spans.get(item), at),
            [c for c in changes if isinstance(c, dict)] if isinstance(changes, list) else (),
            fields={"instance_id": item, "user_id": user},
        )


def answers_in_table(source: Source, export: Export) -> Iterator[ItemAnswers]:
    """Yield the answers in the rows of a table."""
    names = opening.head(source).names
    mark, ids = _layout(names)
    if not {*ids} <= {*names}:
        raise IaaError(f"{source} has no columns {' and '.join(ids)}")
    export.named_by.annotators = ids[1]
    if any(name.startswith(_OLD_SPANS) for name in names):
        export.remarks.leave_unread("span_annotation", "spans in columns of version 1")
    for number, row in rows_of(source, export, names):
        where = export.place(-1, number)
        if row.get(_ORIGIN) not in (None, "", "human") and not export.remarks.wants("predictions"):
            continue
        answers = ItemAnswers(row[ids[0]], row[ids[1]], where, {}, fields=row)
        if {*names} >= _OF_SPANS:
            start, end = (parse_number(row[name]) for name in ("start", "end"))
            marked = span_of(start, end, row["label"], where)
            yield replace(answers, spans={row["schema_name"] or "spans": [marked]})
        else:
            yield _answers_in_row(answers, row, mark, where)


def _answers_in_row(answers: ItemAnswers, row: Row, mark: str, where: str) -> ItemAnswers:
    labels: _Labels = {}
    spans: dict[str, Sequence[Span]] = {}
    final: dict[str, str] = {}
    options = {name.partition(mark)[0] for name in row if mark in name}
    for name, cell in row.items():
        schema, is_option, option = name.partition(mark)
        if name in IDS or name.startswith((_ORIGIN, _OLD_SPANS)) or name.endswith(_HIDDEN):
            continue
        if name.endswith(_SPANS):
            value = field_of(cell) if cell else []
            spans[name.removesuffix(_SPANS)] = _marks(value, where)
        elif is_option:
            labels.setdefault(schema, {})[option] = cell
        elif name in options:
            final[schema] = cell
        elif mark != _OLD_MARK:  # one column has all answers
            listed = field_of(cell)
            parts = listed if isinstance(listed, list) else [cell]
            labels[name] = {text_of(part): True for part in parts if part}
    return replace(answers, labels=labels, spans=spans, final=final)


def together(found: list[ItemAnswers]) -> list[ItemAnswers]:
    """Combine answers with the spans from a separate table."""
    alone = [answers for answers in found if "schema_name" in answers.fields]
    first: dict[tuple[str, str], ItemAnswers] = {}
    marked: dict[tuple[str, str], dict[str, list[Span]]] = {}
    for answers in alone:
        key = text_of(answers.item), text_of(answers.user)
        first.setdefault(key, answers)
        for schema, spans in answers.spans.items():
            marked.setdefault(key, {}).setdefault(schema, []).extend(spans)
    joined = []
    for answers in found:
        if "schema_name" not in answers.fields:
            found_spans = marked.pop((text_of(answers.item), text_of(answers.user)), {})
            joined.append(replace(answers, spans={**answers.spans, **found_spans}))
    return joined + [replace(first[key], spans=spans) for key, spans in marked.items()]


def _object(value: Json, where: str) -> Record:
    if isinstance(value, dict):
        return value
    raise IaaError(f"{where}: {brief(value)} where an object with named fields is needed")


def _labels(value: Json, where: str) -> _Labels:
    """Return the values by schema and option, also from pairs of option and value."""
    labels: _Labels = {}
    for part in value if isinstance(value, list) else ():
        if not (isinstance(part, list) and len(part) == 2):
            raise IaaError(f"{where}: {brief(part)} where an option and its value are needed")
        option = _object(part[0], where)
        schema, name = text_of(option.get("schema")), text_of(option.get("name"))
        labels.setdefault(schema, {})[name] = part[1]
    if value is not None and not isinstance(value, list):
        for schema, options in _object(value, where).items():
            labels[schema] = options if isinstance(options, dict) else {"": options}
    return labels


def _spans(value: Json, where: str) -> dict[str, Sequence[Span]]:
    """Return the spans by schema, also from pairs of span and value."""
    if value is None or isinstance(value, list):
        of_schema: dict[str, list[Json]] = {}
        for part in value or ():
            mark = _object(part[0] if isinstance(part, list) and part else part, where)
            of_schema.setdefault(text_of(mark.get("schema")) or "spans", []).append(mark)
        return {schema: _marks(marks, where) for schema, marks in of_schema.items()}
    return {schema: _marks(marks, where) for schema, marks in _object(value, where).items()}


def _marks(value: Json, where: str) -> list[Span]:
    if not isinstance(value, list):
        raise IaaError(f"{where}: {brief(value)} where a list of spans is needed")
    marks = [_object(mark, where) for mark in value]
    names = [
        next((mark[key] for key in ("name", "label", "annotation") if mark.get(key)), "")
        for mark in marks
    ]
    return [
        span_of(mark.get("start"), mark.get("end"), name, where)
        for mark, name in zip(marks, names, strict=True)
    ]
