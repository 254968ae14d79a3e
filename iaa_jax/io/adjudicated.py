"""Adjudication sheets: the labels filled in, whatever a spreadsheet did to the rest."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from contextlib import ExitStack
from typing import NamedTuple

import xarray as xr

from iaa_jax._cells import for_spreadsheets, without_controls
from iaa_jax._errors import IaaError, shown
from iaa_jax.io.files import listing
from iaa_jax.io.sheet_names import SheetNames, UnknownNameError
from iaa_jax.io.table.cells import BLANK
from iaa_jax.io.table.coded import TextColumn, known_cells
from iaa_jax.io.table.head import FileColumns
from iaa_jax.io.table.opening import head, kind_of, table
from iaa_jax.io.table.source import Source
from iaa_jax.wording import keyword

ITEM, ADJUDICATED = "item", "adjudicated"


class Adjudicated(NamedTuple):
    """What a sheet decides: a label by item, and cells that were taken for other spellings."""

    labels: dict[object, str]
    respelled: dict[str, str]


def adjudicated_labels(file: str, ratings: xr.Dataset) -> Adjudicated:
    """The label of each item whose cell in the column ``adjudicated`` is filled in.

    Columns are found by their names, whatever else the sheet has and in whatever order its rows
    stand. Items and labels are found as the sheet spells them, with an apostrophe in what looks
    like a formula, and as they are; else by what a spreadsheet program leaves of them: in other
    letters, with other blanks, as numbers with a point. No cell is taken for either of two names.

    Raises
    ------
    IaaError
        If the sheet lacks one of the two columns, names an item twice with different labels, has a
        cell that is no item or label, or no label filled in.
    """
    with ExitStack() as stack:
        files = listing(
            [file],
            stack,
            file_pattern=None,
            encoding=None,
            records=None,
            max_megabytes=1000,
            header_line=None,
        ).files
        if len(files) != 1:
            message = f"{file} is a folder or an archive: name the sheet itself"
            raise IaaError(message)
        (source,) = files
        names = head(source).names
        columns = [_column(names, name) for name in (ITEM, ADJUDICATED)]
        found = [name for name in columns if name is not None]
        if len(found) < len(columns):
            missing = [n for n, c in zip((ITEM, ADJUDICATED), columns, strict=True) if c is None]
            message = (
                f"{source} has no column {shown(missing)}; its columns are {shown(names, 12)}. A "
                "sheet is made by 'iaa gold FILE --output sheet.csv' (or .xlsx), and its column "
                "'adjudicated' filled in"
            )
            raise IaaError(message)
        decided = _decided(source, table(source, found), found, ratings)
    if not decided.labels:
        message = f"{file}: no cell of the column {ADJUDICATED!r} is filled in"
        raise IaaError(message)
    return decided


def _decided(
    source: Source, rows: FileColumns, columns: Sequence[str], ratings: xr.Dataset
) -> Adjudicated:
    """The filled rows of a sheet; all cells that are wrong are counted, and the first is named."""
    items, labels = (_texts(rows.column(name)) for name in columns)
    written = for_spreadsheets if kind_of(source) == "delimited" else without_controls
    item_of, label_of = (
        SheetNames(ratings[axis].values.tolist() if axis in ratings.coords else [], written)
        for axis in ("item", "label")
    )
    decided: dict[object, str] = {}
    wrong: list[str] = []
    for row, (item, label) in enumerate(zip(items, labels, strict=True)):
        if label is None:
            continue
        where = rows.where(row)
        if item is None:
            wrong.append(f"{where}: no item is named")
            continue
        try:
            name = item_of.find(item)
        except UnknownNameError as error:
            wrong.append(f"{where}, column {columns[0]!r}: no item of the ratings is {error}")
            continue
        try:
            chosen = str(label_of.find(label))
        except UnknownNameError as error:
            declared = _listed([*map(str, label_of.names), label])
            ways = f"; if it is a new label, declare all: {keyword('labels', declared)}"
            wrong.append(
                f"{where}, column {columns[1]!r}: no label of the ratings is {error}"
                f"{'' if error.ambiguous else ways}"
            )
            continue
        if decided.setdefault(name, chosen) != chosen:
            wrong.append(f"{where}: {item!r} has two labels, {decided[name]!r} and {chosen!r}")
    if wrong:
        more = f" (so are {len(wrong) - 1} more rows)" if len(wrong) > 2 else ""
        more = " (so is one more row)" if len(wrong) == 2 else more
        message = f"{wrong[0]}; correct the sheet{more}"
        raise IaaError(message)
    return Adjudicated(decided, item_of.respelled | label_of.respelled)


def _column(names: Sequence[str], wanted: str) -> str | None:
    """The column with a name, or the one that has it in other letters or between blanks."""
    if wanted in names:
        return wanted
    alike = [name for name in names if name.strip().casefold() == wanted]
    return alike[0] if len(alike) == 1 else None


def _listed(labels: Sequence[str]) -> str:
    """Labels as an option takes them: one with a comma stands in quotes."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(labels)
    return line.getvalue()


def _texts(column: TextColumn) -> list[str | None]:
    """Cells as text, None where there is nothing."""
    (codes, cells), _ = known_cells(column, BLANK)
    return [None if code < 0 else str(cells[code]) for code in codes.tolist()]
