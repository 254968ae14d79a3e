"""Agreement over time: what a study compares, and what its result holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import kernels
from iaa_jax._errors import IaaError
from iaa_jax.analyses.drift import cuts as drift_cuts
from tests.analyses.drift.made import FAST, figure_of, made, with_times
from tests.analyses.made import LABELS, by_slot, wide
from tests.noted import notes_of
from tests.oracles import drift as oracle


@pytest.mark.parametrize(
    "name", ["conger_kappa", pytest.param("krippendorff_alpha", marks=pytest.mark.slow)]
)
def test_batches_are_compared_by_their_own_figures(name: str) -> None:
    rows = made(80, 5, 0.7)
    times = np.repeat([1.0, 2.0, 4.0, 9.0], 20)
    found = iaa.drift(with_times(rows, times), "time", name, **FAST)
    values, errors = found.estimate.values.tolist(), errors_of(rows, name, times)
    slope, error = oracle.own_line([1, 2, 4, 9], values, errors)
    assert float(found.slope) == pytest.approx(slope, rel=1e-5)
    assert float(found.slope_standard_error) == pytest.approx(error, rel=1e-5)
    assert float(found.period_change) == pytest.approx(8 * slope, rel=1e-5)
    for cut in range(3):
        before = oracle.own_mean(values[: cut + 1], errors[: cut + 1])
        after = oracle.own_mean(values[cut + 1 :], errors[cut + 1 :])
        assert float(found.before[cut]) == pytest.approx(before[0], rel=1e-5)
        assert float(found.after[cut]) == pytest.approx(after[0], rel=1e-5)
        z = (after[0] - before[0]) / np.hypot(before[1], after[1])
        assert float(found.z[cut]) == pytest.approx(z, rel=1e-4)
    place = [1, 2, 4, 9].index(float(found.deviation_at))
    others = oracle.own_mean(
        [one for at, one in enumerate(values) if at != place],
        [one for at, one in enumerate(errors) if at != place],
    )
    assert float(found.deviation_others) == pytest.approx(others[0], rel=1e-5)
    away = (values[place] - others[0]) / np.hypot(errors[place], others[1])
    assert float(found.deviation_z) == pytest.approx(away, rel=1e-4)


def errors_of(rows: list[list[Any]], name: str, times: Any) -> list[float]:
    """Of the batches' figures, as all items have them with the labels of each batch."""
    counts = [[row.count(label) for label in LABELS] for row in rows]
    figure = figure_of(rows, name)
    return [oracle.tilted_error(figure, weights) for weights in oracle.tilted(counts, times)]


@pytest.mark.slow
def test_two_batches_are_a_comparison() -> None:
    rows = made(60, 6, np.where(np.arange(60) < 30, 0.9, 0.75))
    found = iaa.drift(with_times(rows, np.arange(60) // 30), "time", **FAST)
    assert np.isnan(found.slope)
    assert np.isnan(found.slope_p_value)
    step = float(found.estimate[1] - found.estimate[0])
    error = np.hypot(*errors_of(rows, "krippendorff_alpha", np.arange(60) // 30))
    assert float(found.change_difference) == pytest.approx(step)
    assert float(found.change_z) == pytest.approx(step / error, rel=1e-5)
    assert float(found.p_value) == float(found.change_p_value)


def test_a_weight_is_a_repetition() -> None:
    rows = made(60, 8, 0.75)
    times = np.arange(60.0) // 2
    weight = np.random.default_rng(8).integers(0, 4, 60)
    weighted = with_times(rows, times).assign(item_weight=("item", weight.astype(float)))
    repeated = with_times(
        [row for row, w in zip(rows, weight, strict=True) for _ in range(w)],
        np.repeat(times, weight),
    )
    for coefficient in ("krippendorff_alpha", "conger_kappa"):
        one = iaa.drift(weighted, "time", coefficient, **FAST)
        other = iaa.drift(repeated, "time", coefficient, **FAST)
        for name in one.data_vars:
            if one[name].dtype.kind in "fi":
                np.testing.assert_allclose(one[name], other[name], rtol=1e-9, atol=1e-10)


def test_weights_that_are_not_whole() -> None:
    weight = np.random.default_rng(9).uniform(0.5, 2, 80)
    ratings = with_times(made(80, 9, 0.75), np.arange(80.0))
    found = iaa.drift(ratings.assign(item_weight=("item", weight)), "time", **FAST)
    assert np.isfinite(found.estimate).all()
    assert 0 < float(found.p_value) <= 1


@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_the_trend_has_a_normal_interval_of_two_sides(confidence: float) -> None:
    times = np.random.default_rng(12).uniform(0, 5, 70)
    found = iaa.drift(with_times(made(70, 12, 0.7), times), confidence=confidence, **FAST)
    reach = {0.8: 1.2815516, 0.95: 1.9599640}[confidence]
    for name in ("slope", "period_change"):
        error = reach * float(found[f"{name}_standard_error"])
        assert float(found[f"{name}_ci_low"]) == pytest.approx(float(found[name]) - error)
        assert float(found[f"{name}_ci_high"]) == pytest.approx(float(found[name]) + error)


def test_dates_are_days() -> None:
    rows = made(70, 11, np.linspace(0.9, 0.6, 70))
    days = np.arange(70) / 4
    dates = np.datetime64("2024-02-20") + (days * 86400).astype("timedelta64[s]")
    one = iaa.drift(with_times(rows, days), "time", **FAST)
    whole = iaa.drift(with_times(rows, dates), "time", **FAST).attrs["bandwidth"]
    assert whole == np.ceil(one.attrs["bandwidth"]) > one.attrs["bandwidth"]
    same = one.attrs["bandwidth"]
    other = iaa.drift(with_times(rows, dates), "time", bandwidth=same, **FAST)
    np.testing.assert_allclose(one.estimate, other.estimate, atol=1e-9)
    assert float(one.slope) == pytest.approx(float(other.slope))
    assert other.attrs["unit"] == "day"
    assert other.point.dtype.kind == other.change_at.dtype.kind == "M"
    place = int(np.flatnonzero(days == float(one.change_at))[0])
    assert other.change_at.values == dates[place]
    assert other.change_at.values in dates


def test_seeds_and_progress() -> None:
    ratings = with_times(made(60, 21, 0.75), np.arange(60.0))
    seen: list[tuple[int, int]] = []
    one = iaa.drift(ratings, "time", seed=3, **FAST, progress=lambda *done: seen.append(done))
    xr.testing.assert_identical(one, iaa.drift(ratings, "time", seed=3, **FAST))
    other = iaa.drift(ratings, "time", seed=4, **FAST)
    assert not np.array_equal(one.ci_low, other.ci_low)
    np.testing.assert_array_equal(one.estimate, other.estimate)
    assert seen[-1] == (99, 99)
    assert one.attrs["seed"] == 3


def test_items_without_a_time_are_counted() -> None:
    rows = made(66, 24, 0.8)
    times = np.r_[np.arange(60.0), [np.nan] * 6]
    found = iaa.drift(with_times(rows, times), "time", **FAST)
    alone = iaa.drift(with_times(rows[:60], times[:60]), "time", **FAST)
    np.testing.assert_allclose(found.estimate, alone.estimate, atol=1e-12)
    assert notes_of(found, "untimed_items")[0].values == {"items": 6, "by": "time"}


def test_who_rated_before_and_after() -> None:
    labels = made(100, 25, np.where(np.arange(100) < 50, 1.0, 0.2))
    rows = [[r[0], r[1], None] if i < 50 else [r[0], None, r[2]] for i, r in enumerate(labels)]
    for form in (wide, by_slot):
        found = iaa.drift(with_times(rows, np.arange(100) // 10, form), "time", **FAST)
        assert float(found.change_at) == 5
        assert found.ratings_before.values.tolist() == [50, 50, 0]
        assert found.ratings_after.values.tolist() == [50, 0, 50]
        assert float(found.panel_change) == 0.5
        shares = (
            np.bincount([LABELS.index(x) for r in rows[:50] for x in r if x], minlength=3) / 100
        )
        np.testing.assert_allclose(found.label_share_before, shares)


def test_an_annotator_of_the_middle_has_not_moved() -> None:
    """The share of such an annotator is 0 at both ends."""
    labels = made(160, 25, 0.8)
    middle = (np.arange(160) >= 40) & (np.arange(160) < 120)
    rows = [[*r[:2], r[2] if inside else None] for r, inside in zip(labels, middle, strict=True)]
    found = iaa.drift(with_times(rows, np.arange(160) // 40), "time", **FAST)
    assert not notes_of(found, "who_rated")


def own_coefficient(mass, *, item_weight=None, annotator_weight=None):
    return kernels.fleiss_kappa(mass, item_weight=item_weight, annotator_weight=annotator_weight)


def test_a_coefficient_of_ones_own() -> None:
    ratings = with_times(made(60, 28, 0.8), np.arange(60) // 10)
    options: dict[str, Any] = {"interval": "normal", "permutations": 99}
    one = iaa.drift(ratings, "time", own_coefficient, **options)
    other = iaa.drift(ratings, "time", "fleiss_kappa", **options)
    for name in ("estimate", "standard_error", "slope", "change_z"):
        np.testing.assert_allclose(one[name], other[name], rtol=1e-9)
    assert float(one.p_value) == pytest.approx(float(other.p_value), abs=0.12)
    assert one.attrs["permuted"] == other.attrs["permuted"] == "anew"


@pytest.mark.parametrize("level", ["ordinal", "interval"])
def test_numbers_and_levels(level: str) -> None:
    rng = np.random.default_rng(29)
    values = np.clip(rng.integers(1, 6, 80)[:, None] + rng.integers(-1, 2, (80, 3)), 1, 5)
    ratings = iaa.from_wide(values).assign_coords(time=("item", np.arange(80) // 20))
    found = iaa.drift(ratings, "time", level=level, interval="normal", permutations=0)
    part = iaa.krippendorff_alpha(ratings.isel(item=slice(20, 40)), level=level, interval="normal")
    assert float(found.estimate[1]) == pytest.approx(float(part.estimate), abs=1e-12)
    assert float(found.standard_error[1]) == pytest.approx(float(part.standard_error), abs=1e-12)


def test_an_order_that_is_given() -> None:
    ratings = with_times(made(120, 7, 0.8), np.repeat(["b", "a", "c"], 40))
    found = iaa.drift(ratings, order=["c", "b", "a"], **FAST)
    assert found.point.values.tolist() == ["c", "b", "a"]
    assert notes_of(found, "times_read")[0].values["times"].code == "batches_given"
    assert np.isfinite(found.slope)
    assert np.isnan(iaa.drift(ratings, **FAST).slope)
    numbers = with_times(made(120, 7, 0.8), np.repeat([1, 2, 3], 40))
    assert iaa.drift(numbers, order=[3, 1, 2], **FAST).point.values.tolist() == ["3", "1", "2"]
    for order, said in (
        (["a", "b"], "^order leaves out: 'c'"),
        (["a", "b", "c", "d"], "lacks: 'd'"),
        (["a", "b", "c", "c"], "names twice: 'c'"),
    ):
        with pytest.raises(IaaError, match=said):
            iaa.drift(ratings, order=order, **FAST)


def test_refusals() -> None:
    ratings = with_times(made(30, 30, 0.8), np.arange(30.0)).assign_coords(
        team=("annotator", [1, 1, 2]), same=("item", [5] * 30), batch=("item", ["a", "b"] * 15)
    )
    for keywords, said in (
        ({"by": "day"}, "names no coordinate along items: the coordinates are 'time'"),
        ({"by": "team"}, "is along annotator"),
        ({"by": "same"}, "is the same for all items"),
        ({"bandwidth": 0}, "above 0"),
        ({"bandwidth": "7D"}, "give bandwidth= in the same unit"),
        ({"bandwidth": "x"}, "bandwidth must be a number, or a time"),
        ({"by": "batch", "bandwidth": 3}, "are batches"),
        ({"points": 1}, "points must be a whole number"),
        ({"permutations": -1}, "permutations must be a whole number"),
        ({"coefficient": "specific_agreement"}, "one estimate per label"),
    ):
        with pytest.raises(IaaError, match=said):
            iaa.drift(ratings, **keywords)


def test_the_items_as_they_stand() -> None:
    rows = made(60, 31, 0.8)
    one = iaa.drift(wide(rows), "order", **FAST)
    other = iaa.drift(with_times(rows, np.arange(1.0, 61)), "time", **FAST)
    np.testing.assert_allclose(one.estimate, other.estimate)
    assert one.attrs["unit"] == "item"


def test_a_bandwidth_in_words() -> None:
    dates = np.datetime64("2024-01-01") + np.arange(60)
    ratings = with_times(made(60, 32, 0.8), dates)
    one = iaa.drift(ratings, bandwidth="20D", **FAST)
    xr.testing.assert_allclose(one, iaa.drift(ratings, bandwidth=20, **FAST))
    assert one.attrs["bandwidth"] == 20


def test_too_few_items_for_a_step() -> None:
    found = iaa.drift(with_times(made(30, 33, 0.8), np.arange(30) // 10), "time", **FAST)
    assert found.sizes["cut"] == 0
    assert np.isnan(found.change_z)
    assert notes_of(found, "no_cut")
    assert np.isnan(found.change_p_value)
    assert np.isfinite(found.slope_p_value)
    assert drift_cuts.LEAST_SIDE == 20


def test_why_no_step_is_shown() -> None:
    batch = np.arange(60) // 20
    same = iaa.drift(with_times([["a", "a"], ["b", "b"]] * 30, batch), "time", **FAST)
    assert same.sizes["cut"] == 2
    (note,) = notes_of(same, "no_step")
    assert note.values["where"].values == {"cuts": 2}
    assert [reason.code for reason in note.values["reasons"]] == ["nothing_varies"]
    assert np.isnan(same.change_p_value)
    rows = [["a", "a"]] * 40 + [["a", "b"], ["b", "b"]] * 10
    one = iaa.drift(with_times(rows, batch), "time", **FAST)
    (note,) = notes_of(one, "no_step")
    assert "undefined_on_a_side" in [reason.code for reason in note.values["reasons"]]


def test_the_demo_has_a_step_and_no_trend() -> None:
    """Estimates on both sides equal those of the parts, read as separate ratings."""
    ratings = iaa.read(Path(iaa.__file__).parent / "demo" / "pandalm.csv")
    found = iaa.drift(ratings, "order", **FAST)
    first = int(found.change_at) - 1
    for side, part in (("before", slice(None, first)), ("after", slice(first, None))):
        alone = iaa.krippendorff_alpha(ratings.isel(item=part), interval="normal")
        assert float(found[f"change_{side}"]) == pytest.approx(float(alone.estimate), abs=1e-12)
        error = float(found[f"change_{side}_standard_error"])
        assert error == pytest.approx(float(alone.standard_error), abs=1e-12)
    assert float(found.change_p_value) < 0.05 < float(found.slope_p_value)
    assert float(found.overall) == pytest.approx(0.58014, abs=1e-5)
