"""Multinomial counts of items: the ordinary bootstrap.

An item drawn with replacement shows a pattern of ratings with probability equal to the pattern's
share, independently of the others, so the counts are multinomial. A table that refines a coarse one
is drawn by a `Refinement`, which is multinomial within each coarse pattern. If it is faster, a
coarse table is also drawn by a `Refinement`, with all items in one group.

If weights are fractional, the number of draws is the total weight, rounded, and the counts are then
scaled to the total weight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from iaa_jax.engine.drawing.refinement import Refinement, refinement
from iaa_jax.engine.drawing.streams import Streams
from iaa_jax.engine.drawing.tables import Distribution, Division, rows_of_tables
from iaa_jax.engine.problem import Floats, Integers, PatternTable

NANOSECONDS = 40.0
"""The least time per pattern that NumPy's ``multinomial`` takes, in nanoseconds."""

WORTH = 50_000.0
"""The minimum time in nanoseconds per row that a refinement must save (0.1 s in 2,000 rows)."""

_KEY = (2,)


@dataclass(frozen=True, eq=False)
class Multinomial:
    """Divides a total among all patterns, by NumPy."""

    share: Floats

    def rows(self, totals: Floats, streams: Streams) -> Floats:
        """Return counts (row, pattern) that add up to the totals (row, 1)."""
        counts = streams().multinomial(totals[:, 0].astype(np.int64), self.share)
        return counts.astype(np.float64)


def _draws(root: PatternTable) -> int:
    return max(round(root.items), 1)


def _divide_root(root: PatternTable) -> Division:
    plain = Multinomial(root.count / root.items)
    cost = NANOSECONDS * len(root.count)
    if cost <= WORTH:
        return plain
    one_group = np.zeros(len(root.count), dtype=np.intp)
    plan = refinement(root.count, one_group, _draws(root) / root.items, _KEY)
    return plan if cost - plan.nanoseconds > WORTH else plain


def _divide_groups(table: PatternTable, coarse: PatternTable, group: Integers) -> Refinement:
    return refinement(table.count, group, _draws(coarse) / coarse.items)


MULTINOMIAL = Distribution("multinomial", _draws, _divide_root, _divide_groups)


def bootstrap_rows(
    tables: Sequence[PatternTable], replicates: int, seed: int
) -> Iterator[tuple[Floats, ...]]:
    """Yield exact multinomial counts of items for several tables of the same ratings.

    The last block is drawn in full, including rows beyond ``replicates``.
    """
    yield from rows_of_tables(MULTINOMIAL, tables, replicates, seed)
