"""Draw items singly from all items of a group, and count their patterns.

A group consists of the patterns (sets of items with the same ratings) that refine one coarse
pattern.

A uniform point on the cumulative weights falls on a pattern with probability equal to its share. If
weights are whole, the point stands for an item, and a look-up table gives the item's pattern;
otherwise a binary search finds the pattern.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial, reduce
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.drawing.grouped import SINGLE_ITEMS, Counts, Grouped, Indices
from iaa_jax.engine.drawing.streams import Streams
from iaa_jax.engine.problem import Floats, Integers

NANOSECONDS = 8.0
"""The cost of drawing one item if weights are whole, in nanoseconds."""

SEARCH_NANOSECONDS = 60.0
"""The cost of drawing one item if weights are fractional, in nanoseconds."""


_Number = TypeVar("_Number", bound=np.generic)


def cost_of_one(patterns: Grouped) -> float:
    """Return the cost of drawing an item."""
    return NANOSECONDS if patterns.whole else SEARCH_NANOSECONDS


def cost(patterns: Grouped) -> Floats:
    """Return, for each pattern, the cost of drawing it and all later patterns of its group."""
    return cost_of_one(patterns) * patterns.tail * patterns.scale


@dataclass(frozen=True, eq=False)
class SingleItems:
    """Draws the remaining items of the first groups, whose patterns are the first columns.

    Attributes
    ----------
    first : array (group + 1,)
        The first column of each group, and the end of the last group.
    ends : array (column + 1,)
        Zero, and the cumulative weights of the columns.
    column_of_item : array (item,) or None
        The column of each item, if weights are whole.
    """

    first: Indices
    ends: Floats
    column_of_item: NDArray[np.int32] | None

    @classmethod
    def of(cls, weight: Floats, first: Indices, *, whole: bool) -> SingleItems:
        """Return the method from the weights of the columns."""
        columns = np.arange(len(weight), dtype=np.int32)
        column_of_item = np.repeat(columns, weight.astype(np.intp)) if whole else None
        return cls(first, np.append(0.0, np.cumsum(weight)), column_of_item)

    @property
    def columns(self) -> slice:
        """All columns up to the end of the last group."""
        return slice(0, len(self.ends) - 1)

    def take(self, remaining: Counts, streams: Streams) -> Counts:
        """Return the counts of all remaining items of the groups."""
        needed = remaining[:, : len(self.first) - 1]
        rows, columns = len(needed), len(self.ends) - 1
        cumulative = np.append(0, np.cumsum(needed))
        # very many items take several steps
        most = max(thresholds.DRAWN_NEAR, rows * columns)
        counts = (
            np.bincount(
                self._drawn(
                    np.diff(np.clip(cumulative, begin, begin + most)), rows, streams(SINGLE_ITEMS)
                ),
                minlength=rows * columns,
            )
            for begin in range(0, max(int(cumulative[-1]), 1), most)
        )
        needed[:] = 0
        return reduce(np.add, counts).reshape(rows, columns)

    def _drawn(self, needed: Counts, rows: int, stream: np.random.Generator) -> Integers:
        each = partial(_repeat_per_item, rows=rows, needed=needed)
        low = self.ends[self.first]
        point = stream.random(int(needed.sum()))
        point *= each(np.diff(low))
        if self.column_of_item is not None:
            item = point.astype(np.intp)
            item += each(low[:-1].astype(np.intp))
            column: Integers = self.column_of_item.take(item)
        else:
            point += each(low[:-1])
            column = np.searchsorted(self.ends[1:], point, side="right")
            # a point may be rounded up to the end of its group
            column = column.clip(each(self.first[:-1]), each(self.first[1:] - 1))
        start = np.arange(rows) * (len(self.ends) - 1)
        return column + np.repeat(start, needed.reshape(rows, -1).sum(axis=1))


def _repeat_per_item(of_group: NDArray[_Number], rows: int, needed: Counts) -> NDArray[_Number]:
    return np.repeat(np.tile(of_group, rows), needed)
