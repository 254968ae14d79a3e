"""Adjudication sheets: the labels that somebody filled in."""

from __future__ import annotations

import re
from contextlib import ExitStack

import xarray as xr

from iaa_jax._errors import IaaError, shown
from iaa_jax.io.files import listing
from iaa_jax.io.table.cells import BLANK
from iaa_jax.io.table.coded import TextColumn, known_cells
from iaa_jax.io.table.opening import head, table

ITEM, ADJUDICATED = "item", "adjudicated"


def adjudicated_labels(file: str, ratings: xr.Dataset) -> dict[object, str]:
    """The label of each item whose cell in the column ``adjudicated`` is filled in.

    Columns are found by their names, whatever else the sheet has and in whatever order its rows
    stand. An apostrophe before what looks like a formula is not part of the text: the sheet was
    written with it.

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
        by_text = {str(item): item for item in ratings["item"].values.tolist()}
        decided: dict[object, str] = {}
        for row, (item, label) in enumerate(zip(items, labels, strict=True)):
            if label is None:
                continue
            name = by_text.get(str(item), item)
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
    known = [str(cell)[1:] if _GUARDED.match(str(cell)) else str(cell) for cell in cells]
    return [None if code < 0 else known[code] for code in codes.tolist()]


_GUARDED = re.compile(r"'[=+\-@]")
"""What a sheet's text begins with that would else be a formula."""
