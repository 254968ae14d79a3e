"""What is drawn, and how: items or clusters, in whole counts or not, from which population.

Of a finite population replicates are drawn nearer to the counts: Rao, J. N. K. and Wu, C. F. J.
(1988). Resampling inference with complex survey data. Journal of the American Statistical
Association 83. https://doi.org/10.2307/2288945

Why it is right. The mean of n items drawn without replacement from N has the variance of one drawn
with replacement times ``1 - n / N``, up to ``N / (N - 1)``. Rows of weights that lie
``sqrt(1 - n / N)`` times as far from the counts have variances and covariances ``1 - n / N`` times
as large, and so has every mean of them. They keep their mean and their sum, but are not whole.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from iaa_jax.engine.devices import WeightLaw
from iaa_jax.engine.drawing.clusters import Clusters
from iaa_jax.engine.drawing.multinomial import MULTINOMIAL
from iaa_jax.engine.drawing.streams import rows_at_once
from iaa_jax.engine.drawing.tables import Law, rows_of_tables
from iaa_jax.engine.problem import Floats, PatternTable
from iaa_jax.kernels.namespace import Array, namespace


def _law(weights: WeightLaw) -> Law:
    if weights == "multinomial":
        return MULTINOMIAL
    from iaa_jax.engine.drawing.dirichlet import DIRICHLET

    return DIRICHLET


def spread_left(fraction: float) -> float:
    """What the share n / N of a population leaves of the spread: ``sqrt(1 - n / N)``."""
    return math.sqrt(1 - fraction)


def shrunk(rows: Floats, count: Floats, fraction: float) -> Floats:
    """Rows (row, pattern) drawn from a finite population, from rows drawn from an infinite one."""
    return count + spread_left(fraction) * (rows - count) if fraction else rows


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

    weights: WeightLaw = "multinomial"
    fraction: float = 0.0
    clusters: Clusters | None = None
    annotators: bool = False

    def __post_init__(self) -> None:
        """Refuse what is none of these."""
        if self.weights not in ("multinomial", "dirichlet"):
            raise ValueError(f"weights are multinomial or dirichlet, not {self.weights!r}")
        if not 0 <= self.fraction < 1:
            raise ValueError(f"fraction must lie between 0 and 1, not {self.fraction!r}")

    @property
    def cluster_count(self) -> int | None:
        """The number of clusters; None where items are drawn one by one."""
        return None if self.clusters is None else int(self.clusters.number)

    @property
    def spread(self) -> float:
        """What a finite population leaves of the spread: ``sqrt(1 - n / N)``."""
        return spread_left(self.fraction)


ITEMS = Resampling()
"""Items with replacement."""


def with_and_without(rows: Array, shown: Array | int) -> Array:
    """Rows of weights (row, pattern), and behind them the same without what a prior counts.

    From ``shown`` on patterns are a prior's. Parts of a Dirichlet total, divided by their sum, are
    Dirichlet in their own shapes: what is left has the law of weights without a prior.
    """
    xp = namespace(rows)
    of_items = xp.astype(xp.arange(rows.shape[1]) < shown, rows.dtype)
    scale = rows.sum(axis=1) / (rows @ of_items)
    return xp.concat([rows, rows * (scale[:, None] * of_items)])


def sampled_rows(
    tables: Sequence[PatternTable], replicates: int, seed: int, resampling: Resampling = ITEMS
) -> Iterator[tuple[Floats, ...]]:
    """Weights of patterns for several tables of the same ratings: one array (row, pattern) each.

    Items by whole counts are `bootstrap_rows`. Every kind has its streams by blocks of 64
    replicates: what else is asked, and how many rows are made at once, changes no digit. Rows
    beyond ``replicates`` in the last block are drawn as well.
    """
    for rows, _ in sampled_units(tables, replicates, seed, resampling):
        yield rows


def sampled_units(
    tables: Sequence[PatternTable], replicates: int, seed: int, resampling: Resampling = ITEMS
) -> Iterator[tuple[tuple[Floats, ...], Floats | None]]:
    """The same rows, and beside them the weights (row, cluster) of clusters where these are drawn.

    Where clusters are drawn, those of replicates are handed over with the rows they make.
    """
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
