"""Ratings from tables with one row for each item."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import iaa_jax as iaa
from iaa_jax import IaaError, from_wide


@pytest.mark.parametrize(
    "table",
    [
        [[1, 2], [None, 1], [1, 1]],
        ((1, 2), (float("nan"), 1.0), (True + 0, 1)),
        np.array([[1, 2], [np.nan, 1], [1, 1]]),
        np.array([[1, 2], [None, 1], [1, 1]], dtype=object),
        np.ma.masked_equal(np.array([[1, 2], [9, 1], [1, 1]]), 9),
    ],
)
def test_arrays_and_lists(table: Any) -> None:
    ratings = iaa.from_wide(table)
    assert ratings["primary"].values.tolist() == [[0, 1], [-1, 0], [0, 0]]
    assert ratings["label"].values.tolist() == [1, 2]
    assert ratings["item"].values.tolist() == [0, 1, 2]
    assert ratings["annotator"].values.tolist() == ["annotator 1", "annotator 2"]


@pytest.mark.parametrize("dtype", [None, object, "category", "string"])
def test_frames_name_items_and_annotators(dtype: Any) -> None:
    frame = pd.DataFrame(
        {"ann": ["x", None, "y"], "bob": ["x", "x", "y"]}, index=["t1", "t2", "t3"], dtype=dtype
    )
    copy = frame.copy(deep=True)
    ratings = iaa.from_wide(frame)
    assert ratings["primary"].values.tolist() == [[0, 0], [-1, 0], [1, 1]]
    assert ratings["item"].values.tolist() == ["t1", "t2", "t3"]
    assert ratings["annotator"].values.tolist() == ["ann", "bob"]
    pd.testing.assert_frame_equal(frame, copy)


def test_frames_of_mixed_number_types() -> None:
    frame = pd.DataFrame(
        {
            "a": np.array([1, 2], dtype=np.int8),
            "b": [1.0, np.nan],
            "c": pd.array([None, 2], dtype="Int64"),
        }
    )
    assert iaa.from_wide(frame)["primary"].values.tolist() == [[0, 0, -1], [1, -1, 1]]
    frame["d"] = pd.array([True, None], dtype="boolean")
    assert iaa.from_wide(frame)["label"].values.tolist() == ["1", "2", "True"]


def test_a_frame_with_several_index_levels() -> None:
    index = pd.MultiIndex.from_tuples([(1, "joy"), (1, "fear")])
    ratings = iaa.from_wide(pd.DataFrame({"a": [0, 1], "b": [0, 0]}, index=index))
    assert ratings["item"].values.tolist() == ["1 | joy", "1 | fear"]


def test_minus_one_is_a_label_like_any_other() -> None:
    ratings = iaa.from_wide(np.array([[-1, 1], [1, 1]]))
    assert ratings["label"].values.tolist() == [-1, 1]
    assert ratings["primary"].values.min() == 0


def test_the_caller_keeps_the_array() -> None:
    array = np.array([[1.0, 2.0], [np.nan, 1.0]])
    copy = array.copy()
    iaa.from_wide(array)["primary"][:] = 0
    np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ([], "there is no rating in the data"),
        ([[]], "there is no rating in the data"),
        (np.empty((0, 3)), "there is no rating in the data"),
        (pd.DataFrame(), "there is no rating in the data"),
        ([[None, None]], "there is no rating in the data"),
        ([["a"], ["b"]], "only one annotator"),
        ([["a", None], ["b", None]], r"only one annotator \('annotator 1'\) .* \(2 ratings\)"),
        ([["a", None], [None, "b"]], "no item has two ratings: 2 ratings"),
        ([["a", "b"], ["a"]], r"1 row not as long as the first \(2 cells\): row 1"),
        (["ab", "cd"], "must be a table with a row for each item"),
        ([1, 2], "must be a table with a row for each item"),
        (5, "must be a table with a row for each item"),
        (np.zeros(3), "two dimensions, items x annotators, not 1"),
        (np.zeros((2, 2, 2)), "two dimensions, items x annotators, not 3"),
        ([[1, np.inf]], "not a finite number: inf, at item 0, annotator 'annotator 2'"),
        (np.array([[1, -np.inf]]), "not a finite number: -inf, at item 0"),
        ([[["a"], ["b"]]], "from_sets"),
    ],
)
def test_refusals(table: Any, words: str) -> None:
    with pytest.raises(IaaError, match=words):
        iaa.from_wide(table)


@pytest.mark.parametrize(
    ("index", "columns", "words"),
    [
        (["t", "t"], ["a", "b"], "1 item name occurring more than once: 't'"),
        (["t", "u"], ["a", "a"], "1 annotator name occurring more than once: 'a'"),
        ([1, "1"], ["a", "b"], "1 item name occurring more than once: '1'"),
    ],
)
def test_refuses_names_that_repeat(index: Any, columns: Any, words: str) -> None:
    frame = pd.DataFrame([["x", "y"], ["x", "x"]], index=index, columns=columns)
    with pytest.raises(IaaError, match=words):
        iaa.from_wide(frame)


@pytest.mark.parametrize(
    ("columns", "named"),
    [
        ({"id": [1, 2, 3, 4]}, "'id'"),
        ({"Text ID": ["a", "b", "c", "d"]}, "'Text ID'"),
        ({"text": ["How are you?", "Fine", "And you?", "Well"]}, "'text'"),
        ({"item": [4, 5, 6, 7], "comment": ["p", None, "q", "r"]}, "'item', 'comment'"),
    ],
)
def test_columns_that_hold_no_labels(columns: dict[str, list[object]], named: str) -> None:
    labels = {"ann": ["x", "y", "x", "y"], "bob": ["x", "x", "x", "y"]}
    frame = pd.DataFrame(columns | labels)
    with pytest.raises(IaaError, match=r"name the items by frame\.set_index") as caught:
        from_wide(frame)
    assert f"without ratings: {named}, where every item has a different value" in str(caught.value)
    wrong = list(columns)
    right = from_wide(frame.set_index(wrong[0]).drop(columns=wrong[1:]))
    assert right["annotator"].values.tolist() == ["ann", "bob"]


def test_labels_that_only_look_like_texts() -> None:
    numbers = pd.DataFrame({"a": [1.5, 2.5, 3.5], "b": [1.5, 2.5, 3.0], "c": [7.0, 8.0, 9.0]})
    assert from_wide(numbers, labels=sorted({*numbers.to_numpy().ravel()})).sizes["annotator"] == 3
    assert from_wide(pd.DataFrame({"a": ["x", "y"], "b": ["x", "z"]})).sizes["annotator"] == 2
    ranks = pd.DataFrame({"a": [1, 2, 3, 4], "b": [2, 1, 3, 4]})
    assert from_wide(ranks).sizes["annotator"] == 2
    assert from_wide(numbers.to_numpy()).sizes["annotator"] == 3


def test_columns_that_share_no_label_with_others_are_noted() -> None:
    table = pd.DataFrame(
        {"month": ["jan", "feb"] * 5, "ann": list("xyxyxyyyxx"), "bob": list("xyxxxyxyxy")},
        index=pd.Index(range(10), name="id"),
    )
    said = "'month' has no label in common with other columns; if it describes items, name it with"
    assert said in from_wide(table).attrs["notices"]
    for quiet in (table.assign(month="x"), table[["ann", "bob"]], table[["month", "ann"]]):
        assert "in common" not in from_wide(quiet).attrs.get("notices", "")
    assert from_wide(table, keep=["month"])["annotator"].values.tolist() == ["ann", "bob"]
