"""Spreadsheets, read and written, and adjudication sheets taken back."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from openpyxl import Workbook, load_workbook

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from iaa_jax.data.provenance import parts_of

ROWS = [["x", "y", "=z"], ["x", "x", "x"], ["y", "x", "y"], ["y", "x", "=z"]]


def write(path: Path, *sheets: list[list[object]]) -> str:
    book = Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets, 1):
        sheet = book.create_sheet(f"sheet {number}")
        for row in rows:
            sheet.append(row)
    book.save(path)
    return str(path)


def text_table(folder: Path) -> str:
    lines = ["item,text,ann,bob,cleo", *(f"{k},t{k},{','.join(row)}" for k, row in enumerate(ROWS))]
    (folder / "r.csv").write_text("\n".join(lines) + "\n")
    return "r.csv"


def test_a_sheet_is_the_csv_that_it_would_be(tmp_path):
    rows = [["item", "a", "b"], [1, 2, 3.0], [2, 2.0, None], [3, "NA", 2], [4, 3, 3]]
    sheet = iaa.read(write(tmp_path / "t.xlsx", rows))
    (tmp_path / "t.csv").write_text("item,a,b\n1,2,3\n2,2,\n3,NA,2\n4,3,3\n")
    table = iaa.read(tmp_path / "t.csv")
    assert sheet["primary"].equals(table["primary"])
    assert sheet["label"].values.tolist() == [2, 3]


def test_dates_and_truths_and_empty_rows(tmp_path):
    rows = [
        [],
        ["item", "annotator", "label", "day"],
        ["i", "x", True, datetime.datetime(2026, 1, 2)],
        [],
        ["i", "y", False, datetime.datetime(2026, 1, 3, 4, 5)],
    ]
    ratings = iaa.read(write(tmp_path / "t.xlsx", rows))
    assert sorted(ratings["label"].values.tolist()) == ["false", "true"]


def test_errors_name_the_sheet_and_the_row(tmp_path):
    rows = [["item", "annotator", "label"], [1, "x", "a"], [], [1, "x", "b"]]
    with pytest.raises(IaaError, match="sheet 'sheet 1' row"):
        iaa.read(write(tmp_path / "t.xlsx", rows))
    (tmp_path / "bad.xlsx").write_bytes(b"PK\x03\x04 no workbook")
    with pytest.raises(IaaError, match="cannot be read as a spreadsheet"):
        iaa.read(tmp_path / "bad.xlsx")


ROUND = [
    ["group", None, None, "text", "ann", "bob"],
    *(["A", "x", n, f"t{n}", ann, bob] for n, (ann, bob) in enumerate(("xy", "yy", "xx"), start=1)),
]


def left_out(ratings):
    return [(note.code, note.values) for note in parts_of(ratings, "skipped")]


def test_columns_without_a_name_are_left_out_unless_they_may_hold_ratings(tmp_path):
    path = write(tmp_path / "t.xlsx", [*ROUND[:3], [*ROUND[3], None, None, "pilot ends here"]])
    ratings = iaa.read(path, item="text", annotators="ann,bob")
    assert ratings["primary"].values.tolist() == [[0, 1], [1, 1], [0, 0]]
    names = ["column 2", "column 3", "column 9"]
    told = {"columns": names, "count": 3, "sheet": "sheet 1"}
    assert left_out(ratings) == [("skipped_columns_unnamed", told)]
    of_number = iaa.read(path, item="column 3", annotators="ann,bob")
    assert of_number["item"].values.tolist() == [1, 2, 3]
    lacking = [["item", "ann", None], *([n, *row] for n, row in enumerate(("xy", "yx", "xx")))]
    with pytest.raises(IaaError, match="there is a cell in a column without a name"):
        iaa.read(write(tmp_path / "l.xlsx", lacking))
    below = [["study", "our coders", None], *([row[3], *row[4:]] for row in ROUND)]
    with pytest.raises(IaaError, match="if the names are below it, say so by header_line=2"):
        iaa.read(write(tmp_path / "b.xlsx", below))


@pytest.mark.parametrize(
    "below",
    [
        [["this is where we stopped"]],
        [["summary"], ["label", "count"], ["x", 4], ["y", 2]],
        [["codes", "meaning"], ["x", "yes"]],
    ],
)
def test_notes_and_tables_below_are_left_out(tmp_path, below):
    table = [row[3:] for row in ROUND]
    ratings = iaa.read(write(tmp_path / "t.xlsx", [*table, [], *below]))
    assert ratings["primary"].values.tolist() == [[0, 1], [1, 1], [0, 0]]
    told = {"rows": len(below), "sheet": "sheet 1", "line": 6}
    assert left_out(ratings) == [("skipped_rows_below", told)]


@pytest.mark.parametrize(
    "below", [[["t4", "x", "y"]], [["round 2"], ["t4", "x", "y"]], [["t4"], ["t5", "y", "x"]]]
)
def test_ratings_below_an_empty_row_are_read(tmp_path, below):
    table = [row[3:] for row in ROUND]
    ratings = iaa.read(write(tmp_path / "t.xlsx", [*table, [], *below]))
    assert "t4" in ratings["item"].values.tolist()
    assert "skipped" not in ratings.attrs or "below" not in ratings.attrs["skipped"]


def test_a_table_beside_is_left_out(tmp_path):
    codes = [["code", "meaning"], ["x", "it is so"], ["y", "it is not"], ["z", "no idea"]]
    codes.append([None, "from the codebook"])
    table = [[*row[3:], None, *code] for row, code in zip(ROUND, codes, strict=False)]
    table.append([None] * 4 + codes[4])
    ratings = iaa.read(write(tmp_path / "t.xlsx", table))
    assert ratings["annotator"].values.tolist() == ["ann", "bob"]
    assert ratings.sizes["item"] == 3
    told = {"columns": ["code", "meaning"], "count": 2, "sheet": "sheet 1"}
    assert left_out(ratings) == [("skipped_columns_beside", told)]


def test_a_page_is_written_with_a_sheet_a_table(tmp_path):
    ratings = iaa.from_wide(ROWS)
    iaa.page(iaa.annotators(ratings, interval=None)).save(str(tmp_path / "out.xlsx"))
    book = load_workbook(tmp_path / "out.xlsx")
    assert book.sheetnames[0] == "annotators"
    header = [cell.value for cell in book["annotators"][1]]
    assert header[0] == "annotator"
    figure = book["annotators"].cell(2, header.index("agreement") + 1).value
    assert isinstance(figure, float)


def test_texts_like_formulas_stay_texts(tmp_path):
    iaa.page(iaa.items(iaa.from_wide(ROWS), votes=True)).save(str(tmp_path / "out.xlsx"))
    sheet = load_workbook(tmp_path / "out.xlsx")["items"]
    cells = [cell for row in sheet.iter_rows() for cell in row if cell.value == "=z"]
    assert cells
    assert {cell.data_type for cell in cells} == {"s"} or all(
        cell.data_type != "f" for cell in cells
    )


def test_adjudicated_labels_decide_and_teach_nothing():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 60)
    codes = np.where(rng.random((60, 4)) < 0.7, truth[:, None], rng.integers(0, 3, (60, 4)))
    ratings = iaa.from_wide(np.array(list("abc"))[codes])
    plain = iaa.gold(ratings, "dawid_skene", interval=None)
    settled = dict.fromkeys(ratings["item"].values[:5].tolist(), "c")
    done = iaa.gold(ratings, "dawid_skene", adjudicated=settled, interval=None)
    assert done.gold.values[:5].tolist() == ["c"] * 5
    assert done.decided_by.values[:5].tolist() == ["adjudicated"] * 5
    assert done.certainty.values[:5].tolist() == [1.0] * 5
    np.testing.assert_array_equal(done.gold.values[5:], plain.gold.values[5:])
    np.testing.assert_allclose(done.probability[5:], plain.probability[5:], atol=1e-9)
    np.testing.assert_allclose(done.skill, plain.skill, atol=1e-9)
    right = (codes[:, 0] == np.array(["abc".index(x) for x in done.gold.values])).mean()
    assert float(done.agreement[0]) == pytest.approx(right)
    both = iaa.gold(ratings, control={1: "a"}, adjudicated={2: "b"}, interval=None)
    assert both.decided_by.sel(item=[1, 2]).values.tolist() == ["control", "adjudicated"]


def test_wrong_sheets_say_what_is_wrong(request, folder):
    command = request.getfixturevalue("iaa")
    text_table(folder)
    base = ("gold", "r.csv", "--item", "item", "--annotators", "ann,bob,cleo", "--interval", "none")

    def said(text: str) -> str:
        (folder / "s.csv").write_text(text)
        done = command(*base, "--adjudicated", "s.csv")
        assert done.exit_code == 1
        return done.stderr

    assert "has no column 'adjudicated'" in said("item,gold\n0,x\n")
    assert "no cell of the column 'adjudicated' is filled in" in said("item,adjudicated\n0,\n")
    assert "s.csv line 3: 0 has two answers" in said("item,adjudicated\n0,x\n0,y\n")
    assert "s.csv line 2, column 'item'" in said("item,adjudicated\n77,x\n")
    assert "s.csv line 2, column 'adjudicated'" in said("item,adjudicated\n0,q\n")


ODD = ("=1+1", "'=1+1", "''=1+1", "x;=1", "x;'=1", "\x1b[1m", r"\x1b[1m", "\uff1d1", "it's", "-1")
"""Names that spreadsheets run, or that look like what is made of such."""


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
def test_robustness_B14_every_name_comes_back_from_a_sheet(request, folder, ending):
    command = request.getfixturevalue("iaa")
    rows = [(item, who, label) for item in ODD for who, label in (("a", "p"), ("b", "q"))]
    rows += [("all", f"u{k}", label) for k, label in enumerate(ODD)]
    frame = pd.DataFrame(rows, columns=["item", "annotator", "label"])
    frame.to_csv("r.csv", index=False)
    done = command("items", "r.csv", "--interval", "none", "--sheet", f"s{ending}")
    assert done.exit_code == 0, done.stderr
    if ending == ".csv":
        sheet = pd.read_csv("s.csv", dtype=str, keep_default_na=False)
        assert sheet["item"].is_unique
    else:
        sheet = pd.read_excel("s.xlsx", dtype=str, keep_default_na=False)
    # each item gets the label that is spelt as it is: as the sheet spells it
    sheet["adjudicated"] = [item if item != "all" else "" for item in sheet["item"]]
    sheet[["item", "adjudicated"]].to_csv("t.csv", index=False)
    if ending == ".xlsx":
        write(Path("t.xlsx"), [["item", "adjudicated"], ["all", None]])
        book = load_workbook("t.xlsx")
        for row, item in enumerate(sheet["item"], 2):
            for column, value in ((1, item), (2, "" if item == "all" else item)):
                cell = book["sheet 1"].cell(row, column, value)
                cell.data_type = "s"
        book.save("t.xlsx")
    base = ("r.csv", "--adjudicated", f"t{ending}", "--interval", "none")
    done = command("gold", *base, "--json", "-")
    assert done.exit_code == 0, done.stderr
    settled = [row for row in json.loads(done.stdout)["items"] if row["item"] != "all"]
    assert [row["item"] for row in settled] == [row["gold"] for row in settled]
    assert {row["item"] for row in settled} == set(ODD)
    assert {row["decided_by"] for row in settled} == {"adjudicated"}


def test_a_sheet_by_hand_names_things_as_the_ratings_do(request, folder):
    command = request.getfixturevalue("iaa")
    (folder / "r.csv").write_text("item,a,b\n=1,=x,'=x\n'=2,=x,=x\n3,'=x,=x\n")
    (folder / "s.csv").write_text("item,adjudicated\n=1,=x\n'=2,=x\n")
    base = ("gold", "r.csv", "--adjudicated", "s.csv", "--interval", "none", "--json", "-")
    done = command(*base)
    assert done.exit_code == 0, done.stderr
    gold = {row["item"]: row["gold"] for row in json.loads(done.stdout)["items"]}
    assert gold["=1"] == gold["'=2"] == "=x"
