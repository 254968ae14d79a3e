"""What a ratings Dataset is: validation, mass, rated cells and the summary."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError

NAN = float("nan")


def single() -> xr.Dataset:
    return iaa.from_wide([["a", "b", None], ["b", "b", "b"], [None, "a", None], [None] * 3])


def doubles() -> xr.Dataset:
    table = {
        "item": [1, 1, 2],
        "annotator": ["ann", "bob", "ann"],
        "label": ["a", "b", "b"],
        "second": ["c", None, "a"],
    }
    return iaa.from_long(table, secondary="second")


def sets() -> xr.Dataset:
    return iaa.from_sets([[["a"], ["a", "b"]], [[], None]])


def soft() -> xr.Dataset:
    mass = [[[0.25, 0.75], [1, 0]], [[0.5, 0.5], [NAN, NAN]]]
    coords = {"item": [0, 1], "annotator": ["ann", "bob"], "label": ["a", "b"]}
    data = {"mass": (("item", "annotator", "label"), np.array(mass))}
    return xr.Dataset(data, coords=coords, attrs={"task": "soft"})


def values() -> xr.Dataset:
    return iaa.from_values([[1.5, 2], [3, None]])


def cells() -> xr.Dataset:
    return iaa.from_contingency([[2, 1], [0, 3]])


EVERY = [single, doubles, sets, soft, values, cells]


@pytest.mark.parametrize("make", EVERY)
def test_valid_ratings_stay_as_they_are(make: Callable[[], xr.Dataset]) -> None:
    ratings = make()
    copy = ratings.copy(deep=True)
    iaa.data.validate(ratings)
    iaa.summary(ratings)
    if make is not values:
        iaa.data.mass(ratings)[:] = 0
    assert ratings.identical(copy)
    assert all(type(value) in (str, int) for value in ratings.attrs.values())


@pytest.mark.parametrize("make", EVERY)
def test_ratings_survive_a_file(make: Callable[[], xr.Dataset], tmp_path: Path) -> None:
    ratings = make()
    ratings.to_netcdf(tmp_path / "ratings.nc", engine="scipy")
    with xr.open_dataset(tmp_path / "ratings.nc", engine="scipy") as found:
        back = found.load()
    iaa.data.validate(back)
    assert iaa.summary(back) == iaa.summary(ratings)
    assert back.equals(ratings)


@pytest.mark.parametrize("make", EVERY)
def test_subsets_and_resamples_are_ratings(make: Callable[[], xr.Dataset]) -> None:
    ratings = make()
    iaa.data.validate(ratings.isel(item=[0, 0]))
    iaa.data.validate(ratings.assign_coords(batch=("item", np.arange(ratings.sizes["item"]))))


def test_rated() -> None:
    assert iaa.data.rated(single()).tolist() == [[1, 1, 0], [1, 1, 1], [0, 1, 0], [0, 0, 0]]
    assert iaa.data.rated(doubles()).tolist() == [[1, 1], [1, 0]]
    for make in (sets, soft, values):
        assert iaa.data.rated(make()).tolist() == [[1, 1], [1, 0]]


def test_mass_of_single_labels() -> None:
    mass = iaa.data.mass(single())
    assert mass.dims == ("item", "annotator", "label")
    assert mass["label"].values.tolist() == ["a", "b"]
    np.testing.assert_array_equal(
        mass.values[:2], [[[1, 0], [0, 1], [NAN, NAN]], [[0, 1], [0, 1], [0, 1]]]
    )
    np.testing.assert_array_equal(iaa.data.mass(single(), p=0.7).values, mass.values)


def test_mass_of_primary_and_secondary_labels() -> None:
    expected = [[[0.75, 0, 0.25], [0, 1, 0]], [[0.25, 0.75, 0], [NAN, NAN, NAN]]]
    np.testing.assert_array_equal(iaa.data.mass(doubles(), p=0.75).values, expected)
    np.testing.assert_array_equal(iaa.data.mass(doubles()).values[0], [[1, 0, 0], [0, 1, 0]])


def test_a_mass_that_is_asked_for_under_a_trace_says_how_it_is_had() -> None:
    jax = pytest.importorskip("jax")
    shares = np.array([0.5, 0.73, 1.0])
    with pytest.raises(IaaError, match=r"p is traced.* \(2 \* p - 1\) \* whole"):
        jax.vmap(lambda p: iaa.data.mass(doubles(), p=p).values)(shares)
    whole, half = iaa.data.mass(doubles()).values, iaa.data.mass(doubles(), 0.5).values
    at = jax.vmap(lambda p: (2 * p - 1) * whole + (2 - 2 * p) * half)(shares)
    for k, p in enumerate(shares.tolist()):
        np.testing.assert_allclose(at[k], iaa.data.mass(doubles(), p=p).values, atol=1e-6)


@pytest.mark.parametrize("make", [sets, soft])
def test_mass_that_is_stored(make: Callable[[], xr.Dataset]) -> None:
    ratings = make()
    np.testing.assert_array_equal(iaa.data.mass(ratings).values, ratings["mass"].values)


@pytest.mark.parametrize("p", [0.49, 1.01, -1, NAN])
def test_p_lies_between_a_half_and_one(p: float) -> None:
    with pytest.raises(IaaError, match=r"between 0.5 and 1, not"):
        iaa.data.mass(doubles(), p=p)


def test_numbers_have_no_mass() -> None:
    with pytest.raises(IaaError, match="numbers without labels"):
        iaa.data.mass(values())


def test_summary() -> None:
    counts = iaa.summary(single())
    assert (counts.items, counts.annotators, counts.labels, counts.ratings) == (4, 3, 2, 6)
    assert (counts.pairable_items, counts.single_rated_items, counts.unrated_items) == (2, 1, 1)
    assert counts.missing_share == 0.5
    assert (counts.smallest_panel, counts.largest_panel, counts.task) == (1, 3, "single")
    assert (counts.anonymous, counts.labels_declared) == (False, False)


def test_summary_with_weights() -> None:
    weight = ("item", [0.5, 2.0, 0.0, 1.0])
    counts = iaa.summary(single().assign(item_weight=weight))
    assert (counts.items, counts.ratings) == (3.5, 7)
    assert isinstance(counts.ratings, int)
    assert (counts.pairable_items, counts.single_rated_items, counts.unrated_items) == (2.5, 0, 1)
    assert counts.missing_share == pytest.approx(1 - 7 / 10.5)


def with_cell(ratings: xr.Dataset, name: str, place: Any, value: Any) -> xr.Dataset:
    changed = ratings.copy(deep=True)
    changed[name].values[place] = value
    return changed


@pytest.mark.parametrize(
    ("ratings", "words"),
    [
        ([[1, 2]], "must be an xarray Dataset, not list"),
        (single().assign_attrs(task="odd"), "is 'odd', not one of 'single', 'primary_secondary'"),
        (xr.Dataset(), "is None, not one of"),
        (single().drop_vars("primary"), "need the variable 'primary'"),
        (single().assign_attrs(task="value"), "need the variable 'value'"),
        (single().drop_vars("annotator"), "need the coordinate 'annotator'"),
        (single().drop_vars("label"), "need the coordinate 'label'"),
        (single().transpose(), "ratings.transpose"),
        (single().assign(value=values()["value"]), "but these also hold 'value'"),
        (single().assign(primary=single()["primary"] * 1.0), "signed whole numbers, not float64"),
        (single().assign(primary=single()["primary"].astype("u1")), "not uint8"),
        (
            single().assign_coords(annotator=["a", "a", "b"]),
            "1 annotator name occurring more than once: 'a'",
        ),
        (single().assign_coords(label=["a", "a"]), "1 label name occurring more than once: 'a'"),
        (
            with_cell(single(), "primary", (1, 2), 2),
            r"codes outside -1 to 1 in 1 rating \(item 1, annotator 'annotator 3'\)",
        ),
        (with_cell(single(), "primary", ([0, 1], 0), -2), r"2 ratings \(item 0, .*; item 1, "),
        (single().isel(item=[]), "there is no rating in the data"),
        (single().isel(annotator=[]), "there is no rating in the data"),
        (single().isel(item=[3]), "there is no rating in the data"),
        (single().isel(annotator=[1]), "only one annotator"),
        (single().isel(item=[2], annotator=[1, 2]), r"only one annotator \('annotator 2'\)"),
        (single().assign(item_weight=("item", [0.0, 0, 1, 1])), "only one annotator"),
        (single().assign(item_weight=("item", [0.0, 0, 0, 0])), "there is no rating"),
        (
            single().assign(item_weight=("item", [1, -1, NAN, 1])),
            "2 item weights are not finite numbers from 0 up: -1.0, nan",
        ),
        (
            with_cell(doubles(), "secondary", (1, 1), 0),
            r"secondary label without a primary one in 1 rating \(item 2, annotator 'bob'\)",
        ),
        (with_cell(doubles(), "secondary", (0, 1), 1), "secondary label equals the primary one"),
        (with_cell(sets(), "mass", (0, 0, 0), 0.5), "mass of each label must be 0 or 1"),
        (with_cell(sets(), "mass", (0, 0, 0), NAN), "NaN for a part of the labels in 1 rating"),
        (with_cell(soft(), "mass", (0, 0, 0), 0.3), "must be 0 or more and sum to 1"),
        (with_cell(soft(), "mass", (0, 0), [-0.5, 1.5]), "must be 0 or more and sum to 1"),
        (with_cell(soft(), "mass", (0, 0, 0), np.inf), "must be 0 or more and sum to 1"),
        (soft().fillna(0).astype(int), "floating-point numbers, not int64"),
        (with_cell(values(), "value", (0, 0), -np.inf), "1 rating .* not finite"),
        (values().fillna(0).astype(int), "floating-point numbers, not int64"),
    ],
)  # fmt: skip
def test_refusals(ratings: Any, words: str) -> None:
    with pytest.raises(IaaError, match=words):
        iaa.data.validate(ratings)


def test_soft_masses_may_miss_one_by_rounding() -> None:
    iaa.data.validate(with_cell(soft(), "mass", (0, 0), [0.25 + 5e-10, 0.75]))


@pytest.mark.parametrize("place", [0, 1023, 1024, 4095, 4096, 16_384, 69_999])
def test_a_pair_is_found_wherever_it_is(place: int) -> None:
    table = np.full((70_000, 2), np.nan)
    table[:, 0] = 1
    table[place] = [1, 2]
    ratings = iaa.from_wide(table)
    assert iaa.summary(ratings).pairable_items == 1
    weight = np.ones(len(table))
    weight[place] = 0
    with pytest.raises(IaaError, match=r"no item has two ratings|only one annotator"):
        iaa.data.validate(ratings.assign(item_weight=("item", weight)))
