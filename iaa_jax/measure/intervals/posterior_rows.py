"""Draws of weights, for functions that evaluate a coefficient themselves on each draw.

A draw is a row of weights, one for each pattern (a set of items with the same ratings, kept once
with their number). The draws come from the posterior of the coefficient, in which the pseudo-items
of a prior have weights too. If clusters are drawn, the prior counts as much as an average cluster.
Coefficients without a prior get bootstrap weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.engine import Clusters, PatternTable, Problem, Resampling, sampled_rows
from iaa_jax.engine.drawing import Purpose, stream
from iaa_jax.kernels.intervals import Ends, normal, student_t
from iaa_jax.measure.intervals.pseudo_item import farther_ends
from iaa_jax.measure.intervals.pseudo_items import with_prior
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.spread import NO_BOUNDS, Bounds, error_of


@dataclass(frozen=True)
class PosteriorRows:
    """A source of rows of weights, and the coefficient on the weighted patterns.

    Attributes
    ----------
    problem : Problem
        The coefficient on the patterns of items, followed by those of pseudo-items.
    item_table : PatternTable
        The patterns of the items only.
    resampling : Resampling
        How rows are drawn.
    """

    problem: Problem
    item_table: PatternTable
    resampling: Resampling

    @classmethod
    def for_request(
        cls, request: Request, problem: Problem, resampling: Resampling
    ) -> PosteriorRows:
        """Prepare the draws for a request; the patterns of ``problem`` may identify annotators."""
        labels, table = request.labels, problem.table
        if labels is None or request.kind not in ("labels", "weighted labels"):
            return cls(problem, table, resampling)
        (extended,) = with_prior([problem], [labels])
        return cls(extended, table, replace(resampling, weights="dirichlet"))

    @property
    def has_pseudo_items(self) -> bool:
        """Whether there are pseudo-items."""
        return self.problem.table is not self.item_table

    def drawn(self, replicates: int, seed: int) -> Iterator[Floats]:
        """Yield blocks (row, pattern) of weights, with ``replicates`` rows in all."""
        clusters = self.resampling.clusters
        separately = clusters is not None and self.has_pseudo_items
        table = self.item_table if separately else self.problem.table
        remaining, random = replicates, stream(seed, Purpose.BESIDE_CLUSTERS)
        for (rows,) in sampled_rows([table], replicates, seed, self.resampling):
            part = rows[:remaining]
            remaining -= len(part)
            if clusters is not None and separately:
                part = np.concatenate(
                    [part, self._pseudo_item_weights(len(part), clusters, random)], axis=1
                )
            if len(part):
                yield part

    def _pseudo_item_weights(
        self, rows: int, clusters: Clusters, random: np.random.Generator
    ) -> Floats:
        prior = self.problem.table.prior
        assert prior is not None
        drawn = random.standard_gamma(
            prior[len(self.item_table.count) :], (rows, self._pseudo_items)
        )
        # the weights of clusters have a fixed sum, as if Gamma variates had been divided by their
        # sum, which is drawn here
        total = random.standard_gamma(max(clusters.number - 1, 0.5), (rows, 1))
        return np.asarray(drawn * self.item_table.items / total)

    @property
    def _pseudo_items(self) -> int:
        return len(self.problem.table.count) - len(self.item_table.count)

    def item_weights(self, rows: Floats) -> Floats:
        """Append zero weights for the pseudo-items to weights (row, pattern) of the items."""
        return np.pad(rows, ((0, 0), (0, self._pseudo_items)))

    def ends(
        self, estimate: Floats, draws: Floats, confidence: float, bounds: Bounds = NO_BOUNDS
    ) -> Ends:
        """Return the interval of figures from draws (replicate, ...).

        The ends come from the normal distribution (over clusters, from Student's t), cut at the
        bounds of the figure. Draws from a posterior are skewed near the maximum of a figure, so
        their percentiles replace ends that are closer to the estimate.
        """
        clusters, error = self.resampling.clusters, error_of(draws)
        if clusters is None:
            other = normal(estimate, error, confidence)
        else:
            other = student_t(estimate, error, max(clusters.number - 1, 1), confidence)
        low, high = np.maximum(other.low, bounds.lower), np.minimum(other.high, bounds.highest)
        ends = Ends(np.minimum(low, estimate), np.maximum(high, estimate))
        return (
            farther_ends(estimate, confidence, draws, other=ends) if self.has_pseudo_items else ends
        )
