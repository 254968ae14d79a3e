"""The order of likeness: rows that are alike stand side by side, in every part."""

from __future__ import annotations

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax.analyses.diagnose.ranking import order_by_likeness


def chain(rows: int) -> np.ndarray:
    """Rows that are less alike the farther apart, with nothing in common at the ends."""
    apart = np.abs(np.subtract.outer(np.arange(rows), np.arange(rows)))
    return 1 - apart / (rows - 1)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("parts", [(6,), (5, 4), (4, 6, 5), (3, 1, 1, 4)])
def test_each_part_is_ordered_and_stays_together(parts: tuple[int, ...], seed: int) -> None:
    rows = sum(parts)
    likeness, place, part = np.zeros((rows, rows)), np.zeros(rows, int), np.zeros(rows, int)
    first = 0
    for number, size in enumerate(parts):
        here = slice(first, first + size)
        likeness[here, here] = 0.2 + chain(size) if size > 1 else 1
        place[here], part[here] = np.arange(size), number
        first += size
    mixed = np.random.default_rng(seed).permutation(rows)
    order = order_by_likeness(likeness[np.ix_(mixed, mixed)])
    assert sorted(order.tolist()) == list(range(rows))
    told = part[mixed][order]
    assert np.count_nonzero(np.diff(told)) == len(parts) - 1
    for number in range(len(parts)):
        steps = np.diff(place[mixed][order][told == number])
        assert (np.abs(steps) == 1).all()
        assert len({*steps.tolist()}) <= 1


def test_labels_of_a_scale_stay_in_their_order() -> None:
    rows = [[1, 3, 1], [1, 1, 3], [2, 2, 1], [3, 3, 1]] * 5
    texts = [["abc"[label - 1] for label in row] for row in rows]
    assert iaa.labels(iaa.from_wide(rows), interval=None).label_place.values.tolist() == [0, 1, 2]
    by_likeness = iaa.labels(iaa.from_wide(texts), interval=None).label_place.values
    assert by_likeness.tolist() != [0, 1, 2]
