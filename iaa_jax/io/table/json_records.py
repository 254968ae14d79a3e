"""Reads JSON files as tables: arrays of records, one record per line, or objects keyed by item.

Names of inner fields have dots, as in "annotations.label"; a number in a name is an index in
a list, from 0.
Every cell is converted to text; a list becomes its JSON text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax.io.table import json_memory
from iaa_jax.io.table.cells import is_word
from iaa_jax.io.table.coded import CodedCells, TextColumn, text_column
from iaa_jax.io.table.head import FileColumns, Head, Progress
from iaa_jax.io.table.json_fields import (
    FEWEST,
    SAMPLE_CELLS,
    Json,
    Path,
    Record,
    cell_text,
    fields_of,
    stands_of,
    value_at,
    value_in,
)
from iaa_jax.io.table.json_stream import (
    BLOCK,
    START,
    json_records,
    json_values,
    lines_or_records,
    object_of,
)
from iaa_jax.io.table.nested import LIST, Unfolded, is_path, unfold
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note, keyword, named, with_ways
from iaa_jax.wording.formats import counted

SAMPLE = 1000  # number of records from which a layout is inferred
PART = 1 << 14  # number of records whose cells are coded in one batch
LINES = (".jsonl", ".ndjson", ".jsonlines")
_TRUTHS = pa.array(["True", "False"])


@dataclass(frozen=True)
class Records:
    """The records of a large file, parsed again at every iteration."""

    source: Source

    def __iter__(self) -> Iterator[Record]:
        return (record for _, record in json_records(self.source))

    def where(self, row: int) -> str:
        """Return where a record is, for messages."""
        return f"{self.source} {lines_or_records(self.source)} {self._numbers[row]}"

    @cached_property
    def _numbers(self) -> NDArray[np.int64]:
        return np.fromiter((number for number, _ in json_records(self.source)), np.int64)


@dataclass(frozen=True)
class Document:
    """The records of a file, and the paths to their fields."""

    records: Iterable[Record]
    fields: dict[str, Path]
    where: Callable[[int], str]
    note: Note | None
    unfolded: Unfolded | None = None


def head(source: Source) -> Head:
    """Read the names of the fields, and the first records as rows."""
    document = document_of(source)
    paths = document.fields.values()
    first = islice(document.records, min(SAMPLE, max(FEWEST, SAMPLE_CELLS // len(paths))))
    rows = [[cell_text(value_in(record, way)) or "" for way in paths] for record in first]
    return Head(list(document.fields), rows, note=document.note)


def table(source: Source, wanted: Sequence[str], progress: Progress | None = None) -> FileColumns:
    """Return the records as a table.

    Fields with both words and truth values are added to ``source.truths``.
    """
    document = document_of(source)
    fields = {name: document.fields[name] for name in wanted}
    columns: dict[str, TextColumn] = {name: [] for name in fields}
    ends = dict.fromkeys(fields, 0)  # number of rows of each column so far
    truths, words = set[str](), set[str]()
    start, records = 0, iter(document.records)
    while (part := stands_of(islice(records, PART), fields))[0]:
        count, stands = part
        for name, stand in stands.items():
            if not stand.rows:
                continue
            ((codes, cells),) = text_column([*map(cell_text, stand.values)])
            gap = start - ends[name]
            ends[name] = start + count
            if len(codes) < gap + count:
                filled = np.full(gap + count, -1, codes.dtype)
                filled[gap + np.array(stand.rows)] = codes
                codes = filled
            columns[name].append(CodedCells(codes, cells))
            if pc.any(pc.is_in(cells, _TRUTHS)).as_py() and bool in map(type, stand.values):
                truths.add(name)
            if name not in words and any(map(is_word, stand.values)):
                words.add(name)
        start += count
    for name, end in ends.items():
        if end < start:
            nothing = np.full(start - end, -1, np.int8)
            columns[name].append(CodedCells(nothing, pa.array([], pa.string())))
    source.truths |= dict.fromkeys(name for name in fields if name in truths & words)
    if progress is not None:
        progress(start, start)
    return FileColumns(start, columns.__getitem__, document.where)


def document_of(source: Source) -> Document:
    """Return the records of a file."""
    return source.once("document", lambda: _read(source))


def _read(source: Source) -> Document:
    first = [value for _, value in islice(json_values(source), SAMPLE)]
    if not first:
        raise IaaError(f"{source} has no records")
    if all(isinstance(value, list) for value in first):
        raise IaaError(_for_python(source))
    records: Iterable[Record] = Records(source)
    where, note = Records(source).where, None
    is_array = source.beginning(START).lstrip().startswith("[")
    if is_array or source.suffix in LINES or len(first) > 1:
        if source.records is not None and not is_path(source.records):
            raise IaaError(
                f"{source} holds only records; {named('records')} is for objects inside them, as "
                f"in {keyword('records', 'responses[]')}"
            )
        if sum(map(len, source.blocks(BLOCK))) <= json_memory.LARGE:
            records = [*records]
    else:
        contents, note = _records(source, first[0])
        records = [object_of(value, f"{source} record {n}") for n, value in enumerate(contents, 1)]

        def where(row: int) -> str:
            return f"{source} record {row + 1}"

    if not any(islice(records, 10 * SAMPLE)):
        raise IaaError(f"{source}: its records have no fields")
    if source.records is None or not is_path(source.records):
        return Document(records, fields_of(records, where), where, note)
    json_memory.check_json_memory(source, source.content())
    unfolded = unfold(records, source.records, where)
    outer = "" if note is None else note.values.get("field", "")
    way = f"{outer}{LIST}.{source.records}" if outer else source.records
    lacking = unfolded.lacking
    others = Note("read_lacking_records", {"objects": lacking}) if lacking else ""
    note = Note("read_records", {"field": way, "others": others})

    def where_inside(row: int) -> str:
        number, path = unfolded.paths[row]
        return f"{where(number)} field {'.'.join(map(str, path))!r}"

    fields = fields_of(unfolded.rows, where_inside)
    return Document(unfolded.rows, fields, where_inside, note, unfolded)


def _for_python(source: Source) -> str:
    """Return the message for records that are lists, without field names."""
    load = f"json.load(open({str(source)!r}))"
    return with_ways(
        f"{source}: lists where objects with named fields are needed; without names they are for "
        "Python",
        [
            f"if each is a list of annotators' labels, call iaa.from_wide({load}); of sets of "
            "labels, iaa.from_sets; of lists of ranks, the best first, iaa.from_ranked",
            "write a record for each rating, with item, annotator and label",
        ],
    )


def _records(source: Source, content: Json) -> tuple[list[Json], Note | None]:
    """Return the records in a document, and a note on where they are."""
    note, outer = None, ""
    if source.records is not None and is_path(source.records):
        start = source.records.split(".")[0].removesuffix(LIST)
        if isinstance(content, dict) and start in content:
            return [content], None
    elif source.records is not None:
        outer = f"{source.records}."
        for part in source.records.split("."):
            inner = value_at(content, part)
            if inner is None:
                known = list(content) if isinstance(content, dict) else []
                raise IaaError(
                    f"{source} has no field {part!r} (named by {named('records')}); "
                    f"the fields there are {shown(known, 12) or 'none'}"
                )
            content = inner
        note = Note("read_records", {"field": source.records, "others": ""})
    if isinstance(content, list):
        return content, note
    if not isinstance(content, dict) or not content:
        raise IaaError(f"{source} holds {type(content).__name__}, not records with named fields")
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
            raise IaaError(
                f"{source} holds {len(alike):,} lists of records with the same fields: {listed}; "
                f"name the one to read with {named('records')}, as in "
                f"{keyword('records', outer + alike[0])}, or put their records in one list"
            )
        unread = [field for field in content if field in inside or _is_keyed(content[field])]
        unread.remove(name)
        others = Note("read_other_records", {"fields": unread}) if unread else ""
        return lists[name], Note("read_records", {"field": outer + name, "others": others})
    if keyed:
        raise IaaError(
            f"{source}: cannot tell where the records are; name the field that holds them with "
            f"{named('records')}, one of {shown(content, 12)}"
        )
    pairs: list[Json] = [{"key": key, "value": value} for key, value in content.items()]
    return pairs, note or Note("read_keys_and_values")


def _named(value: list[Json]) -> set[str]:
    return {name for part in value if isinstance(part, dict) for name in part}


def _is_keyed(value: Json) -> bool:
    """Tell whether a value looks like records keyed by their item."""
    return (
        isinstance(value, dict) and bool(value) and all(isinstance(v, dict) for v in value.values())
    )
