"""Tables with several rows of an item and a column for each annotator.

Each cell is a rating: all of an annotator on an item are one set of labels, or ratings apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax._types import Integers
from iaa_jax.data.factorize import Column
from iaa_jax.data.labels import offenders
from iaa_jax.data.notices.alike import merged_columns, merged_lists
from iaa_jax.io.base import Options
from iaa_jax.io.table.blanks import with_blanks
from iaa_jax.io.table.building import Read, sets, single
from iaa_jax.io.table.cells import (
    BLANK,
    Missing,
    missing_labels,
    names,
    with_plain_numbers,
)
from iaa_jax.io.table.excluding import to_exclude
from iaa_jax.io.table.kept import Belonging
from iaa_jax.io.table.lists import as_sets, split_lists
from iaa_jax.io.table.rows import RatingRows
from iaa_jax.io.table.tables import Tables
from iaa_jax.wording import Note

TOLD_APART = ("combine", "apart", "votes")
"""What may become of rows of one item, but for one of them that is kept."""


@dataclass(frozen=True)
class CellRows:
    """The cells of some columns side by side, row by row."""

    table: Tables
    width: int

    def where(self, row: int) -> str:
        """Say where a cell stands."""
        return self.table.where(row // self.width)

    def column(self, name: str, missing: Missing) -> Column:
        """A column of the table, once for each annotator."""
        codes, distinct = self.table.column(name, missing)
        return np.repeat(np.asarray(codes), self.width), distinct


def are_apart(table: Tables, ids: Sequence[str], options: Options) -> bool:
    """Whether items have several rows, of which more than one is to count, or labels are sets."""
    if not ids or options.duplicates not in TOLD_APART:
        return False
    if options.duplicates == "combine":
        return True
    codes, items = table.items(ids)
    return bool(np.count_nonzero(codes >= 0) > len(items))


def cells_of(table: Tables, ids: Sequence[str], annotators: Sequence[str]) -> RatingRows:
    """The item and annotator of each cell."""
    codes, items = table.items(ids)
    width = len(annotators)
    who = names((np.tile(np.arange(width), table.rows), list(annotators)))
    return RatingRows(CellRows(table, width), (np.repeat(codes, width), items), who)


def without_nameless(rows: RatingRows, ids: Sequence[str], answers: Column) -> Column:
    """The answers, where those without an item are none; ratings without one are refused."""
    lost = np.flatnonzero((rows.items[0] < 0) & (np.asarray(answers[0]) >= 0))
    if lost.size:
        msg = (
            f"ratings without an item: {offenders(lost, rows.where)}; fill the item in, or leave "
            f"such rows out with {to_exclude(rows.table, ids, int(lost[0]))}"
        )
        raise IaaError(msg)
    return answers


def of_rows(read: Read, rows: RatingRows, width: int) -> Belonging:
    """Of which item each row of the table is, and of which row each rating."""
    cells, items, annotators = read.rows().ratings
    of_items: Integers = rows.items[0][::width]
    return Belonging(of_items, None, (cells // width, items, annotators))


def read_repeated(
    table: Tables, ids: Sequence[str], annotators: Sequence[str], options: Options
) -> tuple[Read, RatingRows]:
    """Build ratings of all cells, and note how they were understood."""
    missing = missing_labels(options.labels, options.missing)
    grid, distinct = table.grid(annotators, missing)
    rows = cells_of(table, ids, annotators)
    answers = without_nameless(rows, ids, (grid.ravel(), distinct))
    blanks: list[Note] = []
    if options.blank is not None:
        empty = (table.grid(annotators, BLANK)[0].ravel() < 0) & (rows.items[0] >= 0)
        raters = np.tile(np.arange(len(annotators)), table.rows)
        answers, blanks = with_blanks(answers, empty, raters, options)
    lists = split_lists(answers[1], options.separator)
    if lists is None:
        (answers,) = merged_columns([answers], options.merge_labels, options.labels)
        (answers,), understood = with_plain_numbers([answers], options.labels)
    else:
        lists, noted = as_sets(merged_lists(lists, options.merge_labels, options.labels))
        understood = [Note("read_cells_as_sets"), *noted]
    if options.duplicates == "combine":
        lists = lists or [(str(cell),) for cell in answers[1]]
        understood.append(Note("read_rows_as_sets"))
    named = _named(rows)
    if lists is None:
        read = single(named, [answers], options)
    else:
        read = sets(named, answers, lists, options)
    skipped, lost = read.skipped, int(np.count_nonzero(rows.items[0][:: len(annotators)] < 0))
    if lost:
        skipped = [Note("skipped_rows_of_nothing", {"rows": lost}), *skipped]
    return read._replace(understood=[*blanks, *understood, *read.understood], skipped=skipped), rows


def _named(rows: RatingRows) -> RatingRows:
    """The cells, of which empty ones without an item are counted nowhere: their row is."""
    codes, items = rows.items
    return RatingRows(rows.table, (np.where(codes < 0, 0, codes), items), rows.annotators)
