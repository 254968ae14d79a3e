"""ICC(2) with heterogeneous annotators: the two jackknives, the test, and the widened limits."""

from __future__ import annotations

import array_api_strict
import numpy as np
import pytest
from numpy.typing import NDArray

from iaa_jax.kernels import icc2, icc2k
from iaa_jax.kernels.icc_annotators import (
    _spread,
    _table,
    icc2_widened_ends,
    icc2k_widened_ends,
    unlike_annotators,
)
from iaa_jax.kernels.icc_intervals import icc2_large_sample_ends
from iaa_jax.kernels.intervals import Ends
from tests.oracles import intervals as oracle

Floats = NDArray[np.float64]


def drawn(items: int, annotators: int, seed: int, *, scale: float = 0, noise: float = 0) -> Floats:
    """Annotators with a mean of their own, and with a scale and a noise as far apart as is said."""
    rng = np.random.default_rng(seed)
    own = 1 + scale * rng.normal(size=annotators)
    error = 0.5 * np.exp(noise * rng.normal(size=annotators))
    means = 0.3 * rng.normal(size=annotators)
    return rng.normal(size=(items, 1)) * own + means + error * rng.normal(size=(items, annotators))


def icc2_jackknife_ends(value: Floats, count: Floats, confidence: float) -> Ends:
    """The jackknife alone, to which widened ends go where mean squares do not hold."""
    table = _table(value, count)
    spread = None if table is None or table.annotators < 3 else _spread(table)
    return Ends(np.nan, np.nan) if spread is None else spread.ends(confidence)


@pytest.mark.parametrize(("items", "annotators"), [(30, 5), (12, 3), (25, 8)])
def test_the_two_way_jackknife_is_that_of_the_loop(items: int, annotators: int) -> None:
    table = drawn(items, annotators, items, scale=0.3)
    found = icc2_jackknife_ends(table, np.ones(items), 0.9)
    assert found == pytest.approx(oracle.two_way_jackknife_icc2(table, 0.9), rel=1e-9)


@pytest.mark.parametrize(("items", "annotators"), [(30, 5), (12, 2)])
def test_how_unlike_annotators_are_is_that_of_the_loop(items: int, annotators: int) -> None:
    table = drawn(items, annotators, items, scale=0.3)
    found = unlike_annotators(table, np.ones(items))
    assert found == pytest.approx(oracle.unlike_annotators(table), rel=1e-9)


def test_counts_are_repetition_and_items_with_gaps_do_not_count() -> None:
    table, count = drawn(20, 4, 1, noise=0.5), np.resize([1.0, 2, 3], 20)
    gaps = np.where(np.eye(20, 4) > 0, np.nan, table)
    both = np.concatenate([table, gaps[:4]]), np.concatenate([count, np.ones(4)])
    repeated = np.repeat(table, count.astype(int), axis=0)
    ones = np.ones(len(repeated))
    for ends in (icc2_jackknife_ends, icc2_widened_ends, icc2k_widened_ends):
        assert ends(*both, 0.95) == pytest.approx(ends(repeated, ones, 0.95), rel=1e-9)
    assert unlike_annotators(*both) == pytest.approx(unlike_annotators(repeated, ones))


def test_like_annotators_are_called_unlike_as_often_as_is_said() -> None:
    p_values = [unlike_annotators(drawn(30, 4, seed), np.ones(30)) for seed in range(400)]
    for level in (0.05, 0.2):
        error = np.sqrt(level * (1 - level) / 400)
        assert np.mean(np.array(p_values) < level) == pytest.approx(level, abs=4 * error)
    far = [unlike_annotators(drawn(60, 5, seed, noise=0.6), np.ones(60)) for seed in range(50)]
    assert np.mean(np.array(far) < 0.05) > 0.9


def test_limits_are_widened_where_annotators_are_unlike_or_tails_are_far() -> None:
    """Never narrower than by mean squares, and no wider where these hold."""
    widened = {"alike": 0, "unlike": 0, "far tails": 0}
    for seed in range(25):
        far = np.random.default_rng(seed).standard_t(3, (50, 5))
        tables = {
            "alike": drawn(50, 5, seed),
            "unlike": drawn(50, 5, seed, noise=0.7),
            "far tails": np.random.default_rng(seed + 50).standard_t(3, (50, 1)) + 0.5 * far,
        }
        for kind, table in tables.items():
            plain = icc2_large_sample_ends(table, np.ones(50), 0.95)
            found = icc2_widened_ends(table, np.ones(50), 0.95)
            both = icc2_jackknife_ends(table, np.ones(50), 0.95)
            wide = max(min(plain.low, both.low), 0.0), max(plain.high, both.high)
            assert found in (plain, pytest.approx(wide))
            widened[kind] += found != plain
    assert widened["alike"] < 12
    assert widened["unlike"] > 20
    assert widened["far tails"] > 20


@pytest.mark.parametrize("way", ["scale", "noise"])
def test_statistics_4_5_annotators_of_their_own_scale_or_noise(way: str) -> None:
    """30 items and 5 annotators, where mean squares alone held the truth in 83 to 88 %."""
    unlike = {"scale": 0.35} if way == "scale" else {"noise": 0.6}
    squared = 0.25 * (np.exp(2 * 0.6**2) if way == "noise" else 1)
    truth = 1 / (1 + (0.35**2 if way == "scale" else 0) + squared + 0.09)
    held = 0
    for seed in range(150):
        low, high = icc2_widened_ends(drawn(30, 5, seed, **unlike), np.ones(30), 0.95)
        held += low <= truth <= high
    assert held >= 0.95 * 150 - 3 * np.sqrt(150 * 0.95 * 0.05)


def test_perfect_agreement_and_what_is_too_little() -> None:
    perfect = np.repeat(np.arange(6.0)[:, None], 4, axis=1)
    with np.errstate(all="ignore"):
        assert icc2_widened_ends(perfect, np.ones(6), 0.95) == (1, 1)
        assert np.isnan(icc2_jackknife_ends(perfect, np.ones(6), 0.95)).all()
        assert np.isnan(unlike_annotators(perfect, np.ones(6)))
        assert np.isnan(icc2_jackknife_ends(perfect[:, :2], np.ones(6), 0.95)).all()
        assert np.isnan(unlike_annotators(perfect[:1], np.ones(1)))
    same = perfect + np.array([0, 0, 0, 1.0]) * np.resize([1, -1.0], (6, 1))
    low, high = icc2_widened_ends(same, np.ones(6), 0.95)
    assert 0 <= low < high <= 1


def test_no_end_is_below_0_nor_below_a_negative_estimate() -> None:
    """Of annotators of whom one in seven answers reversed ICC(2,k) was from -inf in 19 %."""
    tables = [drawn(15, 3, seed, noise=1.2) for seed in range(20)]
    tables += [*np.random.default_rng(0).normal(size=(40, 6, 3))]
    negative = 0
    for table in tables:
        for coefficient, ends in ((icc2, icc2_widened_ends), (icc2k, icc2k_widened_ends)):
            estimate = float(coefficient(table).estimate)
            low, high = ends(table, np.ones(len(table)), 0.95)
            assert low == pytest.approx(estimate) if estimate < 0 else 0 <= low <= estimate
            assert max(low, 0) <= high <= 1
            assert np.isfinite(low)
            assert estimate <= high + 1e-12
            negative += estimate < 0
    assert negative > 10


def test_any_array_library_has_them() -> None:
    table, xp = drawn(12, 4, 3, noise=0.4), array_api_strict
    arrays = xp.asarray(table), xp.asarray(np.ones(12))
    for ends in (icc2_jackknife_ends, icc2k_widened_ends):
        assert ends(*arrays, 0.95) == pytest.approx(ends(table, np.ones(12), 0.95), rel=1e-12)
    assert unlike_annotators(*arrays) == pytest.approx(unlike_annotators(table, np.ones(12)))
