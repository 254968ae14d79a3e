"""Several votes of an annotator on an item: how they are stored, and what keeps them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError, summary
from iaa_jax.data import compress, in_grid, in_slots, merge
from iaa_jax.data.duplicates import DUPLICATES
from iaa_jax.data.long_rows import long_rows
from tests.data.votes import COLUMNS, ROWS, random_rows, votes

FRAME = pd.DataFrame(ROWS, columns=COLUMNS)


def told(ratings: xr.Dataset) -> list[list[Any]]:
    """Of each item who said what, by names, in the order of the slots."""
    return long_rows(ratings)[["item", "annotator", "label"]].values.tolist()


def test_referee_spans_2_the_votes_of_an_annotator_stand_in_slots_of_their_own() -> None:
    ratings = votes(ROWS)
    assert ratings["annotator"].values.tolist() == ["ann", "bob", "cleo"]
    assert ratings["annotator_of"].values.tolist() == [[0, 0, 0, 1], [0, 1, 1, -1], [1, 2, -1, -1]]
    assert ratings["primary"].values.tolist() == [[0, 1, 0, 1], [1, 0, 0, -1], [0, 1, -1, -1]]
    assert ratings.attrs["repeated"] == 1
    assert ratings.attrs["slots"] == 4
    iaa.data.validate(ratings)


def test_votes_of_nobody_twice_are_plain_ratings() -> None:
    once = FRAME.drop_duplicates(["item", "annotator"])
    assert iaa.from_long(once, duplicates="votes").identical(iaa.from_long(once))


def test_referee_spans_2_it_is_said_how_repeats_were_read() -> None:
    assert votes(ROWS).attrs["read_as"] == "3 repeated ratings as further votes of their annotators"
    apart = iaa.from_long(FRAME, duplicates="apart").attrs["read_as"]
    assert apart == "3 repeated ratings as those of 3 further annotators, as 'ann (2)'"
    assert "read_as" not in iaa.from_long(FRAME.iloc[[0, 1]], duplicates="apart").attrs


def test_ratings_count_votes_and_what_is_missing_counts_cells() -> None:
    found = summary(votes(ROWS))
    assert (found.items, found.annotators, found.ratings, found.largest_panel) == (3, 3, 9, 4)
    assert found.missing_share == pytest.approx(1 - 6 / 9)
    assert (found.pairable_items, found.single_rated_items, found.unrated_items) == (3, 0, 0)
    alone = [*ROWS, ("i4", "ann", "x"), ("i4", "ann", "y")]
    found = summary(votes(alone))
    assert (found.pairable_items, found.single_rated_items, found.ratings) == (3, 1, 11)


def test_votes_of_one_annotator_make_gold_labels_and_no_agreement() -> None:
    """Such as the answers of one model, asked several times."""
    repeated = votes([("i1", "ann", "x"), ("i1", "ann", "x"), ("i1", "ann", "y")])
    assert iaa.gold(repeated, "majority")["gold"].values.tolist() == ["x"]
    assert summary(repeated).pairable_items == 0
    with pytest.raises(IaaError, match="several votes of an annotator on an item"):
        iaa.krippendorff_alpha(repeated)
    with pytest.raises(IaaError, match="only one annotator"):
        votes([("i1", "ann", "x"), ("i2", "ann", "y")])


def test_slots_that_repeat_by_accident_are_refused_with_every_choice() -> None:
    ratings = votes(ROWS)
    del ratings.attrs["repeated"]
    with pytest.raises(IaaError, match="more than one slot of an item in 3 ratings") as refused:
        iaa.data.validate(ratings)
    message = str(refused.value)
    assert all(f"duplicates={name!r}" in message for name in DUPLICATES if name != "error")


def test_referee_spans_3_the_refusal_of_repeats_names_every_choice() -> None:
    with pytest.raises(IaaError, match="3 ratings by an annotator who had already") as refused:
        iaa.from_long(FRAME)
    message = str(refused.value)
    assert all(f"duplicates={name!r}" in message for name in DUPLICATES if name != "error")
    doubles = FRAME.assign(second=None)
    with pytest.raises(IaaError) as refused:
        iaa.from_long(doubles, secondary="second")
    assert "duplicates='combine'" not in str(refused.value)  # sets have no second choices
    assert "duplicates='votes'" in str(refused.value)


def test_the_rows_come_back() -> None:
    back = long_rows(votes(ROWS))[COLUMNS].values.tolist()
    assert sorted(map(tuple, back)) == sorted(ROWS)
    for seed in range(5):
        rows = random_rows(seed)
        again = long_rows(votes(rows))[COLUMNS]
        assert sorted(map(tuple, again.values.tolist())) == sorted(rows)
        twice = iaa.from_long(again, duplicates="votes", labels=["x", "y", "z"])
        assert sorted(told(twice)) == sorted(told(votes(rows)))


def test_coordinates_of_single_votes_stay_with_them() -> None:
    from iaa_jax.data.coordinates import lay_out

    ratings = votes(ROWS)
    items = np.array([["i1", "i1", "i1", "i1", "i2", "i2", "i2", "i3", "i3"]]).ravel()
    places = np.searchsorted(["i1", "i2", "i3"], items)
    who = np.array([0, 1, 0, 0, 1, 0, 1, 1, 2])  # as in ROWS
    ratings = ratings.assign_coords(time=lay_out(ratings, places, who, np.arange(9.0)))
    wanted = [[0, 2, 3, 1], [5, 4, 6, np.nan], [7, 8, np.nan, np.nan]]
    np.testing.assert_array_equal(ratings["time"], wanted)
    kept = iaa.data.keep_annotators(ratings, ["bob", "ann"])
    np.testing.assert_array_equal(kept["time"][:2], np.array(wanted)[:2])
    np.testing.assert_array_equal(in_slots(ratings)["time"], wanted)


def test_a_table_of_items_and_annotators_has_no_room_for_them() -> None:
    with pytest.raises(IaaError, match="several votes of an annotator") as refused:
        in_grid(votes(ROWS))
    assert all(repr(name) in str(refused.value) for name in DUPLICATES)
    alone = iaa.data.keep_annotators(votes(ROWS), ["ann", "bob", "cleo"]).isel(item=[2])
    assert in_grid(alone)["primary"].values.tolist() == [[-1, 0, 1]]
    assert "repeated" not in in_grid(alone).attrs


def test_slots_in_another_order_are_put_right() -> None:
    ratings = votes(ROWS)
    turned = ratings.isel(slot=[3, 0, 1, 2])
    with pytest.raises(IaaError, match="slots are not in order"):
        iaa.data.validate(turned)
    assert told(in_slots(turned)) == told(ratings)
    assert in_slots(turned).attrs["repeated"] == 1


def test_annotators_are_left_out_with_all_their_votes() -> None:
    kept = iaa.data.keep_annotators(votes(ROWS), ["ann", "bob"])
    assert told(kept) == [row for row in told(votes(ROWS)) if row[1] != "cleo"]
    assert kept.attrs["repeated"] == 1
    plain = iaa.data.keep_annotators(votes(ROWS), ["bob", "cleo"]).isel(item=[2])
    assert iaa.agreement(plain, "percent_agreement", interval=None).estimate.item() == 0
    rows = [*ROWS, ("i4", "cleo", "x"), ("i4", "bob", "x")]
    once = [row for row in rows if row[:2] != ("i2", "bob")]
    kept = iaa.data.keep_annotators(votes(once), ["bob", "cleo"])
    assert "repeated" not in kept.attrs  # nobody who is left voted twice
    assert "slot" not in kept.dims


def test_labels_are_left_out_and_recoded_vote_by_vote() -> None:
    rows = [*ROWS, ("i3", "ann", "x")]
    kept = iaa.data.keep_labels(votes(rows), ["x"])
    assert told(kept) == [row for row in told(votes(rows)) if row[2] == "x"]
    assert kept.attrs["repeated"] == 1
    recoded = iaa.data.recode(votes(ROWS), {"y": "x"})
    assert {row[2] for row in told(recoded)} == {"x"}
    assert len(told(recoded)) == 9


def test_compressed_votes_are_patterns_in_whichever_order_they_were_given() -> None:
    rows = [
        *(("i1", "ann", "x"), ("i1", "ann", "y"), ("i1", "bob", "x")),
        *(("i2", "bob", "x"), ("i2", "ann", "y"), ("i2", "ann", "x")),
        *(("i3", "ann", "x"), ("i3", "bob", "x")),
    ]
    packed = compress(votes(rows))
    assert sorted(packed["item_weight"].values.tolist()) == [1, 2]
    assert packed.attrs["repeated"] == 1
    assert summary(packed).ratings == 8
    others = [rows[1], rows[0], *rows[2:]]
    assert packed.attrs["patterns"] == compress(votes(others)).attrs["patterns"]
    np.testing.assert_array_equal(packed["primary"], compress(votes(others))["primary"])
    with pytest.raises(IaaError, match="several votes of an annotator"):
        compress(votes(rows), anonymous=True)


def test_merging_keeps_votes_and_is_associative() -> None:
    parts = [votes(random_rows(seed)) for seed in range(3)]
    plain = iaa.from_long(FRAME.drop_duplicates(["item", "annotator"]), labels=["x", "y", "z"])
    whole = merge(*parts, plain)
    assert whole.attrs["repeated"] == 1
    assert summary(whole).ratings == sum(summary(part).ratings for part in (*parts, plain))
    left, right = merge(merge(*parts), plain), merge(parts[0], merge(*parts[1:], plain))
    for other in (left, right, merge(plain, *parts)):
        assert summary(other) == summary(whole)
    assert left.identical(whole)
    np.testing.assert_array_equal(
        np.sort(right["item_weight"].values), np.sort(whole["item_weight"].values)
    )


def test_masses_of_votes_are_no_tensor_of_the_formulas() -> None:
    with pytest.raises(IaaError, match="several votes of an annotator"):
        iaa.data.mass(votes(ROWS))


def test_items_that_were_drawn_keep_their_votes() -> None:
    part = votes(ROWS).isel(item=[0, 0, 2])
    iaa.data.validate(part)
    assert summary(part).ratings == 10
