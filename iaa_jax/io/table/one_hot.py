"""Reader of tables with one row for each rating and a column for each label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.build import long_ratings, refuse_nameless
from iaa_jax.data.build_sets import set_ratings
from iaa_jax.data.labels import Column, number_in, offenders, plural
from iaa_jax.io.base import Options
from iaa_jax.io.table.cells import missing_labels, used
from iaa_jax.io.table.columns import (
    check_apart,
    check_columns,
    refuse_options,
    refuse_question,
    starred,
)
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.rows import Rows, left_out, roles, rows_of
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.tables import tables

OPTIONS = ("item", "annotator", "anonymous", "one_hot", "multi_hot")
YES, NO = {"true", "yes", "x", "t", "y"}, {"false", "no", "f", "n"}


class OneHotTable:
    """A table with one row for each rating and a column of 0 and 1 for each label."""

    name = "one_hot"
    summary = "table, one row a rating: a column of 0 and 1 for each label"

    def can_open(self, sources: Sequence[Source], options: Options) -> bool:  # noqa: ARG002
        """Tell whether the columns of the labels are named."""
        return options.one_hot is not None or options.multi_hot is not None

    def read(self, sources: Sequence[Source], options: Options) -> xr.Dataset:
        """Read the files as one table."""
        refuse_question(options.question)
        refuse_options(options, "one-hot", OPTIONS)
        given, option = options.one_hot, "one_hot"
        if given is None:
            given, option = options.multi_hot, "multi_hot"
        if given is None or (options.one_hot is not None and options.multi_hot is not None):
            msg = 'name the columns of the labels with one_hot or multi_hot, as in one_hot="is.*"'
            raise IaaError(msg)
        names = head(sources[0]).names
        columns = starred(given, names)
        marked = [name for name, _ in columns]
        check_columns(sources[0], names, marked, option)
        who = roles(sources[0], options, marked)
        check_apart({"item": who.ids, "annotator": [who.annotator], option: marked})
        found = tables(sources, [*who.columns, *marked], f"item or {option}", options.progress)
        rows = rows_of(found, who, missing_labels(options.labels, options.missing))
        cells = np.column_stack([_marks(rows, name, options) for name in marked])
        labels = [label for _, label in columns]
        if option == "one_hot":
            ratings, skipped = _single(rows, cells, labels, options)
        else:
            ratings, skipped = _sets(rows, cells, labels, options)
        kind = "one-hot" if option == "one_hot" else "multi-hot"
        read_as = f"{kind} table, {who.told()}, labels: {shown(labels, 10)}"
        return ratings.assign_attrs(read_as=read_as, skipped=skipped)


READER = OneHotTable()


def _marks(rows: Rows, name: str, options: Options) -> NDArray[np.int8]:
    """Read a column of 0 and 1; -1 where there is nothing."""
    codes, cells = rows.found.column(name, missing_labels(None, options.missing))
    marks = [_mark(str(cell)) for cell in cells]
    wrong = np.flatnonzero(np.array([*(mark is None for mark in marks), False])[codes])
    if wrong.size:
        msg = (
            f"{plural(wrong.size, 'cell')} of {name!r} neither 0 nor 1: "
            f"{cells[codes[wrong[0]]]!r} at {offenders(wrong, rows.where)}"
        )
        raise IaaError(msg)
    return np.array([*marks, -1], dtype=np.int8)[codes]


def _mark(cell: str) -> int | None:
    number = number_in(cell)
    if number in (0, 1):
        return int(number)  # type: ignore[arg-type]
    return 1 if cell.lower() in YES else 0 if cell.lower() in NO else None


def _single(
    rows: Rows, cells: NDArray[np.int8], labels: list[str], options: Options
) -> tuple[xr.Dataset, str]:
    """Build ratings with one label each, and say what was left out."""
    told = np.asarray((cells >= 0).any(axis=1))
    count = (cells == 1).sum(axis=1)
    for wrong, what in ((told & (count == 0), "no label"), (count > 1, "several labels")):
        if wrong.any():
            places = np.flatnonzero(wrong)
            msg = (
                f"{plural(places.size, 'row')} with {what} marked: "
                f"{offenders(places, rows.where)}; leave all cells empty where nobody rated, or "
                "read sets of labels with multi_hot"
            )
            raise IaaError(msg)
    codes: NDArray[np.int64] = np.where(told, (cells == 1).argmax(axis=1), -1)
    again = rows.repeated(told, options.duplicates)
    nobodies = rows.nobodies(told)
    codes[again] = -1
    answers: Column = used((codes, list(labels)), np.ones(len(codes), dtype=bool))
    declared = options.labels
    ratings = long_ratings(
        rows.items,
        rows.raters(codes >= 0),
        [answers],
        declared,
        rows.where,
        parse=True,
        anonymous=options.anonymous,
    )
    return ratings, left_out(again.size, nobodies, options.duplicates)


def _sets(
    rows: Rows, cells: NDArray[np.int8], labels: list[str], options: Options
) -> tuple[xr.Dataset, str]:
    """Build ratings with a set of labels each, and say what was left out."""
    told = np.asarray((cells >= 0).any(axis=1))
    again = rows.repeated(told, options.duplicates)
    patterns: NDArray[Any]
    patterns, codes = np.unique(cells == 1, axis=0, return_inverse=True)
    codes = np.where(told, codes.reshape(-1), -1)
    codes[again] = -1
    sets = [tuple(labels[k] for k in np.flatnonzero(pattern)) for pattern in patterns]
    raters = rows.raters(codes >= 0)
    refuse_nameless(codes >= 0, rows.items[0], raters[0], rows.where)
    ratings = set_ratings(
        rows.items,
        raters,
        (codes, list(sets)),
        options.labels or labels,
        rows.where,
        anonymous=options.anonymous,
    )
    return ratings, left_out(again.size, rows.nobodies(told), options.duplicates)
