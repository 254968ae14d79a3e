"""Files packed alone and in archives: what holds the same, and archives that were cut."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
from collections.abc import Callable, Mapping
from functools import partial

from tests.archives import packed
from tests.fuzz.shapes import tarred
from tests.fuzz.tables import PACKERS

Files = dict[str, bytes]

ARCHIVES: dict[str, Callable[[Mapping[str, bytes]], bytes]] = {
    ".zip": packed,
    ".tar": tarred,
    ".tar.gz": lambda files: gzip.compress(tarred(files), mtime=0),
    ".tgz": lambda files: gzip.compress(tarred(files), mtime=0),
    ".tar.bz2": lambda files: bz2.compress(tarred(files)),
    ".tar.xz": lambda files: lzma.compress(tarred(files), preset=0),
    ".zip.gz": lambda files: gzip.compress(packed(files), mtime=0),
}
"""Archives by how they are named."""

_ALONE = [
    *PACKERS.values(),
    (".GZ", partial(gzip.compress, mtime=0)),
    (".xz", lambda data: lzma.compress(data[:9], preset=0) + lzma.compress(data[9:], preset=0)),
]


def packed_alone(name: str, data: bytes, dice: random.Random) -> tuple[str, bytes]:
    """A file packed by itself, and what it is called then."""
    ending, pack = dice.choice(_ALONE)
    return name + ending, pack(data)


def some_packed(files: Mapping[str, bytes], dice: random.Random) -> Files:
    """The files, of which some or all are packed by themselves."""
    share = dice.choice((0.2, 0.6, 1.0))
    return dict(
        packed_alone(name, data, dice) if dice.random() < share else (name, data)
        for name, data in files.items()
    )


def archived(stem: str, files: Mapping[str, bytes], dice: random.Random) -> tuple[str, bytes]:
    """An archive of the files, and what it is called."""
    ending = dice.choice([*ARCHIVES])
    return stem + ending, ARCHIVES[ending](files)


def cut(name: str, data: bytes, dice: random.Random) -> bytes:
    """An archive without a part of its end, which must not be read."""
    whole = len(data)
    if name.endswith(".tar"):  # of the zeros at its end one block suffices
        whole = min(whole, -(-len(data.rstrip(b"\0")) // 512) * 512 + 512)
    edges = [place for place in range(0, whole, 512) if name.endswith(".tar")]
    return data[: dice.choice([*edges, *[dice.randrange(whole) for _ in range(1 + len(edges))]])]
