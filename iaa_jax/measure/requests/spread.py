"""How a figure varies between samples, and the interval that this makes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats
from iaa_jax.kernels import intervals
from iaa_jax.kernels.intervals import Ends
from iaa_jax.measure.options.interval import fewest_replicates
from iaa_jax.measure.options.resolved_interval import ResolvedInterval
from iaa_jax.measure.requests.floors import ROUNDING, without_rounding
from iaa_jax.wording import Note

_AT_BOUND = 1e-9
"""How near a bound is what rounding leaves of being there."""


class Bounds(NamedTuple):
    """The ends of a figure's range, as far as it can reach with such labels and ratings.

    Intervals on the range are made by ``lower`` and ``upper``, and all that keep to the range are
    cut at ``lower`` and ``highest``.
    """

    lower: float = -math.inf
    upper: float = 1.0
    highest: float = math.inf

    def scale_ends(self, estimate: Floats) -> tuple[float, float]:
        """The ends of a scale without bounds; none below a figure that is as low as can be."""
        as_low = np.ndim(estimate) == 0 and bool(estimate <= self.lower + _AT_BOUND)
        return -math.inf if as_low else self.lower, self.upper

    @property
    def length(self) -> float:
        """How long the range is, from -1 where it has no end below or a lower one."""
        return self.upper - max(self.lower, -1.0)


NO_BOUNDS = Bounds()
"""Those of a figure of which nothing is said, such as a difference."""

SHARE = Bounds(0.0, 1.0, 1.0)


def error_of(rows: Floats, axis: int = 0) -> Floats:
    """The standard deviation of replicates; NaN where fewer than two are defined."""
    known = ~np.isnan(rows)
    number = known.sum(axis=axis, keepdims=True)
    drawn = np.where(known, rows, 0.0)
    mean = drawn.sum(axis=axis, keepdims=True) / np.maximum(number, 1)
    squares = np.where(known, (drawn - mean) ** 2, 0.0).sum(axis=axis, keepdims=True)
    error = without_rounding(np.sqrt(squares / np.maximum(number - 1, 1)))
    return np.asarray(np.where(number > 1, error, np.nan).squeeze(axis))


class Unanimity(NamedTuple):
    """Units that all agree, and what one that does not would take from the figure at most.

    Of figures by label an array of units, NaN where some disagree.
    """

    units: Floats | float
    step: Floats | float


@dataclass(frozen=True)
class Spread:
    """What is known of how figures vary; arrays are scalars, or have one figure per label.

    Attributes
    ----------
    standard_error : array
        NaN where it cannot be told; 0 where it is what rounding leaves.
    degrees : float or array
        Of freedom: one less than the items, or clusters, that the figures stand on.
    skewness : array
        The acceleration of BCa.
    replicates, replicate_errors : array (replicate, ...), optional
        The figures on replicates, and the standard error of each.
    ends : Ends, optional
        An interval that was made by itself (ABC, F).
    unanimous : Unanimity, optional
        Where nothing disagrees: what the automatic interval takes its lower end from.
    zero_units : float or array
        Units that a share of 0 stands on: what the automatic interval takes its upper end from; NaN
        for what is not 0, or no share.
    influential_units : float or array
        How many items, or clusters, it stands on: few where some of them say far more than others.
    """

    standard_error: Floats
    degrees: Floats | float
    skewness: Floats
    replicates: Floats | None = None
    replicate_errors: Floats | None = None
    ends: Ends | None = None
    unanimous: Unanimity | None = None
    zero_units: Floats | float = math.nan
    influential_units: Floats | float = math.nan

    def __post_init__(self) -> None:
        object.__setattr__(self, "standard_error", without_rounding(self.standard_error))

    @classmethod
    def from_replicates(
        cls, replicates: Floats, error: Floats | None = None, degrees: Floats | float = math.nan
    ) -> Spread:
        """What replicates say alone; the standard error is their own unless one is given."""
        error = error_of(replicates) if error is None else error
        return cls(error, degrees, np.zeros_like(error), replicates)

    @property
    def unvaried(self) -> NDArray[np.bool_]:
        """Whether nothing varies, so that there is nothing to make an interval of."""
        return np.asarray(self.standard_error < ROUNDING)

    @property
    def undefined_replicates(self) -> NDArray[np.int64]:
        """How many replicates are undefined."""
        if self.replicates is None:
            return np.zeros(np.shape(self.standard_error), dtype=np.int64)
        return np.asarray(np.isnan(self.replicates).sum(axis=0))


def ends_of(
    estimate: Floats,
    spread: Spread,
    interval: ResolvedInterval,
    bounds: Bounds = NO_BOUNDS,
    confidence: float | None = None,
) -> Ends:
    """The interval of figures, or one at another level; NaN where it cannot be told."""
    confidence = interval.confidence if confidence is None else confidence
    ends = spread.ends or _ends_on_scale(estimate, spread, interval, confidence, bounds)
    if interval.cut:
        ends = Ends(np.maximum(ends.low, bounds.lower), np.minimum(ends.high, bounds.highest))
    if interval.over_annotators:
        with np.errstate(invalid="ignore"):
            still = ends.high - ends.low < ROUNDING
        ends = Ends(*(np.where(still, np.nan, end) for end in ends))
    if not interval.bounded:
        return ends
    return _bounded(ends, estimate, spread, confidence, bounds)


def _bounded(
    ends: Ends, estimate: Floats, spread: Spread, confidence: float, bounds: Bounds
) -> Ends:
    """The same with the ends that no replicate can show, from the binomial distribution."""
    if spread.unanimous is not None:
        low = np.maximum(unanimous_lower_end(spread.unanimous, confidence), bounds.lower)
        known = ~np.isnan(low)
        ends = Ends(np.where(known, low, ends.low), np.where(known, estimate, ends.high))
    high = most_unseen(spread.zero_units, confidence)
    known = ~np.isnan(high)
    return Ends(np.where(known, estimate, ends.low), np.where(known, high, ends.high))


def _ends_on_scale(
    estimate: Floats,
    spread: Spread,
    interval: ResolvedInterval,
    confidence: float,
    bounds: Bounds,
) -> Ends:
    """On the figure's own scale, or on one without bounds."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        if not interval.on_unbounded_scale:
            return _ends(estimate, spread, interval.method, confidence)
        scale = bounds.scale_ends(estimate)
        low, high = _ends(
            intervals.to_line(estimate, *scale),
            _on_line(estimate, spread, scale),
            interval.method,
            confidence,
        )
        ends = (intervals.from_line(end, *scale) for end in (low, high))
        # at a bound nothing varies: as on the figure's own scale, there is no width
        still = spread.standard_error == 0
        return Ends(*(np.where(still, estimate, end) for end in ends))


def unanimous_lower_end(unanimous: Unanimity, confidence: float) -> Floats:
    """The lower end where no unit shows any disagreement, from the binomial distribution.

    With n units that all agree, the share that would agree is above ``(alpha / 2)^(1 / n)``
    (Clopper and Pearson 1934): that is exact. Units that do not agree take at most ``step = D_max /
    D_e`` times their share from the figure, so that the end is ``1 - step (1 - (alpha / 2)^(1 /
    n))``: with D_e as it is in the sample, which is no bound.
    """
    return np.asarray(1 - unanimous.step * most_unseen(unanimous.units, confidence))


def most_unseen(units: Floats | float, confidence: float) -> Floats:
    """The largest share of units that can be of a kind which so many of them do not show.

    ``1 - (alpha / 2)^(1 / n)`` (Clopper and Pearson 1934).
    """
    return np.asarray(-np.expm1(np.log((1 - confidence) / 2) / units))


def _ends(estimate: Floats, spread: Spread, method: str, confidence: float) -> Ends:
    error, replicates = spread.standard_error, spread.replicates
    if method == "normal":
        return intervals.normal(estimate, error, confidence)
    if method == "t":
        return intervals.student_t(estimate, error, spread.degrees, confidence)
    if replicates is None:
        nothing = np.full(np.shape(estimate), np.nan)
        return Ends(nothing, nothing)
    enough = _defined(replicates) >= fewest_replicates((1 - confidence) / 2)
    ends = _ends_of_replicates(estimate, replicates, spread, method, confidence)
    return Ends(*(np.where(enough, end, np.nan) for end in ends))


def _ends_of_replicates(
    estimate: Floats, replicates: Floats, spread: Spread, method: str, confidence: float
) -> Ends:
    if method == "percentile":
        return intervals.percentile(replicates, confidence)
    if method == "empirical_bayes":
        # a figure as low or as high as can be lies at the end of all draws
        low, high = intervals.percentile(replicates, confidence)
        return Ends(np.minimum(low, estimate), np.maximum(high, estimate))
    if method == "basic":
        return _finite(intervals.basic(estimate, replicates, confidence))
    if method == "studentized" and spread.replicate_errors is not None:
        return _finite(
            intervals.studentized(
                estimate, spread.standard_error, replicates, spread.replicate_errors, confidence
            )
        )
    return intervals.bca(estimate, replicates, spread.skewness, confidence)


def few_defined_note(
    replicates: Floats | None, confidence: float, figures: NDArray[np.bool_] | bool = True
) -> Note | None:
    """Where too few replicates of a figure are defined to make an interval of them."""
    if replicates is None:
        return None
    least = fewest_replicates((1 - confidence) / 2)
    counts = _defined(replicates)[np.broadcast_to(figures, replicates.shape[1:])]
    if not (counts < least).any():
        return None
    values: dict[str, float] = {"defined": int(counts.min()), "replicates": len(replicates)}
    values |= {"confidence": confidence, "needed": least}
    return Note("few_replicates_defined", values, "caution")


def _defined(replicates: Floats) -> NDArray[np.int64]:
    return np.asarray((~np.isnan(replicates)).sum(axis=0))


def _finite(ends: Ends) -> Ends:
    """No interval where replicates infinitely far away would be an end of it."""
    lost = np.isinf(ends.low) | np.isinf(ends.high)
    return Ends(*(np.where(lost, np.nan, end) for end in ends))


def _on_line(estimate: Floats, spread: Spread, bounds: tuple[float, float]) -> Spread:
    """The same on the scale without bounds, by the delta method."""
    replicates, errors = spread.replicates, spread.replicate_errors
    if replicates is not None:
        if errors is not None:
            # a replicate at a bound has no spread there: it is infinitely far, not undefined
            slopes = intervals.line_slope(replicates, *bounds)
            errors = np.where(errors == 0, 0.0, errors * slopes)
        replicates = intervals.to_line(replicates, *bounds)
    slope = intervals.line_slope(estimate, *bounds)
    return replace(
        spread,
        standard_error=spread.standard_error * slope,
        replicates=replicates,
        replicate_errors=errors,
    )
