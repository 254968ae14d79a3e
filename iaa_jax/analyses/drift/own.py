"""Own figures of batches, or of stretches of items: a trend, a step, and one that differs.

Each figure comes from its own items, with the label frequencies that they have, and has its own
standard error. "The figures are equal" may hold while labels become rarer; then figures of items
thrown together (both sides of a cut, or all) differ from those of the parts, and shuffled times
test another hypothesis. What is compared here are means of own figures, weighted by 1 / SE^2, with
errors of Student's form: their joint distribution under equal figures is drawn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import ndtri, stdtr

from iaa_jax._types import Floats
from iaa_jax.analyses.drift.contrasts import (
    Contrasts,
    PValues,
    contrasts,
    errors_of,
    has_no_spread,
    in_standard_errors,
    largest_index,
    largest_sizes,
    p_values,
    precision,
    sums_before,
    with_errors,
)
from iaa_jax.analyses.drift.course import Course
from iaa_jax.analyses.drift.line import Indices, Line, blocks_of
from iaa_jax.analyses.drift.local import Figures
from iaa_jax.analyses.drift.windows import Windows, WindowWeights, totals
from iaa_jax.engine.drawing import stream
from iaa_jax.wording import Note

STRETCH_ITEMS, MOST_STRETCHES = 100, 12
"""Without batches own figures are those of stretches of items: so large, and so many at most."""

LEAST_DEGREES = 25.0
"""Fewer and larger stretches, where the errors of some are known less well than this."""

DRAWS = 9_999
"""Draws from the joint distribution behind a p-value of the largest of several."""

NAMED = 3
"""Batches that are named where nothing varies in them."""

_DRAWN = 1004  # the stream of these draws


@dataclass(frozen=True)
class OwnFigures:
    """Own figures of batches, or stretches of items, and their contrasts."""

    estimate: Floats  # (batch,)
    error: Floats
    degrees: Floats  # how well each error is known
    time: Floats
    starts: Floats  # the first time of each
    first: Indices  # the first batch after each cut
    trend: bool  # whether times are in an order that has a meaning

    @cached_property
    def weight(self) -> Floats:
        """The precision of each figure."""
        return precision(self.estimate, self.error)

    @property
    def figures(self) -> int:
        """How many figures there are."""
        return int((self.weight > 0).sum())

    def means(self) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """Weighted means before and after each cut, and their standard errors."""
        weight = self.weight
        values = np.where(weight > 0, self.estimate, 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            before, above = (
                sums_before(weight, self.first),
                sums_before(weight * values, self.first),
            )
            after, below = weight.sum() - before, (weight * values).sum() - above
            return (above / before, below / after), (1 / np.sqrt(before), 1 / np.sqrt(after))

    @cached_property
    def compared(self) -> Contrasts:
        """What is compared; no trend for two figures."""
        return self._with_trend(contrasts(self.estimate, self.weight, self.time, self.first))

    @cached_property
    def errors(self) -> Contrasts:
        """The standard errors of the contrasts."""
        return self._with_trend(errors_of(self.weight, self.time, self.first))

    @property
    def z(self) -> Contrasts:
        """The contrasts in standard errors."""
        return in_standard_errors(self.compared, self.errors)

    def _with_trend(self, values: Contrasts) -> Contrasts:
        if self.trend and self.figures >= 3:
            return values
        return values._replace(slope=np.asarray(np.nan))

    def p_values(self, seed: int) -> PValues:
        """Under equal figures: of each statistic the largest, and of all three together."""
        if self.figures < 2:
            return PValues(*[math.nan] * 4)
        observed = largest_sizes(self.z)
        known = self.weight > 0
        error, degrees = np.where(known, self.error, np.nan), np.where(known, self.degrees, 1.0)
        if self.figures == 2:
            squares = error[known] ** 2
            welch = squares.sum() ** 2 / (squares**2 / degrees[known]).sum()
            only = 2 * float(stdtr(welch, -observed.deviation))
            return PValues(math.nan, math.nan if np.isnan(observed.step) else only, only, only)
        draws = stream(seed, _DRAWN, 0)
        noise = draws.standard_normal((DRAWS, len(known)))
        noise *= np.sqrt(degrees / draws.chisquare(degrees, noise.shape))
        drawn = contrasts(noise * error, self.weight, self.time, self.first)
        return p_values(observed, largest_sizes(in_standard_errors(drawn, self.errors)))


def own_figures(course: Course) -> tuple[OwnFigures, list[Note]]:
    """The figures of batches, or of stretches of items, and what is to be known of them."""
    line, time, starts = course.line, course.windows.at, course.windows.at
    rows, figures = course.windows.rows, course.figures
    if not course.batches:
        windows, figures = _stretches(course)
        rows, block = windows.rows, windows.line.time.astype(np.intp)
        size = len(windows.at)
        weight = np.maximum(totals(block, line.weight, size), 1e-300)
        time = totals(block, line.weight * line.time, size) / weight
        starts = line.time[np.flatnonzero(np.diff(block, prepend=-1) > 0)]
        figures = figures._replace(estimate=np.where(rows.few, np.nan, figures.estimate))
    known = np.isfinite(figures.estimate)
    error = with_errors(figures.error, course.error_for(rows.effective), known)
    own = OwnFigures(
        figures.estimate,
        error,
        degrees_of(rows, figures),
        time,
        starts,
        np.searchsorted(time, line.time[course.cuts.starts]),
        course.times.in_order,
    )
    without_spread = known & has_no_spread(figures.error) & ~has_no_spread(error)
    if not (course.batches and without_spread.any()):
        return own, []
    times = course.times
    names = [times.note_of(at) for at in times.coordinate_of(time[without_spread])]
    more = Note("further_batches", {"count": len(names) - NAMED}) if len(names) > NAMED else ""
    return own, [Note("nothing_varies_in", {"names": names[:NAMED], "more": more})]


def _stretches(course: Course) -> tuple[Windows, Figures]:
    """Stretches of items one after the other: as many as have errors that are known well."""
    line = course.line
    most = int(np.clip(line.of_pairs.sum() // STRETCH_ITEMS, 3, MOST_STRETCHES))
    for stretches in (most, *(size for size in (8, 6, 4, 3) if size < most)):
        block = blocks_of(line.time, line.of_pairs, course.times, stretches)
        by_block = Line(block.astype(np.float64), line.pattern, line.weight, line.pairable)
        windows = Windows(by_block, np.arange(block.max() + 1.0), None)
        figures = course.local.at(windows.rows, keep=True)
        if np.nanmin(degrees_of(windows.rows, figures)) >= LEAST_DEGREES:
            break
    return windows, figures


def degrees_of(rows: WindowWeights, figures: Figures) -> Floats:
    """How well a standard error is known, from the fourth moment of the influences.

    ``2 m2^2 / (m4 - m2^2) (n - 1)``: n - 1 where influences are normal, and few where a rare label
    makes some items count far more than others (Satterthwaite's rule on the influences).
    """
    weight, centred = rows.weight, np.nan_to_num(figures.centred)
    total = np.maximum(weight.sum(axis=1), 2.0)
    second = (weight * centred**2).sum(axis=1) / total
    fourth = (weight * centred**4).sum(axis=1) / total
    rest = fourth - second**2
    known = (rest > 1e-9 * second**2) & (second > 0)
    share = np.where(known, 2 * second**2 / np.where(known, rest, 1.0), 1.0)
    return np.asarray(np.clip(share, 0.0, 1.0) * (total - 1))


def trend_of(course: Course, own: OwnFigures) -> dict[str, object]:
    """The trend per unit of time, and over the whole time, with normal intervals."""
    slope, error = float(own.compared.slope), float(own.errors.slope)
    if np.isnan(course.overall):
        slope = error = np.nan
    span = float(course.line.time[-1] - course.line.time[0])
    return figure("slope", slope, error, course) | figure(
        "period_change", slope, error, course, span
    )


def figure(
    name: str, value: float, error: float, course: Course, scale: float = 1.0
) -> dict[str, object]:
    """A figure with its standard error and a normal interval; NaN where none is wanted."""
    options = course.options
    reach = np.nan if options.interval is None else float(ndtri((1 + options.confidence) / 2))
    return {
        name: ((), value * scale),
        f"{name}_standard_error": ((), error * scale),
        f"{name}_ci_low": ((), (value - reach * error) * scale),
        f"{name}_ci_high": ((), (value + reach * error) * scale),
    }


def deviation_of(course: Course, own: OwnFigures) -> dict[str, object]:
    """The batch or stretch furthest from the others, by their weighted mean."""
    z = own.z.deviation
    index = largest_index(z)
    at, figures = np.nan, [np.nan] * 4
    if index >= 0:
        at = own.starts[index]
        estimate, deviation = float(own.estimate[index]), float(own.compared.deviation[index])
        figures = [
            float(z[index]),
            estimate,
            estimate - deviation,
            float(own.errors.deviation[index]),
        ]
    names = ("z", "estimate", "others", "standard_error")
    where = course.times.coordinate_of(np.array([at]))[0]
    return {
        "deviation_at": ((), where),
        **{f"deviation_{name}": ((), value) for name, value in zip(names, figures, strict=True)},
    }
