"""Rated items along time, and clusters of items.

If each cluster lies in a single batch, whole clusters are shuffled among the batches, which is
exact if clusters are exchangeable. Otherwise the clusters are put one after the other in random
order, and the items in this order get the times of all items, from the earliest to the latest. This
is exact if clusters follow one another in time, and conservative if they overlap.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Integers, Values
from iaa_jax.engine.drawing import Purpose, stream
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resampling import cluster_codes
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.requests.studies import patterns_of_items
from iaa_jax.measure.shared.times import ORDER, Times
from iaa_jax.wording import keyword

_WHOLE = 2_000_000

Indices = NDArray[np.intp]


@dataclass(frozen=True)
class Timeline:
    """Rated items along time, in cells of one item or of equal items.

    Cells are sorted by time, pattern and weight.
    """

    time: Floats  # (cell,) ascending
    pattern: Indices  # (cell,) the distinct row of ratings that the items have
    weight: Floats
    pairable: NDArray[np.bool_]  # (pattern,) whether it has enough ratings to be compared

    @property
    def _keys(self) -> tuple[Values, ...]:
        """Sort keys of cells, the most important key last."""
        return self.pattern, self.time

    def in_order(self) -> Self:
        """Return sorted cells, without weights of 0."""
        timeline = self.picked(np.flatnonzero(self.weight > 0))
        return timeline.picked(np.lexsort((timeline.weight, *timeline._keys)))

    def picked(self, cells: Indices) -> Self:
        """Return these cells, in this order."""
        time, pattern, weight = self.time[cells], self.pattern[cells], self.weight[cells]
        return replace(self, time=time, pattern=pattern, weight=weight)

    def merged(self) -> Self:
        """Merge items with the same time and ratings (for estimates, not for shuffling)."""
        first = np.ones(len(self.time), dtype=bool)
        first[1:] = np.any([np.diff(key) != 0 for key in self._keys], axis=0)
        starts = np.flatnonzero(first)
        weight = self.weight
        if len(starts):
            weight = np.add.reduceat(weight, starts)
        return replace(self.picked(starts), weight=weight)

    @property
    def patterns(self) -> int:
        """Number of patterns (distinct rows of ratings)."""
        return len(self.pairable)

    @cached_property
    def pairable_weight(self) -> Floats:
        """Weight of each cell's items with enough ratings to be compared."""
        return np.where(self.pairable[self.pattern], self.weight, 0.0)

    @property
    def has_whole_weights(self) -> bool:
        """Whether all weights are whole numbers."""
        return bool((self.weight % 1 == 0).all())

    def units(self) -> Self:
        """Return single items to shuffle and draw: an item of weight 2 becomes two items.

        If weights are not whole, or add up to more than two million, items stay as they are.
        """
        if not self.has_whole_weights or self.weight.sum() > _WHOLE:
            return self
        repeated = self.picked(np.repeat(np.arange(len(self.time)), self.weight.astype(np.intp)))
        return replace(repeated, weight=np.ones(len(repeated.time)))

    def table(self) -> Timeline | None:
        """Return a timeline with a cell for each time and pattern, or None if it would not help.

        It helps with more than two million items of whole weights, if it reduces the number of
        cells. Items are then shuffled by drawing counts with the same totals.
        """
        times = np.unique(self.time)
        few = self.weight.sum() <= _WHOLE or len(times) * self.patterns >= len(self.time)
        if not self.has_whole_weights or few:
            return None
        return self.by_time(times)

    def by_time(self, times: Floats) -> Timeline:
        """Return a timeline with a cell for each time and pattern."""
        cells = len(times) * self.patterns
        cell = np.searchsorted(times, self.time) * self.patterns + self.pattern
        counts = np.bincount(cell, self.weight, cells).astype(np.float64)
        pattern = np.tile(np.arange(self.patterns), len(times))
        return Timeline(np.repeat(times, self.patterns), pattern, counts, self.pairable)


@dataclass(frozen=True)
class ClusteredTimeline(Timeline):
    """A timeline of items in clusters, such as documents, that are random as a whole."""

    cluster: Indices  # (cell,)

    @property
    def _keys(self) -> tuple[Values, ...]:
        return self.pattern, self.cluster, self.time

    def picked(self, cells: Indices) -> Self:
        """Return these cells, in this order, with their clusters."""
        return replace(super().picked(cells), cluster=self.cluster[cells])

    def table(self) -> None:
        """Return None: whole clusters are shuffled."""


def timeline_of(
    resolver: Resolver, request: Request, times: Times, cluster: str | None = None
) -> Timeline:
    """Return the rated items with a time, and the pattern of each for this coefficient."""
    measure, tables = request.problem.measure, resolver.tables
    pattern = patterns_of_items(tables, measure)
    panel_size = (codes_of(resolver, request) >= 0).sum(axis=1)
    needed = resolver.tables.annotators if measure.complete else 2
    rated = request.problem.table.count[pattern] > 0
    timed = rated & np.isfinite(times.position)
    weight = np.where(timed, resolver.tables.item_weight, 0.0)
    columns = (times.position, pattern, weight, panel_size >= needed)
    if cluster is None:
        return Timeline(*columns).in_order()
    codes_of_items, names = cluster_codes(resolver.tables, cluster)
    # sorted by name, whatever their order in the file
    rank = np.argsort(np.argsort(np.asarray(names, dtype=str), kind="stable"), kind="stable")
    return ClusteredTimeline(*columns, rank[codes_of_items]).in_order()


def codes_of(resolver: Resolver, request: Request) -> Integers:
    """Return the codes (pattern, rating) of a coefficient's patterns."""
    tables = resolver.tables
    return (tables.identified if request.problem.measure.identified else tables.exchangeable).codes


def blocks_of(position: Floats, weight: Floats, times: Times, stretches: int) -> Indices:
    """Return each item's batch, or its stretch of about equal size."""
    distinct, index = np.unique(position, return_inverse=True)
    index = np.asarray(index, dtype=np.intp)
    if times.batches is not None:
        return index
    weight_at = np.bincount(index, weight, len(distinct))
    middle = np.cumsum(weight_at) - weight_at / 2
    stretch = np.minimum(middle / weight_at.sum() * stretches, stretches - 1).astype(np.intp)
    return np.asarray(np.unique(stretch, return_inverse=True)[1], dtype=np.intp)[index]


def check_timeline(timeline: Timeline, times: Times) -> None:
    """Refuse ratings without two items to compare, or without two times."""
    if not len(timeline.time) or timeline.pairable_weight.sum() < 2:
        with_value = "" if times.by == ORDER else f" with a value in {times.by!r}"
        raise IaaError(f"no two items{with_value} have two ratings: there is nothing to follow")
    if timeline.time[0] == timeline.time[-1]:
        at = times.coordinate_of(timeline.time[:1])[0]
        raise IaaError(
            f"{keyword('by', times.by)} is the same for all items ({at}): nothing to compare"
        )


@dataclass(frozen=True)
class ClustersInTime:
    """The clusters of a timeline, numbered by their middle times."""

    timeline: ClusteredTimeline  # with one cell for each item

    @cached_property
    def cluster_of_cell(self) -> Indices:
        """Number of each cell's cluster."""
        _, number = np.unique(self.timeline.cluster, return_inverse=True)
        by_cluster = np.lexsort((self.timeline.time, number))
        size = np.bincount(number)
        middle = self.timeline.time[by_cluster][np.cumsum(size) - size + (size - 1) // 2]
        rank = np.argsort(np.argsort(middle, kind="stable"), kind="stable")
        return np.asarray(rank[number], dtype=np.intp)

    @cached_property
    def size(self) -> Indices:
        """Number of cells of each cluster."""
        return np.bincount(self.cluster_of_cell)

    @property
    def number(self) -> int:
        """Number of clusters."""
        return len(self.size)

    @cached_property
    def _cells(self) -> Indices:
        """Cells by cluster and then time; equal times are in random order."""
        ties = stream(0, Purpose.TIED_TIMES).permutation(len(self.cluster_of_cell))
        return np.lexsort((ties, self.timeline.time, self.cluster_of_cell))

    @cached_property
    def patterns(self) -> csr_array:
        """Weight (cluster, pattern) of each cluster's items."""
        where = (self.cluster_of_cell, self.timeline.pattern)
        return csr_array((self.timeline.weight, where), shape=(self.number, self.timeline.patterns))

    def cells_of(self, clusters: Indices) -> Indices:
        """Return the cells of clusters, one cluster after the other."""
        size = self.size[clusters]
        ends = np.cumsum(size)
        first = np.cumsum(self.size)[clusters] - size
        order = np.arange(ends[-1]) + np.repeat(first - (ends - size), size)
        return np.asarray(self._cells[order])

    def drawn(self, clusters: Indices) -> Indices:
        """Return the cells of clusters, cut or repeated to the number of all cells."""
        cells = self.cells_of(clusters)
        return np.resize(cells, len(self.cluster_of_cell))

    def draw(self, draws: np.random.Generator) -> Indices:
        """Draw twice as many clusters as there are, in case they are small."""
        return draws.integers(0, self.number, 2 * self.number)

    def batches(self, block: Indices) -> Indices | None:
        """Return each cluster's batch, given each cell's; None if a cluster has several."""
        low = np.full(self.number, np.iinfo(np.intp).max)
        high = np.zeros(self.number, dtype=np.intp)
        np.minimum.at(low, self.cluster_of_cell, block)
        np.maximum.at(high, self.cluster_of_cell, block)
        return low if (low == high).all() else None

    def middle(self, block: Indices) -> Indices:
        """Return the batch of each cluster's middle cell."""
        first = np.cumsum(self.size) - self.size
        return np.asarray(block[self._cells[first + (self.size - 1) // 2]])


def clustered_errors(
    timeline: ClusteredTimeline, rows: Iterable[Floats], centred: Floats
) -> tuple[Floats, Floats]:
    """Return the standard error over clusters for each row of weights, and its degrees of freedom.

    ``rows`` gives the weights (cell,) of each row, and ``centred`` (row, pattern) holds derivatives
    less their mean. With G clusters, and T the sum over a cluster of weight times derivative,
    ``SE^2 = G / (G - 1) sum T^2``.
    """
    errors, degrees = [], []
    for weight, derivative in zip(rows, centred, strict=True):
        held = np.flatnonzero((weight > 0) & timeline.pairable[timeline.pattern])
        number = len(np.unique(timeline.cluster[held]))
        total = np.bincount(timeline.cluster, weight * derivative[timeline.pattern])
        degrees.append(number - 1.0)
        factor = number / (number - 1) if number > 1 else np.nan
        errors.append(np.sqrt(factor * (total**2).sum()))
    return np.array(errors), np.array(degrees)
