"""Random streams in blocks of replicates: the same numbers whatever is under way at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np

from iaa_jax.engine.problem import Floats

BLOCK = 64
"""Replicates that share one random stream; the block, not the batch, fixes the numbers."""

RowsOf = Callable[[int], Iterable[tuple[Floats, ...]]]
"""From the number of a block to its rows, in one or more parts."""


def stream(seed: int, *key: int) -> np.random.Generator:
    """The random numbers of one purpose."""
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(seed, spawn_key=key)))


def in_blocks(rows_of: RowsOf, replicates: int, threads: int) -> Iterator[tuple[Floats, ...]]:
    """The rows of all blocks in turn; fewer than two threads make them one after the other."""
    blocks = range(-(-replicates // BLOCK))
    if threads < 2 or len(blocks) == 1:
        for block in blocks:
            yield from rows_of(block)
        return
    # NumPy lets go of the interpreter while it draws, and each block has its own streams
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[list[tuple[Floats, ...]]]] = deque()
        for block in blocks:
            waiting.append(pool.submit(lambda number: list(rows_of(number)), block))
            if len(waiting) > threads:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
