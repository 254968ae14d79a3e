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
from collections.abc import Callable, Iterator
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
    """Blocks of bytes as a file that is read from its beginning."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self.blocks, self.rest = blocks, b""

    def readable(self) -> bool:
        """That it is."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Read as much as there is room for."""
        room = memoryview(buffer).cast("B")
        self.rest = self.rest or next(self.blocks, b"")
        size = min(len(room), len(self.rest))
        room[:size], self.rest = self.rest[:size], self.rest[size:]
        return size


def _unpacked(file: IO[bytes], begin: Callable[[], _Unpacker]) -> IO[bytes]:
    return io.BufferedReader(Blocks(_streams(file, begin)), _BLOCK)


def _streams(file: IO[bytes], begin: Callable[[], _Unpacker]) -> Iterator[bytes]:
    """Packed streams one after the other, unpacked.

    `bz2.BZ2File` and `lzma.LZMAFile` end in silence where a stream is followed by anything else,
    as by one whose beginning is damaged, or by zeros that fill a block before the next one.
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
    """Refuse a zip archive whose list of members is damaged, another one's, or not at its end.

    The last list in a file counts. Where an archive was cut, that may be the list of one that it
    holds; and where two were put together, the list of the second.
    """
    first = min((member.header_offset for member in archive.infolist()), default=0)
    if first > 0:
        raise zipfile.BadZipFile(
            f"{first:,} bytes before its members belong to another archive; it was cut, or joined"
        )
    size = file.seek(0, os.SEEK_END)
    file.seek(max(size - _LAST, 0))
    last = file.read().rstrip(b"\0")
    place = last.rfind(_LIST_ENDS)
    if len(last) - place > _LIST_SIZE + len(archive.comment):
        raise zipfile.BadZipFile("something else follows its end, as where files were joined")
    listed, found = int.from_bytes(last[place + 10 : place + 12], "little"), len(archive.infolist())
    if listed not in (_MANY, found % (_MANY + 1)):
        raise zipfile.BadZipFile(
            f"it has {listed:,} members, and {found:,} are in its list, which is damaged"
        )
