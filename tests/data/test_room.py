"""Ratings whose table would be far larger than they are refused before it is made."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import iaa_jax as iaa
from iaa_jax import IaaError
from tests.room import in_memory

MOST = 200 << 20  # bytes, where the tables would take gigabytes


def test_a_typo_in_a_count() -> None:
    for count in (50_000_000, 10**15):
        with in_memory(MOST), pytest.raises(IaaError) as caught:
            iaa.from_counts([[count, 1], [1, 2]])
        told = f"the counts of row 0 add up to {count + 1:,}: a table of 2 items"
        assert told in str(caught.value)


def test_many_labels_whose_counts_overflow_together() -> None:
    with in_memory(MOST), pytest.raises(IaaError, match="counts of row 1 add up to 9,000,000,000"):
        iaa.from_counts([[1] * 2000, [4_500_000_000_000_000] * 2000])


def test_counts_that_are_many_but_have_room() -> None:
    ratings = iaa.from_counts([[0, 200_000, 1], [1, 0, 2]], labels=["a", "b", "c"])
    assert ratings.sizes["annotator"] == 200_001
    assert (np.bincount(ratings["primary"].values[0]) == [0, 200_000, 1]).all()
    assert ratings["primary"].values[1, :4].tolist() == [0, 2, 2, -1]


def crowd(largest: int, items: int) -> pd.DataFrame:
    """One item that all annotators rated, beside many that two of them rated."""
    item = np.append(np.full(largest, "big", dtype=object), np.repeat(np.arange(items), 2))
    who = np.append(np.arange(largest), np.tile([0, 1], items))
    return pd.DataFrame({"item": item, "annotator": who, "label": who % 2})


def test_one_item_with_a_crowd_of_its_own() -> None:
    with in_memory(MOST), pytest.raises(IaaError) as caught:
        iaa.from_long(crowd(100_000, 20_000))
    assert str(caught.value) == (
        "item 'big' has 100,000 ratings, no other item more than 2: a table of 20,001 items x "
        "100,000 ratings would take 1.9 GiB, nearly all of it empty; leave this item out, or "
        "measure it by itself"
    )


def test_an_item_that_a_whole_crowd_rated_has_room() -> None:
    ratings = iaa.from_long(crowd(2000, 5000))
    assert ratings.sizes["annotator"] == 2000
    assert int(ratings["primary"].notnull().sum()) == 5001 * 2000


def test_texts_that_are_split_into_sets(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = [f"{k // 2},{k % 2},a{k};b{k}\n" for k in range(20_000)]
    path.write_text("item,annotator,label\n" + "".join(rows))
    with in_memory(MOST), pytest.raises(IaaError, match="table of 40,000 labels in 20,000 sets"):
        iaa.read(path, separator=";")


def test_a_large_table_of_sets_is_never_laid_out() -> None:
    """Of 1 GB, nearly all of it empty; rows of one label are united to sets of several."""
    items = np.repeat(np.arange(50_000), 4)
    who = np.tile([0, 0, 1, 1], 50_000) + items % 9
    names = np.array([f"l{k:03}" for k in range(260)], dtype=object)
    label = names[(items * 7 + np.tile([0, 1], 100_000)) % 260]
    frame = pd.DataFrame({"item": items, "annotator": who, "label": label})
    with in_memory(MOST // 4):
        ratings = iaa.from_long(frame, duplicates="combine")
        assert ratings.mass.shape == (50_000, 10, 260)
        part = iaa.data.keep_labels(ratings.isel(item=slice(0, None, 2)), names[:20].tolist())
        assert iaa.summary(part).ratings == 50_000
        assert iaa.krippendorff_alpha(ratings, interval=None).estimate == 1
    first = ratings.isel(item=1).mass.values
    assert np.isnan(first[[0, *range(3, 10)]]).all()
    assert [names[row == 1].tolist() for row in first[1:3]] == [["l007", "l008"]] * 2
