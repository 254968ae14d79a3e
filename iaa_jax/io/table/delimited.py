"""Delimited text (CSV, TSV and their kin): the head of a file, and its columns as text."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.labels import plural
from iaa_jax.io.table.content import SAMPLE, content, records, rows

DELIMITERS = ",;\t|"
PACKED = {".gz", ".bz2", ".xz"}
SPOKEN = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}


@dataclass(frozen=True)
class Head:
    """The column names and the first rows of a file."""

    names: list[str]
    rows: list[list[str]]
    delimiter: str


@dataclass(frozen=True)
class Table:
    """Columns of one file as arrays of text, and the means to say where a row stands."""

    path: Path
    columns: dict[str, NDArray[Any]]
    rows: int
    data: bytes
    delimiter: str

    @cached_property
    def lines(self) -> NDArray[np.int64]:
        """The line of the file on which each row begins."""
        return records(self.data, self.delimiter).lines[1:]


def head(path: Path) -> Head:
    """Read the column names and the first rows.

    Raises
    ------
    IaaError
        If the file cannot be read as text, is empty, has a single column or no rows, or names
        two columns alike.
    """
    data = content(path, SAMPLE)
    delimiter = _delimiter(path, data)
    found = [row for _, row in rows(data, delimiter)]
    if not found:
        msg = f"{path} is empty: it has no header and no rows"
        raise IaaError(msg)
    names = _names(path, found[0])
    if len(found) == 1 and len(records(content(path), delimiter).cells) == 1:
        msg = f"{path} has a header but no rows"
        raise IaaError(msg)
    return Head(names, found[1:], delimiter)


def table(path: Path, wanted: Sequence[str]) -> Table:
    """Read some columns of a whole file as text.

    Raises
    ------
    IaaError
        As for `head`, and if a row has more or fewer cells than the header.
    """
    start = head(path)
    names, delimiter = start.names, start.delimiter
    data = content(path)
    found = records(data, delimiter)
    ragged = np.flatnonzero(found.cells != len(names))
    if ragged.size:
        _refuse_ragged(path, found.cells[ragged], found.lines[ragged], len(names), delimiter)
    places = [names.index(name) for name in dict.fromkeys(wanted)]
    try:
        frame = pd.read_csv(
            io.BytesIO(data),
            sep=delimiter,
            header=0,
            names=list(range(len(names))),
            usecols=places,
            dtype=object,
            na_filter=False,
            engine="c",
            low_memory=False,
        )
    except pd.errors.ParserError:
        frame = None
    if frame is None or len(frame) != len(found.cells) - 1:
        msg = (
            f"{path} cannot be split into rows: a quoted cell is not closed, perhaps the one "
            f"that begins on line {found.lines[-1]}; check the quotation marks"
        )
        raise IaaError(msg)
    columns = {names[place]: frame[place].to_numpy() for place in places}
    return Table(path, columns, len(frame), data, delimiter)


def _delimiter(path: Path, data: bytes) -> str:
    """Choose the character that cuts most of the first rows as it cuts the header."""
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() not in PACKED]
    if suffixes and suffixes[-1] in (".tsv", ".tab"):
        return "\t"
    best, score = ",", (0.0, 0)
    for delimiter in DELIMITERS:
        widths = [len(row) for _, row in rows(data, delimiter)]
        if widths and widths[0] > 1:
            alike = sum(width == widths[0] for width in widths) / len(widths)
            if (alike, widths[0]) > score:
                best, score = delimiter, (alike, widths[0])
    return best


def _names(path: Path, header: list[str]) -> list[str]:
    if len(header) == 1:
        msg = (
            f"{path} has a single column, {header[0]!r}: its cells must be separated by one of "
            f"{', '.join(SPOKEN.values())}"
        )
        raise IaaError(msg)
    names = [name.strip() or f"column {k}" for k, name in enumerate(header, start=1)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        msg = f"{path} line 1: {plural(len(twice), 'column name')} not unique: {shown(twice)}"
        raise IaaError(msg)
    return names


def _refuse_ragged(
    path: Path,
    cells: NDArray[np.int64],
    lines: NDArray[np.int64],
    width: int,
    delimiter: str,
) -> None:
    further = lines[1:].tolist()
    more = f", and {plural(len(further), 'further row')} (line {shown(further)})" if further else ""
    msg = (
        f"{path} line {lines[0]}: {plural(int(cells[0]), 'cell')} where the header names "
        f"{width} columns{more}; they are separated by {SPOKEN[delimiter]}; "
        "put cells that contain the separator in quotes"
    )
    raise IaaError(msg)
