"""Cells of text as words of eight bytes, so that distinct ones are found by array operations.

The words of a column are an array (word of the cell, cell); bytes after the end of a cell are 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

SIZE = 8  # bytes of a word
SAMPLE = 512  # cells at the start of a block that tell how they repeat
FEW = 64  # distinct cells that are looked up
SLOTS = 1 << 12
ROOM = 1 << 25  # most words that are held of one column

# The first 0 to 8 bytes of a word; its first byte is the lowest.
_PARTS = np.array([(1 << (8 * length)) - 1 for length in range(SIZE + 1)], dtype=np.uint64)
_ODD = np.uint64(0x9E3779B97F4A7C15)  # spreads what differs over the upper bits of a product
_SLOT = np.uint64(64 - 12)
_BLANKS = b" \t\v\f\r\x1c\x1d\x1e\x1f"  # of ASCII, that `strip` takes off

Words = NDArray[np.uint64]
Codes = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Cells:
    """The cells of a block of rows: some words, and for each row its place in them."""

    words: Words
    places: Codes | None  # None: one after the other

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.words.shape[1] if self.places is None else len(self.places)


def words_at(text: NDArray[np.uint8], starts: Codes, lengths: Codes) -> Words:
    """Take cells out of text, which must go on for the length of the longest after its end."""
    every = np.ndarray(len(text) - SIZE + 1, np.uint64, text.data, strides=(1,))
    count = max(1, -(-int(lengths.max(initial=0)) // SIZE))
    words = np.empty((count, len(starts)), dtype=np.uint64)
    shortest = int(lengths.min(initial=0)) if count > 1 else 0
    for k, part in enumerate(words):
        part[:] = every[starts + k * SIZE if k else starts]
        if shortest < (k + 1) * SIZE:
            part &= _PARTS.take(lengths - k * SIZE if k else lengths, mode="clip")
    return words.astype(words.dtype.newbyteorder("<"), copy=False)


class Few:
    """A few distinct cells, in which those of a block are looked up."""

    def __init__(self, known: Words) -> None:
        self.known = known
        slots = (_mixed(known) * _ODD) >> _SLOT
        self.sure = len(np.unique(slots)) == known.shape[1]
        self.codes = np.zeros(SLOTS, dtype=np.int8)
        self.codes[slots] = np.arange(known.shape[1])
        # empty slots hold what no UTF-8 text does
        self.words = np.full((len(known), SLOTS), -1, dtype=np.int64).view(np.uint64)
        self.words[:, slots] = known

    def cells(self, words: Words) -> Cells | None:
        """Look cells up; None unless all are there."""
        if not self.sure or len(words) > len(self.known):
            return None
        words = _padded(words, len(self.known))
        slots = ((_mixed(words) * _ODD) >> _SLOT).view(np.int64)
        for part, known in zip(words, self.words, strict=True):
            if not np.array_equal(known.take(slots), part):
                return None
        return Cells(self.known, self.codes.take(slots))


def few_of(start: Cells) -> Few | None:
    """Take the distinct cells of the first block for those of all, if they are few."""
    few = start.places is not None and start.words.shape[1] <= FEW
    found = distinct(start.words) if few else None
    return None if found is None else Few(found[1])


def grown(few: Few | None, more: Cells) -> Few | None:
    """Add the distinct cells of a further block, unless they are many."""
    if few is None or more.words is few.known or more.words.shape[1] > FEW:
        return few
    count = max(len(few.known), len(more.words))
    both = [_padded(words, count) for words in (few.known, more.words)]
    found = distinct(np.concatenate(both, axis=1))
    if found is None or not few.known.shape[1] < found[1].shape[1] <= FEW:
        return few
    return Few(found[1])


def narrowed(words: Words, few: Few | None = None) -> Cells:
    """Name repeated cells of a block once, where that is cheap: in a row, few, or often repeated.

    `few` are cells of an earlier block, so that their order is that of their first rows.
    """
    found = None if few is None else few.cells(words)
    if found is not None:
        return found
    sample = words[:, :SAMPLE]
    size = sample.shape[1]
    if size == 0:
        return Cells(words, None)
    if np.count_nonzero(_turns(sample)) <= size // 2:
        starts = _turns(words)
        places = np.cumsum(starts, dtype=np.int32)
        places -= 1
        return Cells(words[:, starts], places)
    codes, first = _first(_mixed(sample))
    if len(first) <= FEW:
        found = Few(sample[:, first]).cells(words)
        if found is not None:
            return found
    if len(first) <= size * 7 // 8:
        hashed = _hashed(words)
        if hashed is not None:
            codes, first = hashed
            return Cells(words[:, first], codes.astype(np.int32))
    return Cells(words, None)


def _turns(words: Words) -> NDArray[np.bool_]:
    """Tell which cells are not the same as the one before."""
    turns = np.ones(words.shape[1], dtype=bool)
    np.not_equal(words[0, 1:], words[0, :-1], out=turns[1:])
    for part in words[1:]:
        turns[1:] |= part[1:] != part[:-1]
    return turns


def column(parts: Sequence[Cells]) -> tuple[Codes, Words] | None:
    """Put blocks one under the other: the code of each row, and the words of distinct cells.

    Distinct cells stand in the order of their first row. None where they would take much room.
    """
    # blocks in which the cells of an earlier one were looked up share them
    pieces = list({id(part.words): part.words for part in parts}.values())
    count = max(len(piece) for piece in pieces)
    if count * sum(piece.shape[1] for piece in pieces) > ROOM:
        return None
    found = distinct(np.concatenate([_padded(piece, count) for piece in pieces], axis=1))
    if found is None:
        return None
    codes, known = found
    # small codes: every step that follows reads them
    codes = codes.astype(np.min_scalar_type(-max(1, known.shape[1])), copy=False)
    ends = np.cumsum([piece.shape[1] for piece in pieces])[:-1]
    lookups = dict(zip(map(id, pieces), np.split(codes, ends), strict=True))
    if all(part.places is None for part in parts):
        return codes, known
    rows = []
    for part in parts:
        lookup, places = lookups[id(part.words)], part.places
        if places is not None and (lookup == np.arange(len(lookup))).all():
            rows.append(places.astype(codes.dtype, copy=False))
        else:
            rows.append(lookup if places is None else lookup.take(places))
    return np.concatenate(rows), known


def distinct(words: Words) -> tuple[Codes, Words] | None:
    """Give each cell the code of its text, in the order of their first cells, and their words.

    Examples
    --------
    >>> codes, known = distinct(np.array([[50, 49, 50]], dtype=np.uint64))
    >>> codes.tolist(), texts(known)
    ([0, 1, 0], ['2', '1'])
    """
    found = _counted(words[0]) if len(words) == 1 else None
    found = _hashed(words) if found is None else found
    if found is None:
        return None
    codes, first = found
    return codes, words if len(first) == words.shape[1] else words[:, first]


def texts(words: Words) -> list[Any]:
    """Bring words back to text; no cell may hold a newline."""
    return spoken(lines(words))


def lines(words: Words) -> bytes:
    """Write cells one under the other."""
    count, cells = words.shape
    rows = np.empty((cells, count * SIZE + 1), dtype=np.uint8)
    rows[:, -1] = ord("\n")
    for k, part in enumerate(words):
        rows[:, k * SIZE : (k + 1) * SIZE] = part.astype("<u8").view(np.uint8).reshape(-1, SIZE)
    return rows.tobytes().translate(None, b"\0")


def spoken(text: bytes) -> list[Any]:
    """Cut what `lines` wrote."""
    return text[:-1].decode().split("\n") if text else []


def quoted(words: Words, text: bytes) -> bool:
    """Tell whether all cells stand in quotes, and no quotes are in them."""
    both = text.count(b'"') == 2 * words.shape[1] > 0
    return both and bool((words[0] & np.uint64(0xFF) == ord('"')).all())


def tidy(text: bytes) -> bool:
    """Tell whether lines surely have no blanks around them, and none is empty."""
    if not text.isascii() or text.startswith(b"\n") or b"\n\n" in text:
        return False
    return not any(blank in text for blank in _BLANKS)


def _padded(words: Words, count: int) -> Words:
    """Make the cells this many words long."""
    more = count - len(words)
    return np.pad(words, ((0, more), (0, 0))) if more else words


def _mixed(words: Words) -> Words:
    """Mix the words of each cell to one."""
    mixed: Words = words[0]
    for part in words[1:]:
        mixed = (mixed ^ (mixed >> np.uint64(29))) * _ODD + part
    return mixed


def _hashed(words: Words) -> tuple[Codes, Codes] | None:
    """Find distinct cells by hashing: codes, and first places; None if two cells mix alike."""
    codes, first = _first(_mixed(words))
    if len(words) > 1 and len(first) < len(codes):
        places = first[codes]
        if not all(np.array_equal(part[places], part) for part in words):
            return None
    return codes, first


def _first(mixed: NDArray[np.uint64]) -> tuple[Codes, Codes]:
    """Find distinct numbers by hashing: codes, and first places."""
    codes, known = pd.factorize(mixed)
    first = np.empty(len(known), dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)  # the last write wins
    return codes, first


def _counted(words: NDArray[np.uint64]) -> tuple[Codes, Codes] | None:
    """Find distinct cells through a table, as is possible where they are whole numbers."""
    values = _values(words)
    cells = len(values)
    if (values[1:] > values[:-1]).all():
        return np.arange(cells, dtype=np.int32), np.arange(cells)
    size = int(values.max(initial=0)) + 1
    if size > 4 * cells + 1024 or cells > np.iinfo(np.int32).max:
        return None
    first = np.empty(size, dtype=np.int32)
    first[values[::-1]] = np.arange(cells - 1, -1, -1, dtype=np.int32)
    same = first[values]
    if not np.array_equal(words[same], words):  # "07" has the value of "7"
        return None
    found = np.flatnonzero(same == np.arange(cells, dtype=np.int32))
    first[values[found]] = np.arange(len(found), dtype=np.int32)
    return first[values], found


def _values(words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The number that a word spells; of other words, some number that depends on them alone."""
    ends = np.full(len(words), 56, dtype=np.uint64)
    longest = int(words.max(initial=0))
    for length in range(1, SIZE):
        if longest >> (8 * length):
            ends -= np.uint64(8) * (words >= np.uint64(1 << (8 * length)))
    digits = (words << ends) & np.uint64(0x0F0F0F0F0F0F0F0F)
    # pairs of digits, then of pairs, then of fours: the first one counts more
    for shift, keep in ((8, 0x00FF00FF00FF00FF), (16, 0x0000FFFF0000FFFF), (32, 0xFFFFFFFF)):
        tens = np.uint64(10 ** (shift // 8))
        digits = (digits * tens + (digits >> np.uint64(shift))) & np.uint64(keep)
    return digits.astype(np.int64)
