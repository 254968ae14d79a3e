"""The records of a file that is JSON or Parquet, as data sets of the Hugging Face Hub are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from iaa_jax._errors import IaaError
from iaa_jax.io.export.json_records import (
    Json,
    Record,
    first_record,
    json_records,
    lines_or_records,
)
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table import parquet
from iaa_jax.io.table.head import Progress
from iaa_jax.io.table.source import Source
from iaa_jax.wording import named


def is_parquet(source: Source) -> bool:
    """Whether it is a Parquet file. Never raises."""
    return source.once("is parquet", lambda: source.start(4) == b"PAR1")


def first_of(source: Source) -> Record:
    """The first record of a file; empty if it has none. Never raises."""
    if not is_parquet(source):
        return first_record(source) or {}
    try:
        return source.once("first row", lambda: next(parquet.records(source, 1), {}))
    except IaaError:
        return {}


def records_of(source: Source, progress: Progress | None = None) -> Iterator[tuple[int, Record]]:
    """The records and their numbers from 1. Raises what is wrong with the file, and where."""
    if is_parquet(source):
        yield from enumerate(parquet.records(source, progress=progress), start=1)
    else:
        yield from json_records(source, progress)


def enter(source: Source, export: Export) -> str:
    """Go on with a file, and tell how its records are called in messages."""
    kind = "row" if is_parquet(source) else lines_or_records(source)
    export.enter(source, kind)
    export.wrote("Parquet" if is_parquet(source) else "JSON")
    return f"{source} {kind}"


def name_items(field: str, sources: Sequence[Source], export: Export) -> None:
    """Say which field names items; without one they are numbered, in a single file."""
    export.items_from = field
    if not field and len(sources) > 1 and export.options.item is None:
        msg = (
            f"{sources[0]}: its records have no id, so that those of several files cannot be told "
            f"apart; name their items by {named('item')}, or read one file"
        )
        raise IaaError(msg)


def item_of(record: Record, number: int, export: Export) -> Json:
    """The item of a record: its id, or its number from 0 where records have none."""
    if not export.items_from:
        return number - 1
    told = record.get(str(export.items_from))
    if told is None and export.options.item is None:
        msg = (
            f"{export.place(-1, number)} has no {str(export.items_from)!r}, which others have, to "
            f"name the item; name a field that all records have by {named('item')}"
        )
        raise IaaError(msg)
    return told
