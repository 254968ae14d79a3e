"""Patterns in the order in which a refinement works on them: by group, the commonest first."""

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
"""The ends of the keys of streams, by what is drawn; classes of common patterns count on."""


class DrawMethod(Protocol):
    """A way to draw the counts of some patterns of each group; all arrays are made beforehand."""

    @property
    def columns(self) -> slice:
        """Where its patterns stand among all columns of the refinement."""

    def take(self, remaining: Counts, streams: Streams) -> Integers:
        """Counts (row, column), which are taken off ``remaining`` (row, group), in place."""


@dataclass(frozen=True, eq=False)
class Grouped:
    """The patterns that items show.

    Attributes
    ----------
    pattern : array (member,)
        Which pattern of the table each is.
    weight : array (member,)
        Its count, which need not be whole.
    label, first, size : arrays (group,)
        The group's number in the coarse table, where it begins and how many patterns it has.
    scale : float
        Draws for each unit of weight.
    """

    pattern: Indices
    weight: Floats
    label: Integers
    first: Indices
    size: Indices
    scale: float

    @classmethod
    def of(cls, count: Floats, group: Integers, scale: float) -> Grouped:
        """From the counts of a table and the group of each pattern."""
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
        """How many patterns of its group stand before each."""
        return np.arange(len(self.weight)) - np.repeat(self.first, self.size)

    @cached_property
    def members(self) -> Indices:
        """How many patterns of its group stand behind each, with itself."""
        return np.repeat(self.size, self.size) - self.position

    @cached_property
    def tail(self) -> Floats:
        """What these weigh together."""
        behind = np.append(np.cumsum(self.weight[::-1])[::-1], 0.0)
        end = np.repeat(behind[self.first + self.size], self.size)
        return np.asarray(np.maximum(behind[:-1] - end, self.weight))


def ranges(start: Integers, size: Integers) -> Indices:
    """Indices from each start on, so many."""
    return np.repeat(start - np.cumsum(size) + size, size) + np.arange(size.sum())
