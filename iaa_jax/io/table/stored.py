"""Data sets of statistics packages as tables: values as they are stored, not their labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from iaa_jax._errors import IaaError
from iaa_jax.data.cells import as_written
from iaa_jax.io.table.head import DeclaredMissing, Head, Progress
from iaa_jax.io.table.json_fields import cell_text
from iaa_jax.io.table.parquet import SAMPLE, ParquetTable
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note


class StoredValues(NamedTuple):
    """A data set, which of its columns have labels of their values, and what is declared missing.

    Attributes
    ----------
    columns : pyarrow.Table
        The data, nothing where a cell is missing.
    labelled : list of str
        The columns with labels of their values.
    declared : dict
        Of columns with cells that the file declares missing, how many, and their values.
    """

    columns: pa.Table
    labelled: list[str]
    declared: Mapping[str, DeclaredMissing]

    @classmethod
    def of(
        cls,
        frame: pd.DataFrame,
        labelled: Sequence[str],
        declared: Mapping[str, Iterable[object]],
    ) -> StoredValues:
        """From a data frame: whole numbers as such, short floats as they are written.

        ``declared`` has the value of each cell that the file declares missing, by its column.
        """
        plain = pd.DataFrame({str(name): _plain(frame[name]) for name in frame})
        cells = {name: [*map(_written, values)] for name, values in declared.items()}
        return cls(
            pa.Table.from_pandas(plain, preserve_index=False),
            [*labelled],
            {n: DeclaredMissing(len(each), [*dict.fromkeys(each)]) for n, each in cells.items()},
        )

    def head(self, source: Source) -> Head:
        """The column names and the first rows."""
        columns = self.columns
        if not columns.num_rows:
            msg = f"{source} has columns but no rows"
            raise IaaError(msg)
        first = columns[:SAMPLE].columns
        cells = [[cell_text(value) or "" for value in column.to_pylist()] for column in first]
        rows = [list(row) for row in zip(*cells, strict=True)]
        note = Note("read_stored_values", {"columns": self.labelled}) if self.labelled else None
        return Head(columns.column_names, rows, note=note, declared=self.declared)

    def table(
        self, source: Source, wanted: Sequence[str], progress: Progress | None
    ) -> ParquetTable:
        """The wanted columns."""
        if progress is not None:
            progress(self.columns.num_rows, self.columns.num_rows)
        return ParquetTable(source, self.columns.select(list(dict.fromkeys(wanted))))


def _written(value: object) -> str:
    """A value as text, a whole number as such."""
    return str(int(value) if isinstance(value, float) and value % 1 == 0 else value)


def _plain(column: pd.Series) -> pd.Series:
    """Numbers as they were typed: whole ones as such, short floats as they are written."""
    if column.dtype.kind != "f":
        return column
    numbers = as_written(column.to_numpy()) if column.dtype == np.float32 else column.to_numpy()
    known = numbers[~np.isnan(numbers)]
    with np.errstate(invalid="ignore"):  # the rest of what is endless
        whole = bool((known % 1 == 0).all()) and bool((np.abs(known) < 1 << 53).all())
    return pd.Series(numbers).astype("Int64" if whole else "Float64")
