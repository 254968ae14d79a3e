"""Gold sets of labels (AM4, AM5): label by label, or the set of the best annotator."""

from __future__ import annotations

import numpy as np
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


def test_what_is_in_doubt_is_decided_without_a_sheet_that_gold_refuses() -> None:
    ratings = iaa.from_sets([[["a"], ["a", "b"]], [["b"], ["b"]]])
    page = iaa.page(iaa.gold(ratings))
    assert "next_sheet_sets" in codes_on(page)
    assert "next_sheet" not in codes_on(page)
    with pytest.raises(IaaError, match="sets of labels"):
        iaa.gold(ratings, adjudicated={0: "a"})
