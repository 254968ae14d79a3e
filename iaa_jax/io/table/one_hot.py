"""Reader of tables with one row for each rating, and a column for each label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, OptionError
from iaa_jax._types import Values
from iaa_jax.data.labels import offenders
from iaa_jax.io.base import Options, add_notes
from iaa_jax.io.table.building import Read, sets, single
from iaa_jax.io.table.cells import keep_used, missing_labels
from iaa_jax.io.table.columns import expand_stars
from iaa_jax.io.table.kept import add_columns
from iaa_jax.io.table.lists import Lists
from iaa_jax.io.table.named_columns import mark_of, numbers_of, read_named
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.rows import RatingRows, find_roles, index_rows
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.tables import Tables
from iaa_jax.wording import Note, keyword, named
from iaa_jax.wording.formats import counted


class OneHotTable:
    """A table with one row for each rating, and a column of 0 and 1 for each label."""

    name = "one_hot"
    takes = ("item", "annotator", "anonymous", "unordered", "one_hot", "multi_hot")
    summary = "table, one row per rating: a column of 0 and 1 for each label"
    known_by = "columns of 0 and 1 that `--one-hot` or `--multi-hot` names"
    example = "agree ratings.csv --one-hot 'is_*'"

    def can_open(self, sources: Sequence[Source], options: Options) -> bool:  # noqa: ARG002
        """Tell whether the caller names label columns."""
        return options.one_hot is not None or options.multi_hot is not None

    def read(self, sources: Sequence[Source], options: Options) -> xr.Dataset:
        """Read the files as one table."""
        listing, option = options.one_hot, "one_hot"
        if listing is None:
            listing, option = options.multi_hot, "multi_hot"
        if listing is None or (options.one_hot is not None and options.multi_hot is not None):
            raise IaaError(
                f"name the columns of the labels with {named('one_hot')} or {named('multi_hot')}, "
                f"as in {keyword('one_hot', 'is.*')}"
            )
        names = head(sources[0]).names
        columns = expand_stars(listing, names)
        marked = [name for name, _ in columns]
        roles = find_roles(sources, options, marked)
        bears = "describes ratings, and marks a label"
        table, kept = read_named(sources, options, roles.by_role, {option: marked}, bears)
        rows = index_rows(table, roles, missing_labels(options.labels, options.missing))
        cells = _marks(table, marked, options)
        labels = [label for _, label in columns]
        if option == "one_hot" and options.duplicates == "combine":
            raise OptionError(
                f"{keyword('duplicates', 'combine')} makes label sets: name the columns by "
                f"{named('multi_hot')}"
            )
        build, kind = (
            (_single, "read_one_hot") if option == "one_hot" else (_sets, "read_multi_hot")
        )
        read = build(rows, cells, labels, options)
        ratings = add_columns(read.ratings, table, kept, read.rows, table.states)
        in_columns = Note("read_labels_in_columns", {"names": labels[:10], "labels": len(labels)})
        read_as = [Note(kind), *roles.notes(), in_columns, *read.understood]
        return add_notes(ratings, read_as, [*table.notes, *read.skipped])


def _marks(table: Tables, names: Sequence[str], options: Options) -> NDArray[np.int8]:
    """Return columns of 0 and 1, with -1 for empty cells."""
    missing = missing_labels(None, options.missing)
    columns = [
        numbers_of(
            table.column(name, missing),
            lambda cell: mark_of(cell) if cell else -1,
            ("cell", f"of {name!r} neither 0 nor 1"),
            table.where,
        )
        for name in names
    ]
    return np.column_stack(columns).astype(np.int8)


def _refuse_not_one(rows: RatingRows, cells: NDArray[np.int8]) -> None:
    labelled, count = (cells >= 0).any(axis=1), (cells == 1).sum(axis=1)
    for wrong, what in ((labelled & (count == 0), "no label"), (count > 1, "several labels")):
        if wrong.any():
            refused = np.flatnonzero(wrong)
            raise IaaError(
                f"{counted(refused.size, 'row')} with {what} marked: "
                f"{offenders(refused, rows.where)}; leave all cells empty where nobody rated, or "
                f"read sets of labels with {named('multi_hot')}"
            )


def _single(rows: RatingRows, cells: NDArray[np.int8], labels: list[str], options: Options) -> Read:
    _refuse_not_one(rows, cells)
    codes = np.where((cells >= 0).any(axis=1), (cells == 1).argmax(axis=1), -1)
    answers = keep_used((codes, list(labels)), np.ones(len(codes), dtype=bool))
    return single(rows, [answers], replace(options, choices=options.without("combine")))


def _sets(rows: RatingRows, cells: NDArray[np.int8], labels: list[str], options: Options) -> Read:
    patterns: Values
    patterns, codes = np.unique(cells == 1, axis=0, return_inverse=True)
    codes = np.where((cells >= 0).any(axis=1), codes.reshape(-1), -1)
    lists: Lists = [tuple(labels[k] for k in np.flatnonzero(pattern)) for pattern in patterns]
    return sets(rows, (codes, []), lists, replace(options, labels=options.labels or labels))
