"""Passages in HTML: the text for each annotator, with marks underlined and labelled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from iaa_jax.pages.blocks import Passage, Passages, Underline

_COLOURS = 3
"""Maximum number of labels with a colour of their own."""

_MORE = " …"

Piece = dict[str, str]
"""A part of a line: a text, the beginning of an underline, or its end with the label."""


def colours_of(block: Passages) -> dict[str, str]:
    """Return colours for the labels that are most often disputed, by name."""
    disputed = Counter(
        mark.label
        for passage in block.passages
        for _, marks in passage.marks
        for mark in marks
        if mark.disputed
    )
    return {label: f"c{k}" for k, (label, _) in enumerate(disputed.most_common(_COLOURS), 1)}


def lines_of(passage: Passage, colours: Mapping[str, str]) -> list[dict[str, object]]:
    """Return one line per group of annotators with the same marks; lines without marks are last."""
    by_marks: dict[tuple[object, ...], list[str]] = {}
    for name, marks in passage.marks:
        key: tuple[object, ...] = tuple(
            (tuple(mark.parts), mark.label, mark.place) for mark in marks
        )
        by_marks.setdefault(key, []).append(name)
    marks_by_name = dict(passage.marks)
    lines: list[dict[str, object]] = []
    for names in by_marks.values():
        marks, text = marks_by_name[names[0]], passage.text
        pieces = _pieces(text, marks, passage.cut, colours) if text else _listed(marks)
        lines.append({"names": ", ".join(names), "pieces": [*pieces] if marks else []})
    return sorted(lines, key=lambda line: not line["pieces"])


def _text_piece(text: str) -> Piece:
    return {"kind": "text", "text": text}


def _listed(marks: Sequence[Underline]) -> Iterator[Piece]:
    for number, mark in enumerate(marks):
        yield _text_piece(f"{', ' if number else ''}{mark.label} {mark.place}")


def _pieces(
    text: str, marks: Sequence[Underline], cut: tuple[bool, bool], colours: Mapping[str, str]
) -> Iterator[Piece]:
    """Yield the pieces of a text with underlines, which are split where they cross."""
    bars = [
        (a, a + len(text[a:b].rstrip()), mark, _MORE if number < len(mark.parts) else "")
        for mark in marks
        for number, (a, b) in enumerate(mark.parts, 1)
    ]
    bars.sort(key=lambda bar: (bar[0], -bar[1]))
    begins: dict[int, list[int]] = {}
    for number, (a, *_) in enumerate(bars):
        begins.setdefault(a, []).append(number)
    positions = sorted({0, len(text), *(position for a, b, *_ in bars for position in (a, b))})
    open_bars: list[int] = []
    yield _text_piece("… " if cut[0] else "")
    for position, following in zip(positions, [*positions[1:], len(text)], strict=True):
        ended = [number for number in open_bars if bars[number][1] <= position]
        again = open_bars[open_bars.index(ended[0]) :] if ended else []
        for number in reversed(again):
            yield _end(bars[number], done=number in ended)
        left = [number for number in again if number not in ended]
        open_bars = [*open_bars[: len(open_bars) - len(again)], *left]
        for number in left:
            yield _begin(bars[number], colours)
        for number in begins.get(position, ()):
            yield _begin(bars[number], colours)
            if bars[number][1] <= position:
                yield _end(bars[number], done=True)
            else:
                open_bars.append(number)
        yield _text_piece(text[position:following])
    yield _text_piece(" …" if cut[1] else "")


Bar = tuple[int, int, Underline, str]


def _begin(bar: Bar, colours: Mapping[str, str]) -> Piece:
    mark = bar[2]
    how = colours.get(mark.label, "c0") if mark.disputed else "agreed"
    return {"kind": "begin", "how": how}


def _end(bar: Bar, *, done: bool) -> Piece:
    _, _, mark, more = bar
    addition = "" if mark.disputed else ", as all did"
    return {"kind": "end", "label": f"{mark.label}{more}" if done else "", "said": addition}
