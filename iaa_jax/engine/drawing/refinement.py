"""Multinomial counts of a table given the counts of a coarse one, by the cheapest methods.

Why it is exact. A group consists of the patterns (sets of items with the same ratings) that refine
one coarse pattern. Given the totals of groups, multinomial counts are independent between groups
and multinomial in each, with the shares within the group. Several methods may draw a group one
after the other, if the remaining counts are multinomial again after each of them:

- `binomials` draws the commonest patterns, one by one;
- `poisson_base` draws a number of items for each other pattern (the base); these numbers mostly
  add up to less than the total;
- `single_items` draws what remains, item by item;
- if a single pattern follows the common ones, it gets what remains.

The least ``cost`` (mean time in nanoseconds) decides which patterns count as common, and whether
the other patterns have a base.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.drawing import binomials, poisson_base, single_items
from iaa_jax.engine.drawing.grouped import DrawMethod, Grouped, Indices, ranges
from iaa_jax.engine.drawing.streams import Streams
from iaa_jax.engine.problem import Floats, Integers

_BASE, _ITEMS, _ALONE = range(3)
"""Methods for the patterns of a group that are not common."""


@dataclass(frozen=True, eq=False)
class Refinement:
    """The plan to draw a table's counts, made once per call.

    Columns are patterns in this order: patterns with a base, patterns drawn by single items, single
    patterns that follow the common ones of their group, and common patterns. One more column,
    always 0, is for patterns that no item shows.

    Attributes
    ----------
    group : array (group,)
        The coarse patterns, in the order of the columns.
    methods : tuple of DrawMethod
        The methods, in the order in which they draw.
    alone : slices
        The columns that get all remaining items of their groups, and these groups.
    column_of : array (pattern,)
        The column of each pattern.
    nanoseconds : float
        The cost of a row.
    key : tuple of int
        The first numbers of the keys of its random streams.
    """

    group: Integers
    methods: tuple[DrawMethod, ...]
    alone: tuple[slice, slice]
    column_of: Indices
    columns: int
    nanoseconds: float
    key: tuple[int, ...]

    def rows(self, totals: Floats, streams: Streams) -> Floats:
        """Return counts (row, pattern) that add up to the totals (row, group)."""
        rows = np.empty((len(totals), len(self.column_of)))
        batch = max(1, thresholds.DRAWN_NEAR // len(self.column_of))
        for start in range(0, len(totals), batch):
            part = slice(start, start + batch)
            columns = self._columns(totals[part], streams)
            np.take(columns, self.column_of, axis=1, out=rows[part], mode="clip")
        return rows

    def _columns(self, totals: Floats, streams: Streams) -> Floats:
        own_streams = partial(streams, *self.key)
        remaining = totals[:, self.group].astype(np.int64)
        columns = np.zeros((len(totals), self.columns + 1))
        for method in self.methods:
            columns[:, method.columns] += method.take(remaining, own_streams)
        alone, groups = self.alone
        columns[:, alone] = remaining[:, groups]
        return columns


def refinement(
    count: Floats, group: Integers, scale: float, key: tuple[int, ...] = ()
) -> Refinement:
    """Return the plan, given counts and groups of patterns, and the draws per unit of weight."""
    patterns = Grouped.of(count, group, scale)
    start, kind, cost = _cheapest(patterns)
    turn = np.argsort(kind, kind="stable")
    start, kind, begin = start[turn], kind[turn], patterns.first[turn]
    rest = patterns.members[start]
    first = np.append(0, np.cumsum(rest))
    members = [ranges(start, rest)]
    weight = patterns.weight[members[0]]
    methods: list[DrawMethod] = []
    column = int(first[-1])
    for method, drawn_patterns in binomials.binomials(patterns, begin, start - begin, column):
        methods.append(method)
        members.append(drawn_patterns)
    based, singly = (int(groups) for groups in np.searchsorted(kind, [_ITEMS, _ALONE]))
    if based:
        expected = patterns.tail[start[:based]] * scale
        mean = weight[: first[based]] * scale
        methods.append(poisson_base.PoissonBase.of(mean, expected, first[:based]))
    if singly:
        drawn = first[: singly + 1]
        methods.append(
            single_items.SingleItems.of(weight[: drawn[-1]], drawn, whole=patterns.whole)
        )
    columns = len(patterns.pattern)
    column_of = np.full(len(count), columns)
    column_of[patterns.pattern[np.concatenate(members)]] = np.arange(columns)
    alone = slice(int(first[singly]), column), slice(singly, None)
    return Refinement(patterns.label[turn], tuple(methods), alone, column_of, columns, cost, key)


def _cheapest(patterns: Grouped) -> tuple[Indices, Integers, float]:
    costs = (
        poisson_base.cost(patterns),
        single_items.cost(patterns),
        np.where(patterns.members == 1, 0.0, np.inf),
    )
    kind = np.argmin(costs, axis=0)
    cost = np.min(costs, axis=0) + binomials.cost(patterns)
    least = np.minimum.reduceat(cost, patterns.first)
    cheapest = np.flatnonzero(cost == np.repeat(least, patterns.size))
    start = cheapest[np.searchsorted(cheapest, patterns.first)]
    return start, kind[start], float(least.sum())
