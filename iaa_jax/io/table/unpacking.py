"""Unpacks compressed files, and checks whether zip archives are complete.

A compressed file is read to the end of its last stream; a truncated file is refused.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import zipfile
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, cast

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

BEGINNINGS = {".gz": b"\x1f\x8b", ".bz2": b"BZh", ".xz": b"\xfd7zXZ\0"}
"""First bytes of compressed files, by ending."""

MOST = max(map(len, BEGINNINGS.values()))

ZSTANDARD = b"\x28\xb5\x2f\xfd"
"""First bytes of Zstandard files, which are not read."""

_BLOCK = 1 << 16
_LIST_ENDS, _LIST_SIZE = b"PK\x05\x06", 22  # the end of a zip archive, before its comment
_MANY = (1 << 16) - 1  # also stands for any larger number of members
_LAST = (1 << 16) + _LIST_SIZE  # number of last bytes searched for the end


def ending_of(name: str) -> str:
    """Return the ending of a compressed file; empty if there is none.

    Examples
    --------
    >>> ending_of("doc1.ann.gz"), ending_of("DOC1.ANN.GZ"), ending_of("doc1.ann"), ending_of(".gz")
    ('.gz', '.GZ', '', '')
    """
    stem, dot, ending = name.rpartition(".")
    packed = f".{ending.strip().lower()}" in BEGINNINGS and stem.strip(".") != ""
    return dot + ending if packed else ""


def unpacked_name(name: str) -> str:
    """Return the name of a file without the ending of its compression.

    Examples
    --------
    >>> unpacked_name("doc1.ann.gz"), unpacked_name("doc1.ann")
    ('doc1.ann', 'doc1.ann')
    """
    return name.removesuffix(ending_of(name))


def unpacked_by(file: IO[bytes], start: bytes, name: str = "") -> IO[bytes]:
    """Return a file that unpacks the content, or the file itself if it is not compressed.

    Raises
    ------
    EOFError
        If the file is named like a compressed one, but is empty or ends within its first bytes.
    """
    whole = BEGINNINGS.get(ending_of(name).strip().lower())
    if whole is not None and len(start) < len(whole) and whole.startswith(start):
        raise EOFError("Compressed file ended before it began")
    if start.startswith(BEGINNINGS[".gz"]):
        return cast("IO[bytes]", gzip.GzipFile(fileobj=file))
    if start.startswith(BEGINNINGS[".bz2"]):
        return _unpacked(file, bz2.BZ2Decompressor)
    if start.startswith(BEGINNINGS[".xz"]):
        return _unpacked(file, lzma.LZMADecompressor)
    return file


_Unpacker = bz2.BZ2Decompressor | lzma.LZMADecompressor


class Blocks(io.RawIOBase):
    """A file that consists of blocks of bytes."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self.blocks, self.rest = blocks, b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Read bytes from one block, as many as fit."""
        room = memoryview(buffer).cast("B")
        self.rest = self.rest or next(self.blocks, b"")
        size = min(len(room), len(self.rest))
        room[:size], self.rest = self.rest[:size], self.rest[size:]
        return size


def _unpacked(file: IO[bytes], begin: Callable[[], _Unpacker]) -> IO[bytes]:
    return io.BufferedReader(Blocks(_streams(file, begin)), _BLOCK)


def _streams(file: IO[bytes], begin: Callable[[], _Unpacker]) -> Iterator[bytes]:
    """Yield unpacked streams one after the other.

    `bz2.BZ2File` and `lzma.LZMAFile` would end silently at other data between streams.
    """
    packed = file.read(_BLOCK)
    while packed:
        stream = begin()
        while not stream.eof:
            if stream.needs_input and not packed:
                packed = file.read(_BLOCK)
                if not packed:
                    raise EOFError(
                        "Compressed file ended before the end-of-stream marker was reached"
                    )
            if data := stream.decompress(packed, _BLOCK):
                yield data
            packed = b""
        packed = stream.unused_data.lstrip(b"\0")
        while not packed and (block := file.read(_BLOCK)):
            packed = block.lstrip(b"\0")


def check_whole(archive: zipfile.ZipFile, file: IO[bytes]) -> None:
    """Refuse a zip archive whose list of members is damaged or another archive's.

    Python reads the last list in a file. In a truncated archive, it may be the list of an archive
    inside; in two concatenated archives, it is the list of the second.
    """
    first = min((member.header_offset for member in archive.infolist()), default=0)
    if first > 0:
        raise zipfile.BadZipFile(
            f"{first:,} bytes before its members belong to another archive; it was truncated, or "
            "joined"
        )
    size = file.seek(0, os.SEEK_END)
    file.seek(max(size - _LAST, 0))
    last = file.read().rstrip(b"\0")
    place = last.rfind(_LIST_ENDS)
    if len(last) - place > _LIST_SIZE + len(archive.comment):
        raise zipfile.BadZipFile("further data follow its end, as if files were joined")
    listed, members = (
        int.from_bytes(last[place + 10 : place + 12], "little"),
        len(archive.infolist()),
    )
    if listed not in (_MANY, members % (_MANY + 1)):
        raise zipfile.BadZipFile(
            f"it has {listed:,} members, and {members:,} are in its list, which is damaged"
        )
