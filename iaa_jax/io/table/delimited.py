"""Delimited text (CSV, TSV and their kin): the head of a file, and its columns as text."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.assemble import IndexedNames
from iaa_jax.data.labels import Column, plural
from iaa_jax.io.table.content import SAMPLE, records, rows
from iaa_jax.io.table.head import Head, Progress
from iaa_jax.io.table.quick import Shape, quick_columns
from iaa_jax.io.table.source import Source

DELIMITERS = ",;\t|"
SPOKEN = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
CHUNK = 1_000_000  # rows that are read at a time


@dataclass(frozen=True)
class DelimitedTable:
    """Columns of one file, and the means to say where a row stands."""

    source: Source
    columns: dict[str, Column]
    rows: int
    delimiter: str
    numbers: dict[str, IndexedNames] = field(default_factory=dict)  # in place of text
    tidy: frozenset[str] = frozenset()  # columns that surely have no blanks around cells

    def column(self, name: str) -> Column:
        """Give a column by its distinct cells."""
        if name not in self.numbers:
            return self.columns[name]
        codes, numbers = self.numbers[name]
        return codes, list(map(str, numbers.tolist()))

    def whole(self, name: str) -> IndexedNames | None:
        """Give a column by its distinct numbers, if it is known that all are whole."""
        return self.numbers.get(name)

    def where(self, row: int) -> str:
        """Say where a row stands."""
        return f"{self.source} line {self.lines[row]}"

    @cached_property
    def lines(self) -> NDArray[np.int64]:
        """The line of the file on which each row begins."""
        return records(self.source.content(), self.delimiter).lines[1:]


def head(source: Source) -> Head:
    """Read the column names and the first rows.

    Raises
    ------
    IaaError
        If the file cannot be read as text, is empty, or has a single column or no rows.
    """
    data = source.content(SAMPLE)
    delimiter, first_rows = _delimiter(source, data)
    if not first_rows:
        msg = f"{source} is empty: it has no header and no rows"
        raise IaaError(msg)
    names = _names(source, first_rows[0])
    if len(first_rows) == 1 and len(records(source.content(), delimiter).cells) == 1:
        msg = f"{source} has a header but no rows"
        raise IaaError(msg)
    return Head(names, first_rows[1:], delimiter)


def table(
    source: Source, wanted: Sequence[str], progress: Progress | None = None
) -> DelimitedTable:
    """Read some columns of a whole file as text.

    Raises
    ------
    IaaError
        As for `head`, and if a row has more or fewer cells than the header.
    """
    start = source.once("head", lambda: head(source))
    names, delimiter = start.names, start.delimiter
    positions = [names.index(name) for name in wanted]
    quick = quick_columns(source, Shape(delimiter, len(names), positions), progress)
    if quick is not None:
        columns = {names[position]: cells for position, cells in quick.columns.items()}
        numbers = {names[position]: cells for position, cells in quick.numbers.items()}
        tidy = frozenset(names[position] for position in quick.tidy)
        return DelimitedTable(source, columns, quick.rows, delimiter, numbers, tidy)
    total, parts = _columns(source, source.content(), start, positions, progress)
    columns = {names[position]: stack_columns(cells) for position, cells in parts.items()}
    return DelimitedTable(source, columns, total, delimiter)


def _columns(
    source: Source, data: bytes, start: Head, positions: Sequence[int], progress: Progress | None
) -> tuple[int, dict[int, list[Column]]]:
    """Count the rows of any text, refuse those that do not fit, and split it by pandas."""
    delimiter, width = start.delimiter, len(start.names)
    layout = records(data, delimiter)
    ragged = np.flatnonzero(layout.cells != width)
    if ragged.size:
        _refuse_ragged(source, layout.cells[ragged], layout.lines[ragged], width, delimiter)
    total = len(layout.cells) - 1
    done = 0
    parts: dict[int, list[Column]] = {position: [] for position in positions}
    try:
        with pd.read_csv(
            io.BytesIO(data),
            sep=delimiter,
            header=0,
            names=list(range(width)),
            usecols=list(positions),
            dtype=object,
            na_filter=False,
            engine="c",
            low_memory=False,
            chunksize=CHUNK,
        ) as chunks:
            for chunk in chunks:
                for position, columns in parts.items():
                    codes, distinct = pd.factorize(chunk[position].to_numpy())
                    columns.append((codes, distinct.tolist()))
                done += len(chunk)
                if progress is not None:
                    progress(done, total)
    except pd.errors.ParserError:
        done = -1
    if done != total:
        msg = (
            f"{source} cannot be split into rows: a quoted cell is not closed, perhaps the one "
            f"that begins on line {layout.lines[-1]}; check the quotation marks"
        )
        raise IaaError(msg)
    return total, parts


def stack_columns(parts: Sequence[Column]) -> Column:
    """Put indexed columns one under the other."""
    if len(parts) == 1:
        return parts[0]
    cells = np.array([cell for _, distinct in parts for cell in distinct], dtype=object)
    joint, distinct = pd.factorize(cells)
    codes, start = [], 0
    for index, cells_of_part in parts:
        lookup = np.append(joint[start : start + len(cells_of_part)], -1)
        codes.append(lookup[index])
        start += len(cells_of_part)
    return np.concatenate(codes) if codes else np.empty(0, dtype=np.int64), distinct.tolist()


def _delimiter(source: Source, data: bytes) -> tuple[str, list[list[str]]]:
    """Choose the character that cuts most of the first rows as it cuts the header; give the rows.

    Only what cuts the header is tried: that is one character, for most files.
    """
    if source.suffix in (".tsv", ".tab"):
        return "\t", _rows(data, "\t")
    best, best_rows, score = ",", None, (0.0, 0)
    for delimiter in DELIMITERS:
        header = next(rows(data, delimiter), None)
        if header is None or len(header[1]) == 1:
            continue
        cut = _rows(data, delimiter)
        width = len(cut[0])
        regular = sum(len(row) == width for row in cut) / len(cut)
        if (regular, width) > score:
            best, best_rows, score = delimiter, cut, (regular, width)
    return best, _rows(data, best) if best_rows is None else best_rows


def _rows(data: bytes, delimiter: str) -> list[list[str]]:
    return [row for _, row in rows(data, delimiter)]


def _names(source: Source, header: list[str]) -> list[str]:
    if len(header) == 1:
        msg = (
            f"{source} has a single column, {header[0]!r}: its cells must be separated by one of "
            f"{', '.join(SPOKEN.values())}"
        )
        raise IaaError(msg)
    return [name.strip() or f"column {k}" for k, name in enumerate(header, start=1)]


def _refuse_ragged(
    source: Source, cells: NDArray[np.int64], lines: NDArray[np.int64], width: int, delimiter: str
) -> None:
    rest = lines[1:].tolist()
    more = f", and {plural(len(rest), 'further row')} (line {shown(rest)})" if rest else ""
    msg = (
        f"{source} line {lines[0]}: {plural(int(cells[0]), 'cell')} where the header names "
        f"{width} columns{more}; they are separated by {SPOKEN[delimiter]}; "
        "put cells that contain the separator in quotes"
    )
    raise IaaError(msg)
