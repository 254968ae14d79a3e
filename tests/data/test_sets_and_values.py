"""Ratings from label sets and from numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import iaa_jax as iaa
from iaa_jax import IaaError

NAN = float("nan")


def test_sets() -> None:
    for collection in (list, tuple, set, frozenset, np.array):
        rows = [[collection(["joy"]), collection(["joy", "fear"])], [collection([]), None]]
        ratings = iaa.from_sets(rows)
        assert ratings.attrs["task"] == "multi_label"
        assert ratings["label"].values.tolist() == ["fear", "joy"]
        wanted = [[[0, 1], [1, 1]], [[0, 0], [NAN, NAN]]]
        np.testing.assert_array_equal(ratings["mass"].values, wanted)
        assert ratings["mass"].dtype == np.float64


def test_sets_of_numbers_and_declared_labels() -> None:
    ratings = iaa.from_sets([[{2, 1}, [2, 2]], [{1}, NAN]], labels=[3, 2, 1])
    assert ratings["label"].values.tolist() == [3, 2, 1]
    np.testing.assert_array_equal(
        ratings["mass"].values, [[[0, 1, 1], [0, 1, 0]], [[0, 0, 1], [NAN, NAN, NAN]]]
    )


def test_a_frame_of_sets() -> None:
    frame = pd.DataFrame({"ann": [["x"], []], "bob": [["x", "y"], None]}, index=["t1", "t2"])
    ratings = iaa.from_sets(frame)
    assert ratings["item"].values.tolist() == ["t1", "t2"]
    assert ratings["annotator"].values.tolist() == ["ann", "bob"]
    assert np.isnan(ratings["mass"].values[1, 1]).all()


def test_none_of_the_labels_is_an_answer() -> None:
    ratings = iaa.from_sets([[[], []], [["a"], None]])
    assert iaa.data.rated(ratings).tolist() == [[True, True], [True, False]]
    assert iaa.summary(ratings).pairable_items == 1


@pytest.mark.parametrize(
    ("rows", "labels", "words"),
    [
        ([["ab", ["a"]], [1, ["a"]]], None, r"2 cells not a collection of labels: 'ab' at item 0"),
        ([[["a", None], ["a"]]], None, r"1 set with a missing member \(None or NaN\), .*item 0"),
        ([[["a"], ["b", "c", "d"]]], ["a", "b"], "2 ratings .* not declared: 'c', 'd', at item 0"),
        ([[[], []]], None, "no rating names a label"),
        ([[None, None]], ["a"], "there is no rating in the data"),
        ([[["a"], None], [["a"], None]], None, "only one annotator"),
        ([[["a"], None], [None, ["a"]]], None, "no item has two ratings"),
        ([[["a"], [["b"]]]], None, "must be a single value"),
    ],
)
def test_sets_refused(rows: Any, labels: Any, words: str) -> None:
    with pytest.raises(IaaError, match=words):
        iaa.from_sets(rows, labels=labels)


@pytest.mark.parametrize(
    "array",
    [
        [[1, 2.5], [3, None], [NAN, 0]],
        np.array([[1, 2.5], [3, NAN], [NAN, 0]]),
        np.array([[1, 2.5], [3, None], [NAN, 0]], dtype=object),
        pd.DataFrame([[1, 2.5], [3, None], [None, 0]]),
        pd.DataFrame([[1, 2.5], [3, None], [None, 0]], dtype="Float64"),
    ],
)
def test_values(array: Any) -> None:
    ratings = iaa.from_values(array)
    np.testing.assert_array_equal(ratings["value"].values, [[1, 2.5], [3, NAN], [NAN, 0]])
    assert ratings.attrs["task"] == "value"
    assert "label" not in ratings.coords
    counts = iaa.summary(ratings)
    assert (counts.items, counts.annotators, counts.labels, counts.ratings) == (3, 2, 0, 4)


def test_values_are_a_copy() -> None:
    array = np.array([[1.0, 2.0], [3.0, 4.0]])
    iaa.from_values(array)["value"][:] = 0
    assert array.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("array", "words"),
    [
        ([[1, "2"], ["x", 3]], r"2 cells not a number: '2' at item 0, annotator 'annotator 2'"),
        ([[1, np.inf]], r"1 rating \(item 0, annotator 'annotator 2'\) with"),
        ([[1], [2]], "only one annotator"),
        ([[None, None]], "there is no rating in the data"),
        ([], "there is no rating in the data"),
    ],
)
def test_values_refused(array: Any, words: str) -> None:
    with pytest.raises(IaaError, match=words):
        iaa.from_values(array)


@pytest.mark.parametrize("name", ["id", "Text ID", "item"])
def test_numbers_beside_ids_that_are_no_annotator(name: str) -> None:
    frame = pd.DataFrame({name: [11, 12, 13], "ann": [1.5, 2, 3], "bob": [1, 2.5, 3]})
    with pytest.raises(IaaError, match=r"1 column without ratings") as caught:
        iaa.from_values(frame)
    assert f"frame.set_index('{name}') or rename the column" in str(caught.value)
    assert iaa.from_values(frame.set_index(name))["annotator"].values.tolist() == ["ann", "bob"]
    assert iaa.from_values(frame.rename(columns={name: "cleo"})).sizes["annotator"] == 3
