"""Replicates that are drawn on the devices which work on them: no weight passes through the host.

Each replicate has a key of its own, made from the seed and its number: how many are under way at
once, and on how many devices, changes no draw. The numbers are others than those of the host's
streams, with the same distribution.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from iaa_jax.engine.compiled import TRACES
from iaa_jax.engine.devices import HeldOnEach
from iaa_jax.engine.drawing import BLOCK, ITEMS, Resampling
from iaa_jax.engine.drawing.halving import Halving, Halvings, key_words
from iaa_jax.engine.drawing.tables import roots_of
from iaa_jax.engine.padding import bucket
from iaa_jax.engine.precision import DType, scope
from iaa_jax.engine.prepared import Prepared, tables_of
from iaa_jax.engine.problem import Floats, Integers, PatternTable
from iaa_jax.engine.route import Route
from iaa_jax.engine.rows import Progress, collect
from iaa_jax.engine.units import drawn_annotators
from iaa_jax.kernels.namespace import Array

_ITEMS, _ANNOTATORS = range(2)
"""What is drawn: the first number that a key is folded with."""

_MEMORY = 1 << 30
"""Bytes that a device is taken to have where it does not say."""

_SHARE = 0.5
"""Of the memory that is free, what replicates under way may take."""

_COPIES = 12
"""Numbers beside each weight while it is drawn."""


def bootstrap_on(
    devices: Sequence[jax.Device],
    prepared: Prepared,
    *,
    replicates: int,
    seed: int,
    resampling: Resampling = ITEMS,
    dtype: DType = "float64",
    rows_at_once: int | None = None,
    progress: Progress | None = None,
) -> list[Floats]:
    """As `bootstrap`, drawn and worked out on these devices in turn.

    ``rows_at_once`` follows from their memory; it changes memory and speed, and no draw.
    """
    if resampling not in (ITEMS, Resampling(annotators=True)):
        message = f"a device draws single items, and annotators beside them, not {resampling}"
        raise ValueError(message)
    tables = tables_of(prepared.problems)
    with scope(dtype):
        draws = DeviceDraws(devices, prepared, tables, seed, resampling, dtype)
        route = Route(
            *(prepared, tables, replicates, dtype), annotators=draws.annotators, devices=devices
        )
        size = rows_at_once or draws.rows_at_once(replicates, route.width)
        rows = (
            draws.weights(np.arange(first, first + size)) for first in range(0, replicates, size)
        )
        outputs = len(prepared.problems)
        return collect(route, outputs, rows, size, replicates, batch=2 * size, progress=progress)


class DeviceDraws:
    """Weights of items, and of ``annotators`` if these are drawn, by the numbers of replicates."""

    def __init__(
        self,
        devices: Sequence[jax.Device],
        prepared: Prepared,
        tables: Sequence[PatternTable],
        seed: int,
        resampling: Resampling,
        dtype: DType,
    ) -> None:
        self._dtype, self._devices = dtype, devices
        self._tables = len(tables)
        self.annotators: list[int] = []
        self._places: list[Integers] = []
        drawn = [tables]
        if resampling.annotators:
            self.annotators = sorted({problem.annotator_count for problem in prepared.problems})
            # all are alike; those who rated nothing are never drawn
            who = [drawn_annotators(prepared.problems, size) for size in self.annotators]
            drawn.append([PatternTable(np.ones(len(each))) for each in who])
            self._places = [
                _places(each, size) for each, size in zip(who, self.annotators, strict=True)
            ]
        halvings = [Halvings.of(each) for each in drawn]
        self._root_of = [tuple(roots_of(each)[1]) for each in drawn]
        self._patterns = sum(len(halving.group) for each in halvings for halving in each.every)
        with scope("float64"):
            key = jax.random.wrap_key_data(jnp.asarray(key_words(seed)), impl="threefry2x32")
            keys = [jax.random.fold_in(key, what) for what in (_ITEMS, _ANNOTATORS)]
            self._held = HeldOnEach(tuple(zip(keys, halvings, strict=False)), devices)

    def rows_at_once(self, replicates: int, width: int) -> int:
        """Replicates that the memory of each device is enough for: 64, 128, 256, ...

        ``width`` numbers are read of each besides the weights.
        """
        stats = [device.memory_stats() or {} for device in self._devices]
        free = min(each.get("bytes_limit", _MEMORY) - each.get("bytes_in_use", 0) for each in stats)
        numbers = _COPIES * self._patterns + 4 * width
        most = _SHARE * free / (2 * 8 * numbers)
        rows = BLOCK
        while 2 * rows <= most and rows < replicates:
            rows *= 2
        return rows

    def weights(self, numbers: Array) -> tuple[jax.Array, ...]:
        """What is drawn for the replicates of these numbers, on the device whose turn it is."""
        weights: list[jax.Array] = []
        # whole counts of many items are exact in double precision alone
        with scope("float64"), jax.threefry_partitionable(True):
            plans = self._held.of_next()
            for (key, halvings), root_of in zip(plans, self._root_of, strict=True):
                weights += drawn_rows(key, numbers, halvings, root_of, self._dtype)
            for index, places in enumerate(self._places, self._tables):
                weights[index] = _scattered(weights[index], places)
        return tuple(weights)


def _places(drawn: Integers, size: int) -> Integers:
    """Where each annotator, filled up to a bucket, stands among those drawn; behind them: not."""
    places = np.full(bucket(size), bucket(len(drawn)))
    places[drawn] = np.arange(len(drawn))
    return places


@jax.jit
def _scattered(weights: jax.Array, places: jax.Array) -> jax.Array:
    """Weights (row, annotator) of those drawn, in their places; 0 for others."""
    TRACES["scattered"] += 1
    return jnp.take(weights, places, axis=1, mode="fill", fill_value=0)


@partial(jax.jit, static_argnames=("root_of", "dtype"))
def drawn_rows(
    key: jax.Array, numbers: jax.Array, halvings: Halvings, root_of: tuple[int, ...], dtype: DType
) -> tuple[jax.Array, ...]:
    """Weights (row, pattern) of each table, filled up to its bucket, for replicates by number."""
    TRACES["drawn_rows"] += 1

    def of_replicate(number: jax.Array) -> tuple[jax.Array, ...]:
        own = jax.random.fold_in(key, number)
        counts = [
            _halved(jax.random.fold_in(own, 2 * index), jnp.reshape(root.draws, 1), root.division)
            for index, root in enumerate(halvings.roots)
        ]
        weights = []
        for index, division in zip(root_of, halvings.divisions, strict=True):
            count, root = counts[index], halvings.roots[index]
            if division is not None:
                count = _halved(jax.random.fold_in(own, 2 * index + 1), count, division)
            weights.append((count * (root.items / root.draws)).astype(dtype))
        return tuple(weights)

    rows: tuple[jax.Array, ...] = jax.vmap(of_replicate)(numbers)
    return rows


def _halved(key: jax.Array, totals: jax.Array, halving: Halving) -> jax.Array:
    """Counts (pattern,) of one replicate that add up to the totals (group,)."""

    def halve(
        counts: jax.Array, step: tuple[jax.Array, jax.Array, jax.Array, jax.Array]
    ) -> tuple[jax.Array, None]:
        number, first, second, share = step
        total = counts[first]
        drawn = jax.random.binomial(jax.random.fold_in(key, number), total, share)
        # the binomial is made for shares between 0 and 1
        left = jnp.where(share >= 1, total, jnp.where(share > 0, drawn, 0.0))
        return counts.at[first].set(left).at[second].set(total - left), None

    at_first = jnp.append(totals, 0.0)[halving.group]
    steps = (jnp.arange(len(halving.share)), halving.first, halving.second, halving.share)
    counts, _ = jax.lax.scan(halve, at_first, steps)
    return counts[:-1]
