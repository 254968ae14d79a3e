"""Standard errors and intervals from replicates and influences.

Except `student_t`, `size_degrees` and `items_to_reach`, the functions run on any array library and
under JAX transformations. The replicate axis is the first. Undefined replicates (NaN) are left out.

A pattern is the ratings of an item, which several items may share. Influences are computed from a
gradient g (..., pattern), the derivative of the estimate with respect to the weight of one item of
each pattern, and from the number c (pattern,) of items with the pattern. In the formulas n is the
sum of c, and gbar the mean of g over all items.

References
----------
Efron, B. (1987). Better bootstrap confidence intervals. Journal of the American Statistical
Association 82(397). https://doi.org/10.1080/01621459.1987.10478410
DiCiccio, T. J. and Efron, B. (1996). Bootstrap confidence intervals. Statistical Science 11(3).
https://doi.org/10.1214/ss/1032280214
"""

from __future__ import annotations

import math
from typing import NamedTuple

from iaa_jax.kernels.namespace import Array, divided, like, namespace, special

FEWEST_DEGREES = 3.0
"""Minimum degrees of freedom, because Student's t has a variance only with more than two."""


class Ends(NamedTuple):
    """Both ends of an interval."""

    low: Array
    high: Array


def centred_influence(gradient: Array, count: Array) -> Array:
    """Return the influence ``U_i = n (g_i - gbar)`` of one item of each pattern (..., pattern)."""
    xp = namespace(gradient, count)
    items = xp.sum(count)
    mean = (gradient @ count) / items
    return items * (gradient - mean[..., None])


def infinitesimal_jackknife(gradient: Array, count: Array) -> Array:
    """Return the standard error ``sqrt(n / (n - 1) sum c (g - gbar)^2)``; NaN if n is 1 or less."""
    xp = namespace(gradient, count)
    items = xp.sum(count)
    enough = items > 1
    freedom = xp.where(enough, items - 1, xp.ones_like(items))
    influence = centred_influence(gradient, count)
    error = xp.sqrt((influence**2 @ count) / (items * freedom))
    return xp.where(enough, error, xp.full_like(error, math.nan))


def acceleration(gradient: Array, count: Array) -> Array:
    """Return ``a = sum c U^3 / (6 (sum c U^2)^1.5)``, or 0 if nothing varies."""
    xp = namespace(gradient, count)
    influence = centred_influence(gradient, count)
    spread = (influence**2 @ count) ** 1.5
    return divided(xp, influence**3 @ count, 6 * spread)


def influential_items(gradient: Array, count: Array) -> Array:
    """Return the effective number of units, ``(sum c U^2)^2 / sum c U^4``; 0 if nothing varies.

    It is the number of units (items or clusters) divided by the kurtosis of their influences.
    """
    return _effective_number(centred_influence(gradient, count) ** 2, count)


def _effective_number(squared: Array, count: Array) -> Array:
    """Return ``(sum c s)^2 / sum c s^2`` over units (..., unit); 0 if all s are 0."""
    xp = namespace(squared, count)
    # relative to the largest s, so that squares do not underflow
    largest = xp.max(xp.where(count > 0, squared, xp.zeros_like(squared)), axis=-1)
    share = divided(xp, squared, largest[..., None])
    return divided(xp, (share @ count) ** 2, share**2 @ count)


def jackknife(left_out: Array, count: Array) -> Array:
    """Return ``sqrt((m - 1) / m sum c (t - tbar)^2)``, from estimates t that leave out one unit.

    Units with the same ratings are of one kind. ``left_out`` (kind, ...) has the estimate without
    one unit of each kind, and ``count`` (kind,) the number of units of the kind; m is the number of
    all units. The result is NaN if one of these estimates is undefined, or with fewer than two
    units.
    """
    xp = namespace(left_out, count)
    units = xp.sum(count)
    enough = units > 1
    weight = xp.reshape(count, (-1, *(1 for _ in left_out.shape[1:])))
    mean = xp.sum(weight * left_out, axis=0) / units
    error = xp.sqrt((units - 1) / units * xp.sum(weight * (left_out - mean) ** 2, axis=0))
    return xp.where(enough, error, xp.full_like(error, math.nan))


def kurtosis_degrees(deviation: Array, count: Array, *, largest: bool = True) -> Array:
    """Return the degrees of freedom of a sum of squares, ``2 n / (b - 1)``, from 3 to n - 1.

    ``deviation`` d (unit, ...) is the contribution of each of n units, with mean 0, and ``b = mean
    d^4 / (mean d^2)^2`` is their kurtosis. The variance of ``mean d^2`` is ``(b - 1) / n`` times
    the square of its expectation; for chi-squared divided by its degrees of freedom nu, this factor
    is ``2 / nu`` (Satterthwaite 1946, https://doi.org/10.2307/3002019). The kurtosis of n values
    cannot exceed n, however large the kurtosis of their distribution is. With ``largest=False``,
    for deviations without a largest possible value, b is therefore replaced by ``b (n - 1) / (n -
    b)``. The degrees are at least three (or n - 1 if this is less), because Student's t with fewer
    has no variance. In simulations, intervals with three degrees covered the truth as often as
    with fewer.
    """
    xp = namespace(deviation, count)
    units = xp.sum(count)
    carrying = _effective_number(xp.moveaxis(deviation, 0, -1) ** 2, count)
    if largest:
        excess = divided(xp, units + xp.zeros_like(carrying), carrying) - 1
    else:
        one_fewer = xp.where(carrying > 1 + 1e-9, carrying - 1, xp.full_like(carrying, 1e-9))
        excess = xp.where(carrying > 0, (units - 1) / one_fewer - 1, xp.zeros_like(carrying))
    degrees = divided(xp, 2 * units + xp.zeros_like(excess), excess)
    most = xp.full_like(degrees, 1.0) * (units - 1)
    degrees = xp.where((excess <= 0) | (degrees > most), most, degrees)
    least = xp.where(most < FEWEST_DEGREES, most, xp.full_like(most, FEWEST_DEGREES))
    return xp.where(degrees < least, least, degrees)


def size_degrees(sizes: Array, correlation: float = 0.1) -> Array:
    """Return the degrees of freedom of a variance over clusters of these sizes (cluster,).

    They are ``(tr S)^2 / tr(S^2)`` with ``S = A diag(s + rho s (s - 1)) A'`` and ``A = diag((1 -
    h)^(-1/2)) (I - h 1')``, for sizes s, their shares h of all items, and a correlation rho
    within clusters (Bell and McCaffrey 2002, for a mean). C clusters of equal size give C - 1.
    """
    xp = namespace(sizes)
    sizes = sizes[sizes > 0]
    share = sizes / xp.sum(sizes)
    variance = sizes + correlation * sizes * (sizes - 1)
    factor = 1 / (1 - share)
    total = xp.sum(variance)
    correction = -2 * share * variance + total * share**2
    trace = xp.sum(factor * (variance + correction))
    shares, both, variances = (
        xp.sum(factor * share**2),
        xp.sum(factor * share * variance),
        xp.sum(factor * variance**2),
    )
    crossed = (
        2 * shares * variances + 2 * both**2 + (total * shares) ** 2 - 4 * total * shares * both
    )
    squared = crossed + xp.sum(factor**2 * (variance**2 + 2 * variance * correction))
    return trace**2 / squared


def normal(estimate: Array, standard_error: Array, confidence: float) -> Ends:
    """Return the estimate ± the normal quantile times the standard error, not truncated at 1."""
    xp = namespace(estimate, standard_error)
    reach = special(xp, "ndtri", (1 + confidence) / 2) * standard_error
    return Ends(estimate - reach, estimate + reach)


def student_t(
    estimate: Array, standard_error: Array, degrees: Array | float, confidence: float
) -> Ends:
    """Return the estimate ± t quantiles times the standard error, at these degrees of freedom."""
    from scipy.special import stdtrit

    reach = stdtrit(degrees, (1 + confidence) / 2) * standard_error
    return Ends(estimate - reach, estimate + reach)


_MAX_FACTOR = 30.0
"""Maximum ratio of the number that `items_to_reach` returns to the current number of items."""


def items_to_reach(bound: float, estimate: float, ends: tuple[float, float], items: float) -> float:
    """Return the approximate number of items at which an interval ends at a bound.

    The result is NaN if the interval already excludes the bound, if the estimate lies outside the
    interval, or if more than thirty times the current number of items would be needed.
    """
    low, high = ends
    distance = abs(bound - estimate)
    reach = high - estimate if bound > estimate else estimate - low
    if not low <= estimate <= high or distance > reach or distance**2 * _MAX_FACTOR < reach**2:
        return math.nan
    return float(math.ceil(items * (reach / distance) ** 2))


def percentile(replicates: Array, confidence: float) -> Ends:
    """Return the percentile interval: two quantiles of the replicates."""
    tail = (1 - confidence) / 2
    return Ends(*quantiles(replicates, tail, 1 - tail))


def basic(estimate: Array, replicates: Array, confidence: float) -> Ends:
    """Return the percentile interval reflected at the estimate."""
    low, high = percentile(replicates, confidence)
    return Ends(2 * estimate - high, 2 * estimate - low)


def bias_correction(estimate: Array, replicates: Array) -> Array:
    """Return z_0, the normal quantile of the share of replicates below the estimate."""
    xp = namespace(estimate, replicates)
    defined = ~xp.isnan(replicates)
    counted = xp.sum(xp.astype(defined, replicates.dtype), axis=0)
    count = xp.where(counted > 0, counted, xp.ones_like(counted))
    resolution = 64 * float(xp.finfo(replicates.dtype).eps)
    # a tie counts half, because rounding must not decide on which side it falls
    size = xp.abs(like(xp, estimate, replicates))
    near = resolution * xp.where(size > 1, size, xp.ones_like(size))
    below = xp.sum(xp.astype(defined & (replicates < estimate - near), count.dtype), axis=0)
    tied = xp.sum(xp.astype(defined & (xp.abs(replicates - estimate) <= near), count.dtype), axis=0)
    # if the estimate is outside all replicates, half a replicate keeps the correction finite
    share = (below + tied / 2) / count
    least = 0.5 / count
    share = xp.where(share < least, least, xp.where(share > 1 - least, 1 - least, share))
    return special(xp, "ndtri", share)


def bca(estimate: Array, replicates: Array, skewness: Array, confidence: float) -> Ends:
    """Return the bias-corrected and accelerated interval; ``skewness`` is the acceleration."""
    xp = namespace(estimate, replicates, skewness)
    bias = bias_correction(estimate, replicates)
    levels = []
    for tail in ((1 - confidence) / 2, (1 + confidence) / 2):
        shifted = bias + special(xp, "ndtri", tail)
        left = 1 - skewness * shifted
        # beyond the pole of the acceleration, the level is 0 or 1
        safe = xp.where(left > 0, left, xp.ones_like(left))
        end = xp.where(shifted > 0, xp.ones_like(left), xp.zeros_like(left))
        levels.append(xp.where(left > 0, special(xp, "ndtr", bias + shifted / safe), end))
    return Ends(*quantiles(replicates, *levels))


def studentized(
    estimate: Array,
    standard_error: Array,
    replicates: Array,
    replicate_errors: Array,
    confidence: float,
) -> Ends:
    """Return the bootstrap-t interval, ``t - SE q`` with q the quantiles of ``(t* - t) / SE*``.

    A replicate with SE* = 0 that differs from the estimate is infinitely far from it. An end is
    infinite if the share of such replicates exceeds the tail probability of this end.
    """
    xp = namespace(estimate, standard_error, replicates, replicate_errors)
    difference = replicates - estimate
    no_error = replicate_errors == 0
    ratio = difference / xp.where(no_error, xp.ones_like(replicate_errors), replicate_errors)
    far = xp.where(difference == 0, xp.zeros_like(ratio), xp.sign(difference) * math.inf)
    tail = (1 - confidence) / 2
    low, high = quantiles(xp.where(no_error, far, ratio), tail, 1 - tail)
    return Ends(estimate - high * standard_error, estimate - low * standard_error)


def abc_multipliers(
    skewness: Array, bias: Array, quadratic: Array, sigma: Array, confidence: float
) -> Ends:
    """Return the steps in the least favourable direction to the ends of the ABC interval.

    With a the ``skewness``, b the ``bias``, c_q the ``quadratic`` coefficient and z the normal
    quantile of a tail, the step is ``lambda = w / (1 - a w)^2``, where ``w = z_0 + z`` and ``z_0 =
    ndtri(2 ndtr(a) ndtr(c_q - b / sigma))``. The ends are the estimates at the weights ``c (1 +
    lambda U / (n sigma))``, with U the centred influences and ``sigma^2 = sum c U^2 / n^2``; these
    weights may be negative. A step is NaN beyond the pole of the acceleration.
    """
    xp = namespace(skewness, bias, quadratic, sigma)
    curvature = divided(xp, bias, sigma) - quadratic
    both = special(xp, "ndtr", skewness) * special(xp, "ndtr", -curvature)
    shift = special(xp, "ndtri", 2 * both)
    multipliers = []
    for tail in ((1 - confidence) / 2, (1 + confidence) / 2):
        shifted = shift + special(xp, "ndtri", tail)
        left = 1 - skewness * shifted
        safe = xp.where(left > 0, left, xp.ones_like(left))
        past = xp.full_like(shifted, math.nan)
        multipliers.append(xp.where(left > 0, shifted / safe**2, past))
    return Ends(*multipliers)


def to_line(value: Array, lower: float, upper: float) -> Array:
    """Return ``log((x - lower) / (upper - x))``, or ``-log(upper - x)`` without a lower bound.

    An interval computed on this scale and mapped back stays within the bounds.
    """
    xp = namespace(value)
    if math.isinf(lower):
        return -xp.log(upper - value)
    return xp.log(value - lower) - xp.log(upper - value)


def from_line(value: Array, lower: float, upper: float) -> Array:
    """Return the inverse of `to_line`."""
    xp = namespace(value)
    if math.isinf(lower):
        return upper - xp.exp(-value)
    return lower + (upper - lower) * special(xp, "expit", value)


def line_slope(value: Array, lower: float, upper: float) -> Array:
    """Return the derivative of `to_line`, the factor for standard errors."""
    if math.isinf(lower):
        return 1 / (upper - value)
    return 1 / (value - lower) + 1 / (upper - value)


def quantiles(replicates: Array, *levels: Array | float) -> tuple[Array, ...]:
    """Return quantiles (...) of replicates (replicate, ...), for each of ``levels``.

    NaN replicates are left out. Quantiles of the B remaining replicates are interpolated linearly
    between order statistics, at (B - 1) times the level. The result is NaN if B is 0 or the level
    is NaN.
    """
    xp = namespace(replicates, *levels)
    ordered = xp.sort(xp.moveaxis(replicates, 0, -1), axis=-1)  # NaN sorts last
    defined = xp.sum(xp.astype(~xp.isnan(ordered), ordered.dtype), axis=-1)
    last = xp.where(defined > 0, defined - 1, xp.zeros_like(defined))
    stacked = xp.stack(
        [xp.broadcast_to(like(xp, level, ordered), defined.shape) for level in levels], axis=-1
    )
    defined, last = defined[..., None], last[..., None]
    unknown = xp.isnan(stacked) | (defined == 0)
    position = last * xp.where(unknown, xp.zeros_like(stacked), stacked)
    below = xp.floor(position)
    above = xp.where(below + 1 > last, last, below + 1)
    whole = xp.asarray(0).dtype
    at_below, at_above = (
        xp.take_along_axis(ordered, xp.astype(index, whole), axis=-1) for index in (below, above)
    )
    # two equal order statistics may both be infinite, and their difference would be NaN
    step = xp.where(at_below == at_above, xp.zeros_like(at_below), at_above - at_below)
    part = xp.where(position > below, (position - below) * step, xp.zeros_like(step))
    values = xp.where(unknown, xp.full_like(part, math.nan), at_below + part)
    return tuple(values[..., index] for index in range(len(levels)))
