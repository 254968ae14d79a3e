"""Adds to ratings the columns of a second file, which has a row for each item or annotator."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from types import NoneType
from typing import NoReturn

import numpy as np
import pandas as pd
import xarray as xr

from iaa_jax._errors import IaaError, MissingColumnError, OptionError, brief, shown, suggestion
from iaa_jax._types import Integers, PathLike, Values
from iaa_jax.data.as_ratings import is_spans
from iaa_jax.data.factorize import Column
from iaa_jax.data.kept_columns import RESERVED, spread
from iaa_jax.data.labels import Where
from iaa_jax.data.usual_names import ANNOTATOR, ITEM, usual_name
from iaa_jax.io.base import Options
from iaa_jax.io.files import file_name, listing, remember
from iaa_jax.io.request import listed as listed_names
from iaa_jax.io.table.cells import BLANK
from iaa_jax.io.table.kept import valued
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.tables import read_tables
from iaa_jax.wording import Note, keyword, named
from iaa_jax.wording.formats import counted, name as printable

SHOWN = 5
AXES = {"item": ITEM, "annotator": ANNOTATOR}


@dataclass(frozen=True)
class Key:
    """A column that may hold the ids of items or annotators."""

    axis: str
    column: str
    rows: Integers  # the row of each id of the ratings, -1 if it has none
    unused: int  # number of rows that match no id
    clash: Integers  # rows that contradict an earlier row with the same id

    @property
    def lacking(self) -> int:
        """The number of items or annotators without a row."""
        return int(np.count_nonzero(self.rows < 0))


@dataclass(frozen=True)
class Joined:
    """The rows of a second file, whose columns are added to ratings."""

    name: str
    cells: dict[str, Column]
    where: Where

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [*self.cells]

    def add_to(self, ratings: xr.Dataset) -> tuple[xr.Dataset, Note, list[Note]]:
        """Return ratings with the columns as coordinates, and notes on what was read and left out.

        Raises
        ------
        IaaError
            If no column holds all annotators, all items, or some items and nothing else; if several
            columns match equally well; if two rows on an item or annotator differ; if there is no
            column to add; or if ``ratings`` are spans.
        """
        if is_spans(ratings):
            self._refuse_spans()
        axes = [axis for axis in AXES if axis == "item" or not ratings.attrs["anonymous"]]
        known = {axis: ratings[axis].values.tolist() for axis in axes}
        key, columns, understood, skipped = self._told(known, map(str, ratings.variables))
        coordinates = {name: (key.axis, spread(*column)) for name, column in columns.items()}
        return ratings.assign_coords(coordinates), understood, skipped

    def add_to_table(self, table: pd.DataFrame) -> tuple[pd.DataFrame, Note, list[Note]]:
        """Return a long table with the columns, and notes on what was read and left out.

        Raises
        ------
        IaaError
            For the same reasons as `add_to`.
        """
        if "document" in table:
            self._refuse_spans()
        coded = {axis: pd.factorize(table[axis]) for axis in AXES if axis in table}
        known = {axis: names.tolist() for axis, (_, names) in coded.items()}
        key, columns, understood, skipped = self._told(known, map(str, table.columns))
        codes, _ = coded[key.axis]
        added = {
            name: spread(np.append(of_ids, -1)[codes], values)
            for name, (of_ids, values) in columns.items()
        }
        return table.assign(**added), understood, skipped

    def _refuse_spans(self) -> NoReturn:
        raise IaaError(f"{named('join')} is for ratings of labels, and these files hold spans")

    def _told(
        self, ids: Mapping[str, Sequence[object]], others: Iterable[str]
    ) -> tuple[Key, dict[str, tuple[Integers, Values]], Note, list[Note]]:
        key = self._key({axis: [str(name) for name in names] for axis, names in ids.items()})
        taken = {*RESERVED, *others}
        others = [name for name in self.columns if name != key.column]
        added = [name for name in others if name not in taken]
        if not added:
            raise IaaError(
                f"{self.name} has no column besides {key.column!r} that could be joined"
                + self._taken(others)
            )
        described = {}
        for name in added:
            codes, values = valued(*self.cells[name])
            described[name] = np.where(key.rows < 0, -1, codes[key.rows]), values
        remember([self.name])
        counts = {"lacking": key.lacking, "ids": len(key.rows)}
        understood = Note(
            "read_joined",
            {
                "columns": added,
                "file": self.name,
                "axis": key.axis,
                "column": key.column,
                "lacking": Note("joined_in_part", counts) if key.lacking else "",
            },
        )
        skipped = []
        if key.unused:
            skipped.append(Note("skipped_joined_rows", {"rows": key.unused, "file": self.name}))
        left = [name for name in others if name in taken]
        if left:
            values_of = {"columns": left, "count": len(left), "file": self.name}
            skipped.append(Note("skipped_joined_columns", values_of))
        return key, described, understood, skipped

    def _taken(self, others: Sequence[str]) -> str:
        """Return the end of a message, on columns whose names the ratings already use."""
        if not others:
            return ""
        said, them = ("names a part", "it") if len(others) == 1 else ("name parts", "them")
        return f": {shown(others, SHOWN)} already {said} of the ratings; rename {them} in that file"

    def _key(self, known: Mapping[str, Sequence[str]]) -> Key:
        keys = [
            self._named(axis, names, column)
            for axis, names in known.items()
            for column in self.columns
        ]
        whole = [key for key in keys if not key.lacking]
        if not whole:  # a file on some items suits if it has no other rows
            whole = [
                key
                for key in keys
                if key.axis == "item" and not key.unused and key.lacking < len(key.rows)
            ]
        clear = [key for key in whole if not key.clash.size]
        if not whole:
            self._refuse_lacking(keys, known)
        if not clear:
            self._refuse_repeated(whole[0])
        fewest = min(key.unused for key in clear)
        best = [key for key in clear if key.unused == fewest]
        usual = [
            key for key in best if usual_name(self.columns, AXES[key.axis]) == key.column
        ]  # items and annotators may have the same ids
        best = usual or best
        if len(best) > 1:
            listed = " or ".join(f"the {key.axis}s by {key.column!r}" for key in best[:SHOWN])
            raise IaaError(
                f"{self.name}: its rows may be of {listed}; call the column of ids 'item' or "
                "'annotator' in that file"
            )
        return best[0]

    def _named(self, axis: str, known: Sequence[str], column: str) -> Key:
        cells = pd.Index([*map(str, self.cells[column][1])], dtype=object)
        of_known = cells.get_indexer(pd.Index(known, dtype=object))
        codes = self._codes[column]
        is_used = codes.isin(of_known[of_known >= 0])
        distinct = self._codes[is_used].drop_duplicates()  # equal rows are no contradiction
        first = distinct.drop_duplicates(column)
        rows = pd.Series(first.index, first[column]).reindex(of_known, fill_value=-1).to_numpy()
        clash = distinct.index.difference(first.index).to_numpy()
        return Key(axis, column, rows, int((~is_used).sum()), clash)

    @cached_property
    def _codes(self) -> pd.DataFrame:
        return pd.DataFrame({name: codes for name, (codes, _) in self.cells.items()})

    def _refuse_repeated(self, key: Key) -> NoReturn:
        codes = self._codes[key.column]
        again = int(key.clash[0])
        first = int(np.argmax(codes == codes[again]))
        raise IaaError(
            f"{self.where(again)} contradicts {self.where(first)}, an earlier row on the same "
            f"{key.axis} (by its column {key.column!r}): keep one row for each {key.axis}"
        )

    def _refuse_lacking(self, found: Sequence[Key], known: Mapping[str, Sequence[str]]) -> NoReturn:
        """Raise an error on the ids without a row, for the column with the most ids."""
        best = max(found, key=lambda key: 1 - key.lacking / max(1, len(key.rows)))
        if best.lacking == len(best.rows):
            some = " nor ".join(
                f"the {axis}s (as {', '.join(map(brief, names[:2]))})"
                for axis, names in known.items()
            )
            raise IaaError(
                f"no column of {self.name} has {some}; its columns are {shown(self.columns, 12)}: "
                f"{named('join')} takes a file in which a column has the ids that ratings have"
            )
        names = [known[best.axis][k] for k in np.flatnonzero(best.rows < 0).tolist()]
        others = set(known[best.axis])
        cells = [text for cell in self.cells[best.column][1] if (text := str(cell)) not in others]
        unknown = ""
        if best.axis == "item" and best.unused:
            unknown = f", or take out {counted(best.unused, 'row')} on no item of these"
        raise IaaError(
            f"{self.name}: {counted(len(names), best.axis)} of the ratings without a row (by its "
            f"column {best.column!r}): {shown(names, SHOWN)}{suggestion(names[0], cells)}; add "
            f"{'it' if len(names) == 1 else 'them'}, with empty cells if nothing is known{unknown}"
        )


@contextmanager
def joining(
    path: PathLike | None, max_megabytes: int, encoding: str | None
) -> Iterator[Joined | None]:
    """Read the file to join, if there is one, and yield it.

    If the ratings lack a column, the error also names the columns of the joined file.
    """
    if not isinstance(path, (str, os.PathLike, NoneType)):
        raise OptionError(f"{named('join')} must be a file, not {path!r}")
    joined = None if path is None else read_joined(path, max_megabytes, encoding)
    try:
        yield joined
    except MissingColumnError as error:
        if joined is None:
            raise
        raise MissingColumnError(
            f"{error.message}; those of {joined.name} are {shown(joined.columns, 12)}"
        ) from None


def read_joined(path: PathLike, max_megabytes: int, encoding: str | None = None) -> Joined:
    """Read a file with a row for each item or annotator.

    ``encoding`` is disregarded if the file is clearly UTF-8.

    Raises
    ------
    IaaError
        If the file cannot be read, or is not a single table.
    """
    options = Options(encoding=encoding, max_megabytes=max_megabytes)
    with ExitStack() as stack:
        files = listing([path], stack, options).tables()
        if len(files) != 1:
            raise IaaError(
                f"{printable(file_name(path))} holds {counted(len(files), 'table')}, and "
                f"{keyword('join')} takes a single one"
            )
        if encoding is not None and _is_utf8(files[0].raw()):
            files[0].encoding = None
        columns = head(files[0]).names
        table = read_tables(files, columns, "", Options())
        cells = {name: table.column(name, BLANK) for name in columns}
        return Joined(printable(file_name(path)), cells, table.where)


def _is_utf8(data: bytes) -> bool:
    try:
        return not data.isascii() and bool(data.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def not_joined(
    keep: str | Sequence[str] | None, joined: Joined | None
) -> str | Sequence[str] | None:
    """Return the columns to keep, without those that the joined file has."""
    names = listed_names("keep", keep)
    if joined is None or not set(names) & set(joined.columns):
        return keep
    return [name for name in names if name not in joined.columns] or None
