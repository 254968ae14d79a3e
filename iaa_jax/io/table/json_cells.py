"""Opens JSON objects in the cells of a table: their fields become columns."""

from __future__ import annotations

import ast
import json
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple, cast

import numpy as np

from iaa_jax._errors import IaaError, shown
from iaa_jax.io.table.cells import MISSING, is_word
from iaa_jax.io.table.coded import CodedCells, TextColumn, text_column
from iaa_jax.io.table.head import FileColumns, Head
from iaa_jax.io.table.json_fields import (
    DECODER,
    FEWEST,
    SAMPLE_CELLS,
    Json,
    Path,
    Record,
    cell_text,
    fields_of,
    value_in,
    why_not,
)
from iaa_jax.io.table.proposal import each_by
from iaa_jax.io.table.source import Source
from iaa_jax.wording import keyword, with_ways
from iaa_jax.wording.formats import counted

SEEN = 5  # number of cells from which fields are inferred
Read = Callable[[Source, Sequence[str]], FileColumns]


class WithFields(NamedTuple):
    """The head of a table, with the fields of JSON objects in cells as columns, and their paths."""

    head: Head
    ways: Mapping[str, Path]


def with_fields(source: Source, start: Head, read: Read, known: Collection[str] = ()) -> WithFields:
    """Add the fields of objects in cells as columns, except for objects in ``known`` columns.

    All rows are examined if a wanted column may be a rare field, otherwise only the first rows.
    """
    width = len(start.names)
    rows = [row for row in start.rows if len(row) == width]
    places = {
        name: place
        for place, name in enumerate(start.names)
        if name not in known
        and start.positions[name] == place
        and are_objects([row[place] for row in rows])
    }
    if not places:
        return WithFields(start, {})
    ways: dict[str, Path] = {}
    for name, place in places.items():
        cells = [row[place] for row in rows]
        if any(f"{name}." in asked or "*" in asked for asked in map(str, source.named_columns)):
            column = read(source, [name]).column(name)
            cells = [cell for part in column for cell in part.cells.to_pylist() if cell]
        objects = map(_object, dict.fromkeys(cells))
        with suppress(IaaError):  # too many fields for columns, or two with the same name
            ways |= fields_of(({name: each} for each in objects if each), str)
    ways = {name: way for name, way in ways.items() if name not in places}
    few = rows[: max(FEWEST, SAMPLE_CELLS // (width + len(ways)))]
    records: list[Record] = [
        {name: _object(row[place]) for name, place in places.items()} for row in few
    ]
    longer = [
        [*row, *(cell_text(value_in(record, way)) or "" for way in ways.values())]
        for row, record in zip(few, records, strict=True)
    ]
    return WithFields(replace(start, names=[*start.names, *ways], rows=longer), ways)


def table_with_fields(source: Source, table: FileColumns, ways: Mapping[str, Path]) -> FileColumns:
    """Return the columns of a table, and as further columns the fields of objects in cells."""

    def column(name: str) -> TextColumn:
        if name not in ways:
            return table.column(name)
        way = ways[name]
        outer = str(way[0])
        parts, broken, before = [], dict[int, str](), 0
        for codes, cells in table.column(outer):
            known = [(cell or "").strip() for cell in cells.to_pylist()]
            texts: list[str | None] = []
            is_truth = has_words = False
            for number, cell in enumerate(known):
                if cell == outer:  # the column names may be repeated as a row
                    texts.append(name)
                    continue
                try:
                    value = value_in(_value(cell), way[1:])
                except ValueError as error:
                    rows = np.flatnonzero(codes == number) + before
                    broken |= dict.fromkeys(rows.tolist(), str(error))
                    value = None
                is_truth |= type(value) is bool
                has_words = has_words or is_word(value)
                texts.append(cell_text(value))
            if is_truth and has_words:
                source.truths[name] = None
            ((numbers, distinct),) = text_column(texts)
            parts.append(CodedCells(np.append(numbers, -1)[codes], distinct))
            before += len(codes)
        if broken:
            row, more = min(broken), len(broken) - 1
            others = f", and so {counted(more, 'further row')}" if more else ""
            raise IaaError(
                f"{table.where(row)}, column {outer!r}: {broken[row]}{others}; correct these "
                "cells, or leave them empty if nothing was answered"
            )
        return parts

    return table._replace(column=column)


def are_objects(cells: Sequence[str]) -> bool:
    """Tell whether most filled cells begin like objects, and at least one is an object.

    Examples
    --------
    >>> are_objects(['{"tone": "warm"}', "", "{'tone': 'cold'}"]), are_objects(["{a}", "{b}"])
    (True, False)
    """
    filled = [cell for cell in map(str.strip, cells) if cell not in MISSING]
    likely = [cell for cell in filled if cell.startswith("{")]
    return 2 * len(likely) > len(filled) and any(map(_object, likely))


def parts_of(cells: Sequence[object]) -> list[str]:
    """Return the paths to single values in the objects of the first cells.

    Examples
    --------
    >>> parts_of(['{"tone": "warm", "by": {"name": "ann"}}']), parts_of(["warm"])
    (['tone', 'by.name'], [])
    """
    texts = [str(cell) for cell in cells[:SEEN]]
    if not are_objects(texts):
        return []
    with suppress(IaaError):
        ways = fields_of([each for each in map(_object, texts) if each], str)
        outer = holders(ways)
        return [name for name in ways if name not in outer]
    return []


def refuse_objects(
    source: Source, option: str, columns: Sequence[str], cells: Sequence[object]
) -> None:
    """Refuse objects in a column of names or labels."""
    parts = parts_of(cells)
    if not parts:
        return
    ways = [",".join(f"{name}.{part}" for name in columns) for part in parts]
    what = "says who rated" if option == "annotator" else "is the label"
    msg = (
        f"{source}: {columns[0]!r} holds JSON objects, in which one field {what}; their fields "
        f"are {shown(parts)}"
    )
    advice = [f"name one field, as in {keyword(option, ways[0])}"]
    if option != "annotator" and len(parts) > 1:
        advice.append(each_by([f"{columns[0]}.*"] if option == "label" else parts))
    raise IaaError(with_ways(msg, advice))


def holders(names: Iterable[str]) -> set[str]:
    """Return the objects whose fields are columns: the parts of column names before each dot.

    Examples
    --------
    >>> sorted(holders(["id", "answers.why", "answers.why.sure"]))
    ['answers', 'answers.why']
    """
    return {name[:place] for name in names for place, mark in enumerate(name) if mark == "."}


def _object(cell: str | None) -> Record | None:
    with suppress(ValueError):
        value = _value(cell.strip()) if cell else None
        return value if isinstance(value, dict) else None
    return None


def _value(text: str) -> Json:
    """Return the value of a cell, None if missing; a ValueError says why it cannot be read."""
    if text in MISSING:
        return None
    try:
        return cast("Json", DECODER.decode(text))
    except (ValueError, RecursionError) as error:
        written = _as_python(text) if isinstance(error, json.JSONDecodeError) else None
        if written is not None:
            return written
        raise ValueError(why_not(error)) from None


def _as_python(text: str) -> Record | None:
    if not text.startswith("{"):
        return None
    with suppress(ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        with warnings.catch_warnings(action="ignore"):  # Python warns of invalid escapes
            value = ast.literal_eval(text)
        read = json.loads(json.dumps(value))  # all keys become text
        return read if isinstance(read, dict) else None
    return None
