"""The records of a file that is JSON or Parquet, as data sets of the Hugging Face Hub are.

A table is such records too, where its cells hold lists of objects as JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from iaa_jax._errors import IaaError
from iaa_jax.io.export.columns import cells_by_row, columns_of
from iaa_jax.io.export.form_fields import field_of
from iaa_jax.io.export.json_records import (
    Json,
    Record,
    first_record,
    json_records,
    lines_or_records,
)
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table import opening, parquet
from iaa_jax.io.table.head import Progress
from iaa_jax.io.table.source import Source
from iaa_jax.wording import named


def is_parquet(source: Source) -> bool:
    """Whether it is a Parquet file. Never raises."""
    return source.once("is parquet", lambda: source.start(4) == b"PAR1")


def holds_objects(source: Source) -> bool:
    """Whether the first row of a delimited file has a list of objects in a cell. Never raises."""
    return bool(_objects(source))


def _objects(source: Source) -> Record:
    return source.once("row of objects", lambda: _first_row(source))


def _first_row(source: Source) -> Record:
    names = columns_of(source) if b"[{" in source.start(1 << 14) else ()
    try:
        rows = opening.head(source).rows[:1] if names else []
    except IaaError:
        return {}
    record = dict(zip(names, map(field_of, rows[0]), strict=False)) if rows else {}
    return record if any(isinstance(cell, list) for cell in record.values()) else {}


def _opened(record: Record) -> Record:
    """A record with the lists of objects that it holds as text."""
    texts = {n: v for n, v in record.items() if isinstance(v, str) and v.startswith("[{")}
    return {**record, **{n: field_of(v) for n, v in texts.items()}} if texts else record


def first_of(source: Source) -> Record:
    """The first record of a file; empty if it has none. Never raises."""
    if not is_parquet(source):
        return _opened(first_record(source) or {}) or _objects(source)
    try:
        return source.once("first row", lambda: next(parquet.records(source, 1), {}))
    except IaaError:
        return {}


def records_of(source: Source, progress: Progress | None = None) -> Iterator[tuple[int, Record]]:
    """The records and their numbers from 1. Raises what is wrong with the file, and where."""
    if is_parquet(source):
        yield from enumerate(parquet.records(source, progress=progress), start=1)
    elif holds_objects(source):
        names = columns_of(source)
        cells = cells_by_row(opening.table(source, names, progress), names)
        for number, row in enumerate(cells, start=1):
            yield number, {name: field_of(cell) for name, cell in row.items()}
    else:
        for number, record in json_records(source, progress):
            yield number, _opened(record)


def enter(source: Source, export: Export) -> str:
    """Go on with a file, and tell how its records are called in messages."""
    in_rows = is_parquet(source) or holds_objects(source)
    kind = "row" if in_rows else lines_or_records(source)
    export.enter(source, kind)
    export.wrote("Parquet" if is_parquet(source) else "JSON in cells" if in_rows else "JSON")
    return f"{source} {kind}"


def name_items(field: str, sources: Sequence[Source], export: Export) -> None:
    """Say which field names items; without one they are numbered, in a single file."""
    export.named_by.items = field
    if not field and len(sources) > 1 and export.options.item is None:
        raise IaaError(
            f"{sources[0]}: its records have no id, so that those of several files cannot be told "
            f"apart; name their items by {named('item')}, or read one file"
        )


def item_of(record: Record, number: int, export: Export) -> Json:
    """The item of a record: its id, or its number from 0 where records have none."""
    if not export.named_by.items:
        return number - 1
    field = str(export.named_by.items)
    told = record.get(field)
    if told is None and export.options.item is None:
        raise IaaError(
            f"{export.place(-1, number)} has no {field!r}, which others have, to name the item; "
            f"name a field that all records have by {named('item')}"
        )
    return told
