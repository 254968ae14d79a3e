"""From a file to its table: the format is told from its name and its first bytes."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Protocol, cast

from iaa_jax._errors import IaaError
from iaa_jax.io.table.excluding import columns_needed, kept_rows, kept_start
from iaa_jax.io.table.head import FileColumns, Head, Progress
from iaa_jax.io.table.source import Source
from iaa_jax.wording import named

DELIMITED = {".csv", ".tsv", ".tab", ".psv", ".txt", ".dat"}
JSON = {".json", ".jsonl", ".ndjson", ".jsonlines"}
PARQUET = {".parquet", ".pq"}
SHEETS = {".xlsx", ".xlsm"}


def head(source: Source) -> Head:
    """Read the column names and the first rows, but for those to leave out.

    Raises
    ------
    IaaError
        If the file cannot be read, is empty, or has no columns or rows.
    """
    start = source.once("head", lambda: _head(source))
    if not source.exclude:
        return start
    return source.once("kept start", lambda: kept_start(source, start))


def table(source: Source, wanted: Sequence[str], progress: Progress | None = None) -> FileColumns:
    """Read some columns of a whole file, without the rows to leave out.

    Raises
    ------
    IaaError
        As for `head`, and if rows do not fit the columns, or a column that says which rows to
        leave out is not there.
    """
    known = _module(kind_of(source))
    if not source.exclude:
        return known.table(source, list(dict.fromkeys(wanted)), progress)
    start = head(source)
    both = dict.fromkeys([*wanted, *columns_needed(source, start)])
    return kept_rows(source, start, known.table(source, list(both), progress))


def _head(source: Source) -> Head:
    kind = kind_of(source)
    for option, value, known, of in (
        (
            "header_line",
            source.header_line,
            ("delimited", "xlsx"),
            "delimited text and spreadsheets",
        ),
        ("records", source.records, ("json_records", "xlsx"), "JSON and spreadsheets"),
    ):
        if value is not None and kind not in known:
            msg = f"{source}: {named(option)} is for {of}, which this is not"
            raise IaaError(msg)
    return _module(kind).head(source)


class _Format(Protocol):
    """What a module that knows a format has."""

    def head(self, source: Source) -> Head: ...

    def table(
        self, source: Source, wanted: Sequence[str], progress: Progress | None = None
    ) -> FileColumns: ...


def _module(kind: str) -> _Format:
    """Load the module that knows a format, and no other."""
    return cast("_Format", import_module(f"iaa_jax.io.table.{kind}"))


def kind_of(source: Source) -> str:
    """The format of a file, by its name and its first bytes: the module that knows it."""
    return source.once("kind", lambda: _kind(source))


def _kind(source: Source) -> str:
    start = source.raw(4096)
    if start.startswith(b"PAR1"):
        return "parquet"
    if source.suffix in JSON:
        return "json_records"
    if source.suffix in SHEETS and start.startswith(b"PK\x03\x04"):
        return "xlsx"
    text = start.lstrip(b"\xef\xbb\xbf \t\r\n")
    # whatever its name says: so begins no row of a table
    return "json_records" if text.startswith((b'{"', b"[{", b"{\n", b"[\n")) else "delimited"
