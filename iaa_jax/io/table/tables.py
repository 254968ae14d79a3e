"""Several files of one shape, read as one table that knows where each row stands."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
import pandas as pd

from iaa_jax._errors import IaaError
from iaa_jax._types import Integers
from iaa_jax.data.assemble import IndexedNames, join_ids
from iaa_jax.data.duplicates import ways_of, ways_out
from iaa_jax.data.factorize import Column
from iaa_jax.data.labels import OFFENDERS, Where
from iaa_jax.data.notices.alike import merged_columns
from iaa_jax.io.base import Options
from iaa_jax.io.table.cells import BLANK, Missing, names
from iaa_jax.io.table.coded import TextColumn, item_names, known_cells, text_column
from iaa_jax.io.table.columns import check_columns
from iaa_jax.io.table.head import FileColumns
from iaa_jax.io.table.opening import head, table
from iaa_jax.io.table.source import Source
from iaa_jax.wording import keyword, with_ways
from iaa_jax.wording.formats import counted

OF_ROWS = ("error", "first", "last")
"""What to do where rows repeat that hold the ratings of several annotators."""


class Rows(Protocol):
    """Rows of which each stands somewhere and has cells in columns."""

    def where(self, row: int) -> str:
        """Say where a row stands."""

    def column(self, name: str, missing: Missing) -> Column:
        """Give a column by its distinct cells."""


@dataclass(frozen=True)
class Tables:
    """The rows of all files, one file after the other."""

    sources: Sequence[Source]
    parts: list[FileColumns]
    merge_ids: Sequence[str] = ()

    @property
    def rows(self) -> int:
        """The number of rows in all files."""
        return sum(part.rows for part in self.parts)

    def column(self, name: str, missing: Missing) -> Column:
        """Give a column over all files by its distinct cells."""
        column, gaps = known_cells(self._cells(name), missing)
        self.sources[0].gaps.update(dict.fromkeys(gaps))
        return column

    def items(self, columns: Sequence[str]) -> IndexedNames:
        """Give the item of each row, as one column or several name it together."""
        if len(columns) > 1:
            return join_ids([self.ids(name, BLANK) for name in columns])
        codes, known = item_names(self._cells(columns[0]))
        if self.merge_ids and known.dtype == object:
            codes, known = names(*merged_columns([(codes, known.tolist())], self.merge_ids))
            again, known = item_names(text_column(known.tolist()))
            codes = np.append(again, -1)[codes]
        return codes, known

    def ids(self, name: str, missing: Missing) -> IndexedNames:
        """Give a column of names."""
        return names(*merged_columns([self.column(name, missing)], self.merge_ids))

    def annotators(self) -> Column:
        """Give the annotator of each row, as the names of the files tell."""
        told = [source.annotator or "" for source in self.sources]
        known = list(dict.fromkeys(told))
        codes = np.array([known.index(name) for name in told])
        return codes.repeat([part.rows for part in self.parts]), known

    def _cells(self, name: str) -> TextColumn:
        return [cells for part in self.parts for cells in part.column(name)]

    def where(self, row: int) -> str:
        """Say where a row stands: file and line, or file and record."""
        for part in self.parts:
            if row < part.rows:
                return part.where(row)
            row -= part.rows
        raise IndexError(row)


def read_tables(
    sources: Sequence[Source],
    wanted: Sequence[str],
    named_by: str,
    options: Options,
    keep: Sequence[str] = (),
) -> Tables:
    """Read the wanted columns of all files, and those to keep beside them.

    `named_by` says where the names of the wanted ones come from.
    """
    for source in sources:
        check_columns(source, head(source).names, wanted, named_by)
        check_columns(source, head(source).names, keep)
    columns, progress = [*wanted, *keep], options.progress
    if progress is None or len(sources) == 1:
        parts = [table(source, columns, progress) for source in sources]
        return Tables(sources, parts, options.merge_ids)
    parts = []
    for count, source in enumerate(sources, start=1):
        parts.append(table(source, columns))
        progress(count, len(sources))
    return Tables(sources, parts, options.merge_ids)


def first_of(key: Integers) -> Integers:
    """For each place, the first one with the same key."""
    number, known = pd.factorize(key)
    first = np.empty(len(known), dtype=np.int64)
    first[number[::-1]] = np.arange(len(key))[::-1]  # the last write wins
    return first[number]


def repeats(
    rows: Integers,
    key: Integers,
    how: str,
    describe: tuple[str, str, Where, Where],
    choices: Collection[str] = OF_ROWS,
) -> Integers:
    """Find the rows to leave out so that no key occurs twice; refuse them if `how` is "error".

    `key` belongs to `rows`; `describe` holds what repeats ("rating", "of the same item"), the
    description of a row, and that of where the row stands that it repeats. The refusal names the
    other `choices`.
    """
    keep: Literal["first", "last"] = "last" if how == "last" else "first"
    again = pd.Series(key).duplicated(keep=keep).to_numpy()
    if how not in OF_ROWS and again.any():
        msg = (
            f"{counted(int(again.sum()), 'row')} of items that have several rows, the first at "
            f"{describe[2](int(rows[again][0]))}; rows of a long table alone are sets of labels, "
            f"further annotators or votes: {ways_out(OF_ROWS)}"
        )
        raise IaaError(msg)
    if how == "error" and again.any():
        noun, of_what, described, where = describe
        positions = np.flatnonzero(again)
        names = [
            f"{described(int(rows[k]))} repeats {where(int(rows[np.argmax(key == key[k])]))}"
            for k in positions[:OFFENDERS]
        ]
        more = f"; and {len(positions) - len(names):,} more" if len(positions) > len(names) else ""
        # where most rows repeat, it is hardly by mistake
        several = (
            "if several columns name an item together, give them all, as in "
            f"{keyword('item', 'NAME,NAME')}"
        )
        ways = [several] if 2 * len(positions) > len(rows) else []
        msg = with_ways(
            f"{counted(len(positions), f'repeated {noun}')} {of_what}: {'; '.join(names)}{more}",
            [*ways, *ways_of(choices)],
        )
        raise IaaError(msg)
    return rows[again]
