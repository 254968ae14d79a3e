"""CSV files that people open in spreadsheets: no text is a formula, no number becomes a text."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import iaa_jax as iaa
from iaa_jax.pages import Column, Table
from iaa_jax.pages.csv import as_csv, guarded_cells

FORMULAS = (
    "=1+1",
    "=HYPERLINK(0)",
    "+cmd|' /C calc'!A0",
    "-1+2",
    "-2+cmd|0!A0",
    "@SUM(A1)",
    "--",
    "-inf",
    "+a",
    "-1 day",
    "+49 30 123",
    "==",
    "-1e5e5",
)
PLAIN = (
    *("-1", "+5", "-0.25", "-.5", "+1e-05", "-", "+", "=", "@", "a=b", "1-2", " =1", "'a", ""),
    *("-1.", "text", "joy\nfear"),
)


def cells_of(*texts: object) -> list[str]:
    columns = [Column("who", "Who", texts, "label"), Column("x", "X", np.ones(len(texts)))]
    (_, *rows) = csv.reader(io.StringIO(as_csv(Table("main", columns))))
    return [row[0] for row in rows]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_text_that_begins_like_a_formula_gets_an_apostrophe(text: str) -> None:
    assert cells_of(text) == [f"'{text}"]


@pytest.mark.parametrize("text", PLAIN)
def test_numbers_and_other_texts_stay(text: str) -> None:
    assert cells_of(text) == [text]


def test_figures_are_numbers() -> None:
    columns = [
        Column("who", "Who", ["a", "b"], "label"),
        Column("x", "X", np.array([-0.5, -np.inf])),
    ]
    assert as_csv(Table("main", columns)) == "who,x\na,-0.5\nb,-inf\n"


def test_nothing_in_a_file_speaks_to_a_terminal() -> None:
    texts = {"\x1b[31mred": r"\x1b[31mred", "a\x9b31m": r"a\x9b31m", "nul\x00": r"nul\x00"}
    assert cells_of(*texts, "\r=1", "a\rb") == [*texts.values(), r"\x0d=1", r"a\x0db"]
    assert cells_of("no\u00a0break \u200d") == ["no\u00a0break \u200d"]


def test_names_of_columns_are_guarded_too() -> None:
    columns = [Column("who", "Who", ["a"], "label"), Column("=note", "", ["b"], "text")]
    table = Table("main", columns)
    assert as_csv(table).splitlines()[0] == "who,'=note"
    assert guarded_cells(table) == 1


def test_the_command_line_says_what_it_changed(ran, folder: Path) -> None:
    (folder / "hostile.csv").write_text(
        "item,ann,bob\n=1+1,=x,=x\n2,-1,-1\n3,=x,-1\n\x1b[31m4,-,-\n", encoding="utf-8"
    )
    options = ("--annotators", "ann,bob", "--interval", "none")
    done = ran("items", "hostile.csv", *options, "--output", "out.csv", "--json", "-")
    text = (folder / "out.csv").read_text()
    assert "\n'=1+1," in text
    assert "\x1b" not in text + done.output
    assert ",'=x," in text
    assert done.stderr == (
        "iaa: 2 texts in out.csv got an apostrophe, which keeps spreadsheets from running "
        "texts that begin like a formula; --json has all texts unchanged\n"
    )
    assert json.loads(done.stdout)["items"][0]["item"] in ("=1+1", "2", "3", "\x1b[31m4")
    assert "=1+1" in {row["item"] for row in json.loads(done.stdout)["items"]}


def test_no_json_speaks_to_a_terminal(iaa, folder: Path) -> None:
    text = "item,ann,bob\n1,a\x9b31m,b\n2,a\x9b31m,a\x9b31m\n"
    (folder / "hostile.csv").write_text(text, encoding="utf-8")
    done = iaa("agree", "hostile.csv", "--interval", "none", "--json", "-")
    assert "\\u009b31m" in done.stdout
    assert "\x9b" not in done.stdout
    assert "a\x9b31m" in json.loads(done.stdout)["specific_agreement"]


def test_what_is_no_mean_over_pairs_counts_none(ran, folder: Path) -> None:
    rows = ["item,annotator,label,batch"]
    rows += [f"{k},{who},{'xy'[k % 2]},b{k % 4 // 2}" for k in range(8) for who in ("ann", "bob")]
    (folder / "batches.csv").write_text("\n".join(rows))
    ran("items", "batches.csv", "--by", "batch", "--interval", "none", "--output", "all/")
    groups = list(csv.DictReader(io.StringIO((folder / "all" / "groups.csv").read_text())))
    assert [(row["pairs"], row["undefined_pairs"]) for row in groups] == [("", ""), ("", "")]


def test_a_table_of_a_page_is_a_dataframe_with_a_row_an_item() -> None:
    gold = iaa.gold(iaa.from_wide([["a", "a"], ["b", "a"], ["b", "b"]]), interval=None)
    page = iaa.page(gold)
    frame = page.to_dataframe()
    assert len(frame) == 3
    assert frame.set_index("item")["gold"].to_dict() == {0: "a", 1: "", 2: "b"}  # 1 is tied
    assert frame.set_index("item")["tied"].to_dict() == {0: "", 1: "a / b", 2: ""}
    read = pd.read_csv(io.StringIO(as_csv(page.tables[0])))
    assert [*read.columns] == [*frame.columns]
    with pytest.raises(iaa.IaaError, match="its tables are items"):
        page.to_dataframe("people")
