"""Reader of tables with one row for each item and a count for each label."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import xarray as xr

from iaa_jax._errors import IaaError, brief
from iaa_jax._types import Integers
from iaa_jax.data.build_counts import counted_ratings
from iaa_jax.data.kept_columns import Belonging
from iaa_jax.data.margins import lines_of
from iaa_jax.data.storage import python_value
from iaa_jax.io.base import Options, add_notes
from iaa_jax.io.table.cells import as_numbers
from iaa_jax.io.table.columns import expand_stars, items_from
from iaa_jax.io.table.excluding import to_exclude
from iaa_jax.io.table.kept import add_columns
from iaa_jax.io.table.named_columns import (
    counts_of,
    item_columns,
    one_an_item,
    read_named,
    refuse_unnamed,
)
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.tables import Tables
from iaa_jax.wording import Note, keyword, named


class CountTable:
    """A table with one row for each item and a count for each label."""

    name = "counts"
    takes = ("item", "counts", "unordered")
    summary = "table, one row per item: how many annotators chose each label"
    known_by = "columns of counts that `--counts` names"
    example = "agree votes.csv --item id --counts 'votes_*'"

    def can_open(self, sources: Sequence[Source], options: Options) -> bool:  # noqa: ARG002
        """Tell whether count columns are named."""
        return options.counts is not None

    def read(self, sources: Sequence[Source], options: Options) -> xr.Dataset:
        """Read the files as one table."""
        names = head(sources[0]).names
        if options.counts is None:
            raise IaaError(
                f"{named('counts')} must name the columns with the counts, as in "
                f"{keyword('counts', 'yes,no')}"
            )
        columns = expand_stars(options.counts, names)
        counted = [name for name, _ in columns]
        ids = item_columns(names, options, counted)
        table, kept = read_named(
            sources, options, {"item": ids}, {"counts": counted}, "counts the ratings of a label"
        )
        frame, rows, skipped = _frame(table, ids, columns, options.duplicates)
        if ids:
            _refuse_totals(table, ids, rows, frame)
        ratings = counted_ratings(
            frame, None if options.labels is None else as_numbers(options.labels)
        )
        ratings = add_columns(ratings, table, kept, lambda: Belonging.one_an_item(rows, table.rows))
        labels = frame.columns.tolist()
        read_as = [
            Note("read_counts"),
            items_from(ids),
            Note("read_annotators_unknown"),
            Note("read_labels_in_columns", {"names": labels[:10], "labels": len(labels)}),
        ]
        return add_notes(ratings, read_as, [*table.notes, *skipped])


def _refuse_totals(table: Tables, ids: Sequence[str], rows: Integers, frame: pd.DataFrame) -> None:
    lines, _ = lines_of(frame.to_numpy(dtype=np.float64), frame.index, None)
    for place, name in lines.totals.items():
        row = int(rows[place])
        raise IaaError(
            f"{table.where(row)}: {name} holds the totals of the others, which are counted "
            f"already: leave it out with {to_exclude(table, ids, row)}"
        )


def _frame(
    table: Tables, ids: Sequence[str], columns: Sequence[tuple[str, str]], duplicates: str
) -> tuple[pd.DataFrame, Integers, list[Note]]:
    """Return the counts as numbers, the rows used, and notes on the rows left out."""
    rows: Integers = np.arange(table.rows)
    index: pd.Index = pd.Index(rows + 1)
    skipped: list[Note] = []

    def where(row: int) -> str:
        return f"{table.where(row)} (item {brief(python_value(index[row]))})"

    if ids:
        codes, items = table.items(ids)
        refuse_unnamed(table, ids, np.flatnonzero(codes < 0), "item")
        index = pd.Index(items[codes], dtype=items.dtype)
        rows, skipped = one_an_item(table, ids, rows, codes, where, duplicates)
    counts = {label: counts_of(table, name, where) for name, label in columns}
    frame = pd.DataFrame(counts, index=index).iloc[rows]
    frame.columns = pd.Index(as_numbers(list(counts)))
    return frame, rows, skipped
