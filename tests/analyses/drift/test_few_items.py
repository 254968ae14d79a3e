"""Intervals and the band in windows worth few items: draws from a posterior."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr
from scipy.special import ndtri

import iaa_jax as iaa
from iaa_jax.analyses.drift.curve import OF_ALL, LocalPosterior, item_replicates
from iaa_jax.engine import PatternTable
from iaa_jax.engine.drawing import Purpose, Resampling, sampled_rows, stream
from iaa_jax.kernels.intervals import Ends
from iaa_jax.measure.intervals.family_wise import band_of_draws
from iaa_jax.measure.requests.prior import farther_quantiles, pseudo_items
from iaa_jax.measure.requests.spread import Bounds
from tests.analyses.drift.made import course_of, figure_of, made, with_times
from tests.analyses.made import LABELS
from tests.noted import notes_of
from tests.oracles import drift as oracle


def batched_ratings(each: int, batches: int, seed: int, rare: float, alpha: float) -> xr.Dataset:
    """Two annotators, whose agreement is the same in all batches."""
    rng = np.random.default_rng(seed)
    items = each * batches
    own = rng.random(items) < rare
    sees = rng.random((items, 2)) < np.sqrt(alpha)
    given = np.where(sees, own[:, None], rng.random((items, 2)) < rare)
    batch = [f"batch {one // each}" for one in range(items)]
    return iaa.from_wide(given.astype(int)).assign_coords(batch=("item", batch))


def test_replicates_are_weights_of_items_and_what_windows_begin_with() -> None:
    """Laid out item by item: Gamma weights in the window, and Gamma weights of what is added."""
    rows = made(40, 16, 0.8)
    times = np.sort(np.random.default_rng(16).uniform(0, 5, 40))
    parts = course_of(with_times(rows, times), "krippendorff_alpha", points=3)
    labels = parts.request.labels
    assert labels is not None
    posterior = LocalPosterior.of(parts.request.problem, labels, parts.windows)
    found = item_replicates(parts.local, parts.windows, 5, 4, None, posterior)
    timeline = parts.timeline
    law = Resampling(weights="dirichlet")
    drawn = next(iter(sampled_rows([PatternTable(timeline.weight)], 5, 4, law)))[0]
    added = pseudo_items(labels)
    counts = np.bincount(timeline.pattern, timeline.weight, timeline.patterns)
    shape = np.concatenate([OF_ALL * counts / 40, added.number])
    begun = stream(4, Purpose.WINDOW_PRIOR, 0).standard_gamma(shape, size=(64, len(shape)))
    # what a window begins with stands behind the items: of each pattern one item that shows it
    place_of = {int(pattern): place for place, pattern in enumerate(timeline.pattern)}
    in_order = [rows[place] for place in range(40)]
    shown = [in_order[place_of[pattern]] for pattern in range(timeline.patterns)]
    pseudo = [[LABELS[code] for code in row] for row in added.codes]
    figure = figure_of([*in_order, *shown, *pseudo], "krippendorff_alpha")
    bandwidth = parts.windows.bandwidth or 0
    drawn_figures = np.zeros((5, len(parts.windows.at), 2))
    for row in range(5):
        for place, at in enumerate(parts.windows.at):
            own = oracle.window(times, at, bandwidth, [True] * 40, drawn[row].tolist())
            weight = np.concatenate([own, begun[row + place]])
            weight *= parts.windows.rows.effective[place] / weight.sum()
            drawn_figures[row, place] = (
                figure(weight.tolist()),
                figure([*own, *np.zeros(begun.shape[1])]),
            )
    for place in range(len(parts.windows.at)):
        assert found[:, place] == pytest.approx(
            farther_quantiles(*drawn_figures[:, place].T), abs=1e-9
        )


@pytest.mark.parametrize("coefficient", ["krippendorff_alpha", "cohen_kappa", "percent_agreement"])
def test_where_all_agree_few_items_show_little(coefficient: str) -> None:
    rows = [["a", "a"], ["b", "b"]] * 20 + [["a", "b"], ["b", "b"], ["a", "a"], ["b", "a"]] * 5
    ratings = with_times(rows, np.repeat(["first", "second", "third"], 20))
    found = iaa.drift(ratings, "time", coefficient, replicates=400, permutations=0)
    assert found.attrs["interval"] == "empirical_bayes"
    assert (found.estimate[:2] == 1).all()
    assert (found.ci_high[:2] == 1).all()
    assert (found.ci_low[:2] < 0.95).all()
    assert (found.ci_low[:2] > 0.3).all()
    assert (found.band_low <= found.ci_low).all()
    assert (found.band_high >= found.ci_high).all()
    assert not notes_of(found, "nothing_disagrees")


def test_large_windows_hardly_know_of_it() -> None:
    ratings = batched_ratings(1000, 3, 5, 0.4, 0.6)
    usual, bca = (
        iaa.drift(ratings, "batch", interval=interval, replicates=2000, permutations=0)
        for interval in ("auto", "bca")
    )
    for name in ("estimate", "standard_error"):
        np.testing.assert_array_equal(usual[name], bca[name])
    for name in ("ci_low", "ci_high", "band_low", "band_high"):
        # of a standard error, which replicates make as well
        apart = np.abs(usual[name] - bca[name]) / bca.standard_error
        assert (apart < (0.2 if name.startswith("ci") else 0.3)).all()


@pytest.mark.parametrize(
    ("each", "rare", "alpha"), [(10, 0.5, 0.6), (10, 0.05, 0.6), (20, 0.15, 0.9)]
)
def test_the_band_holds_a_figure_that_is_the_same_everywhere(
    each: int, rare: float, alpha: float
) -> None:
    held, windows, out = 0, 0, 0
    for seed in range(24):
        ratings = batched_ratings(each, 15, seed, rare, alpha)
        found = iaa.drift(ratings, "batch", replicates=300, permutations=0)
        known = np.isfinite(found.estimate.values)
        held += int(((found.ci_low <= alpha) & (alpha <= found.ci_high)).sum())
        windows += int(known.sum())
        out += bool(((found.band_low > alpha) | (found.band_high < alpha)).any())
    assert held / windows > 0.93
    # four or more of 24 are seen with a chance of 3 % where 5 % are right
    assert out <= 3


def test_a_band_reaches_to_each_side_as_the_draws_do() -> None:
    rng = np.random.default_rng(3)
    line = np.column_stack([0.5 * rng.normal(size=4000), 1 + rng.normal(size=4000)])
    drawn = 1 - np.exp(-line)
    each = Ends(*np.quantile(drawn, [0.025, 0.975], axis=0))
    each.low[0] -= 0.5
    band, factor = band_of_draws(drawn, Bounds(), each, 0.95)
    # of two that are independent: 1 - (1 - .05)^(1/2) for each
    assert factor == pytest.approx(-ndtri((1 - 0.95**0.5) / 2), abs=0.06)
    np.testing.assert_allclose(
        band.high, 1 - np.exp(-np.array([0, 1]) - 2.236 * np.array([0.5, 1])), atol=0.01
    )
    assert band.low[1] == pytest.approx(1 - np.exp(-1 + 2.236), abs=0.2)
    assert band.low[0] == each.low[0]
    assert not band.cut.any()
    inside = ((drawn >= band.low) & (drawn <= band.high)).all(axis=1)
    assert inside.mean() == pytest.approx(0.95, abs=0.01)


def test_a_band_of_no_interval_is_none() -> None:
    nothing: Any = np.full(2, np.nan)
    band, factor = band_of_draws(np.full((50, 2), np.nan), Bounds(), Ends(nothing, nothing), 0.95)
    assert np.isnan(factor)
    assert np.isnan(band.low).all()
    assert np.isnan(band.high).all()


def test_what_has_no_labels_keeps_its_intervals() -> None:
    rng = np.random.default_rng(8)
    values = rng.normal(size=(60, 1)) + 0.5 * rng.normal(size=(60, 2))
    numbers = iaa.from_values(values).assign_coords(time=("item", np.repeat([1, 2, 3], 20)))
    found = iaa.drift(numbers, "time", "icc1", replicates=100, permutations=0)
    assert found.attrs["interval"] == "bca"
    assert notes_of(found, "rough_around")
