"""Ratings with each label, counted in about the memory of the counts."""

from __future__ import annotations

import numpy as np

from iaa_jax.measure.shared.labels import label_counts
from tests.room import in_memory


def test_counts_of_a_large_panel() -> None:
    rng = np.random.default_rng(0)
    codes, shares = rng.integers(-1, 6, (2000, 300)), rng.random((6, 4))
    with in_memory(5 * 2000 * 4 * 8):
        counts = label_counts(codes, shares)
    expected = np.stack([(codes == code).sum(axis=1) for code in range(6)], axis=1) @ shares
    np.testing.assert_allclose(counts, expected, rtol=1e-12)
    assert not label_counts(np.full((3, 2), -1), shares).any()
