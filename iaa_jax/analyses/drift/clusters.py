"""Whole clusters of items along time, such as documents: shuffled, drawn, and their errors.

In batches a cluster has one batch as a rule. Then whole clusters change their batches: exact where
clusters may be exchanged. Otherwise clusters stand one after the other, by their middle times, and
their items take the times of all items in order: exact where clusters follow one another, and on
the safe side where they overlap in time (what differs between clusters then cancels in part).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from iaa_jax._types import Floats
from iaa_jax.analyses.drift.line import ClusteredLine, Indices
from iaa_jax.engine.drawing import stream

_TIES = 1005  # the stream that orders the items of a cluster with the same time


@dataclass(frozen=True)
class ClustersInTime:
    """The clusters of a line, numbered by their middle times."""

    line: ClusteredLine  # of the items one by one

    @cached_property
    def of_cell(self) -> Indices:
        """The number of each cell's cluster."""
        _, number = np.unique(self.line.cluster, return_inverse=True)
        by_cluster = np.lexsort((self.line.time, number))
        size = np.bincount(number)
        middle = self.line.time[by_cluster][np.cumsum(size) - size + (size - 1) // 2]
        rank = np.argsort(np.argsort(middle, kind="stable"), kind="stable")
        return np.asarray(rank[number], dtype=np.intp)

    @cached_property
    def size(self) -> Indices:
        """How many cells each has."""
        return np.bincount(self.of_cell)

    @property
    def number(self) -> int:
        """How many there are."""
        return len(self.size)

    @cached_property
    def _cells(self) -> Indices:
        """The cells by cluster; in each by time, where that is equal in no order."""
        ties = stream(0, _TIES).permutation(len(self.of_cell))
        return np.lexsort((ties, self.line.time, self.of_cell))

    @cached_property
    def patterns(self) -> csr_array:
        """The weight (cluster, pattern) of each cluster's items."""
        where = (self.of_cell, self.line.pattern)
        return csr_array((self.line.weight, where), shape=(self.number, self.line.patterns))

    def laid(self, clusters: Indices) -> Indices:
        """The cells of these clusters, one cluster after the other."""
        size = self.size[clusters]
        ends = np.cumsum(size)
        first = np.cumsum(self.size)[clusters] - size
        order = np.arange(ends[-1]) + np.repeat(first - (ends - size), size)
        return np.asarray(self._cells[order])

    def drawn(self, clusters: Indices) -> Indices:
        """As many cells as there are, of clusters drawn one after the other; repeated if few."""
        cells = self.laid(clusters)
        return np.resize(cells, len(self.of_cell))

    def any_of(self, draws: np.random.Generator) -> Indices:
        """As many clusters as there are, and as many more for when these are small, drawn."""
        return draws.integers(0, self.number, 2 * self.number)

    def batches(self, block: Indices) -> Indices | None:
        """The batch of each cluster, where each has one; ``block`` (cell,) is that of items."""
        low = np.full(self.number, np.iinfo(np.intp).max)
        high = np.zeros(self.number, dtype=np.intp)
        np.minimum.at(low, self.of_cell, block)
        np.maximum.at(high, self.of_cell, block)
        return low if (low == high).all() else None

    def middle(self, block: Indices) -> Indices:
        """The batch of the middle of each cluster."""
        first = np.cumsum(self.size) - self.size
        return np.asarray(block[self._cells[first + (self.size - 1) // 2]])


def clustered_errors(
    line: ClusteredLine, rows: Iterable[Floats], centred: Floats
) -> tuple[Floats, Floats]:
    """Standard errors by clusters, and one less than the clusters that each row stands on.

    ``rows`` are weights (cell,), and ``centred`` (row, pattern) derivatives less their mean. With T
    the sum over a cluster of weight times derivative, ``SE^2 = G / (G - 1) sum T^2``.
    """
    errors, degrees = [], []
    for weight, derivative in zip(rows, centred, strict=True):
        held = np.flatnonzero((weight > 0) & line.pairable[line.pattern])
        number = len(np.unique(line.cluster[held]))
        total = np.bincount(line.cluster, weight * derivative[line.pattern])
        degrees.append(number - 1.0)
        factor = number / (number - 1) if number > 1 else np.nan
        errors.append(np.sqrt(factor * (total**2).sum()))
    return np.array(errors), np.array(degrees)
