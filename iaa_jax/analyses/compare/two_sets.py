"""Resample and permute the items of two sets on one table of patterns.

A pattern is a distinct row of ratings. Each row of weights has the number of items with each
pattern in one replicate or permutation. Fine patterns distinguish annotators; coarse patterns
ignore who gave which rating.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.compare.clusters import ClusteredSets, ItemClusters, sum_columns
from iaa_jax.engine import PatternTable, Prepared, Problem, bootstrap_rows, over_rows
from iaa_jax.engine.drawing import BLOCK, Purpose, rows_at_once, stream
from iaa_jax.engine.drawing.without_replacement import drawn_items
from iaa_jax.engine.rows import Progress, tell
from iaa_jax.measure.ratings.rated import Rated

Permuter = Callable[[np.random.Generator, int], tuple[Floats, Floats]]
"""Function that draws permutations: weights of A, and `PermutedRows.units`."""


class SetTables(NamedTuple):
    """The coarse (exchangeable) and the fine (identified) table of one set."""

    exchangeable: PatternTable
    identified: PatternTable


class WeightRows(NamedTuple):
    """Weights (row, pattern) of both sets, one array per table."""

    a: tuple[Floats, ...]
    b: tuple[Floats, ...]


class PermutedRows(NamedTuple):
    """Weights (row, fine pattern) of both sets after permutations.

    In paired sets, ``units`` (row, unit) counts the swapped items of each pair of patterns in
    `TwoSets.turning`, or marks the swapped clusters. In independent sets, it marks the clusters in
    A, or has no columns.
    """

    a: Floats
    b: Floats
    units: Floats


class TwoSets:
    """Two sets on one table: weights of patterns in each set, and pairs of items.

    Parameters
    ----------
    tables : Rated
        Tables of the items of A, then of B.
    items_of_a : int
        Number of rows that belong to A.
    weight : array (item,)
        How many items each row represents.
    paired : bool
        Whether row i of A and row i of B are the same item.
    clusters : ItemClusters, optional
        Clusters of items; whole clusters are drawn and permuted.
    """

    def __init__(
        self,
        tables: Rated,
        items_of_a: int,
        weight: Floats,
        *,
        paired: bool,
        clusters: ItemClusters | None = None,
    ) -> None:
        patterns, coarse = tables.identified, tables.exchangeable
        self._other, self.paired = tables.exchangeable_table.other, paired
        self.coarse_of = coarse.pattern_of
        self.sizes = len(coarse.codes), len(patterns.codes)
        self._to_coarse = adder(self.coarse_of, self.sizes[0])
        known = np.asarray((patterns.codes >= 0).any(axis=1))
        number = patterns.pattern_of
        weight = np.where(known[number], weight, 0.0)
        of_a, of_b = number[:items_of_a], number[items_of_a:]
        weight_a, weight_b = weight[:items_of_a], weight[items_of_a:]
        self.a, self.b = self._tables(of_a, weight_a), self._tables(of_b, weight_b)
        self.panel = (patterns.codes >= 0).sum(axis=1)
        # single items are permuted only if their weights are whole
        self.whole_weights = clusters is not None or bool(np.all(weight == np.rint(weight)))
        self.clustered: ClusteredSets | None = None
        if clusters is not None:
            self.clustered = ClusteredSets(
                (self.a, self.b),
                [(self.coarse_of[number], number) for number in (of_a, of_b)],
                (weight_a, weight_b),
                (clusters.of_a, clusters.of_b),
                paired=paired,
            )
        if not paired:
            self._present = [_present_patterns(of, self.coarse_of) for of in (self.a, self.b)]
            return
        pairs, count = _count_keys(of_a * self.sizes[1] + of_b, weight_a)
        self.of_a, self.of_b = np.divmod(pairs, self.sizes[1])
        # swapping equal ratings changes nothing
        self.turning = np.flatnonzero(self.of_a != self.of_b)
        coarse_pairs = self.coarse_of[self.of_a] * self.sizes[0] + self.coarse_of[self.of_b]
        joint, group = np.unique(coarse_pairs, return_inverse=True)
        group = group.reshape(-1)
        coarse_count = np.bincount(group, weights=count, minlength=len(joint))
        self.coarse_joint = self._other(coarse_count.astype(np.float64))
        self.joint = self._other(count, self.coarse_joint, group)
        self.coarse_of_a, self.coarse_of_b = np.divmod(joint, self.sizes[0])

    def _tables(self, number: NDArray[np.integer], weight: Floats) -> SetTables:
        count = np.bincount(number, weights=weight, minlength=self.sizes[1])
        coarse_count = np.bincount(self.coarse_of, weights=count, minlength=self.sizes[0])
        exchangeable = self._other(coarse_count.astype(np.float64))
        return SetTables(
            exchangeable, self._other(count.astype(np.float64), exchangeable, self.coarse_of)
        )

    @property
    def pairable(self) -> tuple[float, float]:
        """Weight of the items with two ratings or more, in A and in B."""
        a, b = (float(part.identified.count[self.panel >= 2].sum()) for part in (self.a, self.b))
        return a, b

    @property
    def ratings_of_item(self) -> tuple[float, float]:
        """Mean number of ratings of items with two or more, in each set."""
        rated = np.where(self.panel >= 2, self.panel, 0)
        a, b = (
            float(part.identified.count @ rated) / items if items else 0.0
            for part, items in zip((self.a, self.b), self.pairable, strict=True)
        )
        return a, b

    @property
    def smallest_p_value(self) -> float:
        """Smallest possible p-value of the permutation test; 0 if it is near 0."""
        return 0.0 if self.clustered is None else self.clustered.smallest_p_value

    def tables(
        self, *, identified: bool, exchangeable: bool
    ) -> tuple[list[int], list[PatternTable]]:
        """Return indices of the requested tables, and these tables of A."""
        wanted = [index for index, is_wanted in enumerate((exchangeable, identified)) if is_wanted]
        return wanted, [self.a[index] for index in wanted]

    def pair_table(self, index: int) -> tuple[PatternTable, NDArray[np.intp], NDArray[np.intp]]:
        """Return the table of pairs of patterns, and their patterns in A and in B."""
        if index == 0:
            return self.coarse_joint, self.coarse_of_a, self.coarse_of_b
        return self.joint, self.of_a, self.of_b

    def bootstrap(self, wanted: Sequence[int], replicates: int, seed: int) -> Iterator[WeightRows]:
        """Yield weights after drawing items or clusters (jointly in A and B if paired)."""
        if self.clustered is not None:
            for a, b in self.clustered.bootstrap(wanted, replicates, seed):
                yield WeightRows(a, b)
            return
        draw = self._draw_pairs if self.paired else self._draw_each_set
        yield from draw(wanted, replicates, seed)

    def _draw_pairs(
        self, wanted: Sequence[int], replicates: int, seed: int
    ) -> Iterator[WeightRows]:
        tables, to_a, to_b = [], [], []
        for index in wanted:
            table, of_a, of_b = self.pair_table(index)
            tables.append(table)
            to_a.append(adder(of_a, self.sizes[index]))
            to_b.append(adder(of_b, self.sizes[index]))
        for rows in _replicate_rows(tables, replicates, seed):
            a, b = (
                tuple(sum_columns(matrix, part) for matrix, part in zip(to, rows, strict=True))
                for to in (to_a, to_b)
            )
            yield WeightRows(a, b)

    def _draw_each_set(
        self, wanted: Sequence[int], replicates: int, seed: int
    ) -> Iterator[WeightRows]:
        tables = [tables[index] for tables, _ in self._present for index in wanted]
        columns_of = [columns[index] for _, columns in self._present for index in wanted]
        sizes = [self.sizes[index] for _ in self._present for index in wanted]
        for rows in _replicate_rows(tables, replicates, seed):
            expanded = []
            for part, columns, patterns in zip(rows, columns_of, sizes, strict=True):
                weights = np.zeros((len(part), patterns))
                weights[:, columns] = part
                expanded.append(weights)
            yield WeightRows(tuple(expanded[: len(wanted)]), tuple(expanded[len(wanted) :]))

    def exchanges(self, permutations: int, seed: int) -> Iterator[PermutedRows]:
        """Yield the actual sets, then random permutations of the items between the sets.

        In paired sets, an item's ratings in A and in B are swapped with probability one half. In
        independent sets, items are assigned at random to sets of the same sizes. Clusters are
        treated like items.
        """
        count_a, count_b = (side.identified.count for side in (self.a, self.b))
        width, permute, as_they_are = self._permuter()
        yield PermutedRows(count_a[None], count_b[None], as_they_are[None])
        batch = rows_at_once(max(width, self.sizes[1]))
        remaining, block = permutations, 0
        while remaining > 0:
            draws = stream(seed, Purpose.EXCHANGED_SETS, block)
            for _ in range(BLOCK // batch):
                if remaining <= 0:
                    return
                a, units = (part[:remaining] for part in permute(draws, batch))
                remaining -= len(a)
                # fractional weights may leave a rounding error below 0
                yield PermutedRows(a, np.maximum(count_a + count_b - a, 0.0), units)
            block += 1

    def _permuter(self) -> tuple[int, Permuter, Floats]:
        """Return how many random numbers a permutation takes, a permuter, and unpermuted units."""
        if self.clustered is not None:
            return self.clustered.width, self.clustered.permute, self.clustered.as_they_are
        return self._swap_panels() if self.paired else self._deal_items()

    def coarse_rows(self, rows: Floats) -> Floats:
        """Add up weights (row, fine pattern) into weights (row, coarse pattern)."""
        return sum_columns(self._to_coarse, rows)

    def _swap_panels(self) -> tuple[int, Permuter, Floats]:
        differ = self.turning
        pairs = self.joint.count[differ].astype(np.int64)
        to_a, to_b = (adder(number[differ], self.sizes[1]) for number in (self.of_a, self.of_b))
        swaps = (to_b - to_a).tocsr()

        def swap(draws: np.random.Generator, rows: int) -> tuple[Floats, Floats]:
            swapped = draws.binomial(pairs, 0.5, size=(rows, len(pairs))).astype(np.float64)
            return self.a.identified.count + sum_columns(swaps, swapped), swapped

        return len(pairs), swap, np.zeros(len(pairs))

    def _deal_items(self) -> tuple[int, Permuter, Floats]:
        count = self.a.identified.count + self.b.identified.count
        present = np.flatnonzero(count > 0)
        both, items = count[present].astype(np.int64), int(self.a.identified.count.sum())

        def deal(draws: np.random.Generator, rows: int) -> tuple[Floats, Floats]:
            a = np.zeros((rows, self.sizes[1]))
            a[:, present] = drawn_items(draws, both, items, rows)
            return a, np.zeros((rows, 0))

        return len(present), deal, np.zeros(0)


def _replicate_rows(
    tables: Sequence[PatternTable], replicates: int, seed: int
) -> Iterator[tuple[Floats, ...]]:
    """Yield rows of the bootstrap, without the excess of the last block."""
    remaining = replicates
    for rows in bootstrap_rows(tables, replicates, seed):
        yield tuple(part[:remaining] for part in rows)
        remaining -= min(len(rows[0]), remaining)


def _present_patterns(
    tables: SetTables, coarse_of: Integers
) -> tuple[SetTables, tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Return tables of the patterns in a set, and their positions among all patterns."""
    coarse, fine = (np.flatnonzero(table.count > 0) for table in tables)
    number = np.zeros(len(tables.exchangeable.count), dtype=np.intp)
    number[coarse] = np.arange(len(coarse))
    exchangeable = tables.exchangeable.other(tables.exchangeable.count[coarse])
    identified = exchangeable.other(
        tables.identified.count[fine], exchangeable, number[coarse_of[fine]]
    )
    return SetTables(exchangeable, identified), (coarse, fine)


def _count_keys(keys: NDArray[np.integer], weight: Floats) -> tuple[NDArray[np.intp], Floats]:
    present, number = np.unique(keys[weight > 0], return_inverse=True)
    count = np.bincount(number.reshape(-1), weights=weight[weight > 0], minlength=len(present))
    return present.astype(np.intp), count.astype(np.float64)


def adder(number: NDArray[np.integer], size: int) -> csr_array:
    """Return the matrix (size, column) that sums columns by number; -1 drops a column."""
    columns = np.flatnonzero(number >= 0)
    ones = np.ones(len(columns))
    return csr_array((ones, (number[columns], columns)), shape=(size, len(number)))


def resampled_differences(
    sides: Sequence[tuple[Problem, Problem]],
    sets: TwoSets,
    replicates: int,
    seed: int,
    progress: Progress | None = None,
) -> list[Floats]:
    """Return replicates (replicate,) of B - A for coefficients.

    ``sides`` are each coefficient's problems (formula and data) in A and in B. If they have the
    same annotators, one problem evaluates the rows of weights of both sets.
    """
    if not sides:
        return []
    identified = [a.measure.identified for a, _ in sides]
    wanted, tables = sets.tables(identified=any(identified), exchangeable=not all(identified))
    differ = [a.annotator_weight is not b.annotator_weight for a, b in sides]
    problems_of_b = [
        replace(b, table=a.table) for (a, b), differs in zip(sides, differ, strict=True) if differs
    ]
    sizes: list[int] = []

    def stacked() -> Iterator[tuple[Floats, ...]]:
        for rows in sets.bootstrap(wanted, replicates, seed):
            sizes.append(len(rows.a[0]))
            yield tuple(np.concatenate(pair) for pair in zip(rows.a, rows.b, strict=True))

    def done(count: int, weight_rows: int) -> None:
        tell(progress, count // 2, weight_rows // 2)

    prepared = Prepared([*(a for a, _ in sides), *problems_of_b])
    values = over_rows(prepared, tables, stacked(), 2 * replicates, progress=done)
    of_a = np.concatenate([np.repeat([True, False], size) for size in sizes])
    differences, index_of_b = [], len(sides)
    for index, differs in enumerate(differ):
        source = index_of_b if differs else index
        index_of_b += differs
        differences.append(values[source][~of_a] - values[index][of_a])
    return differences
