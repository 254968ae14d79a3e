"""Tests of "no change at all": a slope, the largest step and the largest deviation of a window.

Times are shuffled among items, with their label frequencies. Each statistic is divided by a
standard error of its own, so that the tests come nearer to their level where only agreement, and
not all else, stays the same (drift_own.py has tests that keep it): Chung, E.
and Romano, J. P. (2013). Exact and asymptotically robust permutation tests. Annals of Statistics
41(2). https://doi.org/10.1214/13-AOS1090
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax.analyses.drift.contrasts import held_errors, independent_statistics
from iaa_jax.analyses.drift.cuts import Cuts, ratio, sides_of
from iaa_jax.analyses.drift.line import Line, Places
from iaa_jax.analyses.drift.windows import (
    Local,
    Rows,
    Windows,
    scaled,
    totals,
)
from iaa_jax.engine.blocks import BLOCK, stream
from iaa_jax.engine.problem import Floats

RECOMPUTED = 5e8
"""Cells (permutation, weight row, pattern) up to which coefficients are worked out anew.

For a kernel that knows no sums, all numbers in its data count in place of the patterns.
"""

_PERMUTED, _LOCATED = 1002, 1003
_HELD = 1 << 23


class Slope(NamedTuple):
    """A trend per unit of time, with its standard error."""

    slope: Floats
    error: Floats

    @property
    def z(self) -> Floats:
        """The slope in standard errors."""
        return ratio(self.slope, self.error)


def slope_of(time: Floats, weight: Floats, influence: Floats) -> Slope:
    """Influences (..., item) regressed on time; errors allow for unequal spread.

    ``slope = sum w (t - tbar) U / sum w (t - tbar)^2``, and with e the residuals
    ``SE^2 = n / (n - 2) sum w (t - tbar)^2 e^2 / (sum w (t - tbar)^2)^2``.
    """
    total = weight.sum(axis=-1, keepdims=True)
    away = time - (weight * time).sum(axis=-1, keepdims=True) / total
    # the length of the axis cancels: keeps squares in range
    length = np.abs(away).max() or 1.0
    away = away / length
    squares = (weight * away**2).sum(axis=-1)
    centred = influence - (weight * influence).sum(axis=-1, keepdims=True) / total
    slope = (weight * away * centred).sum(axis=-1) / squares
    rest = centred - slope[..., None] * away
    factor = total[..., 0] / np.maximum(total[..., 0] - 2, 1)
    error = np.sqrt(factor * (weight * (away * rest) ** 2).sum(axis=-1)) / squares
    return Slope(slope / length, error / length)


def linear_steps(values: Floats, weight: Floats, place: Places) -> Floats:
    """The scan on pseudo-values (row, item): differences of means in standard errors."""
    starts = np.append(0, place)

    def upto(summand: Floats) -> Floats:
        return np.cumsum(np.add.reduceat(summand, starts, axis=-1), axis=-1)

    count, first, second = upto(weight), upto(weight * values), upto(weight * values**2)
    sides = []
    for side in (0, 1):
        n, a, b = (
            one[..., :-1] if side == 0 else one[..., -1:] - one[..., :-1]
            for one in (count, first, second)
        )
        mean = a / n
        sides.append((mean, np.maximum(b / n - mean**2, 0.0) / np.maximum(n - 1, 1)))
    return ratio(sides[1][0] - sides[0][0], np.sqrt(sides[0][1] + sides[1][1]))


def linear_deviations(windows: Windows, values: Floats, weight: Floats) -> Floats:
    """Windows on pseudo-values (row, item) with mean 0: means in standard errors."""
    kernel = windows.kernel
    square, of_pairs = kernel.copy(), weight * np.ones(kernel.shape[1])
    square.data = kernel.data**2

    def total(matrix: Any, summand: Floats) -> Floats:
        return np.asarray((matrix @ summand.T).T)

    one, two = total(kernel, of_pairs), total(square, of_pairs)
    mean = total(kernel, weight * values) / one
    spread = (
        total(square, weight * values**2)
        - 2 * mean * total(square, weight * values)
        + mean**2 * two
    )
    worth = one**2 / two
    error = np.sqrt(np.maximum(spread, 0.0) * worth / (worth - 1)) / one
    return ratio(mean, error)


class Null(NamedTuple):
    """Statistics under shuffled times, each the largest of its kind in size."""

    slope: Floats  # (permutation,)
    step: Floats
    deviation: Floats


@dataclass(frozen=True)
class Shuffled:
    """Times shuffled among items: the three statistics, anew or by influences."""

    local: Local
    windows: Windows  # of the items one by one
    cuts: Cuts
    influence: Floats  # (pattern,) of all items together
    overall: float
    worth: NDArray[np.bool_]  # windows that are worth enough items
    tables: bool = False  # the line is a table of numbers of items, by time and pattern
    spare: Floats | None = None  # (batch,) errors where nothing varies; None for windows in time
    trend: bool = True

    def alike(self, exact: tuple[float, float, float]) -> tuple[float, float, float]:
        """The statistics of the items as they stand, by influences; NaN where the exact ones are.

        The null by influences is theirs: exact figures have another spread.
        """
        line = self.windows.line
        found = self.of(line.pattern[None], line.weight[None], anew=False)
        slope, step, deviation = (
            np.nan if np.isnan(one) else float(_largest(np.atleast_2d(row))[0])
            for one, row in zip(exact, found, strict=True)
        )
        return slope, step, deviation

    def null(
        self,
        permutations: int,
        seed: int,
        anew: bool,
        progress: Callable[[int, int], None] | None = None,
    ) -> Null:
        """The statistics of so many permutations."""
        parts = []
        done = 0
        for pattern, weight in self._shuffles(permutations, seed, anew):
            slope, step, deviation = self.of(pattern, weight, anew)
            parts.append((np.abs(slope), _largest(step), _largest(deviation)))
            done += len(pattern)
            if progress is not None:
                progress(done, permutations)
        if not parts:
            return Null(*(np.zeros(0) for _ in range(3)))
        return Null(*(np.concatenate(part) for part in zip(*parts, strict=True)))

    def of(self, pattern: Places, weight: Floats, anew: bool) -> tuple[Floats, Floats, Floats]:
        """Signed statistics for items (row, item) on the line of times: slope, steps, windows."""
        if anew and self.spare is not None:
            return self._of_batches(pattern, weight, self.spare)
        values = self.influence[pattern]
        slope = slope_of(self.windows.line.time, weight, values).z
        if anew:
            return slope, *self._anew(pattern, weight)
        steps_found: Floats = np.zeros((len(pattern), 0))
        if len(self.cuts.place):
            steps_found = linear_steps(values, weight, self.cuts.place)
        deviations = linear_deviations(self.windows, values, weight)
        return slope, steps_found, np.where(self.worth, deviations, np.nan)

    def _shuffles(
        self, permutations: int, seed: int, anew: bool
    ) -> Iterator[tuple[Places, Floats]]:
        line = self.windows.line
        items = len(line.time)
        cells = items
        if anew:
            cells = max(items, (len(self.worth) + 2 * len(self.cuts.place)) * line.patterns)
        together = max(1, min(BLOCK, _HELD // cells))
        for block in range(-(-permutations // BLOCK)):
            draws = stream(seed, _PERMUTED, block)
            size = min(BLOCK, permutations - block * BLOCK)
            for start in range(0, size, together):
                rows = min(together, size - start)
                if self.tables:
                    drawn = np.stack([_table(draws, line) for _ in range(rows)])
                    yield np.tile(line.pattern, (rows, 1)), drawn
                    continue
                order = np.stack([draws.permutation(items) for _ in range(rows)])
                yield line.pattern[order], line.weight[order]

    def _of_batches(
        self, pattern: Places, weight: Floats, spare: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """The statistics of the batches' own figures."""
        line, at = self.windows.line, self.windows.at
        size, windows = line.patterns, len(at)
        window, cell, _ = self.windows.entries
        found = [
            totals(window * size + one[cell], held[cell], windows * size).reshape(windows, size)
            for one, held in zip(pattern, weight, strict=True)
        ]
        every = np.concatenate(found)
        rows = scaled(every, every, line.pairable)
        figures = self.local.at(rows)
        shape = (len(pattern), windows)
        estimate = np.where(self.worth, figures.estimate.reshape(shape), np.nan)
        error = held_errors(figures.error.reshape(shape), spare, np.isfinite(estimate))
        first = np.searchsorted(at, line.time[self.cuts.place])
        z = independent_statistics(estimate, error, at, first)
        slope = z.slope if self.trend else np.full(len(pattern), np.nan)
        return slope, z.step, z.deviation

    def _anew(self, pattern: Places, weight: Floats) -> tuple[Floats, Floats]:
        line, cuts = self.windows.line, len(self.cuts.place)
        size, windows = line.patterns, len(self.worth)
        segment = np.searchsorted(self.cuts.place, np.arange(len(line.time)), side="right")
        window, cell, kernel = self.windows.entries
        rows = []
        for one, held in zip(pattern, weight, strict=True):
            place = window * size + one[cell]
            first, second = (
                totals(place, kernel**power * held[cell], windows * size).reshape(windows, size)
                for power in (1, 2)
            )
            rows.append(scaled(first, second, line.pairable))
            rows.append(sides_of(segment, one, held, cuts, line.pairable))
        every = Rows(
            np.concatenate([row.weight for row in rows]),
            np.concatenate([row.square for row in rows]),
            np.concatenate([row.effective for row in rows]),
        )
        figures = self.local.at(every)
        shape = (len(pattern), windows + 2 * cuts)
        estimate, error = figures.estimate.reshape(shape), figures.error.reshape(shape)
        deviation = ratio(estimate[:, :windows] - self.overall, error[:, :windows])
        before, after = slice(windows, windows + cuts), slice(windows + cuts, windows + 2 * cuts)
        spread = np.sqrt(error[:, before] ** 2 + error[:, after] ** 2)
        step = ratio(estimate[:, after] - estimate[:, before], spread)
        return step, np.where(self.worth, deviation, np.nan)


def _table(draws: np.random.Generator, line: Line) -> Floats:
    """Numbers of items by time and pattern after a shuffle: the same totals, drawn time by time."""
    table = line.weight.reshape(-1, line.patterns).astype(np.int64)
    left, drawn = table.sum(axis=0), np.empty_like(table)
    for row, size in enumerate(table.sum(axis=1)):
        drawn[row] = draws.multivariate_hypergeometric(left, size, method="marginals")
        left -= drawn[row]
    return drawn.reshape(-1).astype(np.float64)


class PValues(NamedTuple):
    """Of each statistic, and of all three together."""

    slope: float
    step: float
    deviation: float
    together: float


def p_values(observed: tuple[float, float, float], null: Null) -> PValues:
    """Shares of permutations, the one at hand among them, that go as far or further.

    Together: the smallest of the three, against the smallest of the three in each permutation.
    """
    permutations = len(null.slope)
    if not permutations:
        return PValues(math.nan, math.nan, math.nan, math.nan)
    shares, found = [], []
    for one, drawn in zip(observed, null, strict=True):
        if math.isnan(one):
            found.append(math.nan)
            continue
        # undefined shuffles count against the finding; rounding must not decide between equals
        every = np.append(one, np.where(np.isnan(drawn), np.inf, drawn))
        every = np.where(np.isfinite(every), np.round(every, 9), every)
        ascending = np.sort(every)
        share = (len(every) - np.searchsorted(ascending, every, side="left")) / len(every)
        shares.append(share)
        found.append(float(share[0]))
    together = math.nan
    if shares:
        least = np.min(shares, axis=0)
        together = float(np.mean(least <= least[0] + 1e-12))
    return PValues(found[0], found[1], found[2], together)


def located(
    cuts: Cuts,
    best: int,
    sides: tuple[Floats, Floats],
    replicates: int,
    seed: int,
    confidence: float,
) -> tuple[int, int]:
    """The first and last cut that may be the change: items drawn anew on each side of it.

    ``sides`` are the pseudo-values (pattern,) before and after. In each replicate the scan finds
    its own cut; the interval reaches to both sides as far, in items, as that share of the
    replicates' cuts lie from the one found. ``cuts`` are of the items one by one.
    """
    line, middle = cuts.line, int(cuts.place[best])
    items = cuts.items_before
    together = max(1, min(BLOCK, _HELD // len(line.time)))
    found = []
    for block in range(-(-replicates // BLOCK)):
        draws = stream(seed, _LOCATED, block)
        size = min(BLOCK, replicates - block * BLOCK)
        for start in range(0, size, together):
            rows = [
                np.concatenate(
                    [
                        draws.integers(0, middle, middle),
                        draws.integers(middle, len(line.time), len(line.time) - middle),
                    ]
                )
                for _ in range(min(together, size - start))
            ]
            order = np.stack(rows)
            pattern = line.pattern[order]
            values = np.concatenate(
                [sides[0][pattern[:, :middle]], sides[1][pattern[:, middle:]]], axis=1
            )
            scan = np.abs(linear_steps(values, line.weight[order], cuts.place))
            found.append(np.argmax(np.nan_to_num(scan, nan=-1.0), axis=1))
    shift = items[np.concatenate(found)] - items[best]
    reach = float(np.quantile(np.abs(shift), confidence))
    low, high = items[best] - reach, items[best] + reach
    first = int(np.searchsorted(items, low + 1e-9, side="right")) - 1
    last = int(np.searchsorted(items, high - 1e-9, side="left"))
    return max(min(first, best), 0), min(max(last, best), len(items) - 1)


def _largest(values: Floats) -> Floats:
    """The largest in size of each row; NaN where there is none."""
    size = np.abs(values)
    held = np.where(np.isnan(size), -1.0, size)
    found = held.max(axis=-1, initial=-1.0)
    return np.where(found < 0, np.nan, found)
