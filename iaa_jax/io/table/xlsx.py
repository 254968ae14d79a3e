"""Sheets of spreadsheets (.xlsx) as tables: the first one that holds rows, or the one named."""

from __future__ import annotations

import datetime
import io
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from iaa_jax._errors import IaaError, shown
from iaa_jax.io.table.coded import TextColumn, text_column
from iaa_jax.io.table.head import Head, Progress
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note, keyword

SAMPLE = 1000


class _Sheet(NamedTuple):
    """A sheet with a header and rows."""

    title: str
    first_row: int  # the number of the header's row
    names: list[str]
    rows: list[list[str | None]]
    others: list[str]


@dataclass(frozen=True)
class SheetTable:
    """Columns of a sheet."""

    source: Source
    sheet: _Sheet

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.sheet.rows)

    def column(self, name: str) -> TextColumn:
        """Give a column as text."""
        place = self.sheet.names.index(name)
        return text_column([row[place] for row in self.sheet.rows])

    def where(self, row: int) -> str:
        """Say where a row stands."""
        number = self.sheet.first_row + row + 1
        return f"{self.source} sheet {self.sheet.title!r} row {number}"


def head(source: Source) -> Head:
    """Read the column names and the first rows."""
    sheet = _sheet(source)
    rows = [[cell or "" for cell in row] for row in sheet.rows[:SAMPLE]]
    values = {"sheet": sheet.title, "others": sheet.others}
    note = Note("read_sheet", values) if sheet.others else None
    return Head(sheet.names, rows, note=note)


def table(source: Source, wanted: Sequence[str], progress: Progress | None = None) -> SheetTable:  # noqa: ARG001
    """Read a sheet; all columns are there once it is."""
    read = SheetTable(source, _sheet(source))
    if progress is not None:
        progress(read.rows, read.rows)
    return read


def _sheet(source: Source) -> _Sheet:
    return source.once("sheet", lambda: _read(source))


def _read(source: Source) -> _Sheet:
    try:
        from openpyxl import load_workbook
    except ImportError:
        message = (
            f"{source}: spreadsheets are read with openpyxl: pip install 'iaa_jax[xlsx]', or save "
            "the sheet as CSV"
        )
        raise IaaError(message) from None
    try:
        workbook = load_workbook(io.BytesIO(source.raw()), read_only=True, data_only=True)
        sheets = {sheet.title: list(_rows(sheet)) for sheet in workbook.worksheets}
    except (zipfile.BadZipFile, SyntaxError, LookupError, ValueError, TypeError, OSError) as error:
        reason = next(iter(str(error).splitlines()), "it is damaged")
        message = f"{source} cannot be read as a spreadsheet: {reason}"
        raise IaaError(message) from None
    filled = [title for title, rows in sheets.items() if len(rows) > 1]
    if source.records is not None and source.records not in sheets:
        message = f"{source} has no sheet {source.records!r}; its sheets are {shown(list(sheets))}"
        raise IaaError(message)
    if not filled:
        message = f"{source}: no sheet has a line with the names of columns, and rows below it"
        raise IaaError(message)
    title = source.records or filled[0]
    if title not in filled:
        message = f"{source}: sheet {title!r} has no rows below the names of its columns"
        raise IaaError(message)
    others = [] if source.records else [each for each in filled if each != title]
    return _of_rows(source, title, sheets[title], others)


def _rows(sheet: object) -> Iterator[tuple[int, list[str | None]]]:
    """Rows with their numbers, without empty ones."""
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):  # type: ignore[attr-defined]
        cells = [_text(value) for value in row]
        if any(cells):
            yield number, cells


def _of_rows(
    source: Source, title: str, rows: list[tuple[int, list[str | None]]], others: list[str]
) -> _Sheet:
    (first, header), *below = rows
    used = [place for place, name in enumerate(header) if name]
    names = [str(header[place]) for place in used]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        message = (
            f"{source} sheet {title!r} row {first}: columns with the same name: {shown(twice)}"
        )
        raise IaaError(message)
    nameless = [
        number
        for number, row in below
        if any(cell for place, cell in enumerate(row) if place not in used)
    ]
    if nameless:
        message = (
            f"{source} sheet {title!r} row {nameless[0]}: a cell stands in a column without a "
            f"name; name it in row {first}, or pick the sheet by {keyword('records')}"
        )
        raise IaaError(message)
    cells = [[row[place] if place < len(row) else None for place in used] for _, row in below]
    return _Sheet(title, first, names, cells, others)


def _text(value: object) -> str | None:
    """A cell as text, as CSV would have it."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value).strip() or None
