"""Cuts of the items in two, before and after, and the steps between the sides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from iaa_jax.analyses.drift.line import Line, Places
from iaa_jax.analyses.drift.windows import Figures, Rows, totals
from iaa_jax.engine.problem import Floats

MOST_CUTS = 200
"""Cuts that are tried; where there are more, these, evenly over the items."""

LEAST_SIDE, LEAST_SHARE = 20.0, 0.05
"""Items with two ratings on each side of a cut: so many, and that share of all."""


@dataclass(frozen=True)
class Cuts:
    """Where the items are cut in two: before, and from this item on."""

    line: Line

    @cached_property
    def place(self) -> Places:
        """The first cell after each cut."""
        line = self.line
        upto = np.cumsum(line.of_pairs)
        starts = np.flatnonzero(np.diff(line.time) > 0) + 1
        before = upto[starts - 1]
        least = max(LEAST_SIDE, LEAST_SHARE * upto[-1])
        rounding = 1e-9 * upto[-1]
        fit = (before >= least - rounding) & (upto[-1] - before >= least - rounding)
        starts, before = starts[fit], before[fit]
        if len(starts) > MOST_CUTS:
            wanted = np.linspace(before[0], before[-1], MOST_CUTS)
            starts = starts[np.unique(np.searchsorted(before, wanted - rounding))]
        return starts

    @property
    def items_before(self) -> Floats:
        """The items before each cut."""
        return np.cumsum(self.line.weight)[self.place - 1]

    def sides(self) -> Rows:
        """Weight rows of the sides: all befores, then all afters."""
        line, place = self.line, self.place
        segment = np.searchsorted(place, np.arange(len(line.time)), side="right")
        return sides_of(segment, line.pattern, line.weight, len(place), line.pairable)


def sides_of(
    segment: Places, pattern: Places, weight: Floats, cuts: int, pairable: NDArray[np.bool_]
) -> Rows:
    """Rows of 0 and 1 times the items, from the segment between cuts that each is in."""
    size = len(pairable)
    found = totals(segment * size + pattern, weight, (cuts + 1) * size).reshape(-1, size)
    upto = np.cumsum(found, axis=0)
    rows = np.concatenate([upto[:-1], np.cumsum(found[::-1], axis=0)[::-1][1:]])
    return Rows(rows, rows, rows[:, pairable].sum(axis=1))


def steps(figures: Figures) -> tuple[Floats, Floats, Floats]:
    """After less before at each cut, its standard error, and their ratio."""
    before, after = np.split(figures.estimate, 2)
    errors = np.split(figures.error, 2)
    error = np.sqrt(errors[0] ** 2 + errors[1] ** 2)
    return after - before, error, ratio(after - before, error)


def no_step(sides: Figures | None) -> str:
    """Why no cut has a step in standard errors."""
    if sides is None:
        return (
            "no step was looked for: a cut needs 20 items with two ratings, and 5 % of them, "
            "on each side"
        )
    known = ~np.isnan(sides.error).reshape(2, -1).sum(axis=0).astype(bool)
    cuts = len(known)
    reasons = [
        said
        for said, holds in (
            ("nothing varies on either side", known.any()),
            ("the coefficient is undefined on a side", not known.all()),
        )
        if holds
    ]
    where = "the only cut" if cuts == 1 else f"each of the {cuts} cuts"
    return f"no step can be told from chance: at {where} {' or '.join(reasons)}"


def ratio(figure: Floats, error: Floats) -> Floats:
    """A figure in standard errors; NaN where nothing varies."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(error > 1e-12, figure / np.where(error > 1e-12, error, 1.0), np.nan)


def largest(values: Floats) -> int:
    """The place of the largest in size, -1 where there is none."""
    size = np.where(np.isnan(values), -1.0, np.abs(values))
    return int(np.argmax(size)) if len(size) and size.max() >= 0 else -1
