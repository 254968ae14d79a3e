"""Reader of tables with one row for each rating and a column for each label."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, OptionError, brief
from iaa_jax._types import Integers, Values
from iaa_jax.data.assemble import IndexedNames
from iaa_jax.data.build import long_ratings, refuse_nameless
from iaa_jax.data.build_sets import set_ratings
from iaa_jax.data.factorize import Column
from iaa_jax.data.labels import offenders, parse_number
from iaa_jax.data.votes import notes_on_votes
from iaa_jax.io.base import Options, add_notes
from iaa_jax.io.table.asked import read_asked
from iaa_jax.io.table.cells import keep_used, missing_labels
from iaa_jax.io.table.columns import (
    expand_stars,
)
from iaa_jax.io.table.kept import add_columns
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.rows import RatingRows, find_roles, index_rows, left_out_notes
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.tables import Tables
from iaa_jax.wording import Note, keyword, named
from iaa_jax.wording.formats import counted

YES, NO = {"true", "yes", "x", "t", "y"}, {"false", "no", "f", "n"}


class OneHotTable:
    """A table with one row for each rating and a column of 0 and 1 for each label."""

    name = "one_hot"
    takes = ("item", "annotator", "anonymous", "unordered", "one_hot", "multi_hot")
    summary = "table, one row per rating: a column of 0 and 1 for each label"
    known_by = "columns of 0 and 1 that are named"
    example = "agree ratings.csv --one-hot 'is_*'"

    def can_open(self, sources: Sequence[Source], options: Options) -> bool:  # noqa: ARG002
        """Tell whether the columns of the labels are named."""
        return options.one_hot is not None or options.multi_hot is not None

    def read(self, sources: Sequence[Source], options: Options) -> xr.Dataset:
        """Read the files as one table."""
        listing, option = options.one_hot, "one_hot"
        if listing is None:
            listing, option = options.multi_hot, "multi_hot"
        if listing is None or (options.one_hot is not None and options.multi_hot is not None):
            msg = (
                f"name the columns of the labels with {named('one_hot')} or {named('multi_hot')}, "
                f"as in {keyword('one_hot', 'is.*')}"
            )
            raise IaaError(msg)
        names = head(sources[0]).names
        columns = expand_stars(listing, names)
        marked = [name for name, _ in columns]
        roles = find_roles(sources[0], options, marked)
        bears = "describes ratings, and marks a label"
        table, kept = read_asked(sources, options, roles.by_role, {option: marked}, bears)
        rows = index_rows(table, roles, missing_labels(options.labels, options.missing))
        cells = _marks(table, marked, options)
        labels = [label for _, label in columns]
        labelled = np.asarray((cells >= 0).any(axis=1))
        if option == "one_hot" and options.duplicates == "combine":
            msg = (
                f"{keyword('duplicates', 'combine')} makes sets of labels: name the columns by "
                f"{named('multi_hot')}"
            )
            raise OptionError(msg)
        rows, understood = rows.told_apart(labelled, options.duplicates)
        choices = options.choices if option == "multi_hot" else options.without("combine")
        again = rows.repeated(labelled, options.duplicates, choices)
        build, kind = (
            (_single, "read_one_hot") if option == "one_hot" else (_sets, "read_multi_hot")
        )
        ratings, raters = build(rows, cells, labels, again, options)
        ratings = add_columns(
            ratings, table, kept, lambda: rows.belonging(raters, labelled, again), table.states
        )
        listed = {"names": labels[:10], "labels": len(labels)}
        understood += notes_on_votes(ratings)
        in_columns = Note("read_labels_in_columns", listed)
        read_as = [Note(kind), *roles.notes(), in_columns, *understood]
        return add_notes(
            ratings,
            read_as,
            [
                *table.notes,
                *left_out_notes(again.size, rows.nobodies(labelled), options.duplicates),
            ],
        )


READER = OneHotTable()


def _marks(table: Tables, names: Sequence[str], options: Options) -> NDArray[np.int8]:
    """Read columns of 0 and 1; -1 where there is nothing."""
    codes, cells = table.grid(names, missing_labels(None, options.missing))
    marks = [_mark(str(cell)) for cell in cells]
    wrong = np.array([*(mark is None for mark in marks), False])[codes]
    if wrong.any():
        column = int(np.argmax(wrong.any(axis=0)))
        rows = np.flatnonzero(wrong[:, column])
        msg = (
            f"{counted(rows.size, 'cell')} of {names[column]!r} neither 0 nor 1: "
            f"{brief(cells[codes[rows[0], column]])} at {offenders(rows, table.where)}"
        )
        raise IaaError(msg)
    return np.array([*marks, -1], dtype=np.int8)[codes]


def _mark(cell: str) -> int | None:
    number = parse_number(cell)
    if number in (0, 1):
        return int(number)
    return 1 if cell.lower() in YES else 0 if cell.lower() in NO else None


def _single(
    rows: RatingRows,
    cells: NDArray[np.int8],
    labels: list[str],
    again: Integers,
    options: Options,
) -> tuple[xr.Dataset, IndexedNames]:
    """Build ratings with one label each; give the annotator of each row too."""
    labelled = np.asarray((cells >= 0).any(axis=1))
    count = (cells == 1).sum(axis=1)
    for wrong, what in ((labelled & (count == 0), "no label"), (count > 1, "several labels")):
        if wrong.any():
            refused = np.flatnonzero(wrong)
            msg = (
                f"{counted(refused.size, 'row')} with {what} marked: "
                f"{offenders(refused, rows.where)}; leave all cells empty where nobody rated, or "
                f"read sets of labels with {named('multi_hot')}"
            )
            raise IaaError(msg)
    codes: NDArray[np.int64] = np.where(labelled, (cells == 1).argmax(axis=1), -1)
    codes[again] = -1
    answers: Column = keep_used((codes, list(labels)), np.ones(len(codes), dtype=bool))
    rows.refuse_nameless(codes >= 0)
    raters = rows.raters(codes >= 0)
    ratings = long_ratings(
        rows.items,
        raters,
        [answers],
        options.labels,
        rows.where,
        parse=True,
        anonymous=options.anonymous,
        votes=options.duplicates == "votes",
    )
    return ratings, raters


def _sets(
    rows: RatingRows,
    cells: NDArray[np.int8],
    labels: list[str],
    again: Integers,
    options: Options,
) -> tuple[xr.Dataset, IndexedNames]:
    """Build ratings with a set of labels each; give the annotator of each row too."""
    patterns: Values
    patterns, codes = np.unique(cells == 1, axis=0, return_inverse=True)
    codes = np.where((cells >= 0).any(axis=1), codes.reshape(-1), -1)
    codes[again] = -1
    sets = [tuple(labels[k] for k in np.flatnonzero(pattern)) for pattern in patterns]
    rows.refuse_nameless(codes >= 0)
    raters = rows.raters(codes >= 0)
    refuse_nameless(codes >= 0, rows.items[0], raters[0], rows.where)
    ratings = set_ratings(
        rows.items,
        raters,
        (codes, list(sets)),
        options.labels or labels,
        rows.where,
        anonymous=options.anonymous,
        votes=options.duplicates == "votes",
    )
    return ratings, raters
