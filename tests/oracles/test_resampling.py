"""Standard errors and intervals, against closed forms, NumPy and SciPy."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from scipy import stats

from tests.oracles.resampling import (
    acceleration,
    bca_interval,
    bias_correction,
    centred_influence,
    delete_one_estimates,
    infinitesimal_jackknife_standard_error,
    jackknife_standard_error,
    outcome_probability,
    outcomes,
    percentile_interval,
    quantile,
)


def test_jackknife_of_a_mean() -> None:
    values = [1.0, 4.0, 4.0, 7.0, 9.0]
    mean = sum(values) / 5
    deviation = math.sqrt(sum((x - mean) ** 2 for x in values) / 4 / 5)
    estimates = delete_one_estimates(lambda kept: sum(values[i] for i in kept) / len(kept), 5)
    assert jackknife_standard_error(estimates) == pytest.approx(deviation)
    gradient = [(x - mean) / 5 for x in values]
    assert infinitesimal_jackknife_standard_error(gradient) == pytest.approx(deviation)
    counted = infinitesimal_jackknife_standard_error(
        [gradient[i] for i in (0, 1, 3, 4)], [1, 2, 1, 1]
    )
    assert counted == pytest.approx(deviation)


def test_outcomes_and_their_probabilities() -> None:
    counts = [2.5, 1.0, 0.0, 4.5]
    every = list(outcomes(5, 4))
    assert len(every) == len(set(every)) == math.comb(5 + 3, 3)
    exact = stats.multinomial(5, np.array(counts) / 8)
    for outcome in every:
        assert sum(outcome) == 5
        assert outcome_probability(outcome, counts) == pytest.approx(exact.pmf(outcome), abs=1e-15)
    assert sum(outcome_probability(outcome, counts) for outcome in every) == pytest.approx(1)


def test_quantiles_and_percentile_interval() -> None:
    chance = random.Random(8)
    values = [chance.gauss(0, 1) for _ in range(101)]
    for share in (0.0, 0.025, 0.3, 1.0):
        assert quantile(values, share) == pytest.approx(float(np.quantile(values, share)))
    with_gaps = [*values, math.nan]
    assert percentile_interval(with_gaps) == percentile_interval(values)


def test_bca_interval() -> None:
    data = np.array([1.2, 0.3, 5.1, 2.2, 9.7, 0.8, 3.3, 1.9])
    replicates = stats.bootstrap(
        (data,), np.mean, n_resamples=999, method="percentile", rng=np.random.default_rng(1)
    ).bootstrap_distribution
    # The jackknife values of a mean are its influence, so both programs have one acceleration.
    influence = centred_influence([(x - data.mean()) / len(data) for x in data])
    ours = bca_interval(list(replicates), float(data.mean()), influence)
    theirs = stats.bootstrap(
        (data,), np.mean, n_resamples=999, method="BCa", rng=np.random.default_rng(1)
    ).confidence_interval
    assert ours == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_acceleration_counts_frequencies() -> None:
    repeated = [2.0, -1.0, -1.0, -1.0, 1.0]
    assert acceleration([2.0, -1.0, 1.0], [1, 3, 1]) == pytest.approx(acceleration(repeated))
    # Cubes: 8 - 3 + 1; squares: 4 + 3 + 1.
    assert acceleration(repeated) == pytest.approx(6 / (6 * 8**1.5))


def test_bias_correction_counts_ties_half() -> None:
    assert bias_correction([1.0, 2.0, 2.0, 3.0], 2.0) == pytest.approx(0.0)
    assert bias_correction([2.0, 2.0], 2.0) == pytest.approx(0.0)
    assert bca_interval([3.0, 4.0], 2.0, [1.0, -1.0]) == pytest.approx(
        (math.nan, math.nan), nan_ok=True
    )
    assert bca_interval([2.0, 2.0, math.nan], 2.0, [0.0, 0.0]) == (2.0, 2.0)
