"""Gold sets of labels (AM4, AM5): label by label, or the set of the best annotator."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError
from tests.kernels.test_multi_label import TEN_ITEMS, TEN_LABELS
from tests.noted import codes_on

NO_MAJORITY = [[["a"], ["b"], ["c"]], [["a"], ["a"], ["b"]], [["b"], ["c"], ["b"]]]


@pytest.fixture
def ten() -> xr.Dataset:
    return iaa.from_sets([list(map(list, row)) for row in TEN_ITEMS], labels=TEN_LABELS)


def test_am4_a_label_holds_if_more_than_half_chose_it() -> None:
    rows = [[["a", "b"], ["a"], []], [["a"], ["b"], None], [[], [], ["a"]], [None, None, None]]
    found = iaa.gold(iaa.from_sets(rows, labels=["a", "b"]))
    assert found.gold.values.tolist() == ["a", "(none)", "(none)", ""]
    assert found.holds.values.tolist() == [
        [True, False],
        [False, False],
        [False, False],
        [False] * 2,
    ]
    assert found.decided_by.values.tolist() == ["majority", "no_majority", "majority", "nobody"]
    assert found.tied.values.tolist() == [False, True, False, False]
    np.testing.assert_allclose(
        found.probability.values[:3], [[2 / 3, 1 / 3], [0.5] * 2, [1 / 3, 0]]
    )
    np.testing.assert_allclose(found.certainty, [2 / 3, 0.5, 2 / 3, np.nan])
    np.testing.assert_allclose(found.margin, [1 / 3, 0, 1 / 3, np.nan], atol=1e-12)
    # the second, for which nobody gave the empty set
    assert found.attrs["ungiven_items"] == 1
    assert "1 gold set was given by no annotator" in str(iaa.page(found))
    none = iaa.gold(iaa.from_sets(rows, labels=["a", "b"]), ties="none")
    assert none.attrs["ungiven_items"] == 0
    assert none.gold.values.tolist() == ["a", "", "(none)", ""]


def test_am4_against_a_plain_count(ten: xr.Dataset) -> None:
    found = iaa.gold(ten)
    for row, holds in zip(TEN_ITEMS, found.holds.values, strict=True):
        for label, held in zip(TEN_LABELS, holds, strict=True):
            assert held == (2 * sum(label in given for given in row) > len(row))


def test_am5_the_index_is_the_mean_agreement_with_the_others(ten: xr.Dataset) -> None:
    found = iaa.gold(ten, "expert_coder_index")
    np.testing.assert_allclose(found.skill, [0.87, 0.82667, 0.85667], atol=5e-6)
    other = iaa.gold(ten, "expert_coder_index", coefficient="am_agreement")
    np.testing.assert_allclose(other.skill, [0.75175, 0.66680, 0.72273], atol=5e-6)


def test_am5_without_a_majority_the_best_annotator_there_decides() -> None:
    ratings = iaa.from_sets(NO_MAJORITY)
    found = iaa.gold(ratings, "expert_coder_index")
    index = found.skill.values
    assert index[0] == index.max()
    assert found.gold.values.tolist() == ["a", "a", "b"]
    assert found.decided_by.values.tolist() == ["expert_coder", "majority", "majority"]
    assert iaa.gold(ratings).gold.values.tolist() == ["(none)", "a", "b"]


def test_am5_annotators_who_are_equally_good_decide_in_their_order() -> None:
    found = iaa.gold(iaa.from_sets([[["b"], ["a"]], [["a"], ["a"]]]), "expert_coder_index")
    assert found.gold.values.tolist() == ["b", "a"]
    assert found.decided_by.values.tolist() == ["expert_coder_tie", "majority"]
    assert found.tied.values.tolist() == [True, False]


def test_sets_by_slot_have_the_same_gold_sets() -> None:
    rng = np.random.default_rng(8)
    rows = [
        [
            None if rng.random() < 0.3 else [x for x in "abcd" if rng.random() < 0.4]
            for _ in range(5)
        ]
        for _ in range(40)
    ]
    ratings = iaa.from_sets(rows, labels=list("abcd"))
    for method in ("majority", "expert_coder_index"):
        table, crowd = iaa.gold(ratings, method), iaa.gold(iaa.data.in_slots(ratings), method)
        assert table.gold.values.tolist() == crowd.gold.values.tolist()
        np.testing.assert_allclose(table.skill, crowd.skill, atol=1e-12)
        assert table.decided_by.values.tolist() == crowd.decided_by.values.tolist()


def test_sets_that_somebody_decided_are_gold_and_teach_nothing() -> None:
    rows = [[["a"], ["a", "b"]], [["b"], ["b"]], [["a", "b"], ["b"]]]
    ratings = iaa.from_sets(rows, labels=["a", "b", "c"])
    plain = iaa.gold(ratings)
    done = iaa.gold(ratings, adjudicated={0: ["b", "a"], 2: []})
    assert done.gold.values.tolist() == ["a + b", "b", "(none)"]
    assert done.decided_by.values.tolist() == ["adjudicated", "majority", "adjudicated"]
    assert done.holds.values.tolist() == [[True, True, False], [False, True, False], [False] * 3]
    assert (done.certainty.values.tolist(), done.attrs["tied_items"]) == ([1.0] * 3, 0)
    np.testing.assert_array_equal(done.skill, plain.skill)
    assert {"next_sheet_sets", "next_sheet"}.intersection(codes_on(iaa.page(plain))) == {
        "next_sheet_sets"
    }
    for wrong in ({0: "a"}, {9: ["a"]}, {0: ["z"]}, "column"):
        with pytest.raises(IaaError, match="adjudicated"):
            iaa.gold(ratings, adjudicated=wrong)


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
def test_a_sheet_of_sets_comes_back(request, folder: Path, ending: str) -> None:
    iaa_of = request.getfixturevalue("iaa")
    labels = "fear;joy / great;sad, or not"
    (folder / "r.csv").write_text(
        f'item,ann,bob\n1,fear,"{labels}"\n2,fear,joy / great\n3,fear,"sad, or not"\n4,fear,fear\n'
    )
    base = ("gold", "r.csv", "--item", "item", "--annotators", "ann,bob", "--separator", ";")
    done = iaa_of(*base, "--sheet", f"s{ending}")
    assert done.exit_code == 0, done.output
    assert "s.csv has 3 of 4 items" in done.stderr or ending == ".xlsx"
    read = pd.read_csv if ending == ".csv" else pd.read_excel
    sheet = read(f"s{ending}", dtype=str)
    assert sheet.columns[-1] == "adjudicated"
    filled = {"1": "sad, or not ;FEAR", "2": "(none)", "3": "joy / great + fear"}
    sheet["adjudicated"] = [filled[item] for item in sheet["item"]]
    sheet.to_csv("t.csv", index=False)
    done = iaa_of(*base, "--adjudicated", "t.csv", "--sheet", "u.csv", "--json", "g.json")
    assert done.exit_code == 0, done.output
    assert "4 items have a gold set of labels, 1 by majority and 3 by adjudication" in done.output
    gold = {row["item"]: row["gold"] for row in json.loads(Path("g.json").read_text())["items"]}
    wanted = {1: "fear + sad, or not", 2: "(none)", 3: "fear + joy / great", 4: "fear"}
    assert gold == wanted
    again = pd.read_csv("u.csv", dtype=str, keep_default_na=False).set_index("item")
    assert again.adjudicated.to_dict() == {
        "1": "fear; sad, or not",
        "2": "(none)",
        "3": "fear; joy / great",
    }
    sheet["adjudicated"] = ["fear; hope" for _ in sheet["item"]]
    sheet.to_csv("t.csv", index=False)
    refused = iaa_of(*base, "--adjudicated", "t.csv")
    assert refused.exit_code == 1
    assert "no label of the ratings is 'hope'" in refused.stderr
