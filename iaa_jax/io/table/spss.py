"""Data sets of SPSS (.sav, .zsav) as tables, which pyreadstat reads."""

from __future__ import annotations

from collections.abc import Sequence

from iaa_jax.io.table.apart import Package, read_apart
from iaa_jax.io.table.head import Head, Progress
from iaa_jax.io.table.parquet import ParquetTable
from iaa_jax.io.table.source import Source

_SPSS = Package("spss", "SPSS", "pyreadstat", "save it as CSV or for Stata (File > Save as)")


def head(source: Source) -> Head:
    """Read the column names and the first rows."""
    return read_apart(source, _SPSS).head(source)


def table(source: Source, wanted: Sequence[str], progress: Progress | None = None) -> ParquetTable:
    """Read the wanted columns."""
    return read_apart(source, _SPSS).table(source, wanted, progress)
