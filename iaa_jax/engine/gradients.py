"""Estimates with their derivatives by the weights, at any weight rows: windows, groups, cuts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.drawing import BLOCK
from iaa_jax.engine.flat import Sums
from iaa_jax.engine.padding import bucket, pad
from iaa_jax.engine.prepared import Prepared
from iaa_jax.engine.problem import Floats
from iaa_jax.engine.rows import RowEvaluator


class Gradients(NamedTuple):
    """At each weight row: the estimate, and its derivative by the weight of each pattern."""

    estimate: Floats  # (row,)
    gradient: Floats  # (row, pattern)

    def centred(self, weights: Floats) -> Floats:
        """The derivatives less their mean, each item of a row by its weight; 0 without weight."""
        gradient = np.where(weights > 0, self.gradient, 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = (weights * gradient).sum(axis=1) / weights.sum(axis=1)
        return np.where(weights > 0, gradient - mean[:, None], 0.0)


class GradientRows:
    """One coefficient with one figure, ready for weight rows (row, pattern) in any number.

    `iaa_jax.engine.influences` is the same at the one row of counts.
    """

    def __init__(self, prepared: Prepared) -> None:
        (self.problem,) = prepared.problems
        self.prepared = prepared
        self._rows = RowEvaluator(prepared, [self.problem.table], 1, "float64", slopes=True)
        most = max(len(self.problem.table.count), self._rows.columns, 1)
        self._batch_size = max(
            1, min(thresholds.GRADIENTS_TOGETHER, thresholds.GRADIENT_CELLS // most)
        )

    def __call__(self, weights: Floats) -> Gradients:
        """Estimates and derivatives at each row."""
        results = []
        with self._rows.scope():
            for start in range(0, len(weights), self._batch_size):
                block = weights[start : start + self._batch_size]
                size = len(block)
                if self._rows.compiles:
                    size = min(bucket(size), self._batch_size)
                # further rows are copies, so that nothing undefined is worked out for them
                filled = np.concatenate([block, np.repeat(block[:1], size - len(block), axis=0)])
                evaluate = self._factored if self.problem.factored else self._by_kernel
                estimate, gradient = evaluate(filled)
                results.append((estimate[: len(block)], gradient[: len(block)]))
        return Gradients(*(np.concatenate(part) for part in zip(*results, strict=True)))

    def _factored(self, weights: Floats) -> Gradients:
        ((estimate, dense, indexed),) = self._rows.slopes((weights,))
        flat = self.prepared.statistics(self.problem)
        return Gradients(estimate, flat.by_pattern(Sums(dense, indexed, ())))

    def _by_kernel(self, weights: Floats) -> Gradients:
        from iaa_jax.engine import compiled

        ((_, _, data, setting),) = self._rows.kernels
        estimate, gradient = compiled.kernel_slopes(
            pad(weights, 0.0, axis=1),
            data,
            setting,
            self.problem.measure.kernel,
            max(1, min(BLOCK, thresholds.KERNEL_CELLS // (4 * max(data.size, 1)))),
        )
        return Gradients(np.asarray(estimate), np.asarray(gradient)[:, : weights.shape[1]])
