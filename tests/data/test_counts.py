"""Ratings from counts: items x labels, and label x label."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import iaa_jax as iaa
from iaa_jax import IaaError, summary


def test_counts_fill_anonymous_slots() -> None:
    ratings = iaa.from_counts([[2, 0, 1], [0, 1, 0], [0, 0, 0], [1, 1, 0]], labels=["c", "a", "b"])
    assert ratings["primary"].values.tolist() == [
        [0, 0, 2],
        [1, -1, -1],
        [-1, -1, -1],
        [0, 1, -1],
    ]
    assert ratings["annotator"].values.tolist() == ["rating 1", "rating 2", "rating 3"]
    assert ratings["label"].values.tolist() == ["c", "a", "b"]
    assert ratings.attrs["anonymous"] == 1
    counts = summary(ratings)
    assert (counts.annotators, counts.largest_panel, counts.anonymous) == (0, 3, True)
    assert (counts.items, counts.pairable_items) == (4, 2)
    assert (counts.single_rated_items, counts.unrated_items) == (1, 1)


def test_the_columns_of_a_frame_are_the_labels() -> None:
    frame = pd.DataFrame([[1, 1], [0, 2]], index=["x", "y"], columns=["yes", "no"])
    copy = frame.copy(deep=True)
    ratings = iaa.from_counts(frame)
    assert ratings["label"].values.tolist() == ["yes", "no"]
    assert ratings["item"].values.tolist() == ["x", "y"]
    assert (ratings.attrs["labels_declared"], ratings.attrs["labels_ordered"]) == (0, 0)
    declared = iaa.from_counts(frame, labels=["no", "maybe", "yes"])
    assert declared["primary"].values.tolist() == [[0, 2], [0, 0]]
    assert (declared.attrs["labels_declared"], declared.attrs["labels_ordered"]) == (1, 1)
    pd.testing.assert_frame_equal(frame, copy)


def test_number_labels_are_put_in_order() -> None:
    ratings = iaa.from_counts(pd.DataFrame([[3, 1], [0, 2]], columns=[5, 1]))
    assert ratings["label"].values.tolist() == [1, 5]
    assert ratings["primary"].values.tolist() == [[0, 1, 1, 1], [0, 0, -1, -1]]
    assert ratings.attrs["labels_ordered"] == 1


def test_labels_of_an_array_are_numbered_from_one() -> None:
    assert iaa.from_counts([[2, 0, 1]])["label"].values.tolist() == [1, 2, 3]
    assert iaa.from_contingency(np.eye(2))["label"].values.tolist() == [1, 2]


BOTH = [iaa.from_counts, iaa.from_contingency]


@pytest.mark.parametrize("constructor", BOTH)
@pytest.mark.parametrize(
    ("table", "words"),
    [
        ([[2, -1], [-3, 2]], r"2 counts negative: -1 at row .*, column 2; -3 at row .*correct"),
        ([[2, 0.5], [1, 2]], r"1 count not whole: 0.5 at row .*, column 2"),
        ([[2, np.nan], [1, 2]], r"1 count missing: .* write 0 where nobody chose the label"),
        ([[2, None], [1, 2]], r"1 count missing"),
        ([[2, np.inf], [1, 2]], r"1 count not finite: inf"),
        ([[1, 2], [3]], "must hold numbers in rows of the same length"),
        ([["a", "b"]], "must hold numbers"),
        ([1, 2], "two dimensions, not 1"),
        ([], "two dimensions, not 1"),
        ([[]], "the table of counts is empty"),
        (pd.DataFrame(), "the table of counts is empty"),
        ([[0, 0], [0, 0]], "there is no rating in the data"),
        (pd.DataFrame([[1, 2], [1, 2]], columns=["a", "a"]), "1 label named by several columns"),
        (pd.DataFrame([[1, 2], [1, 2]], columns=["a", None]), "1 column of counts without a label"),
        (pd.DataFrame([[1, "x"], [1, 2]]), "must hold numbers"),
    ],
)
def test_refusals(constructor: Any, table: Any, words: str) -> None:
    if constructor is iaa.from_contingency and isinstance(table, pd.DataFrame) and len(table):
        table.index = table.columns
    with pytest.raises(IaaError, match=words):
        constructor(table)


@pytest.mark.parametrize("constructor", BOTH)
def test_refuses_labels_that_do_not_fit(constructor: Any) -> None:
    with pytest.raises(IaaError, match="3 labels are declared for 2 columns"):
        constructor([[1, 2], [2, 1]], labels=["a", "b", "c"])
    frame = pd.DataFrame([[1, 2], [2, 1]], columns=["a", "b"], index=["a", "b"])
    with pytest.raises(IaaError, match="label that was not declared: 'b', at column 2"):
        constructor(frame, labels=["a", "c"])
    with pytest.raises(IaaError, match="declared more than once"):
        constructor([[1, 2], [2, 1]], labels=["a", "a"])
    with pytest.raises(IaaError, match="not the text 'ab'"):
        constructor([[1, 2], [2, 1]], labels="ab")


def test_single_ratings_alone_cannot_be_paired() -> None:
    with pytest.raises(IaaError, match="no item has two ratings"):
        iaa.from_counts([[1, 0], [0, 1]])


def test_refusals_name_the_row() -> None:
    frame = pd.DataFrame([[1, 2], [-1, 1]], index=["t1", "t2"], columns=["yes", "no"])
    with pytest.raises(IaaError, match="-1 at row t2, column yes"):
        iaa.from_counts(frame)


def test_contingency_cells_are_weighted_items() -> None:
    ratings = iaa.from_contingency([[20, 0], [10, 15]], labels=["b", "a"])
    assert ratings["item"].values.tolist() == ["b | b", "b | a", "a | b", "a | a"]
    assert ratings["primary"].values.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert ratings["item_weight"].values.tolist() == [20.0, 0.0, 10.0, 15.0]
    assert ratings["annotator"].values.tolist() == ["annotator 1", "annotator 2"]
    counts = summary(ratings)
    assert (counts.items, counts.ratings, counts.pairable_items) == (45, 90, 45)
    assert isinstance(counts.items, int)


def test_contingency_rows_follow_the_columns() -> None:
    table = pd.DataFrame([[1, 2], [3, 4]], index=["no", "yes"], columns=["yes", "no"])
    ratings = iaa.from_contingency(table)
    assert ratings["item"].values.tolist() == ["yes | yes", "yes | no", "no | yes", "no | no"]
    assert ratings["item_weight"].values.tolist() == [3.0, 4.0, 1.0, 2.0]


def test_a_crosstab_names_its_annotators() -> None:
    table = pd.DataFrame({"ann": ["x", "y", "x"], "bob": ["x", "y", "y"]})
    ratings = iaa.from_contingency(pd.crosstab(table["ann"], table["bob"]))
    assert ratings["annotator"].values.tolist() == ["ann", "bob"]
    same = pd.crosstab(table["ann"], table["ann"], rownames=["who"], colnames=["who"])
    assert iaa.from_contingency(same)["annotator"].values.tolist() == ["annotator 1", "annotator 2"]


def test_declared_labels_may_be_absent_from_the_table() -> None:
    table = pd.DataFrame([[1, 2], [3, 4]], index=[1, 2], columns=[1, 2])
    ratings = iaa.from_contingency(table, labels=[2, 3, 1])
    assert ratings["item_weight"].values.reshape(3, 3).tolist() == [[4, 0, 3], [0, 0, 0], [2, 0, 1]]


def test_refuses_a_table_that_is_not_square() -> None:
    with pytest.raises(IaaError, match=r"square, not 2 rows x 3 columns; add the labels"):
        iaa.from_contingency([[1, 2, 3], [4, 5, 6]])
    table = pd.DataFrame([[1, 2], [3, 4]], index=["a", "b"], columns=["a", "c"])
    with pytest.raises(IaaError, match=r"same labels: rows 'a', 'b', columns 'a', 'c'"):
        iaa.from_contingency(table)
    table = pd.DataFrame([[1, 2], [3, 4]], index=["a", "a"], columns=["a", "b"])
    with pytest.raises(IaaError, match=r"same labels: rows 'a', 'a'"):
        iaa.from_contingency(table)
