"""Single items: each is drawn from all items of its group, and counted.

Why it is exact. Multinomial counts are how often each pattern comes up in independent draws with
its share, and a uniform point in the weights laid end to end falls on a pattern with just that
chance. Where weights are whole, a point is an item: a table says at once which pattern it shows.
Else a binary search finds the pattern. As many draws are made as the group still needs: the cost is
that of items, however many patterns there are.
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
"""For one item where weights are whole."""

SEARCH_NANOSECONDS = 60.0
"""For one item where they are not."""


_Number = TypeVar("_Number", bound=np.generic)


def cost_of_one(patterns: Grouped) -> float:
    """Of drawing an item."""
    return NANOSECONDS if patterns.whole else SEARCH_NANOSECONDS


def cost(patterns: Grouped) -> Floats:
    """Of drawing each pattern and those behind it in its group."""
    return cost_of_one(patterns) * patterns.tail * patterns.scale


@dataclass(frozen=True, eq=False)
class SingleItems:
    """The first groups, whose patterns are the first columns.

    Attributes
    ----------
    first : array (group + 1,)
        The first column of each group, and where the last one ends.
    ends : array (column + 1,)
        Zero, and where the weight of each column ends if all are laid end to end.
    column_of_item : array (item,) or None
        The column of each item, where weights are whole.
    """

    first: Indices
    ends: Floats
    column_of_item: NDArray[np.int32] | None

    @classmethod
    def of(cls, weight: Floats, first: Indices, *, whole: bool) -> SingleItems:
        """From the weights of the columns."""
        columns = np.arange(len(weight), dtype=np.int32)
        column_of_item = np.repeat(columns, weight.astype(np.intp)) if whole else None
        return cls(first, np.append(0.0, np.cumsum(weight)), column_of_item)

    @property
    def columns(self) -> slice:
        """All columns up to the end of the last group."""
        return slice(0, len(self.ends) - 1)

    def take(self, remaining: Counts, streams: Streams) -> Counts:
        """Counts of all that remains of the groups."""
        needed = remaining[:, : len(self.first) - 1]
        rows, columns = len(needed), len(self.ends) - 1
        cumulative = np.append(0, np.cumsum(needed))
        # crowds have many items: so many at a time
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
        """The columns, counted on from row to row, of items drawn from each group of each row."""
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
    """A number of the groups, the same in all rows, as often as each row needs items of each."""
    return np.repeat(np.tile(of_group, rows), needed)
