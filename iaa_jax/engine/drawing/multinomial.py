"""Multinomial counts of items: the ordinary bootstrap.

Why it is exact. Each item drawn with replacement shows a pattern with the pattern's share of the
items, independently of the others: the counts are multinomial. NumPy's ``multinomial`` draws the
count of one pattern after the other: given those before it, it is binomial, of the draws that
remain, with the pattern's share of the shares that remain. A table that refines a coarse one is
drawn by a `Refinement`, whose parts are multinomial within each group. So is a coarse table itself
where it pays, as with many values that few items share: all of it is one group, and the number of
items its total.

Weights that are not whole keep their total: as many draws as items, rounded, and then scaled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from iaa_jax.engine.drawing.refinement import Refinement, refinement
from iaa_jax.engine.drawing.streams import Streams
from iaa_jax.engine.drawing.tables import Division, Law, rows_of_tables
from iaa_jax.engine.problem import Floats, Integers, PatternTable

NANOSECONDS = 40.0
"""For one of a coarse table's patterns, in NumPy's multinomial; at least."""

WORTH = 50_000.0
"""Nanoseconds a row that other ways must save: 0.1 s in 2,000 replicates."""

_KEY = (2,)


@dataclass(frozen=True, eq=False)
class Multinomial:
    """Counts of all patterns, by NumPy."""

    share: Floats

    def rows(self, totals: Floats, streams: Streams) -> Floats:
        """Counts (row, pattern) that add up to the totals (row, 1)."""
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
    ways = refinement(root.count, one_group, _draws(root) / root.items, _KEY)
    return ways if cost - ways.nanoseconds > WORTH else plain


def _divide_groups(table: PatternTable, coarse: PatternTable, group: Integers) -> Refinement:
    return refinement(table.count, group, _draws(coarse) / coarse.items)


MULTINOMIAL = Law("multinomial", _draws, _divide_root, _divide_groups)


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
    yield from rows_of_tables(MULTINOMIAL, tables, replicates, seed)
