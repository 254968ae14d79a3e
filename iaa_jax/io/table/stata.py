"""Data sets of Stata (.dta) as tables, which pandas reads."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from iaa_jax._errors import IaaError, brief
from iaa_jax.io.table.head import Head, Progress
from iaa_jax.io.table.parquet import ParquetTable
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.stored import StoredValues

if TYPE_CHECKING:
    import pandas as pd


def head(source: Source) -> Head:
    """Read the column names and the first rows."""
    return _values(source).head(source)


def table(source: Source, wanted: Sequence[str], progress: Progress | None = None) -> ParquetTable:
    """Read the wanted columns."""
    return _values(source).table(source, wanted, progress)


def _values(source: Source) -> StoredValues:
    return source.once("stata", lambda: _read(source))


def _read(source: Source) -> StoredValues:
    from pandas.io.stata import StataReader  # slow to load

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd names, which stay as they are
            data = source.raw()
            reader: Any = StataReader(io.BytesIO(data), convert_categoricals=False)
            frame = reader.read()
            labelled = [str(name) for name in frame if reader.value_labels().get(str(name))]
            declared = _declared(data, frame)
        return StoredValues.of(frame, labelled, declared)
    except (MemoryError, IaaError):
        raise
    except Exception as error:  # whatever a damaged file makes of it
        reason = " ".join(str(error).split()) or type(error).__name__
        msg = f"{source} cannot be read as a file of Stata: {brief(reason)}"
        raise IaaError(msg) from None


def _declared(data: bytes, frame: pd.DataFrame) -> dict[str, list[str]]:
    """The cells that are missing by one of the values ".a" to ".z": "." says nothing."""
    from pandas.io.stata import StataReader

    empty = [name for name in frame if frame[name].dtype.kind == "f" and frame[name].isna().any()]
    if not empty:
        return {}
    marked: Any = StataReader(io.BytesIO(data), convert_categoricals=False, convert_missing=True)
    told = {}
    for name, column in marked.read(columns=empty).items():
        kinds = [str(cell) for cell in column[frame[name].isna()]]
        told[str(name)] = [kind for kind in kinds if kind != "."]
    return {name: kinds for name, kinds in told.items() if kinds}
