"""Clusters of items, such as documents or threads, that are drawn or left out together.

A replicate draws as many clusters as there are, with replacement, so their counts are multinomial
with equal probabilities. Clusters may get Dirichlet weights instead of counts. The weight of a
pattern (a set of items with the same ratings) is a sum over clusters: the cluster's weight times
the number of its items that show the pattern. Clusters whose items show the same patterns equally
often may share a row of a matrix. The row's count is then the number of these clusters.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from iaa_jax.engine.drawing.tables import membership
from iaa_jax.engine.problem import Floats, Integers, PatternTable

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class Clusters:
    """Groups of items that are drawn or left out together.

    Parameters
    ----------
    tables : sequence of PatternTable
        Tables of the same ratings. A coarse table need not be given if a table that refines it is
        given.
    matrices : sequence of sparse arrays (cluster, pattern)
        For each table, the weight of each cluster's items by pattern; summed over the clusters, it
        is the table's count.
    count : array (cluster,), optional
        How many clusters each row represents: 1 by default, 0 for a cluster without rated items.
    """

    def __init__(
        self,
        tables: Sequence[PatternTable],
        matrices: Sequence[csr_array],
        count: Floats | None = None,
    ) -> None:
        self._known = list(zip(tables, matrices, strict=True))
        nonempty = np.asarray(matrices[0].sum(axis=1)).reshape(-1) > 0
        self.count: Floats = np.where(nonempty, 1.0 if count is None else count, 0.0)
        for table, matrix in self._known:
            if not np.allclose(self.count @ matrix, table.count):
                raise ValueError("the clusters do not add up to the counts of the table")

    @classmethod
    def from_items(
        cls,
        cluster: Integers,
        item_patterns: Sequence[tuple[PatternTable, Integers]],
        weight: Floats | None = None,
    ) -> Clusters:
        """Return clusters, given each item's cluster and, for each table, the item's pattern.

        ``weight`` is how many times each item counts, 1 by default.
        """
        from scipy.sparse import csr_array

        size = int(np.max(cluster, initial=-1)) + 1
        once = np.ones(len(cluster)) if weight is None else np.asarray(weight, dtype=np.float64)
        matrices = []
        for table, pattern in item_patterns:
            # items that nobody rated have weight 0
            item_weight = np.where(table.count[pattern] > 0, once, 0.0)
            matrix = csr_array((item_weight, (cluster, pattern)), shape=(size, len(table.count)))
            matrix.eliminate_zeros()
            matrices.append(matrix)
        return cls([table for table, _ in item_patterns], matrices)

    @property
    def number(self) -> float:
        """The number of clusters with rated items."""
        return float(self.count.sum())

    @cached_property
    def table(self) -> PatternTable:
        """The clusters as patterns, which refine a table with a single pattern."""
        other = self._known[0][0].other
        together = other(np.array([self.number]))
        return other(self.count, together, np.zeros(len(self.count), dtype=np.intp))

    def matrix_of(self, table: PatternTable) -> csr_array:
        """Return the weights (cluster, pattern) of each cluster's items in a table."""
        for known, matrix in self._known:
            if known is table:
                return matrix
        for known, matrix in self._known:
            if known.coarse is table and known.pattern_of is not None:
                members = membership(known.pattern_of, len(table.count))
                coarse_matrix: csr_array = (matrix @ members.T).tocsr()
                self._known.append((table, coarse_matrix))
                return coarse_matrix
        raise ValueError("the clusters have no weights for the patterns of this table")
