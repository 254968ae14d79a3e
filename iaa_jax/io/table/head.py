"""The beginning of a table: its column names and first rows, whatever the format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import pyarrow as pa

from iaa_jax._errors import IaaError
from iaa_jax._types import Integers
from iaa_jax.io.table.coded import TextColumn, coded_cells
from iaa_jax.io.table.json_fields import MOST_COLUMNS
from iaa_jax.wording import Note

MOST_LETTERS = 2_000_000
"""Of the names of all columns, which are looked through for each way to read a table."""

WIDEST = 66  # letters of a row that a message shows

# Told how many rows of how many are read.
Progress = Callable[[int, int], None]


class DeclaredMissing(NamedTuple):
    """How many cells of a column a data set declares missing, and what stands in them."""

    cells: int
    values: list[str]


@dataclass(frozen=True)
class Head:
    """The column names and the first rows of a file."""

    names: list[str]
    rows: list[list[str]]
    delimiter: str = ""
    header_lines: int = 0  # of text: how many stand above the first row
    note: Note | None = None  # what was understood of the file beside its columns
    nameless: bool = False  # columns are named by their number
    cautions: tuple[Note, ...] = ()  # what may be concluded wrongly from the file
    skipped: tuple[Note, ...] = ()  # what of the file is no part of the table
    declared: Mapping[str, DeclaredMissing] = field(default_factory=dict)  # by column

    @cached_property
    def positions(self) -> dict[str, int]:
        """Where each name stands first."""
        return {name: position for position, name in reversed([*enumerate(self.names)])}

    def column(self, name: str) -> tuple[str, ...]:
        """The cells of a column in the rows that fit the names, without blanks around them."""
        return self._columns[self.positions[name]]

    def first_rows(self, count: int = 2) -> str:
        """The first rows for one who is told that they are not understood, each cut to a line.

        Examples
        --------
        >>> Head(["a", "b"], [["1", "x " * 50], ["2", ""]]).first_rows()[-32:]
        "x x x x x x x x x...' and '2 | '"
        """
        rows = [" | ".join(" ".join(cell.split()) for cell in row) for row in self.rows[:count]]
        return " and ".join(
            repr(row if len(row) <= WIDEST else f"{row[: WIDEST - 3]}...") for row in rows
        )

    @cached_property
    def _columns(self) -> list[tuple[str, ...]]:
        width = len(self.names)
        rows = [[cell.strip() for cell in row] for row in self.rows if len(row) == width]
        return list(zip(*rows, strict=True)) if rows else [()] * width


def check_names(source: object, names: Sequence[str]) -> None:
    """Refuse so many columns, or so long names, that they are none of ratings."""
    letters = sum(map(len, names))
    if letters > MOST_LETTERS:
        raise IaaError(
            f"{source} has names of columns with {letters:,} letters in all, and a table of "
            f"ratings at most {MOST_LETTERS:,}: check that its rows end with line breaks, and that "
            "its first line names the columns"
        )
    columns = len(names)
    if columns > MOST_COLUMNS:
        raise IaaError(
            f"{source} has {columns:,} columns, and a table of ratings at most {MOST_COLUMNS:,}: "
            "check that its rows end with line breaks, or write a row for each rating, with the "
            "columns item, annotator and label"
        )


class FileColumns(NamedTuple):
    """Columns of one file.

    Attributes
    ----------
    rows : int
        Their number.
    column
        Gives a column by its name as text, -1 where there is nothing.
    where
        Says where a row stands: file and line or record.
    """

    rows: int
    column: Callable[[str], TextColumn]
    where: Callable[[int], str]


def only(read: FileColumns, kept: Integers) -> FileColumns:
    """Some rows alone."""

    def column(name: str) -> TextColumn:
        """A column of text, without the cells that stand in no row any more."""
        cells = [
            part.cells.take(pa.array(part.codes, mask=part.codes < 0)) for part in read.column(name)
        ]
        return [coded_cells(pa.concat_arrays(cells).take(pa.array(kept)))]

    return FileColumns(len(kept), column, lambda row: read.where(int(kept[row])))
