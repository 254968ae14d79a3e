"""Reader of tables with one row for each item and a count for each label."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, brief, shown
from iaa_jax.data.build_counts import counted_ratings
from iaa_jax.data.labels import offenders, parse_number
from iaa_jax.data.margins import lines_of
from iaa_jax.data.storage import python_value
from iaa_jax.io.base import Options, add_notes
from iaa_jax.io.table.cells import BLANK, as_numbers
from iaa_jax.io.table.columns import (
    ITEM,
    check_apart,
    check_columns,
    expand_stars,
    items_from,
    other_columns,
    refuse_options,
    refuse_question,
    split_names,
    usual_name,
)
from iaa_jax.io.table.excluding import to_exclude
from iaa_jax.io.table.kept import Belonging, add_columns, kept_columns
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.tables import Tables, kept_one, read_tables, repeats
from iaa_jax.wording import Note, keyword, named
from iaa_jax.wording.formats import counted

OPTIONS = ("item", "counts", "unordered")


class CountTable:
    """A table with one row for each item and a count for each label."""

    name = "counts"
    summary = "table, one row per item: how many annotators chose each label"
    known_by = "columns of counts that are named"
    example = "agree votes.csv --item id --counts 'votes_*'"

    def can_open(self, sources: Sequence[Source], options: Options) -> bool:  # noqa: ARG002
        """Tell whether the columns with the counts are named."""
        return options.counts is not None

    def read(self, sources: Sequence[Source], options: Options) -> xr.Dataset:
        """Read the files as one table."""
        refuse_question(options.question)
        refuse_options(options, "count", OPTIONS)
        names = head(sources[0]).names
        if options.counts is None:
            msg = (
                f"{named('counts')} must name the columns with the counts, as in "
                f"{keyword('counts', 'yes,no')}"
            )
            raise IaaError(msg)
        columns = expand_stars(options.counts, names)
        counted = [name for name, _ in columns]
        best = usual_name(other_columns(names, counted), ITEM)
        ids: tuple[str, ...] = () if best is None else (best,)
        if options.item is not None:
            ids = split_names(options.item, names)
        check_columns(sources[0], names, ids, named("item"))
        check_columns(sources[0], names, counted, named("counts"))
        check_apart({"item": ids, "counts": counted})
        kept = kept_columns(
            sources[0], options, {"item": ids, "counts the ratings of a label": counted}
        )
        named_by = f"{named('item')} or {named('counts')}"
        table = read_tables(sources, [*ids, *counted], named_by, options, kept)
        frame, rows, skipped = _frame(table, ids, columns, options.duplicates)
        if ids:
            _refuse_totals(table, ids, rows, frame)
        ratings = counted_ratings(
            frame, None if options.labels is None else as_numbers(options.labels)
        )
        ratings = add_columns(
            ratings, table, kept, lambda: Belonging.one_an_item(rows, table.rows), table.states
        )
        labels = frame.columns.tolist()
        read_as = [
            Note("read_counts"),
            items_from(ids),
            Note("read_annotators_unknown"),
            Note("read_labels_in_columns", {"names": labels[:10], "labels": len(labels)}),
        ]
        return add_notes(ratings, read_as, [*table.notes, *skipped])


READER = CountTable()


def _refuse_totals(
    table: Tables, ids: Sequence[str], rows: NDArray[np.int64], frame: pd.DataFrame
) -> None:
    """Refuse a row that is named like totals, and holds those of the others."""
    lines, _ = lines_of(frame.to_numpy(dtype=np.float64), frame.index, None)
    for place, name in lines.totals.items():
        row = int(rows[place])
        msg = (
            f"{table.where(row)}: {name} holds the totals of the others, which are counted "
            f"already: leave it out with {to_exclude(table, ids, row)}"
        )
        raise IaaError(msg)


def _frame(
    table: Tables, ids: Sequence[str], columns: Sequence[tuple[str, str]], duplicates: str
) -> tuple[pd.DataFrame, NDArray[np.int64], list[Note]]:
    """Bring the counts to numbers; give the rows that were taken, and note what was left out."""
    rows = np.arange(table.rows)
    index: pd.Index = pd.Index(rows + 1)
    skipped = []

    def where(row: int) -> str:
        return f"{table.where(row)} (item {brief(python_value(index[row]))})"

    if ids:
        codes, items = table.items(ids)
        nameless = np.flatnonzero(codes < 0)
        if nameless.size:
            msg = (
                f"{counted(nameless.size, 'row')} without item (from {shown(ids)}): "
                f"{offenders(nameless, table.where)}; fill the item in, or leave such rows out "
                f"with {to_exclude(table, ids, int(nameless[0]))}"
            )
            raise IaaError(msg)
        index = pd.Index(items[codes], dtype=items.dtype)
        describe = ("row", f"of the same item (from {shown(ids)})", where, table.where)
        again = repeats(rows, codes, duplicates, describe)
        if again.size:
            rows = rows[~np.isin(rows, again)]
            values = {"rows": again.size, **kept_one(duplicates)}
            skipped.append(Note("skipped_repeated_rows", values))
    counts = {}
    for name, label in columns:
        codes, cells = table.column(name, BLANK)
        numbers = [parse_number(str(cell)) for cell in cells]
        are_counts = [isinstance(n, int) and n >= 0 for n in numbers]
        wrong = np.flatnonzero(~np.array([*are_counts, False])[codes])
        if wrong.size:
            cell = cells[codes[wrong[0]]] if codes[wrong[0]] >= 0 else ""
            msg = (
                f"{counted(wrong.size, 'count')} of {name!r} not a whole number from 0: "
                f"{brief(cell)} at {offenders(wrong, where)}; write 0 where nobody chose the label"
            )
            raise IaaError(msg)
        counts[label] = np.array([n or 0 for n in numbers], dtype=np.int64)[codes]
    frame = pd.DataFrame(counts, index=index).iloc[rows]
    frame.columns = pd.Index(as_numbers(list(counts)))
    return frame, rows, skipped
