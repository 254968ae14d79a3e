"""Windows in time as weight rows on rating patterns, and a coefficient in each of them.

An item in a window counts with its own weight times the kernel, scaled so that the row weighs as
many items as it is worth (Kish): a coefficient that depends on the number of items sees that one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from iaa_jax.analyses.drift.line import Line, Places
from iaa_jax.analyses.drift.times import Times
from iaa_jax.engine import Prepared, Problem, Table, over_rows
from iaa_jax.engine.gradients import GradientRows
from iaa_jax.engine.problem import Floats
from iaa_jax.engine.weights import bootstrap_rows

LEAST_EFFECTIVE = 10.0
"""Effective items with two ratings that a window needs."""

LEAST_TARGET = 30.0
"""Effective items that the default bandwidth gives a window at least, if there are as many."""

_PROBES = 33
_RULE_TIMES = 4096
_CELLS = 1 << 22


class Rows(NamedTuple):
    """Weights of windows on patterns, of squares and cubes of an item's weight, and their worth."""

    weight: Floats  # (window, pattern)
    square: Floats
    effective: Floats  # (window,)
    cube: Floats | None = None


def scaled(weight: Floats, square: Floats, pairable: NDArray[np.bool_]) -> Rows:
    """Rows that weigh as many items as they are worth: ``(sum w)^2 / sum w^2`` (Kish)."""
    one, two = weight[:, pairable].sum(axis=1), square[:, pairable].sum(axis=1)
    held = two > 0
    scale = np.where(held, one / np.where(held, two, 1.0), 0.0)
    return Rows(weight * scale[:, None], square * scale[:, None] ** 2, one * scale)


def totals(place: Places, weight: Floats, size: int) -> Floats:
    """Sums of weights by place."""
    return np.bincount(place, weights=weight, minlength=size).astype(np.float64)


class Windows:
    """Kernels in time, or batches: a weight of each cell in each window."""

    def __init__(self, line: Line, at: Floats, bandwidth: float | None) -> None:
        self.line = line
        self.at = at
        self.bandwidth = bandwidth
        self.kernel = _kernel(line.time, at, bandwidth)

    @cached_property
    def rows(self) -> Rows:
        """The windows as weight rows."""
        first, second, third = (self._on_patterns(power) for power in (1, 2, 3))
        found = scaled(first, second, self.line.pairable)
        with np.errstate(invalid="ignore", divide="ignore"):
            scale = found.effective / first[:, self.line.pairable].sum(axis=1)
        return found._replace(cube=third * np.nan_to_num(scale)[:, None] ** 3)

    def _on_patterns(self, power: int) -> Floats:
        kernel = self.kernel.copy()
        kernel.data = kernel.data**power * self.line.weight[kernel.indices]
        return np.asarray((kernel @ self._patterns).toarray())

    @cached_property
    def _patterns(self) -> csr_array:
        cells = len(self.line.pattern)
        where = (np.arange(cells), self.line.pattern)
        return csr_array((np.ones(cells), where), shape=(cells, self.line.patterns))

    @cached_property
    def entries(self) -> tuple[Places, Places, Floats]:
        """Window, cell and kernel of each entry that is not 0."""
        window = np.repeat(np.arange(len(self.at)), np.diff(self.kernel.indptr))
        return window, self.kernel.indices.astype(np.intp), self.kernel.data


def _kernel(time: Floats, at: Floats, bandwidth: float | None) -> csr_array:
    """Epanechnikov's ``1 - u^2`` within a bandwidth; batches: 1 for the batch and 0 elsewhere."""
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


def usual_bandwidth(line: Line) -> float:
    """The bandwidth with which the middle item's window is worth ``n^(4/5)`` items, 30 at least.

    The middle is the median over items; n counts items with two ratings. No more than the whole
    time from the first item to the last.
    """
    time, weight = line.time, line.of_pairs
    span = float(time[-1] - time[0])
    total = float(weight.sum())
    target = max(total**0.8, LEAST_TARGET)
    upto = np.cumsum(weight)
    probes = time[np.searchsorted(upto, (np.arange(_PROBES) + 0.5) / _PROBES * upto[-1])]
    if len(time) > _RULE_TIMES:
        share = (np.arange(_RULE_TIMES) + 0.5) / _RULE_TIMES
        time = time[np.searchsorted(upto, share * upto[-1])]
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
    """A coefficient in windows."""

    estimate: Floats  # (window,)
    error: Floats
    skewness: Floats
    centred: Floats | None = None  # (window, pattern) derivatives less their mean


class Local:
    """One coefficient, ready to be asked for any weight rows on its patterns."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.prepared = Prepared([problem])
        self._gradients = GradientRows(self.prepared)

    def at(self, rows: Rows, keep: bool = False) -> Figures:
        """Estimates and standard errors.

        With K the weight of an item in a row, g the derivative by it and m the sum of the row:
        ``SE^2 = m / (m - 1) sum K^2 (g - gbar)^2``, gbar the mean of g weighted by K.
        """
        together = max(1, _CELLS // max(rows.weight.shape[1], 1))
        parts = [
            self._block(rows, slice(start, start + together))
            for start in range(0, len(rows.weight), together)
        ]
        estimate, error, skewness = (
            np.concatenate([part[place] for part in parts]) for place in range(3)
        )
        centred = np.concatenate([part[3] for part in parts]) if keep else None
        return Figures(estimate, error, skewness, centred)

    def _block(self, rows: Rows, some: slice) -> tuple[Floats, Floats, Floats, Floats]:
        weight, square = rows.weight[some], rows.square[some]
        cube = None if rows.cube is None else rows.cube[some]
        found = self._gradients(weight)
        total = weight.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            gradient = np.where(weight > 0, found.gradient, 0.0)
            mean = (weight * gradient).sum(axis=1) / total
            centred = np.where(weight > 0, gradient - mean[:, None], 0.0)
            spread = (square * centred**2).sum(axis=1)
            factor = np.where(total > 1, total / (total - 1), np.nan)
            error = np.where(np.isnan(found.estimate), np.nan, np.sqrt(factor * spread))
            skewness: Floats = np.zeros(len(weight))
            if cube is not None:
                third = (cube * centred**3).sum(axis=1)
                skewness = np.where(spread > 0, third / (6 * spread**1.5), 0.0)
        return found.estimate, error, skewness, centred


def resampled(
    local: Local,
    windows: Windows,
    replicates: int,
    seed: int,
    progress: Callable[[int, int], None] | None,
) -> Floats:
    """Replicates (replicate, window) over items drawn with replacement, with their times."""
    line, size, patterns = windows.line, len(windows.at), windows.line.patterns
    window, cell, kernel = windows.entries
    shape = (size * patterns, len(line.time))
    lay_out = csr_array((kernel, (window * patterns + line.pattern[cell], cell)), shape=shape)
    of_pairs = np.where(line.pairable[line.pattern[cell]], kernel, 0.0)
    one = csr_array((of_pairs, (window, cell)), shape=(size, len(line.time)))
    two = csr_array((of_pairs * kernel, (window, cell)), shape=(size, len(line.time)))
    together = max(1, _CELLS // (size * patterns))

    def rows() -> Iterator[tuple[Floats]]:
        for (drawn,) in bootstrap_rows([Table(line.weight)], replicates, seed):
            for start in range(0, len(drawn), together):
                upright = np.ascontiguousarray(drawn[start : start + together].T)
                first, second = one @ upright, two @ upright
                held = second > 0
                scale = np.where(held, first / np.where(held, second, 1.0), 0.0)
                weight = (lay_out @ upright).reshape(size, patterns, -1) * scale[:, None, :]
                yield (np.ascontiguousarray(weight.transpose(2, 0, 1)).reshape(-1, patterns),)

    found = over_rows(
        local.prepared,
        [local.problem.table],
        rows(),
        replicates * size,
        progress=None if progress is None else lambda done, _: progress(done // size, replicates),
    )[0]
    return np.asarray(found, dtype=np.float64).reshape(replicates, size)


def covariance(windows: Windows, figures: Figures) -> Floats:
    """Covariances of the estimates of all windows, from their influences on the same items."""
    window, cell, kernel = windows.entries
    rows = windows.rows
    centred = figures.centred
    if centred is None:
        message = "the figures were made without derivatives"
        raise TypeError(message)
    raw = totals(window, kernel * windows.line.of_pairs[cell], len(rows.effective))
    total = rows.weight.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        factor = rows.effective / raw * np.sqrt(total / (total - 1))
    influence = kernel * factor[window] * centred[window, windows.line.pattern[cell]]
    influence = np.nan_to_num(influence) * np.sqrt(windows.line.weight[cell])
    matrix = csr_array((influence, (window, cell)), shape=windows.kernel.shape)
    return np.asarray((matrix @ matrix.T).toarray())


def multiplied(estimate: Floats, spread: Floats, replicates: int, seed: int) -> Floats:
    """Replicates (replicate, window) by Gaussian multipliers of the influences.

    Given the data, estimates plus influences times independent normal multipliers are jointly
    normal with the influences' covariance: they are drawn from it, whatever the number of items.
    """
    from iaa_jax.engine.blocks import BLOCK, stream

    values, vectors = np.linalg.eigh(spread)
    root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    blocks = [
        stream(seed, _MULTIPLIERS, block).standard_normal((BLOCK, len(estimate)))
        for block in range(-(-replicates // BLOCK))
    ]
    return estimate + np.concatenate(blocks)[:replicates] @ root


_MULTIPLIERS = 1001


def points_of(times: Times, line: Line, points: int, bandwidth: float | None) -> Windows:
    """The batches, or an even grid from the first item to the last with a bandwidth."""
    if times.batches is not None:
        return Windows(line, times.batches, None)
    chosen = usual_bandwidth(line) if bandwidth is None else bandwidth
    return Windows(line, np.linspace(line.time[0], line.time[-1], points), chosen)
