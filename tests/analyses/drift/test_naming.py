"""A planted step, trend or single batch is named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import iaa_jax as iaa
from iaa_jax.analyses.drift.contrasts import Contrasts, shares_of_evidence

Course = Callable[[NDArray[np.float64]], NDArray[np.float64]]

ITEMS, SETS = 600, 30


def step(u: NDArray[np.float64]) -> NDArray[np.float64]:
    return 0.6 - 0.3 * (u >= 0.5)


def line(u: NDArray[np.float64]) -> NDArray[np.float64]:
    return 0.8 - 0.4 * u


def one_batch(u: NDArray[np.float64]) -> NDArray[np.float64]:
    return 0.6 - 0.6 * ((u >= 1 / 3) & (u < 1 / 2))


def named(course: Course, by: str, seed: int) -> str:
    """Return the conclusion for three annotators whose alpha follows a course of time."""
    draw = np.random.default_rng([12, seed])
    u = np.arange(ITEMS) / ITEMS
    own, *others = draw.random((4, ITEMS)) < 0.3
    sees = draw.random((3, ITEMS)) < np.sqrt(course(u))
    labels = np.where(sees, own, others).astype(int).astype(str)
    ratings = iaa.from_wide(labels.T)
    ratings = ratings.assign_coords(time=("item", u), batch=("item", (6 * u).astype(int)))
    found = iaa.drift(ratings, by, interval=None, replicates=20, permutations=99, seed=seed)
    return str(found.attrs["conclusion"])


@pytest.mark.slow
@pytest.mark.parametrize("by", ["time", "batch"])
@pytest.mark.parametrize(
    ("course", "name", "share"),
    [(step, "step", 0.75), (line, "trend", 0.6), (one_batch, "deviation", 0.95)],
)
def test_what_is_planted_is_named(course: Course, name: str, share: float, by: str) -> None:
    names = Counter(named(course, by, seed) for seed in range(SETS))
    found = SETS - names["no_drift"]
    assert found >= 0.9 * SETS
    assert names[name] >= share * found, names


def test_cuts_that_tell_the_same_cost_nothing() -> None:
    few = shares_of_evidence(Contrasts(np.array(3.6), np.array([4.2]), np.array([1.0])))
    many = shares_of_evidence(Contrasts(np.array(3.6), np.full(200, 4.2), np.full(6, 1.0)))
    np.testing.assert_allclose(many, few)
    assert few[1] > few[0] > few[2]


def test_shares_are_mean_likelihoods_and_a_step_counts_twice() -> None:
    steps, windows = np.array([1.0, np.nan, -3.0]), np.array([2.0, 0.5])
    shares = shares_of_evidence(Contrasts(np.array(2.5), steps, windows))
    slow = [
        np.exp(2.5**2 / 2),
        2 * (np.exp(0.5) + np.exp(4.5)) / 2,
        (np.exp(2) + np.exp(0.125)) / 2,
    ]
    np.testing.assert_allclose(shares, np.array(slow) / sum(slow))
    np.testing.assert_allclose(
        shares_of_evidence(Contrasts(np.array(np.nan), np.zeros(0), np.full(3, 50.0))), [0, 0, 1]
    )
    assert np.isnan(
        shares_of_evidence(Contrasts(np.array(np.nan), np.zeros(0), np.full(3, np.nan)))
    ).all()


def test_few_stretches_do_not_tell_a_step_from_a_trend() -> None:
    """A step in the middle of three stretches looks like a line through them."""
    rows = [["a", "a"], ["b", "b"]] * 30 + [["a", "b"], ["b", "b"], ["a", "a"], ["b", "a"]] * 15
    ratings = iaa.from_wide(rows).assign_coords(day=("item", list(range(120))))
    result = iaa.drift(ratings, "day", "cohen_kappa", interval=None, permutations=199)
    assert result.attrs["stretches"] < 6
    assert result.attrs["conclusion"] == "step_or_trend"
    assert iaa.page(result).answer[0].code == "either_of"
