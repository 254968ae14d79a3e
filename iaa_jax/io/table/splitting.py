"""Splits text into rows of cells, and finds the separator and the column names."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from threading import Lock
from typing import NoReturn

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.labels import parse_number
from iaa_jax.io.table.content import LONGEST, MEGABYTE, SAMPLE
from iaa_jax.io.table.source import Source
from iaa_jax.wording import keyword, with_ways

DELIMITERS, BLANK = ",;\t|", " "

Records = list[tuple[int, list[str]]]


def rows(lines: Iterable[str], delimiter: str) -> Iterator[tuple[int, list[str]]]:
    r"""Yield each record that is not blank, with the line on which it begins.

    Examples
    --------
    >>> list(rows(["a,b\n", "\n", '"1\n', '2",x\n'], ","))
    [(1, ['a', 'b']), (3, ['1\n2', 'x'])]
    """
    with _LONG_CELLS:
        reader = csv.reader(lines, delimiter=delimiter)
        line = 1
        try:
            for row in reader:
                if row and (len(row) > 1 or row[0].strip(" \t")):
                    yield line, row
                line = reader.line_num + 1
        except csv.Error:
            raise IaaError(
                f"line {line}: a cell of more than {LONGEST // MEGABYTE} MB; check that rows end "
                "with line breaks, and quoted cells with a quotation mark"
            ) from None


def split(source: Source, data: bytes) -> tuple[str, Records, list[str]]:
    """Return the separator, the first rows, and the lines of comments above them.

    Comments begin with '#', and have another number of cells than the rows below.

    Raises
    ------
    IaaError
        If it is unclear whether the first row below comments has the column names.
    """
    if not data.strip(b"\n "):  # thousands of blank lines would be split slowly
        return DELIMITERS[0], [], []
    lines = _comments(data)
    header_line = source.header_line
    if lines and not (header_line and header_line <= len(lines)):
        body = data.split(b"\n", len(lines))[-1]
        delimiter, records = _delimiter_of(source, body, len(lines))
        widths = Counter(len(row) for _, row in records)  # the last row may be incomplete
        width = max(widths, key=widths.__getitem__, default=0)
        fit = [first_width(line.encode(), delimiter) == width for line in lines]
        if width > 1 and not any(fit[:-1]):
            if fit[-1]:
                del lines[-1]
                body = data.split(b"\n", len(lines))[-1]
                return delimiter, records_of(body, delimiter, len(lines)), lines
            sure = names_columns([row for _, row in records[_titles(records) :]])
            if header_line is None and not sure:
                _refuse_unsure(source, records[0][0])
            return delimiter, records, lines
    return *_delimiter_of(source, data), []


def _comments(data: bytes) -> list[str]:
    """Return the first lines that begin with '#' or are blank."""
    lines = []
    for line in io.BytesIO(data):
        text = line.decode().strip()
        if text and not text.startswith("#"):
            break
        lines.append(text)
    while lines and not lines[-1]:
        del lines[-1]
    return lines


def first_width(data: bytes, delimiter: str) -> int:
    """Return the number of cells in the first row that is not blank; 0 if there is none."""
    return len(next(rows(lines_of(data), delimiter), (0, []))[1])


def _refuse_unsure(source: Source, line: int) -> NoReturn:
    raise IaaError(
        with_ways(
            f"{source} line {line}, the first below lines that begin with '#', may hold the names "
            "of the columns or be a row like those below",
            [
                f"if it holds names, give {keyword('header_line', line)}",
                f"if there are no names, give {keyword('header_line', 0)}",
            ],
        )
    )


def _delimiter_of(source: Source, data: bytes, above: int = 0) -> tuple[str, Records]:
    """Return the separator with which the most rows are as wide as the header, and the rows.

    Separators that occur in the first row are tried first. The others are tried if no row below has
    the width of the first row, which may be a title.
    """
    if source.suffix in (".tsv", ".tab"):
        return "\t", records_of(data, "\t", above)
    cutting = [mark for mark in DELIMITERS if first_width(data, mark) > 1]
    others = [mark for mark in DELIMITERS if mark not in cutting]
    title = data.find(b"\n", 0, SAMPLE) >= 0  # a line that is too long is no row
    best, best_records, score = ",", None, (0.0, 0)
    for delimiter in (*cutting, *others):
        if delimiter in others and (score[0] or not title):
            break
        cut = records_of(data, delimiter, above)
        _, (_, header), below = parted(source, cut) if cut else ([], (0, []), [])
        width = len(header) + lacks_row_names(data, header, below)
        regular = sum(len(row) == width for _, row in below) / max(len(below), 1)
        if width > 1 and (regular, width) > score:
            best, best_records, score = delimiter, cut, (regular, width)
    # blanks separate cells only if all rows have one width, unlike prose
    if not score[0] and title:
        (_, header), *below = records_of(data[: data.rfind(b"\n") + 1], BLANK) or [(0, [])]
        width = len(header) + lacks_row_names(data, header, below)
        if width > 1 and {len(row) for _, row in below} == {width}:
            return BLANK, records_of(data, BLANK, above)
    return best, records_of(data, best, above) if best_records is None else best_records


def parted(source: Source, records: Records) -> tuple[Records, tuple[int, list[str]], Records]:
    """Divide records into titles (lines above the header), the header, and the rows below.

    If the header line is 0, there is no header, and columns are named by their number.
    """
    if source.header_line == 0:
        width = len(records[0][1])
        return [], (0, [str(place) for place in range(1, width + 1)]), records
    number = _titles(records)
    if source.header_line is not None:
        lines = [line for line, _ in records]
        if source.header_line not in lines:
            raise IaaError(
                f"{source}: no row begins on line {source.header_line}; the first rows begin on "
                f"the lines {shown(lines)}"
            )
        number = lines.index(source.header_line)
    return records[:number], records[number], records[number + 1 :]


def _titles(records: Records) -> int:
    """Count the titles, if a line of names certainly follows them; otherwise return 0.

    A title has a single filled cell, or begins with '#' and has another width than the rows.
    """
    width = len(records[-1][1])
    number = 0
    for _, row in records:
        comment = row[0].startswith("#") and len(row) != width
        if not comment and sum(map(bool, row)) > 1:
            break
        number += 1
    return number if names_columns([row for _, row in records[number:]]) else 0


def names_columns(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first of these rows certainly names their columns."""
    if len(rows) < 2:
        return False
    names, *below = rows
    cells = {cell for row in below for cell in row}
    sure = len(names) > 1 and all(names) and len({*names}) == len(names)
    return sure and cells.isdisjoint(names) and all(parse_number(name) is None for name in names)


def lacks_row_names(data: bytes, header: Sequence[str], below: Records) -> bool:
    r"""Tell whether rows, but not the header, begin with a quoted name, as in files from R.

    Examples
    --------
    >>> below = [(2, ["1", "a", "b"]), (3, ["2", "b", "b"])]
    >>> lacks_row_names(b'"x" "y"\n"1" "a" "b"\n"2" "b" "b"\n', ["x", "y"], below)
    True
    """
    names = {row[0] for _, row in below if len(row) == len(header) + 1}
    named = len(header) > 1 and len(names) == len(below) > 1
    return named and all(line.startswith(b'"') for line in data.split(b"\n") if line)


def records_of(data: bytes, delimiter: str, above: int = 0) -> Records:
    """Return the rows of a text with their line numbers; ``above`` lines precede the text."""
    return [(line + above, row) for line, row in rows(lines_of(data), delimiter)]


def lines_of(data: bytes) -> io.StringIO:
    """Return a text as a stream of lines."""
    return io.StringIO(data.decode(), newline="")


class _LongCells:
    """Allows the csv module to read long cells while a reader is active.

    The module's limit is global: the first active reader raises it, and the last one restores it.
    """

    def __init__(self) -> None:
        self.lock, self.readers, self.before = Lock(), 0, 0

    def __enter__(self) -> None:
        with self.lock:
            if not self.readers:
                self.before = csv.field_size_limit(LONGEST)
            self.readers += 1

    def __exit__(self, *error: object) -> None:
        with self.lock:
            self.readers -= 1
            if not self.readers:
                csv.field_size_limit(self.before)


_LONG_CELLS = _LongCells()
