"""Ratings from tables with one row for each rating."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import iaa_jax as iaa
from iaa_jax import IaaError

TABLE = {
    "item": ["t2", "t1", "t2", "t1", "t3"],
    "annotator": ["bob", "ann", "ann", "bob", "cy"],
    "label": ["x", "y", "x", None, "y"],
    "second": ["y", None, None, None, None],
}


def test_cells_stand_where_they_belong() -> None:
    ratings = iaa.from_long(TABLE)
    assert ratings["item"].values.tolist() == ["t2", "t1", "t3"]
    assert ratings["annotator"].values.tolist() == ["bob", "ann", "cy"]
    assert ratings["label"].values.tolist() == ["x", "y"]
    assert ratings["primary"].values.tolist() == [[0, 0, -1], [-1, 1, -1], [-1, -1, 1]]
    assert ratings["primary"].dtype == np.int8
    assert ratings.attrs == {
        "task": "single",
        "labels_declared": 0,
        "labels_ordered": 0,
        "anonymous": 0,
        "label_order": '["x", "y"]',
    }


def test_secondary_labels() -> None:
    ratings = iaa.from_long(TABLE, secondary="second", labels=["y", "x", "z"])
    assert ratings.attrs["task"] == "primary_secondary"
    assert ratings["primary"].values.tolist() == [[1, 1, -1], [-1, 0, -1], [-1, -1, 0]]
    assert ratings["secondary"].values.tolist() == [[0, -1, -1], [-1, -1, -1], [-1, -1, -1]]
    assert ratings.sizes["label"] == 3


def test_a_label_used_only_as_secondary_counts() -> None:
    table = {**TABLE, "second": ["z", None, None, None, None]}
    assert iaa.from_long(table, secondary="second")["label"].values.tolist() == ["x", "y", "z"]


def test_several_item_columns_make_one_id() -> None:
    table = {
        "text": [1, 1, 1, 2],
        "emotion": ["joy", "joy", "fear", "joy"],
        "who": ["a", "b", "a", "a"],
        "value": [0, 1, 2, 1],
    }
    ratings = iaa.from_long(table, item=["text", "emotion"], annotator="who", label="value")
    assert ratings["item"].values.tolist() == ["1 | joy", "1 | fear", "2 | joy"]
    assert ratings["primary"].values.tolist() == [[0, 1], [2, -1], [1, -1]]


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        ([1, 1, 2], [1, 2]),
        ([1.0, 1.0, 2.0], [1, 2]),
        ([1.5, 1.5, 2.0], ["1.5", "2.0"]),
        (["01", "01", "1"], ["01", "1"]),
    ],
)
def test_item_ids(ids: list[Any], expected: list[Any]) -> None:
    table = {"item": ids, "annotator": ["a", "b", "a"], "label": ["x", "y", "x"]}
    assert iaa.from_long(table)["item"].values.tolist() == expected


@pytest.mark.parametrize("dtype", [object, "category", "string"])
def test_any_column_type_gives_the_same(dtype: Any) -> None:
    frame = pd.DataFrame(TABLE).drop(columns="second")
    expected = iaa.from_long(frame)
    before = frame.astype(dtype)
    copy = before.copy(deep=True)
    assert iaa.from_long(before).identical(expected)
    pd.testing.assert_frame_equal(before, copy)


def test_nullable_numbers() -> None:
    frame = pd.DataFrame(
        {
            "item": pd.array([1, 1, 2], dtype="Int64"),
            "annotator": ["a", "b", "a"],
            "label": pd.array([5, None, 7], dtype="Int64"),
        }
    )
    with pytest.raises(IaaError, match="only one annotator"):
        iaa.from_long(frame)
    frame["label"] = pd.array([5, 6, None], dtype="Int64")
    ratings = iaa.from_long(frame)
    assert ratings["label"].values.tolist() == [5, 6]
    assert ratings["primary"].values.tolist() == [[0, 1], [-1, -1]]
    assert ratings.attrs["labels_ordered"] == 1


def refused(table: dict[str, Any], **options: Any) -> str:
    with pytest.raises(IaaError) as caught:
        iaa.from_long(table, **options)
    return str(caught.value)


def test_refuses_a_second_rating_by_the_same_annotator() -> None:
    again = {name: [*column, *column[:2]] for name, column in TABLE.items()}
    message = refused(again)
    assert "2 ratings by an annotator who had already rated the item" in message
    assert "row 5 (item 't2', annotator 'bob'); row 6 (item 't1', annotator 'ann')" in message
    assert "keep one of each with duplicates='first'" in message


def test_an_empty_row_is_no_second_rating() -> None:
    again = {name: [*column, column[0]] for name, column in TABLE.items()}
    again["label"][-1] = None
    assert iaa.from_long(again).identical(iaa.from_long(TABLE))


@pytest.mark.parametrize("column", ["item", "annotator"])
def test_refuses_a_rating_of_nothing_or_by_nobody(column: str) -> None:
    table = {**TABLE, column: [*TABLE[column][:4], None]}
    message = refused(table)
    assert f"1 rating without {column}: row 4" in message
    table["label"] = [*TABLE["label"][:4], None]
    table["label"][3] = "x"
    assert iaa.summary(iaa.from_long(table)).ratings == 4


def test_refuses_secondary_labels_that_make_no_sense() -> None:
    message = refused({**TABLE, "second": [None, None, None, "x", None]}, secondary="second")
    assert "1 rating with a secondary label without a primary one: row 3 (item 't1'" in message
    message = refused({**TABLE, "second": ["x", "y", None, None, None]}, secondary="second")
    assert "2 ratings with a secondary label equal to the primary one: row 0" in message


def test_refuses_unknown_columns_and_suggests_close_ones() -> None:
    message = refused(TABLE, annotator="anotator")
    assert "there is no column 'anotator'" in message
    assert "'item', 'annotator', 'label', 'second'" in message
    assert "did you mean 'annotator'?" in message
    frame = pd.DataFrame([[1, 2, 3]], columns=["item", "item", "label"])
    with pytest.raises(IaaError, match="'item' occurs 2 times"):
        iaa.from_long(frame)
    with pytest.raises(IaaError, match="item names no column"):
        iaa.from_long(TABLE, item=[])


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"item": [], "annotator": [], "label": []}, "no rows"),
        ({"item": [1], "annotator": ["a"], "label": [None]}, "there is no rating in the data"),
        ({"item": [1, 2], "annotator": ["a", "a"], "label": "xy"}, r"only one annotator \('a'\)"),
        ({"item": [1, 2], "annotator": ["a", "b"], "label": "xy"}, "no item has two ratings"),
    ],
)
def test_refuses_data_without_a_pair(table: dict[str, Any], words: str) -> None:
    with pytest.raises(IaaError, match=words):
        iaa.from_long({name: list(column) for name, column in table.items()})


@pytest.mark.parametrize("frame", [5, "text", {"item": [1, 2], "annotator": ["a"]}])
def test_refuses_what_is_no_table(frame: Any) -> None:
    with pytest.raises(IaaError, match="cannot make a table of"):
        iaa.from_long(frame)
