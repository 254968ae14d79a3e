"""Reads the cells of a workbook (.xlsx), sheet by sheet.

The sizes stated in a file are not trusted: only existing cells are kept.
"""

from __future__ import annotations

import datetime
import io
import re
import warnings
import zipfile
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from iaa_jax._errors import IaaError, brief
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.unpacking import check_whole

MOST_CELLS = 1 << 24  # maximum number of cells of a sheet: 16 columns of maximum length

MOST_SHEETS = 500  # maximum number of sheets

_LONG, _DENSEST = 1 << 26, 100
"""A part of more than `_LONG` bytes must not be packed to less than 1% of its size."""

_LONG_SHEET = 1 << 20
"""Empty cells of sheets with more bytes than this are removed."""

_SHEET = re.compile(rb"<(?:\w+:)?sheet\b")
_EMPTY_CELL = re.compile(rb"<c\b[^<>]*(?:/>|></c>)")
_EMPTY_ROW = re.compile(rb"<row\b[^<>]*(?:/>|>\s*</row>)")

Made = TypeVar("Made")

Rows = dict[int, dict[int, str]]
"""Texts of cells by row and column, from 1."""


@dataclass
class Sheet:
    """A sheet with its content as stored in the file.

    Attributes
    ----------
    rows : dict
        The filled cells by row and column, sorted by row even if the file is not.
    merged : list
        The merged cells, as openpyxl represents them.
    without_value : dict
        Cells with an error, or with a formula that has no stored value, by column.
    """

    title: str
    rows: Rows
    merged: list[Any] = field(default_factory=list)
    without_value: dict[int, list[int]] = field(default_factory=dict)

    def names_in(self, row: int) -> dict[int, str]:
        """Return texts of a row by column, including merged cells that extend down to it."""
        names = dict(self.rows[row])
        for block in self.merged:
            above = self.rows.get(block.min_row, {})
            if block.min_row < row <= block.max_row and block.min_col in above:
                names.setdefault(block.min_col, above[block.min_col])
        return names

    def fill(self, source: Source, first: int, columns: Sequence[int]) -> int:
        """Fill merged cells below a row in some columns; return the number of filled cells.

        Rows that have only merged cells stay empty.
        """
        numbers = [number for number in self.rows if number > first]
        filled = 0
        for block in self.merged:
            top, left = block.min_row, block.min_col
            value = self.rows.get(top, {}).get(left)
            places = columns[bisect_left(columns, left) : bisect_right(columns, block.max_col)]
            below = slice(bisect_left(numbers, top), bisect_right(numbers, block.max_row))
            if value is None or not places or top <= first:
                continue
            if filled + (below.stop - below.start) * len(places) > MOST_CELLS:
                self._refuse_size(source, "merged cells")
            for number in numbers[below]:
                row = self.rows[number]
                for place in places:
                    if (number, place) == (top, left):
                        continue
                    if row.get(place, value) != value:
                        raise IaaError(
                            f"{source} sheet {self.title!r} row {number}: {brief(row[place])} "
                            f"is below a merged cell that shows {brief(value)}; split the "
                            "merged cells, and fill in the value of each"
                        )
                    filled += place not in row
                    row[place] = value
        return filled

    def _refuse_size(self, source: Source, what: str) -> None:
        raise IaaError(
            f"{source} sheet {self.title!r} has more than {MOST_CELLS:,} {what}; delete rows and "
            "columns that hold no ratings, or save the sheet as CSV"
        )


class Workbook:
    """The sheets of a file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        from openpyxl import load_workbook

        data = source.raw()

        def load() -> Any:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                check_whole(archive, io.BytesIO(data))
                # openpyxl unpacks no more than the stated sizes
                source.take(sum(entry.file_size for entry in archive.infolist()))
                for entry in archive.infolist():
                    _refuse_repeated(source, entry)
                _refuse_many(source, archive)
                lean = _without_empty(archive)
            return load_workbook(lean or io.BytesIO(data), read_only=True, data_only=True)

        self._book = self._guarded(load)
        self._sheets = {str(sheet.title): sheet for sheet in self._book.worksheets}

    @property
    def titles(self) -> list[str]:
        """The names of all sheets."""
        return list(self._sheets)

    @property
    def visible(self) -> list[str]:
        """Names of the visible sheets; of all if none is visible."""
        shown = [title for title, s in self._sheets.items() if s.sheet_state == "visible"]
        return shown or self.titles

    def sheet(self, title: str) -> Sheet:
        """Read a sheet."""
        return self._guarded(lambda: self._read(title))

    def _guarded(self, make: Callable[[], Made]) -> Made:
        try:
            # openpyxl warns of parts that it cannot write
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return make()
        except IaaError:
            raise
        except Exception as error:
            reason = next(iter(str(error).splitlines()), "") or type(error).__name__
            raise IaaError(
                f"{self.source} cannot be read as a spreadsheet: {reason[:200]}; if it opens "
                "elsewhere, save it again, or as CSV"
            ) from None

    def _read(self, title: str) -> Sheet:
        sheet, raw = Sheet(title, {}), self._sheets[title]
        count = 0
        with raw._get_source() as file:
            parser = _parser(file, raw)
            for cell in _cells(parser):
                place, column = cell["row"], cell["column"]
                if cell.get("without_value"):
                    sheet.without_value.setdefault(column, []).append(place)
                text = _text(cell["value"])
                if text is None:
                    continue
                count += 1
                if count > MOST_CELLS:
                    sheet._refuse_size(self.source, "cells")
                if sheet.rows.setdefault(place, {}).setdefault(column, text) is not text:
                    raise IaaError(
                        f"{self.source} sheet {title!r} row {place}: a cell occurs there twice; "
                        "open the file in a spreadsheet program and save it again"
                    )
            if parser.merged_cells is not None:
                sheet.merged = parser.merged_cells.mergeCell
        sheet.rows = dict(sorted(sheet.rows.items()))
        return sheet


def opened(source: Source) -> Workbook:
    """Return the workbook of a file."""
    return source.once("workbook", lambda: Workbook(source))


def _refuse_many(source: Source, archive: zipfile.ZipFile) -> None:
    listed = [name for name in archive.namelist() if name.endswith("/workbook.xml")]
    sheets = sum(len(_SHEET.findall(archive.read(name))) for name in listed)
    if sheets > MOST_SHEETS:
        raise IaaError(
            f"{source} has {sheets:,} sheets, and at most {MOST_SHEETS} are read: leave the others "
            "out, or save the one with the ratings as CSV"
        )


def _refuse_repeated(source: Source, entry: zipfile.ZipInfo) -> None:
    """Refuse a highly repetitive member."""
    if entry.file_size > max(_LONG, _DENSEST * entry.compress_size):
        size = entry.file_size / 1e6
        raise IaaError(
            f"{source}: {entry.filename} has {size:,.0f} MB in {entry.compress_size / 1e6:.1f} MB, "
            "so that most of it repeats itself; delete the rows and columns that hold no ratings, "
            "or save the sheet as CSV"
        )


def _without_empty(archive: zipfile.ZipFile) -> io.BytesIO | None:
    """Return the file without cells and rows that only have a format; None if no sheet is long.

    A sheet is unchanged if its positions follow from the order of cells.
    """
    if not any(_is_long_sheet(entry) for entry in archive.infolist()):
        return None
    lean = io.BytesIO()
    with zipfile.ZipFile(lean, "w") as copy:
        for entry in archive.infolist():
            data = archive.read(entry)
            if _is_long_sheet(entry) and b"<!" not in data and _all_placed(data):
                data = _EMPTY_ROW.sub(b"", _EMPTY_CELL.sub(b"", data))
            copy.writestr(entry.filename, data)
    lean.seek(0)
    return lean


def _is_long_sheet(entry: zipfile.ZipInfo) -> bool:
    return entry.filename.startswith("xl/worksheets/") and entry.file_size > _LONG_SHEET


def _all_placed(xml: bytes) -> bool:
    return all(
        len(re.findall(rb"<%s\b" % name, xml)) == len(re.findall(rb'<%s\b[^<>]*\br="' % name, xml))
        for name in (b"row", b"c")
    )


def _parser(file: object, sheet: Any) -> Any:
    """Return openpyxl's parser of a sheet, which also reports cells without a value."""
    from openpyxl.worksheet._reader import FORMULA_TAG, WorkSheetParser

    class Parser(WorkSheetParser):  # type: ignore[misc]
        def parse_cell(self, element: Any) -> dict[str, Any]:
            cell: dict[str, Any] = super().parse_cell(element)
            if cell["data_type"] == "e":
                cell |= {"value": None, "without_value": True}
            elif cell["value"] is None and element.get("t") != "str":
                # a formula with an empty text as its result is marked as text
                cell["without_value"] = element.find(FORMULA_TAG) is not None
            return cell

    book = sheet.parent
    return Parser(
        file,
        sheet._shared_strings,
        data_only=True,
        epoch=book.epoch,
        date_formats=book._date_formats,
        timedelta_formats=book._timedelta_formats,
    )


def _cells(parser: Any) -> Iterator[dict[str, Any]]:
    for _, row in parser.parse():
        yield from row


def _text(value: object) -> str | None:
    """Return a cell as the text that CSV would have."""
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
