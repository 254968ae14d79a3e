"""Tables at any width: names are cut, columns go whole, figures stay."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.cells import cell_len
from rich.console import Console

from iaa_jax.report.columns import Column, not_shown, print_columns, shortened

NAMES = ["conversation-0001-of-the-long-corpus", "conversation-0002-of-the-long-corpus"]
COLUMNS = (
    Column("Item", NAMES, "name"),
    Column("Agree", ["0.333", "-0.125"]),
    Column("Interval", ["0.251 to 0.402", "-0.300 to -0.001"], spare=1),
    Column("Share", ["12.5 %", "<0.1 %"], spare=3),
    Column("Text", ["some words that are long", "漢字が続く文章です"], "text", 2),
)
FIGURES = {"Agree": "-0.125", "Interval": "-0.300 to -0.001", "Share": "<0.1 %"}


def printed(width: int) -> tuple[list[str], list[str]]:
    stream = StringIO()
    console = Console(file=stream, width=width, markup=False, highlight=False, _environ={})
    left_out = print_columns(console, COLUMNS)
    return stream.getvalue().splitlines(), left_out


@pytest.mark.parametrize("width", range(28, 120, 3))
def test_figures_stand_whole_or_not_at_all(width: int) -> None:
    lines, left_out = printed(width)
    assert len(lines) == 4
    assert max(map(cell_len, lines)) <= width
    for heading, figure in FIGURES.items():
        assert (figure in lines[-1]) is (heading not in left_out)
        assert (heading in lines[0]) is (heading not in left_out)
    assert lines[0].startswith("Item")
    assert lines[2].split()[0] != lines[3].split()[0]  # cut names are still told apart
    assert left_out in ([], ["Share"], ["Share", "Text"], ["Interval", "Share", "Text"])


def test_all_columns_where_there_is_room() -> None:
    assert printed(120)[1] == []
    assert printed(30)[1] == ["Interval", "Share", "Text"]


def test_a_cut_has_the_width_asked_for() -> None:
    for width in range(2, 30):
        for where in (0.0, 0.2, 0.5, 1.0):
            cut = shortened("abcdefghijklmnopqrstuvwxyz", width, where=where)
            assert len(cut) == min(width, 26)
            assert ("…" in cut) is (width < 26)
    assert shortened("abcdefghij", 5) == "ab…ij"
    assert shortened("abcdefghij", 5, where=0) == "…ghij"


def test_the_note() -> None:
    (said,) = not_shown(["SE", "SE", "Share"])
    assert said == "Not shown at this width: SE, Share; --csv and --json have them."
    assert not list(not_shown([]))
