"""Random streams in blocks of 64 replicates: the same numbers whatever is under way at once.

Philox is a counter under a key, so that streams of different keys are independent for every
purpose of the package. Beside the seed a key has the whole numbers of its `Purpose`.

Annotators, codes and patterns come in the order of their names, however they stand
(`iaa_jax/data/drawing_order.py`). A stream is read row by row: how many rows are made together, or
by how many threads, changes no digit, and neither do further replicates or tables.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from enum import Enum
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


class Purpose(Enum):
    """What random numbers are for: the key of their streams, with ``...`` for what varies.

    A new purpose has the next number of those that begin with two zeros. With another key the
    figures of a seed change.
    """

    ITEMS = (..., ...)
    """Of a block and of twice the number i of a root, a table that refines no other, its counts.
    With 0 behind them a root's Dirichlet weights, or its random groups (block 0); with 2 and a way
    its counts by the ways of a refinement. Of a block, 2 i + 1 and a way what refines the root."""

    ANNOTATORS = (..., 0, 1)
    """Weights of annotators in a block."""

    HALVES = (0, 0, 3)
    """Random halves of the items."""

    SPAMMERS = (0, 0, 4, ...)
    """Labels of a spammer in the place of an annotator."""

    PERMUTED_RATINGS = (..., 0, 5, ...)
    """Permutations in a block of an annotator's ratings, or of those of a group."""

    FILLED_GAPS = (0, 0, 7, ...)
    """Ratings for all gaps, of an imputation."""

    EXCHANGED_RATINGS = (0, 0, 8)
    """Exchanges among the annotators of an item."""

    SHUFFLED_DOCUMENTS = (0, 0, 9)
    """Permutations of clusters within annotators."""

    RANDOM_STARTS = (0, 1)
    """Weights of annotators from which a fit starts."""

    WELL_PAIRED = (0,)
    """Pairs that agree, in any order."""

    JOINT_QUANTILE = ()
    """Correlated t variables."""

    EXCHANGED_SETS = (..., 1 << 20)
    """Exchanges in a block between two sets of ratings."""

    REGROUPED_ANNOTATORS = (0, (1 << 20) + 1)
    """Annotators dealt out into two groups."""

    VOTE_SHARES = (0, 15, 1, ...)
    """Shares of the labels among all annotators, in a block."""

    VOTES_AGAIN = (0, 15, 2, ...)
    """Votes from these shares."""

    RIGHT_LABELS = (0, 15, 3, ...)
    """How many labels are right, in a block."""

    JUDGE_POWER = (0, 0, 16, ..., ...)
    """Of so many units: units on which judges are tested, in a block."""

    GOLD_LABELS = (0, 0, 17, ...)
    """Gold labels by their probability, of a replicate."""

    PSEUDO_ITEM = (18,)
    """The weights of both halves of a pseudo-item."""

    BESIDE_CLUSTERS = (19,)
    """Weights of pseudo-items beside those of clusters."""

    DRIFT_MULTIPLIERS = (0, 0, 20, ...)
    """Multipliers of the parts of items, in a block."""

    DRIFT_SHUFFLES = (0, 0, 21, ...)
    """Items in another order of time, in a block."""

    DRIFT_STEPS = (0, 0, 22, ...)
    """Where a step is found, in a block."""

    EQUAL_BATCHES = (1004,)
    """The seed of items under equal figures."""

    EQUAL_CLUSTERS = (0, 0, 23, ...)
    """Clusters under equal figures, in a block."""

    TIED_TIMES = (1005,)
    """The order of items of a cluster that have the same time."""

    DRIFT_NOISE = (0, 0, 24)
    """Normal figures under equal figures, and annotators."""

    WINDOW_PRIOR = (0, 0, 25, ...)
    """What windows begin with, in a block."""

    FEWER_RATINGS = (0, 0, 26, ...)
    """So many ratings of each item."""

    PANELS = (0, 0, 27, ...)
    """Panels of so many annotators."""

    JURIES = (0, 0, 28)
    """Votes of judges who err independently."""

    ANNOTATOR_VARIANCE = (1015,)
    """Variances of annotators, by their chi-squared distribution."""


def stream(seed: int, purpose: Purpose, *numbers: int) -> np.random.Generator:
    """The random numbers of one purpose, with these numbers in the places of its key in turn."""
    given = iter(numbers)
    key = [next(given) if part is ... else part for part in purpose.value]
    sequence = np.random.SeedSequence(seed, spawn_key=(*key, *given))
    return np.random.Generator(np.random.Philox(sequence))


def streams_of(seed: int, purpose: Purpose, *numbers: int) -> Streams:
    """All streams of a purpose that have these numbers, each made when it is first asked for."""
    made: dict[tuple[int, ...], np.random.Generator] = {}

    def ending(*end: int) -> np.random.Generator:
        if end not in made:
            made[end] = stream(seed, purpose, *numbers, *end)
        return made[end]

    return ending


def draws_in_blocks(
    number: int, seed: int, purpose: Purpose, *numbers: int
) -> Iterator[tuple[np.random.Generator, int]]:
    """The stream of each block, its last number, and how many of so many draws are its own."""
    for block in range(-(-number // BLOCK)):
        yield stream(seed, purpose, *numbers, block), min(BLOCK, number - block * BLOCK)


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
