"""Seeds to weight rows: each row says how often each pattern counts in one replicate."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

import numpy as np
from numpy.typing import NDArray

from iaa_jax.engine.problem import Floats, Table

BLOCK = 64
"""Replicates that share one random stream; the block, not the batch, fixes the numbers."""

Counts = NDArray[np.int64]

_THREADS = min(8, os.cpu_count() or 1)

_CELLS = 1 << 22


def rows_at_once(patterns: int) -> int:
    """Rows of a block that are held in memory together; a function of the size alone."""
    rows = BLOCK
    while rows > 1 and rows * patterns > _CELLS:
        rows //= 2
    return rows


def bootstrap_rows(
    tables: Sequence[Table], replicates: int, seed: int
) -> Iterator[tuple[Floats, ...]]:
    """Multinomial counts of items, exact, for several tables of the same ratings.

    Each block of 64 replicates has a stream of its own, made from the seed and the block's number.
    Where a table refines a coarse one, the coarse counts are drawn first and then split.

    Yields
    ------
    tuple of array (row, pattern)
        One array a table; rows beyond ``replicates`` in the last block are drawn as well.
    """
    roots: list[Table] = []
    for table in tables:
        if not any(root is _root(table) for root in roots):
            roots.append(_root(table))
    blocks = range(-(-replicates // BLOCK))
    rows = rows_at_once(max(len(table.count) for table in tables))
    draw = partial(_block_rows, tables, roots, rows, seed)
    if rows < BLOCK or len(blocks) == 1:
        for block in blocks:
            yield from draw(block)
        return
    # NumPy lets go of the interpreter while it draws, and each block has its own streams
    with ThreadPoolExecutor(_THREADS) as pool:
        waiting: deque[Future[list[tuple[Floats, ...]]]] = deque()
        for block in blocks:
            waiting.append(pool.submit(lambda number: list(draw(number)), block))
            if len(waiting) > _THREADS:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _block_rows(
    tables: Sequence[Table], roots: Sequence[Table], rows: int, seed: int, block: int
) -> Iterator[tuple[Floats, ...]]:
    # streams are numbered by the root alone: what else is asked changes no draw
    draws = [_stream(seed, block, 2 * index) for index in range(len(roots))]
    splits = [_stream(seed, block, 2 * index + 1) for index in range(len(roots))]
    found = [next(i for i, root in enumerate(roots) if root is _root(table)) for table in tables]
    for _ in range(BLOCK // rows):
        drawn = [
            _multinomial(stream, root, rows) for stream, root in zip(draws, roots, strict=True)
        ]
        yield tuple(
            _split(splits[index], table, drawn[index]) * _scale(table)
            for index, table in zip(found, tables, strict=True)
        )


def jackknife_rows(table: Table) -> Floats:
    """Counts with one item left out, a row for each pattern that has an item."""
    present = np.flatnonzero(table.count > 0)
    rows = np.repeat(table.count[None, :], len(present), axis=0)
    rows[np.arange(len(present)), present] -= 1
    return rows


def _root(table: Table) -> Table:
    return table if table.coarse is None else table.coarse


def _scale(table: Table) -> float:
    """Weights that are not whole keep their own total."""
    return _root(table).items / _draws(_root(table))


def _draws(table: Table) -> int:
    return max(round(table.items), 1)


def _stream(seed: int, block: int, purpose: int) -> np.random.Generator:
    sequence = np.random.SeedSequence(seed, spawn_key=(block, purpose))
    return np.random.Generator(np.random.Philox(sequence))


def _multinomial(stream: np.random.Generator, table: Table, rows: int) -> Counts:
    return stream.multinomial(_draws(table), table.count / table.items, size=rows)


def _split(stream: np.random.Generator, table: Table, drawn: Counts) -> Counts:
    """Share each coarse pattern's count out among the patterns that refine it."""
    if table.coarse is None or table.pattern_of is None:
        return drawn
    order, first, size = _groups(table.pattern_of, len(table.coarse.count))
    split = np.zeros((len(drawn), len(table.count)), dtype=np.int64)
    left = drawn.copy()
    share = table.coarse.count.astype(np.float64).copy()
    for place in range(int(size.max())):
        group = np.flatnonzero(size > place)
        member = order[first[group] + place]
        weight = table.count[member]
        last = size[group] == place + 1
        open_share = np.where(share[group] > 0, share[group], 1.0)
        chance = np.where(last, 1.0, np.clip(weight / open_share, 0.0, 1.0))
        taken = stream.binomial(left[:, group], chance)
        split[:, member] = taken
        left[:, group] -= taken
        share[group] = np.maximum(share[group] - weight, 0.0)
    return split


def _groups(
    pattern_of: NDArray[np.integer], groups: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Members in the order of their group, each group's first place and its size."""
    size = np.bincount(pattern_of, minlength=groups)
    return np.argsort(pattern_of, kind="stable"), np.cumsum(size) - size, size
