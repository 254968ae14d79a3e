"""Several tests or intervals at once: what holds for all of them together.

Westfall, P. H. and Young, S. S. (1993). Resampling-Based Multiple Testing. Wiley. Romano, J. P. and
Wolf, M. (2005). Exact and approximate stepdown methods for multiple hypothesis testing. Journal of
the American Statistical Association 100(469). https://doi.org/10.1198/016214504000000539
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats
from iaa_jax.kernels.intervals import Ends
from iaa_jax.measure.spread import Bounds


def holm(p_values: Floats) -> Floats:
    """Holm's step-down adjustment: p-values that hold for all tests together."""
    known = np.flatnonzero(~np.isnan(p_values))
    order = known[np.argsort(p_values[known], kind="stable")]
    steps = p_values[order] * np.arange(len(order), 0, -1)
    adjusted = np.full(len(p_values), np.nan)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0) if len(order) else []
    return adjusted


class MaxT(NamedTuple):
    """Adjusted p-values, and how many standard errors a simultaneous interval reaches."""

    single_step: Floats
    step_down: Floats
    reach: float


def max_t(
    difference: Floats,
    error: Floats,
    replicates: Floats,
    confidence: float,
    *,
    two_sided: bool = True,
) -> MaxT:
    """Family-wise p-values and bands from joint replicates (replicate, hypothesis).

    With ``t = |d| / SE`` and ``t* = |d* - d| / SE``, of one-sided tests without the bars, the
    single-step p-value of a hypothesis is the share of replicates whose largest t* reaches its t;
    in the step-down, the largest among the hypotheses with no larger t, and p-values never fall
    along the way. The data count as one replicate more. Hypotheses without a standard error above 0
    take no part (NaN), nor do undefined replicates, of which some hypotheses may have one where
    others have none.
    """
    single_step, step_down = np.full((2, len(difference)), np.nan)
    usable = np.flatnonzero(np.isfinite(difference) & np.isfinite(error) & (error > 0))
    if not len(usable):
        return MaxT(single_step, step_down, np.nan)
    size = np.abs if two_sided else np.positive
    observed = size(difference[usable]) / error[usable]
    drawn = size(replicates[:, usable] - difference[usable]) / error[usable]
    drawn = drawn[~np.isnan(drawn).all(axis=1)]
    if not len(drawn):
        return MaxT(single_step, step_down, np.nan)
    drawn = np.where(np.isnan(drawn), -np.inf, drawn)
    order = np.argsort(observed, kind="stable")
    # the largest among the hypotheses up to each place, by growing t
    largest = np.maximum.accumulate(drawn[:, order], axis=1)
    tolerance = 1e-9 * np.maximum(observed, 1.0)  # rounding decides no tie
    stepwise = _share(largest >= (observed - tolerance)[order])
    step_down[usable[order]] = np.maximum.accumulate(stepwise[::-1])[::-1]
    single_step[usable] = _share(largest[:, -1:] >= observed - tolerance)
    return MaxT(single_step, step_down, float(np.quantile(largest[:, -1], confidence)))


def _share(reached: NDArray[np.bool_]) -> Floats:
    return np.asarray((1 + reached.sum(axis=0)) / (1 + len(reached)))


def band_factor(drawn: Floats, estimate: Floats, error: Floats, confidence: float) -> Floats:
    """How many standard errors intervals reach that hold at all points together.

    The quantile of each replicate's largest distance from the estimate over the points (the second
    axis of the replicates), in standard errors of the point.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = np.where(error > 0, 1 / error, 0.0)
    largest = np.zeros((len(drawn), *estimate.shape[1:]))
    for at in range(estimate.shape[0]):
        # an undefined replicate, or a point without spread, takes no part
        np.fmax(largest, np.abs(drawn[:, at] - estimate[at]) * scale[at], out=largest)
    lost = np.isnan(drawn).all(axis=1) | ~(scale > 0).any(axis=0)
    largest = np.where(lost, np.nan, largest)
    by_figure = largest.reshape(len(drawn), -1)
    known = ~np.isnan(by_figure).all(axis=0)
    reach = np.full(by_figure.shape[1], np.nan)
    reach[known] = np.nanquantile(by_figure[:, known], confidence, axis=0)
    return reach.reshape(estimate.shape[1:])


class SimultaneousBand(NamedTuple):
    """A band around figures, and where it was cut."""

    low: Floats
    high: Floats
    cut: NDArray[np.bool_]


def band_around(estimate: Floats, reach: Floats, bounds: Bounds, each: Ends) -> SimultaneousBand:
    """A band that reaches so far to both sides, cut at what the figures can be.

    It is never narrower than the interval of ``each`` figure alone.
    """
    low, high = estimate - reach, estimate + reach
    cut = (low < bounds.lowest) | (high > bounds.highest)
    low, high = np.maximum(low, bounds.lowest), np.minimum(high, bounds.highest)
    return SimultaneousBand(np.fmin(low, each.low), np.fmax(high, each.high), cut)
