"""Figures that do not depend on the unit of the numbers, whatever the size of these is."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from tests.taken import one_of

NAN = np.nan
NUMBERS = np.array(
    [
        [9, 2, 5, 8],
        [6, 1, 3, 2],
        [8, 4, 6, NAN],
        [7, 1, 2, 6],
        [10, 5, 6, 9],
        [6, 2, 4, 7],
        [3, 3, 2, 3],
    ]
)
ON_NUMBERS: dict[str, Callable[..., xr.Dataset]] = {
    "interval": lambda r, **o: iaa.krippendorff_alpha(r, level="interval", **o),
    "ratio": lambda r, **o: iaa.krippendorff_alpha(r, level="ratio", **o),
    "ordinal": lambda r, **o: iaa.krippendorff_alpha(r, level="ordinal", **o),
    "nominal": lambda r, **o: iaa.krippendorff_alpha(r, level="nominal", **o),
    **{
        name: getattr(iaa, name)
        for name in ("icc1", "icc1k", "icc2", "icc2k", "icc3", "icc3k", "lin_ccc")
    },
}
WEIGHTS = ("linear", "quadratic", "radical", "ratio", "bipolar", "ordinal")
ON_LABELS = ("fleiss_kappa", "conger_kappa", "gwet_ac2", "van_oest_ir2", "krippendorff_alpha")
FIGURES = ("estimate", "standard_error", "ci_low", "ci_high")
# the last one is among the subnormal numbers, which hold these whole numbers all the same
POWERS = (-1070, -700, -300, 150, 500, 1019)


@cache
def on_numbers(name: str, power: int, interval: str) -> xr.Dataset:
    numbers = iaa.from_values(np.ldexp(NUMBERS, power))
    return ON_NUMBERS[name](numbers, interval=interval, replicates=50)


@cache
def on_labels(weights: str, power: int) -> xr.Dataset:
    labels = iaa.from_wide(np.ldexp(NUMBERS, power))
    return iaa.agreement(labels, ON_LABELS, weights=weights, interval="normal")


@cache
def at_level(level: str, annotators: int, power: int) -> xr.Dataset:
    labels = iaa.from_wide(np.ldexp(NUMBERS[:, :annotators], power))
    return iaa.krippendorff_alpha(labels, level=level, interval="normal")


@pytest.mark.parametrize("name", ON_NUMBERS)
@pytest.mark.parametrize("power", one_of(4, POWERS))
@pytest.mark.parametrize("interval", one_of(2, ["normal", "bca", "abc"]))
def test_powers_of_two_change_no_digit(name: str, power: int, interval: str) -> None:
    expected, found = (on_numbers(name, by, interval) for by in (0, power))
    for figure in FIGURES:
        np.testing.assert_allclose(found[figure], expected[figure], rtol=1e-13, err_msg=figure)
    assert found.code == 0


@pytest.mark.parametrize("name", ON_NUMBERS)
@pytest.mark.parametrize("factor", [1e160, 1e-200, 1e300, 1.7e307, 1e-300])
def test_other_factors(name: str, factor: float) -> None:
    expected = on_numbers(name, 0, "normal")
    found = ON_NUMBERS[name](iaa.from_values(NUMBERS * factor), interval="normal")
    for figure in FIGURES:
        assert float(found[figure]) == pytest.approx(float(expected[figure]), rel=1e-10)
    assert str(found.reason.values) == ""


@pytest.mark.parametrize("power", [-1070, -700, -35, -12, 150, 500, 1019])
@pytest.mark.parametrize("level", ["interval", "ratio", "ordinal"])
def test_levels_on_labels(power: int, level: str) -> None:
    for annotators in (4, 2):
        expected, found = (at_level(level, annotators, by) for by in (0, power))
        for figure in FIGURES:
            assert float(found[figure]) == pytest.approx(float(expected[figure]), rel=1e-13)


@pytest.mark.parametrize("power", POWERS)
@pytest.mark.parametrize("weights", WEIGHTS)
def test_weights_on_labels(power: int, weights: str) -> None:
    expected, found = (on_labels(weights, by) for by in (0, power))
    for figure in FIGURES:
        np.testing.assert_allclose(found[figure], expected[figure], rtol=1e-13)


def test_circular_weights_add_a_step() -> None:
    options: dict[str, Any] = {"weights": "circular", "interval": None}
    large, huge = (iaa.from_wide(np.ldexp(NUMBERS, power)) for power in (80, 900))
    one, other = (iaa.gwet_ac2(ratings, **options).estimate for ratings in (large, huge))
    assert float(one) == pytest.approx(float(other), rel=1e-12)
    # a step of 1 beside tiny distances: the sine is a straight line there
    small = iaa.from_wide(np.ldexp(NUMBERS, -900))
    straight = iaa.gwet_ac2(small, weights="quadratic", interval=None).estimate
    assert float(iaa.gwet_ac2(small, **options).estimate) == pytest.approx(
        float(straight), rel=1e-12
    )


def test_observed_and_expected_stay_in_the_unit_of_the_numbers() -> None:
    expected = iaa.krippendorff_alpha(iaa.from_values(NUMBERS), level="interval", interval=None)
    for power in (-700, -300, 150, 500, 900):
        ratings = iaa.from_values(np.ldexp(NUMBERS, power))
        found = iaa.krippendorff_alpha(ratings, level="interval", interval=None)
        for figure in ("observed", "expected"):
            with np.errstate(over="ignore"):
                squared = np.ldexp(1 - float(expected[figure]), 2 * power)
            assert float(found[figure]) == pytest.approx(1 - squared, rel=1e-12)
    assert float(found.observed) == -np.inf


def test_small_labels_at_ordinary_sizes() -> None:
    expected = iaa.krippendorff_alpha(iaa.from_wide(NUMBERS), level="interval", interval=None)
    found = iaa.krippendorff_alpha(iaa.from_wide(NUMBERS * 1e-9), level="interval", interval=None)
    assert float(found.estimate) == pytest.approx(float(expected.estimate), rel=1e-12)
    assert float(found.observed) == pytest.approx(1, abs=1e-15)


def test_numbers_of_very_different_sizes() -> None:
    ratings = iaa.from_values([[1e-200, 2e-200], [1e200, 1e200], [3e199, 4e199], [-1e200, -1e200]])
    found = iaa.krippendorff_alpha(ratings, level="interval", interval=None)
    # as of 0, 0, 1, 1, .3, .4, -1, -1
    wanted = 1 - (2 * 0.1**2 / 8) / (2 * (8 * 4.25 - 0.7**2) / 56)
    assert float(found.estimate) == pytest.approx(wanted, rel=1e-12)
    mixed = iaa.from_values([[1e-300, 2e-300], [1e300, 1e300], [3.0, 4.0]])
    ratio = iaa.krippendorff_alpha(mixed, level="ratio", interval=None)
    assert 0 < float(ratio.estimate) < 1
    nominal = iaa.krippendorff_alpha(mixed, level="nominal", interval=None)
    assert float(nominal.estimate) == pytest.approx(2 / 7)


@pytest.mark.parametrize("factor", [1e160, 1e-200])
def test_nothing_varies(factor: float) -> None:
    ratings = iaa.from_values(np.full((4, 3), factor))
    found = iaa.agreement(ratings, ["krippendorff_alpha", "icc1", "icc2"], interval=None)
    assert np.isnan(found.estimate).all()
    assert (found.code > 0).all()
    assert all("0/0" in str(reason) for reason in found.reason.values)


@pytest.mark.parametrize("power", [-700, 500])
def test_studies_of_numbers(power: int) -> None:
    rng = np.random.default_rng(5)
    numbers = rng.integers(0, 9, (40, 1)) + rng.integers(0, 4, (40, 3)).astype(float)
    week = np.arange(40) // 10
    one, other = (
        iaa.from_values(np.ldexp(numbers, k)).assign_coords(week=("item", week)) for k in (0, power)
    )
    quick: dict[str, Any] = {"level": "interval", "interval": "normal"}
    alpha = "krippendorff_alpha"
    studies: list[Callable[[xr.Dataset], xr.Dataset]] = [
        lambda r: iaa.agreement_by(r, "week", alpha, **quick)[["estimate", "ci_low"]],
        lambda r: iaa.influence(r, alpha, level="interval")[["influence"]],
        lambda r: iaa.drift(r, "week", alpha, level="interval", replicates=50, permutations=0)[
            ["estimate", "overall", "change_before", "change_after"]
        ],
        lambda r: iaa.compare(r, r.isel(annotator=[0, 1]), alpha, permutations=0, **quick)[
            ["difference", "standard_error"]
        ],
        lambda r: iaa.plan(r, "icc1", half_width=0.05, simulations=64, replicates=0)[
            ["needed_items"]
        ],
    ]
    for study in studies:
        xr.testing.assert_allclose(study(other), study(one), rtol=1e-10)
    with np.errstate(over="ignore"):
        squared = np.ldexp(1.0, 2 * power)
    items, wanted = (iaa.items(r, alpha, level="interval") for r in (other, one))
    np.testing.assert_allclose(items["mean"], np.ldexp(wanted["mean"], power))
    np.testing.assert_allclose(items["influence"], wanted["influence"], rtol=1e-10)
    people, known = (
        iaa.annotators(r, alpha, level="interval", interval=None) for r in (other, one)
    )
    np.testing.assert_allclose(people["bias"], np.ldexp(known["bias"], power))
    np.testing.assert_allclose(people["disagreement"], known["disagreement"] * squared)


@pytest.mark.parametrize("power", [-700, -10, 500])
def test_labels_one_by_one_have_no_unit(power: int) -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(1, 4, (60, 1))
    numbers = np.where(rng.random((60, 2)) < 0.7, truth, rng.integers(1, 4, (60, 2)))
    one, other = (iaa.from_wide(np.ldexp(numbers.astype(float), k)) for k in (0, power))
    found, expected = (
        iaa.compare(
            r, r.isel(item=slice(40)), "krippendorff_alpha", per_label=True, level="interval",
            replicates=64, permutations=0,
        )
        for r in (other, one)
    )  # fmt: skip
    for figure in ("difference", "standard_error", "ci_low", "ci_high"):
        np.testing.assert_array_equal(found[figure], expected[figure], err_msg=figure)
