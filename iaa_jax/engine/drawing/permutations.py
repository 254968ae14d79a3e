"""Permutations: shuffles within groups, and random groups of items.

NumPy shuffles by the Fisher-Yates algorithm, which gives every order the same probability. If many
of the shuffled values are equal, it is faster to draw only a table: how often each value falls into
each set of positions. The table's margins are given. It can be drawn set by set: the values in a
set are a sample without replacement from the values that are left, so their counts are multivariate
hypergeometric. Items dealt in random order into groups of fixed sizes are samples without
replacement, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.drawing.clusters import Clusters
from iaa_jax.engine.drawing.streams import BLOCK, Purpose, stream
from iaa_jax.engine.drawing.tables import roots_of
from iaa_jax.engine.problem import Integers, PatternTable


def shuffled_in_blocks(
    groups: Sequence[Integers], permutations: int, seed: int
) -> Iterator[list[Integers]]:
    """Yield permutations (permutation, value) of each group's values, in batches."""
    longest = max(map(len, groups), default=0)
    rows_in_batch = min(BLOCK, max(1, thresholds.SHUFFLED_TOGETHER // max(longest, 1)))
    for block in range(-(-permutations // BLOCK)):
        streams = [
            stream(seed, Purpose.PERMUTED_RATINGS, block, number) for number in range(len(groups))
        ]
        for start in range(block * BLOCK, min((block + 1) * BLOCK, permutations), rows_in_batch):
            rows = min(rows_in_batch, (block + 1) * BLOCK - start, permutations - start)
            yield [
                rng.permuted(np.broadcast_to(group, (rows, len(group))), axis=1)
                for rng, group in zip(streams, groups, strict=True)
            ]


def random_tables(rng: np.random.Generator, rows: Integers, columns: Integers) -> Integers:
    """Draw tables (draw, row, column) with these sums of rows (draw, row) and columns (column,).

    Labels (``columns``) are assigned at random to the items of groups (``rows``). They are divided
    first between two halves of the groups, then between the halves of each half, and so on.
    """
    draws, groups = rows.shape
    halves = (groups - 1).bit_length()
    sizes = np.zeros((draws, 1 << halves), dtype=np.int64)
    sizes[:, :groups] = rows
    tables = np.broadcast_to(columns, (draws, 1, len(columns)))
    for half in range(halves):
        wanted = sizes.reshape(draws, 1 << half, 2, -1)[:, :, 0].sum(axis=-1)
        first, others = np.empty_like(tables), tables.sum(axis=-1)
        for column in range(len(columns) - 1):
            others = others - tables[..., column]
            first[..., column] = rng.hypergeometric(tables[..., column], others, wanted)
            wanted = wanted - first[..., column]
        first[..., -1] = wanted
        tables = np.stack([first, tables - first], axis=2).reshape(draws, -1, len(columns))
    return tables[:, :groups]


def random_groups(tables: Sequence[PatternTable], groups: int, seed: int) -> Clusters:
    """Draw random groups of items of nearly equal size, each an exact draw without replacement.

    The counts must be whole.
    """
    from scipy.sparse import csr_array

    if any(np.any(table.count != np.rint(table.count)) for table in tables):
        raise ValueError(
            "random groups of items need whole weights of items; some of these are fractions"
        )
    roots, root_of = roots_of(tables)
    labels = [
        stream(seed, Purpose.ITEMS, 0, 2 * number, 0).permutation(
            np.arange(round(root.items), dtype=np.intp) % groups
        )
        for number, root in enumerate(roots)
    ]
    matrices = []
    for table, number in zip(tables, root_of, strict=True):
        order = np.arange(len(table.count))
        if table.pattern_of is not None:
            # the items of a coarse pattern are adjacent, with their groups already in random order
            order = np.argsort(table.pattern_of, kind="stable")
        pattern = np.repeat(order, table.count[order].astype(np.intp))
        entries = (np.ones(len(pattern)), (labels[number], pattern))
        matrices.append(csr_array(entries, shape=(groups, len(table.count))))
    return Clusters(tables, matrices)
