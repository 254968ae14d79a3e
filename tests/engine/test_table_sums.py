"""Sums by an index of one table: single precision only where it is exact."""

from __future__ import annotations

import numpy as np
import pytest

from iaa_jax import from_long
from iaa_jax.engine import Prepared
from iaa_jax.engine.table_sums import SparseSums
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver


@pytest.fixture(scope="module")
def crowd() -> SparseSums:
    """Pairs of 200 annotators, three of whom rate each item."""
    rng = np.random.default_rng(3)
    items = np.repeat(np.arange(400), 3)
    names = np.concatenate([rng.choice(200, 3, replace=False) for _ in range(400)])
    rows = {"item": items, "annotator": names, "label": rng.integers(0, 4, len(items))}
    problem = Resolver(Rated.of(from_long(rows))).request("mean_pairwise_cohen_kappa").problem
    matrix = Prepared([problem]).statistics(problem).indexed
    assert matrix is not None
    return SparseSums([matrix])


@pytest.mark.parametrize(
    ("largest", "fraction", "narrow"),
    [(9, 0.0, True), (9, 0.25, False), (1 << 24, 0.0, False)],
    ids=["counts", "fractions", "beyond single precision"],
)
def test_sums_are_exact(crowd: SparseSums, largest: int, fraction: float, narrow: bool) -> None:
    (matrix,) = crowd.matrices
    weights = np.random.default_rng(1).integers(0, largest, (8, matrix.shape[1])) + fraction
    sums = crowd.of(weights, "float64")
    assert np.array_equal(sums, matrix @ weights.T)
    assert sums.dtype == (np.float32 if narrow else np.float64)


def test_what_is_not_whole_stays_in_double_precision(crowd: SparseSums) -> None:
    (matrix,) = crowd.matrices
    weights = np.ones((2, matrix.shape[1]))
    assert np.array_equal(
        SparseSums([matrix * 0.7]).of(weights, "float64"), (matrix * 0.7) @ weights.T
    )
