"""Parts of the ratings: as though the rest had never been there, and counted."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from iaa_jax import (
    IaaError,
    from_counts,
    from_long,
    from_sets,
    from_values,
    from_wide,
    summary,
)
from iaa_jax.data import validate
from iaa_jax.data.provenance import parts_of
from iaa_jax.data.select import keep_annotators, keep_labels
from iaa_jax.wording import Note

TABLE = pd.DataFrame(
    {
        "ann": ["a", "b", "c", "a", None],
        "bob": ["a", "b", "b", None, "d"],
        "cleo": ["c", "b", "b", "a", "d"],
    },
    index=[f"t{k}" for k in range(5)],
)


def secondary() -> xr.Dataset:
    rows = [
        ("1", "ann", "a", "b"),
        ("1", "bob", "a", "c"),
        ("1", "cleo", "b", None),
        ("2", "ann", "c", "a"),
        ("2", "bob", "a", None),
        ("2", "cleo", "a", "b"),
    ]
    frame = pd.DataFrame(rows, columns=["item", "annotator", "label", "second"])
    return from_long(frame, secondary="second")


def test_kept_annotators_are_as_if_alone() -> None:
    kept = keep_annotators(from_wide(TABLE), ["bob", "ann"])
    xr.testing.assert_equal(kept, from_wide(TABLE[["ann", "bob"]]))
    assert kept.attrs["skipped"] == "5 ratings by 1 annotator"
    assert keep_annotators(from_wide(TABLE), ["a*", "*b"]).identical(kept)


def test_kept_annotators_keep_what_they_rated_again() -> None:
    rows = [(1, "ann", "a"), (1, "ann", "b"), (1, "bob", "a"), (1, "bob", "b"), (1, "cleo", "a")]
    frame = pd.DataFrame(rows, columns=["item", "annotator", "label"])
    ratings = from_long(frame, duplicates="apart")
    kept = keep_annotators(ratings, ["ann", "cleo"])
    assert kept["annotator"].values.tolist() == ["ann", "cleo", "ann (2)"]
    assert kept["given_by"].values.tolist() == ["ann", "cleo", "ann"]
    again = keep_annotators(ratings, ["ann (2)", "cleo"])
    assert again["annotator"].values.tolist() == ["cleo", "ann (2)"]


def test_labels_of_the_others_go_unless_they_were_declared() -> None:
    table = pd.DataFrame({"ann": ["a", "b"], "bob": ["a", "b"], "cleo": ["c", "c"]})
    assert keep_annotators(from_wide(table), ["ann", "bob"])["label"].values.tolist() == ["a", "b"]
    declared = from_wide(table, labels=["a", "b", "c", "d"])
    kept = keep_annotators(declared, ["ann", "bob"])
    assert kept["label"].values.tolist() == ["a", "b", "c", "d"]


def left_out(kept: xr.Dataset) -> tuple[object, ...]:
    """What was left out last: its code, how many, their ratings, and items that lost all."""
    told = parts_of(kept, "skipped")[-1]
    of_what = told.code.removeprefix("skipped_")
    emptied = told.values.get("emptied")
    items = emptied.values["items"] if isinstance(emptied, Note) else 0
    return told.code, told.values[of_what], told.values["ratings"], items


def test_kept_labels_make_the_other_ratings_missing() -> None:
    kept = keep_labels(from_wide(TABLE), ["b", "a"])
    expected = TABLE.where(TABLE.isin(["a", "b"]), None)
    xr.testing.assert_equal(kept, from_wide(expected))
    assert left_out(kept) == ("skipped_labels", 2, 4, 1)
    assert kept["primary"].dtype == np.int8


def test_number_labels_are_named_by_text_or_number() -> None:
    ratings = from_wide([[1, 2], [2, 2], [3, 1]])
    for names in (["1", "2"], [1, 2]):
        kept = keep_labels(ratings, names)
        assert kept["label"].values.tolist() == [1, 2]
        assert kept["primary"].values.tolist() == [[0, 1], [1, 1], [-1, 0]]
        assert kept.attrs["labels_ordered"] == 1


def test_secondary_labels() -> None:
    kept = keep_labels(secondary(), ["a", "b"])
    assert kept["primary"].values.tolist() == [[0, 0, 1], [-1, 0, 0]]
    assert kept["secondary"].values.tolist() == [[1, -1, -1], [-1, -1, 1]]
    assert kept.attrs["skipped"] == "1 rating of 1 label"
    validate(kept)
    assert keep_annotators(secondary(), ["bob", "cleo"])["label"].values.tolist() == ["a", "b", "c"]


def test_label_sets_lose_the_members_that_are_not_named() -> None:
    ratings = from_sets([[{"joy"}, {"joy", "fear"}], [{"fear"}, None], [set(), {"rage"}]])
    kept = keep_labels(ratings, ["joy", "rage"])
    expected = from_sets([[{"joy"}, {"joy"}], [set(), None], [set(), {"rage"}]])
    xr.testing.assert_equal(kept, expected)
    assert kept.attrs["skipped"] == "1 label in label sets"
    fewer = from_sets([[{"joy"}, {"joy"}, {"fear"}], [set(), {"joy"}, None]])
    two = keep_annotators(fewer, ["annotator 1", "annotator 2"])
    assert two["label"].values.tolist() == ["joy"]


def test_shares_on_another_label_make_a_rating_missing() -> None:
    mass = np.array([[[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]], [[0.2, 0.2, 0.6], [0.0, 1.0, 0.0]]])
    ratings = xr.Dataset(
        {"mass": (("item", "annotator", "label"), mass)},
        {"item": [0, 1], "annotator": ["ann", "bob"], "label": ["a", "b", "c"]},
        {"task": "soft"},
    )
    kept = keep_labels(ratings, ["a", "b"])
    assert np.isnan(kept["mass"].values[1, 0]).all()
    assert kept["mass"].values[0].tolist() == [[0.5, 0.5], [1.0, 0.0]]
    assert kept.attrs["skipped"] == "1 rating of 1 label"


def test_numbers_keep_annotators_and_have_no_labels() -> None:
    ratings = from_values([[1.0, 2.0, 3.0], [2.0, 2.5, None]])
    kept = keep_annotators(ratings, ["annotator 1", "annotator 3"])
    assert kept["value"].values.tolist()[0] == [1.0, 3.0]
    with pytest.raises(IaaError, match="numbers without labels"):
        keep_labels(ratings, ["1"])


def test_counts_keep_labels_and_have_no_annotators() -> None:
    ratings = from_counts(pd.DataFrame([[2, 1, 0], [0, 1, 2]], columns=["a", "b", "c"]))
    kept = keep_labels(ratings, ["a", "b"])
    assert summary(kept).ratings == 4
    assert kept.attrs["anonymous"] == 1
    with pytest.raises(IaaError, match="without annotators"):
        keep_annotators(ratings, ["rating 1"])


def test_weights_of_items_count_what_is_left_out() -> None:
    ratings = from_wide([["a", "b"], ["c", "b"]])
    weighted = ratings.assign(item_weight=("item", [1000.0, 1500.0]))
    kept = keep_labels(weighted, ["a", "b"])
    assert kept.attrs["skipped"] == "1,500 ratings of 1 label"


def test_what_is_left_out_adds_up() -> None:
    ratings = from_wide(TABLE).assign_attrs(skipped="1 empty row")
    kept = keep_labels(keep_annotators(ratings, ["ann", "cleo"]), ["a", "b"])
    assert kept.attrs["skipped"] == (
        "1 empty row; 4 ratings by 1 annotator; 3 ratings of 2 labels (no rating left on 1 item)"
    )


def test_a_single_name_is_no_list_of_letters() -> None:
    labels = [["aa", "aa"], ["aa", "b"], ["b", "b"]]
    with pytest.raises(IaaError, match=r"only one annotator \('annotator 1'\) rated"):
        keep_annotators(from_wide(labels), "annotator 1")
    assert keep_labels(from_wide(labels), "aa").label.values.tolist() == ["aa"]


def test_keeping_all_changes_nothing() -> None:
    ratings = from_wide(TABLE)
    assert keep_annotators(ratings, ["cleo", "ann", "bob"]) is ratings
    assert keep_labels(ratings, list("dcba")) is ratings


def test_the_ratings_are_not_changed() -> None:
    for ratings in (from_wide(TABLE), secondary()):
        before = ratings.copy(deep=True)
        keep_labels(ratings, ["a", "b"])
        keep_annotators(ratings, ["ann", "bob"])
        xr.testing.assert_identical(ratings, before)


@pytest.mark.parametrize(
    ("keep", "names", "message"),
    [
        (keep_annotators, ["ann", "carl"], "no annotator 'carl'; the annotators are 'ann', 'bob'"),
        (keep_labels, ["a", "x", "y"], "no label 'x', 'y'; the labels are 'a', 'b'"),
        (keep_annotators, [], "no annotator is named"),
        (keep_annotators, ["ann"], "one annotator"),
        (keep_labels, ["c"], "two ratings"),
    ],
)
def test_refusals(keep, names: list[str], message: str) -> None:
    with pytest.raises(IaaError, match=message):
        keep(from_wide(TABLE), names)


def test_items_that_lose_all_ratings_are_said() -> None:
    table = [["a", "b", None, None], ["b", "b", None, None], [None, None, "a", "b"], [None] * 4]
    ratings = from_wide(table)
    kept = keep_annotators(ratings, ["annotator 1", "annotator 2"])
    assert left_out(kept) == ("skipped_annotators", 2, 2, 1)
    kept = keep_annotators(ratings, ["annotator 1", "annotator 2", "annotator 3"])
    assert left_out(kept) == ("skipped_annotators", 1, 1, 0)
    mixed = from_wide([["a", "b"], ["a", "a"], ["c", "c"]])
    assert left_out(keep_labels(mixed, ["a", "b"])) == ("skipped_labels", 1, 2, 1)
