"""The records of a file that is JSON or Parquet, as data sets of the Hugging Face Hub are."""

from __future__ import annotations

from collections.abc import Iterator

from iaa_jax._errors import IaaError, brief
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


def is_parquet(source: Source) -> bool:
    """Whether it is a Parquet file. Never raises."""
    try:
        return source.once("is parquet", lambda: source.raw(4) == b"PAR1")
    except IaaError:
        return False


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
    export.form = "Parquet" if is_parquet(source) else "JSON"
    return f"{source} {kind}"


def listed(value: Json, where: str) -> list[Json]:
    """A list, which may be absent."""
    if value is None or isinstance(value, list):
        return value or []
    msg = f"{where} has {brief(value)} where a list is needed"
    raise IaaError(msg)


def keyed(value: Json, where: str) -> Record:
    """An object, which may be absent."""
    if value is None or isinstance(value, dict):
        return value or {}
    msg = f"{where} has {brief(value)} where an object is needed"
    raise IaaError(msg)
