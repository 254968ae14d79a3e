"""Data sets of Stata (.dta) as tables, which pandas reads: values as stored, not their labels."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from iaa_jax._errors import IaaError, brief
from iaa_jax.data.cells import as_written
from iaa_jax.io.table.head import Head, Progress
from iaa_jax.io.table.json_fields import cell_text
from iaa_jax.io.table.parquet import SAMPLE, ParquetTable
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note


def head(source: Source) -> Head:
    """Read the column names and the first rows."""
    columns, labelled = _data(source)
    if not columns.num_rows:
        msg = f"{source} has columns but no rows"
        raise IaaError(msg)
    cells = [[cell_text(value) or "" for value in c.to_pylist()] for c in columns[:SAMPLE].columns]
    note = Note("read_stored_values", {"columns": labelled}) if labelled else None
    return Head(columns.column_names, [list(row) for row in zip(*cells, strict=True)], note=note)


def table(source: Source, wanted: Sequence[str], progress: Progress | None = None) -> ParquetTable:
    """Read the wanted columns."""
    columns, _ = _data(source)
    if progress is not None:
        progress(columns.num_rows, columns.num_rows)
    return ParquetTable(source, columns.select(list(dict.fromkeys(wanted))))


def _data(source: Source) -> tuple[pa.Table, list[str]]:
    return source.once("stata", lambda: _read(source))


def _read(source: Source) -> tuple[pa.Table, list[str]]:
    """The columns, and which of them have labels of their values."""
    from pandas.io.stata import StataReader  # slow to load

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd names, which stay as they are
            reader: Any = StataReader(io.BytesIO(source.raw()), convert_categoricals=False)
            frame = reader.read()
            labelled = [str(name) for name in frame if reader.value_labels().get(str(name))]
        plain = pd.DataFrame({str(name): _plain(frame[name]) for name in frame})
        return pa.Table.from_pandas(plain, preserve_index=False), labelled
    except (MemoryError, IaaError):
        raise
    except Exception as error:  # whatever a damaged file makes of it
        reason = " ".join(str(error).split()) or type(error).__name__
        msg = f"{source} cannot be read as a file of Stata: {brief(reason)}"
        raise IaaError(msg) from None


def _plain(column: pd.Series) -> pd.Series:
    """Numbers as they were typed: whole ones as such, short floats as they are written."""
    if column.dtype.kind != "f":
        return column
    numbers = as_written(column.to_numpy()) if column.dtype == np.float32 else column.to_numpy()
    known = numbers[np.isfinite(numbers)]
    whole = bool((known % 1 == 0).all()) and bool((np.abs(known) < 1 << 53).all())
    return pd.Series(numbers).astype("Int64" if whole else "Float64")
