"""Ratings from shares: the tensor itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given, strategies as st

import iaa_jax as iaa
from iaa_jax import IaaError

NAN = float("nan")
SHARES = [[[0.75, 0.25], [1, 0]], [[0.5, 0.5], [NAN, NAN]], [[0, 1], [0.25, 0.75]]]


def test_shares_and_names() -> None:
    ratings = iaa.from_mass(SHARES, ["yes", "no"], items=["p", "q", "r"], annotators=["m", "h"])
    assert ratings.attrs["task"] == "soft"
    assert ratings.attrs["labels_declared"] == 1
    np.testing.assert_array_equal(ratings["mass"].values, SHARES)
    assert ratings["item"].values.tolist() == ["p", "q", "r"]
    assert ratings["annotator"].values.tolist() == ["m", "h"]
    assert iaa.summary(ratings).ratings == 5


def test_names_that_nobody_gave() -> None:
    ratings = iaa.from_mass(np.array(SHARES))
    assert ratings["label"].values.tolist() == [1, 2]
    assert ratings["item"].values.tolist() == [0, 1, 2]
    assert ratings["annotator"].values.tolist() == ["annotator 1", "annotator 2"]
    assert ratings.attrs["labels_declared"] == 0


@pytest.mark.parametrize(
    "array",
    [
        [[[0.75, 0.25], [1, 0]], [[0.5, 0.5], None], [[0, 1], [0.25, 0.75]]],
        np.array(SHARES, dtype=object),
        np.ma.array(np.nan_to_num(SHARES), mask=np.isnan(SHARES)),
        np.float32(SHARES),
    ],
)
def test_forms_of_an_array(array: Any) -> None:
    np.testing.assert_array_equal(iaa.from_mass(array)["mass"].values, SHARES)


def test_what_single_precision_leaves_is_divided_out() -> None:
    rough = np.float32(np.random.default_rng(0).dirichlet(np.ones(40), (30, 3)))
    mass = iaa.from_mass(rough)["mass"].values
    np.testing.assert_allclose(mass.sum(axis=2), 1, atol=1e-12)
    np.testing.assert_allclose(mass, rough, atol=1e-6)


@pytest.mark.parametrize(
    ("array", "message"),
    [
        ([[[0.5, 0.5], [0.5, NAN]]], "1 rating with NaN for a part of the labels: item 0, annotat"),
        ([[[1.5, -0.5], [1, 0]]], "1 rating with a share below 0: item 0, annotator 'annotator 1'"),
        ([[[0.5, 0.4], [0, 1]]], r"do not sum to 1: item 0, annotator 'annotator 1' \(sum 0.9\)"),
        ([[[np.inf, 0], [0, 1]]], "do not sum to 1"),
        ([[[0, 0], [0, 1]]], "1 rating with 0 on all labels: .*; write NaN where nobody rated"),
        ([[[2, 0]] * 5], "5 ratings .*; and 2 more; divide the shares by their sum"),
        ([["0.5", "0.5"]], "must hold numbers"),
        ([[["0.5", "0.5"]]], "must hold numbers"),
        ([[[0.5, 0.5], [1]]], "must hold numbers, in lists of the same length"),
        ([[[0.5j, 0.5], [1, 0]]], "must hold numbers"),
        (np.array([["2024-01-01"]], dtype="M8[D]")[None], "must hold numbers"),
        ([[0.5, 0.5]], "must have three dimensions, items x annotators x labels, not 2"),
        ([[[1.0, 0.0], None]], "only one annotator"),
        ([[None, None]], "there is no rating in the data: the mass is empty, 1 x 2 x 0"),
        (
            xr.DataArray(np.ones((1, 2, 1)), dims=("item", "rater", "label")),
            "must have the dimensions",
        ),
    ],
)
def test_what_is_refused(array: Any, message: str) -> None:
    with pytest.raises(IaaError, match=message):
        iaa.from_mass(array)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"labels": ["a"]}, "1 labels are declared for 2 columns of shares"),
        ({"labels": ["a", "a"]}, "label declared more than once"),
        ({"items": ["p", "q"]}, "items must name each of 3 items, and this is 2 names"),
        ({"items": "pqr"}, "items must name each of 3 items, and this is 'pqr'"),
        ({"annotators": ["m", "m"]}, "1 annotator name occurring more than once: 'm'"),
    ],
)
def test_names_that_do_not_fit(names: dict[str, Any], message: str) -> None:
    with pytest.raises(IaaError, match=message):
        iaa.from_mass(SHARES, **names)


LABELS = st.sampled_from(["a", "b", "c", None])


@given(st.lists(st.tuples(LABELS, LABELS, LABELS), min_size=4, max_size=12))
def test_one_hot_shares_measure_as_labels_do(rows: list[tuple[str | None, ...]]) -> None:
    rows = [("a", "b", "c"), ("a", "a", None), ("b", None, "c"), *rows]
    ratings = iaa.from_wide([list(row) for row in rows])
    soft = iaa.from_mass(iaa.data.mass(ratings))
    assert soft.attrs["task"] == "soft"
    for name in ("krippendorff_alpha", "fleiss_kappa", "conger_kappa", "gwet_ac1"):
        coefficient = getattr(iaa, name)
        one, other = (float(coefficient(data, interval=None).estimate) for data in (ratings, soft))
        assert one == pytest.approx(other, abs=1e-12, nan_ok=True)


@given(st.integers(0, 2**16), st.sampled_from([0.5, 0.7, 1.0]))
def test_mass_and_from_mass_are_inverse(seed: int, p: float) -> None:
    random = np.random.default_rng(seed)
    first = random.integers(0, 3, (6, 3))
    table = pd.DataFrame(
        {
            "item": np.repeat(np.arange(6), 3),
            "annotator": np.tile(list("xyz"), 6),
            "label": np.array(list("abc"))[first].ravel(),
            "second": np.array(list("abc"))[(first + 1) % 3].ravel(),
        }
    )
    ratings = iaa.from_long(table, secondary="second")
    mass = iaa.data.mass(ratings, p=p)
    again = iaa.from_mass(mass.transpose("label", "item", "annotator"))
    np.testing.assert_array_equal(iaa.data.mass(again), mass)
    for name in ("item", "annotator", "label"):
        assert again[name].values.tolist() == ratings[name].values.tolist()


def test_a_crowd_is_kept_by_slot() -> None:
    random = np.random.default_rng(1)
    shares = np.full((40, 120, 2), NAN)
    for item in range(40):
        raters = random.choice(120, 3, replace=False)
        shares[item, raters] = random.dirichlet((1, 1), 3)
    ratings = iaa.from_mass(shares)
    assert ratings.sizes["slot"] == 3
    np.testing.assert_array_equal(iaa.data.in_grid(ratings)["mass"].values, shares)
    with pytest.raises(
        IaaError, match="must have the dimensions item, annotator, label, not item, slot"
    ):
        iaa.from_mass(iaa.data.mass(ratings))
