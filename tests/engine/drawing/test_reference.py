"""The distribution of every method for multinomial counts, against the plain multinomial."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import chi2

from iaa_jax.engine import PatternTable
from iaa_jax.engine.drawing import Purpose, draws_in_blocks, multinomial
from iaa_jax.engine.drawing.refinement import Refinement
from tests.engine.drawing.test_multinomial import WAYS, drawn, refined, use
from tests.oracles.resampling import outcome_probability, outcomes

REPLICATES = 64 * 80


def plain(count: np.ndarray, replicates: int = REPLICATES) -> np.ndarray:
    """The reference: as many draws as items, over all patterns at once."""
    draws = max(round(count.sum()), 1)
    rows = np.random.default_rng(8).multinomial(draws, count / count.sum(), size=replicates)
    return rows * (count.sum() / draws)


def test_the_reference_is_multinomial() -> None:
    """Chi-square against the probabilities of all outcomes."""
    count = np.array([2.0, 1.0, 0.0, 3.5])
    draws = 6
    rows = np.rint(plain(count, 20_000) * draws / count.sum()).astype(int)
    every = list(outcomes(draws, 4))
    seen = [np.all(rows == outcome, axis=1).sum() for outcome in every]
    assert sum(seen) == 20_000
    expected = np.array([20_000 * outcome_probability(outcome, count) for outcome in every])
    common = expected >= 5
    statistic = np.sum((np.array(seen)[common] - expected[common]) ** 2 / expected[common])
    assert 1e-3 < chi2.sf(statistic, common.sum() - 1) < 1 - 1e-3
    assert np.all(np.array(seen)[expected == 0] == 0)


def test_every_block_draws_anew() -> None:
    """No number comes twice, and fewer draws are the first ones of more."""

    def numbers(draws: int, units: int) -> np.ndarray:
        blocks = draws_in_blocks(draws, 3, Purpose.JUDGE_POWER, units)
        return np.concatenate([random.random(rows) for random, rows in blocks])

    several = np.concatenate([numbers(150, 7), numbers(150, 8)])
    assert len(set(several.tolist())) == 300
    np.testing.assert_array_equal(numbers(70, 7), several[:70])


def large_tables(rng: np.random.Generator) -> list[list[float]]:
    """Groups with rare patterns, with common ones, and with both."""
    mixed = [700.0, *rng.integers(1, 4, 60).astype(float)]
    return [[1.0] * 150, [400.0, 250.0], mixed, [35.0] * 8, [6.0], [3.0, 2.0, 1.0, 0.0]]


CASES = {
    "one pattern": [[7.0]],
    "one pattern a group": [[3.0], [2.0], [0.0], [5.0]],
    "zero weights": [[0.0, 3.0, 2.0, 0.0], [1.0, 0.0], [0.0, 0.0]],
    "fractions": [[0.5, 1.25, 0.1], [2.3, 0.3]],
    "less than one item": [[0.2, 0.1]],
    "rare and common": large_tables(np.random.default_rng(5)),
    "equal": [[2.0] * 40] * 20,
    "many equal": [[1.0] * 2000],
    "huge": [[1e9, 3e9, 10.0], [2.0, 1e6, 1.0, 1.0]],
}


@pytest.mark.slow
@pytest.mark.parametrize("root", [False, True], ids=["given coarse counts", "from the total"])
@pytest.mark.parametrize(
    ("case", "way"),
    [
        (case, way)
        for case in CASES
        for way in ("cheapest", *WAYS)
        # others would draw as many numbers as items
        if case != "huge" or way in ("cheapest", "binomials")
    ],
)
def test_the_distribution_is_that_of_the_reference(
    case: str, way: str, root: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Totals, and means and covariances of all patterns, or of many sums of them, in 5 errors."""
    if way in WAYS:
        use(way, monkeypatch)
    fine = refined(CASES[case])
    if root:
        monkeypatch.setattr(multinomial, "NANOSECONDS", 1e15)
        fine = PatternTable(fine.count)
        assert isinstance(multinomial.MULTINOMIAL.divide_root(fine), Refinement)
    check_law(drawn((fine,), REPLICATES, 21)[0], fine)


def check_law(rows: np.ndarray, fine: PatternTable) -> None:
    """Rows of whole counts, distributed as those of the reference."""
    np.testing.assert_allclose(rows.sum(axis=1), fine.items, rtol=1e-12)
    assert np.all(rows[:, fine.count == 0] == 0)
    assert np.all(rows >= 0)
    draws = max(round(fine.items), 1)
    counts = rows * (draws / fine.items)
    np.testing.assert_allclose(counts, np.rint(counts), atol=1e-9 * draws)
    sums = np.eye(len(fine.count))
    if len(sums) > 100:
        sums = 1.0 * (np.random.default_rng(2).random((40, len(sums))) < 0.1)
    check_alike(rows @ sums.T, plain(fine.count, len(rows)) @ sums.T)


def check_alike(first: np.ndarray, second: np.ndarray) -> None:
    """Means and covariances of two samples, within five errors of their differences."""
    replicates = len(first)
    middle = np.vstack([first, second]).mean(axis=0)
    both = first - middle, second - middle
    largest = np.max([np.abs(rows).max(axis=0) for rows in both], axis=0)
    means, variances = ([of(rows, axis=0) for rows in both] for of in (np.mean, np.var))
    check_means(means, variances, largest, replicates)
    products = [rows.T @ rows / replicates for rows in both]
    squares = [(rows**2).T @ rows**2 / replicates for rows in both]
    variances = [square - mean**2 for square, mean in zip(squares, products, strict=True)]
    check_means(products, variances, np.outer(largest, largest), replicates)


def check_means(
    means: Sequence[np.ndarray],
    variances: Sequence[np.ndarray],
    largest: np.ndarray,
    replicates: int,
) -> None:
    """Two means, given the variances of their numbers, and how large these are."""
    error = np.sqrt(np.sum(variances, axis=0).clip(0) / replicates)
    # numbers that are mostly 0 are far from normal: five of the largest more or fewer
    assert np.all(np.abs(means[0] - means[1]) <= 5 * error + 5 * largest / replicates)
