"""Delimited text (CSV, TSV and their kin): the head of a file, and its columns as text.

Arrow splits the rows. What it cannot split, or not into rows of one width, goes through the csv
module, which knows the line of each row and says what is wrong. Both give the same cells.
"""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NoReturn

import numpy as np
import pyarrow as pa
from pyarrow import csv as arrow_csv

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.labels import plural
from iaa_jax.io.table.content import SAMPLE
from iaa_jax.io.table.head import Head, Progress
from iaa_jax.io.table.source import Source

DELIMITERS = ",;\t|"
SPOKEN = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
BLOCK = 1 << 20  # bytes that Arrow splits at a time
LONGEST_CELL = 1 << 30
END = "\0"  # a row after the last one, which no text holds: a quoted cell that is open swallows it
TEXT = pa.dictionary(pa.int32(), pa.string())


@dataclass(frozen=True)
class DelimitedTable:
    """Columns of one file, and the means to say where a row stands."""

    source: Source
    columns: dict[str, pa.ChunkedArray]
    rows: int
    delimiter: str

    def column(self, name: str) -> pa.ChunkedArray:
        """Give a column of text."""
        return self.columns[name]

    def where(self, row: int) -> str:
        """Say where a row stands."""
        return f"{self.source} line {self.lines[row]}"

    @cached_property
    def lines(self) -> list[int]:
        """The line of the file on which each row begins."""
        return [line for line, _ in _records(self.source.content(), self.delimiter)][1:]


def head(source: Source) -> Head:
    """Read the column names and the first rows.

    Raises
    ------
    IaaError
        If the file cannot be read as text, is empty, or has a single column or no rows.
    """
    data = source.content(SAMPLE)
    delimiter, records = _delimiter(source, data)
    if not records:
        msg = f"{source} is empty: it has no header and no rows"
        raise IaaError(msg)
    (line, header), *first = records
    names = _names(source, header)
    if not first and len(_records(source.content(), delimiter)) == 1:
        msg = f"{source} has a header but no rows"
        raise IaaError(msg)
    header_lines = line + sum(name.count("\n") for name in header)
    return Head(names, [row for _, row in first], delimiter, header_lines)


def table(
    source: Source, wanted: Sequence[str], progress: Progress | None = None
) -> DelimitedTable:
    """Read some columns of a whole file as text.

    Raises
    ------
    IaaError
        As for `head`, and if a row has more or fewer cells than the header.
    """
    start = source.once("head", lambda: head(source))
    positions = [start.names.index(name) for name in wanted]
    columns = _split(source, start, positions, progress)
    if columns is None:
        columns = _explained(source, start, positions)
    count = len(columns[0])
    if progress is not None:
        progress(count, count)
    return DelimitedTable(source, dict(zip(wanted, columns, strict=True)), count, start.delimiter)


def rows(lines: Iterable[str], delimiter: str) -> Iterator[tuple[int, list[str]]]:
    r"""Yield each record that is not blank with the line on which it begins.

    Examples
    --------
    >>> list(rows(["a,b\n", "\n", '"1\n', '2",x\n'], ","))
    [(1, ['a', 'b']), (3, ['1\n2', 'x'])]
    """
    with _long_cells():
        reader = csv.reader(lines, delimiter=delimiter)
        line = 1
        for row in reader:
            if row and (len(row) > 1 or row[0].strip(" \t")):
                yield line, row
            line = reader.line_num + 1


class _QuotesError(Exception):
    """Text holds quotes, and so perhaps newlines inside cells."""


class _Blocks:
    """Blocks of text as a file, for Arrow."""

    closed = False

    def __init__(self, blocks: Iterator[bytes], *, may_quote: bool) -> None:
        self._blocks = chain(blocks, [f"\n{END}".encode()])
        self._may_quote = may_quote

    def read(self, size: int = -1) -> bytes:  # noqa: ARG002
        """Give the next block, which is no larger than Arrow asks for."""
        block = next(self._blocks, b"")
        if not self._may_quote and b'"' in block:
            raise _QuotesError
        return block

    def close(self) -> None:
        """Leave the file to those who opened it."""


def _split(
    source: Source, start: Head, positions: Sequence[int], progress: Progress | None
) -> list[pa.ChunkedArray] | None:
    """Split a file by Arrow; None where only the csv module can, or can say why not."""
    at_end = False

    def leave_out(row: arrow_csv.InvalidRow) -> str:
        nonlocal at_end
        if row.text == END:
            at_end = True
            return "skip"
        return "error" if row.actual_columns > 1 or row.text.strip(" \t") else "skip"

    names = [str(number) for number in range(len(start.names))]
    wanted = [names[position] for position in positions]

    def parsed(*, may_quote: bool) -> pa.Table:
        blocks = source.blocks(BLOCK) if progress is None else _counted(source, start, progress)
        return arrow_csv.read_csv(
            _Blocks(blocks, may_quote=may_quote),
            arrow_csv.ReadOptions(
                column_names=names, skip_rows=start.header_lines, block_size=BLOCK
            ),
            arrow_csv.ParseOptions(
                delimiter=start.delimiter,
                newlines_in_values=may_quote,  # else a block may end inside a cell
                invalid_row_handler=leave_out,
            ),
            arrow_csv.ConvertOptions(
                check_utf8=False,  # the blocks are
                column_types=dict.fromkeys(wanted, TEXT),
                include_columns=wanted,
                null_values=[],
            ),
        )

    try:
        try:
            columns = parsed(may_quote=False)
        except _QuotesError:
            columns = parsed(may_quote=True)
    except pa.ArrowInvalid:
        return None
    return columns.columns if at_end else None


def _counted(source: Source, start: Head, progress: Progress) -> Iterator[bytes]:
    """Yield blocks, and tell how many of all lines below the header were in them."""
    total = sum(block.count(b"\n") for block in source.blocks(BLOCK)) - start.header_lines
    done = -start.header_lines
    for block in source.blocks(BLOCK):
        yield block
        done += block.count(b"\n")
        progress(done, total)


def _explained(source: Source, start: Head, positions: Sequence[int]) -> list[pa.ChunkedArray]:
    """Split a file by the csv module, or say what is wrong with it."""
    width = len(start.names)
    columns = [_Column(position) for position in positions]
    ragged = []
    records = rows(chain(_lines(source.content()), ["\n", END]), start.delimiter)
    line, row = next(records)
    for line, row in records:
        if row[-1].endswith(END):
            break
        if len(row) != width:
            ragged.append((line, len(row)))
            continue
        for column in columns:
            column.add(row)
    if ragged:
        _refuse_ragged(source, ragged, width, start.delimiter)
    if row != [END]:
        msg = (
            f"{source} cannot be split into rows: a quoted cell is not closed, perhaps the one "
            f"that begins on line {line}; check the quotation marks"
        )
        raise IaaError(msg)
    return [column.chunks() for column in columns]


class _Column:
    """A column that grows by a cell a row."""

    def __init__(self, position: int) -> None:
        self._position = position
        self._codes = array("i")
        self._code_of: dict[str, int] = {}

    def add(self, row: Sequence[str]) -> None:
        """Add the cell of a further row."""
        cell = row[self._position]
        self._codes.append(self._code_of.setdefault(cell, len(self._code_of)))

    def chunks(self) -> pa.ChunkedArray:
        """The column as Arrow has it."""
        codes = pa.array(np.frombuffer(self._codes, dtype=np.int32))
        cells = pa.array(list(self._code_of), pa.string())
        return pa.chunked_array([pa.DictionaryArray.from_arrays(codes, cells)])


Records = list[tuple[int, list[str]]]


def _delimiter(source: Source, data: bytes) -> tuple[str, Records]:
    """Choose the character that cuts most of the first rows as it cuts the header; give the rows.

    Only what cuts the header is tried: that is one character, for most files.
    """
    if source.suffix in (".tsv", ".tab"):
        return "\t", _records(data, "\t")
    best, best_records, score = ",", None, (0.0, 0)
    for delimiter in DELIMITERS:
        header = next(rows(_lines(data), delimiter), None)
        if header is None or len(header[1]) == 1:
            continue
        cut = _records(data, delimiter)
        width = len(header[1])
        regular = sum(len(row) == width for _, row in cut) / len(cut)
        if (regular, width) > score:
            best, best_records, score = delimiter, cut, (regular, width)
    return best, _records(data, best) if best_records is None else best_records


def _records(data: bytes, delimiter: str) -> Records:
    return list(rows(_lines(data), delimiter))


def _lines(data: bytes) -> io.StringIO:
    return io.StringIO(data.decode(), newline="")


def _names(source: Source, header: list[str]) -> list[str]:
    if len(header) == 1:
        msg = (
            f"{source} has a single column, {header[0]!r}: its cells must be separated by one of "
            f"{', '.join(SPOKEN.values())}"
        )
        raise IaaError(msg)
    return [name.strip() or f"column {k}" for k, name in enumerate(header, start=1)]


def _refuse_ragged(
    source: Source, ragged: Sequence[tuple[int, int]], width: int, delimiter: str
) -> NoReturn:
    """Refuse rows of other widths than the header's, each given by its line and its width."""
    (line, cells), *rest = ragged
    further = shown([line for line, _ in rest])
    more = f", and {plural(len(rest), 'further row')} (line {further})" if rest else ""
    msg = (
        f"{source} line {line}: {plural(cells, 'cell')} where the header names "
        f"{width} columns{more}; they are separated by {SPOKEN[delimiter]}; "
        "put cells that contain the separator in quotes"
    )
    raise IaaError(msg)


@contextmanager
def _long_cells() -> Iterator[None]:
    # the limit of the csv module is one for the whole process
    before = csv.field_size_limit(LONGEST_CELL)
    try:
        yield
    finally:
        csv.field_size_limit(before)
