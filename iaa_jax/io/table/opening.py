"""From a file to its table: the format is told from its name and its first bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from iaa_jax._errors import IaaError
from iaa_jax.io.table import delimited, json_records, parquet, xlsx
from iaa_jax.io.table.head import FileColumns, Head, Progress
from iaa_jax.io.table.source import Source
from iaa_jax.wording import named

DELIMITED = {".csv", ".tsv", ".tab", ".psv", ".txt", ".dat"}
JSON = {".json", ".jsonl", ".ndjson", ".jsonlines"}
PARQUET = {".parquet", ".pq"}


def head(source: Source) -> Head:
    """Read the column names and the first rows.

    Raises
    ------
    IaaError
        If the file cannot be read, is empty, or has no columns or rows.
    """
    return source.once("head", lambda: _head(source))


def table(source: Source, wanted: Sequence[str], progress: Progress | None = None) -> FileColumns:
    """Read some columns of a whole file.

    Raises
    ------
    IaaError
        As for `head`, and if rows do not fit the columns.
    """
    return _module(source).table(source, list(dict.fromkeys(wanted)), progress)


def _head(source: Source) -> Head:
    module = _module(source)
    for option, value, known, of in (
        ("header_line", source.header_line, (delimited,), "delimited text"),
        ("records", source.records, (json_records, xlsx), "JSON and spreadsheets"),
    ):
        if value is not None and module not in known:
            msg = f"{source}: {named(option)} is for {of}, which this is not"
            raise IaaError(msg)
    return module.head(source)


class _Format(Protocol):
    """What a module that knows a format has."""

    def head(self, source: Source) -> Head: ...

    def table(
        self, source: Source, wanted: Sequence[str], progress: Progress | None = None
    ) -> FileColumns: ...


_FORMATS: dict[str, _Format] = {
    "json": json_records,
    "parquet": parquet,
    "xlsx": xlsx,
    "delimited": delimited,
}


def _module(source: Source) -> _Format:
    """Choose the module that knows the format."""
    return _FORMATS[source.once("kind", lambda: _kind(source))]


def _kind(source: Source) -> str:
    start = source.raw(4096)
    if start.startswith(b"PAR1"):
        return "parquet"
    if source.suffix in JSON:
        return "json"
    if source.suffix in xlsx.ENDINGS and start.startswith(b"PK\x03\x04"):
        return "xlsx"
    text = start.lstrip(b"\xef\xbb\xbf \t\r\n")
    # whatever its name says: so begins no row of a table
    return "json" if text.startswith((b'{"', b"[{", b"{\n", b"[\n")) else "delimited"
