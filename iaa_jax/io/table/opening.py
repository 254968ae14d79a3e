"""Opens a file as a table, by its name and first bytes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from iaa_jax._errors import IaaError
from iaa_jax.io.table.excluding import columns_needed, kept_rows, kept_start
from iaa_jax.io.table.head import FileColumns, Head, Progress, check_names
from iaa_jax.io.table.source import Source
from iaa_jax.wording import named

if TYPE_CHECKING:
    from iaa_jax.io.table.json_cells import WithFields

DELIMITED = {".csv", ".tsv", ".tab", ".psv", ".txt", ".dat"}
JSON = {".json", ".jsonl", ".ndjson", ".jsonlines"}
PARQUET = {".parquet", ".pq"}
STATA = {".dta"}
SPSS = {".sav", ".zsav"}
R = {".rds"}
SHEETS = {".xlsx", ".xlsm"}
_TAKEN_BY = {
    "header_line": (("delimited", "xlsx"), "delimited text and spreadsheets"),
    "records": (("json_records", "xlsx"), "JSON and spreadsheets"),
}
"""The formats that take an option, and their names in messages, by option."""


def head(source: Source) -> Head:
    """Read the column names, and the first rows that are not excluded.

    Fields of JSON objects in cells become columns if ``source.opens_cells``.

    Raises
    ------
    IaaError
        If the file cannot be read, is empty, or has no columns or rows.
    """
    start = _opened(source).head if source.opens_cells else _start(source)
    if not source.exclude:
        return start
    return source.once("kept start", lambda: kept_start(source, start))


def table(source: Source, wanted: Sequence[str], progress: Progress | None = None) -> FileColumns:
    """Read some columns of a whole file, without the excluded rows.

    Raises
    ------
    IaaError
        As for `head`, and if rows do not match the columns, or a column by which rows are excluded
        is missing.
    """
    if not source.exclude:
        return _all_rows(source, wanted, progress)
    start = head(source)
    both = [*wanted, *columns_needed(source, start)]
    return kept_rows(source, start, _all_rows(source, both, progress))


def _all_rows(source: Source, wanted: Sequence[str], progress: Progress | None) -> FileColumns:
    read = _module(kind_of(source)).table
    names = dict.fromkeys(wanted)
    positions = _start(source).positions
    if not source.opens_cells or names.keys() <= positions.keys():
        return read(source, [*names], progress)
    from iaa_jax.io.table.json_cells import table_with_fields

    ways = {name: way for name, way in _opened(source).ways.items() if name in names}
    columns = dict.fromkeys(str(ways[name][0]) if name in ways else name for name in names)
    return table_with_fields(source, read(source, [*columns], progress), ways)


def _start(source: Source) -> Head:
    """Return the head of a file, without exclusion of rows."""
    return source.once("head", lambda: _head(source))


def _opened(source: Source) -> WithFields:
    return source.once("opened", lambda: _with_fields(source))


def _with_fields(source: Source) -> WithFields:
    from iaa_jax.io.table.json_cells import holders, with_fields

    start, kind = _start(source), kind_of(source)
    known = holders(start.names) if kind == "json_records" else ()
    return with_fields(source, start, _module(kind).table, known)


def _head(source: Source) -> Head:
    kind = kind_of(source)
    for option, (known, of) in _TAKEN_BY.items():
        if getattr(source, option) is not None and kind not in known:
            raise IaaError(f"{source}: {named(option)} is for {of}, which this is not")
    start = _module(kind).head(source)
    check_names(source, start.names)
    return start


class _Format(Protocol):
    def head(self, source: Source) -> Head: ...

    def table(
        self, source: Source, wanted: Sequence[str], progress: Progress | None = None
    ) -> FileColumns: ...


@cache  # many small files use the same module
def _module(kind: str) -> _Format:
    return cast("_Format", import_module(f"iaa_jax.io.table.{kind}"))


def kind_of(source: Source) -> str:
    """Return the name of the module that reads a file."""
    return source.once("kind", lambda: _kind(source))


def is_kind(source: Source, kind: str) -> bool:
    """Tell whether a file has this format. Never raises."""
    try:
        return kind_of(source) == kind
    except IaaError:
        return False


def _kind(source: Source) -> str:
    start = source.raw(4096)
    if start.startswith(b"PAR1"):
        return "parquet"
    if start.startswith((b"<stata_dta>", b"$FL2", b"$FL3")) or source.suffix in STATA | R:
        return "packages"
    if source.suffix in JSON:
        return "json_records"
    if source.suffix in SHEETS and start.startswith(b"PK\x03\x04"):
        return "xlsx"
    text = start.lstrip(b"\xef\xbb\xbf \t\r\n")
    # JSON, whatever the name of the file
    return "json_records" if text.startswith((b'{"', b"[{", b"{\n", b"[\n")) else "delimited"
