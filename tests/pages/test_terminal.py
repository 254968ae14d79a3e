"""Tables at any width: names are cut, columns go whole, figures stay."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
import xarray as xr
from rich.cells import cell_len
from rich.console import Console

from iaa_jax.cli.context import as_option, running
from iaa_jax.pages import Column, Facts, Page, Remarks, Table
from iaa_jax.pages.cells import shorten
from iaa_jax.pages.generic import generic_page
from iaa_jax.pages.terminal import print_page
from iaa_jax.wording import Note
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


WORDS = {"set": "{name:name}"}


def printed(width: int, columns=COLUMNS, spelling=in_python) -> list[str]:
    stream = io.StringIO()
    console = Console(file=stream, width=width, markup=False, highlight=False, _environ={})
    print_page(console, Page("", [], [Table("items", columns, noun="items")], WORDS), spelling)
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
    assert "Not shown at this width: Share; written by page.save()." in said
    with running({"output": None, "json": None}):
        said = " ".join(" ".join(printed(60, spelling=as_option)[4:]).split())
    assert "Not shown at this width: Share; written by --output and --json." in said


def two_set_columns(first: str, second: str) -> tuple[Column, ...]:
    """Return columns of a table with two names of the user's own above figures."""
    titles = ["Davies and Fleiss' kappa", "Krippendorff's alpha"]
    return (
        Column("title", "Coefficient", titles, "label"),
        Column("a", Note("set", {"name": first}), [0.111, 0.222], brief="A"),
        Column("b", Note("set", {"name": second}), [0.333, 0.444], brief="B"),
        Column("difference", "B - A", [0.222, 0.222], "signed"),
        Column("ci", "95 % interval", [[-0.025, 0.02], [-0.25, 0.5]], "interval"),
        Column("p", "p", [0.75, 0.25], "p"),
    )


def unspaced(lines: list[str]) -> str:
    """Lines without their blanks, so that it does not matter where they were broken."""
    return "".join("".join(lines).split())


TWO_SETS = {
    "ends": ("the first panel of students, in March 24", "a second panel of experts, in May 24"),
    "middles": ("students, panel of January, part two", "students, panel of August, part two"),
    "one begins the other": ("students of the panel of March", "students of the panel of March 24"),
    "wide characters": ("漢字が続く文章です" * 3, "漢字が続く文章" * 4),
}


@pytest.mark.parametrize("names", TWO_SETS.values(), ids=TWO_SETS)
def test_names_above_figures_give_way_before_figures_do(names: tuple[str, str]) -> None:
    for width in range(50, 100):
        lines = printed(width, two_set_columns(*names))
        assert max(map(cell_len, lines)) <= width
        assert "-0.025 to 0.020" in lines[2]
        assert ("0.750" in lines[2]) is (width >= 57)  # 11 + 5 + 5 + 6 + 15 + 5, and 2 between
        shown = lines[0].removeprefix("Coefficient").split("B - A")[0].strip().split("  ")
        for brief, above, name in zip("AB", (shown[0], shown[-1].strip()), names, strict=True):
            assert unspaced([f"- {above}: {name}."]) in unspaced(lines[4:])
            if above != brief:
                head, tail = above.split("…")
                assert name.startswith(head)
                assert name.endswith(tail)
                assert cell_len(above) > 5
        assert len(set(shown)) > 1


def test_names_that_fit_stand_whole() -> None:
    for names in (["old", "new"], ["crowd", "expert"], ["one", "twentyseven"]):
        lines = printed(100, two_set_columns(*names))
        assert lines[0].split()[1:3] == names
        assert len(lines) == 4
    assert printed(100, two_set_columns("same", "same"))[0].split()[1:3] == ["A", "B"]


@pytest.mark.parametrize("width", [28, 50, 120])
def test_a_long_name_above_names_is_cut_and_said_in_full(width: int) -> None:
    name = "the week in which the rating was made, as they say"
    key = Column("week", Note("set", {"name": name}), ["w1", "w2"], "label", brief="Group")
    lines = printed(width, (key, Column("agree", "Agree", [0.25, 0.5])))
    assert max(map(cell_len, lines)) <= width
    above = lines[0].removesuffix("Agree").strip()
    assert above.startswith("the we")
    assert unspaced([f"- {above}: {name}."]) in unspaced(lines[4:])


def test_drawn_intervals_without_room_have_no_heading_to_name() -> None:
    spans = [[0.3, 0.2, 0.4], [0.5, 0.4, 0.6]]
    lines = printed(40, (*COLUMNS[:2], Column("drawn", "", spans, "span", spare=1), COLUMNS[3]))
    said = " ".join(" ".join(lines[4:]).split())
    assert said.startswith("- Not shown at this width: Share;")


def test_a_table_that_needs_all_its_columns_is_named_where_it_has_no_room() -> None:
    tables = [
        Table("items", COLUMNS[:2], noun="items"),
        Table("pairs", COLUMNS[:3], "Each pair", "pairs", whole=True),
    ]
    page = Page("", [], tables, WORDS)
    shown = {}
    for width in (38, 80):
        stream = io.StringIO()
        console = Console(file=stream, width=width, markup=False, highlight=False, _environ={})
        print_page(console, page, in_python)
        shown[width] = stream.getvalue()
    assert "\n\nEach pair\n\n" in shown[80]
    assert "Not shown" not in shown[80]
    said = " ".join(shown[38].split())
    assert said.endswith(
        "- Not shown at this width: the table 'Each pair'; written by page.save()."
    )
    assert "\n\n\n" not in shown[38]


def test_where_nothing_is_spare_the_last_columns_stand_below() -> None:
    columns = (COLUMNS[0], *(Column(f"c{k}", f"Figure {k}", [0.25, k]) for k in range(6)))
    lines = printed(50, columns)  # 10 of the names, and 3 times 2 + 8
    assert max(map(cell_len, lines)) <= 50
    assert lines[0].split()[1:] == ["Figure", "0", "Figure", "1", "Figure", "2", "Figure", "3"]
    assert lines[4] == ""
    assert lines[5].split() == ["Item", "Figure", "4", "Figure", "5"]
    assert lines[8].split()[1:] == ["4.000", "5.000"]
    assert len(lines) == 9


def test_what_several_tables_leave_out_is_one_sentence() -> None:
    share = Column("share", "Share", [0.5, 0.25], "share", spare=1)
    spread = Column("spread", "Spread", [0.5, 0.25], spare=2)
    hidden = Column("key", "", [1, 2], in_files=True)
    rows = [Column("row", "Row", ["x", "y"], "label"), *COLUMNS[1:3]]
    tables = [Table("a", [hidden, *COLUMNS[:3], share], "aaa " * 16), Table("b", [*rows, spread])]
    stream = io.StringIO()
    console = Console(file=stream, width=36, markup=False, highlight=False, _environ={})
    print_page(console, Page("", [], tables, {}), in_python)
    (said,) = " ".join(stream.getvalue().split()).split("- Not shown at this width: ")[1:]
    called = "the table '" + "aaa " * 14 + "a...'"
    assert said == f"Interval in {called}; Spread in the table by 'Row'; written by page.save()."


def test_of_which_table_columns_are_left_out_is_said() -> None:
    share = Column("share", "Share", [0.5, 0.25], "share", spare=2)
    wide = [COLUMNS[0], Column("more", "A long heading of figures", [0.5, 0.25]), share]
    tables = [
        Table("a", [COLUMNS[0], share]),
        Table("b", wide, "Wide"),
        Table("c", [replace(wide[0], heading="Who"), *wide[1:]]),
    ]
    stream = io.StringIO()
    console = Console(file=stream, width=44, markup=False, highlight=False, _environ={})
    print_page(console, Page("", [], tables, {}), in_python)
    (said,) = " ".join(stream.getvalue().split()).split("- Not shown at this width: ")[1:]
    assert said.startswith("Share in the table 'Wide'; Share in the table by 'Who'; written")


def test_a_page_of_any_result_keeps_the_usual_figures() -> None:
    names = ["code", "null_mean", "undefined_permutations", "p_value", "estimate", "z"]
    variables = {name: ("coefficient", [0.125, 0.5]) for name in names}
    result = xr.Dataset(variables, {"coefficient": ["gwet_ac1", "fleiss_kappa"]})
    stream = io.StringIO()
    console = Console(file=stream, width=60, markup=False, highlight=False, _environ={})
    print_page(console, generic_page(result, {}), in_python)
    headings, *rest = stream.getvalue().splitlines()
    assert headings.split("  ")[-1].strip() == "null mean"
    assert [name for name in ("estimate", "z", "p value") if name not in headings] == []
    said = " ".join(" ".join(rest).split())
    assert "Not shown at this width: undefined permutations; written by" in said


def test_no_line_begins_with_a_percent_sign() -> None:
    words = {"share": "In {a:share} of them, {b:share} to {c:share} with {d:level} confidence."}
    values = {"a": 0.5, "b": 0.123, "c": 0.4, "d": 0.95}
    page = Page("", [Note("share", values)], [Remarks([Note("share", values)])], words)
    for width in range(20, 80):
        stream = io.StringIO()
        console = Console(file=stream, width=width, markup=False, highlight=False, _environ={})
        print_page(console, page, in_python)
        lines = stream.getvalue().splitlines()
        assert max(map(cell_len, lines)) <= width
        assert not any(line.lstrip().startswith("%") for line in lines)
        said = "In 50.0 % of them, 12.3 % to 40.0 % with 95 % confidence."
        assert " ".join(" ".join(lines).split()) == f"{said} - {said}"


def test_columns_of_a_group_go_together_and_another_takes_their_place() -> None:
    given = [Column(name, name, ["positive"], "label", spare=1, group="g") for name in "ABCD"]
    instead = Column("all", "All", ["positive: A"], "text", in_files=True, stands_for="g")
    columns = (Column("item", "Item", ["i"], "label"), *given, instead)
    wide, narrow = ("\n".join(printed(width, columns)) for width in (60, 30))
    assert "All" not in wide
    assert wide.count("positive") == 4
    assert "All" in narrow
    assert "positive: A" in narrow
    assert "Not shown" not in narrow


LABELS = ["first answer better", "second answer better", "tie"]


@pytest.mark.parametrize("width", range(57, 100, 7))
def test_a_label_looks_alike_in_all_columns(width: int) -> None:
    items = Column("item", "Item", ["1", "2", "3"], "label")
    given = [Column(f"by {k}", f"rater{k}", LABELS, "label") for k in range(3)]
    figure = Column("agree", "Agree", [0.1, 0.2, 0.3])
    rows = [line.split("  ") for line in printed(width, (items, *given, figure))[2:]]
    shown = [[cell.strip() for cell in row if cell.strip()][1:4] for row in rows]
    assert [len(set(cells)) for cells in shown] == [1, 1, 1]
    assert len({cells[0] for cells in shown}) == 3


def test_texts_share_the_room_that_is_left() -> None:
    texts = [Column(name, name, ["words " * 20], "text") for name in ("one", "two")]
    line = printed(70, (Column("item", "Item", ["1"], "label"), *texts))[2]
    first, second = line[6:].split("…")[:2]
    assert abs(len(first) - len(second.strip())) <= 3
    short = Column("two", "two", ["a few"], "text")
    assert "words " * 8 in printed(70, (Column("item", "Item", ["1"], "label"), texts[0], short))[2]


@pytest.mark.parametrize(("length", "headings"), [(4, ["name", "eman"]), (30, ["A", "B"])])
def test_a_name_that_facts_explain_is_whole_or_brief(length: int, headings: list[str]) -> None:
    names = [("name" * 10)[:length], ("eman" * 10)[:length]]
    columns = [COLUMNS[0]] + [
        Column(brief, Note("set", {"name": name}), [0.5, 0.25], brief=brief, named_above=True)
        for brief, name in zip("AB", names, strict=True)
    ]
    lines = printed(80, columns)
    assert lines[0].split() == ["Item", *headings]
    assert len(lines) == 4  # nothing is said of it below


def test_an_option_too_long_for_a_line_stands_below_unbroken() -> None:
    names = ",".join(f"w{k}" for k in range(30))
    page = Page(
        "", [], [Facts([("Note", Note("few", {"names": names}))])], {"few": "({a:option names})"}
    )
    stream = io.StringIO()
    print_page(Console(file=stream, width=60, _environ={}), page, in_python)
    lines = stream.getvalue().splitlines()
    assert lines == ["Note  (a= as below)", f"    a='{names}'"]
