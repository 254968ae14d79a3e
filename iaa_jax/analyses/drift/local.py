"""A coefficient at any weights of the items: in windows, on both sides of cuts, in all of time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.drift.windows import WindowWeights
from iaa_jax.engine import Prepared, Problem, over_rows
from iaa_jax.engine.drawing import BLOCK
from iaa_jax.engine.drivers import estimate_at
from iaa_jax.engine.gradients import GradientRows
from iaa_jax.engine.middles import is_of_moments, missing

CELLS = 1 << 22
"""Weights that are worked on at once."""


class Figures(NamedTuple):
    """A coefficient at weight rows.

    ``missing`` is what is compared: of numbers what is missing to 1, with a minus, which may be too
    small to be seen beside 1; else the estimate itself.
    """

    estimate: Floats  # (row,)
    missing: Floats
    error: Floats
    skewness: Floats
    centred: Floats  # (row, pattern) derivatives less their mean; no columns where not kept


class Local:
    """One coefficient, ready to be asked for any weight rows on its patterns."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.prepared = Prepared([problem])
        self.compared = Prepared([missing(problem)])
        self.whole = 1.0 if is_of_moments(problem) else 0.0
        self._gradients = GradientRows(self.compared)

    @property
    def cells(self) -> int:
        """Numbers that a weight row goes over: patterns for sums, all its data for a kernel."""
        problem = self.problem
        return len(problem.table.count) if problem.factored else max(problem.data.size, 1)

    def at(self, rows: WindowWeights, keep: bool = False) -> Figures:
        """Estimates and standard errors; ``keep`` keeps the derivatives.

        With K the weight of an item in a row, g the derivative by it and m the sum of the row:
        ``SE^2 = m / (m - 1) sum K^2 (g - gbar)^2``, gbar the mean of g weighted by K.
        """
        batch = max(1, CELLS // max(rows.weight.shape[1], 1))
        parts = [
            self._block(rows, slice(start, start + batch), keep)
            for start in range(0, len(rows.weight), batch)
        ]
        return Figures(*(np.concatenate(part) for part in zip(*parts, strict=True)))

    def estimates(self, rows: Floats) -> Floats:
        """What is compared at weight rows, without derivatives."""
        total = len(rows)
        parts = ((rows[start : start + BLOCK],) for start in range(0, total, BLOCK))
        found = over_rows(self.compared, [self.problem.table], parts, total)[0]
        return np.asarray(found, dtype=np.float64)

    def code(self, weight: Floats) -> int:
        """Why the coefficient is undefined at these weights (pattern,)."""
        return int(estimate_at(self.prepared, self.problem, weight).code)

    def _block(self, rows: WindowWeights, block: slice, keep: bool) -> Figures:
        weight, square = rows.weight[block], rows.square[block]
        cube = None if rows.cube is None else rows.cube[block]
        gradients = self._gradients(weight)
        total = weight.sum(axis=1)
        centred = gradients.centred(weight)
        with np.errstate(invalid="ignore", divide="ignore"):
            spread = (square * centred**2).sum(axis=1)
            factor = np.where(total > 1, total / (total - 1), np.nan)
            error = np.where(np.isnan(gradients.estimate), np.nan, np.sqrt(factor * spread))
            skewness: Floats = np.zeros(len(weight))
            if cube is not None:
                third = (cube * centred**3).sum(axis=1)
                skewness = np.where(spread > 0, third / (6 * spread**1.5), 0.0)
        derivatives = centred if keep else np.zeros((len(weight), 0))
        compared = gradients.estimate
        return Figures(compared + self.whole, compared, error, skewness, derivatives)
