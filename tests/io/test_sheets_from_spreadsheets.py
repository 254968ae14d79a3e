"""What spreadsheet programs and people make of an adjudication sheet, and what it offers them."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from openpyxl import Workbook, load_workbook

import iaa_jax as iaa
from iaa_jax._errors import IaaError, OptionError
from iaa_jax.io.adjudicated import adjudicated_labels

ROWS = {
    "t1": ("Yes", "no", "no"),
    "t2": ("Yes", "Yes", "maybe so"),
    "07": ("no", "Yes", "maybe so"),
    "12": ("no", "Yes", "no"),
}
BASE = ("r.csv", "--item", "item", "--annotators", "ann,bob,cleo", "--interval", "none")


def ratings_of(rows=ROWS):
    cells = [
        (item, who, label)
        for item, row in rows.items()
        for who, label in zip(("ann", "bob", "cleo"), row, strict=True)
    ]
    names = ("item", "annotator", "label")
    return iaa.from_long(dict(zip(names, zip(*cells, strict=True), strict=True)))


def table(folder: Path) -> None:
    lines = [f"{item},text {item},{','.join(row)}" for item, row in ROWS.items()]
    (folder / "r.csv").write_text("\n".join(["item,text,ann,bob,cleo", *lines]) + "\n")


@pytest.mark.parametrize(
    ("content", "labels", "respelled"),
    [
        ("item,adjudicated\nt1,no\n", {"t1": "no"}, {}),
        ("item\tadjudicated\r\nt1\tno\r\n", {"t1": "no"}, {}),
        ("\ufeffadjudicated;votes;item\nno;3;t1\n;2;t2\n", {"t1": "no"}, {}),
        ("item\tadjudicated\nt1\tno\n", {"t1": "no"}, {}),
        ("Item,Adjudicated \nt1,no\n", {"t1": "no"}, {}),
        ("item,adjudicated\n t1 , NO \nT2,YES\n", {"t1": "no", "t2": "Yes"}, 3),
        ("item,adjudicated\n7.0,no\n12.0,maybe  so\n", {"07": "no", "12": "maybe so"}, 3),
        ('item;adjudicated\n"7,0";no\n', {"07": "no"}, 1),
        ("item,adjudicated\r\nt1,no\r\n,\r\n,\r\n", {"t1": "no"}, {}),
        ("item,adjudicated,,\nt1,no,,\n,,,\n", {"t1": "no"}, {}),
    ],
)
def test_a_sheet_is_read_whatever_was_done_to_it(tmp_path, content, labels, respelled):
    (tmp_path / "s.csv").write_text(content, encoding="utf-8", newline="")
    found = adjudicated_labels(str(tmp_path / "s.csv"), ratings_of())
    assert found.decided == labels
    assert len(found.respelled) == (respelled or 0)


def test_what_fits_nothing_is_refused_with_its_place(tmp_path):
    for content, place, hint in (
        ("item,adjudicated\nt1,no\nt2,Yess\n", "line 3, column 'adjudicated'", "'Yes'"),
        ("item,adjudicated\nt11,no\n", "line 2, column 'item'", "'t1'"),
        ("item,adjudicated\nt1,no\n,Yes\n", "line 3", ""),
        ("item,adjudicated\n1.2E+01,no\n", "line 2, column 'item'", ""),
        ("item,adjudicated\nt1,no\nT1,Yes\n", "line 3", "'no'"),
        ("item,adjudicated\nt1,\n", "no cell", ""),
    ):
        (tmp_path / "s.csv").write_text(content)
        with pytest.raises(IaaError) as refused:
            adjudicated_labels(str(tmp_path / "s.csv"), ratings_of())
        assert place in str(refused.value), content
        assert hint in str(refused.value), content


def test_decisions_on_any_sheet_count_and_two_that_differ_are_refused(tmp_path):
    file = str(tmp_path / "s.xlsx")
    for first, second, decided in (
        ("no", None, "no"),
        (None, "no", "no"),
        ("no", "no", "no"),
        ("no", "Yes", None),
    ):
        book = Workbook()
        for sheet, label in ((book.active, first), (book.create_sheet("copy"), second)):
            for row in (["item", "adjudicated"], ["t1", label], ["t2", None]):
                sheet.append(row)
        book.save(file)
        if decided is None:
            with pytest.raises(IaaError, match=r"several sheets .* sheet 'copy' row 2"):
                adjudicated_labels(file, ratings_of())
        else:
            assert adjudicated_labels(file, ratings_of()).decided == {"t1": decided}


def test_a_cell_that_may_be_either_of_two_is_neither(tmp_path):
    rows = {"7": ("A", "b", "a"), "07": ("A", "b", "A"), "x": ("a", "b", "b")}
    (tmp_path / "s.csv").write_text("item,adjudicated\n7,a\n07,A\n")
    found = adjudicated_labels(str(tmp_path / "s.csv"), ratings_of(rows))
    assert found.decided == {"7": "a", "07": "A"}
    assert found.respelled == {}
    (tmp_path / "s.csv").write_text("item,adjudicated\n7.0,b\n")
    with pytest.raises(IaaError, match="which may be '7', '07'"):
        adjudicated_labels(str(tmp_path / "s.csv"), ratings_of(rows))


def test_a_new_label_is_declared_as_the_message_says(iaa, folder):
    table(folder)
    (folder / "s.csv").write_text('item,adjudicated\nt1,"new, really"\n')
    refused = iaa("gold", *BASE, "--adjudicated", "s.csv")
    assert refused.exit_code == 1
    declared = 'maybe so,no,Yes,"new, really"'
    assert sorted(next(csv.reader([declared]))) == sorted(
        next(csv.reader([refused.stderr.split("--labels '")[1].split("'")[0]]))
    )
    done = iaa("gold", *BASE, "--adjudicated", "s.csv", "--labels", declared, "--json", "-")
    gold = {row["item"]: row["gold"] for row in json.loads(done.stdout)["items"]}
    assert gold["t1"] == "new, really"


def test_numbers_are_labels_however_they_are_written(tmp_path):
    ratings = iaa.from_wide([[1, 2], [2, 2], [3, 1]])
    (tmp_path / "s.csv").write_text("item,adjudicated\n0.0,2.0\n2,3\n")
    found = adjudicated_labels(str(tmp_path / "s.csv"), ratings)
    assert found.decided == {0: "2", 2: "3"}
    gold = iaa.gold(ratings, adjudicated=found.decided, interval=None)
    assert gold.gold.values.tolist() == [2, 2, 3]


def test_a_sheet_offers_labels_and_keeps_what_matters_in_sight(iaa, folder):
    table(folder)
    done = iaa("gold", *BASE, "--text", "text", "--all-rows", "--output", "s.xlsx")
    assert done.exit_code == 0, done.stderr
    book = load_workbook("s.xlsx")
    sheet = book.worksheets[0]
    header = [cell.value for cell in sheet[1]]
    given = ["by ann", "by bob", "by cleo"]
    assert header == ["item", "text", *given, "suggested", "adjudicated"]
    assert sheet.freeze_panes == "B2"
    assert sheet.auto_filter.ref == sheet.dimensions
    (rule,) = sheet.data_validations.dataValidation
    assert (rule.type, str(rule.sqref)) == ("list", "G2:G5")
    assert sheet["G2"].alignment.wrap_text
    assert sheet.column_dimensions["G"].width >= len("adjudicated")
    figures = book["items"]
    certainty = [cell.value for cell in figures[1]].index("certainty") + 1
    assert figures.cell(2, certainty).number_format == "0.00"
    name, cells = rule.formula1.split("!")
    offered = [cell.value for (cell,) in book[name][cells.replace("$", "")]]
    assert sorted(offered) == sorted({label for row in ROWS.values() for label in row})
    assert book[name].sheet_state == "hidden"
    for row in sheet.iter_rows(min_row=2):
        if row[0].value == "t1":
            row[6].value = "Yes"
    sheet.column_dimensions["C"].hidden = True
    sheet.row_dimensions[3].hidden = True
    sheet.move_range("A1:G5", cols=40)
    book.move_sheet("sheet", 2)
    book.save("s.xlsx")
    done = iaa("gold", *BASE, "--adjudicated", "s.xlsx", "--json", "-")
    assert done.exit_code == 0, done.stderr
    rows = {row["item"]: row for row in json.loads(done.stdout)["items"]}
    assert (rows["t1"]["gold"], rows["t1"]["decided_by"]) == ("Yes", "adjudicated")
    assert {row["decided_by"] for row in rows.values()} == {"adjudicated", "method", "tie"}


def test_an_item_that_a_program_took_for_a_number_comes_back(iaa, folder):
    table(folder)
    frame = pd.DataFrame({"adjudicated": ["NO", None], "item": [7.0, 12.0]})
    frame.to_excel("s.xlsx", index=False)
    done = iaa("gold", *BASE, "--adjudicated", "s.xlsx", "--json", "-")
    assert done.exit_code == 0, done.stderr
    rows = {row["item"]: row for row in json.loads(done.stdout)["items"]}
    assert (rows["07"]["gold"], rows["07"]["decided_by"]) == ("no", "adjudicated")
    assert rows["12"]["decided_by"] != "adjudicated"
    assert "07" in done.stderr


def by_majority(ratings, *, blind):
    return iaa.gold(ratings, interval=None, blind=blind)


def test_a_blind_sheet_names_nobody(iaa, folder):
    table(folder)
    for words in (("gold", *BASE), ("items", *BASE[:-2], "--votes")):
        done = iaa(*words, "--blind", "--output", "s.xlsx")
        assert done.exit_code == 0, done.stderr
        sheets = load_workbook("s.xlsx").worksheets
        header = ["item", "votes_by_label", "suggested", "adjudicated"]
        assert [cell.value for cell in sheets[0][1]] == header
        cells = [str(cell.value) for each in sheets for row in each.iter_rows() for cell in row]
        assert not [cell for cell in cells if re.search(r"\b(ann|bob|cleo)\b", cell)]
    ratings = ratings_of()
    seen, blind = (by_majority(ratings, blind=flag) for flag in (False, True))
    assert blind.votes_by_label.sel(item="t1").item() == "no: 2; Yes: 1"
    assert "annotator" not in blind.dims
    assert blind.attrs["blind"] == 1
    np.testing.assert_array_equal(blind.gold.values, seen.gold.values)
    np.testing.assert_array_equal(blind.certainty.values, seen.certainty.values)


def test_a_blind_sheet_of_items_has_the_same_figures():
    ratings = ratings_of()
    seen, blind = (iaa.items(ratings, votes=True, blind=flag) for flag in (False, True))
    assert blind.votes_by_label.sel(item="t1").item() == "no: 2; Yes: 1"
    assert "annotator" not in blind.dims
    assert (seen.attrs["blind"], blind.attrs["blind"]) == (0, 1)
    assert blind.label.values.tolist() == ratings.label.values.tolist()
    for name in ("agreement", "influence", "rank"):
        np.testing.assert_array_equal(blind[name].values, seen[name].values)
    with pytest.raises(OptionError):
        iaa.items(ratings, blind=True)
