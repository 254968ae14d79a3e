"""Ratings joined by xarray: codes and slots that point to other names are noticed."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError
from iaa_jax.data.select import keep_labels
from iaa_jax.data.slots import in_grid, in_slots

ABC = iaa.from_wide([["a", "b"], ["b", "c"], ["c", "c"], ["a", "a"]])
BC = iaa.from_wide([["b", "c"], ["c", "b"], ["b", "b"]])
CBA = iaa.from_wide([["a", "b"], ["b", "c"], ["c", "c"]], labels=["c", "b", "a"])
LATE = iaa.from_wide([["c", "b"], ["b", "b"], ["a", "a"]], labels=["a", "b", "c"])
WAYS: list[dict[str, Any]] = [
    {"data_vars": "all", "coords": "different", "compat": "equals"},
    {"data_vars": "minimal", "coords": "minimal", "compat": "override"},
    {
        "data_vars": "all",
        "coords": "minimal",
        "compat": "override",
        "combine_attrs": "drop_conflicts",
    },
    {"data_vars": "all", "coords": "minimal", "compat": "override", "combine_attrs": "drop"},
]


def joined(*parts: xr.Dataset, along: str = "item", **way: Any) -> xr.Dataset:
    found = xr.concat(parts, along, join="outer", **way)
    # what "drop" leaves is no ratings Dataset without a task
    return found.assign_attrs(task=parts[0].attrs["task"])


def doubled(ratings: xr.Dataset) -> xr.Dataset:
    return ratings.assign(secondary=xr.full_like(ratings["primary"], -1)).assign_attrs(
        task="primary_secondary"
    )


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("parts", [(ABC, BC), (ABC, CBA), (CBA, ABC), (ABC, BC, ABC)])
@pytest.mark.parametrize("task", [lambda ratings: ratings, doubled])
def test_codes_of_other_labels(
    parts: tuple[xr.Dataset, ...], way: dict[str, Any], task: Callable[[xr.Dataset], xr.Dataset]
) -> None:
    mixed = joined(*map(task, parts), **way)
    with pytest.raises(IaaError, match=r"made with other labels, or in another order|codes do not"):
        iaa.data.validate(mixed)
    with pytest.raises(IaaError, match=r"use `data\.merge` to join"):
        iaa.fleiss_kappa(mixed, interval=None)
    # some of its items alone are as wrong, unless these are the right ones
    second = slice(parts[0].sizes["item"], parts[0].sizes["item"] + parts[1].sizes["item"])
    try:
        alone = iaa.fleiss_kappa(mixed.isel(item=second), interval=None)
    except IaaError:
        return
    assert float(alone.estimate) == float(iaa.fleiss_kappa(parts[1], interval=None).estimate)


def test_the_message_says_how_many_and_which() -> None:
    mixed = joined(ABC, BC.assign_coords(item=["x", "y", "z"]), **WAYS[1])
    with pytest.raises(IaaError) as caught:
        iaa.data.validate(mixed)
    assert str(caught.value) == (
        "the codes of 3 of 7 items, such as 'x', were made with other labels, or in another order, "
        "than 'a', 'b', 'c'; codes do not follow when ratings are joined: use `data.merge` to join "
        "ratings, or declare the same labels when making them; if you changed codes and labels "
        "together, drop the variable `item_coding`"
    )


@pytest.mark.parametrize("way", WAYS[::2])
def test_annotators_whose_codes_are_of_other_labels(way: dict[str, Any]) -> None:
    one = iaa.from_wide([["a", "b"], ["b", "c"], ["c", "c"]])
    other = BC.assign_coords(annotator=["annotator 3", "annotator 4"])
    mixed = joined(one, other, along="annotator", **way)
    with pytest.raises(IaaError, match="2 of 4 annotators, such as 'annotator 3', were made"):
        iaa.data.validate(mixed)


@pytest.mark.parametrize("way", WAYS)
def test_codes_of_the_same_labels_may_be_joined(way: dict[str, Any]) -> None:
    both = joined(ABC, LATE.assign_coords(item=[7, 8, 9]), **way)
    rows = [["a", "b"], ["b", "c"], ["c", "c"], ["a", "a"], ["c", "b"], ["b", "b"], ["a", "a"]]
    expected = iaa.fleiss_kappa(iaa.from_wide(rows), interval=None)
    assert float(iaa.fleiss_kappa(both, interval=None).estimate) == float(expected.estimate)
    wider = joined(ABC, ABC.assign_coords(annotator=["x", "y"]), along="annotator", **WAYS[1])
    assert iaa.summary(wider).ratings == 16


def crowd(annotators: list[int], seed: int) -> xr.Dataset:
    rng = np.random.default_rng(seed)
    size = len(annotators)
    rows = [
        (i, annotators[(i + k) % size], "ab"[rng.integers(2)]) for i in range(400) for k in range(3)
    ]
    columns = zip(("item", "annotator", "label"), zip(*rows, strict=True), strict=True)
    found = iaa.from_long({name: list(column) for name, column in columns})
    assert found["annotator"].values.tolist() == annotators
    assert found.sizes["slot"] == 3
    return found


@pytest.mark.parametrize("way", WAYS[:3])
def test_slots_of_other_annotators(way: dict[str, Any]) -> None:
    one, other = crowd(list(range(200)), 1), crowd(list(range(1, 200)), 2)
    mixed = joined(one, other, **way)
    assert mixed["annotator"].values.tolist() == one["annotator"].values.tolist()
    with pytest.raises(
        IaaError, match="400 of 800 items, such as 0, were made with other labels or ann"
    ):
        iaa.conger_kappa(mixed, interval=None)
    again = joined(one, one.isel(item=slice(5)), **way)
    iaa.data.validate(again)


def test_values_by_slot() -> None:
    cells = np.full((150, 150), np.nan)
    for shift in range(3):
        cells[np.arange(150), (np.arange(150) + shift) % 150] = np.arange(150) * (1 + shift)
    one = iaa.from_values(pd.DataFrame(cells))
    other = iaa.from_values(pd.DataFrame(cells).iloc[1:, 1:])
    mixed = xr.concat([one, in_slots(other)], "item", join="outer", **WAYS[1])
    with pytest.raises(IaaError, match="149 of 299 items"):
        iaa.data.validate(mixed)
    iaa.data.validate(xr.concat([one, one], "item", **WAYS[1]))


@pytest.mark.parametrize(
    "change",
    [
        lambda r: iaa.data.compress(r),
        lambda r: iaa.data.merge(r, BC),
        lambda r: keep_labels(r, ["a", "b"]),
        lambda r: r.isel(item=[0, 0, 1]),
        lambda r: r.isel(annotator=[1, 0]),
        lambda r: r.assign_coords(label=["x", "y", "z"]),
        lambda r: in_grid(in_slots(r)),
        lambda r: in_slots(r),
        lambda r: pickle.loads(pickle.dumps(r)),
        lambda r: r.drop_vars("item_coding"),
        lambda r: r.copy(deep=True),
    ],
)
def test_honest_changes(change: Callable[[xr.Dataset], xr.Dataset]) -> None:
    iaa.data.validate(change(ABC))


@pytest.mark.parametrize("make", [iaa.data.compress, lambda r: iaa.data.merge(r, ABC), in_slots])
def test_a_mixture_is_not_made_good(make: Callable[[xr.Dataset], xr.Dataset]) -> None:
    mixed = joined(ABC, BC, **WAYS[1])
    for change in (make, lambda r: keep_labels(r, ["a", "b"])):
        with pytest.raises(IaaError, match="made with other labels"):
            change(mixed)


def test_files(tmp_path: Path) -> None:
    for ratings in (ABC, crowd(list(range(120)), 4)):
        ratings.to_netcdf(tmp_path / "r.nc")
        with xr.open_dataset(tmp_path / "r.nc") as found:
            iaa.data.validate(found.load())
            np.testing.assert_array_equal(found["primary"], ratings["primary"])
    ABC.to_netcdf(tmp_path / "a.nc")
    BC.to_netcdf(tmp_path / "b.nc")
    read = [xr.load_dataset(tmp_path / name) for name in ("a.nc", "b.nc")]
    with pytest.raises(IaaError, match="made with other labels"):
        iaa.data.validate(joined(*read, **WAYS[1]))


def test_many_labels_are_compared_to_the_last() -> None:
    codes = np.arange(1500).repeat(2).reshape(-1, 2)
    names = [f"label {k:04}" for k in range(1500)]
    one = iaa.from_wide(np.array(names, dtype=object)[codes], labels=names)
    iaa.data.validate(one)
    moved = one.isel(label=[*range(1400), *range(1499, 1399, -1)])
    with pytest.raises(IaaError, match="codes do not follow"):
        iaa.data.validate(moved)
    iaa.data.validate(one.assign_coords(label=[f"other {k}" for k in range(1500)]))
    other = iaa.from_wide(
        np.array(names, dtype=object)[codes], labels=[*names[:1400], *names[:1399:-1]]
    )
    with pytest.raises(IaaError, match="made with other labels"):
        iaa.data.validate(joined(one, other, **WAYS[1]))


def test_a_million_items_cost_little() -> None:
    ratings = iaa.from_wide(np.random.default_rng(1).integers(0, 3, (1_000_000, 3)))
    assert ratings["item_coding"].nbytes == 4e6
    bare = ratings.drop_vars("item_coding")
    times = []
    for one in (bare, ratings):
        best = min(_seconds(lambda one=one: iaa.data.validate(one)) for _ in range(3))
        times.append(best)
    assert times[1] < times[0] + 0.05


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start
