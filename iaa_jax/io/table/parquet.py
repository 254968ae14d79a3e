"""Reads Parquet files as tables; names of inner fields have dots."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from iaa_jax._errors import IaaError
from iaa_jax.data.cells import as_written
from iaa_jax.io.table.coded import TextColumn, coded_cells, text_column
from iaa_jax.io.table.head import FileColumns, Head, Progress
from iaa_jax.io.table.json_fields import cell_text
from iaa_jax.io.table.source import Source

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

SAMPLE = 1000


def as_texts(source: Source, columns: pa.Table) -> FileColumns:
    """Return columns of a file as text."""

    def column(name: str) -> TextColumn:
        cells = columns[name]
        kind = cells.type
        if is_bytes(kind):
            raise IaaError(
                f"{source}: the column {name!r} holds bytes that are not text (UTF-8): name "
                "another, or write it as text"
            )
        if pa.types.is_nested(kind) or pa.types.is_null(kind):
            return text_column([cell_text(value) for value in cells.to_pylist()])
        same = (
            cells.unify_dictionaries()
            if pa.types.is_dictionary(kind)
            else cells.dictionary_encode()
        )
        encoded = same.combine_chunks()
        known = encoded.dictionary
        if pa.types.is_string(known.type) or pa.types.is_large_string(known.type):
            texts = known.cast(pa.string())
        else:
            texts = pa.array([cell_text(value) for value in known.to_pylist()], pa.string())
        return [coded_cells(pa.DictionaryArray.from_arrays(encoded.indices, texts))]

    return FileColumns(columns.num_rows, column, lambda row: f"{source} row {row + 1}")


def head(source: Source) -> Head:
    """Read the column names and the first rows."""
    with _readable(source):
        batch = next(_batches(source, None, batch_size=SAMPLE), None)
        if batch is None:
            raise IaaError(f"{source} has columns but no rows")
        first = _flat(pa.Table.from_batches([batch]))
        cells = [_texts(column) for column in first.columns]
        return Head(first.column_names, [list(row) for row in zip(*cells, strict=True)])


def _texts(column: pa.ChunkedArray) -> list[str]:
    if not pa.types.is_dictionary(column.type):
        return [cell_text(value) or "" for value in column.to_pylist()]
    texts = []
    for part in column.chunks:
        known = [cell_text(value) or "" for value in part.dictionary.to_pylist()]
        texts += ["" if place is None else known[place] for place in part.indices.to_pylist()]
    return texts


def schema(source: Source, path: str) -> pa.Schema:
    """Return column names and types, without reading the rest of a file on disk."""
    from pyarrow.parquet import read_schema

    with _readable(source):
        return read_schema(path)


def table(source: Source, wanted: Sequence[str], progress: Progress | None = None) -> FileColumns:
    """Read the wanted columns."""
    with _readable(source):
        file = _file(source)
        names = set(file.schema_arrow.names)
        columns = list(dict.fromkeys(n if n in names else n.split(".")[0] for n in wanted))
        _check_room(source, file, columns)
        parts = [*_batches(source, progress, columns=columns)]
        return as_texts(source, _flat(pa.Table.from_batches(parts)))


def _check_room(source: Source, file: ParquetFile, columns: Sequence[str]) -> None:
    """Refuse rows that would take too much memory."""
    kinds = (field.type for field in file.schema_arrow if field.name in columns)
    bits = sum(32 if pa.types.is_string(kind) else _bits(kind) for kind in kinds)
    try:
        source.take(file.metadata.num_rows * bits // 8)
    except IaaError as error:
        raise IaaError(
            f"{error.message}; or count a long table where it is, by iaa.scan, in commands --scan"
        ) from None


def _bits(kind: pa.DataType) -> int:
    try:
        return int(kind.bit_width)
    except ValueError:
        return 0


def records(
    source: Source, size: int = SAMPLE, progress: Progress | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the rows as records."""
    with _readable(source):
        for batch in _batches(source, progress, batch_size=size):
            yield from batch.to_pylist()


def _file(source: Source) -> ParquetFile:
    from pyarrow.parquet import ParquetFile  # slow to import

    return source.once("parquet", lambda: ParquetFile(io.BytesIO(source.raw())))


def _batches(
    source: Source, progress: Progress | None, **options: object
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a file in batches, which are validated because a file may be damaged."""
    file, done, size = _file(source), 0, 0
    for batch in file.iter_batches(**options):
        batch.validate(full=True)
        yield (plain := _plain(batch))
        size += plain.nbytes
        source.take(size)
        done += plain.num_rows
        if progress is not None:
            progress(done, max(done, file.metadata.num_rows))


def is_bytes(kind: pa.DataType) -> bool:
    """Tell whether cells are bytes, as old writers store text."""
    return any(
        check(kind)
        for check in (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view)
    )


def _plain(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch with UTF-8 bytes as text, and short floats (16, 32 bits) as printed."""
    for place, field in enumerate(batch.schema):
        cells, kind = batch.column(place), field.type
        if is_bytes(kind):
            with suppress(pa.ArrowInvalid):
                cells = cells.cast(pa.string())
        elif pa.types.is_float16(kind) or pa.types.is_float32(kind):
            written = as_written(cells.to_numpy(zero_copy_only=False))
            cells = pa.array(written, mask=cells.is_null().to_numpy(zero_copy_only=False))
        if cells.type != kind:
            batch = batch.set_column(place, field.with_type(cells.type), cells)
    return batch


@contextmanager
def _readable(source: Source) -> Iterator[None]:
    """Turn errors of damaged files into an IaaError."""
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = next(iter(str(error).splitlines()), "it is damaged")
        raise IaaError(f"{source} cannot be read as Parquet: {reason}") from None


def _flat(columns: pa.Table) -> pa.Table:
    """Give each inner field a column of its own."""
    while any(pa.types.is_struct(field.type) for field in columns.schema):
        columns = columns.flatten()
    return columns
