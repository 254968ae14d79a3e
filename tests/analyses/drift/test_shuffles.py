"""Tests along time: shuffles, what they compare, and what they find."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses.drift import shuffles
from iaa_jax.analyses.drift.contrasts import statistics
from iaa_jax.analyses.drift.cuts import Cuts, linear_steps
from iaa_jax.analyses.drift.shuffles import Shuffles, slope_of
from iaa_jax.analyses.drift.windows import Windows
from iaa_jax.wording import Note
from tests.analyses.drift.made import FAST, course_of, made, with_times
from tests.analyses.made import LABELS
from tests.noted import notes_of
from tests.taken import one_of


def moving(seed: int, shares: Sequence[float], items: int) -> list[list[str]]:
    """Two annotators with a true alpha of .6 whatever the share of the first label."""
    rng = np.random.default_rng(seed)
    share = np.repeat(shares, items)
    one = rng.random(len(share)) < share
    other = np.where(rng.random(len(share)) < 0.6, one, rng.random(len(share)) < share)
    return [["ab"[a], "ab"[b]] for a, b in zip(one.astype(int), other.astype(int), strict=True)]


@pytest.mark.parametrize("continuous", one_of(2, [False, True]))
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


@pytest.mark.parametrize("weight", [1.5, 0.5])
def test_items_are_shuffled_one_by_one_whatever_they_weigh(weight: float) -> None:
    """Items with equal ratings and batch stay separate items for shuffling and drawing."""
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
    """The null distribution is that of single items."""
    monkeypatch.setattr("iaa_jax.analyses.drift.shuffles.RECOMPUTED", recomputed)
    ratings = with_times(made(400, 38, 0.8), np.arange(400) // 100)

    def study() -> xr.Dataset:
        return iaa.drift(ratings, "time", "fleiss_kappa", interval=None, permutations=999)

    one = study()
    monkeypatch.setattr("iaa_jax.analyses.drift.timeline._WHOLE", 100)
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
    assert len(parts.timeline.weight) < 80
    assert parts.timeline.weight.sum() == pytest.approx(weight.sum())
    np.testing.assert_allclose(
        Cuts(parts.items).sides().weight, Cuts(parts.timeline).sides().weight, atol=1e-12
    )


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


@pytest.mark.slow
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
    found = iaa.drift(
        with_times(rows, batch), "time", "fleiss_kappa", interval="bca", replicates=40
    )
    assert (found.standard_error[1:] == 0).all()
    (note,) = notes_of(found, "nothing_disagrees")
    *names, more = note.values["where"].values["names"]
    assert len(names) == 3
    assert more == Note("further_windows", {"count": 4})
    assert np.isnan(found.ci_low[1:]).all()
    assert np.isnan(found.band_high[1:]).all()
    assert np.isfinite(found.deviation_z)
    # all three disagreements are in the same of eight batches in 1.3 % of shuffles
    assert 0.005 < float(found.deviation_p_value) < 0.1


@pytest.mark.parametrize("name", ["krippendorff_alpha", "conger_kappa"])
def test_influences_stand_for_recomputing(name: str) -> None:
    rows = made(300, 14, 0.75)
    parts = course_of(with_times(rows, np.arange(300.0)), name, points=6)
    timeline = parts.items
    study = Shuffles(
        parts.local,
        Windows(timeline, parts.windows.at, parts.windows.bandwidth),
        Cuts(timeline),
        parts.influence,
        float(parts.all_items.missing[0]),
        np.ones(6, dtype=bool),
    )
    anew = study.null(60, 3, anew=True)
    quick = study.null(60, 3, anew=False)
    np.testing.assert_allclose(anew.slope, quick.slope)
    for one, other in ((anew.step, quick.step), (anew.deviation, quick.deviation)):
        assert np.corrcoef(one, other)[0, 1] > 0.9
        assert np.mean(one) == pytest.approx(np.mean(other), rel=0.06)


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


def test_statistics_are_a_slope_and_differences_of_weighted_means() -> None:
    rng = np.random.default_rng(5)
    time, first = np.array([2001.0, 2002, 2004, 2009]), np.array([1, 3])
    estimate, error = rng.random((2, 3, 4)) + 0.1
    estimate[1, 2] = np.nan
    found = statistics(estimate, error, time, first)
    for row, (values, errors) in enumerate(zip(estimate, error, strict=True)):
        held = np.isfinite(values)
        weight = 1 / errors[held] ** 2

        def z(chosen: list[bool], weight: Any = weight, y: Any = values[held]) -> float:
            sides = [np.array(chosen), ~np.array(chosen)]
            means = [np.average(y[side], weights=weight[side]) for side in sides]
            return (means[0] - means[1]) / np.sqrt(sum(1 / weight[side].sum() for side in sides))

        slope, covariance = np.polyfit(
            time[held] - 2000, values[held], 1, w=1 / errors[held], cov="unscaled"
        )
        assert found.slope[row] == pytest.approx(slope[0] / np.sqrt(covariance[0, 0]))
        places = np.arange(4)[held]
        assert found.step[row] == pytest.approx([z(list(places >= cut)) for cut in first])
        for place in range(4):
            wanted = z(list(places == place)) if held[place] else np.nan
            assert found.deviation[row, place] == pytest.approx(wanted, nan_ok=True)
