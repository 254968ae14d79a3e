"""Cells of text as words of eight bytes, so that distinct ones are found by array operations.

The words of a column are an array (word of the cell, cell); bytes after the end of a cell are 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

SIZE = 8  # bytes of a word
CELL = 512  # bytes of a cell, which is held in words
TOGETHER = 4  # words that are taken out of text at once
SAMPLE = 512  # cells at the start of a block that tell how they repeat
FEW = 64  # distinct cells that are looked up
SLOTS = 1 << 12
ROOM = 1 << 25  # most words that are held of one column

# The first 0 to 8 bytes of a word; its first byte is the lowest.
_PARTS = np.array([(1 << (8 * length)) - 1 for length in range(SIZE + 1)], dtype=np.uint64)
_ODD = np.uint64(0x9E3779B97F4A7C15)  # spreads what differs over the upper bits of a product
_SLOT = np.uint64(64 - 12)
_LONGEST = 3  # words of "-9223372036854775808"
_STARTS = b"-0123456789"
_TENS = np.array([10**count for count in range(SIZE + 1)], dtype=np.uint64)
_ENDS = np.array([64 - 8 * count for count in range(SIZE + 1)], dtype=np.uint64)
_NOT_ASCII, _ZEROS, _SIXES, _UPPER = (
    np.uint64(0x0101010101010101 * byte) for byte in (0x80, 0x30, 0x06, 0xF0)
)
_FIRST, _FIGURE, _MINUS = np.uint64(0xFF), np.uint64(0x10), np.uint64(ord("-") ^ ord("0"))
_BLANKS = b" \t\v\f\r\x1c\x1d\x1e\x1f"  # of ASCII, that `strip` takes off

Words = NDArray[np.uint64]
Codes = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Cells:
    """The cells of a block of rows: some words, and for each row its place in them."""

    words: Words
    places: Codes | None  # None: one after the other
    numbers: NDArray[np.int64] | None  # those that the words spell, if all are whole numbers

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.words.shape[1] if self.places is None else len(self.places)


def words_at(text: NDArray[np.uint8], starts: Codes, lengths: Codes) -> Words:
    """Take cells out of text, which must go on for the length of the longest after its end."""
    longest, shortest = int(lengths.max(initial=0)), int(lengths.min(initial=CELL))
    if longest <= 1:  # single figures and letters
        single = text.take(starts)
        if shortest == 0:
            single *= lengths.astype(np.uint8)
        return single.astype(np.uint64).reshape(1, -1)
    count = -(-longest // SIZE)
    words = np.empty((count, len(starts)), dtype=np.uint64)
    for first in range(0, count, TOGETHER):
        # some words are taken as fast as one
        parts, offset = words[first : first + TOGETHER], first * SIZE
        size = len(parts) * SIZE
        every = np.ndarray(len(text) - size + 1, f"V{size}", text.data, strides=(1,))
        loaded = every[starts + offset if offset else starts].view("<u8").reshape(-1, len(parts))
        for k, part in enumerate(parts):
            before = offset + k * SIZE
            if shortest >= before + SIZE:
                part[:] = loaded[:, k]
            else:
                kept = _PARTS.take(lengths - before if before else lengths, mode="clip")
                np.bitwise_and(loaded[:, k], kept, out=part)
    return words


class Few:
    """A few distinct cells, in which those of a block are looked up."""

    def __init__(self, known: Words) -> None:
        self.known = known
        self.numbers = whole_numbers(known)
        # any mixture will do that keeps them apart: cells are compared as a whole
        for self.mixture in (_added, _mixed):
            slots = (self.mixture(known) * _ODD) >> _SLOT
            self.sure = len(np.unique(slots)) == known.shape[1]
            if self.sure:
                break
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
        slots = ((self.mixture(words) * _ODD) >> _SLOT).view(np.int64)
        for part, known in zip(words, self.words, strict=True):
            if not np.array_equal(known.take(slots), part):
                return None
        return Cells(self.known, self.codes.take(slots), self.numbers)


def few_of(start: Cells) -> Few | None:
    """Take the distinct cells of the first block for those of all, if they are few."""
    few = start.places is not None and start.words.shape[1] <= FEW
    cells = distinct(start.words) if few else None
    return None if cells is None else Few(cells[1])


def grown(few: Few | None, more: Cells) -> Few | None:
    """Add the distinct cells of a further block, unless they are many."""
    if few is None or more.words is few.known or more.words.shape[1] > FEW:
        return few
    count = max(len(few.known), len(more.words))
    both = [_padded(words, count) for words in (few.known, more.words)]
    cells = distinct(np.concatenate(both, axis=1))
    if cells is None or not few.known.shape[1] < cells[1].shape[1] <= FEW:
        return few
    return Few(cells[1])


def narrowed(words: Words, few: Few | None = None) -> Cells:
    """Name repeated cells of a block once, where that is cheap: in a row, few, or often repeated.

    `few` are cells of an earlier block, so that their order is that of their first rows.
    """
    cells = None if few is None else few.cells(words)
    if cells is None:
        known, positions = _narrowed(words)
        cells = Cells(known, positions, whole_numbers(known))
    return cells


def _narrowed(words: Words) -> tuple[Words, Codes | None]:
    sample = words[:, :SAMPLE]
    size = sample.shape[1]
    if size == 0:
        return words, None
    turns = _turns(sample)
    in_row = np.count_nonzero(turns) <= size // 2
    # what comes again after other cells is one of few, rather than an id in a row
    again = np.count_nonzero(turns & (sample[0] == sample[0, 0])) > 1
    if again or not in_row:
        codes, first = _first(_mixed(sample))
        if len(first) <= FEW:
            cells = Few(sample[:, first]).cells(words)
            if cells is not None:
                return cells.words, cells.places
    if in_row:
        starts = _turns(words)
        positions = np.cumsum(starts, dtype=np.int32)
        positions -= 1
        return words[:, starts], positions
    if len(first) <= size * 7 // 8:
        hashed = _hashed(words)
        if hashed is not None:
            codes, first = hashed
            return words[:, first], codes.astype(np.int32)
    return words, None


def _turns(words: Words) -> NDArray[np.bool_]:
    """Tell which cells are not the same as the one before."""
    turns = np.ones(words.shape[1], dtype=bool)
    np.not_equal(words[0, 1:], words[0, :-1], out=turns[1:])
    for part in words[1:]:
        turns[1:] |= part[1:] != part[:-1]
    return turns


class Known(NamedTuple):
    """The code of each row, and the distinct cells in the order of their first rows."""

    codes: Codes
    words: Words | None
    numbers: NDArray[np.int64] | None  # in place of words, if all are whole numbers


def column(parts: Sequence[Cells]) -> Known | None:
    """Put blocks one under the other; None where distinct cells would take much room."""
    # blocks in which the cells of an earlier one were looked up share them
    pieces = list({id(part.words): part for part in parts}.values())
    count = max(len(piece.words) for piece in pieces)
    sizes = [piece.words.shape[1] for piece in pieces]
    if count * sum(sizes) > ROOM:
        return None
    numbers = [piece.numbers for piece in pieces if piece.numbers is not None]
    if len(numbers) == len(pieces):
        known = _known_numbers(np.concatenate(numbers))
    else:
        padded = [_padded(piece.words, count) for piece in pieces]
        occurring = distinct(np.concatenate(padded, axis=1))
        if occurring is None:
            return None
        known = Known(occurring[0], occurring[1], None)
    # small codes: every step that follows reads them
    small = np.min_scalar_type(-max(1, int(known.codes.max(initial=0))))
    codes: Codes = known.codes.astype(small, copy=False)
    pieced = np.split(codes, np.cumsum(sizes)[:-1])
    lookups = {id(piece.words): part for piece, part in zip(pieces, pieced, strict=True)}
    if all(part.places is None for part in parts):
        return known._replace(codes=codes)
    rows = []
    for part in parts:
        lookup, positions = lookups[id(part.words)], part.places
        if positions is not None and (lookup == np.arange(len(lookup))).all():
            rows.append(positions.astype(codes.dtype, copy=False))
        else:
            rows.append(lookup if positions is None else lookup.take(positions))
    return known._replace(codes=np.concatenate(rows))


def _known_numbers(numbers: NDArray[np.int64]) -> Known:
    counted = _counted(numbers)
    codes, first = _first(numbers) if counted is None else counted
    return Known(codes, None, numbers if len(first) == len(numbers) else numbers[first])


def distinct(words: Words) -> tuple[Codes, Words] | None:
    """Give each cell the code of its text, in the order of their first cells, and their words.

    Examples
    --------
    >>> codes, known = distinct(np.array([[50, 49, 50]], dtype=np.uint64))
    >>> codes.tolist(), texts(known)
    ([0, 1, 0], ['2', '1'])
    """
    hashed = _hashed(words)
    if hashed is None:
        return None
    codes, first = hashed
    return codes, words if len(first) == words.shape[1] else words[:, first]


def texts(words: Words) -> list[Any]:
    """Bring words back to text; no cell may hold a newline."""
    return spoken(lines(words))


def lines(words: Words) -> bytes:
    """Write cells one under the other."""
    count, cells = words.shape
    if cells == 0:
        return b""
    ends = [-(-int(end).bit_length() // 8) for end in (words[-1].min(), words[-1].max())]
    width = (count - 1) * SIZE + ends[1]
    rows = np.empty((cells, width + 1), dtype=np.uint8)
    rows[:, -1] = ord("\n")
    for k, part in enumerate(words):
        target = rows[:, k * SIZE : min((k + 1) * SIZE, width)]
        target[:] = part.astype("<u8").view(np.uint8).reshape(-1, SIZE)[:, : target.shape[1]]
    text = rows.tobytes()
    return text if ends[0] == ends[1] else text.translate(None, b"\0")


def spoken(text: bytes) -> list[Any]:
    """Cut what `lines` wrote."""
    return text[:-1].decode().split("\n") if text else []


def quoted(words: Words, text: bytes) -> bool:
    """Tell whether all cells stand in quotes, and no quotes are in them."""
    both = text.count(b'"') == 2 * words.shape[1] > 0
    return both and bool((words[0] & np.uint64(0xFF) == ord('"')).all())


def tidy(words: Words, text: bytes) -> bool:
    """Tell whether cells surely have no blanks around them, and none is empty."""
    if not text.isascii() or not words[0].all():
        return False
    return not any(blank in text for blank in _BLANKS)


def whole_numbers(words: Words) -> NDArray[np.int64] | None:
    """Give the numbers that cells spell; None unless all are whole and spelt as usual.

    This is the rule of `cells.whole_numbers`.

    Examples
    --------
    >>> cells = np.array([[0x3231, 0x372D]], dtype=np.uint64)
    >>> texts(cells), whole_numbers(cells).tolist()
    (['12', '-7'], [12, -7])
    """
    count, cells = words.shape
    # the first cell of most text tells
    if count > _LONGEST or cells == 0 or int(words[0, 0]) & 0xFF not in _STARTS:
        return None
    first, minus = words[0], None
    if not np.bitwise_and.reduce(first) & _FIGURE:  # all figures have this bit
        minus = first & _FIRST == ord("-")
        first = np.where(minus, first ^ _MINUS, first)  # "-7" as "07"
        after = words[0] >> np.uint64(8) & _FIRST
        if (minus & ((after == ord("0")) | (after == 0))).any() or not first.all():
            return None
    zero = (first & _FIRST == ord("0")) & (first != ord("0"))
    if (zero if minus is None else zero & ~minus).any():
        return None
    numbers, figures = _spelt(first)
    for part in words[1:]:
        if numbers is None:
            break
        absent = part == 0
        more, size = _spelt(np.where(absent, np.uint64(ord("0")), part))
        size = np.where(absent, np.uint8(0), size)
        figures = figures + size
        numbers = None if more is None else numbers * _TENS.take(size) + more
    if numbers is None:
        return None
    if count == _LONGEST:
        most = np.uint64(2**63 - 1) + (np.uint64(0) if minus is None else minus)
        # nineteen figures fit into a word without sign
        if (figures > (19 if minus is None else 19 + minus)).any() or (numbers > most).any():
            return None
    whole = numbers.view(np.int64)
    return whole if minus is None else np.where(minus, -whole, whole)


def _spelt(words: NDArray[np.uint64]) -> tuple[NDArray[np.uint64] | None, NDArray[np.uint8]]:
    """The number that each word spells, and how many figures; None if one has other bytes."""
    if np.bitwise_or.reduce(words) & _NOT_ASCII:
        return None, np.empty(0, dtype=np.uint8)
    size = np.bitwise_count((words + ~_NOT_ASCII) & _NOT_ASCII)
    digits = (words ^ _ZEROS) << _ENDS.take(size)  # with zeros in front
    if (np.bitwise_or.reduce(digits) | np.bitwise_or.reduce(digits + _SIXES)) & _UPPER:
        return None, size
    # pairs of digits, then of pairs, then of fours: the first one counts more
    for shift, keep in ((8, 0x00FF00FF00FF00FF), (16, 0x0000FFFF0000FFFF), (32, 0xFFFFFFFF)):
        tens = np.uint64(10 ** (shift // 8))
        digits = (digits * tens + (digits >> np.uint64(shift))) & np.uint64(keep)
    return digits, size


def _padded(words: Words, count: int) -> Words:
    """Make the cells this many words long."""
    more = count - len(words)
    return np.pad(words, ((0, more), (0, 0))) if more else words


def _added(words: Words) -> NDArray[np.uint64]:
    """Add the words of each cell up."""
    return words[0] if len(words) == 1 else words.sum(axis=0, dtype=np.uint64)


def _mixed(words: Words) -> NDArray[np.uint64]:
    """Mix the words of each cell to one."""
    mixed: NDArray[np.uint64] = words[0]
    for part in words[1:]:
        mixed = (mixed ^ (mixed >> np.uint64(29))) * _ODD + part
    return mixed


def _hashed(words: Words) -> tuple[Codes, Codes] | None:
    """Find distinct cells by hashing: codes, and first places; None if two cells mix alike."""
    codes, first = _first(_mixed(words))
    if len(words) > 1 and len(first) < len(codes):
        positions = first[codes]
        if not all(np.array_equal(part[positions], part) for part in words):
            return None
    return codes, first


def _first(mixed: NDArray[np.integer[Any]]) -> tuple[Codes, Codes]:
    """Find distinct numbers by hashing: codes, and first places."""
    codes, known = pd.factorize(mixed, size_hint=len(mixed))
    first = np.empty(len(known), dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)  # the last write wins
    return codes, first


def _counted(values: NDArray[np.int64]) -> tuple[Codes, Codes] | None:
    """Find distinct numbers through a table, if they are from a small range."""
    cells = len(values)
    if (values[1:] > values[:-1]).all():
        return np.arange(cells, dtype=np.int32), np.arange(cells)
    low = int(values.min(initial=0))
    size = int(values.max(initial=0)) - low + 1
    if size > 4 * cells + 1024 or cells > np.iinfo(np.int32).max:
        return None
    if low:
        values = values - low
    first = np.empty(size, dtype=np.int32)
    first[values[::-1]] = np.arange(cells - 1, -1, -1, dtype=np.int32)
    same = first[values]
    occurring = np.flatnonzero(same == np.arange(cells, dtype=np.int32))
    first[values[occurring]] = np.arange(len(occurring), dtype=np.int32)
    return first[values], occurring
