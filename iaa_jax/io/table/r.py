"""Data frames of R (.rds) as tables, which rdata reads."""

from __future__ import annotations

from collections.abc import Sequence

from iaa_jax.io.table.apart import Package, read_apart
from iaa_jax.io.table.head import Head, Progress
from iaa_jax.io.table.parquet import ParquetTable
from iaa_jax.io.table.source import Source

_R = Package(
    "r", "R", "rdata", 'write it as CSV: write.csv(data, "data.csv", row.names = FALSE) in R'
)


def head(source: Source) -> Head:
    """Read the column names and the first rows."""
    return read_apart(source, _R).head(source)


def table(source: Source, wanted: Sequence[str], progress: Progress | None = None) -> ParquetTable:
    """Read the wanted columns."""
    return read_apart(source, _R).table(source, wanted, progress)
