"""Delimited text without quotes: checked at a glance, and split by pyarrow if it is there.

Quotes, blank lines and rows of other lengths are left to the slower ways, which know them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from iaa_jax.data.labels import Column
from iaa_jax.io.table.head import Progress

BLOCK = 1 << 26  # bytes that are split at a time
NEWLINE = b"\n"


def regular_rows(data: bytes, delimiter: str, width: int) -> int | None:
    r"""Count the rows, the header left out; None unless all are plain and have `width` cells.

    Examples
    --------
    >>> regular_rows(b"a,b\n1,2\n3,4", ",", 2), regular_rows(b"a,b\n1\n3,4,5\n", ",", 2)
    (2, None)
    """
    if b'"' in data:
        return None
    cut = delimiter.encode()
    marks = data.translate(None, bytes(set(range(256)) - {ord(cut), ord(NEWLINE)}))
    if not data.endswith(NEWLINE):
        marks += NEWLINE
    rows = data.count(NEWLINE) + (not data.endswith(NEWLINE))
    return rows - 1 if marks == (cut * (width - 1) + NEWLINE) * rows else None


def quick_columns(
    data: bytes,
    delimiter: str,
    width: int,
    places: Sequence[int],
    total: int,
    progress: Progress | None,
) -> dict[int, list[Column]] | None:
    """Split regular text into the columns at some places, a part for each block.

    None where pyarrow is not installed, or does not agree about the rows.
    """
    try:
        import pyarrow as pa
        from pyarrow import csv
    except ImportError:
        return None
    names = [str(k) for k in range(width)]
    wanted = [str(place) for place in places]
    text = pa.dictionary(pa.int32(), pa.string())
    read = csv.ReadOptions(column_names=names, block_size=1 << 22)
    parse = csv.ParseOptions(delimiter=delimiter, quote_char=False)
    convert = csv.ConvertOptions(
        column_types=dict.fromkeys(wanted, text), include_columns=wanted, strings_can_be_null=False
    )
    parts: dict[int, list[Column]] = {place: [] for place in places}
    buffer = pa.py_buffer(data)
    start, done = data.find(NEWLINE) + 1, 0
    while start < len(data):
        end = data.find(NEWLINE, min(start + BLOCK, len(data))) + 1 or len(data)
        try:
            block = csv.read_csv(
                pa.BufferReader(buffer.slice(start, end - start)),
                read_options=read,
                parse_options=parse,
                convert_options=convert,
            )
        except pa.ArrowException:
            return None
        block = block.unify_dictionaries()
        for place in places:
            parts[place].append(_column(block[str(place)]))
        start, done = end, done + block.num_rows
        if progress is not None:
            progress(done, total)
    return parts if done == total else None


def _column(cells: Any) -> Column:
    codes = np.concatenate([chunk.indices.to_numpy() for chunk in cells.chunks])
    return codes, cells.chunk(0).dictionary.to_pylist()
