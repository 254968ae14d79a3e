"""Windows in time as weight rows on rating patterns.

An item in a window counts with its own weight times the kernel, scaled so that the row weighs as
many items as it is worth (Kish): a coefficient that depends on the number of items sees that one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from iaa_jax._types import Floats
from iaa_jax.analyses.drift.line import Indices, Line
from iaa_jax.analyses.drift.times import Times

LEAST_EFFECTIVE = 10.0
"""Effective items with two ratings that a window needs."""

LEAST_TARGET = 30.0
"""Effective items that the default bandwidth gives a window at least, if there are as many."""

_PROBES = 33
_RULE_TIMES = 4096


class WindowWeights(NamedTuple):
    """Weights of windows on patterns, of squares and cubes of an item's weight, and their worth."""

    weight: Floats  # (window, pattern)
    square: Floats
    effective: Floats  # (window,)
    cube: Floats | None = None

    @property
    def few(self) -> NDArray[np.bool_]:
        """Which are worth too few items."""
        return np.asarray(self.effective < LEAST_EFFECTIVE)


def in_effective_items(
    weight: Floats, square: Floats, pairable: NDArray[np.bool_]
) -> WindowWeights:
    """Rows that weigh as many items as they are worth: ``(sum w)^2 / sum w^2`` (Kish)."""
    total, total_square = weight[:, pairable].sum(axis=1), square[:, pairable].sum(axis=1)
    weighs = total_square > 0
    scale = np.where(weighs, total / np.where(weighs, total_square, 1.0), 0.0)
    return WindowWeights(weight * scale[:, None], square * scale[:, None] ** 2, total * scale)


def totals(cell: Indices, weight: Floats, size: int) -> Floats:
    """Sums of weights by place."""
    return np.bincount(cell, weights=weight, minlength=size).astype(np.float64)


class Windows:
    """Kernels in time, or batches: a weight of each cell in each window."""

    def __init__(self, line: Line, at: Floats, bandwidth: float | None) -> None:
        self.line = line
        self.at = at
        self.bandwidth = bandwidth
        self.kernel = _kernel(line.time, at, bandwidth)

    @cached_property
    def rows(self) -> WindowWeights:
        """The windows as weight rows."""
        first, second, third = (self._on_patterns(power) for power in (1, 2, 3))
        rows = in_effective_items(first, second, self.line.pairable)
        with np.errstate(invalid="ignore", divide="ignore"):
            scale = rows.effective / first[:, self.line.pairable].sum(axis=1)
        return rows._replace(cube=third * np.nan_to_num(scale)[:, None] ** 3)

    def of_cells(self) -> Iterator[Floats]:
        """The weights (cell,) of each window, as its row has them."""
        of_pairs = self.kernel @ self.line.of_pairs
        for row, (worth, raw) in enumerate(zip(self.rows.effective, of_pairs, strict=True)):
            kernel = np.asarray(self.kernel[[row]].todense()).ravel()
            yield kernel * self.line.weight * (worth / raw if raw else 0.0)

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
    def entries(self) -> tuple[Indices, Indices, Floats]:
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


def windows_of(times: Times, line: Line, points: int, bandwidth: float | None) -> Windows:
    """The batches, or an even grid from the first item to the last with a bandwidth."""
    if times.batches is not None:
        return Windows(line, times.batches, None)
    chosen = usual_bandwidth(line) if bandwidth is None else bandwidth
    return Windows(line, np.linspace(line.time[0], line.time[-1], points), chosen)


def usual_bandwidth(line: Line) -> float:
    """The bandwidth with which the middle item's window is worth ``n^(4/5)`` items, 30 at least.

    The middle is the median over items; n counts items with two ratings. No more than the whole
    time from the first item to the last.
    """
    time, weight = line.time, line.of_pairs
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
