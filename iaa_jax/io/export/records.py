"""Reads records of JSON and Parquet files, such as the data sets of the Hugging Face Hub.

A table whose cells hold lists of objects as JSON is also read as records.
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
    """Tell whether a file is Parquet. Never raises."""
    return source.once("is parquet", lambda: source.start(4) == b"PAR1")


def holds_objects(source: Source) -> bool:
    """Tell whether a delimited file begins with cells that are lists of objects. Never raises."""
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
    texts = {n: v for n, v in record.items() if isinstance(v, str) and v.startswith("[{")}
    return {**record, **{n: field_of(v) for n, v in texts.items()}} if texts else record


def first_of(source: Source) -> Record:
    """Return the first record of a file; empty if there is none. Never raises."""
    if not is_parquet(source):
        return _opened(first_record(source) or {}) or _objects(source)
    try:
        return source.once("first row", lambda: next(parquet.records(source, 1), {}))
    except IaaError:
        return {}


def records_of(source: Source, progress: Progress | None = None) -> Iterator[tuple[int, Record]]:
    """Yield the records with their numbers from 1; errors name the position."""
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
    """Begin a file, and return the words by which messages locate its records."""
    in_rows = is_parquet(source) or holds_objects(source)
    kind = "row" if in_rows else lines_or_records(source)
    export.begin_file(source, kind)
    export.note_format("Parquet" if is_parquet(source) else "JSON in cells" if in_rows else "JSON")
    return f"{source} {kind}"


def name_items(field: str, sources: Sequence[Source], export: Export) -> None:
    """Set the field that names items; without a field, the items of a single file are numbered."""
    export.named_by.items = field
    if not field and len(sources) > 1 and export.options.item is None:
        raise IaaError(
            f"{sources[0]}: its records have no id, so records of several files cannot be "
            f"distinguished; name their items by {named('item')}, or read one file"
        )


def item_of(record: Record, number: int, export: Export) -> Json:
    """Return the item of a record: its id, or its number from 0 if records have no ids."""
    if not export.named_by.items:
        return number - 1
    field = str(export.named_by.items)
    name = record.get(field)
    if name is None and export.options.item is None:
        raise IaaError(
            f"{export.place(-1, number)} has no {field!r} to name the item, which other records "
            f"have; name a field that all records have by {named('item')}"
        )
    return name
