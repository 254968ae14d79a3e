"""Cuts in time, which divide the items into two sides, and how far the sides differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats
from iaa_jax.analyses.drift.contrasts import NO_ERROR, ratio
from iaa_jax.analyses.drift.timeline import Indices, Timeline
from iaa_jax.analyses.drift.windows import Figures, WindowWeights, totals

MOST_CUTS = 200
"""Maximum number of cuts, which are evenly spaced over the items if more are possible."""

LEAST_SIDE, LEAST_SHARE = 20.0, 0.05
"""Minimum number, and share, of items with two ratings on each side of a cut."""


@dataclass(frozen=True)
class Cuts:
    """Possible cuts in time, which divide the items into those before and those after."""

    timeline: Timeline

    @cached_property
    def starts(self) -> Indices:
        """First cell (one item, or equal items) after each cut."""
        timeline = self.timeline
        cumulative = np.cumsum(timeline.pairable_weight)
        starts = np.flatnonzero(np.diff(timeline.time) > 0) + 1
        before = cumulative[starts - 1]
        least = max(LEAST_SIDE, LEAST_SHARE * cumulative[-1])
        rounding = 1e-9 * cumulative[-1]
        fit = (before >= least - rounding) & (cumulative[-1] - before >= least - rounding)
        starts, before = starts[fit], before[fit]
        if len(starts) > MOST_CUTS:
            wanted = np.linspace(before[0], before[-1], MOST_CUTS)
            starts = starts[np.unique(np.searchsorted(before, wanted - rounding))]
        return np.asarray(starts)

    @property
    def items_before(self) -> Floats:
        """Number of items before each cut."""
        return np.cumsum(self.timeline.weight)[self.starts - 1]

    def cell_weights(self) -> Iterator[Floats]:
        """Yield the weights (cell,) of each side, in the order of `sides`."""
        cell = np.arange(len(self.timeline.time))
        for start in self.starts:
            yield np.where(cell < start, self.timeline.weight, 0.0)
        for start in self.starts:
            yield np.where(cell >= start, self.timeline.weight, 0.0)

    def sides(self) -> WindowWeights:
        """Return the weights (side, pattern): before each cut, then after each cut."""
        timeline, starts = self.timeline, self.starts
        segment = np.searchsorted(starts, np.arange(len(timeline.time)), side="right")
        return side_rows(segment, timeline.pattern, timeline.weight, len(starts), timeline.pairable)


def side_rows(
    segment: Indices, pattern: Indices, weight: Floats, cuts: int, pairable: NDArray[np.bool_]
) -> WindowWeights:
    """Return the weights of `Cuts.sides`; ``segment`` is the number of cuts before each cell."""
    size = len(pairable)
    parts = totals(segment * size + pattern, weight, (cuts + 1) * size).reshape(-1, size)
    cumulative = np.cumsum(parts, axis=0)
    rows = np.concatenate([cumulative[:-1], np.cumsum(parts[::-1], axis=0)[::-1][1:]])
    return WindowWeights(rows, rows, rows[:, pairable].sum(axis=1))


class Differences(NamedTuple):
    """Differences (after less before) at each cut, standard errors, and z."""

    difference: Floats
    error: Floats
    z: Floats


def differences(sides: Figures, least: float = NO_ERROR) -> Differences:
    """Return the differences, given estimates before each cut, then after each cut."""
    before, after = np.split(sides.missing, 2)
    error_before, error_after = np.split(sides.error, 2)
    error = np.sqrt(error_before**2 + error_after**2)
    return Differences(after - before, error, ratio(after - before, error, least))


def linear_steps(values: Floats, weight: Floats, cuts: Indices, least: float = NO_ERROR) -> Floats:
    """Return the step (row, cut) of the mean of pseudo-values (row, item), in standard errors."""
    starts = np.append(0, cuts)

    def sums_to(summand: Floats) -> Floats:
        return np.cumsum(np.add.reduceat(summand, starts, axis=-1), axis=-1)

    sums = [sums_to(weight), sums_to(weight * values), sums_to(weight * values**2)]
    means, errors = [], []
    for after in (False, True):
        n, a, b = (
            sums_so_far[..., -1:] - sums_so_far[..., :-1] if after else sums_so_far[..., :-1]
            for sums_so_far in sums
        )
        mean = a / n
        means.append(mean)
        errors.append(np.maximum(b / n - mean**2, 0.0) / np.maximum(n - 1, 1))
    return ratio(means[1] - means[0], np.sqrt(errors[0] + errors[1]), least)
