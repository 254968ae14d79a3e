"""Seeds to weight rows: each row says how often each pattern counts in one replicate.

Counts of a coarse table are multinomial. Counts of a table that refines it are multinomial again in
each coarse pattern (a group), given that pattern's count, and are drawn in the way that costs least
for the group: binomials for its common patterns, and for the rest either single items or a base
and items. A base gives each pattern a Poisson number from a look-up table. Given its total such a
base is multinomial whatever the total is, so the items that it falls short of the group's count
complete it exactly, and a base that has too many is dropped and all its items are drawn singly.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, reduce

import numpy as np
from numpy.typing import NDArray

from iaa_jax.engine.blocks import BLOCK, in_blocks, stream
from iaa_jax.engine.problem import Floats, PatternTable

Counts = NDArray[np.int64]
Indices = NDArray[np.intp]
_Streams = Callable[[int], np.random.Generator]

_THREADS = min(8, os.cpu_count() or 1)

_CELLS = 1 << 22
"""Cells of the rows that are handed over together."""

_HELD = 1 << 25
"""Cells of all blocks that threads may hold."""

_NEAR = 1 << 15
"""Cells that are split together, so that they stay in a processor's cache."""

_BINOMIAL, _PICK, _SEARCH, _LOOK = 90.0, 8.0, 60.0, 4.0
"""Nanoseconds of a binomial, a single item (of whole weight, or not), and a pattern of a base."""

_LARGEST = 100.0
"""The largest mean of a Poisson number that is looked up."""

_DISTINCT = 128
"""Distinct weights, where they are not whole, up to which look-up tables are made."""

_BITS = 10
"""A look-up table has 2^10 cells: the highest bits of 16."""

_SEVERAL = 255
"""Stands in a look-up table where a cell holds several values; all values are below."""

_BASE, _ITEMS, _ALONE = range(3)
"""How the rest of a group is drawn; alone: it is one pattern, and nothing is left to draw."""

_CELL, _WITHIN, _ITEM, _BINOMIALS = range(4)
"""Purposes of the streams of a split; those of the binomials are the last and all beyond."""


def rows_at_once(patterns: int) -> int:
    """Rows of a block that are held in memory together; a function of the size alone."""
    rows = BLOCK
    while rows > 1 and rows * patterns > _CELLS:
        rows //= 2
    return rows


def bootstrap_rows(
    tables: Sequence[PatternTable], replicates: int, seed: int
) -> Iterator[tuple[Floats, ...]]:
    """Multinomial counts of items, exact, for several tables of the same ratings.

    Each block of 64 replicates has streams of its own, made from the seed and the block's number.
    Where a table refines a coarse one, the coarse counts are drawn first and then split.

    Yields
    ------
    tuple of array (row, pattern)
        One array a table; rows beyond ``replicates`` in the last block are drawn as well.
    """
    draw = _Draw(tables, seed)
    yield from in_blocks(draw.block, replicates, threads_for(tables))


def threads_for(tables: Sequence[PatternTable]) -> int:
    """Threads whose blocks of rows can be held at once."""
    return min(_THREADS, _HELD // (BLOCK * sum(len(table.count) for table in tables)) - 1)


class _Draw:
    """All that blocks have in common: the roots that are drawn, and how each table is split."""

    def __init__(self, tables: Sequence[PatternTable], seed: int) -> None:
        self.seed = seed
        roots = list({id(coarsest(table)): coarsest(table) for table in tables}.values())
        self.root_of = [
            next(i for i, root in enumerate(roots) if root is coarsest(table)) for table in tables
        ]
        self.roots = [(_draws(root), root.count / root.items) for root in roots]
        self.scales = [root.items / _draws(root) for root in roots]
        self.splits = [
            None
            if table.coarse is None or table.pattern_of is None
            else _Split(table, table.coarse, table.pattern_of)
            for table in tables
        ]
        self.rows = rows_at_once(max(len(table.count) for table in tables))

    def block(self, block: int) -> Iterator[tuple[Floats, ...]]:
        # streams are numbered by the root alone: what else is asked changes no draw
        streams = [stream(self.seed, block, 2 * index) for index in range(len(self.roots))]
        parts = [_streams(self.seed, block, 2 * index + 1) for index in self.root_of]
        for _ in range(BLOCK // self.rows):
            drawn = [
                rng.multinomial(*root, size=self.rows)
                for rng, root in zip(streams, self.roots, strict=True)
            ]
            rows_of_tables = []
            for index, split, part in zip(self.root_of, self.splits, parts, strict=True):
                rows: Floats = drawn[index].astype(np.float64)
                if split is not None:
                    rows = split.rows(drawn[index], part)
                scale = self.scales[index]
                rows_of_tables.append(rows if scale == 1.0 else rows * scale)
            yield tuple(rows_of_tables)


def coarsest(table: PatternTable) -> PatternTable:
    """The table that is drawn first."""
    return table if table.coarse is None else table.coarse


def _draws(table: PatternTable) -> int:
    """Weights that are not whole keep their own total: as many draws as items, then scaled."""
    return max(round(table.items), 1)


def _streams(*key: int) -> _Streams:
    """A stream a purpose, made when first asked for.

    Each is read row by row, so that the number of rows drawn together changes no digit.
    """
    return cache(lambda purpose: stream(*key, purpose))


@dataclass(frozen=True)
class _Common:
    """Groups with about as many common patterns, which binomials draw one after the other."""

    at: Indices
    """Where the groups stand among all."""
    chance: Floats
    """(group, pattern): of each common pattern, then zeros, and last of all the others together."""
    filled: NDArray[np.bool_]
    """(group, pattern): where there is a common pattern."""


class _Split:
    """How a table's counts are drawn, given those of the coarse table; made once a call.

    Columns are the patterns in the order in which they are worked on: those with a base, those
    drawn as single items, those that are alone behind the common ones, and the common ones.
    ``group`` holds the coarse patterns in the order of the first three, ``first`` their columns.
    """

    def __init__(
        self, table: PatternTable, coarse: PatternTable, pattern_of: NDArray[np.integer]
    ) -> None:
        order = np.flatnonzero(table.count > 0)
        order = order[np.lexsort((-table.count[order], pattern_of[order]))]
        weight = table.count[order].astype(np.float64)
        group, first, size = np.unique(pattern_of[order], return_index=True, return_counts=True)
        # what a pattern and those behind it in its group weigh together
        behind = np.append(np.cumsum(weight[::-1])[::-1], 0.0)
        remaining = np.maximum(behind[:-1] - np.repeat(behind[first + size], size), weight)
        whole = self.whole_weights = bool(np.all(weight == np.rint(weight)))
        scale = _draws(coarse) / coarse.items
        start, kind, level = _cheapest(weight * scale, remaining * scale, first, size, whole)

        turn = np.argsort(kind, kind="stable")
        self.group, members = group[turn], (first + size - start)[turn]
        self.first = np.append(0, np.cumsum(members))
        self.based_groups, self.pooled_groups = np.searchsorted(kind[turn], [_ITEMS, _ALONE])
        self.based, self.pooled = self.first[[self.based_groups, self.pooled_groups]]
        columns = [_ranges(start[turn], members)]

        pooled = columns[0][: self.pooled]
        self.ends = np.append(0.0, np.cumsum(weight[pooled]))
        self.item = np.repeat(
            np.arange(self.pooled, dtype=np.int32),
            weight[pooled].astype(np.intp) if self.whole_weights else 0,
        )
        share = np.repeat(_share(level[turn]), members)[: self.based]
        mean = weight[pooled[: self.based]] * scale * share
        means, mean_of = np.unique(mean, return_inverse=True)
        self.offset = mean_of << _BITS
        self.sure, self.least, self.bounds = _poisson_cells(means)

        self.common: list[_Common] = []
        many = (start - first)[turn]
        for size_class in 1 << np.arange(int(many.max(initial=0)).bit_length() + 1):
            at = np.flatnonzero((many > size_class // 2) & (many <= size_class))
            if len(at):
                filled = np.arange(size_class + 1) < many[at][:, None]
                columns.append(_ranges(first[turn[at]], many[at]))
                chance = np.zeros(filled.shape)
                chance[filled] = weight[columns[-1]]
                chance[:, -1] = remaining[start[turn[at]]]
                self.common.append(
                    _Common(at, chance / remaining[first[turn[at]]][:, None], filled)
                )
        # patterns without items read one column more, which is zero
        self.columns = len(order)
        self.column_of = np.full(len(table.count), self.columns)
        self.column_of[order[np.concatenate(columns)]] = np.arange(len(order))

    def rows(self, drawn: Counts, streams: _Streams) -> Floats:
        """Rows of the table's counts, from rows of the coarse one's."""
        rows = np.empty((len(drawn), len(self.column_of)))
        batch = max(1, _NEAR // len(self.column_of))
        for row in range(0, len(drawn), batch):
            columns = self._columns(drawn[row : row + batch], streams)
            np.take(columns, self.column_of, axis=1, out=rows[row : row + batch], mode="clip")
        return rows

    def _columns(self, drawn: Counts, streams: _Streams) -> Floats:
        remaining = drawn[:, self.group]
        columns = np.empty((len(drawn), self.columns + 1))
        columns[:, -1] = 0
        column = self.first[-1]
        for number, common in enumerate(self.common):
            stream = streams(_BINOMIALS + number)
            drawn_of_common = stream.multinomial(remaining[:, common.at], common.chance)
            remaining[:, common.at] = drawn_of_common[..., -1]
            counts = drawn_of_common[:, common.filled]
            columns[:, column : column + counts.shape[1]] = counts
            column += counts.shape[1]
        columns[:, self.pooled : self.first[-1]] = remaining[:, self.pooled_groups :]
        if not self.pooled:
            return columns
        needed = remaining[:, : self.pooled_groups]
        if self.based:
            base, total = self._base(needed[:, : self.based_groups], streams)
            needed[:, : self.based_groups] -= total
        columns[:, : self.pooled] = self._single_items(needed, streams(_ITEM))
        if self.based:
            columns[:, : self.based] += base
        return columns

    def _base(self, allowed: Counts, streams: _Streams) -> tuple[NDArray[np.uint8], Counts]:
        """Poisson numbers, and their total in each group; zeros where there are too many."""
        rows, words = len(allowed), -(-self.based // 4)
        raw = streams(_CELL).bit_generator.random_raw(rows * words)
        bits = raw.astype("<u8", copy=False).view("<u2").reshape(rows, -1)[:, : self.based]
        cell = (bits >> (16 - _BITS)) + self.offset
        base = self.sure.take(cell)
        several = np.flatnonzero(base == _SEVERAL)
        base.ravel()[several] = self._within(cell.ravel()[several], streams(_WITHIN))
        first = self.first[: self.based_groups]
        total = np.add.reduceat(base, first, axis=1, dtype=np.int64)
        row, group = np.nonzero(total > allowed)
        total[row, group] = 0
        size = self.first[group + 1] - first[group]
        base.ravel()[_ranges(row * self.based + first[group], size)] = 0
        return base, total

    def _within(self, cell: Indices, stream: np.random.Generator) -> NDArray[np.uint8]:
        """Values where the cell holds several: a uniform number in the cell decides."""
        point = (cell & ((1 << _BITS) - 1)) + stream.random(len(cell))
        value = self.least[cell]
        bound = cell >> _BITS << 8
        above = np.flatnonzero(point >= self.bounds[bound + value])
        while len(above):
            value[above] += 1
            above = above[point[above] >= self.bounds[bound[above] + value[above]]]
        return value

    def _single_items(self, needed: Counts, stream: np.random.Generator) -> Counts:
        """So many items of each group, each drawn from all of the group's."""
        rows = len(needed)
        cumulative = np.append(0, np.cumsum(needed))
        most = max(_NEAR, rows * self.pooled)
        counts = (
            np.bincount(
                self._drawn(np.diff(np.clip(cumulative, begin, begin + most)), rows, stream),
                minlength=rows * self.pooled,
            )
            for begin in range(0, max(int(cumulative[-1]), 1), most)
        )
        return reduce(np.add, counts).reshape(rows, -1)

    def _drawn(self, needed: Counts, rows: int, stream: np.random.Generator) -> Indices:
        """The columns, counted on from row to row, of items drawn from each group of each row."""

        def each(row: NDArray) -> NDArray:
            return np.repeat(np.tile(row, rows), needed)

        first = self.first[: len(needed) // rows + 1]
        low = self.ends[first]
        point = stream.random(int(needed.sum()))
        point *= each(np.diff(low))
        if self.whole_weights:
            item = point.astype(np.intp)
            item += each(low[:-1].astype(np.intp))
            column = self.item.take(item)
        else:
            point += each(low[:-1])
            column = np.searchsorted(self.ends[1:], point, side="right")
            column = column.clip(each(first[:-1]), each(first[1:] - 1))
        start = np.arange(rows) * self.pooled
        return column + np.repeat(start, needed.reshape(rows, -1).sum(axis=1))


def _cheapest(
    mean: Floats, remaining: Floats, first: Indices, size: Indices, whole: bool
) -> tuple[Indices, NDArray[np.integer], NDArray[np.integer]]:
    """Of each group: the first pattern that is not common, how the rest is drawn, a base's level.

    Patterns stand by group and then by falling mean; ``rest`` is the mean of a pattern and all
    behind it in its group. A function of the data alone.
    """
    position = np.arange(len(mean)) - np.repeat(first, size)
    members = np.repeat(size, size) - position
    # A base's total and the group's count differ by about s = sqrt(2 rest). With a base that is
    # smaller by z s, z s + rest P(Z > z) items are drawn singly: least at z^2 = log(rest / 4 pi).
    usual = np.log(np.maximum(remaining / (4 * np.pi), 1.0))
    short = np.where(usual > 0, np.sqrt(2 * usual / remaining), 1.0)
    level = np.floor(-2 * np.log2(np.minimum(short, 1.0))).astype(np.int64)
    share = _share(level)
    z = (1 - share) * remaining / np.sqrt((1 + share) * remaining)
    # Birnbaum's bound
    tail = np.sqrt(2 / np.pi) * np.exp(-(z**2) / 2) / (z + np.sqrt(z**2 + 8 / np.pi))
    item_cost = _PICK if whole else _SEARCH
    base = _LOOK * members + item_cost * remaining * (1 - share + tail)
    looked = (level > 0) & (mean <= _LARGEST)
    if not whole and len(np.unique(mean[looked])) > _DISTINCT:
        looked[:] = False
    costs = (
        np.where(looked, base, np.inf),
        item_cost * remaining,
        np.where(members == 1, 0.0, np.inf),
    )
    kind = np.argmin(costs, axis=0)
    cost = np.min(costs, axis=0) + _BINOMIAL * position
    least = np.flatnonzero(cost == np.repeat(np.minimum.reduceat(cost, first), size))
    start = least[np.searchsorted(least, first)]
    return start, kind[start], level[start]


def _share(level: NDArray[np.integer]) -> Floats:
    """Of a group's mean, the share that is in its base: few levels, so few look-up tables."""
    return 1 - 2.0 ** (-level / 2)


def _poisson_cells(mean: Floats) -> tuple[NDArray[np.uint8], NDArray[np.uint8], Floats]:
    """Look-up tables of Poisson numbers: a cell's value, its least value, and all bounds.

    A number is the least value whose bound, in cells, lies above the point drawn.
    """
    cells, values = 1 << _BITS, np.arange(1, _SEVERAL + 1)
    mass = np.exp(-mean)[:, None] * np.cumprod(
        np.append(np.ones((len(mean), 1)), mean[:, None] / values, axis=1), axis=1
    )
    bounds = np.cumsum(mass, axis=1) * cells
    bounds[:, _SEVERAL - 1 :] = np.inf
    row = np.arange(len(mean))[:, None] * (cells + 1)
    # values below a cell's first point, and below its last
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


def _ranges(start: Indices, size: Indices) -> Indices:
    """Indices from each start on, so many."""
    return np.repeat(start - np.cumsum(size) + size, size) + np.arange(size.sum())
