"""Reads exports of the agreement page of INCEpTION, with all annotators in one file.

The diagnosis, one of these exports, has the labels of each annotator at each position. Positions
that are spans are also read as spans. A position that an annotator left unmarked counts as skipped
if the annotator marked something else in the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from iaa_jax._errors import IaaError, brief
from iaa_jax.data.notices.similar import JOINT
from iaa_jax.io.export.answers import Span, Status, separate_units, span_of
from iaa_jax.io.export.columns import Row, columns_of, rows_of
from iaa_jax.io.export.json_records import Json, first_record, json_records
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source
from iaa_jax.io.tools.inception.layers import short
from iaa_jax.io.tools.inception.project import NO_ANNOTATORS
from iaa_jax.wording import Note

_MARKED = ("doc", "user", "begin", "end", "text", "label")
_POSITION = ("Type", "Collection", "Document", "Layer", "Feature", "Position")
_FLAGS = "Flags"
_NOT_MARKED = ("<no annotation>", "null")  # the second one is of exports without flags
_NO_LABEL, _NO_LABEL_SHOWN = "<no label>", "(none)"
_PLACES = re.compile(r"([0-9]{1,15})-([0-9]{1,15})(?![0-9])")

Marks = dict[tuple[str, str], tuple[int, list[Span]]]
"""The number of the first row and all spans, by document and annotator."""


class Inception:
    """Reads the exports of the agreement page."""

    name = "inception"
    title = "INCEpTION"
    summary = "INCEpTION: CSV and JSON of its agreement page, and its diagnosis"
    known_by = "columns or fields `doc`, `user`, `begin`, `end`; columns `Layer`, `Position`"
    example = "agree diagnosis.csv"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files of the agreement page."""
        return [
            source
            for source in sources
            if _is_diagnosis(source)
            or {*_MARKED} <= {*columns_of(source)}
            or {*_MARKED} <= {*(first_record(source) or {})}
        ]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read spans, or labels of positions."""
        forms: dict[str, None] = {}
        for source in sources:
            diagnosis = _is_diagnosis(source)
            forms["diagnosis" if diagnosis else "agreement"] = None
            if diagnosis:
                export.named_by.items = "Document"
                _add_positions(source, export)
            else:
                export.named_by.items, export.named_by.annotators = "doc", "user"
                _add_spans(source, export)
        export.note_format(f"{' and '.join(forms)}, positions in UTF-16 units")


TOOL = Inception()


def _is_diagnosis(source: Source) -> bool:
    return columns_of(source)[: len(_POSITION)] == [*_POSITION]


def _add_spans(source: Source, export: Export) -> None:
    marks: Marks = {}
    for number, where, row in _rows(source, export):
        document, user, label = (_name(row, name, where) for name in ("doc", "user", "label"))
        if not document or not user:
            raise IaaError(f"{where}: no document or no user: {brief(row)}")
        if user in NO_ANNOTATORS and not export.remarks.wants(NO_ANNOTATORS[user]):
            continue
        span = span_of(row["begin"], row["end"], label, where)
        marks.setdefault((document, user), (number, []))[1].append(span)
    question = export.question("label", "spans")
    for (document, user), (number, spans) in marks.items():
        fields: dict[str, Json] = {"doc": document, "user": user}
        export.add(question, document, user, separate_units(spans), number, fields=fields)
    export.remarks.notice("agreement_lists_what_was_made")


def _rows(source: Source, export: Export) -> Iterator[tuple[int, str, dict[str, Json]]]:
    if {*_MARKED} <= {*columns_of(source)}:
        for number, cells in rows_of(source, export, _MARKED):
            row: dict[str, Json] = {**cells}
            for name in ("begin", "end"):
                if re.fullmatch("[0-9]{1,15}", cells[name]):
                    row[name] = int(cells[name])
            yield number, export.place(-1, number), row
        return
    export.begin_file(source)
    for number, record in json_records(source, export.options.progress):
        lacking = [name for name in _MARKED if name not in record]
        if lacking:
            raise IaaError(f"{source} record {number} has no field {lacking[0]!r}: {brief(record)}")
        yield number, f"{source} record {number}", record


def _name(row: dict[str, Json], name: str, where: str) -> str:
    value = row[name]
    if value is None or isinstance(value, (str, int, float)):
        return "" if value is None else str(value).strip()
    raise IaaError(f"{where}: {name} is no text: {brief(value)}")


def _add_positions(source: Source, export: Export) -> None:
    columns = columns_of(source)
    users = [name for name in columns[len(_POSITION) :] if name != _FLAGS]
    for user in [*users]:
        if user in NO_ANNOTATORS and not export.remarks.wants(NO_ANNOTATORS[user]):
            users.remove(user)
    export.named_by.columns = users
    rows = [*rows_of(source, export)]
    layers = {(row["Layer"], row["Feature"]) for _, row in rows}
    has_collections = len({row["Collection"] for _, row in rows}) > 1
    irrelevant = 0
    worked_on = {
        (row["Document"], user) for _, row in rows for user in users if row[user] not in _NOT_MARKED
    }
    marks: dict[str, Marks] = {}
    for number, row in rows:
        if "IRRELEVANT" in row.get(_FLAGS, ""):
            irrelevant += 1
            continue
        name = f"{short(row['Layer'])}.{row['Feature']}"
        labels = export.question("positions" if len(layers) == 1 else f"positions of {name}")
        document = JOINT.join([*[row["Collection"]] * has_collections, row["Document"]])
        fields: dict[str, Json] = {**row}
        for user in users:
            answer = _answer(row, user)
            if not answer and (row["Document"], user) not in worked_on:
                continue
            item = f"{document}{JOINT}{row['Position']}"
            shown = [label or _NO_LABEL_SHOWN for label in answer]
            status = None if answer else Status.SKIPPED
            export.add(
                labels, item, user, shown, number, status=status, record=document, fields=fields
            )
            if row["Type"] == "SpanPosition":
                of_layer = marks.setdefault(name, {})
                of_user = of_layer.setdefault((document, user), (number, []))
                of_user[1].extend(_spans_at(row, answer, export.place(-1, number)))
    for name, of_layer in marks.items():
        question = export.question(name, "spans")
        for (document, user), (number, spans) in of_layer.items():
            fields = {"Document": document}
            export.add(question, document, user, separate_units(spans), number, fields=fields)
    if irrelevant:
        export.remarks.notes.append(Note("skipped_irrelevant", {"count": irrelevant}))


def _answer(row: Row, user: str) -> list[str]:
    cell = row[user]
    if cell in _NOT_MARKED[: 1 if _FLAGS in row else 2]:
        return []
    parts = cell.split(", ") if "STACKED" in row.get(_FLAGS, "") else [cell]
    return ["" if part == _NO_LABEL else part for part in parts]


def _spans_at(row: Row, answer: Sequence[str], where: str) -> Iterator[Span]:
    places = _PLACES.match(row["Position"])
    if places is None:
        raise IaaError(
            f"{where}: the position {brief(row['Position'])} does not begin with two positions"
        )
    for label in answer:
        yield span_of(int(places[1]), int(places[2]), label, where)
