"""Replicates and influences to standard errors and intervals.

The replicate axis is the first. Replicates that are NaN (undefined) are left out: the caller says
how many there were. DiCiccio, T. J. and Efron, B. (1996). Bootstrap confidence intervals.
Statistical Science 11(3). https://doi.org/10.1214/ss/1032280214
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]


class Interval(NamedTuple):
    """Both ends of an interval."""

    low: Floats
    high: Floats


def centred_influence(gradient: Floats, count: Floats) -> Floats:
    """``U_i = n (g_i - gbar)`` for one item of each pattern: (..., pattern)."""
    items = count.sum()
    mean = (gradient @ count) / items
    return items * (gradient - mean[..., None])


def infinitesimal_jackknife(gradient: Floats, count: Floats) -> Floats:
    """Standard error ``sqrt(n / (n - 1) sum c (g - gbar)^2)``; NaN for fewer than two items."""
    items = count.sum()
    if items <= 1:
        return np.full(gradient.shape[:-1], np.nan)
    influence = centred_influence(gradient, count)
    return np.sqrt((influence**2 @ count) / (items * (items - 1)))


def acceleration(gradient: Floats, count: Floats) -> Floats:
    """``a = sum c U^3 / (6 (sum c U^2)^1.5)``, 0 where nothing varies."""
    influence = centred_influence(gradient, count)
    spread = (influence**2 @ count) ** 1.5
    return np.where(spread > 0, (influence**3 @ count) / (6 * np.where(spread > 0, spread, 1)), 0.0)


def normal(estimate: Floats, standard_error: Floats, confidence: float) -> Interval:
    """Estimate plus and minus the normal quantile times the standard error; never cut at 1."""
    from scipy.special import ndtri

    reach = ndtri((1 + confidence) / 2) * standard_error
    return Interval(estimate - reach, estimate + reach)


def percentile(replicates: Floats, confidence: float) -> Interval:
    """The quantiles of the replicates."""
    tail = (1 - confidence) / 2
    shape = replicates.shape[1:]
    return Interval(
        _quantile(replicates, np.full(shape, tail)), _quantile(replicates, np.full(shape, 1 - tail))
    )


def basic(estimate: Floats, replicates: Floats, confidence: float) -> Interval:
    """The percentile interval turned round at the estimate."""
    low, high = percentile(replicates, confidence)
    return Interval(2 * estimate - high, 2 * estimate - low)


def bias_correction(estimate: Floats, replicates: Floats) -> Floats:
    """``z_0``: the normal quantile of the share of replicates below the estimate."""
    from scipy.special import ndtri

    defined = ~np.isnan(replicates)
    resolution = 64 * float(np.finfo(replicates.dtype).eps)
    count = np.maximum(defined.sum(axis=0), 1)
    # a tie counts half; rounding must not decide on which side an equal replicate falls
    near = resolution * np.maximum(np.abs(estimate), 1.0)
    below = np.where(defined, replicates < estimate - near, False).sum(axis=0)
    tied = np.where(defined, np.abs(replicates - estimate) <= near, False).sum(axis=0)
    # an estimate outside all replicates: half a replicate keeps the correction finite
    share = np.clip((below + tied / 2) / count, 0.5 / count, 1 - 0.5 / count)
    return np.asarray(ndtri(share))


def bca(estimate: Floats, replicates: Floats, skewness: Floats, confidence: float) -> Interval:
    """Bias-corrected and accelerated percentiles; ``skewness`` is the acceleration."""
    from scipy.special import ndtr, ndtri

    bias = bias_correction(estimate, replicates)
    ends = []
    for tail in ((1 - confidence) / 2, (1 + confidence) / 2):
        shifted = bias + ndtri(tail)
        left = 1 - skewness * shifted
        # past the pole of the acceleration the level has reached its end
        safe = np.where(left > 0, left, 1.0)
        level = np.where(left > 0, ndtr(bias + shifted / safe), np.where(shifted > 0, 1.0, 0.0))
        ends.append(_quantile(replicates, np.asarray(level)))
    return Interval(*ends)


def _quantile(replicates: Floats, level: Floats) -> Floats:
    """The quantile at a level of its own for each column, NaN replicates left out."""
    columns = replicates.reshape(len(replicates), -1)
    levels = np.broadcast_to(level, replicates.shape[1:]).reshape(-1)
    found = np.full(columns.shape[1], np.nan)
    for index, wanted in enumerate(levels):
        column = columns[:, index]
        column = column[~np.isnan(column)]
        if len(column) and not np.isnan(wanted):
            found[index] = np.quantile(column, wanted)
    return found.reshape(replicates.shape[1:])
