"""Draw common patterns (sets of items with the same ratings) by one binomial each.

Why it is exact. In a multinomial the count of the first pattern is binomial; given it, the other
counts are multinomial in the remaining draws, with renormalised shares. So a few patterns of a
group (the patterns that refine one pattern of a coarse table) can be drawn one by one, and the rest
left for another method. NumPy's ``multinomial`` does this for many groups in one call if they have
equally many patterns. Groups are therefore sorted into classes of 1, 2, 3 to 4, 5 to 8, ... common
patterns, padded with patterns of share 0.
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
"""The cost of drawing one binomial, in nanoseconds, with shares that differ between groups."""


def cost(patterns: Grouped) -> Floats:
    """Return, for each pattern, the cost of drawing all patterns before it in its group."""
    return NANOSECONDS * patterns.position


@dataclass(frozen=True, eq=False)
class Binomials:
    """Groups with similar numbers of common patterns.

    Attributes
    ----------
    groups : array (group,)
        The index of each group among all groups.
    share : array (group, pattern)
        The share of each common pattern, then zeros, and last the share of all other patterns.
    filled : array (group, pattern)
        True for a common pattern, False for padding and in the last column.
    """

    groups: Indices
    share: Floats
    filled: NDArray[np.bool_]
    columns: slice
    purpose: int

    def take(self, remaining: Counts, streams: Streams) -> Counts:
        """Return the counts of the common patterns, and subtract them from ``remaining``."""
        counts = streams(self.purpose).multinomial(remaining[:, self.groups], self.share)
        remaining[:, self.groups] = counts[..., -1]
        return counts[:, self.filled]


def binomials(
    patterns: Grouped, first: Indices, common: Indices, column: int
) -> Iterator[tuple[Binomials, Indices]]:
    """Yield the classes and their patterns, from each group's number of ``common`` patterns.

    At least one pattern of each group must not be common. ``first`` has the start of each group;
    columns are numbered from ``column``.
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
