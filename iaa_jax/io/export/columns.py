"""Reads rows and column names of a tool's delimited file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from iaa_jax._errors import IaaError
from iaa_jax.io.table import opening
from iaa_jax.io.table.head import FileColumns
from iaa_jax.io.table.source import Source

if TYPE_CHECKING:
    from iaa_jax.io.export.judgements import Export

Row = dict[str, str]
"""Cells by column, without surrounding blanks; "" if empty."""


def columns_of(source: Source) -> Sequence[str]:
    """Return the column names of delimited text; empty for any other file. Never raises."""
    if source.suffix not in opening.DELIMITED:
        return ()
    return source.once("columns", lambda: _columns(source))


def _columns(source: Source) -> Sequence[str]:
    try:
        return opening.head(source).names
    except IaaError:
        return ()


def rows_of(
    source: Source, export: Export, columns: Sequence[str] | None = None
) -> Iterator[tuple[int, Row]]:
    """Yield the rows of a file with their numbers, and tell the export how to locate them."""
    names = opening.head(source).names if columns is None else columns
    table = opening.table(source, names, export.options.progress)
    export.begin_file(source, table.where)
    yield from enumerate(cells_by_row(table, names))


def cells_by_row(table: FileColumns, names: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of a table."""
    cells = [[""] * table.rows for _ in names]
    for name, filled in zip(names, cells, strict=True):
        row = 0
        for part in table.column(name):
            texts = [(text or "").strip() for text in part.cells.to_pylist()]
            for code in part.codes.tolist():
                filled[row] = texts[code] if code >= 0 else ""
                row += 1
    for values in zip(*cells, strict=True):
        yield dict(zip(names, values, strict=True))


def cells_of(source: Source, columns: Sequence[str]) -> dict[str, dict[str, None]]:
    """Return the distinct cells of the given columns, without surrounding blanks."""
    if not columns:
        return {}
    table = opening.table(source, columns)
    return {
        name: {
            (text or "").strip(): None
            for part in table.column(name)
            for text in part.cells.to_pylist()
        }
        for name in columns
    }
