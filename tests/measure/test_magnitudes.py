"""Figures that do not depend on the unit of the numbers, whatever their magnitude."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax._errors import TOO_FAR_APART
from iaa_jax.data.slots import in_slots
from tests.oracles import exact
from tests.taken import one_of

NAN = np.nan
ALPHA = "krippendorff_alpha"
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
# the first one is among the subnormal numbers, which hold these whole numbers all the same
POWERS = (-1070, -700, -300, 150, 500, 1019)


def same(found: xr.Dataset, expected: xr.Dataset, tolerance: float, what: object) -> None:
    for figure in FIGURES:
        np.testing.assert_allclose(
            found[figure], expected[figure], rtol=tolerance, err_msg=f"{what}: {figure}"
        )
    assert (found.code == 0).all()


@pytest.mark.parametrize("interval", one_of(3, ["normal", "bca", "abc"]))
def test_powers_of_two_change_no_digit(interval: str) -> None:
    for name, function in ON_NUMBERS.items():
        expected = function(iaa.from_values(NUMBERS), interval=interval, replicates=50)
        for power in POWERS if interval == "normal" else (POWERS[0], POWERS[-1]):
            numbers = iaa.from_values(np.ldexp(NUMBERS, power))
            found = function(numbers, interval=interval, replicates=50)
            same(found, expected, 1e-13, (name, power))


def test_other_factors() -> None:
    for name, function in ON_NUMBERS.items():
        expected = function(iaa.from_values(NUMBERS), interval="normal")
        for factor in (1e160, 1e-200, 1e300, 1.7e307, 1e-300):
            found = function(iaa.from_values(NUMBERS * factor), interval="normal")
            same(found, expected, 1e-10, (name, factor))


def test_labels_have_neither_unit_nor_origin() -> None:
    def at(labels: np.ndarray[Any, Any]) -> dict[Any, xr.Dataset]:
        made = {
            (level, people): iaa.krippendorff_alpha(
                iaa.from_wide(labels[:, :people]), level=level, interval="normal"
            )
            for level in ("interval", "ratio", "ordinal")
            for people in (4, 2)
        }
        return made | {
            weights: iaa.agreement(
                iaa.from_wide(labels), ON_LABELS, weights=weights, interval="normal"
            )
            for weights in WEIGHTS
        }

    expected = at(NUMBERS)
    for power in (*POWERS, -35, -12):
        for key, found in at(np.ldexp(NUMBERS, power)).items():
            same(found, expected[key], 1e-13, (key, power))
    steps = NUMBERS / 2**12
    expected = at(steps)
    for key, found in at(2.0**40 + steps).items():
        if "ratio" not in key:
            same(found, expected[key], 1e-12, key)


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


def test_nothing_varies() -> None:
    for factor in (1e160, 1e-200):
        ratings = iaa.from_values(np.full((4, 3), factor))
        found = iaa.agreement(ratings, ["krippendorff_alpha", "icc1", "icc2"], interval=None)
        assert np.isnan(found.estimate).all()
        assert (found.code > 0).all()
        assert all("0/0" in str(reason) for reason in found.reason.values)


def test_labels_one_by_one_have_no_unit() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(1, 4, (60, 1))
    numbers = np.where(rng.random((60, 2)) < 0.7, truth, rng.integers(1, 4, (60, 2)))
    one, *others = (iaa.from_wide(np.ldexp(numbers.astype(float), k)) for k in (0, -700, -10, 500))

    def compared(r: xr.Dataset) -> xr.Dataset:
        return iaa.compare(
            r, r.isel(item=slice(40)), "krippendorff_alpha", per_label=True, level="interval",
            replicates=64, permutations=0,
        )  # fmt: skip

    expected = compared(one)
    for found in map(compared, others):
        for figure in ("difference", "standard_error", "ci_low", "ci_high"):
            np.testing.assert_array_equal(found[figure], expected[figure], err_msg=figure)

    def exchanged(r: xr.Dataset) -> xr.Dataset:
        halves = r.assign_coords(half=("item", np.arange(60) % 2))
        alpha = ["krippendorff_alpha", "percent_agreement"]
        options = {"level": "interval", "replicates": 64, "permutations": 49}
        return iaa.compare(halves, coefficients=alpha, by="half", **options)

    expected = exchanged(one)
    for found in map(exchanged, others):
        for figure in ("permutation_p_value", "adjusted_p_value", "band_low", "band_high"):
            np.testing.assert_allclose(found[figure], expected[figure], rtol=1e-9, err_msg=figure)


def sizes() -> dict[str, np.ndarray[Any, Any]]:
    """Numbers above 0, with a gap, that are hard to compare by their ratios."""
    rng = np.random.default_rng(5)
    usual = np.exp(rng.normal(0, 0.3, (30, 1)) + rng.normal(0, 0.1, (30, 3)))
    usual[9, 2] = NAN
    whole = rng.integers(0, 50, (30, 1)) + rng.integers(0, 5, (30, 3)).astype(float)
    place, noise = rng.uniform(-0.5, 0.5, (30, 1)), np.exp(rng.normal(0, 0.5, (30, 3)))
    made = {"two sizes": np.where(np.arange(30)[:, None] < 12, usual * 1e200, usual)}
    for one in (0.0, 5e-324, 1e-300, 1e-120, 1e-60, 1e-30, 1e300):
        made[f"one {one}"] = np.where(usual == usual[3, 1], one, usual)
    several = usual.copy()
    several[[4, 5, 6], [0, 1, 2]] = 1e-300, 1e300, 1e-150
    made["several"] = several
    for shift in (1e6, 1.7e12, 1e15):
        made[f"near {shift}"] = shift + whole
    for decades in (20, 28, 40, 100, 290):
        made[f"{decades} decades"] = noise * 10 ** (decades * place)
        made[f"all over {decades}"] = 10 ** rng.uniform(-decades / 2, decades / 2, (30, 3))
    return made


SIZES = sizes()


@pytest.mark.parametrize("name", one_of(3, SIZES))
def test_ratio_alpha_equals_a_loop_in_exact_arithmetic(name: str) -> None:
    options: dict[str, Any] = {"level": "ratio", "interval": None}
    weight, numbers = [1, 3] * 15, SIZES[name]
    ratings = iaa.from_values(numbers).assign_coords(
        half=("item", np.repeat(["a", "b"], 15)), item_weight=("item", np.array(weight) * 1.0)
    )
    plain = ratings.drop_vars("item_weight")
    found = {
        "grid": iaa.krippendorff_alpha(plain, **options).estimate,
        "slots": iaa.krippendorff_alpha(in_slots(plain), **options).estimate,
        "kernel": iaa.kernels.krippendorff_alpha_ratio(numbers).estimate,
        "weights": iaa.krippendorff_alpha(ratings, **options).estimate,
        "group": iaa.agreement_by(plain, "half", ALPHA, **options).estimate[0, 0],
        "without": iaa.annotators(plain, **options).without[2],
    }
    alpha = exact.alpha(numbers, exact.relative)
    wanted = {
        **dict.fromkeys(("grid", "slots", "kernel"), alpha),
        "weights": exact.alpha(numbers, exact.relative, weight),
        "group": exact.alpha(numbers[:15], exact.relative),
        "without": exact.alpha(numbers[:, :2], exact.relative),
    }
    for way, figure in found.items():
        assert float(figure) == pytest.approx(wanted[way], abs=1e-13), way


def test_code_that_is_compiled_before_the_numbers_are_known() -> None:
    import jax

    kernel = iaa.kernels.krippendorff_alpha_ratio
    compiled = jax.jit(kernel)
    made = sizes()
    with jax.enable_x64(True):
        for name in ("20 decades", "near 1000000000000000.0", "28 decades"):
            found = compiled(jax.numpy.asarray(made[name]))
            wanted = exact.alpha(made[name], exact.relative)
            assert float(found.estimate) == pytest.approx(wanted, abs=1e-13)
        beyond = compiled(jax.numpy.asarray(made["100 decades"]))
    assert np.isnan(beyond.estimate)
    assert int(beyond.code) == TOO_FAR_APART
    # few kernels, as code is compiled anew for each
    ranges = [np.array([[1.0, 10.0**decades]]) for decades in (27, 30, 50, 70)]
    usual, *wide = map(kernel.for_data, ranges)
    assert usual is kernel
    assert len({*wide}) == 1


def test_figures_of_differences_equal_a_loop_in_exact_arithmetic() -> None:
    rng = np.random.default_rng(8)
    whole = rng.integers(0, 50, (20, 1)) + rng.integers(0, 9, (20, 3)).astype(float)
    whole[[3, 7], [1, 2]] = NAN
    tiny = np.where(whole == whole[5, 0], 1e-300, whole)
    mixed = np.where(np.arange(20)[:, None] < 9, whole * 1e-9, whole * 1e9)
    far = {f"{place}": place + whole for place in (1e8, 1.7e12, -1e15, 2.0**49)}
    for name, numbers in {"tiny": tiny, "mixed": mixed, **far}.items():
        ratings = iaa.from_values(numbers)
        found = iaa.agreement(ratings, [ALPHA, "icc1"], level="interval", interval=None)
        wanted = [exact.alpha(numbers, exact.squared), exact.icc1(numbers)]
        np.testing.assert_allclose(found.estimate, wanted, rtol=1e-11, err_msg=name)
        two = iaa.lin_ccc(ratings.isel(annotator=[0, 1]), interval=None).estimate
        assert float(two) == pytest.approx(exact.concordance(*numbers.T[:2]), rel=1e-11), name
        items, rows = iaa.items(ratings, ALPHA, level="interval"), exact.exact_rows(numbers)
        pairs = [[(a, b) for a in row for b in row] for row in rows]
        distances = [
            float(exact.mean_distance(pair) * len(row) / (len(row) - 1))
            for pair, row in zip(pairs, rows, strict=True)
        ]
        np.testing.assert_allclose(items.disagreement, distances, rtol=1e-11, err_msg=name)
        people = iaa.annotators(ratings, ALPHA, level="interval", interval=None)
        for a in range(3):
            both = [
                [(row[a], row[b]) for row in numbers if not np.isnan([row[a], row[b]]).any()]
                for b in range(3) if b != a
            ]  # fmt: skip
            squares = [exact.mean_distance(exact.exact_rows(pair)) for pair in both]
            others = [b for b in range(3) if b != a]
            np.testing.assert_allclose(
                people.pair_disagreement[a, others], [float(x) for x in squares], rtol=1e-11
            )
            of_all = sum(x * len(pair) for x, pair in zip(squares, both, strict=True))
            mean = float(of_all / sum(map(len, both)))
            assert float(people.disagreement[a]) == pytest.approx(mean, rel=1e-11), (name, a)


def test_far_from_0_derivatives_of_ratio_equal_those_of_interval() -> None:
    """There a ratio is a difference: what all ratings share must not drown what each adds."""
    rng = np.random.default_rng(4)
    near = rng.integers(0, 50, (24, 1)) + rng.integers(0, 9, (24, 3)).astype(float)
    near[rng.random(near.shape) < 0.1] = np.nan
    far = iaa.from_values(near + 2.0**40)
    ratio, interval = (
        (iaa.influence(far, level=level), iaa.krippendorff_alpha(far, level=level, interval="abc"))
        for level in ("ratio", "interval")
    )
    np.testing.assert_allclose(ratio[0]["influence"], interval[0]["influence"], atol=1e-9)
    for name in ("estimate", "standard_error", "ci_low", "ci_high"):
        assert float(ratio[1][name]) == pytest.approx(float(interval[1][name]), abs=1e-9), name
