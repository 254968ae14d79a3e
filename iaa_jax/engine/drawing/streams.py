"""Random streams in blocks of 64 replicates: the same numbers whatever is under way at once.

Philox is a counter under a key, so that streams of different keys are independent for every
purpose here. Beside the seed a key has these whole numbers, where ``block`` is the number of a
block of 64 replicates and ``i`` that of a root, a table that refines no other:

=========================  =======================================================
``block, 2 i``             a root's counts, by NumPy's multinomial
``block, 2 i, 0``          a root's Dirichlet weights; its random groups (block 0)
``block, 2 i, 2, way``     a root's counts, by the ways of a refinement
``block, 2 i + 1, way``    the counts or weights of what refines root i
``block, 0, 1``            annotators
``0, 0, 3``                random halves of the items
``0, 0, 4, annotator``     labels of a spammer in the place of an annotator
``block, 0, 5, group``     permutations of an annotator's ratings, or of all
``0, 0, 7, number``        ratings for all gaps
``0, 0, 8``                exchanges among the annotators of an item
``0, 0, 9``                permutations of clusters within annotators
=========================  =======================================================

Annotators, codes and patterns come in the order of their names, however they stand
(`iaa_jax/data/drawing_order.py`). A stream is read row by row: how many rows are made together, or
by how many threads, changes no digit, and neither do further replicates or tables.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.problem import Floats

BLOCK = 64
"""Replicates that share one random stream; the block, not the batch, fixes the numbers."""

RowsOf = Callable[[int], Iterable[tuple[Floats, ...]]]
"""From the number of a block to its rows, in one or more parts."""

Streams = Callable[..., np.random.Generator]
"""From the end of a key to its stream."""

_THREADS = min(8, os.cpu_count() or 1)


def stream(seed: int, *key: int) -> np.random.Generator:
    """The random numbers of one purpose."""
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(seed, spawn_key=key)))


def streams_of(seed: int, *key: int) -> Streams:
    """All streams whose keys begin so, each made when it is first asked for."""
    made: dict[tuple[int, ...], np.random.Generator] = {}

    def ending(*end: int) -> np.random.Generator:
        if end not in made:
            made[end] = stream(seed, *key, *end)
        return made[end]

    return ending


def draws_in_blocks(number: int, seed: int, *key: int) -> Iterator[tuple[np.random.Generator, int]]:
    """The stream of each block, the end of its key, and how many of so many draws are its own."""
    for block in range(-(-number // BLOCK)):
        yield stream(seed, *key, block), min(BLOCK, number - block * BLOCK)


def in_blocks(rows_of: RowsOf, replicates: int, patterns: int) -> Iterator[tuple[Floats, ...]]:
    """The rows of all blocks in turn, of so many patterns; by threads where these save time."""
    blocks = range(-(-replicates // BLOCK))
    weights = BLOCK * patterns
    tasks = len(blocks) * weights // thresholds.DRAWN_BY_THREADS
    together = -(-len(blocks) // max(tasks, 1))
    # no more threads than tasks of which all rows can be held
    threads = min(_THREADS, thresholds.DRAWN_HELD // max(together * weights, 1) - 1)
    if tasks < 2 or threads < 2 or len(blocks) == 1:
        for block in blocks:
            yield from rows_of(block)
        return
    # NumPy lets go of the interpreter while it draws, and each block has its own streams
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[list[tuple[Floats, ...]]]] = deque()
        for first in range(0, len(blocks), together):
            task = blocks[first : first + together]
            waiting.append(pool.submit(lambda some: [*chain(*map(rows_of, some))], task))
            if len(waiting) > threads:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def rows_at_once(patterns: int) -> int:
    """Rows of a block that are held in memory together; a function of the size alone."""
    rows = BLOCK
    while rows > 1 and rows * patterns > thresholds.DRAWN_TOGETHER:
        rows //= 2
    return rows
