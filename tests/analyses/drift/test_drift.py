"""Agreement over time: windows, the scan, the trend, and their tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import kernels
from iaa_jax._errors import IaaError
from iaa_jax.analyses.drift import cuts as drift_cuts, shuffles
from iaa_jax.analyses.drift.course import Course
from iaa_jax.analyses.drift.cuts import Cuts, differences, linear_steps
from iaa_jax.analyses.drift.points import (
    FEW_EFFECTIVE_ITEMS,
    covariance,
    item_replicates,
    multiplier_replicates,
)
from iaa_jax.analyses.drift.shuffles import Shuffles, slope_of
from iaa_jax.analyses.drift.times import times_of
from iaa_jax.analyses.drift.windows import Windows, usual_bandwidth
from iaa_jax.engine import Prepared, estimates, influences, over_rows
from iaa_jax.engine.compiled import TRACES
from iaa_jax.engine.gradients import GradientRows
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.studies import one_coefficient, resolver_of
from tests.analyses.made import LABELS, by_slot, random_rows, wide
from tests.noted import notes_of
from tests.oracles import alpha, drift as oracle, fleiss, pairwise, percent
from tests.oracles.ratings import single_labels

FAST: dict[str, Any] = {"replicates": 100, "permutations": 99}
FIGURES = ("estimate", "standard_error", "ci_low", "ci_high", "band_low", "effective_items")


def with_times(rows: list[list[Any]], times: Any, form: Any = wide) -> xr.Dataset:
    return form(rows).assign_coords(time=("item", times))


def made(items: int, seed: int, quality: Any, annotators: int = 3) -> list[list[str]]:
    """Labels around a truth; ``quality`` is the chance of seeing it, of each item."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    seen = rng.random((items, annotators)) < np.broadcast_to(quality, items)[:, None]
    codes = np.where(seen, truth[:, None], rng.integers(0, 3, (items, annotators)))
    return [[LABELS[code] for code in row] for row in codes]


def figure_of(rows: list[list[Any]], name: str) -> oracle.Figure:
    cells = single_labels(rows)
    modules = {
        "conger_kappa": pairwise,
        "krippendorff_alpha": alpha,
        "fleiss_kappa": fleiss,
        "percent_agreement": percent,
    }
    function = getattr(modules[name], name)

    def figure(weights: Sequence[float]) -> float:
        return function(cells, labels=LABELS, item_weight=weights).estimate

    return figure


def course_of(ratings: xr.Dataset, name: str, points: int = 5) -> Course:
    """The pieces of a study, for looking inside."""
    resolver = resolver_of(ratings)
    times = times_of(ratings, "time")
    return Course.of(
        resolver, one_coefficient(resolver, name), times, IntervalOptions(), points, bandwidth=None
    )


@pytest.mark.parametrize("name", ["krippendorff_alpha", "fleiss_kappa", "percent_agreement"])
def test_windows_are_item_weights(name: str) -> None:
    rows = random_rows(1, items=30)
    times = np.random.default_rng(1).uniform(0, 10, 30)
    found = iaa.drift(
        with_times(rows, times), "time", name, bandwidth=4, points=4, interval=None, permutations=0
    )
    figure = figure_of(rows, name)
    for place, at in enumerate(found.point.values):
        weights = oracle.window(times, at, 4.0, [True] * 30)
        assert found.effective_items[place] == pytest.approx(sum(weights))
        if sum(weights) < 10:
            assert found.code[place] == FEW_EFFECTIVE_ITEMS
            assert "fewer than 10" in str(found.reason.values[place])
            continue
        assert found.estimate[place] == pytest.approx(figure(weights), abs=1e-12)
        error = oracle.standard_error(figure, weights)
        if name != "krippendorff_alpha":
            # without Kish's scale in the figure, derivatives along it vanish
            assert found.standard_error[place] == pytest.approx(error, rel=1e-6)
        else:
            assert found.standard_error[place] == pytest.approx(error, rel=1e-4)
    assert (found.code == 0).sum() >= 2


@pytest.mark.parametrize("name", ["krippendorff_alpha", "fleiss_kappa"])
def test_cuts_are_two_halves(name: str) -> None:
    rows = made(44, 2, 0.7)
    times = np.random.default_rng(2).integers(0, 80, 44).astype(float)
    found = iaa.drift(with_times(rows, times), "time", name, interval=None, permutations=0)
    figure = figure_of(rows, name)
    assert found.sizes["cut"] >= 3
    place = found.sizes["cut"] - 1
    first = float(found.cut[place])
    before, after, z = oracle.cut(figure, times, first)
    assert found.before[place] == pytest.approx(before, abs=1e-12)
    assert found.after[place] == pytest.approx(after, abs=1e-12)
    assert found.z[place] == pytest.approx(z, rel=1e-5)
    assert found.cut_from[place] == times[times < first].max()
    assert found.items_before[place] == (times < first).sum() >= 20
    assert abs(found.change_z) == np.abs(found.z).max()


@pytest.mark.parametrize("form", [wide, by_slot])
@pytest.mark.parametrize("name", ["krippendorff_alpha", "conger_kappa", "gwet_ac1"])
def test_batches_are_groups(name: str, form: Any) -> None:
    rows = random_rows(3, items=60)
    batch = [f"batch {place}" for place in np.repeat([1, 2, 10], 20)]
    ratings = with_times(rows, batch, form)
    found = iaa.drift(ratings, "time", name, interval="normal", permutations=0)
    assert found.point.values.tolist() == ["batch 1", "batch 2", "batch 10"]
    groups = iaa.agreement_by(ratings, "time", name, interval="normal")
    for place, name_of in enumerate(found.point.values):
        one = groups.sel(group=name_of).isel(coefficient=0)
        for figure in ("estimate", "standard_error", "ci_low", "ci_high"):
            assert float(found[figure][place]) == pytest.approx(float(one[figure]), abs=1e-12)
    assert found.effective_items.values.tolist() == [20, 20, 20]
    assert found.cut.values.tolist() == ["batch 2", "batch 10"]
    assert found.attrs["unit"] == "batch"


def test_a_wide_window_is_the_whole() -> None:
    rows = random_rows(4, items=50)
    ratings = with_times(rows, np.arange(50.0))
    for name in ("krippendorff_alpha", "conger_kappa"):
        found = iaa.drift(ratings, "time", name, bandwidth=1e9, interval="normal", **FAST)
        whole = iaa.agreement(ratings, name, interval="normal")
        for figure in ("estimate", "standard_error", "ci_low"):
            np.testing.assert_allclose(found[figure], float(whole[figure][0]), atol=1e-12)
        np.testing.assert_allclose(found.effective_items, 50, rtol=1e-12)
        np.testing.assert_allclose(found.overall, whole.estimate[0], atol=1e-12)
        np.testing.assert_allclose(found.overall_standard_error, whole.standard_error[0])


@pytest.mark.parametrize("name", ["krippendorff_alpha", "conger_kappa"])
def test_batches_are_compared_by_their_own_figures(name: str) -> None:
    rows = made(120, 5, 0.7)
    times = np.repeat([1.0, 2.0, 4.0, 9.0], 30)
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


def test_two_batches_are_a_comparison() -> None:
    rows = made(120, 6, np.where(np.arange(120) < 60, 0.9, 0.75))
    found = iaa.drift(with_times(rows, np.arange(120) // 60), "time", **FAST)
    assert np.isnan(found.slope)
    assert np.isnan(found.slope_p_value)
    step = float(found.estimate[1] - found.estimate[0])
    error = np.hypot(*errors_of(rows, "krippendorff_alpha", np.arange(120) // 60))
    assert float(found.change_difference) == pytest.approx(step)
    assert float(found.change_z) == pytest.approx(step / error, rel=1e-5)
    assert float(found.p_value) == float(found.change_p_value)


def moving(seed: int, shares: Sequence[float], items: int) -> list[list[str]]:
    """Two annotators with a true alpha of .6 whatever the share of the first label."""
    rng = np.random.default_rng(seed)
    share = np.repeat(shares, items)
    one = rng.random(len(share)) < share
    other = np.where(rng.random(len(share)) < 0.6, one, rng.random(len(share)) < share)
    return [["ab"[a], "ab"[b]] for a, b in zip(one.astype(int), other.astype(int), strict=True)]


@pytest.mark.parametrize("continuous", [False, True])
def test_labels_that_become_frequent_are_no_change_of_agreement(continuous: bool) -> None:
    hits = []
    for seed in range(30):
        rows = moving(seed, [0.05] * 3 + [0.5] * 3, 120)
        times = np.arange(720) // (1 if continuous else 120)
        found = iaa.drift(
            with_times(rows, times), "time", interval=None, points=9, permutations=39, seed=seed
        )
        hits.append(
            [float(found[f"{one}p_value"]) < 0.05 for one in ("", "change_", "slope_", "label_")]
        )
    shares = np.array(hits).sum(axis=0)
    # more than 6 of 30 are seen with a chance below .002 where 5 % are right
    assert (shares[:3] <= 6).all()
    assert shares[3] == 30
    assert str(found.label_changed.values) in "ab"
    assert abs(float(found.label_highest - found.label_lowest)) > 0.3


@pytest.mark.parametrize("times", [np.arange(80) / 7.0, np.repeat([1, 2, 3, 4], 20)])
def test_the_order_of_items_is_irrelevant(times: Any) -> None:
    rows = made(80, 7, 0.75)
    order = np.random.default_rng(7).permutation(80)
    one = iaa.drift(with_times(rows, times), "time", **FAST)
    other = iaa.drift(with_times([rows[i] for i in order], times[order]), "time", **FAST)
    for name in one.data_vars:
        if one[name].dtype.kind in "fi":
            np.testing.assert_allclose(one[name], other[name], rtol=1e-9, atol=1e-10)


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


@pytest.mark.parametrize("weight", [1.5, 0.5])
def test_items_are_shuffled_one_by_one_whatever_they_weigh(weight: float) -> None:
    """Items alike in ratings and batch are no one item: not merged for shuffling or drawing."""
    rows = made(160, 36, np.where(np.arange(160) < 80, 0.95, 0.7))
    ratings = with_times(rows, np.arange(160) // 40)
    heavy = ratings.assign(item_weight=("item", np.full(160, weight)))
    options: dict[str, Any] = {"interval": None, "permutations": 99, "replicates": 100}
    one = iaa.drift(ratings, "time", "fleiss_kappa", **options)
    other = iaa.drift(heavy, "time", "fleiss_kappa", **options)
    # shuffles do not see what all items weigh; errors do
    assert float(one.any_change_p_value) == float(other.any_change_p_value) == 0.01
    assert float(other.p_value) < 0.05
    assert abs(float(other.change_z)) > 3
    for name in ("change_at", "change_low", "change_high"):
        assert float(one[name]) == float(other[name])


@pytest.mark.parametrize("recomputed", [0.0, 5e8])
def test_very_many_items_are_shuffled_as_tables(
    recomputed: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The null is that of items one by one."""
    monkeypatch.setattr("iaa_jax.analyses.drift.shuffles.RECOMPUTED", recomputed)
    ratings = with_times(made(400, 38, 0.8), np.arange(400) // 100)

    def study() -> xr.Dataset:
        return iaa.drift(ratings, "time", "fleiss_kappa", interval=None, permutations=999)

    one = study()
    monkeypatch.setattr("iaa_jax.analyses.drift.line._WHOLE", 100)
    many = study()
    for name in ("slope_p_value", "change_p_value", "deviation_p_value", "p_value"):
        # a share of 999 has an error of .016 at most
        assert float(many[name]) == pytest.approx(float(one[name]), abs=0.08)
        assert 0.02 < float(one[name]) < 0.98
    parts = course_of(ratings, "fleiss_kappa")
    table = parts.items.table()
    assert table is not None
    drawn = shuffles._table(np.random.default_rng(1), table).reshape(4, -1)
    assert (drawn.sum(axis=1) == 100).all()
    assert (drawn.sum(axis=0) == np.bincount(parts.items.pattern)).all()


def test_units_keep_each_weight() -> None:
    weight = np.random.default_rng(37).choice([0.25, 0.5, 2.0], 80)
    ratings = with_times(made(80, 37, 0.9), np.arange(80) // 20)
    parts = course_of(ratings.assign(item_weight=("item", weight)), "fleiss_kappa")
    assert sorted(parts.items.weight) == sorted(weight)
    assert len(parts.line.weight) < 80
    assert parts.line.weight.sum() == pytest.approx(weight.sum())
    np.testing.assert_allclose(
        Cuts(parts.items).sides().weight, Cuts(parts.line).sides().weight, atol=1e-12
    )


def test_the_unit_of_time_is_irrelevant() -> None:
    rows = made(70, 10, np.linspace(0.9, 0.6, 70))
    times = np.random.default_rng(10).uniform(0, 5, 70)
    one = iaa.drift(with_times(rows, times), "time", **FAST)
    other = iaa.drift(with_times(rows, 1000 * times + 7), "time", **FAST)
    for name in (*FIGURES, "z", "change_p_value", "slope_p_value", "p_value", "period_change"):
        np.testing.assert_allclose(one[name], other[name], rtol=1e-6, atol=1e-9)
    assert float(one.slope) == pytest.approx(1000 * float(other.slope))
    assert 1000 * one.attrs["bandwidth"] == pytest.approx(other.attrs["bandwidth"])


def test_dates_are_days() -> None:
    rows = made(70, 11, np.linspace(0.9, 0.6, 70))
    days = np.arange(70) / 4
    dates = np.datetime64("2024-02-20") + (days * 86400).astype("timedelta64[s]")
    one = iaa.drift(with_times(rows, days), "time", **FAST)
    other = iaa.drift(with_times(rows, dates), "time", **FAST)
    np.testing.assert_allclose(one.estimate, other.estimate, atol=1e-9)
    assert float(one.slope) == pytest.approx(float(other.slope))
    assert other.attrs["unit"] == "day"
    assert other.point.dtype.kind == other.change_at.dtype.kind == "M"
    place = int(np.flatnonzero(days == float(one.change_at))[0])
    assert other.change_at.values == dates[place]
    assert other.change_at.values in dates


def test_a_planted_step_is_found() -> None:
    rows = made(300, 12, np.where(np.arange(300) < 180, 0.9, 0.6))
    found = iaa.drift(with_times(rows, np.arange(300.0)), "time", replicates=300, permutations=199)
    assert float(found.change_p_value) == float(found.p_value) == 1 / 200
    assert abs(float(found.change_at) - 180) <= 15
    assert float(found.change_low) <= 180 <= float(found.change_high)
    assert float(found.change_high) - float(found.change_low) < 80
    assert float(found.change_before) - float(found.change_after) > 0.3
    assert float(found.slope_p_value) == 1 / 200
    assert float(found.slope) < 0


def test_a_single_odd_batch_is_found() -> None:
    rows = made(400, 13, np.where(np.arange(400) // 40 == 5, 0.4, 0.9))
    ratings = with_times(rows, [f"b{i // 40}" for i in range(400)])
    found = iaa.drift(ratings, "time", **FAST)
    assert str(found.deviation_at.values) == "b5"
    assert float(found.deviation_p_value) == 0.01


@pytest.mark.parametrize("recomputed", [0.0, 5e8])
def test_without_change_p_values_are_uniform(
    recomputed: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("iaa_jax.analyses.drift.shuffles.RECOMPUTED", recomputed)
    drawn = []
    for seed in range(40):
        ratings = with_times(made(80, 100 + seed, 0.75), np.arange(80) // 10)
        found = iaa.drift(
            ratings, "time", "fleiss_kappa", interval=None, permutations=39, seed=seed
        )
        drawn.append(
            [float(found[f"{one}p_value"]) for one in ("", "slope_", "change_", "deviation_")]
        )
    for p in np.array(drawn).T:
        ordered = np.sort(p)
        distance = np.abs(ordered - (np.arange(40) + 0.5) / 40).max()
        assert distance < 0.25  # 1.5 / sqrt(40): a Kolmogorov distance beyond .02
        assert 4 <= (p <= 0.25).sum() <= 18


def test_influences_are_compared_with_influences(monkeypatch: pytest.MonkeyPatch) -> None:
    """With few positives exact errors of a window are far from those to first order."""
    monkeypatch.setattr("iaa_jax.analyses.drift.shuffles.RECOMPUTED", 0)
    drawn = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        truth = rng.random(200) < 0.08
        codes = np.where(rng.random((200, 2)) < 0.9, truth[:, None], rng.random((200, 2)) < 0.08)
        rows = [[LABELS[code] for code in row] for row in codes.astype(int)]
        ratings = with_times(rows, np.arange(200) // 20)
        found = iaa.drift(
            ratings, "time", "fleiss_kappa", interval=None, permutations=39, seed=seed
        )
        drawn.append([float(found[f"{one}p_value"]) for one in ("", "change_", "deviation_")])
    assert found.attrs["permuted"] == "first_order"
    # so many of 30 are seen with a chance below .002 where 5 % are right
    assert ((np.array(drawn) <= 0.05).sum(axis=0) <= 6).all()


def test_windows_that_do_not_vary_here_may_vary_in_a_shuffle() -> None:
    """The largest deviation of all batches that vary, in the data as in each shuffle."""
    rows = [["a", "a"], ["b", "b"]] * 60
    for item in range(3):
        rows[item] = ["a", "b"]
    batch = np.arange(120) // 15
    found = iaa.drift(with_times(rows, batch), "time", "fleiss_kappa", replicates=40)
    assert (found.standard_error[1:] == 0).all()
    (note,) = notes_of(found, "nothing_disagrees")
    assert len(note.values["where"].values["names"]) == 3
    assert note.values["where"].values["more"].values == {"count": 4}
    assert np.isnan(found.ci_low[1:]).all()
    assert np.isnan(found.band_high[1:]).all()
    assert np.isfinite(found.deviation_z)
    # all three disagreements are in the same of eight batches in 1.3 % of shuffles
    assert 0.005 < float(found.deviation_p_value) < 0.1


@pytest.mark.parametrize("name", ["krippendorff_alpha", "conger_kappa"])
def test_influences_stand_for_recomputing(name: str) -> None:
    rows = made(300, 14, 0.75)
    parts = course_of(with_times(rows, np.arange(300.0)), name, points=6)
    line = parts.items
    study = Shuffles(
        parts.local,
        Windows(line, parts.windows.at, parts.windows.bandwidth),
        Cuts(line),
        parts.influence,
        parts.overall,
        np.ones(6, dtype=bool),
    )
    anew = study.null(60, 3, anew=True)
    quick = study.null(60, 3, anew=False)
    np.testing.assert_allclose(anew.slope, quick.slope)
    for one, other in ((anew.step, quick.step), (anew.deviation, quick.deviation)):
        assert np.corrcoef(one, other)[0, 1] > 0.9
        assert np.mean(one) == pytest.approx(np.mean(other), rel=0.06)


@pytest.mark.parametrize("name", ["krippendorff_alpha", "conger_kappa"])
def test_multipliers_stand_for_resampling(name: str) -> None:
    rows = made(400, 15, 0.75)
    parts = course_of(with_times(rows, np.arange(400.0)), name)
    full = item_replicates(parts.local, parts.windows, 1500, 1, None)
    spread = covariance(parts.windows, parts.figures)
    quick = multiplier_replicates(parts.figures.estimate, spread, 1500, 1)
    np.testing.assert_allclose(np.sqrt(np.diag(spread)), parts.figures.error, rtol=1e-9)
    # a standard deviation of 1,500 draws is known to 2 %
    np.testing.assert_allclose(full.std(axis=0), quick.std(axis=0), rtol=0.1)
    np.testing.assert_allclose(np.corrcoef(full.T), np.corrcoef(quick.T), atol=0.08)
    away = [np.abs((one - parts.figures.estimate) / parts.figures.error) for one in (full, quick)]
    factors = [np.quantile(one.max(axis=1), 0.95) for one in away]
    assert factors[0] == pytest.approx(factors[1], rel=0.1)


def test_resampling_draws_items_with_their_times() -> None:
    """Replicates of windows are those of counts laid out item by item."""
    from iaa_jax.engine import PatternTable
    from iaa_jax.engine.drawing import bootstrap_rows

    rows = random_rows(16, items=40)
    times = np.sort(np.random.default_rng(16).uniform(0, 5, 40))
    parts = course_of(with_times(rows, times), "krippendorff_alpha", points=3)
    found = item_replicates(parts.local, parts.windows, 5, 4, None)
    line = parts.line
    drawn = next(iter(bootstrap_rows([PatternTable(line.weight)], 5, 4)))[0][:5]
    # cells stand in the order of time, and here each is one item
    figure = figure_of(rows, "krippendorff_alpha")
    for row, counts in enumerate(drawn):
        for place, at in enumerate(parts.windows.at):
            weights = oracle.window(
                times, at, parts.windows.bandwidth or 0, [True] * 40, counts.tolist()
            )
            assert found[row, place] == pytest.approx(figure(weights), abs=1e-12)


def test_estimates_are_those_of_the_engine() -> None:
    parts = course_of(with_times(random_rows(17, items=60), np.arange(60.0)), "conger_kappa")
    rows = parts.windows.rows.weight
    (found,) = over_rows(parts.local.prepared, [parts.request.problem.table], [(rows,)], len(rows))
    np.testing.assert_allclose(parts.figures.estimate, found, atol=1e-13)


@pytest.mark.parametrize(
    "name", ["krippendorff_alpha", "conger_kappa", "mean_pairwise_cohen_kappa"]
)
@pytest.mark.parametrize("form", [wide, by_slot])
def test_derivatives_at_the_counts_are_the_influences(name: str, form: Any) -> None:
    problem = one_coefficient(resolver_of(form(random_rows(34))), name).problem
    prepared = Prepared([problem])
    found = GradientRows(prepared)(np.stack([problem.table.count, 2 * problem.table.count]))
    np.testing.assert_allclose(found.gradient[0], influences(prepared)[0], atol=1e-13)
    assert found.estimate[0] == pytest.approx(float(estimates(prepared)[0].estimate))


def test_linear_steps_are_differences_of_means() -> None:
    rng = np.random.default_rng(18)
    values, place = rng.normal(size=(2, 30)), np.array([8, 15, 21])
    found = linear_steps(values, np.ones((2, 30)), place)
    for row in range(2):
        for number, cut in enumerate(place):
            a, b = values[row, :cut], values[row, cut:]
            error = np.sqrt(a.var(ddof=1) / len(a) + b.var(ddof=1) / len(b))
            assert found[row, number] == pytest.approx((b.mean() - a.mean()) / error)


def test_slopes_by_row_and_weight() -> None:
    rng = np.random.default_rng(19)
    time, values, weight = rng.uniform(0, 4, 20), rng.normal(size=20), rng.integers(1, 4, 20)
    one = slope_of(time, weight.astype(float), values)
    other = slope_of(np.repeat(time, weight), np.ones(weight.sum()), np.repeat(values, weight))
    np.testing.assert_allclose(one, other)


def test_steps_hold_what_they_say() -> None:
    parts = course_of(with_times(made(60, 20, 0.7), np.arange(60.0)), "fleiss_kappa")
    figures = parts.local.at(Cuts(parts.line).sides())
    step, error, z = differences(figures)
    before, after = np.split(figures.estimate, 2)
    np.testing.assert_allclose(step, after - before)
    np.testing.assert_allclose(z, step / error)


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


def test_new_numbers_compile_nothing() -> None:
    def run(seed: int) -> None:
        ratings = with_times(made(80, seed, 0.75), np.arange(80) // 4)
        iaa.drift(ratings, "time", "fleiss_kappa", points=20, seed=seed, **FAST)

    run(0)
    before = dict(TRACES)
    for seed in range(1, 4):
        run(seed)
    assert dict(TRACES) == before


def test_the_default_bandwidth() -> None:
    """The middle window is worth n^(4/5) items."""
    times = np.sort(np.random.default_rng(22).uniform(0, 100, 1000))
    parts = course_of(with_times(made(1000, 22, 0.8), times), "fleiss_kappa")
    bandwidth = usual_bandwidth(parts.line)
    worth = [sum(oracle.window(times, at, bandwidth, [True] * 1000)) for at in times[::20]]
    assert np.median(worth) == pytest.approx(1000**0.8, rel=0.02)
    few = course_of(with_times(made(25, 22, 0.8), times[:25]), "fleiss_kappa")
    assert few.windows.bandwidth == pytest.approx(np.ptp(times[:25]))


def test_gaps_have_no_figure_and_say_why() -> None:
    times = np.concatenate([np.arange(60.0), 1000 + np.arange(60.0)])
    found = iaa.drift(
        with_times(made(120, 23, 0.8), times), "time", bandwidth=50, points=11, **FAST
    )
    assert found.code.values.tolist() == [0, *[FEW_EFFECTIVE_ITEMS] * 9, 0]
    assert np.isnan(found.estimate[1:-1]).all()
    assert np.isnan(found.band_low[1:-1]).all()
    assert np.isfinite(found.ci_low[[0, -1]]).all()
    assert found.attrs["windows_without_figure"] == 9


def test_undefined_windows() -> None:
    rows = [["a", "a"]] * 30 + [["a", "b"], ["b", "b"]] * 15
    ratings = with_times(rows, np.repeat(["one", "two"], 30))
    found = iaa.drift(ratings, "time", **FAST)
    assert found.code.values.tolist() == [2, 0]
    assert "0/0" in str(found.reason.values[0])
    assert np.isnan(found.estimate[0])
    assert float(iaa.drift(ratings, "time", undefined="one", **FAST).estimate[0]) == 1
    with pytest.raises(IaaError, match="undefined at one"):
        iaa.drift(ratings, "time", undefined="raise", **FAST)


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


def test_intervals() -> None:
    ratings = with_times(made(90, 26, 0.8), np.arange(90.0))
    for interval in ("percentile", "basic", "bca", "normal", "t"):
        found = iaa.drift(ratings, "time", interval=interval, **FAST)
        assert found.attrs["interval"] == interval
        assert (found.ci_low < found.estimate).all()
        assert (found.estimate < found.ci_high).all()
        assert (found.band_low <= found.ci_low).all()
        assert (found.ci_high <= found.band_high).all()
    none = iaa.drift(ratings, "time", interval=None, **FAST)
    for name in ("ci_low", "band_high", "overall_ci_low", "slope_ci_high", "period_change_ci_low"):
        assert np.isnan(none[name]).all()
    assert np.isfinite(none.standard_error).all()
    assert np.isfinite(none.p_value)
    assert np.isnan(iaa.drift(ratings, "time", permutations=0, replicates=50).p_value)
    with pytest.raises(IaaError, match="is not available here"):
        iaa.drift(ratings, "time", interval="abc")


def test_a_large_study_takes_multipliers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iaa_jax.analyses.drift.points._RESAMPLED_CELLS", 10)
    found = iaa.drift(with_times(made(90, 27, 0.8), np.arange(90.0)), "time", **FAST)
    assert found.attrs["interval"] == "normal"
    assert "multipliers" in found.attrs["resampling"]
    assert np.isfinite(found.band_low).all()


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
        ({"coefficient": "specific_agreement"}, "one figure per label"),
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
    """The figures on both sides are those of the parts, read as ratings of their own."""
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
