"""Draw estimates under equal agreement at all times, with the label frequencies of each batch.

The estimate from few items with a rare label is skewed and biased, and its standard error is small
if these items happen to agree. The variation of a batch's coefficient is therefore estimated from
all items together, weighted so that labels are as frequent, and items have as many ratings, as in
the batch. Of all such weights, those nearest to equal weights are used (exponential tilting: Efron,
B. (1981). Nonparametric standard errors and confidence intervals. Canadian Journal of Statistics
9(2)). As many items are drawn as the batch has. The label frequencies of a batch are themselves
uncertain. They are therefore shrunk towards the frequencies in all items by the rule of James and
Stein (1961). Clusters are weighted and drawn whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, diags_array

from iaa_jax._types import Floats
from iaa_jax.analyses.drift.timeline import ClustersInTime, Indices
from iaa_jax.analyses.drift.windows import Local, WindowWeights, totals
from iaa_jax.engine import over_rows
from iaa_jax.engine.drawing import Purpose, bootstrap_rows, draws_in_blocks, stream

MOST_LABELS, UNITS_EACH = 12, 8
"""Maximum number of labels whose frequencies are kept (the others count as one), and number of
items or clusters for each label.
"""

_STEPS, _LONGEST, _CLOSE = 60, 2.0, 1e-9


class ItemsInClusters(NamedTuple):
    """Clusters along time, and the batch or stretch of each item."""

    clusters: ClustersInTime
    block: Indices  # (cell,)


@dataclass(frozen=True)
class NullModel:
    """All items, weighted for each batch or stretch of items."""

    local: Local
    rows: Floats  # (batch, pattern) weights of the items of each batch
    units: csr_array  # (unit, pattern) items; units are patterns of ratings, or clusters
    share: Floats  # (batch, unit) probability of drawing each unit
    within: ItemsInClusters | None

    @classmethod
    def of(
        cls, local: Local, rows: Floats, label_counts: Floats, within: ItemsInClusters | None
    ) -> NullModel:
        """Return the model; ``label_counts`` is (pattern, label)."""
        total = rows.sum(axis=0)
        units, count = csr_array(diags_array(np.ones(len(total)))), total
        if within is not None:
            units, count = within.clusters.patterns, np.ones(within.clusters.number)
        share = tilted(units, count, rows, merged(label_counts, total, float(count.sum())))
        return cls(local, rows, units, share, within)

    @property
    def weights(self) -> Floats:
        """Expected numbers of items (batch, pattern)."""
        expected = np.asarray((self.units.T @ self.share.T).T)
        # the weights of a batch without pairs do not matter
        scale = np.maximum(self.rows.sum(axis=1), 1.0) / expected.sum(axis=1)
        return np.asarray(expected * scale[:, None])

    def figures(self) -> tuple[Floats, Floats]:
        """Return each batch's `Figures.missing` (an estimate) and its standard error."""
        weight = self.weights
        figures = self.local.at(WindowWeights(weight, weight, weight.sum(axis=1)), keep=True)
        if self.within is None:
            return figures.missing, figures.error
        number = self.within.clusters.number
        drawn = weight.sum(axis=1) / (self.share @ np.asarray(self.units.sum(axis=1)).ravel())
        spread = (self.share * (self.units @ figures.centred.T).T ** 2).sum(axis=1)
        error = np.sqrt(number / (number - 1) * drawn * spread)
        return figures.missing, np.where(np.isnan(figures.estimate), np.nan, error)

    def drawn(self, draws: int, seed: int) -> Floats:
        """Return drawn estimates (draw, batch)."""
        size = len(self.rows)
        within = self.within
        rows = (
            self._item_draws(draws, seed)
            if within is None
            else self._cluster_draws(within, draws, seed)
        )
        table = self.local.problem.table
        coefficients = over_rows(self.local.compared, [table], rows, draws * size)[0]
        return np.asarray(coefficients, dtype=np.float64).reshape(draws, size)

    def _item_draws(self, draws: int, seed: int) -> Iterator[tuple[Floats]]:
        tables = [self.local.problem.table.other(row) for row in self.weights]
        items_seed = int(stream(seed, Purpose.EQUAL_BATCHES).integers(1 << 62))
        for blocks in bootstrap_rows(tables, draws, items_seed):
            yield (np.stack(blocks, axis=1).reshape(-1, self.rows.shape[1]),)

    def _cluster_draws(
        self, within: ItemsInClusters, draws: int, seed: int
    ) -> Iterator[tuple[Floats]]:
        clusters, block = within
        size, patterns = self.rows.shape
        batch_of = clusters.batches(block)
        for draw, count in draws_in_blocks(draws, seed, Purpose.EQUAL_CLUSTERS):
            rows = np.empty((count, size, patterns))
            if batch_of is not None:
                for batch, held in enumerate(np.bincount(batch_of, minlength=size)):
                    drawn = draw.multinomial(held, self.share[batch], size=count)
                    rows[:, batch] = (self.units.T @ drawn.T).T
            else:
                rows[:] = [self._one_after_the_other(within, draw) for _ in range(count)]
            yield (rows.reshape(-1, patterns),)

    def _one_after_the_other(self, within: ItemsInClusters, draw: np.random.Generator) -> Floats:
        """Draw clusters one after the other, with the batches in order of time."""
        clusters, block = within
        size, patterns = self.rows.shape
        at = np.sort(clusters.middle(block))
        at = np.append(at, np.full(len(at), at[-1]))  # some to spare, if clusters are small
        below = np.cumsum(self.share, axis=1)
        chosen = np.empty(len(at), dtype=np.intp)
        for batch in np.unique(at):
            here = at == batch
            ends = below[batch] / below[batch, -1]
            chosen[here] = np.searchsorted(ends, draw.random(here.sum()), side="right")
        cells = clusters.drawn(np.minimum(chosen, clusters.number - 1))
        timeline = clusters.timeline
        cell = np.sort(block) * patterns + timeline.pattern[cells]
        return totals(cell, timeline.weight[cells], size * patterns).reshape(size, patterns)


def merged(label_counts: Floats, items: Floats, units: float) -> Floats:
    """Return counts (pattern, label) of the commonest labels, and of all others together."""
    kept = max(1, min(MOST_LABELS, int(units) // UNITS_EACH))
    order = np.argsort(-(items @ label_counts), kind="stable")
    others = label_counts[:, order[kept:]].sum(axis=1, keepdims=True)
    return np.concatenate([label_counts[:, order[:kept]], others], axis=1)


def tilted(units: csr_array, count: Floats, rows: Floats, features: Floats) -> Floats:
    """Return shares of units (row, unit) near ``count`` that give the mean features of each row.

    ``features`` is (pattern, feature). The means are first shrunk: their deviations from the mean
    of all items are multiplied by ``1 - d / q`` (0 if it is negative), where q is the sum of
    squares of the deviations in standard errors, and d its degrees of freedom.
    """
    total = rows.sum(axis=1)
    size = np.asarray(units.sum(axis=1)).ravel()
    overall = (count @ (units @ features)) / (count @ size)
    deviation = units @ features - size[:, None] * overall
    spread = (count * deviation.T) @ deviation / (count @ size)
    value, vector = np.linalg.eigh(spread)
    held = value > 1e-9 * max(float(value.max(initial=0.0)), 1e-300)
    whitened = vector[:, held] / np.sqrt(value[held])
    mean = (rows @ features / np.maximum(total, 1e-300)[:, None] - overall) @ whitened
    mean[total <= 0] = 0.0
    distance = float((total[:, None] * mean**2).sum())
    degrees = (int((total > 0).sum()) - 1) * int(held.sum())
    target = mean * (max(0.0, 1 - degrees / distance) if distance > 0 else 0.0)
    moments = deviation @ whitened
    base = count / count.sum()
    if not target.any():
        return np.tile(base, (len(rows), 1))
    return np.stack([_tilt(base, moments - size[:, None] * one, size.mean()) for one in target])


def _tilt(base: Floats, moments: Floats, scale: float) -> Floats:
    moments = moments / scale
    theta = np.zeros(moments.shape[1])
    held = base > 0

    def at(theta: Floats) -> tuple[float, Floats]:
        power = np.where(held, moments @ theta, -np.inf)
        top = power.max()
        share = base * np.exp(power - top)
        return float(np.log(share.sum()) + top), share / share.sum()

    value, share = at(theta)
    for _ in range(_STEPS):
        gradient = share @ moments
        if np.abs(gradient).max() < _CLOSE:
            break
        curvature = (moments.T * share) @ moments - np.outer(gradient, gradient)
        curvature[np.diag_indices_from(curvature)] += 1e-9
        step = np.linalg.solve(curvature, gradient)
        step /= max(1.0, float(np.abs(step).max()) / _LONGEST)
        while True:
            further, next_share = at(theta - step)
            if further <= value or np.abs(step).max() < _CLOSE:
                break
            step = step / 2
        theta, value, share = theta - step, further, next_share
    return share
