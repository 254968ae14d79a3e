"""The column names and first rows of a table."""

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
"""Maximum total length of column names."""

WIDEST = 66  # maximum length of a row in a message

# Called with how much was read (rows, bytes or files), and the total.
Progress = Callable[[int, int], None]


class DeclaredMissing(NamedTuple):
    """The number of cells of a column that a data set declares missing, and their values."""

    cells: int
    values: list[str]


@dataclass(frozen=True)
class Head:
    """The column names and the first rows of a file."""

    names: list[str]
    rows: list[list[str]]
    delimiter: str = ""
    header_lines: int = 0  # number of text lines above the first row
    note: Note | None = None  # note on the file itself
    nameless: bool = False  # whether columns are named by number
    cautions: tuple[Note, ...] = ()  # notes on what may have been misread
    skipped: tuple[Note, ...] = ()  # notes on parts of the file outside the table
    declared: Mapping[str, DeclaredMissing] = field(default_factory=dict)  # by column

    @cached_property
    def positions(self) -> dict[str, int]:
        """The first index of each name."""
        return {name: position for position, name in reversed([*enumerate(self.names)])}

    def column(self, name: str) -> tuple[str, ...]:
        """Return the cells of a column without surrounding blanks, from rows of the right width."""
        return self._columns[self.positions[name]]

    def first_rows(self, count: int = 2) -> str:
        """Return the first rows for a message, each shortened to a line.

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
    """Refuse column names that are too many or too long for a table of ratings."""
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
    column
        Returns a column of text by its name; the code of an empty cell is -1.
    where
        Returns the location of a row: file, and line or record.
    """

    rows: int
    column: Callable[[str], TextColumn]
    where: Callable[[int], str]


def only(read: FileColumns, kept: Integers) -> FileColumns:
    """Return the columns with only the rows of ``kept``."""

    def column(name: str) -> TextColumn:
        cells = [
            part.cells.take(pa.array(part.codes, mask=part.codes < 0)) for part in read.column(name)
        ]
        return [coded_cells(pa.concat_arrays(cells).take(pa.array(kept)))]

    return FileColumns(len(kept), column, lambda row: read.where(int(kept[row])))
