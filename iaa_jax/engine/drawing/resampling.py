"""How replicates are drawn: items or clusters, the distribution of weights, and the population.

For a finite population, replicates are shrunk towards the counts: Rao, J. N. K. and Wu, C. F. J.
(1988). Resampling inference with complex survey data. Journal of the American Statistical
Association 83. https://doi.org/10.2307/2288945

The variance of a mean of n items drawn without replacement from N is ``1 - n / N`` times the
variance with replacement, up to a factor ``N / (N - 1)``. The deviations of the weights from the
counts are therefore multiplied by ``sqrt(1 - n / N)``. The weights keep their mean and sum, but are
not whole.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from iaa_jax.engine.devices import WeightDistribution
from iaa_jax.engine.drawing.clusters import Clusters
from iaa_jax.engine.drawing.multinomial import MULTINOMIAL
from iaa_jax.engine.drawing.streams import rows_at_once
from iaa_jax.engine.drawing.tables import Distribution, rows_of_tables
from iaa_jax.engine.problem import Floats, PatternTable
from iaa_jax.kernels.namespace import Array, namespace


def _law(weights: WeightDistribution) -> Distribution:
    if weights == "multinomial":
        return MULTINOMIAL
    from iaa_jax.engine.drawing.dirichlet import DIRICHLET

    return DIRICHLET


def spread_left(fraction: float) -> float:
    """Return ``sqrt(1 - n / N)``, the factor for standard deviations if ``fraction`` is n / N."""
    return math.sqrt(1 - fraction)


def shrunk(rows: Floats, count: Floats, fraction: float) -> Floats:
    """Return rows (row, pattern) for a finite population, from rows for an infinite one."""
    return count + spread_left(fraction) * (rows - count) if fraction else rows


@dataclass(frozen=True)
class Resampling:
    """How replicates are drawn.

    Attributes
    ----------
    weights : {"multinomial", "dirichlet"}
        Whole counts with replacement, or the Bayesian bootstrap's weights, which leave out no item.
    fraction : float
        The sample's share n / N of a finite population of items or clusters. Deviations of weights
        from the counts are multiplied by ``sqrt(1 - n / N)``. Weights of annotators
    are not changed. clusters : Clusters, optional
        Clusters to draw instead of items. The number of items then varies between replicates.
    annotators : bool
        Whether annotators are drawn as well. An annotator drawn twice has weight 2 and is not
        copied: pairs with other annotators count twice, and there is no pair of the annotator with
        a copy.
    """

    weights: WeightDistribution = "multinomial"
    fraction: float = 0.0
    clusters: Clusters | None = None
    annotators: bool = False

    def __post_init__(self) -> None:
        if self.weights not in ("multinomial", "dirichlet"):
            raise ValueError(f"weights are multinomial or dirichlet, not {self.weights!r}")
        if not 0 <= self.fraction < 1:
            raise ValueError(f"fraction must be at least 0 and below 1, not {self.fraction!r}")

    @property
    def cluster_count(self) -> int | None:
        """The number of clusters; None if items are drawn one by one."""
        return None if self.clusters is None else int(self.clusters.number)

    @property
    def spread(self) -> float:
        """The factor for standard deviations; it is below 1 for a finite population."""
        return spread_left(self.fraction)


ITEMS = Resampling()
"""Items drawn with replacement."""


def with_and_without(rows: Array, shown: Array | int) -> Array:
    """Return rows of weights (row, pattern), followed by the same rows without the prior.

    The prior consists of the patterns from ``shown`` on, which no item shows. Dirichlet weights of
    the other patterns, divided by their sum, are Dirichlet with the same parameters, as if the
    prior did not exist.
    """
    xp = namespace(rows)
    of_items = xp.astype(xp.arange(rows.shape[1]) < shown, rows.dtype)
    scale = rows.sum(axis=1) / (rows @ of_items)
    return xp.concat([rows, rows * (scale[:, None] * of_items)])


def sampled_rows(
    tables: Sequence[PatternTable], replicates: int, seed: int, resampling: Resampling = ITEMS
) -> Iterator[tuple[Floats, ...]]:
    """Yield pattern weights (row, pattern), one array for each table of the same ratings.

    The last block of 64 replicates is drawn in full, including rows beyond ``replicates``.
    """
    for rows, _ in sampled_units(tables, replicates, seed, resampling):
        yield rows


def sampled_units(
    tables: Sequence[PatternTable], replicates: int, seed: int, resampling: Resampling = ITEMS
) -> Iterator[tuple[tuple[Floats, ...], Floats | None]]:
    """Yield the rows of `sampled_rows`, with cluster weights (row, cluster) or None."""
    shrink = partial(shrunk, fraction=resampling.fraction)
    clusters, law = resampling.clusters, _law(resampling.weights)
    if clusters is None:
        for rows in rows_of_tables(law, tables, replicates, seed):
            yield tuple(map(shrink, rows, [table.count for table in tables])), None
        return
    upright = [clusters.matrix_of(table).T.tocsr() for table in tables]
    batch = rows_at_once(max(len(table.count) for table in tables))
    for (weights,) in rows_of_tables(law, [clusters.table], replicates, seed):
        drawn = shrink(weights, clusters.count)
        for start in range(0, len(drawn), batch):
            part = drawn[start : start + batch]
            yield tuple(np.ascontiguousarray((matrix @ part.T).T) for matrix in upright), part
