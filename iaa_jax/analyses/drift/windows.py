"""Windows in time, or batches, and the coefficient in each of them.

A pattern is a distinct row of ratings. A window's row of weights has the total weight of items with
each pattern, where items count with their own weight times the kernel. The weights are scaled to
add up to the effective number of items (Kish), because some coefficients depend on it.

Items change over time, but the few annotators usually stay, so that leaving one annotator out
changes all estimates together. For standard errors of differences, each annotator is therefore left
out at all times together. The effect of an annotator who works all the time, and always rates in
the same way, cancels in a difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats
from iaa_jax.analyses.drift.timeline import Indices, Timeline
from iaa_jax.engine import Prepared, Problem, over_rows
from iaa_jax.engine.drawing import BLOCK
from iaa_jax.engine.drivers import estimate_at
from iaa_jax.engine.gradients import GradientRows
from iaa_jax.engine.middles import as_shortfall, uses_moments
from iaa_jax.engine.units import present_annotators
from iaa_jax.measure.shared.times import Times
from iaa_jax.wording import keyword

LEAST_EFFECTIVE = 10.0
"""Minimum effective number of items with two ratings in a window."""

LEAST_TARGET = 30.0
"""Minimum effective number of items in the median window, for the default bandwidth."""

_PROBES = 33
_RULE_TIMES = 4096

CELLS = 1 << 22
"""Approximate number of weights that are computed at a time."""

LEAST, MOST = 3, 500
"""Minimum and maximum number of annotators for the jackknife."""


class WindowWeights(NamedTuple):
    """Weights of patterns in each window, and sums of squared and cubed item weights."""

    weight: Floats  # (window, pattern)
    square: Floats
    effective: Floats  # (window,)
    cube: Floats | None = None

    @property
    def few(self) -> NDArray[np.bool_]:
        """Whether each window has too few effective items."""
        return np.asarray(self.effective < LEAST_EFFECTIVE)


def in_effective_items(
    weight: Floats, square: Floats, pairable: NDArray[np.bool_]
) -> WindowWeights:
    """Scale rows to the effective number of pairable items, ``(sum w)^2 / sum w^2`` (Kish)."""
    total, total_square = weight[:, pairable].sum(axis=1), square[:, pairable].sum(axis=1)
    weighs = total_square > 0
    scale = np.where(weighs, total / np.where(weighs, total_square, 1.0), 0.0)
    return WindowWeights(weight * scale[:, None], square * scale[:, None] ** 2, total * scale)


def totals(cell: Indices, weight: Floats, size: int) -> Floats:
    """Sum weights by cell."""
    return np.bincount(cell, weights=weight, minlength=size).astype(np.float64)


class Windows:
    """Windows in time, or batches; the kernel weights each cell in each window."""

    def __init__(self, timeline: Timeline, at: Floats, bandwidth: float | None) -> None:
        self.timeline = timeline
        self.at = at
        self.bandwidth = bandwidth
        self.kernel = _kernel(timeline.time, at, bandwidth)

    @cached_property
    def rows(self) -> WindowWeights:
        """Weights of the patterns in each window."""
        first, second, third = (self._on_patterns(power) for power in (1, 2, 3))
        rows = in_effective_items(first, second, self.timeline.pairable)
        with np.errstate(invalid="ignore", divide="ignore"):
            scale = rows.effective / first[:, self.timeline.pairable].sum(axis=1)
        return rows._replace(cube=third * np.nan_to_num(scale)[:, None] ** 3)

    def cell_weights(self) -> Iterator[Floats]:
        """Yield the weights (cell,) in each window, scaled to the effective number of items."""
        pairable_weight = self.kernel @ self.timeline.pairable_weight
        for row, (worth, raw) in enumerate(zip(self.rows.effective, pairable_weight, strict=True)):
            kernel = np.asarray(self.kernel[[row]].todense()).ravel()
            yield kernel * self.timeline.weight * (worth / raw if raw else 0.0)

    def _on_patterns(self, power: int) -> Floats:
        kernel = self.kernel.copy()
        kernel.data = kernel.data**power * self.timeline.weight[kernel.indices]
        return np.asarray((kernel @ self._patterns).toarray())

    @cached_property
    def _patterns(self) -> csr_array:
        cells = len(self.timeline.pattern)
        where = (np.arange(cells), self.timeline.pattern)
        return csr_array((np.ones(cells), where), shape=(cells, self.timeline.patterns))

    @cached_property
    def entries(self) -> tuple[Indices, Indices, Floats]:
        """Window, cell and value of each nonzero entry of the kernel."""
        window = np.repeat(np.arange(len(self.at)), np.diff(self.kernel.indptr))
        return window, self.kernel.indices.astype(np.intp), self.kernel.data


def _kernel(time: Floats, at: Floats, bandwidth: float | None) -> csr_array:
    """Return Epanechnikov's ``1 - u^2``, u in bandwidths, or 1 within a batch; 0 elsewhere."""
    if bandwidth is None:
        first, last = np.searchsorted(time, at, "left"), np.searchsorted(time, at, "right")
    else:
        first = np.searchsorted(time, at - bandwidth, "right")
        last = np.searchsorted(time, at + bandwidth, "left")
    size = np.maximum(last - first, 0)
    ends = np.append(0, np.cumsum(size))
    cell = np.arange(ends[-1]) - np.repeat(ends[:-1] - first, size)
    value = np.ones(len(cell))
    if bandwidth is not None:
        value = 1 - ((time[cell] - np.repeat(at, size)) / bandwidth) ** 2
    return csr_array((value, cell, ends), shape=(len(at), len(time)))


def windows_of(times: Times, timeline: Timeline, points: int, bandwidth: float | None) -> Windows:
    """Return batches, or windows on an even grid."""
    if times.batches is not None:
        return Windows(timeline, times.batches, None)
    chosen = usual_bandwidth(timeline, times.unit) if bandwidth is None else bandwidth
    return Windows(timeline, np.linspace(timeline.time[0], timeline.time[-1], points), chosen)


def usual_bandwidth(timeline: Timeline, unit: str) -> float:
    """Return the bandwidth with ``n^(4/5)`` effective items, at least 30, in the median window.

    n counts items with two ratings. The bandwidth is at most the time from the first item to the
    last; if it is longer than a day, it is rounded up to whole days.
    """
    exact = _bandwidth(timeline)
    return float(np.ceil(exact)) if unit == "day" and exact > 1 else exact


def _bandwidth(timeline: Timeline) -> float:
    time, weight = timeline.time, timeline.pairable_weight
    span = float(time[-1] - time[0])
    total = float(weight.sum())
    target = max(total**0.8, LEAST_TARGET)
    cumulative = np.cumsum(weight)
    probes = time[
        np.searchsorted(cumulative, (np.arange(_PROBES) + 0.5) / _PROBES * cumulative[-1])
    ]
    if len(time) > _RULE_TIMES:
        share = (np.arange(_RULE_TIMES) + 0.5) / _RULE_TIMES
        time = time[np.searchsorted(cumulative, share * cumulative[-1])]
        weight = np.full(_RULE_TIMES, total / _RULE_TIMES)

    def worth(bandwidth: float) -> float:
        kernel = np.maximum(1 - ((time - probes[:, None]) / bandwidth) ** 2, 0.0)
        return float(np.median((kernel @ weight) ** 2 / (kernel**2 @ weight)))

    if worth(span) <= target:
        return span
    low, high = 0.0, span
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if worth(middle) < target else (low, middle)
    return high


class Figures(NamedTuple):
    """A coefficient at rows of weights, such as windows.

    ``missing``, for comparisons, is the estimate or, for coefficients from sums of squared numbers,
    the estimate minus 1, which keeps digits near 1.
    """

    estimate: Floats  # (row,)
    missing: Floats
    error: Floats
    skewness: Floats
    centred: Floats  # (row, pattern) derivatives less their mean; no columns if not kept


class Local:
    """One coefficient, prepared for about ``rows`` rows of weights (row, pattern)."""

    def __init__(self, problem: Problem, rows: int = 1) -> None:
        self.problem = problem
        self.prepared = Prepared([problem])
        self.compared = Prepared([as_shortfall(problem)])
        self.whole = 1.0 if uses_moments(problem) else 0.0
        self._gradients = GradientRows(self.compared, rows)

    @property
    def cells(self) -> int:
        """Number of patterns, or of values in the data of a plain function."""
        problem = self.problem
        return len(problem.table.count) if problem.factored else max(problem.data.size, 1)

    def at(self, rows: WindowWeights, keep: bool = False) -> Figures:
        """Return estimates and standard errors; ``keep`` adds derivatives.

        With K the weight of an item in a row, g the derivative with respect to K, gbar the mean of
        g weighted by K, and m the sum of K: ``SE^2 = m / (m - 1) sum K^2 (g - gbar)^2``.
        """
        batch = max(1, CELLS // max(rows.weight.shape[1], 1))
        parts = [
            self._block(rows, slice(start, start + batch), keep)
            for start in range(0, len(rows.weight), batch)
        ]
        return Figures(*(np.concatenate(part) for part in zip(*parts, strict=True)))

    def estimates(self, rows: Floats) -> Floats:
        """Return `Figures.missing` at rows of weights (row, pattern)."""
        total = len(rows)
        parts = ((rows[start : start + BLOCK],) for start in range(0, total, BLOCK))
        estimates = over_rows(self.compared, [self.problem.table], parts, total)[0]
        return np.asarray(estimates, dtype=np.float64)

    def code(self, weight: Floats) -> int:
        """Return the code of the reason why the coefficient is undefined at weights (pattern,)."""
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


class AnnotatorJackknife(NamedTuple):
    """The jackknife over annotators, for several estimates together."""

    covariance: Floats  # (row, row); NaN if an estimate is undefined without some annotator
    sampled: Floats  # (row,) the part of the diagonal that is due to sampled items
    degrees: float

    @property
    def annotator_covariance(self) -> Floats:
        """The covariance without the part due to items, and without negative eigenvalues."""
        known = np.isfinite(np.diag(self.covariance))
        covariance = np.where(known & known[:, None], self.covariance, 0.0)
        covariance = covariance - np.diag(np.where(known, self.sampled, 0.0))
        value, vector = np.linalg.eigh(covariance)
        return np.asarray((vector * np.maximum(value, 0.0)) @ vector.T)


def jackknife_annotators(local: Local, rows: WindowWeights) -> AnnotatorJackknife:
    """Return the jackknife over annotators at rows of weights.

    The covariance is ``(A - 1) / A sum_a (f_a - fbar) (f_a - fbar)'``, with A annotators, and f_a
    the estimates without annotator a. The derivatives of f_a - fbar with respect to the items'
    weights show how much of the covariance is due to items.
    """
    problem, size = local.problem, local.problem.annotator_count
    present = np.flatnonzero(present_annotators([problem], size))
    advice = f"leave {keyword('annotators', 'random')} out"
    if len(present) < LEAST:
        raise IaaError(
            f"{len(present):,} annotators are too few to treat as random: after leaving one out, "
            f"two must remain: {advice}"
        )
    if len(present) > MOST:
        raise IaaError(
            f"{len(present):,} annotators are too many to leave out one by one: {advice} (so "
            f"many are nearly the whole population), or keep {MOST} of them"
        )
    estimates = []
    total, squares = np.zeros(rows.weight.shape), np.zeros(len(rows.weight))
    for annotator in present:
        weight = np.array(problem.weight[:size])
        weight[annotator] = 0.0
        without = Local(replace(problem, annotator_weight=weight))
        figures = without.at(rows, keep=True)
        derivative = np.nan_to_num(figures.centred)
        estimates.append(figures.missing)
        total = total + derivative
        squares = squares + (rows.square * derivative**2).sum(axis=1)
    number = len(present)
    factor = (number - 1) / number
    away = np.stack(estimates) - np.mean(estimates, axis=0)
    sampled = squares - (rows.square * total**2).sum(axis=1) / number
    return AnnotatorJackknife(factor * away.T @ away, factor * sampled, number - 1.0)
