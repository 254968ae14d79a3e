"""Intervals against the oracles, SciPy, and their own definitions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import iaa_jax as iaa
from iaa_jax import kernels
from iaa_jax.kernels import intervals
from tests.engine.real import made
from tests.oracles import resampling


def sample(seed: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Replicates and derivatives of a mean of skewed numbers."""
    rng = np.random.default_rng(seed)
    x = rng.exponential(size=40)
    replicates = x[rng.integers(0, 40, (999, 40))].mean(axis=1)
    return replicates, (x - x.mean()) / 40, float(x.mean())


@pytest.mark.parametrize("confidence", [0.8, 0.95])
@pytest.mark.parametrize("seed", range(3))
def test_against_the_oracles(seed: int, confidence: float) -> None:
    replicates, slope, estimate = sample(seed)
    count = np.ones(40)
    skewness = intervals.acceleration(slope, count)
    assert skewness == pytest.approx(resampling.acceleration((40 * slope).tolist()), abs=1e-14)
    # no replicate at the estimate, and every fourth
    for tied in (replicates, np.where(np.arange(999) % 4, replicates, estimate)):
        found = intervals.bca(np.asarray(estimate), tied, skewness, confidence)
        wanted = resampling.bca_interval(
            tied.tolist(), estimate, (40 * slope).tolist(), confidence=confidence
        )
        np.testing.assert_allclose([found.low, found.high], wanted, atol=1e-12)
    found = intervals.percentile(replicates, confidence)
    wanted = resampling.percentile_interval(replicates.tolist(), confidence=confidence)
    np.testing.assert_allclose([found.low, found.high], wanted, atol=1e-12)
    turned = intervals.basic(np.asarray(estimate), replicates, confidence)
    np.testing.assert_allclose(
        [turned.low, turned.high], [2 * estimate - found.high, 2 * estimate - found.low]
    )
    error = intervals.infinitesimal_jackknife(slope, count)
    wanted_error = resampling.infinitesimal_jackknife_standard_error(slope.tolist())
    assert error == pytest.approx(wanted_error, abs=1e-14)
    low, high = intervals.normal(np.asarray(estimate), error, confidence)
    z = stats.norm.ppf((1 + confidence) / 2)
    np.testing.assert_allclose([low, high], [estimate - z * error, estimate + z * error])
    # skewed: the quantile of one side of t* is not that of the other
    errors = replicates / 6
    ratio = (replicates - estimate) / errors
    tails = np.quantile(ratio, [(1 + confidence) / 2, (1 - confidence) / 2])
    found = intervals.studentized(np.asarray(estimate), error, replicates, errors, confidence)
    np.testing.assert_allclose([found.low, found.high], estimate - tails * error, atol=1e-12)


def test_columns_are_apart_and_nan_replicates_left_out() -> None:
    replicates, _, estimate = sample(5)
    two = np.stack([replicates, -replicates], axis=1)
    two[::10, 0] = np.nan
    found = intervals.percentile(two, 0.9)
    kept = np.delete(replicates, np.arange(0, 999, 10))
    np.testing.assert_allclose(found.low[0], np.quantile(kept, 0.05))
    np.testing.assert_allclose(found.high[1], np.quantile(-replicates, 0.95))
    nothing = intervals.bca(np.asarray(estimate), np.full(20, np.nan), np.asarray(0.0), 0.9)
    assert np.isnan(nothing.low)


def test_bca_against_scipy() -> None:
    """On a coefficient: SciPy's BCa over items, its acceleration by deletion."""
    ratings = made(40, 3, 3, seed=3)
    mass = iaa.data.mass(ratings).values
    items = np.arange(40)

    def statistic(picked: np.ndarray) -> float:
        return float(kernels.krippendorff_alpha(mass[picked.astype(int)]).estimate)

    theirs = stats.bootstrap(
        (items,),
        statistic,
        n_resamples=1500,
        vectorized=False,
        method="BCa",
        random_state=np.random.default_rng(0),
    )
    ours = iaa.krippendorff_alpha(ratings, interval="bca", replicates=4000)
    assert mass.shape == (40, 3, 3)
    width = theirs.confidence_interval.high - theirs.confidence_interval.low
    assert float(ours.ci_low) == pytest.approx(theirs.confidence_interval.low, abs=0.08 * width)
    assert float(ours.ci_high) == pytest.approx(theirs.confidence_interval.high, abs=0.08 * width)
    assert float(ours.standard_error) == pytest.approx(theirs.standard_error, rel=0.08)


def test_no_spread() -> None:
    assert intervals.acceleration(np.zeros(5), np.ones(5)) == 0
    assert np.isnan(intervals.infinitesimal_jackknife(np.zeros(1), np.ones(1)))
    low, high = intervals.bca(np.asarray(1.0), np.ones(50), np.asarray(0.0), 0.95)
    assert low == high == 1


def test_bca_past_the_pole_of_the_acceleration() -> None:
    rows = np.random.default_rng(0).normal(size=2000)
    low, high = intervals.bca(np.asarray(3.6), rows, np.asarray(0.1666), 0.999)
    assert low <= high == rows.max()
