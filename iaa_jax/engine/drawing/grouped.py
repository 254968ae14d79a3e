"""Patterns sorted by group, and within a group by count, so that the most common come first.

A pattern is a set of items with the same ratings. A group consists of the patterns of a table that
refine one pattern of a coarse table. A refinement divides the count of each group among its
patterns.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from iaa_jax.engine.drawing.streams import Streams
from iaa_jax.engine.problem import Floats, Integers

Counts = NDArray[np.int64]
Indices = NDArray[np.intp]


BASE_CELLS, BASE_WITHIN, SINGLE_ITEMS, COMMON = range(4)
"""For each method, the last number in the keys of its random streams.

In `binomials`, each class of groups has its own number, from COMMON up.
"""


class DrawMethod(Protocol):
    """A method to draw the counts of some patterns in each group, with precomputed arrays."""

    @property
    def columns(self) -> slice:
        """The columns of the method's patterns among all columns of the refinement."""

    def take(self, remaining: Counts, streams: Streams) -> Integers:
        """Return counts (row, column), and subtract them from ``remaining`` (row, group)."""


@dataclass(frozen=True, eq=False)
class Grouped:
    """The patterns that items show (the members of groups), sorted by group, the most common first.

    Attributes
    ----------
    pattern : array (member,)
        The index of each pattern in the table.
    weight : array (member,)
        The count of each pattern, not necessarily whole.
    label, first, size : arrays (group,)
        The group's index in the coarse table, its first pattern and its number of patterns.
    scale : float
        Draws per unit of weight.
    """

    pattern: Indices
    weight: Floats
    label: Integers
    first: Indices
    size: Indices
    scale: float

    @classmethod
    def of(cls, count: Floats, group: Integers, scale: float) -> Grouped:
        """Return the patterns from the counts of a table and the group of each pattern."""
        pattern = np.flatnonzero(count > 0)
        pattern = pattern[np.lexsort((-count[pattern], group[pattern]))]
        groups = np.unique(group[pattern], return_index=True, return_counts=True)
        return cls(pattern, count[pattern].astype(np.float64), *groups, scale)

    @cached_property
    def whole(self) -> bool:
        """Whether every weight is a whole number."""
        return bool(np.all(self.weight == np.rint(self.weight)))

    @cached_property
    def position(self) -> Indices:
        """The number of patterns before each pattern in its group."""
        return np.arange(len(self.weight)) - np.repeat(self.first, self.size)

    @cached_property
    def members(self) -> Indices:
        """The number of patterns from each pattern to the end of its group."""
        return np.repeat(self.size, self.size) - self.position

    @cached_property
    def tail(self) -> Floats:
        """The total weight of the patterns from each pattern to the end of its group."""
        behind = np.append(np.cumsum(self.weight[::-1])[::-1], 0.0)
        end = np.repeat(behind[self.first + self.size], self.size)
        return np.asarray(np.maximum(behind[:-1] - end, self.weight))


def ranges(start: Integers, size: Integers) -> Indices:
    """Return the concatenated indices of ranges with these starts and sizes."""
    return np.repeat(start - np.cumsum(size) + size, size) + np.arange(size.sum())
