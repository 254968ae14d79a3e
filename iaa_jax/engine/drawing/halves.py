"""Random halves of the items, or of clusters of items."""

from __future__ import annotations

import numpy as np

from iaa_jax.engine.drawing.clusters import Clusters
from iaa_jax.engine.drawing.streams import Purpose, stream
from iaa_jax.engine.drawing.without_replacement import drawn_items
from iaa_jax.engine.problem import Floats, PatternTable


def random_halves(
    table: PatternTable, splits: int, seed: int, clusters: Clusters | None = None
) -> tuple[Floats, Floats]:
    """Return counts (split, pattern) of a random half of the items, and of the other half.

    Clusters are not divided between the halves, nor are patterns if any count is fractional.
    """
    random, count = stream(seed, Purpose.HALVES), table.count
    if clusters is not None:
        present = np.flatnonzero(clusters.count > 0)
        chosen = np.zeros((splits, len(clusters.count)))
        chosen[:, present] = _halves(random, splits, len(present))
        first = np.asarray((clusters.matrix_of(table).T @ chosen.T).T)
    elif np.array_equal(count, np.rint(count)):
        whole = count.astype(np.int64)
        first = drawn_items(random, whole, int(whole.sum()) // 2, splits).astype(np.float64)
    else:
        first = _halves(random, splits, len(count)) * count
    return first, count - first


def _halves(random: np.random.Generator, splits: int, size: int) -> Floats:
    ranks = random.random((splits, size)).argsort(axis=1).argsort(axis=1)
    return (ranks < size // 2).astype(np.float64)
