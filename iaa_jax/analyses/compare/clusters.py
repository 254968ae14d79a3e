"""Whole clusters of items, such as documents, in a comparison: drawn, and exchanged."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax.analyses.compare.matching import rated_rows
from iaa_jax.engine import Table, bootstrap_rows
from iaa_jax.engine.problem import Floats
from iaa_jax.engine.resampling import Clusters
from iaa_jax.engine.weights import rows_at_once
from iaa_jax.measure.sampling import cluster_codes

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Places = NDArray[np.intp]


class Grouping(NamedTuple):
    """The cluster of each item of both sets, and how many names of clusters stand in both.

    Clusters of paired sets have the same numbers in both.
    """

    of_a: Places
    of_b: Places
    shared: int


def grouping(name: str, a: xr.Dataset, b: xr.Dataset, *, paired: bool) -> Grouping:
    """The clusters by a coordinate that both sets have along their items."""
    (of_a, names_a), (of_b, names_b) = (
        _coded(name, ratings, letter) for letter, ratings in (("A", a), ("B", b))
    )
    shared = len({str(one) for one in names_a} & {str(one) for one in names_b})
    if not paired:
        return Grouping(of_a, of_b, shared)
    pairs = list(zip(names_a[of_a].tolist(), names_b[of_b].tolist(), strict=True))
    apart = [place for place, (one, two) in enumerate(pairs) if one != two and str(one) != str(two)]
    if apart:
        first = apart[0]
        one, two = pairs[first]
        message = (
            f"{len(apart):,} items have another {name} in B than in A, such as item "
            f"{shown([a['item'].values[first]])} ({shown([one])} in A, {shown([two])} in B): give "
            "the same items the same cluster, or compare them with paired=False"
        )
        raise IaaError(message)
    return Grouping(of_a, of_a, shared)


def _coded(name: str, ratings: xr.Dataset, letter: str) -> tuple[Places, NDArray[Any]]:
    """Numbers of clusters; items without ratings are in the first, where they count nothing."""
    known = rated_rows(ratings)
    try:
        codes, names = cluster_codes(ratings.isel(item=known), name)
    except IaaError as error:
        message = f"{letter}: {error}"
        raise IaaError(message) from None
    every = np.zeros(ratings.sizes["item"], dtype=np.intp)
    every[known] = codes
    return every, names


class Grouped:
    """Both sets by clusters, and their rows of weights.

    Parameters
    ----------
    sides : two pairs of tables
        The coarse and the fine table of A, and of B.
    places : two pairs of arrays (item,)
        The pattern of each item in them.
    weights : two arrays (item,)
        For how many items each row stands.
    of : two arrays (item,)
        Clusters.
    paired : bool
        Whether clusters with the same number are the same.
    """

    def __init__(
        self,
        sides: Sequence[Sequence[Table]],
        places: Sequence[Sequence[Places]],
        weights: Sequence[Floats],
        of: Sequence[Places],
        *,
        paired: bool,
    ) -> None:
        self.paired = paired
        self.a, self.b = (
            Clusters.of_items(cluster, list(zip(tables, place, strict=True)), weight)
            for tables, place, weight, cluster in zip(sides, places, weights, of, strict=True)
        )
        # (pattern, cluster), as rows of clusters are multiplied by them
        self._of_a, self._of_b = (
            [clusters.of(table).T.tocsr() for table in tables]
            for clusters, tables in zip((self.a, self.b), sides, strict=True)
        )

    @property
    def numbers(self) -> tuple[int, int]:
        """How many clusters A has, and B."""
        return round(self.a.number), round(self.b.number)

    def bootstrap(
        self, wanted: Sequence[int], replicates: int, seed: int
    ) -> Iterator[tuple[tuple[Floats, ...], tuple[Floats, ...]]]:
        """Clusters drawn with replacement: of both sets together where they are paired."""
        drawn = [self.a] if self.paired else [self.a, self.b]
        # clusters split one table of all, in whichever way costs least
        tables = [
            Table(one.count, Table(np.array([one.number])), np.zeros(len(one.count), dtype=np.intp))
            for one in drawn
        ]
        together = rows_at_once(max(matrix.shape[0] for matrix in (*self._of_a, *self._of_b)))
        left = replicates
        for rows in bootstrap_rows(tables, replicates, seed):
            kept = min(len(rows[0]), left)
            left -= kept
            for start in range(0, kept, together):
                part = slice(start, min(start + together, kept))
                yield (
                    tuple(_times(self._of_a[place], rows[0][part]) for place in wanted),
                    tuple(_times(self._of_b[place], rows[-1][part]) for place in wanted),
                )

    @property
    def width(self) -> int:
        """Random numbers behind an exchange."""
        return len(self.a.count) if self.paired else sum(self.numbers)

    @property
    def least(self) -> float:
        """The smallest p-value that all exchanges together can give."""
        one, two = self.numbers
        if self.paired:
            return min(1.0, 2 / 2.0**one)
        return min(1.0, (1 + (one == two)) / math.comb(one + two, one))

    def exchanged(self, stream: np.random.Generator, rows: int) -> Floats:
        """Weights (row, fine pattern) of A where whole clusters go to either set at random."""
        of_a, of_b = self._of_a[1], self._of_b[1]
        if self.paired:
            turned = stream.binomial(1, 0.5, size=(rows, len(self.a.count))).astype(np.float64)
            return _times(of_a, 1 - turned) + _times(of_b, turned)
        known_a, known_b = (np.flatnonzero(one.count > 0) for one in (self.a, self.b))
        chosen = np.zeros((rows, self.width))
        chosen[:, : len(known_a)] = 1.0
        chosen = stream.permuted(chosen, axis=1)
        first, second = chosen[:, : len(known_a)], chosen[:, len(known_a) :]
        return _times(of_a[:, known_a], first) + _times(of_b[:, known_b], second)


def _times(matrix: csr_array, rows: Floats) -> Floats:
    return np.ascontiguousarray((matrix @ rows.T).T)
