"""Splits delimited text (CSV, TSV and similar): the head of a file, and its columns as text.

Arrow splits most files. The csv module splits small or very wide files, because it is faster there,
and files that Arrow refuses, because it knows the line of each row.
"""

from __future__ import annotations

import io
import os
from array import array
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, partial
from itertools import chain, takewhile
from typing import NamedTuple, NoReturn

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import csv as csv_of_arrow

from iaa_jax._errors import IaaError, brief, shown
from iaa_jax.io.table.coded import POOL, CodedCells, TextColumn, coded_cells
from iaa_jax.io.table.content import FEWEST, LONGEST, SAMPLE
from iaa_jax.io.table.head import FileColumns, Head, Progress, check_names
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.splitting import lacks_row_names, lines_of, names_columns, parted, rows, split
from iaa_jax.io.table.unpacking import Blocks
from iaa_jax.wording import Note, keyword, with_ways
from iaa_jax.wording.formats import counted

SPOKEN = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars", " ": "blanks"}
BLOCK = 1 << 20  # number of bytes that a thread splits at a time
MOST_OF_ARROW, SHORT = 1 << 10, 1 << 12
"""Arrow splits files faster than csv up to this many columns, and from this size in bytes."""
THREADS = min(4, os.cpu_count() or 1)
# maximum number and length of titles (lines above the column names) in a note
TITLES, LONGEST_TITLE = 3, 60
ROW_NAMES = "row names"  # the name of a column that R leaves unnamed
# added as a last row: a quoted cell that is not closed runs into it
END = "\0"


def head(source: Source, *, empty: bool = False) -> Head:
    """Read the column names and the first rows; ``empty`` allows a table without rows.

    Raises
    ------
    IaaError
        If the file cannot be read as text, is empty, or has a single column or no rows.
    """
    data = source.content(SAMPLE, FEWEST)
    delimiter, records, comments = split(source, data)
    if not records:
        raise IaaError(f"{source} is empty: it has no header and no rows")
    titles, (line, header), first = parted(source, records)
    check_names(source, header)
    note = None
    last, width = header[-1].strip(), len(header) - 1
    if last.startswith("#") and width > 1 and first and all(len(row) == width for _, row in first):
        header = header[:-1]
        note = Note("read_header_comment", {"text": last[:LONGEST_TITLE]})
    if source.header_line != 0 and lacks_row_names(data, header, first):
        header, note = [ROW_NAMES, *header], Note("read_row_names")
    names = _names(source, header)
    header_lines = max(line + sum(name.count("\n") for name in header), len(comments))
    if not first and not empty:
        whole = rows(_lines_of(source), delimiter)
        if all(line <= header_lines for line, _ in whole):
            raise IaaError(f"{source} has a header but no rows")
    if titles:
        texts = [" ".join(cell for cell in row if cell.strip()) for _, row in titles]
        above = [text[:LONGEST_TITLE] for text in texts if text][:TITLES]
        note = Note("read_header_below", {"line": line, "titles": above})
    if comments:
        texts = [text[:LONGEST_TITLE] for text in comments if text]
        comment_note = Note("read_comments", {"lines": len(texts), "texts": texts[:TITLES]})
        note = Note(
            "read_together", {"parts": [comment_note] if note is None else [comment_note, note]}
        )
    rows_below = [row for _, row in first if row != header]
    return Head(names, rows_below, delimiter, header_lines, note, source.header_line == 0)


def table(source: Source, wanted: Sequence[str], progress: Progress | None = None) -> FileColumns:
    """Read the wanted columns of a whole file as text.

    Raises
    ------
    IaaError
        As for `head`, and if a row has more or fewer cells than the header, or a quoted cell is not
        closed.
    """
    start = source.once("head", lambda: head(source))
    positions = [start.positions[name] for name in wanted]
    by_arrow = len(start.names) <= MOST_OF_ARROW and not source.is_short(SHORT)
    columns = _split(source, start, positions, progress) if by_arrow else None
    if columns is None:
        columns = _explained(source, start, positions)
    count = _length(columns[0])
    if progress is not None:
        progress(count, count)

    @cache
    def lines() -> NDArray[np.int64]:
        """Return the line on which each row begins."""
        records = rows(_lines_of(source), start.delimiter)
        return np.fromiter((line for line, _ in records if line > start.header_lines), np.int64)

    by_name = dict(zip(wanted, columns, strict=True))
    return FileColumns(count, by_name.__getitem__, lambda row: f"{source} line {lines()[row]}")


def _split(
    source: Source, start: Head, positions: Sequence[int], progress: Progress | None
) -> list[TextColumn] | None:
    """Split a file with Arrow; None if the csv module has to split it."""
    total = done = 0
    if progress is not None:
        newlines = sum(block.count(b"\n") for block in source.blocks(THREADS * BLOCK))
        total = newlines - start.header_lines
    columns: list[TextColumn] = [[] for _ in positions]
    texts = _texts(source, start.header_lines)
    try:
        for text, parts in _in_threads(partial(_parsed, start, positions), texts):
            if text.quoted:
                return parts
            for column, part in zip(columns, parts, strict=True):
                column += part
            if progress is not None:
                done += _length(parts[0])
                progress(done, max(done, total))
    except pa.ArrowInvalid:
        return None
    return columns


def _in_threads(
    parse: Callable[[_Text], list[TextColumn]], texts: Iterator[_Text]
) -> Iterator[tuple[_Text, list[TextColumn]]]:
    """Parse the texts in parallel; yield each with its columns, in order."""
    first = next(texts, None)
    second = next(texts, None)
    if first is not None and second is None:
        yield first, parse(first)
        return
    texts = chain(filter(None, (first, second)), texts)
    ahead: deque[tuple[_Text, Future[list[TextColumn]]]] = deque()
    with ThreadPoolExecutor(THREADS) as pool:
        for text in texts:
            ahead.append((text, pool.submit(parse, text)))
            if len(ahead) > THREADS:
                first, columns = ahead.popleft()
                yield first, columns.result()
        for text, columns in ahead:
            yield text, columns.result()


class _Text(NamedTuple):
    """Whole lines of a file; if any cell is quoted, the whole file, with `END` as the last line."""

    lines: pa.NativeFile
    header_lines: int
    quoted: bool = False


def _texts(source: Source, header_lines: int) -> Iterator[_Text]:
    unfinished, above = b"", header_lines
    for block in chain(source.blocks(BLOCK), [b"\n"]):
        if b'"' in block:  # a cell may contain a newline, and a block may end there
            whole = chain(source.blocks(BLOCK), [f"\n{END}".encode()])
            yield _Text(pa.PythonFile(Blocks(whole), "r"), header_lines, quoted=True)
            return
        if len(unfinished) > LONGEST:
            raise pa.ArrowInvalid("a line is too long")
        text = unfinished + block
        if (end := text.rfind(b"\n") + 1) and text.strip(b" \t\r\n"):
            yield _Text(pa.BufferReader(pa.py_buffer(text).slice(0, end)), above)
            above = 0
        # the next text begins with a newline, because Arrow removes a byte-order mark from the
        # first cell
        unfinished = text[max(end - 1, 0) :]


def _parsed(start: Head, positions: Sequence[int], text: _Text) -> list[TextColumn]:
    """Split a text into columns with Arrow."""
    closed = not text.quoted

    def leave_out(row: csv_of_arrow.InvalidRow) -> str:
        nonlocal closed
        if row.text == END:
            closed = True
            return "skip"
        return "error" if row.actual_columns > 1 or row.text.strip(" \t") else "skip"

    names = [str(number) for number in range(len(start.names))]
    wanted = [names[position] for position in positions]
    # reading a stream starts slowly, and fails without rows
    parse = csv_of_arrow.open_csv if text.quoted else csv_of_arrow.read_csv
    split = parse(
        text.lines,
        csv_of_arrow.ReadOptions(
            column_names=names,
            skip_rows=text.header_lines,
            block_size=BLOCK,
            use_threads=False,
        ),
        csv_of_arrow.ParseOptions(
            delimiter=start.delimiter,
            quote_char='"' if text.quoted else False,
            newlines_in_values=text.quoted,
            invalid_row_handler=leave_out,
        ),
        csv_of_arrow.ConvertOptions(
            check_utf8=False,  # the text is UTF-8
            column_types=dict.fromkeys(wanted, pa.string()),
            include_columns=wanted,
            null_values=[],
        ),
        POOL,
    )
    columns: list[TextColumn] = [[] for _ in wanted]
    for batch in split if text.quoted else split.to_batches():
        for column, cells in zip(columns, batch.columns, strict=True):
            column.append(coded_cells(cells))
    if not closed:
        raise pa.ArrowInvalid("a quoted cell is not closed")
    return columns


def _length(column: TextColumn) -> int:
    return sum(len(part.codes) for part in column)


def _explained(source: Source, start: Head, positions: Sequence[int]) -> list[TextColumn]:
    """Split a file with the csv module; refuse a damaged one."""
    width = len(start.names)
    columns = [(position, array("i"), dict[str, int]()) for position in positions]
    ragged = []
    records = rows(chain(_lines_of(source), ["\n", END]), start.delimiter)
    line, row = 1, list[str]()
    for line, row in records:
        if row[-1].endswith(END):
            break
        if line <= start.header_lines:
            continue
        if len(row) != width:
            ragged.append((line, len(row)))
            continue
        for position, codes, code_of in columns:
            codes.append(code_of.setdefault(row[position], len(code_of)))
    if ragged:
        _refuse_ragged(source, ragged, start)
    if row != [END]:
        raise IaaError(
            f"{source} cannot be split into rows: a quoted cell is not closed, perhaps the one "
            f"that begins on line {line}; check the quotation marks"
        )
    return [
        [CodedCells(np.array(codes), pa.array(list(code_of), pa.string()))]
        for _, codes, code_of in columns
    ]


def _lines_of(source: Source) -> io.TextIOBase:
    if source.is_short(SHORT):
        return lines_of(source.content())
    stream = io.BufferedReader(Blocks(source.blocks(BLOCK)), BLOCK)
    return io.TextIOWrapper(stream, "utf-8", newline="")


def _names(source: Source, header: list[str]) -> list[str]:
    if len(header) == 1:
        raise IaaError(
            f"{source} has a single column, {brief(header[0])}: its cells must be separated by one "
            f"of {', '.join(SPOKEN.values())}"
        )
    return [name.strip() or f"column {k}" for k, name in enumerate(header, start=1)]


def _refuse_ragged(source: Source, ragged: Sequence[tuple[int, int]], start: Head) -> NoReturn:
    """Refuse rows whose width differs from the header; ``ragged`` has their lines and widths."""
    (line, cells), *further = ragged
    width, delimiter = len(start.names), start.delimiter
    ways = ["put cells that contain the separator in quotes"]
    if all(few < width for _, few in ragged):
        ways = [f"if the last cells of a row are empty, end it with {SPOKEN[delimiter]} for them"]
    fitting = [*takewhile(lambda row: len(row) == width, start.rows)]
    others = start.rows[len(fitting) :]
    alike = len({cells for _, cells in ragged}) == 1 and len({*map(len, others)}) == 1
    if alike and len(others[0]) == 1:  # a title above the names may have another separator
        mark = next((mark for mark in SPOKEN if mark in others[0][0]), delimiter)
        others = [row[0].split(mark) for row in others]
    if alike and (not fitting or names_columns(others)):
        ways.append(
            f"if the names of the columns are below line {start.header_lines}, give "
            f"{keyword('header_line', line)}"
        )
    lines = shown([line for line, _ in further])
    more = (
        f" ({counted(len(further), 'more row')} of other widths: lines {lines})" if further else ""
    )
    raise IaaError(
        with_ways(
            f"{source} line {line} has {counted(cells, 'cell')}, but the header names {width:,} "
            f"columns{more}; cells are taken to be separated by {SPOKEN[delimiter]}",
            [*ways, "if this is not a table of ratings, see 'iaa formats'"],
        )
    )
