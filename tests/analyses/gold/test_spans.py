"""Gold spans: against a loop from the definition, by hand, and as a sheet that comes back."""

from __future__ import annotations

import json
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from openpyxl import load_workbook

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from tests.oracles.gold_spans import gold_rows

MATCHES = ("strict", "partial", "boundary")
BY_HAND = {
    "d1": {"ann": [(0, 5, "x")], "bob": [(0, 5, "x"), (8, 9, "y")], "cleo": [(1, 6, "x")]},
    "d2": {"ann": [(3, 4, "y")], "bob": []},
    "d3": {"ann": [(3, 4, "y")]},
}


def some(seed, parts=False):
    """Crowded documents: overlaps, nested spans, points, and spans of several parts."""
    rng = np.random.default_rng(seed)
    documents = {}
    for number in range(12):
        made = {}
        for who in ("ann", "bob", "cleo", "dora", "eve")[: rng.integers(2, 6)]:
            units = []
            for _ in range(rng.integers(0, 6)):
                start = int(rng.integers(0, 12))
                unit = [(start, start + int(rng.integers(0, 5)))]
                if parts and rng.random() < 0.4:
                    unit.append((unit[0][1] + 1, unit[0][1] + 3))
                units.append((tuple(unit), str(rng.choice(["x", "y"]))))
            made[who] = units
        documents[f"d{number}"] = made
    return documents


def as_spans(documents):
    numbered = {}
    for document, by_annotator in documents.items():
        numbered[document] = {
            who: [(*part, label, k) for k, (unit, label) in enumerate(units) for part in unit]
            for who, units in by_annotator.items()
        }
    return iaa.from_spans(numbered, labels=["x", "y"])


def rows_of(result):
    rows = []
    names = ("document", "places", "label_of_span", "votes", "exact", "seen")
    for document, places, label, *counts in zip(
        *(result[name].values.tolist() for name in names), strict=True
    ):
        parts = tuple(tuple(map(int, part.split(" to "))) for part in places.split("; "))
        rows.append((document, (parts, label), *counts))
    return sorted(rows)


@pytest.mark.parametrize("match", MATCHES)
@pytest.mark.parametrize("seed", range(8))
def test_they_are_those_of_a_loop(match, seed):
    documents = some(seed, parts=seed % 2 == 1)
    result = iaa.gold.spans(as_spans(documents), match)
    expected = gold_rows(documents, match)
    assert rows_of(result) == expected
    gold = [2 * votes > seen for _, _, votes, _, seen in expected]
    assert result.gold.values.sum() == sum(gold) == result.attrs["gold_spans"]
    shares = [votes / seen for _, _, votes, _, seen in expected]
    np.testing.assert_allclose(np.sort(result.share.values), np.sort(shares))
    halves = sum(2 * votes == seen for _, _, votes, _, seen in expected)
    assert result.attrs["tied_spans"] == halves
    assert result.attrs["conclusion"] == ("tied" if halves else "decided")


@pytest.mark.parametrize("match", MATCHES)
def test_the_order_of_annotators_is_nothing(match):
    documents = some(3)
    first = rows_of(iaa.gold.spans(as_spans(documents), match))
    for order in list(permutations(range(5)))[1:60:20]:
        moved = {
            document: {f"{order['abcde'.index(who[0])]}{who}": units for who, units in by.items()}
            for document, by in documents.items()
        }
        assert rows_of(iaa.gold.spans(as_spans(moved), match)) == first


def test_figures_by_hand():
    strict = iaa.gold.spans(iaa.from_spans(BY_HAND))
    assert strict.places.values.tolist() == ["0 to 5", "1 to 6", "8 to 9", "3 to 4", "3 to 4"]
    np.testing.assert_allclose(strict.share, [2 / 3, 1 / 3, 1 / 3, 1 / 2, 1])
    assert strict.gold.values.tolist() == [True, False, False, False, True]
    assert strict.marked_by.values.tolist() == ["ann, bob", "cleo", "bob", "ann", "ann"]
    counts = [strict.attrs[f"{name}_spans"] for name in ("gold", "tied", "other", "one_vote")]
    assert counts == [2, 1, 2, 1]
    assert strict.attrs["mean_share"] == pytest.approx(5 / 6)
    assert strict.gold_count.to_series().to_dict() == {"x": 1, "y": 1}
    assert strict.span_count.to_series().to_dict() == {"x": 2, "y": 3}
    np.testing.assert_allclose(strict.found, [1, 1, 0])
    np.testing.assert_allclose(strict.in_gold, [2 / 3, 1 / 2, 0])
    partial = iaa.gold.spans(iaa.from_spans(BY_HAND), "partial")
    assert partial.places.values.tolist() == ["0 to 5", "8 to 9", "3 to 4", "3 to 4"]
    np.testing.assert_allclose(partial.share, [1, 1 / 3, 1 / 2, 1])
    assert partial.exact.values.tolist() == [2, 1, 1, 1]


def test_labels_are_those_of_most_where_places_are_enough():
    marked = {"a": [(0, 2, "x")], "b": [(0, 2, "y")], "c": [(0, 2, "y")], "d": [(5, 6, "x")]}
    result = iaa.gold.spans(iaa.from_spans({"d1": marked}), "boundary")
    assert result.label_of_span.values.tolist() == ["y", "x"]
    assert result.votes.values.tolist() == [3, 1]
    assert result.exact.values.tolist() == [2, 1]
    assert not result.label_tied.values.any()
    del marked["c"]
    tied = iaa.gold.spans(iaa.from_spans({"d1": marked}), "boundary")
    assert (tied.label_of_span.values[0], tied.label_tied.values[0]) == ("x", True)


def test_what_is_adjudicated_counts():
    key = ("d2", "3 to 4", "y")
    spans = iaa.from_spans(BY_HAND)
    settled = iaa.gold.spans(spans, adjudicated={key: True, ("d1", "0 to 5", "x"): False})
    assert settled.gold.values.tolist() == [False, False, False, True, True]
    assert settled.attrs["tied_spans"] == 0
    assert settled.attrs["conclusion"] == "decided"
    assert settled.decided_by.values.tolist() == [
        "adjudicated",
        *["majority"] * 2,
        "adjudicated",
        "majority",
    ]
    for wrong in ({("d2", "3 to 5", "y"): True}, {"d2": True}, ["d2"]):
        with pytest.raises(IaaError):
            iaa.gold.spans(spans, adjudicated=wrong)


def test_nothing_marked_and_no_spans():
    empty = iaa.gold.spans(iaa.from_spans({"d": {"a": [], "b": []}}, labels=["x"]))
    assert empty.attrs["conclusion"] == "undefined"
    assert str(iaa.page(empty))
    with pytest.raises(IaaError):
        iaa.gold.spans(iaa.from_wide([["a", "b"]]))
    with pytest.raises(IaaError, match="partial"):
        iaa.gold.spans(iaa.from_spans(BY_HAND), "token")


@pytest.fixture
def file(folder):
    lines = ["document,annotator,start,end,label,sentence"]
    lines += [
        f"{document},{who},{start},{end},{label},abcdefghij"
        for document, by in BY_HAND.items()
        for who, units in by.items()
        for start, end, label in units or [("", "", "")]
    ]
    (folder / "spans.csv").write_text("\n".join(lines) + "\n")
    return "spans.csv"


def test_a_sheet_of_spans_comes_back(ran, file):
    done = ran("gold", file, "--text", "sentence", "--all-rows", "--sheet", "sheet.xlsx")
    sheet = load_workbook("sheet.xlsx").worksheets[0]
    (rule,) = sheet.data_validations.dataValidation
    assert [cell.value for cell in sheet[1]][-1] == "adjudicated"
    assert str(rule.sqref) == "I2:I6"
    table = pd.read_excel("sheet.xlsx", sheet_name="sheet")
    assert table.loc[table["places"] == "8 to 9", "passage"].tolist() == ["abcdefgh[i]j"]
    answers = {"d2": "YES ", "d1": "no"}
    table["adjudicated"] = [
        answers[document] if places != "8 to 9" and not gold else None
        for document, places, gold in zip(
            table.document, table.places, table.suggested == "yes", strict=True
        )
    ]
    table[["adjudicated", "label_of_span", "places", "document"]].to_csv(
        "back.csv", index=False, sep=";"
    )
    done = ran("gold", file, "--adjudicated", "back.csv", "--json", "-")
    rows = {(row["document"], row["places"]): row for row in json.loads(done.stdout)["spans"]}
    assert rows["d2", "3 to 4"]["gold"]
    assert not rows["d1", "1 to 6"]["gold"]
    assert rows["d1", "1 to 6"]["decided_by"] == "adjudicated"
    assert rows["d1", "8 to 9"]["decided_by"] == "majority"
    table["adjudicated"] = ["Y" if places == "3 to 4" else None for places in table.places]
    table.to_csv("back.csv", index=False)
    done = ran("gold", file, "--adjudicated", "back.csv", "--sheet", "next.csv", "--json", "-")
    rows = {(row["document"], row["places"]): row for row in json.loads(done.stdout)["spans"]}
    assert rows["d2", "3 to 4"]["gold"]
    assert rows["d2", "3 to 4"]["gold_label"] == "y"
    kept = pd.read_csv("next.csv", dtype=str).set_index("places").adjudicated.dropna()
    assert kept.index.tolist() == ["3 to 4"] * 2
    assert {*kept} <= {"y", "yes"}


@pytest.mark.parametrize(
    ("row", "place"),
    [
        ("d9,3 to 4,y,yes", "column 'document'"),
        ("d1,0 to 9,x,yes", "column 'places'"),
        ("d1,0 to 5,x,perhaps", "column 'adjudicated'"),
        ("d1,8 to 9,x,yes", "line 2"),
    ],
)
def test_a_row_that_names_no_span_is_refused(iaa, folder, file, row, place):
    (folder / "back.csv").write_text(f"document,places,label_of_span,adjudicated\n{row}\n")
    done = iaa("gold", file, "--adjudicated", "back.csv")
    assert done.exit_code == 1
    assert "line 2" in done.stderr
    assert place in done.stderr


@pytest.mark.parametrize(
    "options",
    [("--method", "wawa"), ("--ties", "none"), ("--compare", "all"), ("--confidence", ".9")],
)
def test_options_of_labels_are_refused(iaa, file, options):
    assert iaa("gold", file, *options).exit_code == 2


def test_a_match_is_of_spans(iaa, folder):
    (folder / "r.csv").write_text("item,a,b\n1,x,y\n2,x,x\n")
    assert iaa("gold", "r.csv", "--match", "partial").exit_code == 2
