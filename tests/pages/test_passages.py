"""Texts with what was marked below: each mark stands under its letters, whatever these are."""

from __future__ import annotations

import random

import pytest
from rich.cells import cell_len

from iaa_jax.pages import Page, Passage, Passages, Underline
from iaa_jax.pages.content import render
from iaa_jax.pages.passages import lines_of

LETTERS = "abc de\u0301f\u4e1c\u4eab \U0001f600\tg\n\u200d\u3000h"


def passage(text: str, **marks: list[tuple[int, int, str]]) -> Passage:
    drawn = {
        name: [Underline([(start, end)], label, f"{start}-{end}") for start, end, label in of]
        for name, of in marks.items()
    }
    return Passage("here", text, [*drawn.items()])


def cells(line: str) -> list[str]:
    """A line column by column; what takes two columns stands in both."""
    found: list[str] = []
    for character in line:
        found += [character] * cell_len(character)
    return found


def under(lines: list[str], gutter: int, drawn: str = "─") -> list[str]:
    """What stands above each bar, in the order of the lines."""
    found, text = [], ""
    for line in lines:
        if line.startswith(" ") and drawn not in line and "東京" not in line:
            text = line
            continue
        above, run = cells(text), []
        for place, character in enumerate([*cells(line)[gutter:], " "], gutter):
            if character == drawn:
                run.append(above[place] if place < len(above) else " ")
            elif run:
                found.append("".join(run))
                run = []
    return found


def test_marks_stand_under_their_letters() -> None:
    lines = lines_of(passage("In New York they met", ann=[(3, 11, "LOC")], bob=[(7, 11, "X")]))
    assert lines == [
        "     In New York they met",
        "ann     ──────── LOC",
        "bob         ──── X",
    ]


def test_what_overlaps_takes_several_lines() -> None:
    marks = [(0, 8, "OUTER"), (4, 8, "INNER"), (6, 12, "ACROSS"), (14, 16, "NEXT")]
    lines = lines_of(passage("abcdefghijkl mnopqrst uvw xyz", ann=marks, bob=[]))
    assert (
        lines
        == [
            "     abcdefghijkl mnopqrst uvw xyz",
            "ann  ──────── OUTER",
            "         ──── INNER",
            "           ────── ACROSS",
            "                   ── NEXT",
            "bob  -",
        ][: len(lines)]
    )
    assert under(lines, 5) == ["abcdefgh", "efgh", "ghijkl", "no"]


def test_parts_of_one_unit_are_joined() -> None:
    mark = Underline([(0, 3), (8, 11)], "GAP", "0-3, 8-11")
    lines = lines_of(Passage("", "one and two", [("ann", [mark])]))
    assert lines[1] == "ann  ───·····─── GAP"


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_wide_and_combining_letters_keep_marks_in_place(width: int) -> None:
    rng = random.Random(width)
    for _ in range(40):
        text = "x" + "".join(rng.choices(LETTERS, k=rng.randint(1, 200)))
        start, end = sorted(rng.sample(range(len(text) + 1), 2))
        lines = lines_of(passage(text, annotator=[(start, end, "東京")]), width)
        assert all(cell_len(line) <= width and line.isprintable() for line in lines)
        visible = "".join(" " if letter.isspace() else letter for letter in text[start:end])
        columns = "".join(letter * cell_len(letter) for letter in visible)
        if columns:  # of nothing but what takes no room, a sign is drawn below the next letter
            assert "".join(under(lines, 11)) == columns, (text, start, end)


def test_what_cannot_be_seen_is_not_printed() -> None:
    lines = lines_of(passage("a\x1b[31mb\u202ec\x00d", ann=[(0, 1, "\x1b]")]))
    assert all(line.isprintable() for line in lines)


def test_text_from_right_to_left_is_quoted() -> None:
    text = "שלום עולם"
    lines = lines_of(passage(text, ann=[(0, 4, "X")], bob=[]))
    assert lines == [f"     {text}", 'ann  X 0-4 "שלום"', "bob  -"]


def test_without_text_places_are_listed() -> None:
    lines = lines_of(passage("", ann=[(3, 11, "LOC"), (12, 13, "PER")], bob=[]))
    assert lines == ["ann  LOC 3-11, PER 12-13", "bob  -"]


def test_a_terminal_without_the_characters_has_marks_in_place() -> None:
    lines = lines_of(passage("a東b", ann=[(1, 2, "X"), (2, 3, "Y")]), ascii_only=True)
    assert lines == ["     a\\u6771b", "ann   ------ X", "            - Y"]


def test_no_renderer_takes_a_text_for_markup() -> None:
    shown = passage("a ``` b \\end{verbatim} *c* <b>", ann=[(0, 1, "X_1")])
    page = Page("T", [], [Passages([shown], "The *worst*")], {})
    assert "a ``` b" in render(page, "terminal")
    markdown = render(page, "markdown")
    assert "````text\n     a ``` b" in markdown
    assert markdown.count("````") == 2
    latex = render(page, "latex")
    assert latex.count(r"\end{verbatim}") == 1
    assert "X_1" in latex


@pytest.mark.parametrize("end", ["@example.org", "@example-of-a-long-place.org"])
def test_names_that_are_cut_stay_different(end: str) -> None:
    names = [f"coder{number}{end}" for number in (19155, 19167, 19147)]
    lines = lines_of(passage("some text", **{name: [(0, 4, "x")] for name in names}))
    shown = [line[:16].strip() for line in lines if not line.startswith(" ")]
    assert len({*shown}) == len(names)


def test_names_that_no_cut_tells_apart_are_numbered() -> None:
    names = [f"{'a' * 30}{letter}{'b' * 30}" for letter in "xyz"]
    lines = lines_of(passage("some text", **{name: [(0, 4, "x")] for name in names}))
    assert [line.split()[0] for line in lines if not line.startswith(" ")] == ["1", "2", "3"]
