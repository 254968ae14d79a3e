"""Estimates and their derivatives with respect to weights, at any rows of weights.

A row of weights has the weight of each pattern (a set of items with the same ratings), for instance
the number of its items in a time window.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.padding import bucket
from iaa_jax.engine.prepared import Prepared
from iaa_jax.engine.problem import Floats
from iaa_jax.engine.route import Route


class Gradients(NamedTuple):
    """The estimate at each row of weights, and its derivative with respect to each weight."""

    estimate: Floats  # (row,)
    gradient: Floats  # (row, pattern)

    def centred(self, weights: Floats) -> Floats:
        """Return derivatives minus their weighted mean over the row; 0 where the weight is 0."""
        counts = weights > 0
        gradient: Floats = np.where(counts, self.gradient, 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = np.einsum("ij,ij->i", weights, gradient) / weights.sum(axis=1)
        np.subtract(gradient, mean[:, None], out=gradient, where=counts)
        return gradient


class GradientRows:
    """One scalar coefficient, prepared for about ``rows`` rows of weights (row, pattern)."""

    def __init__(self, prepared: Prepared, rows: int = 1) -> None:
        (self.problem,) = prepared.problems
        self._route = Route(prepared, [self.problem.table], rows, slopes=True)
        most = max(len(self.problem.table.count), self._route.columns, 1)
        self._batch_size = max(
            1, min(thresholds.GRADIENTS_TOGETHER, thresholds.GRADIENT_CELLS // most)
        )

    def __call__(self, weights: Floats) -> Gradients:
        """Return estimates and derivatives at each row."""
        results = []
        with self._route.scope():
            for start in range(0, len(weights), self._batch_size):
                block = weights[start : start + self._batch_size]
                size = len(block)
                if self._route.compiles:
                    size = min(bucket(size), self._batch_size)
                # padding rows are copies of a row, because rows of zeros would be undefined
                filled = np.concatenate([block, np.repeat(block[:1], size - len(block), axis=0)])
                (slopes,) = self._route.slopes((filled,))
                results.append(tuple(part[: len(block)] for part in slopes))
        return Gradients(*(np.concatenate(part) for part in zip(*results, strict=True)))
