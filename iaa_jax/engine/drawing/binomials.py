"""Common patterns: a binomial each, one after the other.

Why it is exact. In a multinomial the count of the first pattern is binomial, of all draws with its
share; given it, the others are multinomial in the draws that remain, with shares of what remains.
So a few patterns can be drawn one by one, and all others of the group together as if they were a
last one: what falls on that is what remains for another way. NumPy's ``multinomial`` does just this
for many groups at once, if each has as many columns: groups are dealt with in classes of 1, 2, 3 to
4, 5 to 8, ... common patterns, filled up with patterns of share 0, which are never drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from iaa_jax.engine.drawing.grouped import COMMON, Counts, Grouped, Indices, ranges
from iaa_jax.engine.drawing.streams import Streams
from iaa_jax.engine.problem import Floats

NANOSECONDS = 90.0
"""For one binomial, in an array of shares for each group."""


def cost(patterns: Grouped) -> Floats:
    """Of drawing all patterns that stand before each in its group."""
    return NANOSECONDS * patterns.position


@dataclass(frozen=True, eq=False)
class Binomials:
    """Groups with about as many common patterns.

    Attributes
    ----------
    groups : array (group,)
        Where the groups stand among all.
    share : array (group, pattern)
        Of each common pattern, then zeros, and last of all the others together.
    filled : array (group, pattern)
        Where there is a common pattern.
    """

    groups: Indices
    share: Floats
    filled: NDArray[np.bool_]
    columns: slice
    purpose: int

    def take(self, remaining: Counts, streams: Streams) -> Counts:
        """Counts of the common patterns; the others of their groups remain."""
        counts = streams(self.purpose).multinomial(remaining[:, self.groups], self.share)
        remaining[:, self.groups] = counts[..., -1]
        return counts[:, self.filled]


def binomials(
    patterns: Grouped, first: Indices, common: Indices, column: int
) -> Iterator[tuple[Binomials, Indices]]:
    """The classes, and the patterns of each, from so many common ones of each group: never all.

    ``first`` is where each group begins; columns are counted from ``column`` on.
    """
    classes = 1 << np.arange(int(common.max(initial=0)).bit_length() + 1)
    used = 0
    for most in classes:
        groups = np.flatnonzero((common > most // 2) & (common <= most))
        if not len(groups):
            continue
        size, start = common[groups], first[groups]
        filled = np.arange(most + 1) < size[:, None]
        members = ranges(start, size)
        share = np.zeros(filled.shape)
        share[filled] = patterns.weight[members]
        share[:, -1] = patterns.tail[start + size]
        share /= patterns.tail[start][:, None]
        columns = slice(column, column + len(members))
        yield Binomials(groups, share, filled, columns, COMMON + used), members
        column, used = columns.stop, used + 1
