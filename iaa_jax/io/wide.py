"""Reader of delimited text with one row for each item and one column for each annotator."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.assemble import joined, plain
from iaa_jax.data.build import wide_ratings
from iaa_jax.data.labels import Column, offenders, plural
from iaa_jax.io.base import Options
from iaa_jax.io.table.cells import BLANK, merged, missing_labels, names, used
from iaa_jax.io.table.columns import (
    ITEM,
    check_columns,
    likely_wide,
    refuse_question,
    split,
    usual,
    wide_layout,
)
from iaa_jax.io.table.delimited import head
from iaa_jax.io.table.tables import Tables, repeats, tables


class WideTable:
    """Delimited text with one row for each item and one column for each annotator."""

    name = "wide"
    summary = "delimited text (CSV, TSV), one row an item: one column for each annotator"

    def can_open(self, paths: Sequence[Path], options: Options) -> bool:
        """Tell whether annotator columns are named, or can be told with some certainty."""
        if options.annotators is not None:
            return True
        if any(name is not None for name in (options.annotator, options.label, options.secondary)):
            return False
        try:
            return likely_wide(head(paths[0]), options.item, missing_labels(options.labels))
        except IaaError:
            return False

    def read(self, paths: Sequence[Path], options: Options) -> xr.Dataset:
        """Read the files as one table."""
        refuse_question(options.question)
        for option in ("annotator", "label", "secondary"):
            if getattr(options, option) is not None:
                msg = (
                    f"{option} names a column of a long table; a wide table takes item and "
                    "annotators"
                )
                raise IaaError(msg)
        ids, annotators = _columns(paths, options)
        found = tables(paths, [*ids, *annotators], "item or annotators")
        ratings, skipped = _ratings(found, ids, annotators, options)
        origin = f"items from {shown(ids)}" if ids else "items are row numbers"
        listed = ", ".join(annotators[:10])
        more = f" and {len(annotators) - 10} more" if len(annotators) > 10 else ""
        read_as = f"wide table, {origin}, annotators: {listed}{more}"
        if len(paths) > 1:
            read_as += f", {len(paths)} files"
        return ratings.assign_attrs(read_as=read_as, skipped=skipped)


READER = WideTable()


def _columns(paths: Sequence[Path], options: Options) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Tell item and annotator columns; no item column means that rows are counted."""
    path = paths[0]
    start = head(path)
    if options.annotators is not None:
        annotators = split(options.annotators, start.names)
        free = [name for name in start.names if name not in annotators]
        best = usual(free, ITEM)
        ids: tuple[str, ...] = () if best is None else (best,)
        if options.item is not None:
            ids = split(options.item, start.names)
    else:
        # the caller named the format, or `can_open` was sure
        ids, annotators = wide_layout(start, options.item)
        _check_same(paths, start.names)
    check_columns(path, start.names, ids, "item")
    check_columns(path, start.names, annotators, "annotators")
    both = [name for name in ids if name in annotators]
    if both:
        msg = f"{shown(both)} cannot be an item column and an annotator at once"
        raise IaaError(msg)
    return ids, annotators


def _check_same(paths: Sequence[Path], first: Sequence[str]) -> None:
    for path in paths[1:]:
        found = head(path).names
        other = [name for name in found if name not in first]
        if other or len(found) != len(first):
            lacking = [name for name in first if name not in found]
            msg = (
                f"{path} does not have the columns of {paths[0]} "
                f"(new: {shown(other) or 'none'}; lacking: {shown(lacking) or 'none'}); "
                "name the annotators that all files have with annotators"
            )
            raise IaaError(msg)


def _ratings(
    found: Tables, ids: Sequence[str], annotators: Sequence[str], options: Options
) -> tuple[xr.Dataset, str]:
    """Build the ratings, and say what was left out."""
    missing = missing_labels(options.labels)
    grid, distinct = merged([found.column(name, missing) for name in annotators])
    rows = np.arange(found.rows)
    skipped = []
    if ids:
        codes, items = joined([names(found.column(name, BLANK)) for name in ids])
        rows, lost = _named_rows(found, ids, codes, grid)
        if lost:
            skipped.append(f"{plural(lost, 'row')} without item and without ratings")

        def where(row: int) -> str:
            return f"{found.place(row)} (item {plain(items[codes[row]])!r})"

        what = f"of the same item (from {shown(ids)}; several columns may name it together)"
        describe = ("row", what, where, found.place)
        again = repeats(rows, codes[rows], options.duplicates, describe)
        if again.size:
            rows = rows[~np.isin(rows, again)]
            skipped.append(f"{plural(again.size, 'repeated row')} (kept the {options.duplicates})")
        items = items[codes[rows]]
    else:
        items = rows + 1

    def cell(position: int) -> str:
        row, column = divmod(position, len(annotators))
        item = plain(items[row])
        return f"{found.place(rows[row])} (item {item!r}, annotator {annotators[column]!r})"

    flat: Column = (grid[rows].ravel(), distinct)
    if len(rows) < found.rows:
        flat = used(flat, np.ones(len(flat[0]), dtype=bool))
    columns = np.array(annotators, dtype=object)
    ratings = wide_ratings(flat, items, columns, options.labels, cell, parse=True)
    return ratings, ", ".join(skipped)


def _named_rows(
    found: Tables, ids: Sequence[str], codes: NDArray[Any], grid: NDArray[Any]
) -> tuple[NDArray[Any], int]:
    """Choose the rows that name an item, and count those that have neither item nor rating."""
    nameless = np.flatnonzero(codes < 0)
    rated = nameless[(grid[nameless] >= 0).any(axis=1)]
    if rated.size:
        msg = (
            f"{plural(rated.size, 'row')} with ratings but without item (from {shown(ids)}): "
            f"{offenders(rated, found.place)}; fill the item in or remove these rows"
        )
        raise IaaError(msg)
    return np.flatnonzero(codes >= 0), len(nameless)
