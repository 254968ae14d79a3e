"""Weights of several tables of the same ratings: coarse tables first, then those that refine them.

Why it is exact. The patterns of a coarse table are groups of patterns of the table that refines it.
Multinomial counts and Dirichlet weights can be grouped: sums over groups have the distribution for
the coarse table. Given these sums, the weights within different groups are independent, and have
the same kind of distribution within their group. (Johnson, N. L., Kotz, S. and Balakrishnan, N.
(1997). Discrete multivariate distributions, chapter 35; Kotz, S., Balakrishnan, N. and Johnson, N.
L. (2000). Continuous multivariate distributions 1, chapter 49; Wiley.) So the coarse weights are
drawn first, and then divided.

A root is a table that refines no other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

import numpy as np

from iaa_jax.engine.devices import WeightDistribution
from iaa_jax.engine.drawing.streams import (
    BLOCK,
    Purpose,
    Streams,
    in_blocks,
    rows_at_once,
    streams_of,
)
from iaa_jax.engine.problem import Floats, Integers, PatternTable

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class Division(Protocol):
    """A plan to divide totals among the patterns of a table."""

    def rows(self, totals: Floats, streams: Streams) -> Floats:
        """Return weights (row, pattern) that add up to totals (row, group); (row, 1) for a root."""


@dataclass(frozen=True)
class Distribution:
    """A distribution of the weights of patterns.

    Attributes
    ----------
    weights : {"multinomial", "dirichlet"}
        The name of the distribution.
    total : callable
        ``root -> total`` to divide; rows are scaled by ``items / total`` at the end.
    divide_root : callable
        ``root -> Division`` of its total.
    divide_groups : callable
        ``(table, coarse table, group of each pattern) -> Division`` within groups.
    """

    weights: WeightDistribution
    total: Callable[[PatternTable], float]
    divide_root: Callable[[PatternTable], Division]
    divide_groups: Callable[[PatternTable, PatternTable, Integers], Division]


def coarsest(table: PatternTable) -> PatternTable:
    """Return the table that is drawn first: the coarse table or, without one, the table itself."""
    return table if table.coarse is None else table.coarse


def roots_of(tables: Sequence[PatternTable]) -> tuple[list[PatternTable], list[int]]:
    """Return the distinct roots, and the index of each table's root."""
    roots = {id(root): root for root in map(coarsest, tables)}
    numbers = {name: number for number, name in enumerate(roots)}
    return list(roots.values()), [numbers[id(coarsest(table))] for table in tables]


def rows_of_tables(
    law: Distribution, tables: Sequence[PatternTable], replicates: int, seed: int
) -> Iterator[tuple[Floats, ...]]:
    """Yield weights (row, pattern) of each table in blocks of rows, with a row per replicate."""
    if (drawer := tables[0].computing.drawer) is not None:
        yield from drawer.rows(law.weights, tables, replicates, seed)
        return
    roots, root_of = roots_of(tables)
    totals = [float(law.total(root)) for root in roots]
    scales = [root.items / total for root, total in zip(roots, totals, strict=True)]
    of_roots = [law.divide_root(root) for root in roots]
    of_groups = [
        None
        if table.coarse is None or table.pattern_of is None
        else law.divide_groups(table, table.coarse, table.pattern_of)
        for table in tables
    ]
    patterns = [len(table.count) for table in tables]
    size = rows_at_once(max(patterns))
    whole = [np.full((size, 1), total) for total in totals]

    def rows_of(block: int) -> Iterator[tuple[Floats, ...]]:
        of_block = partial(streams_of, seed, Purpose.ITEMS, block)
        root_streams = [of_block(2 * number) for number in range(len(roots))]
        group_streams = [of_block(2 * number + 1) for number in root_of]
        for _ in range(BLOCK // size):
            of_root = [
                division.rows(total, streams)
                for division, total, streams in zip(of_roots, whole, root_streams, strict=True)
            ]
            rows_of_each = []
            for number, division, streams in zip(root_of, of_groups, group_streams, strict=True):
                rows = of_root[number]
                if division is not None:
                    rows = division.rows(rows, streams)
                shared = division is None and root_of.count(number) > 1
                if scales[number] != 1.0:
                    rows = np.multiply(rows, scales[number], out=None if shared else rows)
                rows_of_each.append(rows)
            yield tuple(rows_of_each)

    yield from in_blocks(rows_of, replicates, sum(patterns))


def membership(pattern_of: Integers, groups: int) -> csr_array:
    """Return a sparse matrix (group, pattern) of ones for the patterns in each group."""
    from scipy.sparse import csr_array

    patterns = np.arange(len(pattern_of))
    return csr_array(
        (np.ones(len(pattern_of)), (pattern_of, patterns)), shape=(groups, len(patterns))
    )
