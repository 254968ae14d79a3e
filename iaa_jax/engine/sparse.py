"""Votes and label distributions (masses) of crowds as sparse matrices.

On a CPU, sparse matrices are the fastest form for a single set of item weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.kernels.labelling.masses import ListedMasses
from iaa_jax.kernels.labelling.method import Data
from iaa_jax.kernels.labelling.votes import ListedPairs, ListedVotes

_SMALLEST_LOG = -600.0
"""The minimum log of a product of probabilities, far above underflow."""


@dataclass(frozen=True)
class SparseVotes:
    """Listed votes as a sparse matrix with a row per item."""

    by_item: Any  # (item, annotator and label)
    listed: ListedVotes

    @classmethod
    def of(cls, votes: ListedVotes, cells: int) -> SparseVotes:
        """Return the matrix of listed votes; ``cells`` is the number of annotators times labels."""
        from scipy.sparse import csr_array

        given = votes.share != 0
        ends = np.append(0, given.sum(axis=1).cumsum())
        # 32-bit indices suffice for fewer than 2^31 votes, and products take a fifth less time
        short = (each.astype(np.int32) for each in (votes.cell[given], ends))
        by_item = csr_array((votes.share[given], *short), shape=(len(ends) - 1, cells))
        return cls(by_item, votes)

    @cached_property
    def by_cell(self) -> Any:
        """The transposed matrix, cached because SciPy checks a new matrix at every step."""
        return self.by_item.T

    @cached_property
    def places(self) -> Integers | None:
        """The cell (annotator and label) of each item's first vote, second vote, ...

        A missing vote has the index after the last cell. None with fractional votes.
        """
        share = self.listed.share
        if not np.isin(share, (0, 1)).all():
            return None
        cells = np.where(share > 0, self.listed.cell, self.by_item.shape[1])
        return np.ascontiguousarray(cells.T.astype(np.intp))

    @property
    def known(self) -> Floats | None:
        """The labels of items whose true label is known in advance (control items), if any."""
        known: Floats | None = self.listed.known
        return known

    def pairs(self, labels: int) -> ListedPairs:
        """Return the votes one by one, as listed."""
        return self.listed.pairs(labels)

    def scores(self, table: Floats) -> Floats:
        """Sum a table (annotator, label, ...) over the votes of each item."""
        shape = table.shape[2:]
        flat = table.reshape(self.by_item.shape[1], -1)
        return np.asarray(self.by_item @ flat).reshape(-1, *shape)

    def products(self, logs: Floats) -> Floats | None:
        """Return ``exp(scores(logs))``, with only one exponential per cell.

        None if votes are fractional, if a product could come near underflow, or if items have known
        labels.
        """
        if self.known is not None or self.places is None:
            return None
        if len(self.places) * logs.min() < _SMALLEST_LOG:
            return None
        table = np.exp(logs.reshape(self.by_item.shape[1], -1))
        table = np.append(table, np.ones((1, table.shape[1])), axis=0)
        product: Floats = np.take(table, self.places[0], axis=0)
        for place in self.places[1:]:
            product *= np.take(table, place, axis=0)
        return product

    def totals(self, values: Floats, annotators: int, labels: int) -> Floats:
        """Sum values over the votes of each annotator for each label."""
        flat = np.asarray(self.by_cell @ values.reshape(len(values), -1))
        return flat.reshape(annotators, labels, *values.shape[1:])


@dataclass(frozen=True)
class SparseMasses:
    """Listed masses, with a sparse matrix for sums by annotator."""

    mass: Floats
    rated: Floats
    annotator: Integers
    by_annotator: Any  # (annotator, item and slot); slots hold the ratings of an item

    @classmethod
    def of(cls, masses: ListedMasses, annotators: int) -> SparseMasses:
        """Return listed masses with their matrix."""
        from scipy.sparse import csr_array

        place = np.flatnonzero(masses.rated)
        owner = masses.annotator.reshape(-1)[place]
        shape = (annotators, masses.rated.size)
        return cls(*masses, csr_array((np.ones(len(place)), (owner, place)), shape=shape))

    def at_ratings(self, values: Floats) -> Floats:
        """Return the value of each rating's annotator."""
        return values[self.annotator]

    def totals(self, values: Floats, annotators: int) -> Floats:
        """Sum values over the ratings of each annotator."""
        flat = np.asarray(self.by_annotator @ values.reshape(self.rated.size, -1))
        return flat.reshape(annotators, *values.shape[2:])


def sparse(data: Data, annotators: int, labels: int) -> Data:
    """Return listed votes or masses in the form fastest on a CPU, and other data unchanged."""
    if isinstance(data, ListedVotes):
        return SparseVotes.of(data, annotators * labels)
    return SparseMasses.of(data, annotators) if isinstance(data, ListedMasses) else data
