"""Rated items along time: what windows and cuts weigh, and what tests shuffle."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats
from iaa_jax.analyses.drift.times import ORDER, Times
from iaa_jax.measure.request import Request, Resolver
from iaa_jax.measure.studies import patterns_of_items, weights_of_items
from iaa_jax.wording import keyword

_WHOLE = 2_000_000

Indices = NDArray[np.intp]


@dataclass(frozen=True)
class Line:
    """Rated items along time, each as one cell, or those alike together.

    Cells stand by time, pattern and weight, so that the order of the items does not matter.
    """

    time: Floats  # (cell,) ascending
    pattern: Indices
    weight: Floats
    pairable: NDArray[np.bool_]  # (pattern,)

    @classmethod
    def of_items(
        cls, time: Floats, pattern: Indices, weight: Floats, pairable: NDArray[np.bool_]
    ) -> Line:
        """A cell for each item; ``weight`` 0 leaves an item out."""
        present = np.flatnonzero(weight > 0)
        order = present[np.lexsort((weight[present], pattern[present], time[present]))]
        return cls(time[order], pattern[order], weight[order], pairable)

    def merged(self) -> Line:
        """Items with the same time and the same ratings as one cell: enough for figures.

        Not for shuffling: such a cell is no item that might have stood elsewhere.
        """
        first = np.ones(len(self.time), dtype=bool)
        first[1:] = (np.diff(self.time) > 0) | (np.diff(self.pattern) > 0)
        starts = np.flatnonzero(first)
        weight = self.weight
        if len(starts):
            weight = np.add.reduceat(weight, starts)
        return Line(self.time[starts], self.pattern[starts], weight, self.pairable)

    @property
    def patterns(self) -> int:
        """How many patterns the rows of weights have."""
        return len(self.pairable)

    @cached_property
    def of_pairs(self) -> Floats:
        """The weight of the items with two ratings, of each cell."""
        return np.where(self.pairable[self.pattern], self.weight, 0.0)

    @property
    def has_whole_weights(self) -> bool:
        """Whether weights are numbers of like items."""
        return bool((self.weight % 1 == 0).all())

    def units(self) -> Line:
        """What is shuffled and drawn: an item that weighs 2 as two items.

        Where weights are not whole, or very many, each item with its own weight.
        """
        if not self.has_whole_weights or self.weight.sum() > _WHOLE:
            return self
        times = self.weight.astype(np.intp)
        ones = np.ones(int(times.sum()))
        return Line(
            np.repeat(self.time, times), np.repeat(self.pattern, times), ones, self.pairable
        )

    def table(self) -> Line | None:
        """A cell for each time and pattern, where items are very many and those are far fewer.

        With whole weights the cells hold numbers of items, and to shuffle the items is to draw
        such a table with the same totals.
        """
        times, row = np.unique(self.time, return_inverse=True)
        cells = len(times) * self.patterns
        if not self.has_whole_weights or self.weight.sum() <= _WHOLE or cells >= len(self.time):
            return None
        cell = row * self.patterns + self.pattern
        counts = np.bincount(cell, self.weight, cells).astype(np.float64)
        pattern = np.tile(np.arange(self.patterns), len(times))
        return Line(np.repeat(times, self.patterns), pattern, counts, self.pairable)


def line_of(resolver: Resolver, request: Request, times: Times) -> Line:
    """The rated items that have a time, on the patterns of a coefficient."""
    measure, tables = request.problem.measure, resolver.tables
    pattern = patterns_of_items(tables, measure)
    codes = tables.identified.codes if measure.identified else tables.exchangeable.codes
    panel_size = (codes >= 0).sum(axis=1)
    needed = resolver.ratings.sizes["annotator"] if measure.complete else 2
    rated = request.problem.table.count[pattern] > 0
    timed = rated & np.isfinite(times.position)
    weight = np.where(timed, weights_of_items(resolver.ratings), 0.0)
    return Line.of_items(times.position, pattern, weight, panel_size >= needed)


def blocks_of(position: Floats, weight: Floats, times: Times, stretches: int) -> Indices:
    """The batch of each item, or the stretch of so many with as many items each."""
    distinct, index = np.unique(position, return_inverse=True)
    index = np.asarray(index, dtype=np.intp)
    if times.batches is not None:
        return index
    weight_at = np.bincount(index, weight, len(distinct))
    middle = np.cumsum(weight_at) - weight_at / 2
    stretch = np.minimum(middle / weight_at.sum() * stretches, stretches - 1).astype(np.intp)
    return np.asarray(np.unique(stretch, return_inverse=True)[1], dtype=np.intp)[index]


def check_line(line: Line, times: Times) -> None:
    """Refuse what gives nothing to follow."""
    if not len(line.time) or line.of_pairs.sum() < 2:
        with_value = "" if times.by == ORDER else f" with a value in {times.by!r}"
        message = f"no two items{with_value} have two ratings: there is nothing to follow"
        raise IaaError(message)
    if line.time[0] == line.time[-1]:
        at = times.coordinate_of(line.time[:1])[0]
        message = f"{keyword('by', times.by)} is the same for all items ({at}): nothing to compare"
        raise IaaError(message)
