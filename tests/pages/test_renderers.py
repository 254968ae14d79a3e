"""One page in every form: the figures are the same, and nothing from the data is markup."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from rich.console import Console

from iaa_jax import IaaError
from iaa_jax.pages import Column, Facts, Page, Table, render
from iaa_jax.pages.blocks import TWO_ENDED, Kind, spread
from iaa_jax.pages.content import RENDERERS
from iaa_jax.pages.csv import as_csv
from iaa_jax.pages.records import record
from iaa_jax.pages.terminal import print_page
from iaa_jax.wording.spelling import in_python
from tests.pages.made import HOSTILE, page


def printed(width: int, *arguments) -> list[str]:
    target = io.StringIO()
    console = Console(file=target, width=width, markup=False, emoji=False, highlight=False)
    print_page(console, page(*arguments), in_python)
    return target.getvalue().splitlines()


@pytest.mark.parametrize("form", RENDERERS)
def test_every_form_says_the_answer_first_and_every_figure(form: str) -> None:
    text = render(page(["ann", "bob", "cleo"]), form)
    assert text.index("agrees least: 0.500") < text.index("Ratings")
    for figure in ("0.350", "0.900", "2,000"):
        assert figure in text


def test_an_interval_of_a_share_is_in_percent_but_in_files() -> None:
    ends = [[0.0, 0.0004], [0.111, 0.327], [-0.05, -0.0001], [0.5, np.nan]]
    names = Column("who", "Who", list("abcd"), "label")
    table = Table("shares", [names, Column("ci", "", ends, "share_interval")])
    shares = Page("", [], [table], {})
    cells = ["0 % to <0.1 %", "11 % to 33 %", "-5.0 % to 0.0 %", "-"]
    lines = render(shares, "terminal").splitlines()[-4:]
    assert [line.split(maxsplit=1)[1] for line in lines] == cells
    assert "| 0 % to &lt;0.1 % |" in render(shares, "markdown")
    assert r"$-$5.0 \% to 0.0 \%" in render(shares, "latex")
    assert as_csv(table).split() == [
        *("who,ci_low,ci_high", "a,0.0,0.0004", "b,0.111,0.327", "c,-0.05,-0.0001", "d,0.5,")
    ]


def test_rows_spread_evenly_hold_both_ends() -> None:
    p = np.linspace(0.5, 1, 51)
    columns = [Column("p", "p", p, "short"), Column("twice", "Twice", 2 * p, marks=p > 0.9)]
    table = Table("curve", columns, shown=spread(51, 3), noun="points")
    text = render(Page("Curve", [], [table], {}), "markdown")
    assert "| 0.5 | 1.000  |\n| 0.75 | 1.500  |\n| 1 | 2.000\\* |" in text
    assert "Shown: 3 of 51 points" in text
    assert len(as_csv(table).splitlines()) == 52


@pytest.mark.parametrize("form", RENDERERS)
def test_nothing_unprintable_is_written(form: str) -> None:
    for line in render(page(), form).splitlines():
        assert line.isprintable(), line


def test_markdown_has_no_markup_from_names() -> None:
    text = render(page(), "markdown")
    assert not re.search(r"(?<!\\)<(?!br)", text)
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {6}
    assert len(rows) == len(HOSTILE) + 2


def test_latex_has_no_command_from_names() -> None:
    text = "\n".join(line for line in render(page(), "latex").splitlines() if line[:1] != "%")
    commands = set(re.findall(r"\\[A-Za-z]+", text))
    assert commands <= {
        *(r"\begin", r"\end", r"\toprule", r"\midrule", r"\bottomrule", r"\textbackslash"),
        *(r"\textless", r"\textgreater", r"\textquotedbl", r"\textbf"),
    }
    assert not re.search(r"(?<!\\)[%#_]", text)
    assert "$-$0.200" in text


def test_csv_reads_back_equal() -> None:
    (table,) = page(shown=2).tables
    rows = list(csv.DictReader(io.StringIO(as_csv(table))))
    assert list(rows[0]) == ["who", "ratings", "agreement", "ci_low", "ci_high", "said", "detail"]
    changed = {"nul\x00": r"nul\x00", "\x1b[31mred": r"\x1b[31mred", "={x:count}": "'={x:count}"}
    assert [row["who"] for row in rows] == [changed.get(name, name) for name in HOSTILE]
    assert [float(row["agreement"]) for row in rows] == list(table.columns[2].values)
    assert rows[0]["ci_low"] == rows[0]["ci_high"] == ""
    assert float(rows[1]["ci_low"]) == table.columns[3].values[1, 0]


def test_json_is_written_from_the_result() -> None:
    made = record(page().results)
    assert made["conclusion"] == "least"
    assert made["notes"] == []
    assert [row["who"] for row in made["annotators"]] == HOSTILE
    assert json.loads(json.dumps(made, allow_nan=False)) == made


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_a_terminal_cuts_names_and_never_figures(width: int) -> None:
    names = [f"annotator number {k}, the {'very ' * 9}diligent" for k in range(5)]
    lines = printed(width, names)
    assert max(map(len, lines)) <= width
    table = next(at for at, line in enumerate(lines) if line.startswith("Annotator"))
    heading = lines[table]
    for at, value in enumerate(np.linspace(-0.2, 0.9, 5)):
        assert f"{value:z.3f}" in lines[table + 2 + at]
    left_out = [line for line in lines if "Not shown at this width" in line]
    assert bool(left_out) == (width < 120)
    assert ("Ratings" in heading) == (width >= 60)
    # cut names stay distinct
    assert len({line[:20] for line in lines[table + 2 : table + 7]}) == 5


@pytest.mark.parametrize(("shown", "left_out"), [(2, "cleo"), ([0, 2], "bob")])
def test_a_terminal_says_how_many_rows_it_leaves_out(shown: Any, left_out: str) -> None:
    lines = printed(80, ["ann", "bob", "cleo"], shown)
    assert any("Shown: 2 of 3 annotators" in line for line in lines)
    assert not any(line.startswith(left_out) for line in lines)


def test_times_and_what_a_span_is_compared_with() -> None:
    days = np.array(["2024-03-01", "2024-05-02"], dtype="datetime64[ns]")
    spans = [[0.2, 0.1, 0.3, 0.5], [0.6, 0.4, 0.7, 0.5]]
    columns = [Column("day", "Day", days, "time"), Column("drawn", "", spans, "span")]
    text = render(Page("", [], [Table("days", columns)], {}), "terminal")
    first, second = text.splitlines()[2:]
    assert first.startswith("2024-03-01 ")
    assert first.endswith(":")
    assert ":" not in second.split()[-1]  # hidden by the interval


def test_intervals_are_drawn_on_one_scale() -> None:
    lines = printed(120, ["ann", "bob", "cleo"])
    drawn = [line[line.index("o", 50) :] if "o" in line[50:] else "" for line in lines]
    (low, high) = (line for line in lines if line.startswith(("bob", "cleo")))
    assert low.index("-o") < high.index("-o")
    assert any(drawn)


@pytest.mark.parametrize("ending", [".md", ".tex", ".csv", ".json", ".png", ".svg", ".pdf"])
def test_a_page_is_saved_by_its_ending(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"page{ending}"
    page(["ann", "bob"]).save(str(file))
    first = file.read_bytes()
    page(["ann", "bob"]).save(str(file))
    assert file.read_bytes() == first
    assert len(first) > 50


def test_a_folder_gets_every_table(tmp_path: Path) -> None:
    page().save(f"{tmp_path}/out/")
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["main.csv"]


def test_what_cannot_be_saved_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IaaError, match=r"must end in \.md, \.tex"):
        page().save(str(tmp_path / "page.docx"))
    with pytest.raises(IaaError, match="its tables are main"):
        page().save(str(tmp_path / "page.csv"), table="pairs")
    with pytest.raises(IaaError, match=r"there is no folder .*nowhere$"):
        page().save(str(tmp_path / "nowhere" / "page.md"))
    with pytest.raises(IaaError, match=r"no picture to write as \.png: end the name in"):
        Page("", [], page().tables[:1], {}).save(str(tmp_path / "page.png"))
    assert list(tmp_path.iterdir()) == []


def test_a_notebook_shows_the_page_as_markdown() -> None:
    bundle = page()._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/markdown", "text/html"}
    assert bundle["text/markdown"].startswith("# Annotators")


VALUES: dict[str, tuple[Any, str]] = {
    "label": ("ann", "ann"),
    "text": ("a text", "a text"),
    "word": ("no", "no"),
    "count": (1234, "1,234"),
    "estimate": (0.1236, "0.124"),
    "signed": (0.1236, "+0.124"),
    "short": (0.25, "0.25"),
    "share": (0.25, "25.0 %"),
    "probability": (0.25, "25 %"),
    "interval": ((0.1, 0.2), "0.10 to 0.20"),
    "share_interval": ((0.1, 0.2), "10 % to 20 %"),
    "range": ((10, 20), "10 to 20"),
    "p": (0.0123, "0.012"),
    "span": ((0.5, 0.25, 0.75), "o"),
    "time": (np.datetime64("2024-03-01", "ns"), "2024-03-01"),
}


@pytest.mark.parametrize("kind", get_args(Kind))
def test_every_kind_of_column_has_a_form(kind: Kind) -> None:
    value, text = VALUES[kind]
    values = np.array([value]) if kind == "time" else [value]
    columns = [Column("row", "Row", ["first"], "label"), Column("it", "It", values, kind)]
    page = Page("", [], [Table("it", columns)], {})
    for form in RENDERERS:
        assert text in render(page, form).replace("\\%", "%") or kind == "span"
    cells = as_csv(page.tables[0]).splitlines()[1].split(",")
    assert len(cells) == 1 + {"span": 0}.get(kind, 1 + (kind in TWO_ENDED))


def test_robustness_B13_no_row_of_latex_is_taken_for_an_argument() -> None:
    """After the end of a row, or a rule, LaTeX reads a star or a bracket as an argument of it."""
    names = ["*", "[3]", "*a", "[x", "plain", " [y"]
    columns = [Column("who", "[Who]", names, "label"), Column("x", "X", np.ones(len(names)))]
    facts = Facts([("[a]", "one"), ("*", "two")])
    text = render(Page("", [], [facts, Table("t", columns)], {}), "latex")
    for command in (r"\\\\", r"\\toprule", r"\\midrule"):
        assert not re.search(command + r"\s*[*\[]", text)
    rows = [line.split(" & ")[0] for line in text.splitlines() if " & " in line]
    assert rows == ["{}[a]", "{}*", "{}[Who]", "{}*", "{}[3]", "{}*a", "{}[x", "plain", "{} [y"]


def test_latex_makes_no_other_character_of_several() -> None:
    columns = [Column("who", "Who", ["a--b", "a---b", "``", "''", ",,", "?`!`"], "label")]
    text = render(Page("", [], [Table("t", columns)], {}), "latex")
    assert not re.search("--|``|''|,,|[?!]`", text)
    for cell in ("a-{}-b", "a-{}-{}-b", "`{}`", "'{}'", ",{},", "?{}`!{}`"):
        assert rf"{cell} \\" in text
