"""The beginning of a table: its column names and first rows, whatever the format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from iaa_jax.data.assemble import IndexedNames
from iaa_jax.data.labels import Column
from iaa_jax.wording import Note

# Told how many rows of how many are read.
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Head:
    """The column names and the first rows of a file."""

    names: list[str]
    rows: list[list[str]]
    delimiter: str = ""
    note: Note | None = None  # what was understood of the file beside its columns

    @cached_property
    def positions(self) -> dict[str, int]:
        """Where each name stands first."""
        return {name: position for position, name in reversed([*enumerate(self.names)])}


class FileColumns(Protocol):
    """Columns of one file."""

    @property
    def rows(self) -> int:
        """The number of rows."""

    @property
    def tidy(self) -> frozenset[str]:
        """The columns of which it is known that no cell is empty or has blanks around it."""

    def column(self, name: str) -> Column:
        """Give a column by its distinct cells, as text; -1 where there is nothing."""

    def whole(self, name: str) -> IndexedNames | None:
        """Give a column by its distinct numbers, if it is known that all are whole."""

    def where(self, row: int) -> str:
        """Say where a row stands: file and line or record."""
