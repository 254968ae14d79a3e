"""Adjudication sheets: the labels that somebody filled in."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

import xarray as xr

from iaa_jax._cells import for_spreadsheets, without_controls
from iaa_jax._errors import IaaError, shown
from iaa_jax.io.files import listing
from iaa_jax.io.table.cells import BLANK
from iaa_jax.io.table.coded import TextColumn, known_cells
from iaa_jax.io.table.opening import head, kind_of, table

ITEM, ADJUDICATED = "item", "adjudicated"


def adjudicated_labels(file: str, ratings: xr.Dataset) -> dict[object, str]:
    """The label of each item whose cell in the column ``adjudicated`` is filled in.

    Columns are found by their names, whatever else the sheet has and in whatever order its rows
    stand. Items and labels are found as `iaa items` writes them, with an apostrophe in what looks
    like a formula, and else as they are.

    Raises
    ------
    IaaError
        If the sheet lacks one of the two columns, names an item twice with different labels, or has
        no label filled in.
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
        source.wanted = (ITEM, ADJUDICATED)
        names = head(source).names
        missing = [name for name in (ITEM, ADJUDICATED) if name not in names]
        if missing:
            message = (
                f"{source} has no column {shown(missing)}; its columns are {shown(names, 12)}. A "
                "sheet is made by 'iaa items FILE --votes --output sheet.csv', and its column "
                "'adjudicated' filled in"
            )
            raise IaaError(message)
        rows = table(source, (ITEM, ADJUDICATED))
        items, labels = (_texts(rows.column(name)) for name in (ITEM, ADJUDICATED))
        written = for_spreadsheets if kind_of(source) == "delimited" else without_controls
        item_of, label_of = (_by_cell(ratings, axis, written) for axis in ("item", "label"))
        decided: dict[object, str] = {}
        for row, (item, label) in enumerate(zip(items, labels, strict=True)):
            if label is None:
                continue
            name, label = item_of.get(item, item), str(label_of.get(label, label))
            if item is None or decided.setdefault(name, label) != label:
                problem = "no item is named" if item is None else f"{item!r} has two labels"
                message = f"{rows.where(row)}: {problem}; correct the sheet"
                raise IaaError(message)
    if not decided:
        message = f"{file}: no cell of the column {ADJUDICATED!r} is filled in"
        raise IaaError(message)
    return decided


def _texts(column: TextColumn) -> list[str | None]:
    """Cells as text, None where there is nothing."""
    (codes, cells), _ = known_cells(column, BLANK)
    return [None if code < 0 else str(cells[code]) for code in codes.tolist()]


def _by_cell(
    ratings: xr.Dataset, axis: str, written: Callable[[str], str]
) -> dict[str | None, object]:
    """Items or labels by what a sheet says for them; as it is written goes before as it is."""
    names = ratings[axis].values.tolist() if axis in ratings.coords else []
    known: dict[str | None, object] = {str(name): name for name in names}
    return known | {written(str(name)): name for name in names}
