"""Methods side by side: changed labels, pairs of methods, and known labels."""

from __future__ import annotations

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax.catalog.labelling import METHODS
from tests.analyses.made import random_rows, wide


def test_each_method_is_that_of_gold() -> None:
    ratings = wide(random_rows(4))
    found = iaa.gold.methods(ratings)
    assert found.method.values.tolist() == list(METHODS)
    first = iaa.gold(ratings).gold.values
    for place, name in enumerate(METHODS):
        one = iaa.gold(ratings, name, interval=None)
        assert found.gold.values[:, place].tolist() == one.gold.values.tolist()
        assert found.changed_items.values[place] == (one.gold.values != first).sum()
        assert found.mean_certainty.values[place] == pytest.approx(one.mean_certainty)
        assert found.unsure_items.values[place] == one.unsure_items
        assert found.tied_items.values[place] == one.tied_items
    same = (found.gold.values[:, :, None] == found.gold.values[:, None, :]).mean(axis=0)
    np.testing.assert_allclose(found.same, same)
    differ = [len(set(row)) > 1 for row in found.gold.values.tolist()]
    assert (found.choices.values > 1).tolist() == differ
    assert found.attrs["differing_items"] == sum(differ)
    assert found.conclusion == ("methods_differ" if any(differ) else "methods_agree")


def test_known_labels_count_tied_labels_in_part() -> None:
    rows = [["a", "a"], ["a", "b"], ["b", "b"], ["b", "c"], ["a", "a"]]
    ratings = iaa.from_wide(rows, labels=["a", "b", "c"])
    truth = {0: "a", 1: "b", 2: "a", 3: None}
    found = iaa.gold.methods(ratings, ["majority", "wawa"], gold=truth)
    assert found.known_label.values.tolist() == ["a", "b", "a", "", ""]
    assert found.truth_items == 3
    assert found.right.values[0] == pytest.approx((1 + 0.5 + 0) / 3)
    column = ratings.assign_coords(expert=("item", ["a", "b", "a", "", ""]))
    again = iaa.gold.methods(column, ["majority", "wawa"], gold="expert")
    np.testing.assert_array_equal(again.right, found.right)


def test_known_labels_may_be_numbers_of_another_type() -> None:
    ratings = iaa.from_wide([[1, 1], [2, 2]])
    found = iaa.gold.methods(ratings, ["majority", "wawa"], gold={0: 1.0, 1: "2"})
    assert found.right.values.tolist() == [1, 1]


def test_only_methods_that_fit_are_compared() -> None:
    sets = iaa.gold.methods(iaa.from_sets([[["a"], ["b"]], [["a"], ["a", "b"]]]))
    assert sets.method.values.tolist() == ["majority", "expert_coder_index"]
    assert '"methods_left_out"' in sets.notes


@pytest.mark.parametrize(
    ("methods", "truth", "words"),
    [
        (["majority"], None, "methods must name two or more of majority, "),
        (["majority", "best"], None, "methods must be one of majority, "),
        (None, "batch", "gold='batch' names no column along items"),
        (None, {0: "?"}, "gold has none of the labels"),
    ],
)
def test_what_cannot_be_compared_is_refused(methods, truth, words) -> None:
    with pytest.raises(iaa.IaaError) as refused:
        iaa.gold.methods(wide(random_rows(4)), methods, gold=truth)
    assert words in str(refused.value)


def test_referee_7_one_label_needs_no_method() -> None:
    found = iaa.gold.methods(iaa.from_wide([["x", "x", "x"]] * 8))
    assert found.method.values.tolist() == list(METHODS)
    assert (found.gold == "x").all()
