"""Test, by shuffling times among items, that neither agreement nor label frequencies change.

The slope, the largest step and the largest deviation of a window are each divided by their own
standard error. If agreement stays the same but label frequencies change, this brings the rate of
false findings closer to the significance level: Chung, E. and Romano, J. P. (2013). Exact and
asymptotically robust permutation tests. Annals of Statistics 41(2).
https://doi.org/10.1214/13-AOS1090. batch_estimates.py has tests that allow for such a change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from iaa_jax._types import Floats
from iaa_jax.analyses.drift.contrasts import (
    NO_ERROR,
    Contrasts,
    PValues,
    largest_sizes,
    p_values,
    ratio,
    statistics,
)
from iaa_jax.analyses.drift.cuts import Cuts, linear_steps, side_rows
from iaa_jax.analyses.drift.setup import DriftSetup
from iaa_jax.analyses.drift.steps import CELLS
from iaa_jax.analyses.drift.timeline import ClustersInTime, Indices, Timeline
from iaa_jax.analyses.drift.windows import Local, Windows, WindowWeights, in_effective_items, totals
from iaa_jax.engine.drawing import BLOCK, Purpose, draws_in_blocks
from iaa_jax.engine.drawing.without_replacement import drawn_items
from iaa_jax.engine.rows import Progress, tell

RECOMPUTED = 5e8
"""Maximum product for recomputing coefficients: shuffles, times windows and sides of cuts, times
patterns (distinct rows of ratings).

For a plain function, the values in its data replace the patterns.
"""

ANEW, FIRST_ORDER = "anew", "first_order"
"""How statistics are computed: from recomputed coefficients, or from influences on the coefficient
of all items.
"""


def shuffled_p_values(
    setup: DriftSetup, permutations: int, progress: Progress | None
) -> tuple[PValues, str]:
    """Return p-values from shuffled times, and whether statistics are `ANEW` or `FIRST_ORDER`."""
    rows, batch_of = setup.windows.rows, setup.batch_of_clusters
    items = setup.items.table() or setup.items
    if batch_of is not None:
        items = setup.items.by_time(setup.windows.at)
    shuffled = Shuffles(
        setup.local,
        Windows(items, setup.windows.at, setup.windows.bandwidth),
        Cuts(items),
        setup.influence,
        float(setup.all_items.missing[0]),
        ~rows.few,
        items is not setup.items,
        setup.spread if setup.batches else None,
        setup.times.in_order,
        setup.clusters,
        batch_of,
        setup.least_error,
    )
    rows_each = len(rows.effective) + 2 * len(shuffled.cuts.starts)
    anew = permutations * rows_each * setup.local.cells <= RECOMPUTED
    observed = shuffled.observed(anew)
    null = shuffled.null(permutations, setup.options.seed, anew, progress)
    return p_values(observed, null), ANEW if anew else FIRST_ORDER


class Slope(NamedTuple):
    """A slope and its standard error; the unit is the time from the mean to the farther end."""

    slope: Floats
    error: Floats

    def z(self, least: float) -> Floats:
        """Return the slope in standard errors."""
        return ratio(self.slope, self.error, least)


def slope_of(time: Floats, weight: Floats, influence: Floats) -> Slope:
    """Regress influences (..., item) on time; the standard error allows for unequal variances.

    With t the time, w the weight, U the influence and e the residual of an item, and n the sum of
    weights, ``slope = sum w (t - tbar) U / sum w (t - tbar)^2`` and ``SE^2 = n / (n - 2) sum w (t -
    tbar)^2 e^2 / (sum w (t - tbar)^2)^2``.
    """
    total = weight.sum(axis=-1, keepdims=True)
    centred_time = time - (weight * time).sum(axis=-1, keepdims=True) / total
    # scaled to at most 1, so that squares do not overflow
    centred_time = centred_time / (np.abs(centred_time).max() or 1.0)
    squares = (weight * centred_time**2).sum(axis=-1)
    centred = influence - (weight * influence).sum(axis=-1, keepdims=True) / total
    slope = (weight * centred_time * centred).sum(axis=-1) / squares
    residual = centred - slope[..., None] * centred_time
    factor = total[..., 0] / np.maximum(total[..., 0] - 2, 1)
    error = np.sqrt(factor * (weight * (centred_time * residual) ** 2).sum(axis=-1)) / squares
    return Slope(slope, error)


def linear_deviations(windows: Windows, values: Floats, weight: Floats, least: float) -> Floats:
    """Return the mean (row, window) of ``values`` in each window, in standard errors.

    ``values`` (row, item) are pseudo-values with mean 0 over all items.
    """
    kernel = windows.kernel
    square, pairable_weight = kernel.copy(), weight * np.ones(kernel.shape[1])
    square.data = kernel.data**2

    def total(matrix: csr_array, summand: Floats) -> Floats:
        return np.asarray((matrix @ summand.T).T)

    total_weight, total_square = total(kernel, pairable_weight), total(square, pairable_weight)
    mean = total(kernel, weight * values) / total_weight
    spread = (
        total(square, weight * values**2)
        - 2 * mean * total(square, weight * values)
        + mean**2 * total_square
    )
    worth = total_weight**2 / total_square
    error = np.sqrt(np.maximum(spread, 0.0) * worth / (worth - 1)) / total_weight
    return ratio(mean, error, least)


@dataclass(frozen=True)
class Shuffles:
    """Shuffles of times among items, and the three statistics of each shuffle."""

    local: Local
    windows: Windows  # with one cell for each item, unless `tables`
    cuts: Cuts
    influence: Floats  # (pattern,) on the coefficient of all items
    overall: float  # `Figures.missing` of the coefficient of all items
    worth: NDArray[np.bool_]  # (window,) whether it has enough effective items
    tables: bool = False  # whether the timeline is a table of counts, by time and pattern
    spread: float | None = None  # `DriftSetup.spread`; None for windows in time
    trend: bool = True
    clusters: ClustersInTime | None = None  # clusters to be shuffled in place of items
    batch_of: Indices | None = None  # (cluster,) the batch of each cluster; `tables` is then True
    least: float = NO_ERROR  # standard errors up to this count as 0

    def observed(self, anew: bool) -> Contrasts:
        """Return the absolute slope, largest step and largest deviation of the data.

        They are computed as in the shuffles, because recomputed and first-order statistics vary
        differently.
        """
        timeline = self.windows.timeline
        sizes = largest_sizes(self.of(timeline.pattern[None], timeline.weight[None], anew))
        if not anew:
            # NaN if the recomputed statistics are NaN
            exact = largest_sizes(self.of(timeline.pattern[None], timeline.weight[None], anew=True))
            sizes = Contrasts(
                *(np.where(np.isnan(a), np.nan, b) for a, b in zip(exact, sizes, strict=True))
            )
        return Contrasts(*(np.asarray(size[0]) for size in sizes))

    def null(
        self, permutations: int, seed: int, anew: bool, progress: Progress | None = None
    ) -> Contrasts:
        """Return the three statistics of each shuffle."""
        parts = []
        done = 0
        for pattern, weight in self._shuffles(permutations, seed, anew):
            parts.append(largest_sizes(self.of(pattern, weight, anew)))
            done += len(pattern)
            tell(progress, done, permutations)
        if not parts:
            return Contrasts(*(np.zeros(0) for _ in range(3)))
        return Contrasts(*(np.concatenate(part) for part in zip(*parts, strict=True)))

    def of(self, pattern: Indices, weight: Floats, anew: bool) -> Contrasts:
        """Return signed statistics, given patterns and weights (shuffle, cell) over time."""
        if anew and self.spread is not None:
            return self._batch_statistics(pattern, weight, self.spread)
        values = self.influence[pattern]
        slope = slope_of(self.windows.timeline.time, weight, values).z(self.least)
        if anew:
            return Contrasts(slope, *self._anew(pattern, weight))
        steps: Floats = np.zeros((len(pattern), 0))
        if len(self.cuts.starts):
            steps = linear_steps(values, weight, self.cuts.starts, self.least)
        deviations = linear_deviations(self.windows, values, weight, self.least)
        return Contrasts(slope, steps, np.where(self.worth, deviations, np.nan))

    def _shuffles(
        self, permutations: int, seed: int, anew: bool
    ) -> Iterator[tuple[Indices, Floats]]:
        timeline = self.windows.timeline
        items = len(timeline.time)
        cells = items
        if anew:
            cells = max(items, (len(self.worth) + 2 * len(self.cuts.starts)) * timeline.patterns)
        batch = max(1, min(BLOCK, CELLS // cells))
        for draws, size in draws_in_blocks(permutations, seed, Purpose.DRIFT_SHUFFLES):
            for start in range(0, size, batch):
                rows = min(batch, size - start)
                if self.tables:
                    drawn = np.stack([self._table(draws) for _ in range(rows)])
                    yield np.tile(timeline.pattern, (rows, 1)), drawn
                    continue
                if self.clusters is not None:
                    shuffled = [draws.permutation(self.clusters.number) for _ in range(rows)]
                    order = np.stack([self.clusters.cells_of(clusters) for clusters in shuffled])
                    yield (
                        self.clusters.timeline.pattern[order],
                        self.clusters.timeline.weight[order],
                    )
                    continue
                order = np.stack([draws.permutation(items) for _ in range(rows)])
                yield timeline.pattern[order], timeline.weight[order]

    def _batch_statistics(self, pattern: Indices, weight: Floats, spread: float) -> Contrasts:
        """Return statistics of batch estimates, weighted by items."""
        timeline, at = self.windows.timeline, self.windows.at
        batch_weights = np.concatenate(
            [totals_of for (totals_of,) in self._windows(pattern, weight, (1,))]
        )
        rows, shape = (
            in_effective_items(batch_weights, batch_weights, timeline.pairable),
            (-1, len(at)),
        )
        figures = self.local.estimates(rows.weight)
        estimate = np.where(rows.few, np.nan, figures).reshape(shape)
        error = (spread / np.sqrt(np.maximum(rows.effective, 1.0))).reshape(shape)
        first = np.searchsorted(at, timeline.time[self.cuts.starts])
        z = statistics(estimate, error, at, first, self.least)
        return z if self.trend else z._replace(slope=np.full(len(pattern), np.nan))

    def _anew(self, pattern: Indices, weight: Floats) -> tuple[Floats, Floats]:
        """Return steps and deviations from recomputed coefficients."""
        timeline, cuts, windows = self.windows.timeline, len(self.cuts.starts), len(self.worth)
        segment = np.searchsorted(self.cuts.starts, np.arange(len(timeline.time)), side="right")
        rows = []
        for pattern_row, weight_row, sums in zip(
            pattern, weight, self._windows(pattern, weight, (1, 2)), strict=True
        ):
            rows.append(in_effective_items(sums[0], sums[1], timeline.pairable))
            rows.append(side_rows(segment, pattern_row, weight_row, cuts, timeline.pairable))
        columns = zip(*(row[:3] for row in rows), strict=True)
        figures = self.local.at(WindowWeights(*(np.concatenate(column) for column in columns)))
        shape = (len(pattern), windows + 2 * cuts)
        estimate, error = figures.missing.reshape(shape), figures.error.reshape(shape)
        deviation = ratio(estimate[:, :windows] - self.overall, error[:, :windows], self.least)
        before, after = slice(windows, windows + cuts), slice(windows + cuts, windows + 2 * cuts)
        spread = np.sqrt(error[:, before] ** 2 + error[:, after] ** 2)
        step = ratio(estimate[:, after] - estimate[:, before], spread, self.least)
        return step, np.where(self.worth, deviation, np.nan)

    def _windows(
        self, pattern: Indices, weight: Floats, powers: tuple[int, ...]
    ) -> Iterator[list[Floats]]:
        """Yield weights (window, pattern) of each shuffle, an array per power of the kernel."""
        size, windows = self.windows.timeline.patterns, len(self.worth)
        window, cell, kernel = self.windows.entries
        kernels = [kernel**power for power in powers]
        for pattern_row, weight_row in zip(pattern, weight, strict=True):
            cells = window * size + pattern_row[cell]
            yield [
                totals(cells, of_power * weight_row[cell], windows * size).reshape(windows, size)
                for of_power in kernels
            ]

    def _table(self, draws: np.random.Generator) -> Floats:
        """Return shuffled counts of items by time and pattern."""
        if self.clusters is None or self.batch_of is None:
            return _table(draws, self.windows.timeline)
        batch_of = draws.permutation(self.batch_of)
        members = csr_array(
            (np.ones(len(batch_of)), (batch_of, np.arange(len(batch_of)))),
            shape=(len(self.windows.at), len(batch_of)),
        )
        return np.asarray((members @ self.clusters.patterns).toarray().reshape(-1))


def _table(draws: np.random.Generator, timeline: Timeline) -> Floats:
    """Draw counts of items by time and pattern, with the timeline's totals."""
    table = timeline.weight.reshape(-1, timeline.patterns).astype(np.int64)
    remaining, drawn = table.sum(axis=0), np.empty_like(table)
    for row, size in enumerate(table.sum(axis=1)):
        drawn[row] = drawn_items(draws, remaining, int(size), 1)[0]
        remaining -= drawn[row]
    return drawn.reshape(-1).astype(np.float64)
