"""Products of weights and statistics on NumPy, made in parts."""

from __future__ import annotations

import numpy as np
import pytest

from iaa_jax.engine.products import sums_of_rows


@pytest.mark.parametrize(
    ("rows", "patterns", "columns"),
    [(0, 3, 2), (1, 1, 1), (5, 0, 2), (3, 4, 0), (64, 126, 90), (33, 700, 129), (70, 5000, 5)],
)
def test_parts_are_the_product(rows: int, patterns: int, columns: int) -> None:
    rng = np.random.default_rng(2)
    weights = rng.integers(0, 9, (rows, patterns)).astype(float)
    matrix = rng.integers(-9, 9, (patterns, columns)).astype(float)
    assert np.array_equal(sums_of_rows(weights, matrix), (weights @ matrix).T)
