"""Reader of tables with one row for each item and a count for each label."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import xarray as xr

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.assemble import plain
from iaa_jax.data.build_counts import from_counts
from iaa_jax.data.labels import number_in, offenders, plural
from iaa_jax.io.base import Options
from iaa_jax.io.table.cells import BLANK, numbered
from iaa_jax.io.table.columns import (
    ITEM,
    check_apart,
    check_columns,
    refuse_options,
    refuse_question,
    split,
    starred,
    usual,
)
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.tables import Tables, repeats, tables

OPTIONS = ("item", "counts")


class CountTable:
    """A table with one row for each item and a count for each label."""

    name = "counts"
    summary = "table, one row an item: how many annotators chose each label"

    def can_open(self, sources: Sequence[Source], options: Options) -> bool:  # noqa: ARG002
        """Tell whether the columns with the counts are named."""
        return options.counts is not None

    def read(self, sources: Sequence[Source], options: Options) -> xr.Dataset:
        """Read the files as one table."""
        refuse_question(options.question)
        refuse_options(options, "count", OPTIONS)
        found = head(sources[0]).names
        if options.counts is None:
            msg = 'counts must name the columns with the counts, as in counts="yes,no"'
            raise IaaError(msg)
        columns = starred(options.counts, found)
        counted = [name for name, _ in columns]
        best = usual([name for name in found if name not in counted], ITEM)
        ids: tuple[str, ...] = () if best is None else (best,)
        if options.item is not None:
            ids = split(options.item, found)
        check_columns(sources[0], found, ids, "item")
        check_columns(sources[0], found, counted, "counts")
        check_apart({"item": ids, "counts": counted})
        read = tables(sources, [*ids, *counted], "item or counts", options.progress)
        frame, skipped = _frame(read, ids, columns, options.duplicates)
        ratings = from_counts(frame, None if options.labels is None else numbered(options.labels))
        origin = f"items from {shown(ids)}" if ids else "items are row numbers"
        read_as = f"count table, {origin}, annotators unknown, labels: {shown(frame.columns, 10)}"
        return ratings.assign_attrs(read_as=read_as, skipped=skipped)


READER = CountTable()


def _frame(
    found: Tables, ids: Sequence[str], columns: Sequence[tuple[str, str]], duplicates: str
) -> tuple[pd.DataFrame, str]:
    """Bring the counts to numbers, and say what was left out."""
    rows = np.arange(found.rows)
    index: pd.Index = pd.Index(rows + 1)
    skipped = ""

    def where(row: int) -> str:
        return f"{found.place(row)} (item {plain(index[row])!r})"

    if ids:
        codes, items = found.items(ids)
        nameless = np.flatnonzero(codes < 0)
        if nameless.size:
            msg = (
                f"{plural(nameless.size, 'row')} without item (from {shown(ids)}): "
                f"{offenders(nameless, found.place)}; fill the item in or remove these rows"
            )
            raise IaaError(msg)
        index = pd.Index(items[codes], dtype=items.dtype)
        describe = ("row", f"of the same item (from {shown(ids)})", where, found.place)
        again = repeats(rows, codes, duplicates, describe)
        if again.size:
            rows = rows[~np.isin(rows, again)]
            skipped = f"{plural(again.size, 'repeated row')} (kept the {duplicates})"
    counts = {}
    for name, label in columns:
        codes, cells = found.column(name, BLANK)
        numbers = [number_in(str(cell)) for cell in cells]
        whole = [isinstance(n, int) and n >= 0 for n in numbers]
        wrong = np.flatnonzero(~np.array([*whole, False])[codes])
        if wrong.size:
            cell = cells[codes[wrong[0]]] if codes[wrong[0]] >= 0 else ""
            msg = (
                f"{plural(wrong.size, 'count')} of {name!r} not a whole number from 0: {cell!r} at "
                f"{offenders(wrong, where)}; write 0 where nobody chose the label"
            )
            raise IaaError(msg)
        counts[label] = np.array([n or 0 for n in numbers], dtype=np.int64)[codes]
    frame = pd.DataFrame(counts, index=index).iloc[rows]
    frame.columns = pd.Index(numbered(list(counts)))
    return frame, skipped
