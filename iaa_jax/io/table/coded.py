"""Columns of text by their distinct cells, without blanks around them.

A column comes as chunks of Arrow, each of which has a dictionary of its own. The cells of these
dictionaries are looked at, not those of every row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Integers
from iaa_jax.data.assemble import IndexedNames
from iaa_jax.data.labels import Column
from iaa_jax.io.table.cells import Missing

POOL = pa.system_memory_pool()  # that of Arrow itself keeps twice the memory


def text_column(cells: Sequence[str | None]) -> pa.ChunkedArray:
    """Make a column of cells; None where there is nothing.

    Raises
    ------
    IaaError
        If a cell is no text: half of a pair of surrogates, which JSON can spell.
    """
    try:
        return pa.chunked_array([pa.array(cells, pa.string()).dictionary_encode()])
    except UnicodeEncodeError as error:
        msg = f"{shown([error.object])} is no text: {error.reason}; correct the escapes in the file"
        raise IaaError(msg) from None


def known_cells(column: pa.ChunkedArray, missing: Missing) -> Column:
    """Give a column by its distinct cells, in the order of their first rows; -1 for missing.

    Examples
    --------
    >>> from iaa_jax.io.table.cells import BLANK
    >>> codes, cells = known_cells(text_column(["b", None, " b", "a", ""]), BLANK)
    >>> codes.tolist(), cells
    ([0, -1, 0, 1, -1], ['b', 'a'])
    """
    codes, distinct = _coded(column, _stripped(column))
    cells = cast("list[str]", distinct.to_pylist())
    if missing.none_of(cells):
        return codes, cells
    code_of: dict[str, int] = {}
    lookup = [-1 if c in missing else code_of.setdefault(c, len(code_of)) for c in cells]
    return np.array([*lookup, -1], dtype=codes.dtype).take(codes), list(code_of)


def item_names(column: pa.ChunkedArray) -> IndexedNames:
    """Give a column of item ids with its names: whole numbers if all ids are, else text.

    Examples
    --------
    >>> item_names(text_column(["12", "7"]))[1], item_names(text_column(["07", ""]))[1]
    (array([12,  7]), array(['07'], dtype=object))
    """
    texts = _stripped(column)
    # only what is blank is missing: "NA" or "null" may be the very word that was rated
    blank = pc.equal(texts, "")
    if pc.any(blank).as_py():
        texts = pc.if_else(blank, None, texts, memory_pool=POOL)
    numbers = whole_numbers(texts)
    codes, distinct = _coded(column, texts if numbers is None else numbers)
    return codes, np.array(distinct.to_numpy(zero_copy_only=False))


def whole_numbers(texts: pa.StringArray) -> pa.Int64Array | None:
    """Give the whole numbers that texts spell; None unless all are spelt as usual, and fit.

    Usual is what Python writes for the number.

    Examples
    --------
    >>> whole_numbers(pa.array(["12", "-7"])).tolist()
    [12, -7]
    >>> whole_numbers(pa.array(["12", "07"])) is whole_numbers(pa.array(["1e3"])) is None
    True
    """
    # other text is told first: to cast it is slow
    figures = pc.all(pc.ascii_is_decimal(pc.ascii_ltrim(texts, "-", memory_pool=POOL))).as_py()
    if not figures or texts.null_count == len(texts):
        return None
    try:
        numbers = texts.cast(pa.int64(), memory_pool=POOL)
    except pa.ArrowInvalid:
        return None
    return numbers if numbers.cast(pa.string(), memory_pool=POOL).equals(texts) else None


def _stripped(column: pa.ChunkedArray) -> pa.StringArray:
    """The cells of all dictionaries of a column, one after the other."""
    cells = pa.concat_arrays([chunk.dictionary for chunk in column.chunks], POOL)
    return pc.utf8_trim_whitespace(cells, memory_pool=POOL)


def _coded(column: pa.ChunkedArray, cells: pa.Array) -> tuple[Integers, pa.Array]:
    """The code of each row, and the distinct ones of the cells of all dictionaries."""
    encoded = pc.dictionary_encode(cells, memory_pool=POOL)
    # small codes: every step that follows reads them
    dtype = np.min_scalar_type(-max(1, len(encoded.dictionary)))
    lookup = _numbers(encoded.indices).astype(dtype)
    codes = np.empty(len(column), dtype)
    row = cell = 0
    for chunk in column.chunks:
        last_row, last_cell = row + len(chunk), cell + len(chunk.dictionary)
        of_chunk = np.append(lookup[cell:last_cell], dtype.type(-1))
        # wrapped, -1 is the last place, and nothing is copied on the way
        np.take(of_chunk, _numbers(chunk.indices), out=codes[row:last_row], mode="wrap")
        row, cell = last_row, last_cell
    return codes, encoded.dictionary


def _numbers(indices: pa.Array) -> Integers:
    """Places in a dictionary; -1 for null."""
    filled = indices.fill_null(-1) if indices.null_count else indices
    return np.asarray(filled.to_numpy())
