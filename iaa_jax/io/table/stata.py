"""Data sets of Stata (.dta) as tables, which pandas reads."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from typing import Any

from iaa_jax._errors import IaaError, brief
from iaa_jax.io.table.head import Head, Progress
from iaa_jax.io.table.parquet import ParquetTable
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.stored import StoredValues


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
            reader: Any = StataReader(io.BytesIO(source.raw()), convert_categoricals=False)
            frame = reader.read()
            labelled = [str(name) for name in frame if reader.value_labels().get(str(name))]
        return StoredValues.of(frame, labelled)
    except (MemoryError, IaaError):
        raise
    except Exception as error:  # whatever a damaged file makes of it
        reason = " ".join(str(error).split()) or type(error).__name__
        msg = f"{source} cannot be read as a file of Stata: {brief(reason)}"
        raise IaaError(msg) from None
