"""Reads files, unpacked: their bytes, or their text as UTF-8 with plain newlines."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import lzma
import os
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from iaa_jax._errors import IaaError
from iaa_jax.io.table.unpacking import MOST, ZSTANDARD, unpacked_by
from iaa_jax.wording import keyword
from iaa_jax.wording.formats import name as printable

SAMPLE = 1 << 15  # number of bytes from which the layout of a file is recognised
FEWEST = 21  # number of lines from which a layout is inferred
LONGEST = 1 << 24  # maximum number of bytes of a line, or of a cell
MEGABYTE = 1_000_000
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
DAMAGE = (
    EOFError,
    zlib.error,
    gzip.BadGzipFile,
    lzma.LZMAError,
    zipfile.BadZipFile,
    tarfile.TarError,
)
"""Exceptions that a damaged compressed file raises."""
MARKS = {  # UTF-32 first, because its mark begins like that of UTF-16
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


@dataclass(frozen=True)
class Piped:
    """Bytes in place of a file: what a pipe sent, or an unpacked archive."""

    name: str
    data: bytes

    def __str__(self) -> str:
        return printable(self.name)

    def open(self, mode: str) -> IO[bytes]:  # noqa: ARG002
        """Open the bytes as a file."""
        return io.BytesIO(self.data)


class Member:
    """A file in an archive; it is never written to disk, since its name may be unsafe."""

    def __init__(self, outer: str, entry: str, opened: Callable[[], IO[bytes] | None]) -> None:
        self.outer, self.entry, self.opened = outer, entry, opened

    def __str__(self) -> str:
        return printable(f"{self.outer}/{self.entry}")

    @property
    def name(self) -> str:
        """The name of the file without its folders."""
        return self.entry.rpartition("/")[2]

    def open(self, mode: str) -> IO[bytes]:  # noqa: ARG002
        """Open the unpacked file."""
        try:
            return self.opened() or io.BytesIO()
        except (ValueError, OverflowError) as error:
            raise zipfile.BadZipFile(str(error)) from None


class Watched:
    """A file on disk that is opened several times, and must not change in the meantime."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._first: tuple[object, ...] | None = None

    def __str__(self) -> str:
        return printable(self.path)

    @property
    def name(self) -> str:
        """The name of the file without its folder."""
        return self.path.name

    def open(self, mode: str) -> IO[bytes]:
        """Open the file; refuse it if it was changed or replaced."""
        file = self.path.open(mode)
        try:
            self.compare(file)
        except BaseException:
            file.close()
            raise
        return file

    def compare(self, file: IO[bytes]) -> None:
        """Refuse a file that was changed or replaced since it was first opened.

        The size, the time and the first bytes are compared: a change may be too quick for the
        clock.
        """
        status = os.fstat(file.fileno())
        file.seek(0)
        beginning = hashlib.sha256(file.read(SAMPLE)).digest()
        state = status.st_size, status.st_mtime_ns, beginning
        file.seek(0)
        if self._first is None:
            self._first = state
        elif state != self._first:
            raise IaaError(
                f"{self} was changed while it was read: another program still writes it, or "
                "replaced it; read it again when it is complete"
            )


class Short(Piped):
    """The content of a short file, which messages show by its name."""

    def __str__(self) -> str:
        return self.name


class Allowance:
    """The number of bytes that all files of a call may hold together.

    Only unpacked files and pipes count: a few kilobytes can unpack to more than memory holds, and a
    pipe may never end.
    """

    def __init__(self, megabytes: int) -> None:
        self.megabytes = megabytes
        self.sizes: dict[str, int] = {}
        self.total = 0

    def take(self, path: str, size: int) -> None:
        """Count the bytes read from a file; refuse more than is allowed."""
        known = self.sizes.get(path, 0)
        self.sizes[path] = max(size, known)
        self.total += self.sizes[path] - known
        if self.total > self.megabytes * MEGABYTE:
            others = " together with the other files" if len(self.sizes) > 1 else ""
            raise IaaError(
                f"{path} holds more than {self.megabytes:,} MB{others}, unpacked or from a pipe; "
                "if that is no mistake, allow more, as in "
                f"{keyword('max_megabytes', 10 * self.megabytes)}"
            )


class Limited:
    """A file of unknown size; reading more of it than is allowed is an error."""

    def __init__(self, file: IO[bytes], path: object, allowed: Allowance) -> None:
        self.file, self.path, self.allowed, self.size = file, str(path), allowed, 0

    def read(self, size: int = -1) -> bytes:
        """Read this many bytes, or all."""
        if size >= 0:
            data = self.file.read(size)
            self.size += len(data)
            self.allowed.take(self.path, self.size)
            return data
        whole = io.BytesIO()
        while data := self.read(MEGABYTE):
            whole.write(data)
        return whole.getvalue()


class _Readable(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


Stored = Path | Member | Piped | Watched
Readable = Stored | Short


def content(
    path: Readable,
    limit: int = -1,
    encoding: str | None = None,
    allowed: Allowance | None = None,
    fewest: int = 1,
) -> bytes:
    """Read a file, unpacked, as UTF-8 with plain newlines and without a byte-order mark.

    With a ``limit`` in bytes, only the whole lines within it are returned. If these are fewer than
    ``fewest``, a larger limit is tried. Text that is not UTF-8 needs an ``encoding`` or a
    byte-order mark.
    """
    data = raw(path, limit, allowed)
    whole = not 0 <= limit <= len(data)
    _refuse_foreign(path, data)
    mark = next((name for start, name in MARKS.items() if data.startswith(start)), None)
    if encoding is not None or mark is not None:
        data = _recoded(path, data, encoding or str(mark), whole)
    if not whole:
        end = max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
        if end == 0 and limit >= LONGEST:
            raise IaaError(
                f"{path} line 1: longer than {LONGEST // MEGABYTE} MB, which is no row of a table; "
                "check that rows end with line breaks"
            )
        if limit < LONGEST and max(data.count(b"\n"), data.count(b"\r")) < fewest:
            return content(path, min(8 * limit, LONGEST), encoding, allowed, fewest)
        data = data[:end]
    nul = data.find(b"\0")
    if nul >= 0:
        raise IaaError(
            f"{path} line {_line(data, nul)}: a NUL byte (byte {nul + 1} of the file); "
            "the file is damaged or not text: export it again as UTF-8 text, or name its encoding"
        )
    try:
        if not data.isascii():
            data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise IaaError(
            f"{path} line {_line(data, error.start)}: byte {error.start + 1} of the file "
            f"(0x{data[error.start]:02X}) is not UTF-8; save the file as UTF-8, or name its "
            f"encoding, as in {keyword('encoding', 'latin-1')}"
        ) from None
    return _plain_newlines(data.removeprefix(BYTE_ORDER_MARK))


def _recoded(path: Readable, data: bytes, encoding: str, whole: bool) -> bytes:
    """Convert text to UTF-8; unless ``whole``, the last character may be cut off and is dropped."""
    try:
        return codecs.getincrementaldecoder(encoding)().decode(data, final=whole).encode()
    except UnicodeError as error:
        start = getattr(error, "start", 0)
        raise IaaError(
            f"{path}: byte {start + 1} of the file is not {encoding}; "
            f"name its encoding, as in {keyword('encoding', 'utf-8')}"
        ) from None


def beginning_of(data: bytes, encoding: str | None) -> str:
    """Decode the first bytes of a file, without a byte-order mark; replace undecodable bytes."""
    mark = next((name for start, name in MARKS.items() if data.startswith(start)), None)
    try:
        decoder = codecs.getincrementaldecoder(encoding or mark or "utf-8")("replace")
        return decoder.decode(data).removeprefix("\ufeff")
    except UnicodeError:  # not all encodings can replace errors
        return ""


def raw(path: Readable, limit: int = -1, allowed: Allowance | None = None) -> bytes:
    """Read the bytes of a file, unpacked."""
    if isinstance(path, Short):
        return path.data if limit < 0 else path.data[:limit]
    with _unpacked(path, allowed) as file:
        return file.read(limit)


def blocks(
    path: Readable, size: int, encoding: str | None = None, allowed: Allowance | None = None
) -> Iterator[bytes]:
    """Read a file as `content` does, in blocks of limited size."""
    with _unpacked(path, allowed) as file:
        data = file.read(size - 1)
        if encoding is not None or data.startswith(tuple(MARKS)):
            file = io.BytesIO(content(path, encoding=encoding, allowed=allowed))
            data = file.read(size - 1)
        data = data.removeprefix(BYTE_ORDER_MARK)
        decoder = codecs.getincrementaldecoder("utf-8")()
        while data:
            if data.endswith(b"\r"):
                data += file.read(1)  # a line feed may follow
            if b"\0" in data or not _is_utf8(data, decoder):
                content(path, encoding=encoding, allowed=allowed)
            yield _plain_newlines(data)
            data = file.read(size - 1)
        if decoder.getstate()[0]:
            content(path, encoding=encoding, allowed=allowed)


@contextmanager
def _unpacked(path: Readable, allowed: Allowance | None) -> Iterator[_Readable]:
    """Open a file to read it unpacked; turn errors into an IaaError."""
    try:
        with path.open("rb") as file:
            if isinstance(path, Short):
                yield file
                return
            start = file.read(MOST)
            file.seek(0)
            unpacking = unpacked_by(file, start, path.name)
            on_disk = unpacking is file and isinstance(path, (Path, Watched))
            yield unpacking if on_disk or not allowed else Limited(unpacking, path, allowed)
            if isinstance(path, Watched):
                path.compare(file)
    except FileNotFoundError:
        msg = f"{path}: there is no such file"
    except IsADirectoryError:
        msg = f"{path} is a folder; name the files in it"
    except RuntimeError as error:
        # the zip module's error for archives with a password
        msg = f"{path} cannot be read: {error}"
    except DAMAGE as error:
        msg = f"{path} is compressed and cannot be unpacked: {error}"
    except OSError as error:
        msg = f"{path} cannot be read: {error.strerror or error}"
    else:
        return
    raise IaaError(msg)


def _refuse_foreign(path: Readable, data: bytes) -> None:
    if data.startswith(b"PK\x03\x04"):
        raise IaaError(f"{path} is a zip archive or a spreadsheet; unpack it, or save it as CSV")
    if data[257:262] == b"ustar":
        raise IaaError(
            f"{path} is a tar archive inside a folder or archive: name it itself, or unpack it"
        )
    if data.startswith(ZSTANDARD):
        raise IaaError(
            f"{path} is compressed by Zstandard, which is not read: unpack it, or compress it by "
            "gzip"
        )


def _is_utf8(data: bytes, decoder: codecs.IncrementalDecoder) -> bool:
    """Tell whether these bytes continue a text in UTF-8."""
    if data.isascii() and not decoder.getstate()[0]:
        return True
    try:
        decoder.decode(data)
    except UnicodeDecodeError:
        return False
    return True


def _plain_newlines(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


def _line(data: bytes, position: int) -> int:
    return _plain_newlines(data[:position]).count(b"\n") + 1
