"""The one rule for the labels of two sets of ratings, and ratings that follow one another."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError
from iaa_jax.data.joining import concatenate, join_labels
from iaa_jax.data.slots import in_slots


def some(labels: list[Any], *, declared: bool = False) -> xr.Dataset:
    """Ratings that use these labels, and perhaps declare them."""
    return iaa.from_wide([[label, label] for label in labels], labels=labels if declared else None)


@pytest.mark.parametrize(
    ("one", "other", "values", "declared", "ordered"),
    [
        (some(["b", "a"]), some(["c"]), ["a", "b", "c"], False, False),
        (some([10, 2]), some([1]), [1, 2, 10], False, True),
        (some([1, 2.5]), some([2]), [1.0, 2.0, 2.5], False, True),
        (some([1, 2]), some(["n/a", "x"]), ["1", "2", "n/a", "x"], False, False),
        (some([1, 2.5]), some(["n/a", "1.0", "2.50"]), ["1", "2.5", "n/a"], False, False),
        (some(["01", "x"]), some([1, 2]), ["1", "2", "x"], False, False),
        # texts that one set holds apart stay apart
        (some(["1", "1.0"]), some(["x"]), ["1", "1.0", "x"], False, False),
        (some(["low", "top"], declared=True), some(["top"]), ["low", "top"], True, True),
        (
            some(["low", "top"], declared=True),
            some(["low", "mid", "top"], declared=True),
            ["low", "mid", "top"],
            True,
            True,
        ),
        # nobody said whether "mid" or "top" is higher, or where the other label stands
        (
            some(["low", "top"], declared=True),
            some(["low", "mid"], declared=True),
            ["low", "mid", "top"],
            True,
            False,
        ),
        (some(["top", "low"], declared=True), some(["mid"]), ["low", "mid", "top"], True, False),
        (some([1, 2], declared=True), some([5]), [1, 2, 5], True, True),
        (some([3, 2, 1], declared=True), some([1, 3]), [3, 2, 1], True, True),
        (some([3, 2, 1], declared=True), some([4]), [1, 2, 3, 4], True, False),
    ],
)
def test_labels_of_both(
    one: xr.Dataset, other: xr.Dataset, values: list[Any], declared: bool, ordered: bool
) -> None:
    for pair in ((one, other), (other, one)):
        found = join_labels(*pair)
        assert found.values.tolist() == values
        assert (found.declared, found.ordered) == (declared, ordered)


def test_orders_that_contradict_each_other_are_refused() -> None:
    one, other = some(["a", "b", "c"], declared=True), some(["c", "d", "a"], declared=True)
    with pytest.raises(IaaError, match="'a', 'c' in the first, 'c', 'a' in the second; give both"):
        join_labels(one, other)


def test_joining_is_associative() -> None:
    parts = [
        some(["low", "top"], declared=True),
        some(["low", "mid"], declared=True),
        some(["low", "mid", "top"], declared=True),
    ]
    for a, b, c in permutations(parts):
        left = join_labels(concatenate(a, b), c)
        right = join_labels(a, concatenate(b, c))
        assert left.values.tolist() == right.values.tolist() == ["low", "mid", "top"]
        assert left.ordered
        assert right.ordered


def test_merged_ratings_know_whether_their_labels_have_an_order() -> None:
    open_order = iaa.data.merge(
        some(["low", "top"], declared=True), some(["low", "mid"], declared=True)
    )
    with pytest.raises(IaaError, match="needs labels in order"):
        iaa.krippendorff_alpha(open_order, level="ordinal", interval=None)
    texts = iaa.data.merge(some([1, 2]), some(["n/a", "x"]))
    assert texts.attrs["labels_ordered"] == 0


def test_items_follow_one_another() -> None:
    one = iaa.from_wide([["b", "c"], ["c", None], ["b", "b"]])
    other = iaa.from_wide([["a", "b", "b"], ["a", None, "b"]])
    rows = [
        ["b", "c", None],
        ["c", None, None],
        ["b", "b", None],
        ["a", "b", "b"],
        ["a", None, "b"],
    ]
    wanted = iaa.from_wide(rows)
    for pair in ((one, other), (in_slots(one), other), (one, in_slots(other))):
        found = concatenate(*pair)
        iaa.data.validate(found)
        np.testing.assert_array_equal(found["primary"], wanted["primary"])
        assert found["label"].values.tolist() == ["a", "b", "c"]
