"""Local figures: windows, cuts, their errors, intervals and replicates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from iaa_jax.analyses.drift.curve import (
    FEW_EFFECTIVE_ITEMS,
    covariance,
    item_replicates,
    multiplier_replicates,
)
from iaa_jax.analyses.drift.cuts import Cuts, differences
from iaa_jax.analyses.drift.windows import usual_bandwidth
from iaa_jax.engine import Prepared, estimates, influences, over_rows
from iaa_jax.engine.gradients import GradientRows
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.requests.studies import one_coefficient
from tests.analyses.drift.made import FAST, course_of, figure_of, made, with_times
from tests.analyses.made import by_slot, random_rows, wide
from tests.oracles import drift as oracle


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
    timeline = parts.timeline
    drawn = next(iter(bootstrap_rows([PatternTable(timeline.weight)], 5, 4)))[0][:5]
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
    problem = one_coefficient(Resolver(Rated.of(form(random_rows(34)))), name).problem
    prepared = Prepared([problem])
    found = GradientRows(prepared)(np.stack([problem.table.count, 2 * problem.table.count]))
    np.testing.assert_allclose(found.gradient[0], influences(prepared)[0], atol=1e-13)
    assert found.estimate[0] == pytest.approx(float(estimates(prepared)[0].estimate))


def test_steps_hold_what_they_say() -> None:
    parts = course_of(with_times(made(60, 20, 0.7), np.arange(60.0)), "fleiss_kappa")
    figures = parts.local.at(Cuts(parts.timeline).sides())
    step, error, z = differences(figures)
    before, after = np.split(figures.estimate, 2)
    np.testing.assert_allclose(step, after - before)
    np.testing.assert_allclose(z, step / error)


def test_the_default_bandwidth() -> None:
    """The middle window is worth n^(4/5) items."""
    times = np.sort(np.random.default_rng(22).uniform(0, 100, 1000))
    parts = course_of(with_times(made(1000, 22, 0.8), times), "fleiss_kappa")
    bandwidth = usual_bandwidth(parts.timeline, "")
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
    monkeypatch.setattr("iaa_jax.analyses.drift.curve._RESAMPLED_CELLS", 10)
    found = iaa.drift(with_times(made(90, 27, 0.8), np.arange(90.0)), "time", **FAST)
    assert found.attrs["interval"] == "normal"
    assert "multipliers" in found.attrs["resampling"]
    assert np.isfinite(found.band_low).all()
