"""Weights of replicates, drawn on devices by replicate number.

Each replicate has its own key, from the seed and its number, so batch sizes and the number of
devices change no draw. The weights differ from weights drawn on the host, but have the same
distribution. They belong to tables of patterns (sets of items with the same ratings); a table that
refines a coarse table divides the weights of the coarse table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from iaa_jax.engine.compiled import TRACES
from iaa_jax.engine.computing import Computing
from iaa_jax.engine.devices import PerDevice
from iaa_jax.engine.drawing import BLOCK, Clusters, Resampling
from iaa_jax.engine.drawing.tables import roots_of
from iaa_jax.engine.on_device.counts import DeviceMultinomial
from iaa_jax.engine.on_device.gammas import DeviceDirichlet
from iaa_jax.engine.padding import bucket, pad
from iaa_jax.engine.precision import DType
from iaa_jax.engine.problem import Integers, PatternTable
from iaa_jax.kernels.namespace import Array

_ITEMS, _ANNOTATORS = range(2)
"""Kinds of draws, folded into a key before the number of annotators (0 for items)."""

_MEMORY = 1 << 30
"""Assumed memory of a device that does not report it, in bytes."""

_SHARE = 0.5
"""The share of free memory that replicates may use."""

Division = DeviceMultinomial | DeviceDirichlet


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Drawing:
    """The plan to draw weights for several tables of the same ratings.

    Attributes
    ----------
    roots : tuple of Division
        How to divide the total of each root (a table that refines no other) among its patterns.
    draws, items : arrays (root,)
        The number of draws of each root, and the number of items that these draws represent.
    parts : tuple of Division or None
        How to divide the weights of a coarse table among the patterns of each table; None for a
        root.
    counts : tuple of array (pattern,)
        The counts towards which weights of each table are shrunk; empty without shrinkage.
    spread : array ()
        The factor by which deviations from the counts shrink; 1 without shrinkage.
    root_of : tuple of int
        The index of each table's root.
    """

    roots: tuple[Division, ...]
    draws: Array
    items: Array
    parts: tuple[Division | None, ...]
    counts: tuple[Array, ...]
    spread: Array
    root_of: tuple[int, ...] = field(metadata={"static": True})

    @classmethod
    def of(cls, tables: Sequence[PatternTable], resampling: Resampling) -> Drawing:
        """Return the plan for these tables."""
        roots, root_of = roots_of(tables)
        whole = resampling.weights == "multinomial"
        items = np.array([root.items for root in roots])
        draws = np.maximum(np.rint(items), 1) if whole else items

        def division(table: PatternTable, group: Integers, groups: int, drawn: float) -> Division:
            if whole:
                return DeviceMultinomial.of(table.count, group, groups, drawn)
            return DeviceDirichlet.of(table.posterior, group, groups)

        of_roots = [
            division(root, np.zeros(len(root.count), dtype=np.intp), 1, drawn)
            for root, drawn in zip(roots, draws.tolist(), strict=True)
        ]
        parts = [
            None
            if table.coarse is None or table.pattern_of is None
            else division(table, table.pattern_of, len(table.coarse.count), float(draws[root]))
            for table, root in zip(tables, root_of, strict=True)
        ]
        counts = [pad(table.count, 0.0) for table in tables] if resampling.fraction else []
        spread = np.asarray(resampling.spread)
        return cls(tuple(of_roots), draws, items, tuple(parts), (*counts,), spread, (*root_of,))

    @property
    def numbers(self) -> int:
        """The number of values per row that are kept in memory while drawing."""
        return sum(each.numbers for each in (*self.roots, *self.parts) if each is not None)

    def rows(self, key: jax.Array, numbers: jax.Array) -> list[jax.Array]:
        """Return weights (row, pattern) of each table, for the replicates with these numbers."""
        own = jax.vmap(jax.random.fold_in, (None, 0))(key, numbers)
        each = jax.vmap(jax.random.fold_in, (0, None))
        of_roots = [
            root.rows(each(own, 2 * index), jnp.full((len(numbers), 1), self.draws[index]))
            for index, root in enumerate(self.roots)
        ]
        weights = []
        for index, part in zip(self.root_of, self.parts, strict=True):
            rows = of_roots[index]
            if part is not None:
                rows = part.rows(each(own, 2 * index + 1), rows)
            weights.append(rows * (self.items[index] / self.draws[index]))
        if not self.counts:
            return weights
        pairs = zip(weights, self.counts, strict=True)
        return [count + self.spread * (rows - count) for rows, count in pairs]


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Members:
    """The items of each cluster, by pattern of one table.

    Attributes
    ----------
    cluster, pattern : arrays (entry,)
        The cluster and pattern of each entry; padding has the pattern after the last.
    items : array (entry,)
        The number of items.
    patterns : int
        The number of patterns, padded.
    """

    cluster: Array
    pattern: Array
    items: Array
    patterns: int = field(metadata={"static": True})

    @classmethod
    def of(cls, clusters: Clusters, table: PatternTable) -> Members:
        """Return the items by cluster and by pattern of the table."""
        matrix = clusters.matrix_of(table).tocoo()
        cluster, pattern = matrix.coords
        missing, patterns = bucket(matrix.nnz) - matrix.nnz, bucket(len(table.count))
        return cls(
            np.pad(cluster, (0, missing)).astype(np.int32),
            np.pad(pattern, (0, missing), constant_values=patterns).astype(np.int32),
            np.pad(matrix.data, (0, missing)),
            patterns,
        )

    def rows(self, weights: jax.Array) -> jax.Array:
        """Return pattern weights (row, pattern) from cluster weights (row, cluster)."""
        of_items = jnp.take(weights, self.cluster, axis=1) * self.items
        empty = jnp.zeros((len(weights), self.patterns))
        return empty.at[:, self.pattern].add(of_items, mode="drop")


@partial(jax.jit, static_argnames="dtype")
def drawn_rows(
    key: jax.Array,
    numbers: Array,
    drawing: Drawing,
    members: tuple[Members, ...],
    dtype: DType,
) -> tuple[jax.Array, ...]:
    """Return padded weights (row, pattern) of each table, for the replicates with these numbers."""
    TRACES["drawn_rows"] += 1
    rows = drawing.rows(key, jnp.asarray(numbers))
    if members:
        (of_clusters,) = rows
        rows = [each.rows(of_clusters) for each in members]
    return tuple(each.astype(dtype) for each in rows)


class DeviceDraws:
    """Draws weights of items, and of annotators if these are resampled, for given replicates.

    ``annotators`` maps the number of annotators of a table to the indices of those to draw.
    """

    def __init__(
        self,
        computing: Computing,
        tables: Sequence[PatternTable],
        seed: int,
        resampling: Resampling,
        dtype: DType,
        annotators: Mapping[int, Integers] | None = None,
    ) -> None:
        self._dtype, self._computing = dtype, computing
        self._tables = len(tables)
        clusters = resampling.clusters
        members: list[Members] = []
        if clusters is not None:
            members = [Members.of(clusters, table) for table in tables]
        plans: list[tuple[tuple[int, int], Drawing, tuple[Members, ...]]] = []
        if tables:
            of_items = Drawing.of(tables if clusters is None else [clusters.table], resampling)
            plans.append(((_ITEMS, 0), of_items, (*members,)))
        self._places: list[Integers] = []
        for size, who in (annotators or {}).items():
            # annotators have no finite population, and annotators without ratings are never drawn
            everyone = PatternTable(np.ones(len(who)), computing=computing)
            alike = Drawing.of([everyone], Resampling(resampling.weights))
            plans.append(((_ANNOTATORS, len(who)), alike, ()))
            self._places.append(_places(who, size))
        self._numbers = sum(drawing.numbers for _, drawing, _ in plans)
        self._numbers += sum(bucket(len(table.count)) for table in tables)
        self._numbers += sum(len(each.items) for each in members)
        with computing.scope("float64"):
            key = jax.random.wrap_key_data(jnp.asarray(_key_words(seed)), impl="threefry2x32")
            keyed = [
                (jax.random.fold_in(jax.random.fold_in(key, what), number), *plan)
                for (what, number), *plan in plans
            ]
            self._held = PerDevice(tuple(keyed), computing.devices)

    def rows_at_once(self, replicates: int, width: int) -> int:
        """Return how many replicates fit into each device's memory: 64, 128, 256, ..., or all.

        Each needs ``width`` numbers besides the weights.
        """
        stats = [device.memory_stats() or {} for device in self._computing.devices]
        free = min(each.get("bytes_limit", _MEMORY) - each.get("bytes_in_use", 0) for each in stats)
        most = _SHARE * free / (2 * 8 * (2 * self._numbers + 4 * width))
        if bucket(replicates) <= most:
            return bucket(replicates)
        rows = BLOCK
        while 2 * rows <= most:
            rows *= 2
        return rows

    def several(self, replicates: int, most: int | None = None) -> Iterator[tuple[jax.Array, ...]]:
        """Yield weights of all replicates in complete blocks, at most ``most`` blocks at a time."""
        whole = -(-replicates // BLOCK) * BLOCK
        size = self.rows_at_once(whole, 0)
        if most is not None:
            size = min(size, max(1, most) * BLOCK)
        for first in range(0, whole, size):
            drawn = self.weights(np.arange(first, first + size))
            yield tuple(each[: whole - first] for each in drawn)

    def weights(self, numbers: Integers) -> tuple[jax.Array, ...]:
        """Return the weights for these replicate numbers; calls use the devices in turn."""
        weights: list[jax.Array] = []
        # whole counts of many items are exact only in double precision
        with self._computing.scope("float64"), jax.threefry_partitionable(True):
            for key, drawing, members in self._held.next_copy():
                weights += drawn_rows(key, numbers, drawing, members, self._dtype)
            for index, places in enumerate(self._places, self._tables):
                weights[index] = _scattered(weights[index], places)
        return tuple(weights)


def _key_words(seed: int) -> NDArray[np.unsignedinteger]:
    return np.random.SeedSequence(seed).generate_state(2, np.uint32)


def _places(drawn: Integers, size: int) -> Integers:
    """Return each annotator's position among the drawn annotators; after the last if not drawn."""
    places = np.full(bucket(size), bucket(len(drawn)))
    places[drawn] = np.arange(len(drawn))
    return places


@jax.jit
def _scattered(weights: jax.Array, places: Array) -> jax.Array:
    TRACES["scattered"] += 1
    return jnp.take(weights, jnp.asarray(places), axis=1, mode="fill", fill_value=0)
