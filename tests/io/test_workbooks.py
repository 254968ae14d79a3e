"""Spreadsheets as they are: what they say of their size, merged cells, formulas, several sheets."""

from __future__ import annotations

import random
import time
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.styles import Font

import iaa_jax as iaa
from iaa_jax import IaaError, krippendorff_alpha, read
from iaa_jax.io.table import workbook
from iaa_jax.io.table.source import Source
from iaa_jax.wording import load_notes

LONG = [["item", "annotator", "label"]] + [
    [item, who, label]
    for item, labels in (("i", "xx"), ("j", "xy"), ("k", "yy"), ("l", "yy"))
    for who, label in zip("ab", labels, strict=True)
]
# alpha of xx, xy, yy, yy: 1 - (8 - 1) * 2 * 1 / (2 * 3 * 5)
ALPHA = 1 - 7 / 15


def book(path: Path, merged: Sequence[str] = (), **sheets: Sequence[Sequence[object]]) -> Path:
    made = Workbook()
    made.remove(made.active)
    for title, rows in sheets.items():
        sheet = made.create_sheet(title)
        for row in rows:
            sheet.append(row)
        for block in merged:
            sheet.merge_cells(block)
    made.save(path)
    return path


def changed(path: Path, change: Callable[[str], str]) -> Path:
    """The workbook with the XML of its first sheet changed."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = "xl/worksheets/sheet1.xml"
    parts[name] = change(parts[name].decode()).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return path


def rows_of(xml: str) -> list[str]:
    """The rows of a sheet's XML."""
    inner = xml[xml.index("<sheetData>") + 11 : xml.index("</sheetData>")]
    return [f"<row{part}" for part in inner.split("<row")[1:]]


def refused(path: Path, **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read(path, **options)
    message = str(caught.value)
    assert str(path) in message
    return message


def codes(ratings: object) -> list[str]:
    return [note.code for note in load_notes(ratings.attrs["reading"])]


def alpha(path: Path, **options: object) -> float:
    return float(krippendorff_alpha(read(path, **options)).estimate)


@pytest.mark.parametrize("ref", ["A1:C3", "A1", "A1:XFD1048576", None])
def test_the_dimension_is_not_believed(tmp_path, ref):
    path = book(tmp_path / "t.xlsx", s=LONG)
    tag = "" if ref is None else f'<dimension ref="{ref}"/>'

    def change(xml: str) -> str:
        assert xml.count('<dimension ref="A1:C9"/>') == 1
        return xml.replace('<dimension ref="A1:C9"/>', tag)

    assert alpha(changed(path, change)) == pytest.approx(ALPHA)


def test_rows_out_of_order_stand_where_they_say(tmp_path):
    path = book(tmp_path / "t.xlsx", s=LONG)

    def change(xml: str) -> str:
        rows = rows_of(xml)
        return xml.replace("".join(rows), "".join(rows[::-1]))

    ratings = read(changed(path, change))
    assert ratings.item.values.tolist() == ["i", "j", "k", "l"]
    assert float(krippendorff_alpha(ratings).estimate) == pytest.approx(ALPHA)


def test_a_far_last_row_costs_nothing(tmp_path):
    path = book(tmp_path / "t.xlsx", s=LONG)

    def change(xml: str) -> str:
        xml = xml.replace("A1:C9", "A1:XFD1048576").replace('r="A9"', 'r="A1048576"')
        return xml.replace('r="B9"', 'r="B1048576"').replace('r="C9"', 'r="C1048576"')

    started = time.perf_counter()
    assert alpha(changed(path, change)) == pytest.approx(ALPHA)
    assert time.perf_counter() - started < 5


def test_a_cell_that_stands_twice(tmp_path):
    path = changed(book(tmp_path / "t.xlsx", s=LONG), lambda xml: xml.replace('r="C9"', 'r="B9"'))
    assert "sheet 's' row 9" in refused(path)


def test_more_than_is_allowed_is_not_unpacked(tmp_path):
    path = book(tmp_path / "t.xlsx", s=LONG)
    path = changed(path, lambda xml: xml.replace("<sheetData>", " " * 2_000_000 + "<sheetData>"))
    assert path.stat().st_size < 20_000
    assert "max_megabytes" in refused(path, max_megabytes=1)
    assert alpha(path) == pytest.approx(ALPHA)


def test_formulas_without_a_value_are_missing(tmp_path):
    rows = [[f"i{k}", "x" if k % 2 else "y", "x"] for k in range(20)]
    rows[3][2] = '=IF(B5="x","x","y")'
    path = book(tmp_path / "t.xlsx", s=[["item", "a", "b"], *rows])
    ratings = read(path)
    note = next(
        n for n in load_notes(ratings.attrs["reading"]) if n.code == "formulas_without_value"
    )
    assert note.values == {"count": 1, "columns": ["b"]}
    assert (ratings.primary.values < 0).sum() == 1
    assert ratings.primary.sel(item="i3").values[1] < 0
    # with a stored value it is like any other cell

    def change(xml: str) -> str:
        assert xml.count("</f><v></v>") == 1
        return xml.replace("</f><v></v>", "</f><v>x</v>").replace(
            '<c r="C5">', '<c r="C5" t="str">'
        )

    stored = changed(path, change)
    assert "formulas_without_value" not in codes(read(stored))
    assert (read(stored).primary.values >= 0).all()


@pytest.mark.parametrize("cell", ["=B2", "#N/A", "#REF!"])
def test_a_column_of_formulas_without_values_is_refused(tmp_path, cell):
    rows = [[f"i{k}", "x" if k % 2 else "y", cell] for k in range(9)]
    message = refused(book(tmp_path / "t.xlsx", s=[["item", "a", "b"], *rows]))
    assert "sheet 's' row 2: 9 cells of the column 'b'" in message


def test_merged_cells_belong_to_every_cell(tmp_path):
    rows = [list(row) for row in LONG]
    for number in (2, 4, 6, 8):
        rows[number][0] = None
    merged = [f"A{n}:A{n + 1}" for n in (2, 4, 6, 8)]
    path = book(tmp_path / "t.xlsx", merged, s=rows)
    ratings = read(path)
    assert ratings.item.values.tolist() == ["i", "j", "k", "l"]
    assert float(krippendorff_alpha(ratings).estimate) == pytest.approx(ALPHA)
    (note,) = [
        n
        for n in load_notes(ratings.attrs["reading"])[0].values["parts"]
        if n.code == "read_together"
    ]
    assert [(n.code, n.values) for n in note.values["parts"]] == [
        ("read_merged_cells", {"cells": 4})
    ]


def test_merged_ratings_of_a_wide_table(tmp_path):
    rows = [
        ["item", "a", "b"],
        ["i", "x", None],
        ["j", "x", "y"],
        ["k", "y", None],
        ["l", "y", "y"],
    ]
    path = book(tmp_path / "t.xlsx", ["B2:C2", "B4:C4"], s=rows)
    assert alpha(path) == pytest.approx(ALPHA)


def test_a_merged_cell_as_large_as_a_sheet(tmp_path):
    path = book(tmp_path / "t.xlsx", ["D2:D3"], s=[[*row] for row in LONG])
    path = changed(path, lambda xml: xml.replace("D2:D3", "D10:XFD1048576"))
    started = time.perf_counter()
    assert alpha(path) == pytest.approx(ALPHA)
    assert time.perf_counter() - started < 5


def test_what_stands_below_a_merged_cell_is_refused(tmp_path):
    path = book(tmp_path / "t.xlsx", ["D2:D3"], s=LONG)
    path = changed(path, lambda xml: xml.replace("D2:D3", "C4:C5"))
    message = refused(path)
    assert "sheet 's' row 5" in message
    assert "'y'" in message


def test_titles_above_the_names(tmp_path):
    path = book(tmp_path / "t.xlsx", s=[["Study of 2026"], [], *LONG])
    ratings = read(path)
    assert float(krippendorff_alpha(ratings).estimate) == pytest.approx(ALPHA)
    assert "below 'Study of 2026'" in ratings.attrs["read_as"]
    merged = book(tmp_path / "m.xlsx", ["A1:C1"], s=[["Study of 2026", None, None], *LONG])
    assert alpha(merged) == pytest.approx(ALPHA)


def test_a_title_of_several_cells_needs_the_row(tmp_path):
    path = book(tmp_path / "t.xlsx", s=[["Study", 2026], *LONG])
    assert "header_line=2" in refused(path)
    assert alpha(path, header_line=2) == pytest.approx(ALPHA)
    assert "row 11" in refused(path, header_line=11)


def test_names_in_two_rows(tmp_path):
    rows = [["item", "labels", None], [None, "a", "b"], ["i", "x", "x"], ["j", "x", "y"],
            ["k", "y", "y"], ["l", "y", "y"]]  # fmt: skip
    path = book(tmp_path / "t.xlsx", ["A1:A2", "B1:C1"], s=rows)
    assert "header_line=2" in refused(path)
    assert alpha(path, header_line=2) == pytest.approx(ALPHA)


def test_no_names_of_columns(tmp_path):
    rows = [["i", "x", "x"], ["j", "x", "y"], ["k", "y", "y"], ["l", "y", "y"]]
    path = book(tmp_path / "t.xlsx", s=rows)
    ratings = read(path, header_line=0, item="1", annotators="2,3")
    assert float(krippendorff_alpha(ratings).estimate) == pytest.approx(ALPHA)


def test_places_count_empty_rows(tmp_path):
    rows = [LONG[0], LONG[1], [], [], LONG[1], LONG[2]]
    message = refused(book(tmp_path / "t.xlsx", s=rows))
    assert "sheet 's' row 5 " in message
    assert "sheet 's' row 2" in message


def test_the_sheet_that_looks_like_ratings_is_read(tmp_path):
    guide = [["Code", "Meaning"], ["x", "so"], ["y", "not so"]]
    path = book(tmp_path / "t.xlsx", Guide=guide, Ratings=LONG)
    ratings = read(path)
    assert float(krippendorff_alpha(ratings).estimate) == pytest.approx(ALPHA)
    assert (
        "sheet 'Ratings', the only one that looks like ratings (others: 'Guide')"
        in ratings.attrs["read_as"]
    )
    assert alpha(path, records="Ratings") == pytest.approx(ALPHA)
    assert "has no sheet 'none'" in refused(path, records="none")


def test_two_sheets_of_ratings_are_refused(tmp_path):
    other = [["item", "a", "b"], [1, "q", "q"], [2, "r", "q"]]
    path = book(tmp_path / "t.xlsx", title=[["only a title"]], first=LONG, second=other)
    message = refused(path)
    assert "'first', 'second'" in message
    assert "records='first'" in message
    assert read(path, records="second").label.values.tolist() == ["q", "r"]


def test_a_hidden_sheet_is_not_read(tmp_path):
    path = book(tmp_path / "t.xlsx", lists=LONG, s=LONG)
    made = __import__("openpyxl").load_workbook(path)
    made["lists"].sheet_state = "hidden"
    made.save(path)
    assert alpha(path) == pytest.approx(ALPHA)


@pytest.mark.slow
def test_robustness_C16_damage_is_refused_or_changes_nothing(tmp_path):
    path = book(tmp_path / "t.xlsx", ["E1:E2"], s=LONG)
    whole, right = path.read_bytes(), read(path)
    rng, refusals = random.Random(36), []
    for _ in range(400):
        data = bytearray(whole)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(data)
        try:
            assert read(path).identical(right)
        except IaaError as error:
            refusals.append(str(error))
    assert 100 < len(refusals) < 400
    assert all(str(path) in refusal for refusal in refusals)


def test_cut_files_are_refused(tmp_path):
    whole = book(tmp_path / "whole.xlsx", s=LONG).read_bytes()
    for size in range(4, len(whole), 397):
        path = tmp_path / "t.xlsx"
        path.write_bytes(whole[:size])
        assert "spreadsheet" in refused(path)


def test_the_corner_of_a_contingency_table_has_no_name(tmp_path: Path) -> None:
    path = book(tmp_path / "t.xlsx", s=[["", "x", "y"], ["x", 5, 1], ["y", 2, 4]])
    ratings = read(path, format="contingency")
    assert iaa.percent_agreement(ratings, interval=None).estimate.item() == pytest.approx(9 / 12)


def test_numbers_of_rows_have_no_name(tmp_path: Path) -> None:
    rows = [[None, *LONG[0]], *([k, *row] for k, row in enumerate(LONG[1:]))]
    ratings = read(book(tmp_path / "t.xlsx", s=rows))
    assert krippendorff_alpha(ratings, interval=None).estimate.item() == pytest.approx(ALPHA)


def test_texts_without_a_name_may_stand_below_a_title(tmp_path: Path) -> None:
    rows = [["", "group 1", "group 2"], ["item", "ann", "ben"], ["i", "x", "y"], ["j", "x", "x"]]
    path = book(tmp_path / "t.xlsx", s=rows)
    message = refused(path)
    assert "header_line=2" in message
    assert read(path, header_line=2)["annotator"].values.tolist() == ["ann", "ben"]


def test_cells_with_a_format_alone_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = book(tmp_path / "t.xlsx", ["E2:E3"], s=LONG)
    made = load_workbook(path)
    bold = Font(bold=True)
    for row in range(2, 60):
        made["s"].cell(row, 9).font = bold
    made.save(path)
    whole = read(path)
    monkeypatch.setattr(workbook, "_LONG_SHEET", 0)
    source = Source(path)
    with zipfile.ZipFile(path) as archive:
        lean = workbook._without_empty(archive)
    assert lean is not None
    with zipfile.ZipFile(lean) as copy:
        sheet = copy.read("xl/worksheets/sheet1.xml")
    assert b'"I2"' not in sheet
    assert sheet.count(b"<row") == len(LONG)
    assert read(path).identical(whole)
    assert workbook.Workbook(source).sheet("s").merged


def test_cells_that_are_counted_from_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cell without a place stands beside the one before, which may be empty."""
    monkeypatch.setattr(workbook, "_LONG_SHEET", 0)
    path = book(tmp_path / "t.xlsx", s=[["item", None, "b"], ["1", None, "x"]])
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"]
    parts["xl/worksheets/sheet1.xml"] = sheet.replace(b'<c r="C1"', b'<c r="B1" s="0"/><c')
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    rows = workbook.Workbook(Source(path)).sheet("s").rows
    assert rows[1] == {1: "item", 3: "b"}


def test_a_sheet_that_repeats_one_thing_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbook, "_LONG", 1 << 16)
    monkeypatch.setattr(workbook, "_DENSEST", 10)
    path = book(tmp_path / "t.xlsx", s=[["item", "a", "b"], *[["x", "y", "y"]] * 3_000])
    assert "most of it repeats itself" in refused(path)
