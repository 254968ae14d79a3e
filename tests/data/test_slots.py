"""The slot form: the same ratings, whichever form they are kept in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from hypothesis import given, strategies as st

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from iaa_jax.data import slots
from iaa_jax.data.slots import in_grid, in_slots
from tests.data.crowds import STORAGE, TASKS, crowd, slow_slots

seeds = st.integers(0, 10_000)
tasks = st.sampled_from(TASKS)


@given(seeds, tasks)
def test_the_way_there_and_back_is_exact(seed: int, task: str) -> None:
    ratings = crowd(seed, task)
    before = ratings.copy(deep=True)
    kept = in_slots(ratings)
    iaa.data.validate(kept)
    assert in_grid(kept).identical(ratings)
    assert ratings.identical(before)
    assert in_grid(kept)[STORAGE[task]].dtype == ratings[STORAGE[task]].dtype
    assert in_slots(kept) is kept
    assert in_grid(ratings) is ratings
    assert in_slots(in_grid(kept)).identical(kept)


@given(seeds, tasks)
def test_slots_are_those_of_a_slow_loop(seed: int, task: str) -> None:
    ratings = crowd(seed, task)
    kept = in_slots(ratings)
    who, said = slow_slots(ratings)
    width = max(len(row) for row in who)
    assert kept.sizes["slot"] == kept.attrs["slots"] == width
    assert kept["annotator_of"].dtype == np.int32
    assert kept["annotator_of"].values.tolist() == [row + [-1] * (width - len(row)) for row in who]
    values = kept[STORAGE[task]].values
    for row, wanted in zip(values, said, strict=True):
        assert row[: len(wanted)].tolist() == wanted
        rest = row[len(wanted) :]
        assert (np.isnan(rest) if rest.dtype.kind == "f" else rest == -1).all()
    assert kept.sizes["annotator"] == ratings.sizes["annotator"]
    assert kept["kind"].dims == ("annotator",)


@given(seeds, tasks)
def test_questions_have_the_same_answers(seed: int, task: str) -> None:
    ratings = crowd(seed, task)
    kept = in_slots(ratings)
    assert iaa.summary(kept) == iaa.summary(ratings)
    who, _ = slow_slots(ratings)
    assert iaa.data.rated(kept).sum(axis=1).tolist() == [len(row) for row in who]
    if task == "value":
        return
    mass, dense = iaa.data.mass(kept, p=0.75), iaa.data.mass(ratings, p=0.75)
    assert mass.dims == ("item", "slot", "label")
    for item, row in enumerate(who):
        np.testing.assert_array_equal(mass.values[item, : len(row)], dense.values[item, row])
        assert mass["annotator_of"].values[item, : len(row)].tolist() == row
        assert np.isnan(mass.values[item, len(row) :]).all()


@given(seeds, tasks)
def test_any_order_of_slots_is_put_right(seed: int, task: str) -> None:
    kept = in_slots(crowd(seed, task))
    moved = kept.isel(slot=np.random.default_rng(seed).permutation(kept.sizes["slot"]))
    assert in_slots(moved).identical(kept)
    if not moved.equals(kept):
        with pytest.raises(IaaError, match=r"slots are not in order.*in_slots"):
            iaa.data.validate(moved)


def test_anonymous_ratings_stay_as_they_are() -> None:
    ratings = iaa.from_counts([[2, 1], [0, 2]])
    assert in_slots(ratings) is ratings
    assert in_grid(ratings) is ratings


@pytest.mark.parametrize("task", TASKS)
def test_a_file_keeps_slots(task: str, tmp_path: Path) -> None:
    kept = in_slots(crowd(1, task))
    kept.to_netcdf(tmp_path / "ratings.nc", engine="scipy")
    with xr.open_dataset(tmp_path / "ratings.nc", engine="scipy") as found:
        back = found.load()
    iaa.data.validate(back)
    assert back.equals(kept)
    assert iaa.summary(back) == iaa.summary(kept)
    assert in_grid(back).equals(in_grid(kept))
    assert all(type(value) in (str, int) for value in kept.attrs.values())


@pytest.mark.parametrize("task", TASKS)
def test_items_are_chosen_and_repeated(task: str) -> None:
    ratings = crowd(2, task)
    kept = in_slots(ratings)
    for items in ([0, 0, 3, 3], [*np.flatnonzero(ratings["batch"].values == 1), 0]):
        part = kept.isel(item=items)
        iaa.data.validate(part)
        assert in_grid(part).identical(ratings.isel(item=items))
    iaa.data.validate(kept.assign_coords(time=("item", np.arange(kept.sizes["item"]))))


def test_a_large_grid_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = in_slots(crowd(3, "single"))
    monkeypatch.setattr(slots, "GRID_BYTES", 100)
    with pytest.raises(IaaError, match=r"30 items x 7 annotators would take .* GiB.*keep_annot"):
        in_grid(kept)
    monkeypatch.setattr(slots, "GRID_BYTES", 30 * 7)
    in_grid(kept)


def changed(name: str, place: Any, value: Any) -> xr.Dataset:
    ratings = in_slots(crowd(4, "single", items=8)).copy(deep=True)
    ratings[name].values[place] = value
    return ratings


def moved(order: list[int]) -> xr.Dataset:
    return in_slots(crowd(4, "single", items=8)).isel(annotator=order)


SECOND = int(in_slots(crowd(4, "single", items=8))["annotator_of"].values[0, 1])


@pytest.mark.parametrize(
    ("ratings", "words"),
    [
        (changed("annotator_of", (0, 2), 9), r"points outside -1 to 6: 9 at item 0, slot 2"),
        (changed("annotator_of", (0, 2), -3), r"points outside -1 to 6: -3 at item 0, slot 2"),
        (
            changed("annotator_of", (0, 2), 1),
            r"more than one slot of an item in 1 rating \(item 0, annotator 'annotator 2'\)",
        ),
        (
            changed("annotator_of", (0, 2), -1),
            r"without an annotator in `annotator_of`: 1 rating \(item 0, annotator None\)",
        ),
        (
            changed("primary", (0, 2), -1),
            r"without a label or number: 1 rating \(item 0, annotator 'annotator 3'\)",
        ),
        (
            changed("primary", (0, 2), 3),
            r"codes outside -1 to 2 in 1 rating \(item 0, annotator 'annotator 3'\)",
        ),
        (changed("annotator_of", (0, slice(2)), [1, 0]), "slots are not in order"),
        (
            changed("primary", 0, 0).drop_vars("annotator_of"),
            r"no variable 'annotator_of' \(item, slot\)",
        ),
        (
            changed("primary", 0, 0).assign(annotator_of=("item", [0] * 8)),
            r"'annotator_of' has the dimensions \('item',\), not \('item', 'slot'\)",
        ),
        (
            changed("primary", 0, 0).assign(annotator_of=(("item", "slot"), np.zeros((8, 3)))),
            "signed whole numbers, not float64",
        ),
        (changed("primary", 0, 0).isel(slot=[]), "there is no rating in the data"),
        (changed("primary", 0, 0).transpose(), "ratings.transpose"),
        (changed("primary", 0, 0).isel(item=[0], slot=[1]), r"only one annotator \('annotator 2'"),
        (moved([0, 1, 2]), "there are now 3 annotators, and there were 7.*keep_annotators"),
        (moved([1, 0, 2, 3, 4, 5, 6]), "'annotator 2', 'annotator 1'.*keep_annotators"),
        (moved([0, 1, 2, 2, 4, 5, 6]), "occurring more than once: 'annotator 3'"),
    ],
)  # fmt: skip
def test_refusals(ratings: xr.Dataset, words: str) -> None:
    with pytest.raises(IaaError, match=words):
        iaa.data.validate(ratings)


def test_annotators_may_be_renamed() -> None:
    kept = in_slots(crowd(5))
    new = [f"person {k}" for k in range(7)]
    iaa.data.validate(kept.assign_coords(annotator=new))
    iaa.data.validate(kept.assign_coords(annotator=[*kept["annotator"].values[:6], "Zoe"]))
    grid = in_grid(kept.assign_coords(annotator=new))
    assert grid.equals(in_grid(kept).assign_coords(annotator=new))


def test_moved_annotators_of_a_large_crowd_are_noticed() -> None:
    kept = in_slots(crowd(6, annotators=300))
    order = np.arange(300)
    order[[250, 260]] = [260, 250]
    with pytest.raises(IaaError, match=r"after the first 200.*remove ratings.attrs"):
        iaa.data.validate(kept.isel(annotator=order))
    with pytest.raises(IaaError, match=r"not in their places, .*only renamed, remove"):
        iaa.data.validate(kept.isel(annotator=order[::-1]))
    shifted = kept.assign_coords(annotator=[f"annotator {k}" for k in range(2, 302)])
    with pytest.raises(IaaError, match="only renamed, remove"):
        iaa.data.validate(shifted)
    del shifted.attrs["annotator_order"]
    iaa.data.validate(shifted)
    assert len(kept.attrs["annotator_order"]) < 10_000


def test_joined_ratings_are_noticed() -> None:
    one = in_slots(crowd(12))
    names = [f"annotator {k}" for k in range(4, 11)]
    other = in_slots(crowd(13).assign_coords(annotator=names))
    joined = xr.concat([one, other], "item", join="outer", coords="minimal", compat="override")
    with pytest.raises(
        IaaError, match=r"there are now 10 annotators, and there were 7.*`data.merge`"
    ):
        iaa.data.validate(joined)
    assert iaa.data.merge(one, other).sizes["annotator"] == 10
