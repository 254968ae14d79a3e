"""Tables at any width: names are cut, columns go whole, figures stay."""

from __future__ import annotations

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from iaa_jax.cli.context import as_option, running
from iaa_jax.pages import Column, Page, Table
from iaa_jax.pages.terminal import print_page, shorten
from iaa_jax.wording.spelling import in_python

NAMES = ["conversation-0001-of-the-long-corpus", "conversation-0002-of-the-long-corpus"]
COLUMNS = (
    Column("item", "Item", NAMES, "label"),
    Column("agree", "Agree", [0.333, -0.125]),
    Column("ci", "Interval", [[0.251, 0.402], [-0.3, -0.001]], "interval", spare=1),
    Column("share", "Share", [0.125, 0.0004], "share", spare=3),
    Column("text", "Text", ["some words that are long", "漢字が続く文章です"], "text", spare=2),
)
FIGURES = {"Agree": "-0.125", "Interval": "-0.300 to -0.001", "Share": "<0.1 %"}


def printed(width: int, columns=COLUMNS, spelling=in_python) -> list[str]:
    stream = io.StringIO()
    console = Console(file=stream, width=width, markup=False, highlight=False, _environ={})
    print_page(console, Page("", [], [Table("items", columns, noun="items")], {}), spelling)
    return stream.getvalue().splitlines()


@pytest.mark.parametrize("width", range(28, 120, 3))
def test_figures_stand_whole_or_not_at_all(width: int) -> None:
    lines = printed(width)
    assert max(map(cell_len, lines)) <= width
    said = " ".join(" ".join(lines[4:]).split()).split("Not shown at this width: ")
    left_out = said[1].split(";")[0].split(", ") if len(said) > 1 else []
    for heading, figure in FIGURES.items():
        assert (figure in lines[3]) is (heading not in left_out)
        assert (heading in lines[0]) is (heading not in left_out)
    assert lines[0].startswith("Item")
    assert lines[2].split()[0] != lines[3].split()[0]  # cut names are still distinct
    assert left_out in ([], ["Share"], ["Share", "Text"], ["Interval", "Share", "Text"])


def test_all_columns_where_there_is_room() -> None:
    assert len(printed(120)) == 4


def test_words_are_cut_only_where_nothing_else_can_go() -> None:
    words = (Column("name", "Coefficient", ["Davies and Fleiss' kappa"], "word"), COLUMNS[1])
    words = (words[0], Column("agree", "Agree", [0.333], spare=1), Column("ci", "E", [0.5]))
    assert "Davies and Fleiss' kappa" in printed(32, words)[2]
    (row,) = (line for line in printed(20, words) if line.endswith("0.500"))
    assert "…" in row
    assert len(row) <= 20


def test_a_cut_has_the_width_asked_for() -> None:
    for width in range(2, 30):
        for where in (0.0, 0.2, 0.5, 1.0):
            cut = shorten("abcdefghijklmnopqrstuvwxyz", width, where=where)
            assert len(cut) == min(width, 26)
            assert ("…" in cut) is (width < 26)
    assert shorten("abcdefghij", 5) == "ab…ij"
    assert shorten("abcdefghij", 5, where=0) == "…ghij"


def test_who_reads_is_told_where_the_rest_is() -> None:
    said = " ".join(" ".join(printed(60)[4:]).split())
    assert "Not shown at this width: Share; files of page.save() write them." in said
    with running({"output": None, "json": None}):
        said = " ".join(" ".join(printed(60, spelling=as_option)[4:]).split())
    assert "Not shown at this width: Share; --output and --json write them." in said
