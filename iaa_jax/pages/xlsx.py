"""Tables as a workbook with one sheet per table; texts are never executed as formulas.

The sheet that people fill in comes first, except in a report. In its cells, labels are offered as a
list; if a cell may hold several labels, a message explains this instead.
"""

from __future__ import annotations

import io
import tempfile
from errno import EIO
from typing import TYPE_CHECKING

import numpy as np

from iaa_jax._cells import without_controls
from iaa_jax.pages.blocks import Table
from iaa_jax.pages.content import PageContent
from iaa_jax.pages.csv import ENDS, file_columns, table_of

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet


_LONGEST_TITLE = 31
_WIDEST = 60
_TWO_DIGITS = "0.00"
_ROUNDED = ("estimate", "share", "interval", "share_interval", "signed", "probability")
"""Kinds of numbers that are shown rounded and stored in full."""
_CHOICES = "choices"
"""Name of the sheet that lists the labels to choose from.

The rule that checks a cell refers to this sheet, because it may list no more than 255 letters.
"""


def workbook_of(page: PageContent, only: str | None = None) -> bytes:
    """Return all tables of a page as a workbook.

    If ``only`` names the sheet to fill in, the workbook has only this sheet and the first table of
    the page. A text that looks like a formula is stored as text, and is not executed.
    """
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    tables = page.tables if page.sections else sorted(page.tables, key=_is_no_sheet)
    if only is not None and table_of(page, only).to_fill_in is not None:
        tables = [table_of(page, only), *page.tables[:1]]
    for table in tables:
        sheet = book.create_sheet(table.id[:_LONGEST_TITLE])
        _fill(sheet, table)
        _offer(book, sheet, table)
    if not page.tables:
        book.create_sheet("page")
    content = io.BytesIO()
    try:
        book.save(content)
    except Exception as error:
        if type(error).__name__ != "SerialisationError":  # from lxml, if openpyxl writes with it
            raise
        raise OSError(EIO, f"a temporary file: {error}", tempfile.gettempdir()) from None
    return content.getvalue()


def _is_no_sheet(table: Table) -> bool:
    return table.to_fill_in is None


def _fill(sheet: Worksheet, table: Table) -> None:
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    ends = {f"{column.key}_{end}" for column in table.columns for end in ENDS}
    rounded = {column.key for column in table.columns if column.kind in _ROUNDED} | ends
    sheet_column = table.to_fill_in
    names = {column.key for column in table.columns if sheet_column and column.kind == "label"}
    for number, (name, values) in enumerate(file_columns(table), 1):
        most, to_fill_in = _WIDEST, sheet_column is not None and name == sheet_column.key
        if name in names:  # narrow, so that the people who decide see all columns together
            most = _WIDEST // 2
        width = max(map(len, sheet_column.choices)) if sheet_column and to_fill_in else 0
        for row, value in enumerate((name, *values), 1):
            cell = sheet.cell(row, number)
            shown = _value(value)
            cell.value = shown
            text = isinstance(shown, str)
            if text:
                cell.data_type = "s"
            wide = to_fill_in or (text and len(str(shown)) > most)
            if isinstance(shown, float) and name in rounded:
                cell.number_format = _TWO_DIGITS
                shown = f"{shown:.2f}"
            cell.alignment = Alignment(vertical="top", wrap_text=wide)
            width = max(width, len(str(shown or "")))
        sheet.cell(1, number).font = Font(bold=True)
        sheet.column_dimensions[get_column_letter(number)].width = min(width, most) + 2
    sheet.freeze_panes = "A2" if _is_no_sheet(table) else "B2"  # the names of rows stay in sight
    sheet.auto_filter.ref = sheet.dimensions


def _offer(book: Workbook, sheet: Worksheet, table: Table) -> None:
    """Offer lists of choices in the cells to fill in; other entries need confirmation."""
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    column = table.to_fill_in
    if column is None or not table.rows:
        return
    lists = book[_CHOICES] if _CHOICES in book else book.create_sheet(_CHOICES)
    lists.sheet_state = "visible" if column.several else "hidden"
    source = get_column_letter(1 if lists["A1"].value is None else lists.max_column + 1)
    for row, value in enumerate((column.key, *column.choices), 1):
        cell = lists[f"{source}{row}"]
        cell.value, cell.data_type = without_controls(value), "s"
    last = len(column.choices) + 1
    if column.several:
        lists.column_dimensions[source].width = _WIDEST
        rule = DataValidation(
            showInputMessage=True,
            promptTitle=column.key,
            prompt=f"Separate several labels with semicolons. The sheet {_CHOICES!r} lists all.",
        )
    else:
        rule = DataValidation(
            "list",
            formula1=f"{_CHOICES}!${source}$2:${source}${last}",
            allow_blank=True,
            showErrorMessage=True,
            errorStyle="warning",
        )
    keys = [name for name, _ in file_columns(table)]
    letter = get_column_letter(keys.index(column.key) + 1)
    rule.add(f"{letter}2:{letter}{table.rows + 1}")
    sheet.add_data_validation(rule)


def _value(value: object) -> object:
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or value != value:
        return None
    if isinstance(value, float) and np.isinf(value):
        return str(value)
    if isinstance(value, bool | int | float):
        return value
    return without_controls(str(value))
