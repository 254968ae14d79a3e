"""The variation of a figure between samples, and the interval that it implies.

A figure is an estimate, such as a coefficient, a coefficient for one label, or a share of items.
"""

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
"""Maximum distance from a bound at which a figure counts as being at the bound."""


class Bounds(NamedTuple):
    """The range of possible values of a figure, given the labels and the numbers of ratings.

    The transform to an unbounded scale uses ``lower`` and ``upper``. Intervals that must stay
    within the range are cut at ``lower`` and ``highest``.
    """

    lower: float = -math.inf
    upper: float = 1.0
    highest: float = math.inf

    def scale_ends(self, estimate: Floats) -> tuple[float, float]:
        """Return the bounds of the transform; the lower is -inf for one figure at its minimum."""
        at_minimum = np.ndim(estimate) == 0 and bool(estimate <= self.lower + _AT_BOUND)
        return -math.inf if at_minimum else self.lower, self.upper

    @property
    def length(self) -> float:
        """The length of the range; a lower bound below -1 counts as -1."""
        return self.upper - max(self.lower, -1.0)


NO_BOUNDS = Bounds()
"""Bounds that cut nothing, for example for differences."""

SHARE = Bounds(0.0, 1.0, 1.0)


def error_of(rows: Floats, axis: int = 0) -> Floats:
    """Return the standard deviation of replicates; NaN with fewer than two defined ones."""
    known = ~np.isnan(rows)
    number = known.sum(axis=axis, keepdims=True)
    drawn = np.where(known, rows, 0.0)
    mean = drawn.sum(axis=axis, keepdims=True) / np.maximum(number, 1)
    squares = np.where(known, (drawn - mean) ** 2, 0.0).sum(axis=axis, keepdims=True)
    error = without_rounding(np.sqrt(squares / np.maximum(number - 1, 1)))
    return np.asarray(np.where(number > 1, error, np.nan).squeeze(axis))


class Unanimity(NamedTuple):
    """The number of ``units`` (items or clusters), if all agree, and the effect of disagreement.

    Units that disagree subtract at most ``step`` times their share of all units from the figure.
    For figures by label, ``units`` is an array, with NaN where some units disagree.
    """

    units: Floats | float
    step: Floats | float


@dataclass(frozen=True)
class Spread:
    """The variation of one estimate, or of an estimate for each label.

    Attributes
    ----------
    standard_error : array
        NaN where unknown; 0 where it is only rounding error.
    degrees : float or array
        Degrees of freedom: usually one less than the number of items or clusters.
    skewness : array
        The acceleration of BCa.
    replicates, replicate_errors : array (replicate, ...), optional
        The figures in each replicate, and their standard errors.
    ends : Ends, optional
        The interval, if its method computes it directly (ABC, likelihood, kurtosis t, formulas).
    unanimous : Unanimity, optional
        The numbers that give the lower end of an automatic interval if all units agree.
    zero_units : float or array
        The number of units, if the figure is a share and is 0; it gives the upper end of an
        automatic interval. NaN for other figures.
    influential_units : float or array
        The effective number of items or clusters, which is small if a few of them have most of the
        influence.
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
        """Return the spread of replicates; ``error`` is by default their standard deviation."""
        error = error_of(replicates) if error is None else error
        return cls(error, degrees, np.zeros_like(error), replicates)

    @property
    def unvaried(self) -> NDArray[np.bool_]:
        """A mask of the figures that do not vary."""
        return np.asarray(self.standard_error < ROUNDING)

    @property
    def undefined_replicates(self) -> NDArray[np.int64]:
        """The number of undefined replicates."""
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
    """Return the interval of figures, with NaN for figures without an interval.

    By default, ``confidence`` is the confidence level of ``interval``.
    """
    confidence = interval.confidence if confidence is None else confidence
    ends = spread.ends or _ends_on_scale(estimate, spread, interval, confidence, bounds)
    if interval.cut:
        ends = Ends(np.maximum(ends.low, bounds.lower), np.minimum(ends.high, bounds.highest))
    if interval.over_annotators:
        with np.errstate(invalid="ignore"):
            unvaried = ends.high - ends.low < ROUNDING
        ends = Ends(*(np.where(unvaried, np.nan, end) for end in ends))
    if not interval.bounded:
        return ends
    return _bounded(ends, estimate, spread, confidence, bounds)


def _bounded(
    ends: Ends, estimate: Floats, spread: Spread, confidence: float, bounds: Bounds
) -> Ends:
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
        # a figure without spread gets an interval without width, also at a bound (infinite here)
        unvaried = spread.standard_error == 0
        return Ends(*(np.where(unvaried, estimate, end) for end in ends))


def unanimous_lower_end(unanimous: Unanimity, confidence: float) -> Floats:
    """Return the lower end if no unit disagrees, from the binomial distribution.

    `most_unseen` limits the share u of disagreeing units in the population. Units that disagree
    subtract at most ``step = D_max / D_e`` (the largest disagreement over the expected one) times u
    from the figure, so that the lower end is ``1 - step u``. It is not exact, because D_e comes
    from the sample.
    """
    return np.asarray(1 - unanimous.step * most_unseen(unanimous.units, confidence))


def most_unseen(units: Floats | float, confidence: float) -> Floats:
    """Return the upper limit for the population share of a property that none of n ``units`` has.

    It is ``1 - (alpha / 2)^(1 / n)``, where alpha is 1 minus ``confidence`` (Clopper and Pearson
    1934).
    """
    return np.asarray(-np.expm1(np.log((1 - confidence) / 2) / units))


def _ends(estimate: Floats, spread: Spread, method: str, confidence: float) -> Ends:
    error, replicates = spread.standard_error, spread.replicates
    if method == "normal":
        return intervals.normal(estimate, error, confidence)
    if method == "t":
        return intervals.student_t(estimate, error, spread.degrees, confidence)
    if replicates is None:
        undefined = np.full(np.shape(estimate), np.nan)
        return Ends(undefined, undefined)
    enough = _defined(replicates) >= fewest_replicates((1 - confidence) / 2)
    ends = _ends_of_replicates(estimate, replicates, spread, method, confidence)
    return Ends(*(np.where(enough, end, np.nan) for end in ends))


def _ends_of_replicates(
    estimate: Floats, replicates: Floats, spread: Spread, method: str, confidence: float
) -> Ends:
    if method == "percentile":
        return intervals.percentile(replicates, confidence)
    if method == "empirical_bayes":
        # all draws may lie on one side of a figure at a bound
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
    """Return a note if too few replicates of a figure are defined for an interval."""
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
    lost = np.isinf(ends.low) | np.isinf(ends.high)
    return Ends(*(np.where(lost, np.nan, end) for end in ends))


def _on_line(estimate: Floats, spread: Spread, bounds: tuple[float, float]) -> Spread:
    """Transform a spread to the unbounded scale, with standard errors by the delta method."""
    replicates, errors = spread.replicates, spread.replicate_errors
    if replicates is not None:
        if errors is not None:
            # a replicate at a bound is infinitely far away on this scale, not undefined
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
