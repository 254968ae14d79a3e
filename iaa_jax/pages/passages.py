"""Passages of text in lines of fixed width, with annotators' marks below the letters."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import accumulate

from rich.cells import cell_len, get_character_cell_size

from iaa_jax.pages.blocks import Passage, Underline
from iaa_jax.pages.cells import distinct_names, shorten
from iaa_jax.wording import formats

WIDTH = 80
"""Width in columns if there is no terminal."""

LONGEST = 60
"""Maximum number of lines of a passage; the remaining marks are in files."""

_NAME = 16  # maximum width of a name, in columns
_GAP = 2
_RIGHT_TO_LEFT = ("R", "AL", "AN")
_STYLES = "\ufe0e\ufe0f"  # characters whose width differs between terminals


def lines_of(passage: Passage, width: int = WIDTH, *, ascii_only: bool = False) -> list[str]:
    """Return the lines of the text, each followed by lines with each annotator's marks in it.

    Marks that overlap go below one another. If the text is unknown, or is written from right to
    left, so that marks cannot be aligned with letters, the marks are listed. Annotators who marked
    nothing have a dash.
    """
    dots = "..." if ascii_only else "…"
    names = distinct_names([formats.name(name) for name, _ in passage.marks], _NAME, dots)
    gutter = max(map(cell_len, names), default=0) + _GAP
    room = max(width - gutter, 2 * _GAP)
    cells = [_shown(character, ascii_only=ascii_only) for character in passage.text]
    sizes = [cell_len(cell) for cell in cells]
    is_listed = not passage.text or any(
        unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in passage.text
    )
    lines: list[str] = []
    for first, last in _breaks(sizes, cells, room):
        lines.append(" " * gutter + "".join(cells[first:last]))
        if is_listed:
            continue
        columns = [0, *accumulate(sizes[first:last])]
        for name, (_, marks) in zip(names, passage.marks, strict=True):
            bars = [
                _Bar(mark, [(columns[a - first], columns[b - first]) for a, b in parts])
                for mark in marks
                if (parts := list(_clipped(mark, first, last, sizes)))
            ]
            rows = _rows(bars, room, "-" if ascii_only else "─", "." if ascii_only else "·")
            lines += _named(name, rows if marks or first else ["-"], gutter)
    for name, (_, marks) in zip(names, passage.marks, strict=True) if is_listed else ():
        listed = [", ".join(_in_words(mark, passage.text) for mark in marks)]
        lines += _named(name, listed if marks else ["-"], gutter)
    if left := len(lines[LONGEST:]):
        lines[LONGEST:] = [f"{dots} {left:,} more lines: all marks are in CSV and JSON files"]
    return [line.rstrip() for line in lines]


def _in_words(mark: Underline, text: str) -> str:
    """Describe a mark that cannot be drawn: its label, its positions, and its text."""
    marked = " ".join("".join(map(_shown, text[a:b])) for a, b in mark.parts) if text else ""
    return " ".join(filter(None, [formats.name(mark.label), mark.place, marked and f'"{marked}"']))


def _named(name: str, rows: Sequence[str], gutter: int) -> Iterator[str]:
    for line in rows:
        yield name + " " * (gutter - cell_len(name)) + line
        name = ""


def _shown(character: str, *, ascii_only: bool = False) -> str:
    """Return a character as printed; invisible characters are dropped or replaced."""
    kind = unicodedata.category(character)
    if character in _STYLES or kind == "Cf":
        return ""
    if character.isspace() or kind == "Zs":
        return " "
    if not character.isprintable():
        return "?" if ascii_only else "\ufffd"
    return character.encode("ascii", "backslashreplace").decode() if ascii_only else character


def _breaks(sizes: Sequence[int], cells: Sequence[str], room: int) -> Iterator[tuple[int, int]]:
    """Yield where each line begins and ends: if possible, after a blank in its second half."""
    first = 0
    while first < len(sizes):
        last, used = first, 0
        while last < len(sizes) and used + sizes[last] <= room:
            used += sizes[last]
            last += 1
        last = max(last, first + 1)
        while last < len(sizes) and not sizes[last]:
            last += 1  # a combining character stays with its letter
        if last < len(sizes):
            blanks = [at for at in range((first + last) // 2, last) if cells[at] == " "]
            last = blanks[-1] + 1 if blanks else last
        yield first, last
        first = last


def _clipped(
    mark: Underline, first: int, last: int, sizes: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Yield the parts of a mark in a line, without empty parts unless all parts are empty."""
    has_room = any(any(sizes[start:end]) for start, end in mark.parts)
    for start, end in mark.parts:
        low, high = max(start, first), min(end, last)
        if any(sizes[low:high]) or (not has_room and first <= start < last):
            yield low, high


class _Bar:
    """A mark in one line: its columns, from first to last, and its label."""

    def __init__(self, mark: Underline, parts: Sequence[tuple[int, int]]) -> None:
        self.parts = [(a, max(b, a + 1)) for a, b in parts]
        self.low, self.high = min(a for a, _ in self.parts), max(b for _, b in self.parts)
        self.label = formats.name(mark.label)

    def placed(self, room: int) -> tuple[int, int, int] | None:
        """Return where the label begins, and the columns that bar and label take, with a gap.

        Without room for the label, return None.
        """
        size = cell_len(self.label)
        if self.high + 1 + size <= room:
            return self.high + 1, self.low, self.high + 2 + size
        if size + 1 <= self.low:
            return self.low - 1 - size, self.low - 1 - size, self.high + 1
        return None


def _rows(bars: Sequence[_Bar], room: int, line: str, gap: str) -> list[str]:
    """Arrange bars with labels in few lines; each bar goes to the first line with room for it."""
    rows: list[tuple[list[str], list[tuple[int, int]]]] = []
    for bar in sorted(bars, key=lambda bar: (bar.low, -bar.high)):
        at, low, high = bar.placed(room) or (-1, 0, room)
        free = next((row for row in rows if _is_free(row[1], low, high)), None)
        if free is None:
            rows.append(free := ([" "] * (room + 1), []))
        cells, taken = free
        taken.append((low, high))
        cells[bar.low : bar.high] = gap * (bar.high - bar.low)
        for a, b in bar.parts:
            cells[a:b] = line * (b - a)
        label = bar.label
        if at < 0:  # there is no room next to the bar, so the label gets a line of its own
            label = shorten(label, room)
            at = min(bar.low, room - cell_len(label))
            rows.append(([" "] * (room + 1), [(0, room)]))
            cells = rows[-1][0]
        _write(label, cells, at)
    return ["".join(cells) for cells, _ in rows]


def _is_free(taken: Sequence[tuple[int, int]], low: int, high: int) -> bool:
    return all(high <= a or b <= low for a, b in taken)


def _write(text: str, cells: list[str], at: int) -> None:
    for character in text:
        size = get_character_cell_size(character)
        if size:
            cells[at : at + size] = [character, *[""] * (size - 1)]
        elif at:
            cells[at - 1] += character  # a combining character joins the letter before
        at += size
