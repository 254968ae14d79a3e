"""F intervals of intraclass correlations: the oracle, laws, extremes, coverage."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax.catalog import CATALOG
from iaa_jax.kernels.intervals import Ends
from iaa_jax.measure.options.interval import BY_FORMULA
from tests.oracles import analytic as oracle

SHROUT_FLEISS = [
    [9, 2, 5, 8],
    [6, 1, 3, 2],
    [8, 4, 6, 8],
    [7, 1, 2, 6],
    [10, 5, 6, 9],
    [6, 2, 4, 7],
]
FORMS = ("icc1", "icc1k", "icc2", "icc2k", "icc3", "icc3k")


@pytest.mark.parametrize("confidence", [0.9, 0.95])
@pytest.mark.parametrize("name", FORMS)
def test_f_intervals_are_those_of_the_oracle(name: str, confidence: float) -> None:
    rng = np.random.default_rng(3)
    noise = rng.normal(size=(9, 3)) + 2 * rng.normal(size=(9, 1)) + rng.normal(size=3)
    below = rng.normal(size=(8, 5)) - 2 * np.arange(5)  # correlations near 0 or below
    for table in (SHROUT_FLEISS, noise.tolist(), below.tolist()):
        expected = oracle.icc_f_intervals(table, confidence)[name]
        value = np.array(table, dtype=float)
        found = CATALOG[name].f_interval(value, np.ones(len(value)), confidence)
        assert tuple(found) == pytest.approx(expected, rel=1e-9)
        assert found == pytest.approx(
            CATALOG[name].f_interval(value[:, ::-1] * 3 + 7, np.ones(len(value)), confidence)
        )


@pytest.mark.parametrize("name", FORMS)
def test_f_intervals_count_items_and_leave_gaps_out(name: str) -> None:
    value = np.array(SHROUT_FLEISS, dtype=float)
    interval = CATALOG[name].f_interval
    count = np.array([1.0, 2.0, 1.0, 3.0, 1.0, 2.0])
    repeated = np.repeat(value, count.astype(int), axis=0)
    assert interval(value, count, 0.95) == pytest.approx(interval(repeated, np.ones(10), 0.95))
    wider = np.vstack([value, [np.nan] * 4])
    plain = interval(value, np.ones(6), 0.95)
    assert interval(wider, np.array([1.0] * 6 + [0.0]), 0.95) == pytest.approx(plain)
    assert interval(wider, np.ones(7), 0.95) == pytest.approx(plain)
    wider[-1, 1] = 3.0
    gap = interval(wider, np.ones(7), 0.95)
    if name.startswith("icc1"):
        assert gap.df1 == 6  # one rating more, of another item
        assert gap.df2 == plain.df2
    else:
        assert gap == pytest.approx(plain)


@pytest.mark.parametrize("name", FORMS)
def test_f_intervals_of_extreme_numbers(name: str) -> None:
    interval = CATALOG[name].f_interval
    same = interval(np.array([[1.0, 1.0], [2.0, 2.0], [4.0, 4.0]]), np.ones(3), 0.95)
    assert (same.low, same.high, same.f, same.p_value) == (1, 1, math.inf, 0)
    for value in ([[1.0, 2.0]], [[3.0, 3.0], [3.0, 3.0]], [[1.0, np.nan], [2.0, np.nan]]):
        with np.errstate(all="ignore"):
            assert np.isnan(interval(np.array(value), np.ones(len(value)), 0.95)).all()


def interval_of(name: str, ends: str) -> Callable[..., Ends]:
    row = CATALOG[name]
    return row.f_interval if ends == "f" else row.ends_over_annotators[ends]


@pytest.mark.parametrize("ends", BY_FORMULA)
def test_the_mean_of_ratings_has_no_end_where_a_single_one_is_least(ends: str) -> None:
    """Below ``-1 / (k - 1)`` Spearman and Brown's formula turns round to above 1."""
    opposed = np.random.default_rng(0).normal(size=(8, 2))
    opposed -= 0.9 * opposed.mean(axis=1, keepdims=True)
    single, mean = (
        interval_of(name, ends)(opposed, np.ones(8), 0.95) for name in ("icc2", "icc2k")
    )
    if ends == "widened_large_sample":  # an estimate below 0 is an end
        assert single.low == pytest.approx(
            float(iaa.icc2(iaa.from_values(opposed), interval=None).estimate)
        )
        assert mean.low == pytest.approx(2 * single.low / (1 + single.low))
    else:
        assert single.low <= -1 + 1e-9
        assert mean.low == -math.inf
    assert mean.high == pytest.approx(2 * single.high / (1 + single.high))


def test_an_f_interval_covers() -> None:
    """Of ICC(1) and ICC(3), 95 in 100 of normal numbers; ICC(2) nearly."""
    rng = np.random.default_rng(12)
    truth = {"icc1": 0.5, "icc3": 4 / 7, "icc2": 4 / 8}
    inside = dict.fromkeys(truth, 0)
    for _ in range(600):
        items = 2 * rng.normal(size=(12, 1))
        with_bias = items + rng.normal(size=4) + math.sqrt(3) * rng.normal(size=(12, 4))
        one_way = items + 2 * rng.normal(size=(12, 4))
        for name, value in (("icc1", one_way), ("icc3", with_bias), ("icc2", with_bias)):
            found = CATALOG[name].f_interval(value, np.ones(12), 0.95)
            inside[name] += found.low <= truth[name] <= found.high
    for name, hits in inside.items():
        assert hits / 600 == pytest.approx(0.95, abs=0.027), name
