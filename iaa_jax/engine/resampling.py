"""What is drawn, and how: items or clusters, in whole counts or not, and annotators beside them.

Multinomial counts are the ordinary bootstrap. Dirichlet weights are the Bayesian one: Rubin, D. B.
(1981). The Bayesian bootstrap. Annals of Statistics 9(1). https://doi.org/10.1214/aos/1176345338.
Annotators drawn as well: Owen, A. B. (2007). The pigeonhole bootstrap. Annals of Applied Statistics
1(2). https://doi.org/10.1214/07-AOAS122; Owen, A. B. and Eckles, D. (2012). Bootstrapping data
arrays of arbitrary order. Annals of Applied Statistics 6(3). https://doi.org/10.1214/12-AOAS547.
Finite populations: Rao, J. N. K. and Wu, C. F. J. (1988). Resampling inference with complex survey
data. Journal of the American Statistical Association 83. https://doi.org/10.2307/2288945.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from iaa_jax.engine.blocks import BLOCK, in_blocks, stream
from iaa_jax.engine.problem import Floats, Integers, PatternTable
from iaa_jax.engine.weights import bootstrap_rows, coarsest, rows_at_once, threads_for

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_OF_ANNOTATORS = 1
"""Purpose of the stream of annotators; items and clusters have streams of other keys."""


class Clusters:
    """Groups of items that are drawn or left out together, such as documents or threads.

    Parameters
    ----------
    tables : sequence of PatternTable
        Tables of the same ratings. A coarse table is known through one that refines it.
    matrices : sequence of sparse arrays (cluster, pattern)
        For each table, the weight of the items of each pattern in each cluster. Over all clusters
        it adds up to the table's count.
    count : array (cluster,), optional
        How many clusters each row stands for: 1 by default, 0 for one without rated items.
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
                message = "the clusters do not add up to the counts of the table"
                raise ValueError(message)

    @classmethod
    def of_items(
        cls,
        cluster: Integers,
        item_patterns: Sequence[tuple[PatternTable, Integers]],
        weight: Floats | None = None,
    ) -> Clusters:
        """From the cluster of each item, and the place of its pattern in each table.

        ``weight`` says for how many items each stands.
        """
        from scipy.sparse import csr_array

        size = int(np.max(cluster, initial=-1)) + 1
        once = np.ones(len(cluster)) if weight is None else np.asarray(weight, dtype=np.float64)
        matrices = []
        for table, pattern in item_patterns:
            # items that nobody rated count nothing
            item_weight = np.where(table.count[pattern] > 0, once, 0.0)
            matrix = csr_array((item_weight, (cluster, pattern)), shape=(size, len(table.count)))
            matrix.eliminate_zeros()
            matrices.append(matrix)
        return cls([table for table, _ in item_patterns], matrices)

    @property
    def number(self) -> float:
        """How many clusters there are."""
        return float(self.count.sum())

    def matrix_of(self, table: PatternTable) -> csr_array:
        """Weights (cluster, pattern) of the items of each cluster in a table."""
        for known, matrix in self._known:
            if known is table:
                return matrix
        for known, matrix in self._known:
            if known.coarse is table and known.pattern_of is not None:
                coarse_matrix = (matrix @ _members(known.pattern_of, len(table.count)).T).tocsr()
                self._known.append((table, coarse_matrix))
                return coarse_matrix
        message = "the clusters do not know the patterns of this table"
        raise ValueError(message)


@dataclass(frozen=True)
class Resampling:
    """How replicates are drawn.

    Attributes
    ----------
    weights : {"multinomial", "dirichlet"}
        Whole counts with replacement, or the Bayesian bootstrap's weights, which leave out nothing.
    fraction : float
        Share n / N of a finite population that the sample is: spreads shrink by its complement's
        root. Of clusters where clusters are drawn. Annotators come from no finite population.
    clusters : Clusters, optional
        Drawn in place of items. The number of items then varies between replicates, as it would
        between samples of clusters.
    annotators : bool
        Whether annotators are drawn as well. One drawn twice weighs 2 and is no second copy: its
        pairs with others count twice, and it makes no pair with itself.
    """

    weights: Literal["multinomial", "dirichlet"] = "multinomial"
    fraction: float = 0.0
    clusters: Clusters | None = None
    annotators: bool = False

    def __post_init__(self) -> None:
        """Refuse what is none of these."""
        if self.weights not in ("multinomial", "dirichlet"):
            message = f"weights are multinomial or dirichlet, not {self.weights!r}"
            raise ValueError(message)
        if not 0 <= self.fraction < 1:
            message = f"fraction must lie between 0 and 1, not {self.fraction!r}"
            raise ValueError(message)

    @property
    def cluster_count(self) -> int | None:
        """The number of clusters; None where items are drawn one by one."""
        return None if self.clusters is None else int(self.clusters.number)

    @property
    def spread(self) -> float:
        """What a finite population leaves of the spread: ``sqrt(1 - n / N)``."""
        return float(np.sqrt(1 - self.fraction))


ITEMS = Resampling()
"""Items with replacement."""


def sampled_rows(
    tables: Sequence[PatternTable], replicates: int, seed: int, resampling: Resampling = ITEMS
) -> Iterator[tuple[Floats, ...]]:
    """Weights of patterns for several tables of the same ratings: one array (row, pattern) each.

    Items by whole counts are `bootstrap_rows`. Every kind has its streams by blocks of 64
    replicates: what else is asked, and how many rows are made at once, changes no digit. In a
    finite population a row is ``count + sqrt(1 - n / N) (row - count)``, which keeps the number of
    items; rows beyond ``replicates`` in the last block are drawn as well.
    """
    for rows, _ in sampled_units(tables, replicates, seed, resampling):
        yield rows


def sampled_units(
    tables: Sequence[PatternTable], replicates: int, seed: int, resampling: Resampling = ITEMS
) -> Iterator[tuple[tuple[Floats, ...], Floats | None]]:
    """The same rows, and beside them the weights (row, cluster) of clusters where these are drawn.

    Where clusters are drawn, those of replicates are handed over with the rows they make.
    """
    clusters = resampling.clusters
    if clusters is None:
        for rows in _drawn(tables, replicates, seed, resampling):
            yield _shrunk(rows, [table.count for table in tables], resampling), None
        return
    # clusters split the one table of all, in whichever way costs least
    number = np.array([clusters.number])
    pattern_of = np.zeros(len(clusters.count), dtype=np.intp)
    table = PatternTable(clusters.count, PatternTable(number), pattern_of)
    upright = [clusters.matrix_of(table).T.tocsr() for table in tables]
    batch = rows_at_once(max(len(table.count) for table in tables))
    for whole in _drawn([table], replicates, seed, resampling):
        (drawn,) = _shrunk(whole, [clusters.count], resampling)
        for start in range(0, len(drawn), batch):
            part = drawn[start : start + batch]
            yield tuple(np.ascontiguousarray((matrix @ part.T).T) for matrix in upright), part


def annotator_rows(
    annotators: int, replicates: int, seed: int, resampling: Resampling = ITEMS
) -> Iterator[Floats]:
    """Weights (row, annotator) of annotators drawn with replacement, a block at a time.

    Whole counts, or Dirichlet weights times their number; streams of their own.
    """
    for block in range(-(-replicates // BLOCK)):
        rng = stream(seed, block, 0, _OF_ANNOTATORS)
        if resampling.weights == "multinomial":
            chance = np.full(annotators, 1 / annotators)
            yield rng.multinomial(annotators, chance, size=BLOCK).astype(np.float64)
        else:
            drawn = rng.standard_exponential((BLOCK, annotators))
            yield drawn * (annotators / drawn.sum(axis=1, keepdims=True))


def random_groups(tables: Sequence[PatternTable], groups: int, seed: int) -> Clusters:
    """Random groups of items, as equal as they can be: each an exact draw without replacement.

    The counts must be whole. Groups of a coarse table do not depend on the finer ones beside it.
    """
    from scipy.sparse import csr_array

    if any(np.any(table.count != np.rint(table.count)) for table in tables):
        message = "random groups of items need items that count once: these have weights"
        raise ValueError(message)
    roots = list({id(coarsest(table)): coarsest(table) for table in tables}.values())
    labels = {
        id(root): stream(seed, 0, 2 * index, 0).permutation(
            np.arange(round(root.items), dtype=np.intp) % groups
        )
        for index, root in enumerate(roots)
    }
    matrices = []
    for table in tables:
        order = np.arange(len(table.count))
        if table.pattern_of is not None:
            # the items of a coarse pattern stand side by side: the labels are already in any order
            order = np.argsort(table.pattern_of, kind="stable")
        pattern = np.repeat(order, table.count[order].astype(np.intp))
        entries = (np.ones(len(pattern)), (labels[id(coarsest(table))], pattern))
        matrices.append(csr_array(entries, shape=(groups, len(table.count))))
    return Clusters(tables, matrices)


def _drawn(
    tables: Sequence[PatternTable], replicates: int, seed: int, resampling: Resampling
) -> Iterator[tuple[Floats, ...]]:
    if resampling.weights == "multinomial":
        return bootstrap_rows(tables, replicates, seed)
    return in_blocks(_Dirichlet(tables, seed).block, replicates, threads_for(tables))


def _shrunk(
    rows: tuple[Floats, ...], counts: Sequence[Floats], resampling: Resampling
) -> tuple[Floats, ...]:
    if not resampling.fraction:
        return rows
    return tuple(
        count + resampling.spread * (row - count) for row, count in zip(rows, counts, strict=True)
    )


class _Dirichlet:
    """Dirichlet weights times the number of items, by Gamma numbers whose shape is the count.

    Items that show the same pattern have one weight together, which is Gamma in their number; a
    weight that is not whole is its pattern's shape. A finer table divides the weight of each coarse
    pattern by the Gamma numbers of its parts: exact, since parts of a Dirichlet are one again.
    """

    def __init__(self, tables: Sequence[PatternTable], seed: int) -> None:
        self.tables, self.seed = tables, seed
        self.roots = list({id(coarsest(table)): coarsest(table) for table in tables}.values())
        self.rows = rows_at_once(max(len(table.count) for table in tables))
        self.members = [
            None if table.pattern_of is None else _members(table.pattern_of, len(root.count))
            for table, root in ((table, coarsest(table)) for table in tables)
        ]

    def block(self, block: int) -> Iterator[tuple[Floats, ...]]:
        """The rows of one block."""
        streams = {
            id(root): stream(self.seed, block, 2 * index, 0)
            for index, root in enumerate(self.roots)
        }
        parts = [stream(self.seed, block, 2 * self._place(table) + 1, 0) for table in self.tables]
        for _ in range(BLOCK // self.rows):
            drawn = {id(root): self._whole(root, streams[id(root)]) for root in self.roots}
            yield tuple(
                drawn[id(coarsest(table))]
                if members is None
                else self._divided(drawn[id(coarsest(table))], table, members, part)
                for table, members, part in zip(self.tables, self.members, parts, strict=True)
            )

    def _place(self, table: PatternTable) -> int:
        return next(i for i, root in enumerate(self.roots) if root is coarsest(table))

    def _whole(self, root: PatternTable, rng: np.random.Generator) -> Floats:
        drawn = rng.standard_gamma(root.count, size=(self.rows, len(root.count)))
        return drawn * (root.items / drawn.sum(axis=1, keepdims=True))

    def _divided(
        self, coarse_weight: Floats, table: PatternTable, members: Any, rng: np.random.Generator
    ) -> Floats:
        drawn = rng.standard_gamma(table.count, size=(self.rows, len(table.count)))
        # small shapes can leave nothing that a float holds: a pattern's weight must go somewhere
        drawn = np.maximum(drawn, 1e-300 * table.count)
        total = (members @ drawn.T).T
        share = np.divide(coarse_weight, total, out=np.zeros_like(total), where=total > 0)
        weights: NDArray[np.float64] = drawn * share[:, table.pattern_of]
        return weights


def _members(pattern_of: Integers, coarse: int) -> csr_array:
    """Which patterns each coarse pattern is made of: ones (coarse, pattern)."""
    from scipy.sparse import csr_array

    patterns = np.arange(len(pattern_of))
    return csr_array(
        (np.ones(len(pattern_of)), (pattern_of, patterns)), shape=(coarse, len(patterns))
    )
