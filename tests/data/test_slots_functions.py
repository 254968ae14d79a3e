"""Selection, compression and merging give the same on either form."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
import xarray as xr
from hypothesis import given, strategies as st

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from iaa_jax.data.patterns import (
    Codes,
    by_slot,
    exchangeable_patterns,
    identified_patterns,
    rating_codes,
)
from iaa_jax.data.select import keep_annotators, keep_labels
from iaa_jax.data.slots import in_grid, in_slots
from tests.data.crowds import STORAGE, TASKS, crowd, slow_slots, table
from tests.taken import one_of

seeds = st.integers(0, 10_000)
tasks = st.sampled_from(TASKS)
both_rules = pytest.mark.parametrize("always", [False, True])


@pytest.fixture
def every_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rule asks for slots, however small the ratings."""
    monkeypatch.setattr("iaa_jax._thresholds.MANY_ANNOTATORS", 0)
    monkeypatch.setattr("iaa_jax._thresholds.TIMES_PANEL", 0)


def codes_of(seed: int, annotators: int, distinct: int) -> Codes:
    codes = table(seed, annotators=annotators)
    return Codes(np.where(np.isnan(codes), -1, codes).astype(np.int64), distinct)


@given(seeds, st.sampled_from([4, 40, 120]), st.sampled_from([3, 200, 10**9]), st.booleans())
def test_patterns_are_the_same_and_in_the_same_order(
    seed: int, annotators: int, distinct: int, weighted: bool
) -> None:
    dense = codes_of(seed, annotators, distinct)
    weight = np.random.default_rng(seed).random(30) if weighted else None
    rows = dense.codes.tolist()
    wanted = sorted({tuple(row) for row in rows})
    slot = by_slot(dense)
    assert by_slot(slot) is slot
    one, other = identified_patterns(dense, weight), identified_patterns(slot, weight)
    assert one.annotator_of is None
    assert [tuple(row) for row in one.codes.tolist()] == wanted
    assert [wanted[k] for k in one.pattern_of] == [tuple(row) for row in rows]
    np.testing.assert_array_equal(other.pattern_of, one.pattern_of)
    np.testing.assert_array_equal(other.first, one.first)
    np.testing.assert_array_equal(other.count, one.count)
    shares = np.ones(30) if weight is None else weight
    np.testing.assert_allclose(
        one.count, [shares[one.pattern_of == k].sum() for k in range(len(wanted))]
    )
    assert other.annotator_of is not None
    for codes, places, row in zip(other.codes, other.annotator_of, wanted, strict=True):
        filled = [(a, code) for a, code in enumerate(row) if code >= 0]
        assert places[: len(filled)].tolist() == [a for a, _ in filled]
        assert codes[: len(filled)].tolist() == [code for _, code in filled]
        assert (codes[len(filled) :] == -1).all()
        assert (places[len(filled) :] == -1).all()
    loose, same = exchangeable_patterns(dense, weight), exchangeable_patterns(slot, weight)
    assert same.annotator_of is None
    np.testing.assert_array_equal(loose.codes, same.codes)
    np.testing.assert_array_equal(loose.count, same.count)
    np.testing.assert_array_equal(loose.pattern_of, same.pattern_of)
    orders = [sorted((code for code in row if code >= 0), key=int) for row in rows]
    assert [[c for c in loose.codes[k] if c >= 0] for k in loose.pattern_of] == orders


def test_rows_without_a_rating_are_a_pattern() -> None:
    codes = Codes(np.full((3, 20), -1), 4)
    assert identified_patterns(codes).count.tolist() == [3]
    assert identified_patterns(by_slot(codes)).count.tolist() == [3]
    assert exchangeable_patterns(by_slot(codes)).codes.tolist() == [[-1]]


@given(seeds, tasks)
def test_codes_stand_beside_their_ratings(seed: int, task: str) -> None:
    ratings = crowd(seed, task)
    dense, slot = rating_codes(ratings), rating_codes(in_slots(ratings))
    assert slot.distinct == dense.distinct
    assert slot.annotator_of is not None
    who, _ = slow_slots(ratings)
    for row, codes, wanted in zip(who, slot.codes, dense.codes, strict=True):
        assert codes[: len(row)].tolist() == wanted[row].tolist()
        assert (codes[len(row) :] == -1).all()


@given(seeds, tasks, st.booleans())
def test_compressed_ratings_are_the_same(seed: int, task: str, exchangeable: bool) -> None:
    ratings = crowd(seed, task)
    dense = iaa.data.compress(ratings, anonymous=exchangeable)
    found = iaa.data.compress(in_slots(ratings), anonymous=exchangeable)
    iaa.data.validate(found)
    if exchangeable:
        assert found.identical(dense)
    else:
        assert found.attrs["slots"] == found.sizes["slot"]
        assert in_grid(found).identical(dense)


def test_empty_slots_of_a_part_are_left_out() -> None:
    kept = in_slots(crowd(7))
    few = kept.isel(item=np.flatnonzero((kept["annotator_of"] >= 0).sum("slot") == 2))
    assert iaa.data.compress(few).sizes["slot"] == iaa.data.compress(few).attrs["slots"] == 2
    assert few.sizes["slot"] == 3


def outcome(keep, ratings: xr.Dataset, names: list[object], place: str = "") -> xr.Dataset | str:
    try:
        found = keep(ratings, names)
    except IaaError as error:
        return str(error)
    assert found is ratings or place in ("", found[STORAGE[ratings.attrs["task"]]].dims[1])
    return in_grid(found)


@given(seeds, tasks, st.sets(st.integers(0, 6), min_size=2), st.sets(st.integers(0, 2), min_size=1))
def test_parts_are_the_same(seed: int, task: str, annotators: set[int], labels: set[int]) -> None:
    ratings = crowd(seed, task)
    names = ratings["annotator"].values[sorted(annotators)].tolist()
    chosen = [(keep_annotators, names)]
    if task != "value":
        values = ratings["label"].values
        chosen.append((keep_labels, values[[k for k in labels if k < len(values)] or [0]].tolist()))
    for always in (False, True):
        with pytest.MonkeyPatch.context() as patch:
            for keep, what in chosen:
                dense = outcome(keep, ratings, what)
                slot = in_slots(ratings)
                before = slot.copy(deep=True)
                if always:
                    patch.setattr("iaa_jax._thresholds.MANY_ANNOTATORS", 0)
                    patch.setattr("iaa_jax._thresholds.TIMES_PANEL", 0)
                found = outcome(keep, slot, what, "slot" if always else "annotator")
                patch.undo()
                assert slot.identical(before)
                if isinstance(dense, str):
                    assert found == dense
                else:
                    assert dense.identical(found)
                    storage = STORAGE[task]
                    assert found[storage].dtype == dense[storage].dtype


@pytest.mark.usefixtures("every_size")
def test_parts_are_kept_in_as_few_slots_as_they_need() -> None:
    kept = in_slots(crowd(8, annotators=9))
    part = keep_annotators(kept, ["annotator 1", "annotator 2", "annotator 5"])
    panel = int(iaa.data.rated(part).sum(axis=1).max())
    assert part.sizes["slot"] == part.attrs["slots"] == panel
    assert part["annotator"].values.tolist() == ["annotator 1", "annotator 2", "annotator 5"]
    assert part["kind"].values.tolist() == kept["kind"].values[[0, 1, 4]].tolist()
    assert keep_annotators(kept, kept["annotator"].values.tolist()) is kept


def test_a_small_part_is_a_table_again() -> None:
    ratings = crowd(9, annotators=120, items=400)
    assert "slot" in ratings.dims
    names = [f"annotator {k}" for k in range(1, 100)]
    part = keep_annotators(ratings, names)
    assert "slot" not in part.dims
    assert not {"slots", "annotator_order"} & set(part.attrs)
    assert "slot" in keep_annotators(ratings, [*names, "annotator 120"]).dims


@pytest.mark.parametrize("task", one_of(2, TASKS))
@both_rules
def test_merge_is_associative_across_forms(
    task: str, always: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    ratings = crowd(10, task, items=60)
    whole = iaa.data.compress(ratings)
    bounds = [slice(0, 20), slice(20, 35), slice(35, 60)]
    parts = [iaa.data.compress(ratings.isel(item=part)) for part in bounds]
    mixed = [in_slots(parts[0]), parts[1], in_slots(parts[2])]
    if always:
        monkeypatch.setattr("iaa_jax._thresholds.MANY_ANNOTATORS", 0)
        monkeypatch.setattr("iaa_jax._thresholds.TIMES_PANEL", 0)
    left = iaa.data.merge(iaa.data.merge(mixed[0], mixed[1]), mixed[2])
    right = iaa.data.merge(mixed[0], iaa.data.merge(mixed[1], mixed[2]))
    xr.testing.assert_identical(left, right)
    assert ("slot" in left.dims) == always
    assert ("slots" in left.attrs) == always
    for order in permutations(range(3)):
        found = in_grid(
            iaa.data.merge(iaa.data.merge(*(mixed[k] for k in order[:2])), mixed[order[2]])
        )
        np.testing.assert_array_equal(found["annotator"], whole["annotator"])
        np.testing.assert_allclose(found["item_weight"], whole["item_weight"])
        np.testing.assert_array_equal(found[STORAGE[task]], whole[STORAGE[task]])


def test_merged_parts_outgrow_the_table() -> None:
    parts = [
        crowd(20 + k, items=50, annotators=count).assign_coords(
            annotator=[f"{first}{k % 3} {place}" for place in range(count)]
        )
        for k, (first, count) in enumerate([("w", 60), ("v", 45), ("w", 130), ("w", 60)])
    ]
    a, b, c, d = parts
    assert ["slot" in part.dims for part in parts] == [False, False, True, False]
    assert "slot" in iaa.data.merge(a, b).dims
    assert "slot" not in iaa.data.merge(a, d).dims
    left = iaa.data.merge(iaa.data.merge(iaa.data.merge(a, b), c), d)
    right = iaa.data.merge(a, iaa.data.merge(b, iaa.data.merge(c, d)))
    xr.testing.assert_identical(left, right)
    xr.testing.assert_identical(left, iaa.data.merge(iaa.data.merge(a, b), iaa.data.merge(c, d)))
    assert left.sizes["annotator"] == 60 + 45 + 130
    for name in ("w0 7", "v1 3", "w2 101"):
        wanted = sum(
            float(part["item_weight"].values @ (iaa.data.rated(in_grid(part))[:, place]))
            for part in parts
            for place in np.flatnonzero(part["annotator"].values == name)
        )
        place = int(np.flatnonzero(left["annotator"].values == name)[0])
        assert left["item_weight"].values @ iaa.data.rated(in_grid(left))[:, place] == wanted


def test_merge_matches_annotators_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    one = iaa.from_wide([["b", "c"], ["c", None]]).assign_coords(annotator=["x", "y"])
    other = iaa.from_wide([["a", "b", None], ["a", None, "b"]]).assign_coords(
        annotator=["z", "y", "x"]
    )
    dense = iaa.data.merge(one, other)
    monkeypatch.setattr("iaa_jax._thresholds.MANY_ANNOTATORS", 0)
    monkeypatch.setattr("iaa_jax._thresholds.TIMES_PANEL", 0)
    pairs = [(in_slots(one), other), (one, in_slots(other)), (in_slots(one), in_slots(other))]
    for pair in [*pairs, (one, other)]:
        found = iaa.data.merge(*pair)
        assert "slot" in found.dims
        assert found["annotator"].values.tolist() == ["x", "y", "z"]
        assert in_grid(found).identical(dense)
    rows = [
        sorted((str(found["annotator"].values[a]), str(found["label"].values[c])) for a, c in row)
        for row in (
            [(a, c) for a, c in zip(places, codes, strict=True) if a >= 0]
            for places, codes in zip(
                found["annotator_of"].values, found["primary"].values, strict=True
            )
        )
    ]
    wanted = [[("x", "b"), ("y", "c")], [("x", "c")], [("y", "b"), ("z", "a")]]
    assert sorted(rows) == sorted([*wanted, [("x", "b"), ("z", "a")]])


def test_coordinates_of_ratings_follow_them() -> None:
    times = np.array([["m", "n", ""], ["", "k", "l"], ["x", "y", "z"]], dtype=object)
    ratings = iaa.from_wide([["a", "b", None], [None, "b", "b"], ["a", "a", "a"]])
    ratings = ratings.assign_coords(time=(("item", "annotator"), times))
    by_slot = in_slots(ratings)
    assert by_slot.time.values.tolist() == [["m", "n", ""], ["k", "l", ""], ["x", "y", "z"]]
    assert in_grid(by_slot).time.values.tolist() == times.tolist()
    two = iaa.data.keep_annotators(by_slot, ["annotator 2", "annotator 3"])
    assert in_grid(two).time.values.tolist() == times[:, 1:].tolist()
