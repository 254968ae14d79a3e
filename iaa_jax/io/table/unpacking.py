"""Files that were packed by themselves: what they are called unpacked, their bytes; whole zips.

A packed file counts as the file that was packed: so ``doc1.ann.gz`` is ``doc1.ann``. It is read to
the end of its last stream, or refused: one that was cut, and what follows that is no stream.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import zipfile
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, cast

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

BEGINNINGS = {".gz": b"\x1f\x8b", ".bz2": b"BZh", ".xz": b"\xfd7zXZ\0"}
"""How files with these endings begin, if they are packed."""

MOST = max(map(len, BEGINNINGS.values()))

ZSTANDARD = b"\x28\xb5\x2f\xfd"
"""How files begin that are packed in a way that is not read."""

_BLOCK = 1 << 16
_LIST_ENDS, _LIST_SIZE = b"PK\x05\x06", 22  # what ends a zip archive, but for its comment
_MANY = (1 << 16) - 1  # what stands for the number of members where it is larger
_LAST = (1 << 16) + _LIST_SIZE  # the bytes in which that is looked for


def ending_of(name: str) -> str:
    """The ending of a packed file as it is written; none if the name has none.

    Examples
    --------
    >>> ending_of("doc1.ann.gz"), ending_of("DOC1.ANN.GZ"), ending_of("doc1.ann"), ending_of(".gz")
    ('.gz', '.GZ', '', '')
    """
    stem, dot, ending = name.rpartition(".")
    packed = f".{ending.strip().lower()}" in BEGINNINGS and stem.strip(".") != ""
    return dot + ending if packed else ""


def unpacked_name(name: str) -> str:
    """What a file is called without the ending of its packing.

    Examples
    --------
    >>> unpacked_name("doc1.ann.gz"), unpacked_name("doc1.ann")
    ('doc1.ann', 'doc1.ann')
    """
    return name.removesuffix(ending_of(name))


def unpacked_by(file: IO[bytes], start: bytes, name: str = "") -> IO[bytes]:
    """A file that unpacks what begins so; the file itself if it is not packed.

    Raises
    ------
    EOFError
        If it is called as a packed file, and was cut where it begins.
    """
    whole = BEGINNINGS.get(ending_of(name).strip().lower())
    if whole is not None and len(start) < len(whole) and whole.startswith(start):
        msg = "Compressed file ended before it began"
        raise EOFError(msg)
    if start.startswith(BEGINNINGS[".gz"]):
        return cast("IO[bytes]", gzip.GzipFile(fileobj=file))
    if start.startswith(BEGINNINGS[".bz2"]):
        return _buffered(file, bz2.BZ2Decompressor)
    if start.startswith(BEGINNINGS[".xz"]):
        return _buffered(file, lzma.LZMADecompressor)
    return file


def _buffered(file: IO[bytes], begin: Callable[[], _Stream]) -> IO[bytes]:
    return io.BufferedReader(_Streams(file, begin), _BLOCK)


_Stream = bz2.BZ2Decompressor | lzma.LZMADecompressor


class _Streams(io.RawIOBase):
    """Packed streams one after the other, unpacked.

    `bz2.BZ2File` and `lzma.LZMAFile` end in silence where a stream is followed by anything else,
    as by one whose beginning is damaged, or by zeros that fill a block before the next one.
    """

    def __init__(self, file: IO[bytes], begin: Callable[[], _Stream]) -> None:
        self.file, self.begin, self.stream = file, begin, begin()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        room = memoryview(buffer).cast("B")
        data = b""
        while not data:
            if self.stream.eof:
                packed = self._after(self.stream.unused_data)
                if not packed:
                    return 0
                self.stream = self.begin()
            elif self.stream.needs_input:
                packed = self.file.read(_BLOCK)
                if not packed:
                    msg = "Compressed file ended before the end-of-stream marker was reached"
                    raise EOFError(msg)
            else:
                packed = b""
            data = self.stream.decompress(packed, len(room))
        room[: len(data)] = data
        return len(data)

    def _after(self, rest: bytes) -> bytes:
        """What follows a stream and the zeros behind it."""
        while not (rest := rest.lstrip(b"\0")):
            rest = self.file.read(_BLOCK)
            if not rest:
                break
        return rest


def check_whole(archive: zipfile.ZipFile, file: IO[bytes]) -> None:
    """Refuse a zip archive whose list of members is damaged, another one's, or not at its end.

    The last list in a file counts. Where an archive was cut, that may be the list of one that it
    holds; and where two were put together, the list of the second.
    """
    first = min((member.header_offset for member in archive.infolist()), default=0)
    if first > 0:
        msg = f"{first:,} bytes before its members belong to another archive; it was cut, or joined"
        raise zipfile.BadZipFile(msg)
    size = file.seek(0, os.SEEK_END)
    file.seek(max(size - _LAST, 0))
    last = file.read().rstrip(b"\0")
    place = last.rfind(_LIST_ENDS)
    if len(last) - place > _LIST_SIZE + len(archive.comment):
        msg = "something else follows its end, as where files were joined"
        raise zipfile.BadZipFile(msg)
    listed, found = int.from_bytes(last[place + 10 : place + 12], "little"), len(archive.infolist())
    if listed not in (_MANY, found % (_MANY + 1)):
        msg = f"it has {listed:,} members, and {found:,} are in its list, which is damaged"
        raise zipfile.BadZipFile(msg)
