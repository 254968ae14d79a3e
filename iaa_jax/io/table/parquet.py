"""Parquet files as tables, through pyarrow. Fields inside fields are named with dots."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax.data.assemble import IndexedNames
from iaa_jax.data.labels import Column
from iaa_jax.io.table.head import Head, Progress
from iaa_jax.io.table.json_records import cell_text
from iaa_jax.io.table.source import Source

SAMPLE = 1000


@dataclass(frozen=True)
class ParquetTable:
    """Columns of a Parquet file."""

    source: Source
    columns: Any  # pyarrow.Table

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.columns.num_rows)

    tidy = frozenset[str]()

    def column(self, name: str) -> Column:
        """Give a column by its distinct cells, as text; -1 where there is nothing."""
        import pyarrow as pa

        data = self.columns[name]
        if pa.types.is_nested(data.type) or pa.types.is_null(data.type):
            texts = [cell_text(value) for value in data.to_pylist()]
            cells = pa.chunked_array([pa.array(texts, pa.string())])
        else:
            cells = data
        encoded = cells.unify_dictionaries() if pa.types.is_dictionary(cells.type) else cells
        if not pa.types.is_dictionary(encoded.type):
            encoded = encoded.dictionary_encode()
        array = encoded.combine_chunks()
        if isinstance(array, pa.ChunkedArray):  # empty, in older versions
            array = array.chunk(0)
        codes = array.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        texts = [cell_text(value) for value in array.dictionary.to_pylist()]
        lookup = np.array([-1 if t is None else k for k, t in enumerate(texts)] + [-1])
        return lookup[codes], ["" if text is None else text for text in texts]

    def whole(self, name: str) -> IndexedNames | None:  # noqa: ARG002
        """Leave it to the texts whether all are whole numbers."""
        return None

    def where(self, row: int) -> str:
        """Say where a row stands."""
        return f"{self.source} row {row + 1}"


def head(source: Source) -> Head:
    """Read the column names and the first rows."""
    file = _file(source)
    if file.metadata.num_rows == 0:
        msg = f"{source} has columns but no rows"
        raise IaaError(msg)
    batch = next(file.iter_batches(batch_size=SAMPLE))
    first = _flat(batch)
    columns = [[cell_text(value) or "" for value in column.to_pylist()] for column in first.columns]
    return Head(first.column_names, [list(row) for row in zip(*columns, strict=True)])


def table(source: Source, wanted: Sequence[str], progress: Progress | None = None) -> ParquetTable:
    """Read the wanted columns."""
    import pyarrow as pa

    file = _file(source)
    names = set(file.schema_arrow.names)
    columns = list(dict.fromkeys(n if n in names else n.split(".")[0] for n in wanted))
    parts, done = [], 0
    for batch in file.iter_batches(columns=columns):
        parts.append(batch)
        done += batch.num_rows
        if progress is not None:
            progress(done, file.metadata.num_rows)
    return ParquetTable(source, _flat(pa.Table.from_batches(parts)))


def _file(source: Source) -> Any:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        msg = (
            f"{source} is a Parquet file, which needs pyarrow: install it with "
            "'pip install iaa_jax[parquet]'"
        )
        raise IaaError(msg) from None
    try:
        return source.once("parquet", lambda: parquet.ParquetFile(io.BytesIO(source.raw())))
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        msg = f"{source} cannot be read as Parquet: {reason}"
        raise IaaError(msg) from None


def _flat(columns: Any) -> Any:
    """Give each field of a field a column of its own, named with dots."""
    import pyarrow as pa

    flat = pa.Table.from_batches([columns]) if isinstance(columns, pa.RecordBatch) else columns
    while any(pa.types.is_struct(field.type) for field in flat.schema):
        flat = flat.flatten()
    return flat
