"""Items drawn without replacement: all methods have the same distribution."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import comb, prod

import numpy as np
import pytest
from scipy.stats import chi2

from iaa_jax.engine import PatternTable
from iaa_jax.engine.drawing import without_replacement
from iaa_jax.engine.drawing.halves import random_halves
from iaa_jax.engine.drawing.without_replacement import drawn_items


@pytest.mark.parametrize("size", [2, 5])
@pytest.mark.parametrize("most", [0, 100])
def test_every_outcome_has_its_probability(
    monkeypatch: pytest.MonkeyPatch, size: int, most: int
) -> None:
    monkeypatch.setattr(without_replacement, "_MOST", most)
    count, rows = np.array([3, 0, 4, 2]), 20_000
    drawn = drawn_items(np.random.default_rng(3), count, size, rows)
    seen = Counter(map(tuple, drawn.tolist()))
    outcomes = [each for each in product(*(range(n + 1) for n in count)) if sum(each) == size]
    expected = [rows * prod(map(comb, count.tolist(), each)) / comb(9, size) for each in outcomes]
    assert sum(seen[each] for each in outcomes) == rows
    statistic = sum((seen[e] - n) ** 2 / n for e, n in zip(outcomes, expected, strict=True))
    assert statistic < chi2.ppf(0.999, len(outcomes) - 1)


def test_halves_of_more_items_than_numpy_draws_from() -> None:
    count = np.array([3e9, 7.0, 1e9, 0.0])
    first, second = random_halves(PatternTable(count), 4, 0)
    np.testing.assert_array_equal(first + second, np.tile(count, (4, 1)))
    assert (first >= 0).all()
    assert (second >= 0).all()
    assert (first.sum(axis=1) == 2e9 + 3).all()
    # the spread of a half of a pattern's items: sqrt(4e9 * .75 * .25 / 4)
    assert (np.abs(first[:, 0] - 1.5e9) < 5 * np.sqrt(3e9 / 16)).all()
