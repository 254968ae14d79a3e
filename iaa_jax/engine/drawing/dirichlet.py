"""Dirichlet weights: the Bayesian bootstrap, which leaves out no item.

Rubin, D. B. (1981). The Bayesian bootstrap. Annals of Statistics 9(1).
https://doi.org/10.1214/aos/1176345338

Why it is exact. Independent Gamma numbers of shapes c, divided by their sum, are Dirichlet with
parameters c and independent of the sum. A sum of k Gamma numbers of shape 1 is a Gamma number of
shape k. So the shape for a pattern (items with the same ratings) is its count, which need not be
whole. In a finer table, the patterns that refine one coarse pattern are a group. Their shares of
the group's weight are Dirichlet with their counts as parameters, independent of the group's weight
and of other groups.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from iaa_jax.engine.drawing.streams import Streams
from iaa_jax.engine.drawing.tables import Distribution
from iaa_jax.engine.problem import Floats, Integers, PatternTable


@dataclass(frozen=True, eq=False)
class Dirichlet:
    """Divides a total among all patterns."""

    count: Floats

    def rows(self, totals: Floats, streams: Streams) -> Floats:
        """Return weights (row, pattern) that add up to the totals (row, 1)."""
        drawn = _gamma(self.count, len(totals), streams)
        drawn *= totals / drawn.sum(axis=1, keepdims=True)
        return drawn


@dataclass(frozen=True, eq=False)
class DirichletParts:
    """Divides each group's total among its patterns."""

    count: Floats
    group: Integers
    groups: int

    def rows(self, totals: Floats, streams: Streams) -> Floats:
        """Return weights (row, pattern) that add up to the totals (row, group)."""
        drawn = _gamma(self.count, len(totals), streams)
        cells = (np.arange(len(drawn)) * self.groups)[:, None] + self.group
        sums = np.bincount(cells.ravel(), drawn.ravel(), len(drawn) * self.groups)
        sums = sums.reshape(len(drawn), self.groups)
        share = np.divide(totals, sums, out=np.zeros_like(sums), where=sums > 0)
        drawn *= share[:, self.group]
        return drawn


def _gamma(count: Floats, rows: int, streams: Streams) -> Floats:
    """Draw Gamma numbers (row, pattern) with the counts as shapes.

    Small shapes could make all numbers of a row underflow to 0. A minimum of 1e-300 times the shape
    prevents this.
    """
    drawn: Floats = streams(0).standard_gamma(count, size=(rows, len(count)))
    np.maximum(drawn, 1e-300 * count, out=drawn)
    return drawn


def _parts(table: PatternTable, coarse: PatternTable, group: Integers) -> DirichletParts:
    return DirichletParts(table.posterior, group, len(coarse.count))


DIRICHLET = Distribution(
    "dirichlet", lambda table: table.items, lambda table: Dirichlet(table.posterior), _parts
)
