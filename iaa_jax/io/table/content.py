"""The bytes of a delimited text file, and where its records begin and end.

The records are found by array operations where quotes follow the rules (RFC 4180); any other
file goes through the csv module, which is slower and decides.
"""

from __future__ import annotations

import bz2
import codecs
import csv
import gzip
import hashlib
import io
import itertools
import lzma
import os
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax.wording import keyword

SAMPLE = 1 << 15  # bytes that are enough to see how a file is laid out
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
MARKS = {  # that of UTF-32 first: it begins like that of UTF-16
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
BLOCK = 1 << 18
LONGEST_CELL = 1 << 30
LONGEST_LINE = 1 << 24
QUOTE, NEWLINE, RETURN = ord('"'), ord("\n"), ord("\r")


@dataclass(frozen=True)
class Held:
    """Bytes that came through a pipe, which can be read only once."""

    name: str
    data: bytes

    def __str__(self) -> str:
        return self.name

    def open(self, mode: str) -> IO[bytes]:  # noqa: ARG002
        """Open them as a file."""
        return io.BytesIO(self.data)


class Watched:
    """A file on disk that is opened several times, and must be the same each time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._first: tuple[object, ...] | None = None

    def __str__(self) -> str:
        return str(self.path)

    @property
    def name(self) -> str:
        """The name of the file without its folder."""
        return self.path.name

    def open(self, mode: str) -> IO[bytes]:
        """Open the file, and refuse it if it is not the one that was opened first."""
        file = self.path.open(mode)
        try:
            self.compare(file)
        except BaseException:
            file.close()
            raise
        return file

    def compare(self, file: IO[bytes]) -> None:
        """Refuse a file that was changed or replaced since it was first opened.

        Its time tells that, but not within the same tick of the clock: so does its beginning,
        where the header stands. The file is left at its beginning.
        """
        status = os.fstat(file.fileno())
        file.seek(0)
        beginning = hashlib.sha256(file.read(SAMPLE)).digest()
        state = status.st_size, status.st_mtime_ns, beginning
        file.seek(0)
        if self._first is None:
            self._first = state
        elif state != self._first:
            msg = (
                f"{self} was changed while it was read: something still writes it, or replaced it; "
                "read it again when it is complete"
            )
            raise IaaError(msg)


Stored = Path | zipfile.Path | Held | Watched


class Records(NamedTuple):
    """The records of a file that are not blank, the header included."""

    cells: NDArray[np.int64]  # number of cells
    lines: NDArray[np.int64]  # line on which the record begins, from 1


def content(path: Stored, limit: int = -1, encoding: str | None = None) -> bytes:
    """Read a file, unpacked, as UTF-8 with plain newlines and without a byte-order mark.

    With a limit, only whole lines from that many bytes are given. Text that is not UTF-8 must
    begin with the byte-order mark of UTF-16 or UTF-32, or its encoding must be named.
    """
    data = raw(path, limit)
    whole = not 0 <= limit <= len(data)
    _refuse_foreign(path, data)
    mark = next((name for start, name in MARKS.items() if data.startswith(start)), None)
    if encoding is not None or mark is not None:
        data = _recoded(path, data, encoding or str(mark), whole)
    if not whole:
        end = max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
        if end == 0:  # one long line: nothing less than the file will do
            return content(path, encoding=encoding)
        data = data[:end]
    nul = data.find(b"\0")
    if nul >= 0:
        msg = (
            f"{path} line {_line(data, nul)}: a NUL byte (byte {nul + 1} of the file); "
            "the file is damaged or not text: export it again as UTF-8 text, or name its encoding"
        )
        raise IaaError(msg)
    try:
        if not _is_utf8(data):
            data.decode("utf-8")  # says where
    except UnicodeDecodeError as error:
        msg = (
            f"{path} line {_line(data, error.start)}: byte {error.start + 1} of the file "
            f"(0x{data[error.start]:02X}) is not UTF-8; save the file as UTF-8, or name its "
            f"encoding, as in {keyword('encoding', 'latin-1')}"
        )
        raise IaaError(msg) from None
    data = data.removeprefix(BYTE_ORDER_MARK)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return data


def _recoded(path: Stored, data: bytes, encoding: str, whole: bool) -> bytes:
    """Bring text of another encoding to UTF-8; the end of a sample may cut a character."""
    try:
        return codecs.getincrementaldecoder(encoding)().decode(data, final=whole).encode()
    except UnicodeError as error:
        start = getattr(error, "start", 0)
        msg = (
            f"{path}: byte {start + 1} of the file is not {encoding}; "
            f"name its encoding, as in {keyword('encoding', 'utf-8')}"
        )
        raise IaaError(msg) from None


def records(data: bytes, delimiter: str) -> Records:
    r"""Find the records of a file.

    Examples
    --------
    >>> found = records(b'a,b\n\n"1\n2",x\n3\n', ",")
    >>> found.cells.tolist(), found.lines.tolist()
    ([2, 2, 1], [1, 3, 5])
    """
    scanned = _scanned(data, delimiter)
    return _parsed(data, delimiter) if scanned is None else scanned


def rows(data: bytes, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each record that is not blank with the line on which it begins."""
    text = io.StringIO(data.decode("utf-8"), newline="")
    with _long_cells():
        reader = csv.reader(text, delimiter=delimiter)
        line = 1
        for row in reader:
            if row and (len(row) > 1 or row[0].strip(" \t")):
                yield line, row
            line = reader.line_num + 1


def raw(path: Stored, limit: int = -1) -> bytes:
    """Read the bytes of a file, unpacked."""
    with _unpacked(path) as file:
        return file.read(limit)


def blocks(path: Stored, size: int, encoding: str | None = None) -> Iterator[bytes]:
    r"""Read a file as `content` does, in pieces of whole lines; they are not checked.

    Newlines stay as they are, but blank lines at the end are left out. A line beyond all measure
    comes in several pieces, the first of them without newline.
    """
    with _unpacked(path) as file:
        tail = b""
        for number in itertools.count():
            data = file.read(size)
            if number == 0:
                if encoding is not None or data.startswith(tuple(MARKS)):
                    file = io.BytesIO(content(path, encoding=encoding))
                    data = file.read(size)
                data = data.removeprefix(BYTE_ORDER_MARK)
            if not data:
                break
            tail += data
            # newlines at the end wait for what comes: blank lines may be all
            end = last_end(tail.rstrip(b"\r\n"))
            if end == 0 and len(tail) > LONGEST_LINE:
                end = len(tail)
            if end:
                yield tail[:end]
                tail = tail[end:]
        tail = tail.rstrip(b"\r\n")
        if tail:
            yield tail + b"\n"


def line_ends(data: bytes) -> NDArray[np.int64]:
    r"""Find the newlines that end records: those outside quotes.

    Examples
    --------
    >>> line_ends(b'"a\nb",c\nd,e\n').tolist()
    [7, 11]
    """
    codes = np.frombuffer(data, dtype=np.uint8)
    newlines, quotes = np.flatnonzero(codes == NEWLINE), np.flatnonzero(codes == QUOTE)
    return newlines[np.searchsorted(quotes, newlines) % 2 == 0]


def last_end(data: bytes) -> int:
    """Say where the last whole record ends; 0 if there is none."""
    if b'"' not in data:
        return data.rfind(b"\n") + 1
    stop = len(data)
    inside = np.count_nonzero(np.frombuffer(data, dtype=np.uint8) == QUOTE) % 2 == 1
    while stop >= 0:
        quote = data.rfind(b'"', 0, stop)
        newline = -1 if inside else data.rfind(b"\n", quote + 1, stop)
        if newline >= 0:
            return newline + 1
        stop, inside = quote, not inside
    return 0


@contextmanager
def _unpacked(path: Stored) -> Iterator[IO[bytes]]:
    """Open a file to read it unpacked; what goes wrong while it is read becomes an IaaError."""
    try:
        with path.open("rb") as file:
            start = file.read(6)
            file.seek(0)
            yield _unpacking(file, start)
            if isinstance(path, Watched):
                path.compare(file)
    except FileNotFoundError:
        msg = f"{path}: there is no such file"
    except IsADirectoryError:
        msg = f"{path} is a folder; name the files in it"
    except RuntimeError as error:
        # so says the zip module about archives with a password
        msg = f"{path} cannot be read: {error}"
    except (EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError, zipfile.BadZipFile) as error:
        msg = f"{path} is compressed and cannot be unpacked: {error}"
    except OSError as error:
        msg = f"{path} cannot be read: {error.strerror or error}"
    else:
        return
    raise IaaError(msg)


def _unpacking(file: IO[bytes], start: bytes) -> IO[bytes]:
    if start.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=file)  # type: ignore[return-value]
    if start.startswith(b"BZh"):
        return bz2.BZ2File(file)
    if start.startswith(b"\xfd7zXZ"):
        return lzma.LZMAFile(file)
    return file


def _refuse_foreign(path: Stored, data: bytes) -> None:
    if data.startswith(b"PK\x03\x04"):
        msg = f"{path} is a zip archive or a spreadsheet; unpack it, or save it as CSV"
        raise IaaError(msg)


def _is_utf8(data: bytes) -> bool:
    """Tell whether bytes are UTF-8, a block at a time: the whole text may take much more room."""
    if data.isascii():
        return True
    decoder = codecs.getincrementaldecoder("utf-8")()
    view = memoryview(data)
    try:
        for start in range(0, len(data), BLOCK):
            decoder.decode(view[start : start + BLOCK], final=start + BLOCK >= len(data))
    except UnicodeDecodeError:
        return False
    return True


def _line(data: bytes, position: int) -> int:
    before = data[:position].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return before.count(b"\n") + 1


def _scanned(data: bytes, delimiter: str) -> Records | None:
    """Find records without parsing; None where quotes stand in unusual places."""
    codes = np.frombuffer(data, dtype=np.uint8)
    newlines = np.flatnonzero(codes == NEWLINE)
    cuts = np.flatnonzero(codes == ord(delimiter))
    breaks = newlines
    if b'"' in data:
        quotes = np.flatnonzero(codes == QUOTE)
        if not regular(codes, quotes, delimiter):
            return None
        breaks = newlines[np.searchsorted(quotes, newlines) % 2 == 0]
        cuts = cuts[np.searchsorted(quotes, cuts) % 2 == 0]
    ends = breaks if data.endswith(b"\n") else np.append(breaks, len(data))
    starts = np.concatenate([[0], ends[:-1] + 1])[: len(ends)]
    before = np.searchsorted(cuts, ends)
    cells = np.diff(before, prepend=0) + 1
    blank = ends == starts
    for line in np.flatnonzero((cells == 1) & ~blank):
        blank[line] = not data[starts[line] : ends[line]].strip(b" \t")
    lines = np.searchsorted(newlines, starts) + 1
    return Records(cells[~blank], lines[~blank])


def regular(
    codes: NDArray[Any], quotes: NDArray[np.int64], delimiter: str, also_after: Sequence[int] = ()
) -> bool:
    """Tell whether every quoted part fills its cell (doubled quotes inside are fine)."""
    if len(quotes) % 2:
        return False
    outside = np.zeros(256, dtype=bool)
    outside[[NEWLINE, ord(delimiter), QUOTE]] = True
    before, after = quotes[::2] - 1, quotes[1::2] + 1
    before, after = before[before >= 0], after[after < len(codes)]
    if not outside[codes[before]].all():
        return False
    outside[list(also_after)] = True
    return bool(outside[codes[after]].all())


def _parsed(data: bytes, delimiter: str) -> Records:
    records = [(len(row), line) for line, row in rows(data, delimiter)]
    both = np.array(records, dtype=np.int64).reshape(-1, 2)
    return Records(both[:, 0], both[:, 1])


@contextmanager
def _long_cells() -> Iterator[None]:
    # the limit of the csv module is one for the whole process
    before = csv.field_size_limit(LONGEST_CELL)
    try:
        yield
    finally:
        csv.field_size_limit(before)
