"""Bootstrap weights: exact, one stream a block, the same whatever else is asked."""

from __future__ import annotations

import numpy as np
import pytest

from iaa_jax.engine import Table, bootstrap_rows, jackknife_rows
from iaa_jax.engine.weights import BLOCK, rows_at_once


def tables() -> tuple[Table, Table]:
    coarse = Table(np.array([5.0, 0.0, 3.0, 12.0, 1.0]))
    fine = Table(
        np.array([2.0, 3.0, 4.0, 3.0, 8.0, 1.0, 0.0]), coarse, np.array([0, 0, 3, 2, 3, 4, 1])
    )
    assert np.array_equal(np.bincount(fine.pattern_of, weights=fine.count), coarse.count)
    return coarse, fine


def drawn(asked: tuple[Table, ...], replicates: int, seed: int) -> list[np.ndarray]:
    return [
        np.concatenate(part) for part in zip(*bootstrap_rows(asked, replicates, seed), strict=True)
    ]


def test_rows_are_whole_counts_of_all_items() -> None:
    coarse, fine = tables()
    for rows in drawn((coarse, fine), 200, 3):
        assert len(rows) == 4 * BLOCK
        assert np.array_equal(rows, np.rint(rows))
        assert np.all(rows >= 0)
        assert np.all(rows.sum(axis=1) == 21)


def test_fine_rows_are_parts_of_the_coarse_ones() -> None:
    coarse, fine = tables()
    whole, parts = drawn((coarse, fine), 128, 5)
    for group in range(len(coarse.count)):
        assert np.array_equal(parts[:, fine.pattern_of == group].sum(axis=1), whole[:, group])


def test_what_else_is_asked_changes_nothing() -> None:
    coarse, fine = tables()
    both = drawn((coarse, fine), 64, 7)
    assert np.array_equal(drawn((coarse,), 64, 7)[0], both[0])
    assert np.array_equal(drawn((fine,), 64, 7)[0], both[1])
    turned = drawn((fine, coarse), 64, 7)
    assert np.array_equal(turned[0], both[1])
    assert np.array_equal(turned[1], both[0])


def test_seed_and_block_make_the_stream() -> None:
    coarse, _ = tables()
    one = drawn((coarse,), 192, 1)[0]
    assert np.array_equal(one, drawn((coarse,), 192, 1)[0])
    assert np.array_equal(one[:64], drawn((coarse,), 10, 1)[0])
    assert not np.array_equal(one, drawn((coarse,), 192, 2)[0])
    assert len(np.unique(one[:, [0, 2, 3]], axis=0)) > 60


def test_rows_are_multinomial() -> None:
    """Means, variances and covariances within five standard errors of the exact ones."""
    coarse, fine = tables()
    replicates = 20_032
    for table, rows in zip((coarse, fine), drawn((coarse, fine), replicates, 11), strict=True):
        n, p = 21, table.count / 21
        covariance = n * (np.diag(p) - np.outer(p, p))
        error = np.sqrt(np.diag(covariance) / replicates)
        assert np.all(np.abs(rows.mean(axis=0) - n * p) <= 5 * error + 1e-12)
        found = np.cov(rows.T)
        spread = np.sqrt(
            (np.outer(np.diag(covariance), np.diag(covariance)) + covariance**2) / replicates
        )
        assert np.all(np.abs(found - covariance) <= 5 * spread + 1e-12)
        # fourth moments differ from the normal ones for rare patterns: compare the largest alone
        largest = int(np.argmax(p))
        counts = np.bincount(rows[:, largest].astype(int), minlength=n + 1) / replicates
        from scipy.stats import binom

        exact = binom.pmf(np.arange(n + 1), n, p[largest])
        assert np.all(np.abs(counts - exact) < 5 * np.sqrt(exact / replicates) + 1e-3)


def test_weights_that_are_not_whole_keep_their_total() -> None:
    table = Table(np.array([0.5, 1.25, 3.0]))
    rows = drawn((table,), 64, 0)[0]
    np.testing.assert_allclose(rows.sum(axis=1), 4.75)
    assert np.all(np.isclose(rows * 5 / 4.75, np.rint(rows * 5 / 4.75)))


def test_jackknife_rows() -> None:
    coarse, _ = tables()
    rows = jackknife_rows(coarse)
    assert rows.shape == (4, 5)
    assert np.array_equal(rows.sum(axis=1), [20] * 4)
    assert np.array_equal(coarse.count - rows[1], [0, 0, 1, 0, 0])


@pytest.mark.parametrize("patterns", [1, 100, 100_000, 5_000_000])
def test_rows_in_memory_are_bounded(patterns: int) -> None:
    rows = rows_at_once(patterns)
    assert BLOCK % rows == 0
    assert rows == 1 or rows * patterns <= 1 << 22
