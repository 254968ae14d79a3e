"""Reader of contingency tables: counts of the labels of two annotators."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import xarray as xr

from iaa_jax._errors import IaaError
from iaa_jax.data.build_counts import cross_ratings
from iaa_jax.io.base import Options, add_notes
from iaa_jax.io.table.cells import BLANK, as_numbers
from iaa_jax.io.table.named_columns import count_in, counts_of
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.tables import Tables, read_tables
from iaa_jax.wording import Note


class ContingencyTable:
    """A table of counts: rows are one annotator's labels, columns the other's."""

    name = "contingency"
    takes = ()
    summary = "table of counts, label x label, of two annotators"
    known_by = "the same names for rows and columns, and whole numbers in the cells"
    example = "agree table.csv --format contingency"

    def can_open(self, sources: Sequence[Source], options: Options) -> bool:  # noqa: ARG002
        """Return False: many other tables look alike, so the caller has to name the format."""
        return False

    def read(self, sources: Sequence[Source], options: Options) -> xr.Dataset:
        """Read one file, in which one column names the rows."""
        if options.keep is not None:
            raise IaaError(
                "a contingency table cannot keep further columns: its rows are labels, so that no "
                "column describes items or annotators"
            )
        if len(sources) > 1:
            raise IaaError(f"a contingency table must be one file, not {len(sources)}")
        start = head(sources[0])
        table = read_tables(sources, start.names, "the header", options)
        rows = _column_of_rows(table, start.names)
        labels = [name for name in start.names if name != rows]
        codes, texts = table.column(rows, BLANK)
        unnamed = np.flatnonzero(codes < 0)
        if unnamed.size:
            raise IaaError(
                f"{table.where(int(unnamed[0]))}: a row without a label in its first cell"
            )
        index = as_numbers([str(texts[code]) for code in codes])
        columns = {name: counts_of(table, name, table.where) for name in labels}
        frame = pd.DataFrame(columns, index=index)
        frame.columns = pd.Index(as_numbers(labels))
        declared = None if options.labels is None else as_numbers(options.labels)
        ratings = cross_ratings(frame, declared)
        listed = {"names": labels[:10], "labels": len(labels)}
        return add_notes(
            ratings, [Note("read_contingency"), Note("read_labels_in_columns", listed)]
        )


def _column_of_rows(table: Tables, names: Sequence[str]) -> str:
    """Return the column that names the rows.

    It is the only column whose cells are the names of the other columns. Without such a column, it
    is the only one with cells that are not counts, or else the first.
    """
    cells = {name: [str(cell) for cell in table.column(name, BLANK)[1]] for name in names}
    alike = [name for name in names if {*cells[name]} == {*names} - {name}]
    others = [name for name in names if None in map(count_in, cells[name])]
    candidates = alike if len(alike) == 1 else others
    return candidates[0] if len(candidates) == 1 else names[0]
