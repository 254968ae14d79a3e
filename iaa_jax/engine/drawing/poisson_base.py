"""Draw most of a large group's counts as Poisson numbers, by one look-up per pattern.

A group consists of the patterns (sets of items with the same ratings) that refine one coarse
pattern. The Poisson numbers of a group are its base; a few items are added to the base singly.

Why it is exact. Independent Poisson numbers with means proportional to the shares are multinomial
given their total T (Johnson, Kotz and Balakrishnan 1997, chapter 35). If the remaining n - T of a
group's n items are drawn singly, the counts of all n items are multinomial, whatever the
distribution of T. If T exceeds n, the numbers are dropped and all n items are drawn singly; this
choice depends on T alone. The means may thus have any scale. The scale is chosen so that on average
the fewest items are drawn singly.

A Poisson number uses 16 random bits: the 10 highest select a cell of a look-up table, and most
cells have a single value. In a cell with several values, a uniform point within the cell decides,
by the distribution function in double precision. Values above 254, with probability below 1e-36,
are never drawn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from iaa_jax.engine.drawing import single_items
from iaa_jax.engine.drawing.grouped import BASE_CELLS, BASE_WITHIN, Counts, Grouped, Indices, ranges
from iaa_jax.engine.drawing.streams import Streams
from iaa_jax.engine.problem import Floats, Integers

NANOSECONDS = 4.0
"""The cost of drawing one pattern, in nanoseconds."""

_LARGEST_MEAN = 100.0
"""The largest Poisson mean with a look-up table."""

_TABLES = 128
"""The maximum number of distinct fractional weights for which look-up tables are made."""

_BITS = 10

_SEVERAL = 255
"""Marks a cell with several values in a look-up table; all values are smaller."""


def level_of(expected: Floats) -> NDArray[np.int64]:
    """Return the level of each group's base, which sets the base's share of the group (`share_of`).

    A base's total and the group's count differ by about s, the square root of twice the expected
    count n. If the base's total is smaller than the count by z s on average, ``z s + n P(Z > z)``
    items are drawn singly, where Z is standard normal. This number is least near ``z^2 = log(n / 4
    pi)``. Level 0 means no base.
    """
    usual = np.log(np.maximum(expected / (4 * np.pi), 1.0))
    short = np.where(usual > 0, np.sqrt(2 * usual / expected), 1.0)
    return np.asarray(np.floor(-2 * np.log2(np.minimum(short, 1.0))), dtype=np.int64)


def share_of(level: Integers) -> Floats:
    """Return the base's share of the expected count."""
    return 1 - 2.0 ** (-level / 2)


def cost(patterns: Grouped) -> Floats:
    """Return, for each pattern, the cost of drawing it and all later patterns of its group.

    The cost is infinite if these patterns cannot have a base.
    """
    mean, expected = patterns.weight * patterns.scale, patterns.tail * patterns.scale
    level = level_of(expected)
    share = share_of(level)
    z = (1 - share) * expected / np.sqrt((1 + share) * expected)
    # the probability that the base exceeds the group's count, by Birnbaum's bound
    too_many = np.sqrt(2 / np.pi) * np.exp(-(z**2) / 2) / (z + np.sqrt(z**2 + 8 / np.pi))
    singly = single_items.cost_of_one(patterns) * expected * (1 - share + too_many)
    possible = (level > 0) & (mean <= _LARGEST_MEAN)
    if not patterns.whole and len(np.unique(mean[possible])) > _TABLES:
        possible[:] = False
    return np.where(possible, NANOSECONDS * patterns.members + singly, np.inf)


@dataclass(frozen=True, eq=False)
class PoissonBase:
    """Draws the base of the first groups, whose patterns are the first columns.

    Attributes
    ----------
    first, size : arrays (group,)
        The first column of each group, and its number of columns.
    offset : array (column,)
        Where the look-up table of each column begins.
    sure, least : arrays (cell,)
        For each cell of all tables, its value (``_SEVERAL`` if it has several values), and its
        smallest value.
    bounds : array (bound,)
        The distribution function for each table, as 256 bounds in units of cells.
    """

    first: Indices
    size: Indices
    offset: Indices
    sure: NDArray[np.uint8]
    least: NDArray[np.uint8]
    bounds: Floats

    @classmethod
    def of(cls, mean: Floats, expected: Floats, first: Indices) -> PoissonBase:
        """Return the base, given expected counts of columns and groups, and each group's start."""
        size = np.diff(np.append(first, len(mean)))
        share = np.repeat(share_of(level_of(expected)), size)
        means, mean_of = np.unique(mean * share, return_inverse=True)
        return cls(first, size, mean_of << _BITS, *poisson_cells(means))

    @property
    def columns(self) -> slice:
        """All columns up to the end of the last group."""
        return slice(0, len(self.offset))

    def take(self, remaining: Counts, streams: Streams) -> NDArray[np.uint8]:
        """Return Poisson numbers, all 0 in a group where their total exceeds the count."""
        rows, columns = len(remaining), len(self.offset)
        words = -(-columns // 4)
        raw = streams(BASE_CELLS).bit_generator.random_raw(rows * words)
        bits = raw.astype("<u8", copy=False).view("<u2").reshape(rows, -1)[:, :columns]
        cell = (bits >> (16 - _BITS)) + self.offset
        base = self.sure.take(cell)
        several = np.flatnonzero(base == _SEVERAL)
        base.ravel()[several] = self._within(cell.ravel()[several], streams(BASE_WITHIN))
        total = np.add.reduceat(base, self.first, axis=1, dtype=np.int64)
        needed = remaining[:, : len(self.first)]
        row, group = np.nonzero(total > needed)
        total[row, group] = 0
        base.ravel()[ranges(row * columns + self.first[group], self.size[group])] = 0
        needed -= total
        return base

    def _within(self, cell: Indices, stream: np.random.Generator) -> NDArray[np.uint8]:
        point = (cell & ((1 << _BITS) - 1)) + stream.random(len(cell))
        value = self.least[cell]
        bound = cell >> _BITS << 8
        above = np.flatnonzero(point >= self.bounds[bound + value])
        while len(above):
            value[above] += 1
            above = above[point[above] >= self.bounds[bound[above] + value[above]]]
        return value


def poisson_cells(mean: Floats) -> tuple[NDArray[np.uint8], NDArray[np.uint8], Floats]:
    """Return look-up tables of Poisson numbers: a cell's value, its least value, and all bounds.

    Bounds and points are measured in cells. A number is the least value whose bound lies above the
    point drawn.
    """
    cells, values = 1 << _BITS, np.arange(1, _SEVERAL + 1)
    mass = np.exp(-mean)[:, None] * np.cumprod(
        np.append(np.ones((len(mean), 1)), mean[:, None] / values, axis=1), axis=1
    )
    bounds = np.cumsum(mass, axis=1) * cells
    bounds[:, _SEVERAL - 1 :] = np.inf
    row = np.arange(len(mean))[:, None] * (cells + 1)
    least, most = (
        np.bincount(
            (row + np.minimum(edge, cells).astype(np.int64)).ravel(),
            minlength=len(mean) * (cells + 1),
        )
        .reshape(-1, cells + 1)[:, :cells]
        .cumsum(axis=1)
        for edge in (np.ceil(bounds), np.floor(bounds))
    )
    sure = np.where(least == most, least, _SEVERAL)
    return sure.astype(np.uint8).ravel(), least.astype(np.uint8).ravel(), bounds.ravel()
