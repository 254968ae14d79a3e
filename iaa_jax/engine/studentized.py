"""Replicates with their own standard errors, for studentised intervals.

A problem is one coefficient on one table of patterns (sets of items with the same ratings).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from iaa_jax.engine.drawing import BLOCK, ITEMS, Resampling, rows_at_once, sampled_units
from iaa_jax.engine.padding import bucket
from iaa_jax.engine.precision import DType
from iaa_jax.engine.prepared import Prepared, table_index, tables_of
from iaa_jax.engine.problem import Floats, Problem
from iaa_jax.engine.route import Route
from iaa_jax.engine.rows import Progress, collect


def bootstrap_with_errors(
    prepared: Prepared,
    *,
    replicates: int,
    seed: int,
    resampling: Resampling = ITEMS,
    batch: int = BLOCK,
    dtype: DType = "float64",
    progress: Progress | None = None,
) -> list[tuple[Floats, Floats]]:
    """Return replicates (replicate, ...) of each estimate, and their standard errors.

    The standard error is the infinitesimal jackknife at the replicate's own weights. For n units
    (items or clusters) it is ``sqrt(n / (n - 1) sum r t^2)``: r is the weight of a unit, and t is
    the derivative with respect to this weight, minus the mean derivative per item times the unit's
    number of items. For a finite population of N units, the standard error is multiplied by
    ``sqrt(1 - n / N)``. It is NaN if the estimate is undefined, or n is 1 or less. The replicates
    equal the replicates of `bootstrap` to 1e-14.
    """
    if resampling.annotators:
        raise ValueError(
            "standard errors of replicates are over items alone, not over annotators too"
        )
    tables = tables_of(prepared.problems)
    number = len(prepared.problems)
    run = _WithErrors(prepared, resampling, replicates, dtype)
    with run.route.scope():
        results = collect(
            run,
            2 * number,
            _with_units(sampled_units(tables, replicates, seed, resampling)),
            rows_at_once(run.cells),
            replicates,
            batch=batch,
            progress=progress,
        )
    return list(zip(results[:number], results[number:], strict=True))


def _with_units(
    rows: Iterator[tuple[tuple[Floats, ...], Floats | None]],
) -> Iterator[tuple[Floats, ...]]:
    for weights, units in rows:
        yield weights if units is None else (*weights, units)


class _WithErrors:
    def __init__(
        self, prepared: Prepared, resampling: Resampling, replicates: int, dtype: DType
    ) -> None:
        self.prepared, self.sampling, self.dtype = prepared, resampling, dtype
        self.tables = tables_of(prepared.problems)
        self.route = Route(prepared, self.tables, replicates, dtype, slopes=True)
        clusters = resampling.clusters
        self.sizes = [
            None
            if clusters is None
            else np.asarray(clusters.matrix_of(table).sum(axis=1)).reshape(-1)
            for table in self.tables
        ]

    devices = 1
    """One device: results are computed synchronously, block by block."""

    @property
    def cells(self) -> int:
        units = 0 if self.sampling.clusters is None else len(self.sampling.clusters.count)
        patterns = [
            bucket(max(len(problem.table.count), units)) for problem in self.prepared.problems
        ]
        numbers = [
            problem.data.shape[-1] if problem.measure.per_label else 1
            for problem in self.prepared.problems
        ]
        largest = max(cells * labels for cells, labels in zip(patterns, numbers, strict=True))
        return max(self.route.columns, largest)

    def __call__(self, weights: tuple[Floats, ...]) -> list[Floats]:
        problems = self.prepared.problems
        slopes = self.route.slopes(weights[: len(self.tables)])
        errors = [
            self._errors(
                self._by_unit(problem, each.by_pattern, weights), each.estimate, problem, weights
            )
            for problem, each in zip(problems, slopes, strict=True)
        ]
        return [*(each.estimate for each in slopes), *errors]

    def _by_unit(self, problem: Problem, gradient: Floats, weights: tuple[Floats, ...]) -> Floats:
        """Return derivatives (row, ..., unit) with respect to unit weights."""
        row = self._row(problem, weights)
        # a pattern outside the replicate has no influence on it, whatever its derivative
        present = row.reshape(len(row), *(1,) * (gradient.ndim - 2), -1) != 0
        gradient = np.where(present, gradient, 0.0)
        clusters = self.sampling.clusters
        if clusters is None:
            return gradient
        by_unit = (clusters.matrix_of(problem.table) @ gradient.reshape(-1, row.shape[1]).T).T
        return np.asarray(by_unit.reshape(*gradient.shape[:-1], -1))

    def _row(self, problem: Problem, weights: tuple[Floats, ...]) -> Floats:
        return weights[table_index(self.tables, problem.table)]

    def _errors(
        self,
        by_unit: Floats,
        estimate: Floats,
        problem: Problem,
        weights: tuple[Floats, ...],
    ) -> Floats:
        """Return standard errors (row, ...) from derivatives with respect to unit weights."""
        row = self._row(problem, weights)
        size = self.sizes[table_index(self.tables, problem.table)]
        units = row if size is None else weights[-1]
        spread = (slice(None), *(None,) * (by_unit.ndim - 2))
        with np.errstate(invalid="ignore", divide="ignore"):
            items = row.sum(axis=1)[spread]
            mean = np.einsum("r...u,ru->r...", by_unit, units) / items
            share = mean[..., None] if size is None else mean[..., None] * size
            centred = by_unit - share
            total = np.einsum("r...u,ru->r...", centred**2, units)
            many = units.sum(axis=1)[spread]
            error = np.sqrt(many / (many - 1) * total) * self.sampling.spread
        defined = ~np.isnan(estimate) & (many > 1)
        return np.where(defined, error, np.nan).astype(self.dtype, copy=False)
