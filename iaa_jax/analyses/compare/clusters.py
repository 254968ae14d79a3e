"""Clusters of items, such as documents, which a comparison resamples and permutes whole."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import xarray as xr
from numpy.typing import NDArray
from scipy.sparse import csr_array

from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Floats, Values
from iaa_jax.data.storage import rated
from iaa_jax.engine import PatternTable, bootstrap_rows
from iaa_jax.engine.drawing import Clusters, rows_at_once
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resampling import cluster_codes
from iaa_jax.wording import keyword

Indices = NDArray[np.intp]


class ItemClusters(NamedTuple):
    """The cluster of each item of both sets, and the number of common cluster names.

    In paired sets, a cluster has the same code in both.
    """

    of_a: Indices
    of_b: Indices
    shared: int


def item_clusters(
    name: str, a: xr.Dataset, b: xr.Dataset, names: tuple[str, str], *, paired: bool
) -> ItemClusters:
    """Return the clusters by a coordinate along the items of both sets."""
    (of_a, names_a), (of_b, names_b) = (
        _item_codes(name, Rated(ratings), side) for ratings, side in zip((a, b), names, strict=True)
    )
    shared = len({*map(str, names_a)} & {*map(str, names_b)})
    if not paired:
        return ItemClusters(of_a, of_b, shared)
    pairs = list(zip(names_a[of_a].tolist(), names_b[of_b].tolist(), strict=True))
    differ = [k for k, (in_a, in_b) in enumerate(pairs) if in_a != in_b and str(in_a) != str(in_b)]
    if differ:
        in_a, in_b = pairs[differ[0]]
        raise IaaError(
            f"{len(differ):,} items have another {name} in {names[1]} than in {names[0]}, such as "
            f"item {shown([a['item'].values[differ[0]]])} ({shown([in_a])} in {names[0]}, "
            f"{shown([in_b])} in {names[1]}): give the same items the same cluster, or compare "
            f"them with {keyword('paired', False)}"
        )
    return ItemClusters(of_a, of_a, shared)


def _item_codes(name: str, ratings: Rated, side: str) -> tuple[Indices, Values]:
    """Return the cluster code of each item, and the names of the clusters by code.

    Codes follow the sorted names, whatever the order of the items. Items without ratings get the
    first cluster, where they have no effect.
    """
    rated_items = np.flatnonzero(rated(ratings.dataset).any(axis=1))
    try:
        codes, names = cluster_codes(ratings.select_items(rated_items), name)
    except IaaError as error:
        raise IaaError(f"{side}: {error.message}") from None
    order = np.argsort(np.array([str(name) for name in names]), kind="stable")
    all_codes = np.zeros(ratings.items, dtype=np.intp)
    all_codes[rated_items] = np.argsort(order)[codes]
    return all_codes, names[order]


class ClusteredSets:
    """The clusters of both sets, and pattern weights after clusters are drawn or permuted.

    Parameters
    ----------
    tables : two pairs of tables
        The coarse and the fine table of A, then of B. The coarse table has patterns (distinct
        rows of ratings) that ignore who gave which rating; the fine table distinguishes annotators.
    codes : two pairs of arrays (item,)
        The pattern of each item in these tables.
    weights : two arrays (item,)
        The weight of each item: how many items it represents.
    clusters : two arrays (item,)
        The cluster of each item.
    paired : bool
        Whether clusters with the same code are the same cluster.
    """

    def __init__(
        self,
        tables: Sequence[Sequence[PatternTable]],
        codes: Sequence[Sequence[Indices]],
        weights: Sequence[Floats],
        clusters: Sequence[Indices],
        *,
        paired: bool,
    ) -> None:
        self.paired = paired
        self.a, self.b = (
            Clusters.from_items(cluster, list(zip(pair, code, strict=True)), weight)
            for pair, code, weight, cluster in zip(tables, codes, weights, clusters, strict=True)
        )
        self._of_a, self._of_b = (
            [clusters.matrix_of(table).T.tocsr() for table in pair]
            for clusters, pair in zip((self.a, self.b), tables, strict=True)
        )

    @property
    def numbers(self) -> tuple[int, int]:
        """Numbers of clusters in A and B."""
        return round(self.a.number), round(self.b.number)

    def bootstrap(
        self, wanted: Sequence[int], replicates: int, seed: int
    ) -> Iterator[tuple[tuple[Floats, ...], tuple[Floats, ...]]]:
        """Yield pattern weights of A and B after drawing clusters (jointly if paired)."""
        drawn = [self.a] if self.paired else [self.a, self.b]
        tables = [clusters.table for clusters in drawn]
        batch = rows_at_once(max(matrix.shape[0] for matrix in (*self._of_a, *self._of_b)))
        remaining = replicates
        for rows in bootstrap_rows(tables, replicates, seed):
            count = min(len(rows[0]), remaining)
            remaining -= count
            for start in range(0, count, batch):
                part = slice(start, min(start + batch, count))
                yield (
                    tuple(sum_columns(self._of_a[index], rows[0][part]) for index in wanted),
                    tuple(sum_columns(self._of_b[index], rows[-1][part]) for index in wanted),
                )

    @property
    def width(self) -> int:
        """Number of random numbers that a permutation needs."""
        return len(self.a.count) if self.paired else sum(self.numbers)

    @property
    def smallest_p_value(self) -> float:
        """Smallest possible p-value of the permutation test."""
        number_a, number_b = self.numbers
        if self.paired:
            return min(1.0, 2 / 2.0**number_a)
        return min(1.0, (1 + (number_a == number_b)) / math.comb(number_a + number_b, number_a))

    @property
    def as_they_are(self) -> Floats:
        """The second array of `permute` if nothing is permuted."""
        if self.paired:
            return np.zeros(len(self.a.count))
        return np.concatenate([np.ones(self.numbers[0]), np.zeros(self.numbers[1])])

    def permute(self, stream: np.random.Generator, rows: int) -> tuple[Floats, Floats]:
        """Return weights (row, fine pattern) of A after random permutations of clusters.

        The second array (row, cluster) marks the clusters that are swapped (in paired sets), or the
        clusters that are now in A (in independent sets).
        """
        if self.paired:
            swapped = stream.binomial(1, 0.5, size=(rows, len(self.a.count))).astype(np.float64)
            a = sum_columns(self._of_a[1], 1 - swapped) + sum_columns(self._of_b[1], swapped)
            return a, swapped
        chosen = stream.permuted(np.tile(self.as_they_are, (rows, 1)), axis=1)
        of_a, of_b = self._present(1)
        first, second = np.split(chosen, [self.numbers[0]], axis=1)
        return sum_columns(of_a, first) + sum_columns(of_b, second), chosen

    def _present(self, index: int) -> list[csr_array]:
        """Return matrices (pattern, cluster) for the clusters with items in A, and in B."""
        parts = (self.a, self._of_a[index]), (self.b, self._of_b[index])
        return [matrix[:, np.flatnonzero(part.count > 0)] for part, matrix in parts]

    def sums(self, share: Floats) -> tuple[Floats, Floats]:
        """Sum values of coarse patterns over each cluster's items in A and in B: (cluster, ...)."""
        return self._of_a[0].T @ share, self._of_b[0].T @ share

    def variance(self, index: int, a: Floats, b: Floats, units: Floats) -> Floats:
        """Return the variance (row,) of permuted differences, from centred derivatives.

        ``a`` and ``b`` (row, pattern) are derivatives on the table ``index`` (0 coarse, 1 fine).
        ``units`` is the second array of `permute`.
        """
        if self.paired:
            of_a, of_b = (parts[index].T.tocsr() for parts in (self._of_a, self._of_b))
            kept = sum_columns(of_b, b) - sum_columns(of_a, a)
            turned = sum_columns(of_a, b) - sum_columns(of_b, a)
            count = np.broadcast_to(self.a.count, units.shape)
            return weighted_variance(np.where(units > 0, turned, kept), count)
        in_a, in_b = (
            np.concatenate([sum_columns(part.T.tocsr(), side) for part in self._present(index)], 1)
            for side in (a, b)
        )
        return weighted_variance(in_a, units) + weighted_variance(in_b, 1 - units)


def weighted_variance(derivative: Floats, count: Floats) -> Floats:
    """Return ``n / (n - 1) sum c (g - gbar)^2`` of each row; NaN unless n exceeds 1.

    Here g is the derivative of a unit, c its count, and n the sum of c.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        units = count.sum(axis=1)
        mean = np.einsum("ru,ru->r", count, derivative) / units
        squares = np.einsum("ru,ru->r", count, np.square(derivative - mean[:, None]))
        return np.where(units > 1, units / (units - 1) * squares, np.nan)


def sum_columns(matrix: csr_array, rows: Floats) -> Floats:
    """Return sums (row, sum) of the columns of ``rows``, weighted by a matrix (sum, column)."""
    return np.ascontiguousarray((matrix @ rows.T).T)
