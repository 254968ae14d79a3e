"""Reads rows that hold several ratings: in cells next to each other, or in lists.

Each rating becomes a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, OptionError, brief, shown
from iaa_jax._types import Integers
from iaa_jax.data.factorize import Column
from iaa_jax.data.kept_columns import Belonging
from iaa_jax.data.labels import offenders
from iaa_jax.data.notices.similar import merged_columns
from iaa_jax.io.base import Options
from iaa_jax.io.table.blanks import with_blanks
from iaa_jax.io.table.building import Read, sets, single
from iaa_jax.io.table.cells import BLANK, Missing, Rows, missing_labels, names
from iaa_jax.io.table.excluding import to_exclude
from iaa_jax.io.table.lists import as_labels, as_sets, member_rows, nested_lists, split_lists
from iaa_jax.io.table.rows import RatingRows
from iaa_jax.io.table.tables import Tables
from iaa_jax.wording import Note, keyword, named
from iaa_jax.wording.formats import counted

KEPT_SEPARATE = ("combine", "apart", "votes")
"""Values of ``duplicates`` that keep several rows of an item."""


@dataclass(frozen=True)
class MemberRows:
    """The rows of a table, repeated for each rating."""

    table: Rows
    origin: Integers

    def where(self, row: int) -> str:
        """Return the location of a row, for messages."""
        return self.table.where(int(self.origin[row]))

    def column(self, name: str, missing: Missing) -> Column:
        """Return a column of the table, with its cells repeated."""
        codes, distinct = self.table.column(name, missing)
        return np.asarray(codes)[self.origin], distinct


def lists_beside(
    rows: RatingRows, answers: Column, options: Options
) -> tuple[RatingRows, Column] | None:
    """Return a row for each member of paired lists of names and labels; None without lists.

    Raises
    ------
    IaaError
        If the numbers of labels and names in a row differ.
    """
    if rows.annotators is None or not len(rows.annotators[1]):
        return None
    people = split_lists([str(name) for name in rows.annotators[1]], None)
    labels = None if people is None else nested_lists(answers[1])
    if people is None or labels is None:
        return None
    of_names, of_labels = rows.annotators[0], np.asarray(answers[0])
    sizes = np.array([*map(len, people), 0])[of_names]
    numbers = np.array([*map(len, labels), 0])[of_labels]
    odd = np.flatnonzero((sizes != numbers) & (of_labels >= 0))
    if odd.size:
        row = int(odd[0])
        some = [str(name) for name in people[of_names[row]]] if of_names[row] >= 0 else []
        raise IaaError(
            f"{rows.table.where(row)}: {counted(len(some), 'name')} ({shown(some, 3) or 'none'}) "
            f"next to {counted(int(numbers[row]), 'label')} ({brief(answers[1][of_labels[row]])}), "
            f"as in {counted(len(odd), 'row')}: each label needs the name of its annotator"
        )
    both = (of_names >= 0) & (of_labels >= 0)
    origin, who = member_rows((np.where(both, of_names, -1), []), people, BLANK)
    missing = missing_labels(options.labels, options.missing)
    _, what = member_rows((np.where(both, of_labels, -1), []), labels, missing)
    items, known = rows.items
    people_of = names(*merged_columns([who], options.merge_ids))
    table = MemberRows(rows.table, origin)
    return RatingRows(table, (items[origin], known), people_of, rows.roles), what


def are_separate_ratings(table: Tables, ids: Sequence[str], options: Options) -> bool:
    """Tell whether all rows of an item are kept."""
    if not ids or options.duplicates not in KEPT_SEPARATE:
        return False
    if options.duplicates == "combine":
        return True
    codes, items = table.items(ids)
    return bool(np.count_nonzero(codes >= 0) > len(items))


def cells_of(table: Tables, ids: Sequence[str], annotators: Sequence[str]) -> RatingRows:
    """Return the item and annotator of each cell."""
    codes, items = table.items(ids)
    width = len(annotators)
    who = names((np.tile(np.arange(width), table.rows), list(annotators)))
    origin = np.repeat(np.arange(table.rows), width)
    return RatingRows(MemberRows(table, origin), (np.repeat(codes, width), items), who)


def without_nameless(rows: RatingRows, ids: Sequence[str], answers: Column) -> Column:
    """Return the answers unchanged; refuse ratings without an item."""
    lost = np.flatnonzero((rows.items[0] < 0) & (np.asarray(answers[0]) >= 0))
    if lost.size:
        raise IaaError(
            f"ratings without an item: {offenders(lost, rows.where)}; fill the item in, or leave "
            f"such rows out with {to_exclude(rows.table, ids, int(lost[0]))}"
        )
    return answers


def rating_origins(read: Read, rows: RatingRows, width: int) -> Belonging:
    """Return the item of each row of the table, and the row of each rating."""
    cells, items, annotators = read.rows().ratings
    row_items: Integers = rows.items[0][::width]
    return Belonging(row_items, None, (cells // width, items, annotators))


def filled_in(
    table: Tables,
    annotators: Sequence[str],
    answers: Column,
    named_rows: NDArray[np.bool_],
    options: Options,
) -> tuple[Column, list[Note]]:
    """Return the answers, with the caller's label in place of blank cells, and notes."""
    if options.blank is None:
        return answers, []
    empty = (table.grid(annotators, BLANK)[0] < 0) & named_rows[:, None]
    raters = np.tile(np.arange(len(annotators)), table.rows)
    return with_blanks(answers, empty.ravel(), raters, options)


def read_repeated(
    table: Tables, ids: Sequence[str], annotators: Sequence[str], options: Options
) -> tuple[Read, RatingRows]:
    """Return the ratings in all cells, and the item and annotator of each cell."""
    if options.anonymous:
        raise OptionError(
            f"{keyword('duplicates', options.duplicates)} cannot be used with "
            f"{named('anonymous')}: it is unknown which ratings are of one annotator"
        )
    missing = missing_labels(options.labels, options.missing)
    grid, distinct = table.grid(annotators, missing)
    rows = cells_of(table, ids, annotators)
    answers = without_nameless(rows, ids, (grid.ravel(), distinct))
    named_rows = rows.items[0][:: len(annotators)] >= 0
    answers, blanks = filled_in(table, annotators, answers, named_rows, options)
    (answers,), lists, understood = as_labels([answers], options)
    if lists is not None:
        lists, noted = as_sets(lists)
        understood = [Note("read_cells_as_sets"), *noted]
    if options.duplicates == "combine":
        lists = lists or [(str(cell),) for cell in answers[1]]
        understood.append(Note("read_rows_as_sets"))
    cells = _named(rows)
    if lists is None:
        read = single(cells, [answers], options)
    else:
        read = sets(cells, answers, lists, options)
    skipped, lost = read.skipped, int(np.count_nonzero(rows.items[0][:: len(annotators)] < 0))
    if lost:
        skipped = [Note("skipped_rows_of_nothing", {"rows": lost}), *skipped]
    return read._replace(understood=[*blanks, *understood, *read.understood], skipped=skipped), rows


def _named(rows: RatingRows) -> RatingRows:
    """Give cells without an item the first item, so that they are not counted again as left out."""
    codes, items = rows.items
    return RatingRows(rows.table, (np.where(codes < 0, 0, codes), items), rows.annotators)
