"""Workbooks of several sheets: which one is read, and sheets of an annotator each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from iaa_jax import IaaError, krippendorff_alpha, read
from iaa_jax.io.table import workbook as workbook_module
from iaa_jax.wording import load_notes
from tests.fuzz.workbooks import workbook

COVER = [["Study of chests", None], ["Stand", "2024-05-17"], ["By", "Brandt"]]
HEAD = ["Pat", "Day", "Finding", "Remark"]
# items i, j, k, l: ann x x y y, bea x y y y; alpha 1 - (8 - 1) * 2 / (2 * 3 * 5) = 1 - 7 / 15
ANN = [HEAD, *[[i, d, f, r] for i, d, f, r in zip("iijk", "1211", "xxyy", "abca", strict=True)]]
BEA = [HEAD, *[[i, d, f, r] for i, d, f, r in zip("kiij", "1121", "yxyy", "cbaa", strict=True)]]
ALPHA = 1 - 7 / 15


def book(path: Path, sheets: Mapping[str, Sequence[Sequence[object]]]) -> Path:
    path.write_bytes(workbook(sheets))
    return path


@pytest.fixture
def study(tmp_path: Path) -> Path:
    legend = [["Code", "Meaning"], ["x", "yes"], ["y", "no"]]
    sheets = {"Cover": COVER, "Dr. Ann": ANN, "Dr. Bea": BEA, "Legend": legend}
    return book(tmp_path / "study.xlsx", sheets)


@pytest.mark.parametrize("records", ["Dr.*", "Dr. Ann,Dr. Bea", "Dr. A*, Dr. Bea"])
def test_sheets_of_an_annotator_each(study, records):
    ratings = read(study, records=records, item="Pat,Day", label="Finding")
    assert ratings["annotator"].values.tolist() == ["Dr. Ann", "Dr. Bea"]
    assert float(krippendorff_alpha(ratings).estimate) == pytest.approx(ALPHA)
    read_as = next(n for n in load_notes(ratings.attrs["reading"]) if n.code == "read_as")
    assert "read_annotators_from_sheets" in [part.code for part in read_as.values["parts"]]


def test_a_workbook_is_opened_once_for_all_sheets_and_has_not_too_many(study, monkeypatch):
    opened = []
    opens = workbook_module.Workbook.__init__
    monkeypatch.setattr(
        workbook_module.Workbook,
        "__init__",
        lambda self, source: opened.append(source) or opens(self, source),
    )
    read(study, records="Dr.*", item="Pat,Day", label="Finding")
    with pytest.raises(IaaError, match="have the same columns"):
        read(study)
    assert len(opened) == 2
    monkeypatch.setattr(workbook_module, "MOST_SHEETS", 3)
    with pytest.raises(IaaError, match="has 4 sheets, and at most 3 are read"):
        read(study, records="Dr.*", item="Pat,Day", label="Finding")


def test_a_sheet_of_a_pattern_that_is_no_table_is_left_out(tmp_path):
    sheets = {"Dr. Ann": ANN, "Dr. Bea": BEA, "Dr. Cox": [["Pat", "Pat"], ["i", "x"]]}
    told = {"item": "Pat,Day", "label": "Finding"}
    ratings = read(book(tmp_path / "s.xlsx", sheets), records="Dr.*", **told)
    assert ratings["annotator"].values.tolist() == ["Dr. Ann", "Dr. Bea"]
    assert "sheet 'Dr. Cox' row 1: columns with the same name" in ratings.attrs["skipped"]
    with pytest.raises(IaaError, match=r"Dr\. Cox"):
        read(tmp_path / "s.xlsx", records="Dr. Ann,Dr. Bea,Dr. Cox", **told)


def test_a_cover_is_not_all_that_a_refusal_names(study):
    with pytest.raises(IaaError) as caught:
        read(study)
    said = str(caught.value)
    assert "'Cover', 'Dr. Ann', 'Dr. Bea', 'Legend'" in said
    assert "records='Dr. Ann,Dr. Bea', item='Pat,Day' and" in said


def test_the_sheet_with_the_columns_named_is_read(tmp_path):
    long = [
        ["what", "who", "how"],
        *[[i, w, v] for i, w, v in zip("iijj", "abab", "xxxy", strict=True)],
    ]
    path = book(tmp_path / "t.xlsx", {"Cover": COVER, "data": long})
    ratings = read(path, item="what", annotator="who", label="how")
    assert ratings.sizes["item"] == 2
    (note,) = [n for n in load_notes(ratings.attrs["reading"]) if n.code == "read_as"]
    sheets = [part for part in note.values["parts"] if part.code == "read_together"]
    assert [part.code for part in sheets[0].values["parts"]] == ["read_sheet_of_columns"]
    with pytest.raises(IaaError, match="'Cover', 'data'"):
        read(path, item="what", annotator="who", label="other")


@pytest.mark.parametrize(
    ("records", "said"),
    [
        pytest.param(None, "2 sheets have the columns that are named", id="no sheet named"),
        pytest.param("Dr. Z*", r"no sheet 'Dr\. Z\*'.*'Cover', 'Dr\. Ann'", id="no sheet fits"),
    ],
)
def test_sheets_that_are_not_told_apart_are_refused(study, records, said):
    with pytest.raises(IaaError, match=said):
        read(study, records=records, item="Pat,Day", label="Finding")


def test_sheets_that_say_who_rated_are_one_table(tmp_path):
    first = [["item", "annotator", "label"], ["i", "a", "x"], ["i", "b", "x"]]
    second = [["item", "annotator", "label"], ["j", "a", "x"], ["j", "b", "y"]]
    path = book(tmp_path / "t.xlsx", {"week 1": first, "week 2": second})
    ratings = read(path, records="week*")
    assert ratings["annotator"].values.tolist() == ["a", "b"]
    assert ratings["primary"].values.tolist() == [[0, 0], [0, 1]]


FINDINGS = ["Bild", "Erguss", "Befund"]
KELLER = [FINDINGS, *[[f"p{k}", "jn"[k % 2], "jn"[k % 3 == 0]] for k in range(12)]]
BRAUN = [FINDINGS, *[[f"p{k}", "jn"[k % 4 > 1], "jn"[k % 3 > 0]] for k in range(12)]]


@pytest.mark.parametrize(
    ("records", "first"),
    [("Dr. Keller", FINDINGS), (None, FINDINGS), ("Dr. Keller", ["p", "j", "n"])],
)
def test_findings_of_one_reader_are_no_annotators(tmp_path, records, first):
    sheets = {"Dr. Keller": [first, *KELLER[1:]], "Dr. Braun": [first, *BRAUN[1:]]}
    path = book(tmp_path / "t.xlsx", sheets)
    nameless = first is not FINDINGS
    item, one, other = "123" if nameless else FINDINGS
    header = {"header_line": 0} if nameless else {}
    start = "header_line=0, " if nameless else ""
    with pytest.raises(IaaError) as caught:
        read(path, records=records)
    said = str(caught.value)
    assert f"records='Dr. Keller,Dr. Braun', {start}item='{item}' and the column of labels" in said
    assert f"--questions {one},{other}" in said
    ratings = read(path, records="Dr. Keller,Dr. Braun", item=item, label=one, **header)
    assert ratings["annotator"].values.tolist() == ["Dr. Keller", "Dr. Braun"]
    if records:
        assert f"give {start}item='{item}' and annotators='{one},{other}'" in said
        named = read(path, records=records, item=item, annotators=f"{one},{other}", **header)
        assert named["annotator"].values.tolist() == [one, other]


COMMENTED = ["Comment ID", "Comment", "Anna", "Bogdan", "Chloe"]


def commented(shift, labels="xyxz", each=1, *, short=False):
    said = ["so this is what was written", "and here is another long text", "what should I write"]
    said = ["short"] * 3 if short else said
    rows = [
        [
            *(f"c{k}", f"{said[k % 3]} {k}"),
            *[labels[(k // each + (k % 9 == n) * shift) % 4] for n in range(3)],
        ]
        for k in range(20)
    ]
    return [COMMENTED, *rows]


@pytest.mark.parametrize(
    ("titles", "other"),
    [
        pytest.param(("Round 1", "Round 2"), {}, id="rounds"),
        pytest.param(("May", "june"), {}, id="months"),
        pytest.param(("Tone", "Topic"), {"labels": "abac"}, id="other labels"),
        pytest.param(("Tone", "Topic"), {"each": 3}, id="other answers"),
        pytest.param(("Tone", "Topic"), {"each": 3, "short": True}, id="short texts"),
    ],
)
def test_a_sheet_that_was_named_is_read_and_a_comment_is_no_rating(tmp_path, titles, other):
    sheets = [commented(1, short="short" in other), commented(2, **other)]
    path = book(tmp_path / "t.xlsx", dict(zip(titles, sheets, strict=True)))
    for records in titles:
        ratings = read(path, records=records)
        assert ratings["annotator"].values.tolist() == COMMENTED[2:]
        assert ratings["item"].values.tolist() == [f"c{k}" for k in range(20)]


@pytest.mark.parametrize("short", [True, False])
def test_sheets_of_people_are_asked_about_and_a_comment_is_no_rating(tmp_path, short):
    path = book(
        tmp_path / "t.xlsx",
        {"Dr. Keller": commented(1, short=short), "Dr. Braun": commented(2, short=short)},
    )
    with pytest.raises(IaaError) as caught:
        read(path, records="Dr. Braun")
    said = str(caught.value)
    assert "label='Anna'" in said
    assert "--questions Anna,Bogdan,Chloe of" in said
    assert "annotators='Anna,Bogdan,Chloe'" in said


def test_findings_of_other_labels_are_no_annotators_either(tmp_path):
    def sheet(rows):
        return [
            [*FINDINGS, "Rand"],
            *[[item, e, {"j": "frei", "n": "eng"}[b], e] for item, e, b in rows[1:]],
        ]

    path = book(tmp_path / "t.xlsx", {"Dr. Keller": sheet(KELLER), "Dr. Braun": sheet(BRAUN)})
    with pytest.raises(IaaError) as caught:
        read(path, records="Dr. Braun")
    assert "label='Erguss'" in str(caught.value)


@pytest.mark.parametrize("other", [("rater 1", "rater 2"), ("ann", "bob")])
def test_a_sheet_of_a_round_is_read(tmp_path, other):
    one = [["Bild", *other], *KELLER[1:]]
    two = [["Bild", *other], *[[f"q{k}", "j", "n"] for k in range(12)]]
    again = one if "rater 1" in other else two  # the same items tell readers from rounds
    path = book(tmp_path / "t.xlsx", {"Runde 1": one, "Runde 2": again})
    assert read(path, records="Runde 1")["annotator"].values.tolist() == [*other]
