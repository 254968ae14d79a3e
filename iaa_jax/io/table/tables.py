"""Reads several files with the same columns as one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, OptionError, RepeatedError
from iaa_jax._types import Integers
from iaa_jax.data.assemble import IndexedNames, join_ids
from iaa_jax.data.duplicates import DistinguishingColumn, ways_of, ways_out
from iaa_jax.data.factorize import Column
from iaa_jax.data.labels import OFFENDERS, Label, Where
from iaa_jax.data.notices.similar import merged_columns
from iaa_jax.io.base import Options
from iaa_jax.io.table.cells import BLANK, Missing, merge_columns, names
from iaa_jax.io.table.coded import (
    TextColumn,
    item_names,
    known_cells,
    rows_of,
    spelt_with_blanks,
    text_column,
)
from iaa_jax.io.table.columns import check_columns
from iaa_jax.io.table.directions import in_one_order
from iaa_jax.io.table.excluding import nothing_left
from iaa_jax.io.table.head import FileColumns, only
from iaa_jax.io.table.opening import head, table
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.states import may_hold_states
from iaa_jax.wording import Note, keyword, with_ways
from iaa_jax.wording.formats import counted

TOGETHER = 1 << 16  # maximum number of cells that are coded together
FEWEST = 2  # a row may be a repeated header if it has at least this many column names
OF_ROWS = ("error", "first", "last")
"""Values of ``duplicates`` for repeated rows that hold ratings of several annotators."""


@dataclass(frozen=True)
class Tables:
    """The rows of all files, one file after the other."""

    sources: Sequence[Source]
    parts: list[FileColumns]
    merge_ids: Sequence[str] = ()
    of_names: int = 0  # number of rows that repeat the column names
    states: Sequence[str] = ()  # columns that may mark ratings as rejected
    unordered: bool = False  # whether the order of an item's names is disregarded
    wanted: Sequence[str] = ()  # columns of items, annotators and ratings
    kept: Sequence[str] = ()  # further columns that the caller keeps

    @property
    def rows(self) -> int:
        """The number of rows in all files."""
        return sum(part.rows for part in self.parts)

    @property
    def notes(self) -> list[Note]:
        """A note on left-out rows that repeat the column names."""
        return [Note("skipped_rows_of_names", {"rows": self.of_names})] if self.of_names else []

    def column(self, name: str, missing: Missing) -> Column:
        """Return a column over all files."""
        codes, cells = self._numbered([name], missing)
        return codes.ravel(), cells

    def grid(self, columns: Sequence[str], missing: Missing) -> tuple[Integers, list[Label]]:
        """Return columns as a grid of codes, and their distinct cells.

        Short columns are coded together to save time.
        """
        together = max(1, TOGETHER // max(1, self.rows))
        blocks = [columns[k : k + together] for k in range(0, len(columns), together)]
        return merge_columns([self._numbered(names, missing) for names in blocks])

    def trimmed(self, columns: Sequence[str], missing: Missing) -> list[Note]:
        """Return a note on labels with blanks around them in some cells."""
        spelt = spelt_with_blanks(part.column(name) for name in columns for part in self.parts)
        rows = {label: times for label, times in spelt.items() if label not in missing}
        values = {"ratings": sum(rows.values()), "labels": [*rows]}
        return [Note("read_trimmed", values)] if rows else []

    def _numbered(self, columns: Sequence[str], missing: Missing) -> Column:
        cells = [part for name in columns for part in self._cells(name)]
        (codes, known), gaps = known_cells(cells, missing)
        self.sources[0].gaps.update(dict.fromkeys(gaps))
        for source in self.sources:
            source.used.update(dict.fromkeys(columns))
        return np.asarray(codes).reshape(len(columns), -1).T, known

    def items(self, columns: Sequence[str]) -> IndexedNames:
        """Return the item of each row, named by one column or several together."""
        if self.unordered and len(columns) < 2:
            raise OptionError(
                f"{keyword('unordered', True)} is for items that several columns name: give them "
                f"all, as in {keyword('item', 'NAME,NAME')}"
            )
        if len(columns) > 1:
            ids = [self.ids(name, BLANK) for name in columns]
            return join_ids(in_one_order(ids) if self.unordered else ids)
        codes, known = item_names(self._cells(columns[0]))
        if self.merge_ids and known.dtype == object:
            codes, known = names(*merged_columns([(codes, known.tolist())], self.merge_ids))
            again, known = item_names(text_column(known.tolist()))
            codes = np.append(again, -1)[codes]
        return codes, known

    def ids(self, name: str, missing: Missing) -> IndexedNames:
        """Return the name in each row of a column."""
        return names(*merged_columns([self.column(name, missing)], self.merge_ids))

    def annotators(self) -> Column:
        """Return the annotator of each row, named by its file, folder or sheet."""
        of_files = np.array([source.annotator or "" for source in self.sources], dtype=object)
        codes, known = pd.factorize(of_files)
        return codes.repeat([part.rows for part in self.parts]), known.tolist()

    def _cells(self, name: str) -> TextColumn:
        return [cells for part in self.parts for cells in part.column(name)]

    def where(self, row: int) -> str:
        """Return the location of a row, for messages."""
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
    """Read the wanted columns, columns to keep, and columns of states (such as "rejected").

    `named_by` is the option that names the wanted columns, for messages.
    """
    first_with: dict[tuple[str, ...], Source] = {}
    for source in sources:
        if first_with.setdefault(tuple(head(source).names), source) is source:
            check_columns(source, head(source).names, wanted, named_by)
            check_columns(source, head(source).names, keep)
    states = _state_columns(sources, [*wanted, *keep])
    columns, progress = [*wanted, *keep, *states], options.progress
    parts = []
    for count, source in enumerate(sources, start=1):
        parts.append(table(source, columns, progress if len(sources) == 1 else None))
        if progress is not None and len(sources) > 1:
            progress(count, len(sources))
    if sources[0].exclude and not any(part.rows for part in parts):
        raise nothing_left(sources)
    of_names = _rows_of_names(sources, parts, wanted)
    if of_names is not None:
        ends = np.cumsum([part.rows for part in parts])
        by_file = np.split(of_names, ends[:-1])
        parts = [
            only(part, np.flatnonzero(~rows)) if rows.any() else part
            for part, rows in zip(parts, by_file, strict=True)
        ]
    lost = 0 if of_names is None else int(of_names.sum())
    return Tables(sources, parts, options.merge_ids, lost, states, options.unordered, wanted, keep)


def _state_columns(sources: Sequence[Source], used: Sequence[str]) -> list[str]:
    """Return columns that may mark ratings as rejected, if all files have them."""
    columns = [Counter(name.strip() for name in head(source).names) for source in sources]
    taken = {*used}
    return [
        name
        for name in head(sources[0]).names
        if name not in taken
        and may_hold_states(name)
        and all(count[name.strip()] == 1 for count in columns)
        and all(name in head(source).positions for source in sources)
    ]


def _rows_of_names(
    sources: Sequence[Source], parts: Sequence[FileColumns], wanted: Sequence[str]
) -> NDArray[np.bool_] | None:
    """Return a mask of rows whose wanted cells are their columns' names; None without such rows."""
    if len(wanted) < FEWEST or all(head(source).nameless for source in sources):
        return None
    columns = [
        ([cells for part in parts for cells in part.column(name)], name.strip()) for name in wanted
    ]
    # the column with the fewest distinct cells is searched fastest
    columns.sort(key=lambda each: sum(len(part.cells) for part in each[0]))
    of_names = np.ones(sum(part.rows for part in parts), dtype=bool)
    for column, name in columns:
        of_name = rows_of(column, name)
        if of_name is None:
            return None
        of_names &= of_name
    return of_names if of_names.any() else None


def kept_one(how: str, order: str = "order_of_file") -> dict[str, object]:
    """Return which of the repeated rows or ratings was kept, as values of a note."""
    return {"kept": how, "order": Note(order)}


def repeats(
    rows: Integers,
    key: Integers,
    how: str,
    describe: tuple[str, str, Where, Where],
    choices: Collection[str] = OF_ROWS,
    ways: Sequence[str] = (),
    apart: Callable[[], DistinguishingColumn | None] = lambda: None,
) -> Integers:
    """Return the rows to leave out so that no key occurs twice; refuse repeats if ``how`` does.

    `key` has a value for each of `rows`. For the error, `describe` has two nouns and two functions
    that locate rows, and `apart`, `ways` and `choices` are ways to proceed.
    """
    keep: Literal["first", "last"] = "last" if how == "last" else "first"
    again = pd.Series(key).duplicated(keep=keep).to_numpy()
    if how not in OF_ROWS and again.any():
        raise IaaError(
            f"{counted(int(again.sum()), 'row')} of items that have several rows, the first at "
            f"{describe[2](int(rows[again][0]))}; only rows of a long table can be sets of labels, "
            f"further annotators or votes: {ways_out(OF_ROWS)}"
        )
    if how == "error" and again.any():
        noun, of_what, described, where = describe
        positions = np.flatnonzero(again)
        names = [
            f"{described(int(rows[k]))} repeats {where(int(rows[np.argmax(key == key[k])]))}"
            for k in positions[:OFFENDERS]
        ]
        more = f"; and {len(positions) - len(names):,} more" if len(positions) > len(names) else ""
        joint_item = (
            "if several columns name an item together, give them all, as in "
            f"{keyword('item', 'NAME,NAME')}"
        )
        ways = ways or ([joint_item] if 2 * len(positions) > len(rows) else [])
        column = apart()
        of_column = () if column is None else column.ways()
        raise RepeatedError(
            with_ways(
                f"{counted(len(positions), f'repeated {noun}')} {of_what}: "
                f"{'; '.join(names)}{more}",
                [*(of_column or ways), *ways_of(choices)],
            ),
            () if column is None else column.item,
            of_column,
        )
    return rows[again]
