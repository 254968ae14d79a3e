"""Regular delimited text: split by array operations, block by block and in threads.

Blank lines, rows of other lengths, quotes in unusual places and whatever is not text are left to
the slower ways, which know them all and say what is wrong.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax.data.assemble import IndexedNames
from iaa_jax.data.labels import Column
from iaa_jax.io.table import words
from iaa_jax.io.table.content import NEWLINE, QUOTE, RETURN, line_ends, regular
from iaa_jax.io.table.head import Progress
from iaa_jax.io.table.source import Source

BLOCK = 1 << 20  # bytes that are split at a time: what stays in the cache of a processor
AHEAD = 2  # blocks that wait for each thread


class Quick(NamedTuple):
    """The columns at some places, and which of them surely have no blanks around cells.

    Columns of whole numbers stand apart: they are text only where somebody asks for it.
    """

    rows: int
    columns: dict[int, Column]
    numbers: dict[int, IndexedNames]
    tidy: frozenset[int]


class Shape(NamedTuple):
    """How a table is cut, and the places of the columns to take."""

    delimiter: str
    width: int
    places: Sequence[int]


def quick_columns(source: Source, shape: Shape, progress: Progress | None) -> Quick | None:
    """Split regular text into columns; None where it is not regular."""
    total = 0 if progress is None else _total(source)
    parts: list[list[words.Cells]] = [[] for _ in shape.places]
    done = 0
    for cells_of_block in _split_blocks(source, shape):
        if cells_of_block is None:
            return None
        for part, cells in zip(parts, cells_of_block, strict=True):
            part.append(cells)
        done += cells_of_block[0].rows
        if progress is not None and cells_of_block[0].rows:
            progress(done, total)
    if not parts[0]:
        return None
    columns: dict[int, Column] = {}
    whole_numbers: dict[int, IndexedNames] = {}
    tidy = set()
    for position, part in zip(shape.places, parts, strict=True):
        column = words.column(part)
        if column is None:
            return None
        codes, known, numbers = column
        if numbers is not None:
            whole_numbers[position] = codes, numbers
            tidy.add(position)
        if known is None:
            continue
        text = words.lines(known)
        if text.count(b"\n") != known.shape[1]:  # a newline inside a cell
            return None
        if words.quoted(known, text):
            text = text.translate(None, b'"')
        columns[position] = (codes, words.spoken(text))
        if b'"' in text:
            columns[position] = _unquote(columns[position])
        elif words.tidy(known, text):
            tidy.add(position)
    return Quick(done, columns, whole_numbers, frozenset(tidy))


def _unquote(column: Column) -> Column:
    """Take quotes off cells; some may then be the same."""
    codes, cells = column
    code_of: dict[str, int] = {}
    lookup = []
    for cell in map(str, cells):
        text = cell[1:-1].replace('""', '"') if cell.startswith('"') else cell
        lookup.append(code_of.setdefault(text, len(code_of)))
    return (codes if len(code_of) == len(cells) else np.array(lookup)[codes]), list(code_of)


def _split_blocks(source: Source, shape: Shape) -> Iterator[list[words.Cells] | None]:
    """Split each block, in threads if there are several."""
    scratch = Scratch()
    blocks = source.blocks(BLOCK)
    start = next(blocks, None)
    if start is None:
        return
    first = split(start, shape, scratch, None)
    yield first
    second = next(blocks, None)
    if first is None or second is None:
        return
    # what the first block repeats, the others may repeat
    few = [words.few_of(cells) for cells in first]
    others = chain([second], blocks)
    threads = min(4, os.cpu_count() or 1)
    if threads < 2:
        for block in others:
            block_cells = split(block, shape, scratch, few)
            yield block_cells
            few = _grow(few, block_cells)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[list[words.Cells] | None]] = deque()
        try:
            for block in others:
                waiting.append(pool.submit(split, block, shape, scratch, few))
                if len(waiting) > AHEAD * threads:
                    block_cells = waiting.popleft().result()
                    yield block_cells
                    few = _grow(few, block_cells)  # in the order of blocks, hence of first rows
            while waiting:
                yield waiting.popleft().result()
        finally:
            for task in waiting:
                task.cancel()


def _grow(few: list[words.Few | None], cells: list[words.Cells] | None) -> list[words.Few | None]:
    return [words.grown(*both) for both in zip(few, cells or [], strict=False)]


class Scratch(threading.local):
    """Arrays that are used for one block after the other: new ones cost more than the work."""

    def __init__(self) -> None:
        # glibc hands freed arrays back to the system unless a larger one was freed before
        np.empty(32 * BLOCK, dtype=np.uint8)
        self.marks = np.empty((2, 0), dtype=bool)

    def arrays(self, size: int) -> NDArray[np.bool_]:
        """Give two arrays of this size."""
        if self.marks.shape[1] < size:
            self.marks = np.empty((2, size), dtype=bool)
        return self.marks[:, :size]


def split(
    block: bytes, shape: Shape, scratch: Scratch, few: Sequence[words.Few | None] | None
) -> list[words.Cells] | None:
    r"""Take cells out of whole lines; None unless they are plain and all of the same width.

    `few` are cells of the first block that may repeat; the first block itself has a header.

    Examples
    --------
    >>> shape = Shape(",", 2, [1])
    >>> cells = split(b"a,b\n1,x\n2,y\n", shape, Scratch(), None)
    >>> words.texts(cells[0].words)
    ['x', 'y']
    >>> split(b"1\n3,4,5\n", shape, Scratch(), [None]) is None
    True
    """
    if b"\0" in block or not _is_utf8(block):
        return None
    size = len(block)
    text = np.frombuffer(block + bytes(words.CELL + words.SIZE), dtype=np.uint8)
    marks, hits = scratch.arrays(size)
    np.equal(text[:size], NEWLINE, out=marks)
    newlines = np.count_nonzero(marks)
    np.equal(text[:size], ord(shape.delimiter), out=hits)
    np.logical_or(marks, hits, out=marks)
    if b'"' in block:
        quotes = np.equal(text[:size], QUOTE, out=hits)
        if not regular(text[:size], np.flatnonzero(quotes), shape.delimiter, [RETURN]):
            return None
        inside = np.bitwise_xor.accumulate(quotes.view(np.uint8), out=quotes.view(np.uint8))
        np.greater(marks, inside, out=marks)
    flat = np.flatnonzero(marks)
    rows = len(flat) // shape.width
    if rows == 0 or len(flat) != rows * shape.width:
        return None
    ends = flat.reshape(rows, shape.width)
    last = ends[:, -1]
    if b'"' in block:  # newlines inside quotes do not count
        newlines = np.count_nonzero(text[flat] == NEWLINE)
    if newlines != rows or not (text.take(last) == NEWLINE).all():
        return None
    if b"\r" in block:
        returns = text[last - 1] == RETURN
        if np.count_nonzero(text[:size] == RETURN) != np.count_nonzero(returns):
            return None
        last = last - returns
    cells = []
    header = few is None
    for position, known in zip(shape.places, few or [None] * len(shape.places), strict=True):
        stop = last[header:] if position == shape.width - 1 else ends[header:, position]
        if position:
            start = ends[header:, position - 1] + 1
        else:
            start = np.zeros(rows, dtype=np.int64)
            np.add(ends[:-1, -1], 1, out=start[1:])
            start = start[header:]
        lengths = stop - start
        if lengths.max(initial=0) > words.CELL:
            return None
        cells.append(words.narrowed(words.words_at(text, start, lengths), known))
    return cells


def _is_utf8(block: bytes) -> bool:
    if block.isascii():
        return True
    try:
        block.decode()
    except UnicodeDecodeError:
        return False
    return True


def _total(source: Source) -> int:
    """Count the rows of regular text."""
    return sum(len(line_ends(block)) for block in source.blocks(BLOCK)) - 1
