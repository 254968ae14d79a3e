"""Stores columns of text as codes of their distinct cells.

A column comes in parts, each with its own distinct cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Integers
from iaa_jax.data.assemble import IndexedNames
from iaa_jax.data.factorize import Column
from iaa_jax.io.table.cells import Missing

POOL = pa.system_memory_pool()  # Arrow's default pool keeps twice the memory

FIRST = 1000  # number of rows that usually contain all recurring cells
ONCE = 1.1  # with at most this many runs of equal cells per distinct cell, runs are coded


class CodedCells(NamedTuple):
    """A part of a column: each row's index in ``cells``, or -1 if its cell is empty."""

    codes: Integers
    cells: pa.StringArray


TextColumn = list[CodedCells]
"""A column, part by part."""


def coded_cells(rows: pa.Array) -> CodedCells:
    """Represent an array of text by its cells, most of them once, and each row's index of a cell.

    Examples
    --------
    >>> codes, cells = coded_cells(pa.array(["b", "a", "b"]))
    >>> codes.tolist(), cells.tolist()
    ([0, 1, 0], ['b', 'a'])
    """
    if pa.types.is_dictionary(rows.type):
        cells = rows.dictionary
        return CodedCells(_numbers(rows.indices).astype(_smallest(cells)), cells)
    if (by_byte := _by_byte(rows)) is not None:
        return by_byte
    first = rows[:FIRST]
    known, runs = pc.unique(first, memory_pool=POOL), pc.run_end_encode(first, memory_pool=POOL)
    return _by_run(rows) if len(runs.values) <= ONCE * len(known) else _by_cell(rows, known)


def _by_byte(rows: pa.StringArray) -> CodedCells | None:
    """Code cells of one byte each, without hashing; None for other cells."""
    _, ends, text = rows.buffers()
    if rows.null_count or text is None:
        return None
    ends = np.frombuffer(ends, np.int32)[rows.offset : rows.offset + len(rows) + 1]
    if ends[-1] - ends[0] != len(rows) or not (np.diff(ends) == 1).all():
        return None
    cells = np.frombuffer(text, np.uint8)[ends[0] : ends[-1]]
    known = np.flatnonzero(np.bincount(cells, minlength=256))
    known = known[np.argsort([np.argmax(cells == byte) for byte in known])]
    code_of = np.zeros(256, dtype=np.int8)
    code_of[known] = np.arange(len(known))
    return CodedCells(code_of[cells], pa.array(map(chr, known), pa.string()))


def _by_run(rows: pa.StringArray) -> CodedCells:
    """Code runs of equal cells, without hashing."""
    runs = pc.run_end_encode(rows, run_end_type=pa.int32(), memory_pool=POOL)
    lengths = np.diff(runs.run_ends.to_numpy(), prepend=0)
    return CodedCells(np.repeat(np.arange(len(lengths), dtype=np.int32), lengths), runs.values)


def _by_cell(rows: pa.StringArray, cells: pa.StringArray) -> CodedCells:
    """Code rows by their index in ``cells``; hash them if some are not in ``cells``."""
    codes = pc.index_in(rows, cells, memory_pool=POOL)
    if codes.null_count:
        return coded_cells(pc.dictionary_encode(rows, memory_pool=POOL))
    return CodedCells(codes.to_numpy().astype(_smallest(cells)), cells)


def text_column(cells: Sequence[str | None]) -> TextColumn:
    """Make a column of text from its cells; None is an empty cell.

    Raises
    ------
    IaaError
        If a cell has an unpaired surrogate, which JSON can contain.
    """
    try:
        return [coded_cells(pa.array(cells, pa.string()))]
    except UnicodeEncodeError as error:
        raise IaaError(
            f"{shown([error.object])} is no text: {error.reason}; correct the escapes in the file"
        ) from None


def known_cells(column: TextColumn, missing: Missing) -> tuple[Column, list[str]]:
    """Return a column of codes (-1 if missing) and distinct cells, and the texts read as missing.

    Examples
    --------
    >>> from iaa_jax.io.table.cells import BLANK
    >>> (codes, cells), gaps = known_cells(text_column(["b", None, " b", "a", ""]), BLANK)
    >>> codes.tolist(), cells, gaps
    ([0, -1, 0, 1, -1], ['b', 'a'], [])
    """
    codes, distinct = _coded(column, _stripped(column))
    cells = cast("list[str]", distinct.to_pylist())
    if missing.none_of(cells):
        return (codes, cells), []
    code_of: dict[str, int] = {}
    lookup = [-1 if c in missing else code_of.setdefault(c, len(code_of)) for c in cells]
    gaps = [cell for cell, code in zip(cells, lookup, strict=True) if code < 0 and cell]
    column_of_codes = np.array([*lookup, -1], dtype=codes.dtype).take(codes), list(code_of)
    return column_of_codes, gaps


def spelt_with_blanks(columns: Iterable[TextColumn]) -> dict[str, int]:
    """Count the rows with blanks around a text that other rows have without blanks.

    A column whose cells all have surrounding blanks does not count.

    Examples
    --------
    >>> spelt_with_blanks([text_column(["b ", "b", " a"]), text_column([" b", " a"])])
    {'b': 1}
    """
    plain, padded, times = [], [], []
    for column in columns:
        cells, texts = pa.concat_arrays([part.cells for part in column], POOL), _stripped(column)
        if cells.equals(texts):
            plain.append(texts)
            continue
        has_blanks = pc.not_equal(cells, texts, memory_pool=POOL)
        plain.append(texts.filter(pc.invert(has_blanks)))
        if pc.any(pc.not_equal(plain[-1], "")).as_py():
            rows = [np.bincount(c.codes[c.codes >= 0], minlength=len(c.cells)) for c in column]
            padded.append(texts.filter(has_blanks))
            times.append(np.concatenate(rows)[has_blanks.to_numpy(zero_copy_only=False)])
    if not padded:
        return {}
    padded_cells, rows_of_each = pa.concat_arrays(padded), np.concatenate(times)
    both = pc.is_in(padded_cells, pc.unique(pa.concat_arrays(plain))).to_numpy(zero_copy_only=False)
    encoded = padded_cells.filter(pa.array(both)).dictionary_encode()
    sums = np.bincount(encoded.indices.to_numpy(), rows_of_each[both]).astype(int).tolist()
    return dict(zip(encoded.dictionary.to_pylist(), sums, strict=True))


def item_names(column: TextColumn) -> IndexedNames:
    """Return a column of item ids with its names: integers if all are whole numbers, else text.

    Examples
    --------
    >>> item_names(text_column(["12", "7"]))[1], item_names(text_column(["07", ""]))[1]
    (array([12,  7]), array(['07'], dtype=object))
    """
    texts = _stripped(column)
    # only blanks are missing: "NA" or "null" may be the rated word
    blank = pc.equal(texts, "")
    if pc.any(blank).as_py():
        texts = pc.if_else(blank, None, texts, memory_pool=POOL)
    numbers = whole_numbers(texts)
    codes, distinct = _coded(column, texts if numbers is None else numbers)
    return codes, distinct.to_numpy(zero_copy_only=False, writable=True)


def rows_of(column: TextColumn, text: str) -> NDArray[np.bool_] | None:
    """Tell which rows have a text as their cell; None if no row has it.

    Examples
    --------
    >>> rows_of(text_column(["b", " a", None]), "a"), rows_of(text_column(["b"]), "a")
    (array([False,  True, False]), None)
    """
    is_it = pc.equal(_stripped(column), text)
    if not pc.any(is_it).as_py():
        return None
    codes, known = _coded(column, is_it)
    rows: NDArray[np.bool_] = codes == known.index(True).as_py()
    return rows


def whole_numbers(texts: pa.StringArray) -> pa.Int64Array | None:
    """Return the whole numbers in texts; None unless all have Python's spelling and fit 64 bits.

    Examples
    --------
    >>> whole_numbers(pa.array(["12", "-7"])).tolist()
    [12, -7]
    >>> whole_numbers(pa.array(["12", "07"])) is whole_numbers(pa.array(["1e3"])) is None
    True
    """
    # casting is slow: other text is recognised before, usually in the first rows
    if not all(map(_in_figures, (texts[:FIRST], texts))) or texts.null_count == len(texts):
        return None
    try:
        numbers = texts.cast(pa.int64(), memory_pool=POOL)
    except pa.ArrowInvalid:
        return None
    return numbers if numbers.cast(pa.string(), memory_pool=POOL).equals(texts) else None


def _in_figures(texts: pa.StringArray) -> bool:
    plain = pc.ascii_is_decimal(pc.ascii_ltrim(texts, "-", memory_pool=POOL))
    return pc.all(plain).as_py() is not False


def _stripped(column: TextColumn) -> pa.StringArray:
    """Return the cells of all parts of a column, without surrounding blanks."""
    cells = [part.cells for part in column] or [pa.array([], pa.string())]
    return pc.utf8_trim_whitespace(pa.concat_arrays(cells, POOL), memory_pool=POOL)


def _coded(column: TextColumn, cells: pa.Array) -> tuple[Integers, pa.Array]:
    """Return the code of each row, and the distinct cells of all parts."""
    numbers, distinct = _distinct(cells)
    dtype = _smallest(distinct)
    lookup = numbers.astype(dtype)
    codes = np.empty(sum(len(part.codes) for part in column), dtype)
    row = cell = 0
    for part in column:
        last_row, last_cell = row + len(part.codes), cell + len(part.cells)
        of_part = np.append(lookup[cell:last_cell], dtype.type(-1))
        # code -1 wraps to the last entry, which avoids a copy
        np.take(of_part, part.codes, out=codes[row:last_row], mode="wrap")
        row, cell = last_row, last_cell
    return codes, distinct


def _distinct(cells: pa.Array) -> tuple[Integers, pa.Array]:
    """Return the code of each cell, in order of first occurrence, and the distinct cells."""
    if (first := _first_in_order(cells)) is not None:  # without hashing
        return np.cumsum(first) - 1, pc.filter(cells, pa.array(first), memory_pool=POOL)
    encoded = pc.dictionary_encode(cells, memory_pool=POOL)
    return _numbers(encoded.indices), encoded.dictionary


def _first_in_order(cells: pa.Array) -> NDArray[np.bool_] | None:
    """Return a mask of the cells that differ from the one before; None if cells ever decrease.

    Shorter texts come first: "item 9" is before "item 10".
    """
    if cells.null_count or len(cells) < 1:
        return None
    before, after = cells[:-1], cells[1:]
    grows = pc.greater(after, before).to_numpy(zero_copy_only=False)
    if pa.types.is_string(cells.type):
        longer = np.diff(pc.binary_length(cells).to_numpy())
        grows = (longer > 0) | ((longer == 0) & grows)
    if not (grows | pc.equal(after, before).to_numpy(zero_copy_only=False)).all():
        return None
    return np.append(True, grows)


def _smallest(cells: pa.Array) -> np.dtype[np.signedinteger]:
    return np.min_scalar_type(-max(1, len(cells)))


def _numbers(indices: pa.Array) -> Integers:
    """Return the indices of a dictionary array; -1 for null."""
    filled = indices.fill_null(-1) if indices.null_count else indices
    return np.asarray(filled.to_numpy())
