"""Access to JSON records and their contents, for readers of tools."""

from __future__ import annotations

from iaa_jax._errors import IaaError, brief
from iaa_jax.io.table.json_fields import Json as Json, Record as Record
from iaa_jax.io.table.json_stream import (
    START as START,
    first_record as first_record,
    json_records as json_records,
    lines_or_records as lines_or_records,
)
from iaa_jax.io.table.source import Source


def document_of(source: Source) -> Record:
    """Return the object in a JSON file, or the first of several; errors name the position."""
    records = [record for _, record in json_records(source)]
    return records[0] if records else {}


def listed(value: Json, where: str) -> list[Json]:
    """Return a value that must be a list; an absent value gives an empty list."""
    if value is None or isinstance(value, list):
        return value or []
    raise IaaError(f"{where}: {brief(value)} where a list is needed")


def keyed(value: Json, where: str) -> Record:
    """Return a value that must be an object; an absent value gives an empty object."""
    if value is None or isinstance(value, dict):
        return value or {}
    raise IaaError(f"{where}: {brief(value)} where an object with named fields is needed")
