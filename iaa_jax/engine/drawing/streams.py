"""Random streams for blocks of 64 replicates, whatever the batch sizes and threads.

Philox streams with different keys are independent. A key has the seed and the whole numbers of its
`Purpose`.

Annotators and patterns of ratings are drawn in the order of the names of annotators and labels,
whatever their order in the data (`iaa_jax/data/drawing_order.py`). A stream is read row by row, so
random numbers do not depend on batch sizes, threads, further replicates or further tables.
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
"""The number of replicates that share one random stream, whatever the batch size."""

RowsOf = Callable[[int], Iterable[tuple[Floats, ...]]]
"""``block number -> its rows``, in one or more parts."""

Streams = Callable[..., np.random.Generator]
"""``last numbers of a key -> stream``."""

_THREADS = min(8, os.cpu_count() or 1)


class Purpose(Enum):
    """Purposes of random numbers, each with the key of its streams; ``...`` is a varying number.

    The key of a new purpose is two zeros and the next free number. Changing a key changes the
    results of every seed.
    """

    ITEMS = (..., ...)
    """The key of the counts of root i (a table that refines no other) is (block, 2 i). Keys of the
    root's Dirichlet weights, and of its random groups (in block 0), end with another 0. Keys of
    counts that are drawn by a refinement end with 2 and the number of a method. A table that
    refines the root has the key (block, 2 i + 1, method); for Dirichlet weights, this method is 0.
    """

    ANNOTATORS = (..., 0, 1)
    """Annotator weights, in a block."""

    HALVES = (0, 0, 3)
    """Random halves of the items."""

    SPAMMERS = (0, 0, 4, ...)
    """Labels of a spammer in place of an annotator."""

    PERMUTED_RATINGS = (..., 0, 5, ...)
    """Permutations in a block, of an annotator's or a group's ratings."""

    FILLED_GAPS = (0, 0, 7, ...)
    """Imputed ratings in place of all missing ratings, per imputation."""

    EXCHANGED_RATINGS = (0, 0, 8)
    """Permutations of an item's ratings among its annotators."""

    SHUFFLED_DOCUMENTS = (0, 0, 9)
    """Permutations of clusters within annotators."""

    RANDOM_STARTS = (0, 1)
    """Annotator weights at which a fit starts."""

    WELL_PAIRED = (0,)
    """Whether a random pair of each item's ratings agrees, in random order of the items."""

    JOINT_QUANTILE = ()
    """Correlated t variables."""

    EXCHANGED_SETS = (..., 1 << 20)
    """Random reassignments, in a block, of ratings to two sets."""

    REGROUPED_ANNOTATORS = (0, (1 << 20) + 1)
    """Annotators divided at random into two groups."""

    VOTE_SHARES = (0, 15, 1, ...)
    """Shares of the labels among all possible annotators, in a block."""

    VOTES_AGAIN = (0, 15, 2, ...)
    """Votes drawn from the shares of labels, in a block."""

    RIGHT_LABELS = (0, 15, 3, ...)
    """Shares of right labels, in a block."""

    JUDGE_POWER = (0, 0, 16, ..., ...)
    """Units on which judges are tested, by number of units, in a block."""

    GOLD_LABELS = (0, 0, 17, ...)
    """Gold labels drawn by their probability, per replicate."""

    PSEUDO_ITEM = (18,)
    """Weights of agreement and of disagreement in the pseudo-item (invented item) of a prior."""

    BESIDE_CLUSTERS = (19,)
    """Weights of a prior's pseudo-items, if clusters are drawn instead of items."""

    DRIFT_MULTIPLIERS = (0, 0, 20, ...)
    """Normal multipliers of the influences of items, in a block."""

    DRIFT_SHUFFLES = (0, 0, 21, ...)
    """Permutations of the items' times, in a block."""

    DRIFT_STEPS = (0, 0, 22, ...)
    """Positions of a step change over time, in a block."""

    EQUAL_BATCHES = (1004,)
    """The seed for drawing items under the hypothesis of equal estimates."""

    EQUAL_CLUSTERS = (0, 0, 23, ...)
    """Clusters under the hypothesis of equal estimates, in a block."""

    TIED_TIMES = (1005,)
    """The order of a cluster's items with equal times."""

    DRIFT_NOISE = (0, 0, 24)
    """Normal errors under the hypothesis of equal estimates, from items and from annotators."""

    WINDOW_PRIOR = (0, 0, 25, ...)
    """Weights of the prior that is added to each time window, in a block."""

    FEWER_RATINGS = (0, 0, 26, ...)
    """Subsets of each item's ratings."""

    PANELS = (0, 0, 27, ...)
    """Panels of a given size."""

    JURIES = (0, 0, 28)
    """Votes of judges who err independently."""

    ANNOTATOR_VARIANCE = (1015,)
    """Variances of annotators, by their chi-squared distribution."""


def stream(seed: int, purpose: Purpose, *numbers: int) -> np.random.Generator:
    """Return the stream of a purpose, with these numbers in place of each ``...`` of its key.

    Any further numbers follow at the end of the key.
    """
    given = iter(numbers)
    key = [next(given) if part is ... else part for part in purpose.value]
    sequence = np.random.SeedSequence(seed, spawn_key=(*key, *given))
    return np.random.Generator(np.random.Philox(sequence))


def streams_of(seed: int, purpose: Purpose, *numbers: int) -> Streams:
    """Return a function from the last numbers of a key to its stream (made at first use)."""
    made: dict[tuple[int, ...], np.random.Generator] = {}

    def ending(*end: int) -> np.random.Generator:
        if end not in made:
            made[end] = stream(seed, purpose, *numbers, *end)
        return made[end]

    return ending


def draws_in_blocks(
    number: int, seed: int, purpose: Purpose, *numbers: int
) -> Iterator[tuple[np.random.Generator, int]]:
    """Yield a stream for each block, and its number of draws."""
    for block in range(-(-number // BLOCK)):
        yield stream(seed, purpose, *numbers, block), min(BLOCK, number - block * BLOCK)


def in_blocks(rows_of: RowsOf, replicates: int, patterns: int) -> Iterator[tuple[Floats, ...]]:
    """Yield the rows of all blocks in order, using threads if they save time."""
    blocks = range(-(-replicates // BLOCK))
    weights = BLOCK * patterns
    tasks = len(blocks) * weights // thresholds.DRAWN_BY_THREADS
    blocks_in_task = -(-len(blocks) // max(tasks, 1))
    threads = min(_THREADS, thresholds.DRAWN_HELD // max(blocks_in_task * weights, 1) - 1)
    if tasks < 2 or threads < 2 or len(blocks) == 1:
        for block in blocks:
            yield from rows_of(block)
        return
    # NumPy releases the interpreter lock while drawing, and each block has its own streams
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[list[tuple[Floats, ...]]]] = deque()
        for first in range(0, len(blocks), blocks_in_task):
            task = blocks[first : first + blocks_in_task]
            waiting.append(pool.submit(lambda some: [*chain(*map(rows_of, some))], task))
            if len(waiting) > threads:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def rows_at_once(patterns: int) -> int:
    """Return how many rows of a block are held in memory at once, given the number of patterns."""
    rows = BLOCK
    while rows > 1 and rows * patterns > thresholds.DRAWN_TOGETHER:
        rows //= 2
    return rows
