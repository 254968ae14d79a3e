"""JSON files as tables: arrays of records, one record per line, objects keyed by item.

Fields inside fields are named with dots, as in "annotations.label"; a number counts the place in
a list, from 0. Every cell is brought to text; a list stays the text of a JSON list.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from iaa_jax._errors import IaaError, shown
from iaa_jax.io.table import json_large
from iaa_jax.io.table.bare_lists import refusal
from iaa_jax.io.table.coded import CodedCells, TextColumn, text_column
from iaa_jax.io.table.head import Head, Progress
from iaa_jax.io.table.json_fields import (
    FEWEST,
    SAMPLE_CELLS,
    Json,
    Path,
    cell_text,
    cells_of,
    contents_of,
    fields_of,
    stands_of,
    value_at,
)
from iaa_jax.io.table.json_large import LargeRecords, check_room
from iaa_jax.io.table.json_text import NoTable, Repeated, is_word, parse
from iaa_jax.io.table.nested import LIST, Unfolded, is_way, unfold
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note, keyword, named
from iaa_jax.wording.formats import counted

SAMPLE = 1000  # records that are enough to guess a layout from
LINES = (".jsonl", ".ndjson", ".jsonlines")
_TRUTHS = pa.array(["True", "False"])


@dataclass(frozen=True)
class Document:
    """The records of a file, the way to each of their fields, and where a record stands."""

    records: Sequence[dict[str, Json]]
    fields: dict[str, Path]
    where: Callable[[int], str]
    note: Note | None
    unfolded: Unfolded | None = None


@dataclass(frozen=True)
class JsonTable:
    """Columns of a file of records."""

    document: Document
    columns: dict[str, TextColumn]

    @property
    def rows(self) -> int:
        """The number of records."""
        return len(self.document.records)

    def column(self, name: str) -> TextColumn:
        """Give a field as text; null where it is absent or null."""
        return self.columns[name]

    def where(self, row: int) -> str:
        """Say where a record stands."""
        return self.document.where(row)


def head(source: Source) -> Head:
    """Read the names of the fields, and the first records as rows."""
    document = document_of(source)
    if not document.fields:
        msg = f"{source}: its records have no fields"
        raise IaaError(msg)
    size = min(SAMPLE, max(FEWEST, SAMPLE_CELLS // len(document.fields)))
    first = document.records[:size]
    columns = [cells_of(first, path, cell_text) for path in document.fields.values()]
    rows = [["" if cell is None else cell for cell in row] for row in zip(*columns, strict=True)]
    return Head(list(document.fields), rows, note=document.note)


def table(source: Source, wanted: Sequence[str], progress: Progress | None = None) -> JsonTable:
    """Give the records as a table."""
    document = document_of(source)
    records = document.records
    parts = records.parts() if isinstance(records, LargeRecords) else [records]
    fields = {name: document.fields[name] for name in wanted}
    columns = JsonTable(document, _columns(source, parts, fields))
    if progress is not None:
        progress(columns.rows, columns.rows)
    return columns


def _columns(
    source: Source, parts: Iterable[Sequence[dict[str, Json]]], fields: dict[str, Path]
) -> dict[str, TextColumn]:
    """Fields as text, and which of them hold true or false beside words.

    What a record does not have costs nothing: thousands may have other fields each.
    """
    columns: dict[str, TextColumn] = {name: [] for name in fields}
    ends = dict.fromkeys(fields, 0)  # the rows that each column has
    truths, words = set[str](), set[str]()
    start = 0
    for records in parts:
        for name, stand in stands_of(records, fields).items():
            if not stand.rows:
                continue
            ((codes, cells),) = text_column([*map(cell_text, stand.values)])
            gap = start - ends[name]
            ends[name] = start + len(records)
            if len(codes) < gap + len(records):
                filled = np.full(gap + len(records), -1, codes.dtype)
                filled[gap + np.array(stand.rows)] = codes
                codes = filled
            columns[name].append(CodedCells(codes, cells))
            is_truth = pc.any(pc.is_in(cells, _TRUTHS)).as_py()
            if is_truth and bool in map(type, stand.values):
                truths.add(name)
            sought = is_truth or not isinstance(parts, list)  # of one part truths are enough to see
            if sought and name not in words and any(map(is_word, stand.values)):
                words.add(name)
        start += len(records)
    for name, end in ends.items():
        if end < start:
            nothing = np.full(start - end, -1, np.int8)
            columns[name].append(CodedCells(nothing, pa.array([], pa.string())))
    source.truths |= dict.fromkeys(name for name in fields if name in truths & words)
    return columns


def document_of(source: Source) -> Document:
    """The records of a file."""
    return source.once("document", lambda: _read(source))


def _read(source: Source) -> Document:
    data = source.content()
    if not data.strip():
        msg = f"{source} is empty: it has no records"
        raise IaaError(msg)
    if _is_large(source, data):
        records = LargeRecords(source, data.decode())
        if source.records is not None:
            check_room(source, data)
        del data  # the text is enough
        first = [*islice(records, 10 * SAMPLE)]
        if not any(first):
            msg = f"{source}: its first {counted(len(first), 'record')} have no fields"
            raise IaaError(msg)
        return _document(source, records, records.where, None)
    where: Callable[[int], str] | None = None
    note = None
    if source.suffix in LINES:
        found, where = _lines(source, data)
    else:
        try:
            content, repeated = parse(check_room(source, data))
        except json.JSONDecodeError as error:
            if error.msg != "Extra data" or not data.lstrip().startswith(b"{"):
                msg = f"{source} line {error.lineno}: this is not JSON: {error.msg}"
                raise IaaError(msg) from None
            found, where = _lines(source, data)
        except NoTable as error:
            msg = f"{source} {error}"
            raise IaaError(msg) from None
        else:
            _refuse_repeated(content, repeated, lambda path: _position(source, path))
            found, note = _records(source, content)
    objects = []
    for number, record in enumerate(found, start=1):
        if not isinstance(record, dict):
            if all(isinstance(each, list) for each in found):
                raise IaaError(refusal(source, found))
            msg = (
                f"{source} record {number}: {type(record).__name__} where an object with named "
                f"fields is needed: {shown([record])}"
            )
            raise IaaError(msg)
        objects.append(record)
    if not objects:
        msg = f"{source} has no records"
        raise IaaError(msg)
    return _document(source, objects, where or (lambda row: f"{source} record {row + 1}"), note)


def _is_large(source: Source, data: bytes) -> bool:
    """Whether a file is of many records that can be made one after the other."""
    if len(data) <= json_large.LARGE or not (source.records is None or is_way(source.records)):
        return False
    start = data[: json_large.LARGE].lstrip()
    if source.suffix in LINES:
        return not start.startswith(b"[")
    if start.startswith(b"{"):
        with suppress(json.JSONDecodeError, NoTable):
            return isinstance(parse(start.partition(b"\n")[0])[0], dict)
    return start.startswith(b"[") and not start[1:].lstrip().startswith(b"[")


def _document(
    source: Source,
    objects: Sequence[dict[str, Json]],
    where: Callable[[int], str],
    note: Note | None,
) -> Document:
    unfolded = None
    if source.records is not None and is_way(source.records):
        outer, unfolded = where, unfold(objects, source.records, where)
        objects, ways = unfolded.rows, unfolded.ways
        found = "" if note is None else note.values.get("field", "")
        way = f"{found}{LIST}.{source.records}" if found else source.records
        lacking = unfolded.lacking
        others = Note("read_lacking_records", {"objects": lacking}) if lacking else ""
        note = Note("read_records", {"field": way, "others": others})

        def where(row: int) -> str:
            number, path = ways[row]
            return _within(outer(number), path)

    return Document(objects, fields_of(objects, where), where, note, unfolded)


def _lines(source: Source, data: bytes) -> tuple[list[Json], Callable[[int], str]]:
    """Read a record from each line that is not blank."""
    if source.records is not None and not is_way(source.records):
        msg = (
            f"{source}: each line is a record; {named('records')} is for records inside one, as in "
            f"{keyword('records', 'responses[]')}"
        )
        raise IaaError(msg)
    lines = data.split(b"\n")
    filled = [number for number, line in enumerate(lines) if line.strip()]

    def where(row: int) -> str:
        return f"{source} line {filled[row] + 1}"

    records: list[Json] = []
    repeated: list[Repeated] = []
    with suppress(json.JSONDecodeError, NoTable):
        content, repeated = parse(b"[" + b",".join(lines[number] for number in filled) + b"]")
        records = content if isinstance(content, list) else []
    if len(records) != len(filled):
        records, repeated = [], []
        for row, number in enumerate(filled):
            record, twice = _line(where(row), lines[number])
            records.append(record)
            repeated += twice
    _refuse_repeated(records, repeated, lambda path: _within(where(int(path[0])), path[1:]))
    return records, where


def _line(where: str, line: bytes) -> tuple[Json, list[Repeated]]:
    try:
        return parse(line)
    except json.JSONDecodeError as error:
        msg = f"{where}: this is not JSON: {error.msg} (column {error.colno})"
    except NoTable as error:
        msg = f"{where} {error}"
    raise IaaError(msg)


def _refuse_repeated(
    document: Json, repeated: Sequence[Repeated], describe: Callable[[Path], str]
) -> None:
    """Refuse objects in which a key stands more than once: of its values only the last is left."""
    if not repeated:
        return
    keys = {id(record): key for record, key in repeated}
    inner: list[tuple[Path, Json]] = [((), document)]
    while inner:
        path, value = inner.pop()
        if id(value) in keys:
            break
        # the last goes first from the stack, so that the first of the file is found
        parts = [((*path, k), v) for k, v in contents_of(value) if isinstance(v, (dict, list))]
        inner += reversed(parts)
    more = len(repeated) - 1
    others = f", and so do keys of {counted(more, 'further object')}" if more else ""
    msg = (
        f"{describe(path)}: the key {keys[id(value)]!r} occurs more than once in one "
        f"object{others}; of equal keys only the last would be read: keep one, or rename them"
    )
    raise IaaError(msg)


def _position(source: Source, path: Path) -> str:
    """Say where a part of a document stands."""
    depth = next((k for k, part in enumerate(path) if isinstance(part, int)), None)
    if depth is None:
        return _within(str(source), path)
    inside = ".".join(map(str, path[:depth]))
    record = f"{source} record {int(path[depth]) + 1}" + (f" of {inside!r}" if inside else "")
    return _within(f"{record},", path[depth + 1 :]).removesuffix(",")


def _within(outer: str, path: Path) -> str:
    """Name the field inside a place."""
    return f"{outer} field {'.'.join(map(str, path))!r}" if path else outer


def _records(source: Source, content: Json) -> tuple[list[Json], Note | None]:
    """Find the records in a document, and note where they were."""
    note, outer = None, ""
    if source.records is not None and is_way(source.records):
        start = source.records.split(".")[0].removesuffix(LIST)
        if isinstance(content, dict) and start in content:
            return [content], None
    elif source.records is not None:
        outer = f"{source.records}."
        for part in source.records.split("."):
            inner = value_at(content, part)
            if inner is None:
                known = list(content) if isinstance(content, dict) else []
                msg = (
                    f"{source} has no field {part!r} (named by {named('records')}); "
                    f"the fields there are {shown(known, 12) or 'none'}"
                )
                raise IaaError(msg)
            content = inner
        note = Note("read_records", {"field": source.records, "others": ""})
    if isinstance(content, list):
        return content, note
    if not isinstance(content, dict) or not content:
        msg = f"{source} holds {type(content).__name__}, not records with named fields"
        raise IaaError(msg)
    keyed: list[Json] = [
        {"key": key, **value} for key, value in content.items() if isinstance(value, dict)
    ]
    if len(keyed) == len(content):
        return keyed, note or Note("read_keyed_records")
    lists = {name: value for name, value in content.items() if isinstance(value, list)}
    inside = {name: fields for name, value in lists.items() if (fields := _named(value))}
    if inside:
        name = max(inside, key=lambda name: len(lists[name]))
        alike = [field for field in inside if inside[field] & inside[name]]
        if len(alike) > 1:
            listed = ", ".join(f"{one!r} ({counted(len(lists[one]), 'record')})" for one in alike)
            msg = (
                f"{source} holds {len(alike):,} lists of records with the same fields: {listed}; "
                f"name the one to read with {named('records')}, as in "
                f"{keyword('records', outer + alike[0])}, or put their records in one list"
            )
            raise IaaError(msg)
        unread = [field for field in content if field in inside or _is_keyed(content[field])]
        unread.remove(name)
        others = Note("read_other_records", {"fields": unread}) if unread else ""
        return lists[name], Note("read_records", {"field": outer + name, "others": others})
    if keyed:
        msg = (
            f"{source}: cannot tell where the records are; name the field that holds them with "
            f"{named('records')}, one of {shown(content, 12)}"
        )
        raise IaaError(msg)
    pairs: list[Json] = [{"key": key, "value": value} for key, value in content.items()]
    return pairs, note or Note("read_keys_and_values")


def _named(value: list[Json]) -> set[str]:
    """The names of the fields of a list of records."""
    return {name for part in value if isinstance(part, dict) for name in part}


def _is_keyed(value: Json) -> bool:
    """Tell whether a value looks like records keyed by their item."""
    return (
        isinstance(value, dict) and bool(value) and all(isinstance(v, dict) for v in value.values())
    )
