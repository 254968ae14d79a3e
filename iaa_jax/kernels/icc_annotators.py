"""Intervals for ICC(2) with heterogeneous annotators: jackknives over items and annotators.

Intervals from mean squares assume that annotators differ only in their means. If annotators also
differ in scale or noise, or if the numbers have heavy tails, such intervals are too narrow. A
jackknife, which leaves out one item or one annotator at a time, allows for both. It is used only if
a test finds unlike annotators or heavy tails, because a jackknife over few annotators is imprecise.

The data are numbers ``value`` (pattern, annotator), NaN where not rated, and the ``count`` of items
with each pattern of numbers.

References
----------
MacKinnon, J. G., Nielsen, M. O. and Webb, M. D. (2024). Jackknife inference with two-way
clustering. https://arxiv.org/abs/2406.08880
Satterthwaite, F. E. (1946). An approximate distribution of estimates of variance components.
Biometrics Bulletin 2(6). https://doi.org/10.2307/3002019
"""

from __future__ import annotations

import math
from typing import NamedTuple

from iaa_jax.kernels.icc_intervals import icc2_large_sample_ends, spearman_brown
from iaa_jax.kernels.intervals import Ends, jackknife, kurtosis_degrees, student_t
from iaa_jax.kernels.namespace import Array, divided, floating, like, namespace

_HETEROGENEOUS = 0.2
"""If the test of homogeneity has a smaller p-value, annotators count as heterogeneous."""

_HEAVY_TAILS = 1.5
"""Tails count as heavy if the variance over items exceeds the normal variance by this factor."""


class _Squares(NamedTuple):
    items: Array
    annotators: Array
    residual: Array
    n: Array | float
    k: Array | float


class _CompleteTable(NamedTuple):
    """Centred numbers (pattern, annotator) of the items that everyone rated.

    Items with the same numbers are one pattern, and ``count`` is the number of such items.
    """

    value: Array
    count: Array
    items: Array
    annotators: int


def icc2_widened_ends(value: Array, count: Array, confidence: float) -> Ends:
    """Return modified large-sample limits of ICC(2), widened to jackknife limits if necessary.

    With three or more annotators, the interval is widened to include the jackknife interval if the
    test of `unlike_annotators` has p < .2, or if the jackknife variance over items exceeds 1.5
    times its value for normal numbers. With three or more items, an end below both 0 and the
    estimate is raised to the lower of the two.
    """
    ends = icc2_large_sample_ends(value, count, confidence)
    table = _table(value, count)
    if table is None or math.isnan(ends.low):
        return ends
    if table.annotators > 2 and (spread := _spread(table)) is not None:
        heterogeneous = unlike_annotators(value, count) < _HETEROGENEOUS
        if heterogeneous or spread.of_items > _HEAVY_TAILS * spread.of_normal_items:
            low, high = spread.ends(confidence)
            ends = Ends(min(ends.low, low), max(ends.high, high))
    estimate = float(_icc2(_mean_squares(table)))
    least = min(estimate, 0.0)
    return Ends(max(ends.low, least), max(ends.high, least))


def icc2k_widened_ends(value: Array, count: Array, confidence: float) -> Ends:
    """Return limits of ICC(2,k): the limits of ICC(2) by the Spearman-Brown formula."""
    ends = icc2_widened_ends(value, count, confidence)
    return Ends(*(spearman_brown(end, value.shape[1]) for end in ends))


def unlike_annotators(value: Array, count: Array) -> float:
    """Return the p-value of the hypothesis that annotators, whatever their means, are homogeneous.

    Homogeneous annotators have the same scale and the same noise. Let y be the numbers minus their
    annotator's mean, C the mean product of two annotators' y divided by the mean square of y, and
    z_ia the mean y of the annotators other than a on item i. On this item, annotator a contributes
    ``u_ia = 2 y_ia z_ia - C y_ia^2`` to C. With u_a the mean of u_ia over the n items, the test
    statistic F is ``n sum_a (u_a - ubar)^2 / (k - 1)`` divided by the residual mean square of u,
    without the effects of items and annotators. The p-value is NaN if this mean square is 0, or
    with fewer than three items or two annotators.
    """
    from scipy.special import fdtrc

    table = _table(value, count)
    if table is None or table.annotators < 2:
        return math.nan
    xp = namespace(table.value)
    weight, n, k = table.count[:, None], table.items, table.annotators
    y = table.value - xp.sum(weight * table.value, axis=0) / n
    squared = y * y
    product = y * (xp.sum(y, axis=1, keepdims=True) - y) / (k - 1)
    share = divided(xp, xp.sum(weight * product), xp.sum(weight * squared))
    added = 2 * product - share * squared
    by_annotator = xp.sum(weight * added, axis=0) / n
    mean = xp.mean(by_annotator)
    residual = added - xp.mean(added, axis=1, keepdims=True) - by_annotator + mean
    between = float(n * xp.sum((by_annotator - mean) ** 2)) / (k - 1)
    degrees = (float(n) - 1) * (k - 1)
    within = float(xp.sum(weight * residual * residual)) / degrees
    return float(fdtrc(k - 1, degrees, between / within)) if within > 0 else math.nan


class _Spread(NamedTuple):
    """Variances of ``-log(1 - ICC(2))`` over items and over annotators, by jackknives."""

    estimate: float
    of_items: float
    of_annotators: float
    degrees: float
    annotators: int
    of_normal_items: float

    def ends(self, confidence: float) -> Ends:
        """Return the limits of ICC(2), by Student's t with the sum of both variances.

        The degrees of freedom are Satterthwaite's, from those of items (by kurtosis) and of
        annotators (k - 1).
        """
        variance = self.of_items + self.of_annotators
        parts = self.of_items**2 / self.degrees + self.of_annotators**2 / (self.annotators - 1)
        ends = student_t(self.estimate, math.sqrt(variance), variance**2 / parts, confidence)
        return Ends(*(-math.expm1(-min(float(end), 700.0)) if end > -700 else -math.inf
                      for end in ends))  # fmt: skip


def _table(value: Array, count: Array) -> _CompleteTable | None:
    xp = namespace(value, count)
    value = floating(xp, value, count)
    complete = ~xp.any(xp.isnan(value), axis=1) & (count > 0)
    value, count = value[complete], like(xp, count, value)[complete]
    items = xp.sum(count)
    if float(items) <= 2:
        return None
    mean = xp.sum(count * xp.mean(value, axis=1)) / items
    return _CompleteTable(value - mean, count, items, value.shape[1])


def _spread(table: _CompleteTable) -> _Spread | None:
    """Return both jackknives on the scale ``-log(1 - x)``; None if they are undefined.

    If leaving out some item or annotator gives an estimate of 1, the jackknives of the estimates
    themselves are multiplied by the slope of the scale.
    """
    xp = namespace(table.value)
    whole = _mean_squares(table)
    estimate = float(_icc2(whole))
    without_item, without_annotator = (
        _icc2(_without_items(table)),
        _icc2(_without_annotators(table)),
    )
    known = (xp.all(xp.isfinite(each)) for each in (without_item, without_annotator))
    if not estimate < 1 or not all(bool(each) for each in known):
        return None
    ones = xp.ones_like(without_annotator)
    slope = 1.0
    if bool(xp.all(without_item < 1)) and bool(xp.all(without_annotator < 1)):
        without_item, without_annotator = -xp.log(1 - without_item), -xp.log(1 - without_annotator)
    else:
        slope = 1 / (1 - estimate)
    deviation = without_item - xp.sum(table.count * without_item) / table.items
    of_items = float(jackknife(without_item, table.count) * slope) ** 2
    of_annotators = float(jackknife(without_annotator, ones) * slope) ** 2
    if not of_items > 0:
        return None
    return _Spread(
        -math.log(1 - estimate),
        of_items,
        of_annotators,
        float(kurtosis_degrees(deviation, table.count)),
        table.annotators,
        _normal_variance(whole),
    )


def _icc2(squares: _Squares) -> Array:
    xp = namespace(squares.items)
    of_annotators = squares.k * (squares.annotators - squares.residual) / squares.n
    total = squares.items + (squares.k - 1) * squares.residual + of_annotators
    none = xp.full_like(total, math.nan)
    return xp.where(total > 0, divided(xp, squares.items - squares.residual, total), none)


def _normal_variance(squares: _Squares) -> float:
    """Return the variance of ``-log(1 - ICC(2))`` from the mean squares of items and residuals.

    For normal numbers a mean square S with nu degrees of freedom has variance ``2 S^2 / nu``.
    """
    n, k = squares.n, squares.k
    items, annotators, residual = (float(each) for each in squares[:3])
    error = k * residual + k * (annotators - residual) / n
    total = items - residual + error
    by_items, by_rest = 1 / total, (k - 1 - k / n) / total - (k - k / n) / error
    return float(
        2 * (by_items * items) ** 2 / (n - 1) + 2 * (by_rest * residual) ** 2 / ((n - 1) * (k - 1))
    )


def _mean_squares(table: _CompleteTable) -> _Squares:
    xp = namespace(table.value)
    y, count, n, k = table
    columns = xp.sum(count[:, None] * y, axis=0)
    rows = xp.sum(count * xp.mean(y, axis=1) ** 2)
    return _from_sums(xp.sum(count[:, None] * y * y), rows, xp.sum(columns**2), 0 * n, n, k)


def _without_items(table: _CompleteTable) -> _Squares:
    xp = namespace(table.value)
    y, count, n, k = table
    columns = xp.sum(count[:, None] * y, axis=0) - y
    means = xp.mean(y, axis=1)
    return _from_sums(
        xp.sum(count[:, None] * y * y) - xp.sum(y * y, axis=1),
        xp.sum(count * means**2) - means**2,
        xp.sum(columns**2, axis=1),
        xp.sum(columns, axis=1) / ((n - 1) * k),
        n - 1,
        k,
    )


def _without_annotators(table: _CompleteTable) -> _Squares:
    xp = namespace(table.value)
    y, count, n, k = table
    columns = xp.sum(count[:, None] * y, axis=0)
    means = (xp.sum(y, axis=1, keepdims=True) - y) / (k - 1)
    squared = xp.sum(count[:, None] * y * y, axis=0)
    return _from_sums(
        xp.sum(squared) - squared,
        xp.sum(count[:, None] * means**2, axis=0),
        xp.sum(columns**2) - columns**2,
        (xp.sum(columns) - columns) / (n * (k - 1)),
        n,
        k - 1,
    )


def _from_sums(
    squared: Array, rows: Array, columns: Array, mean: Array, n: Array, k: float
) -> _Squares:
    """Return mean squares from sums of squares, squared item means and squared annotator sums."""
    of_mean = n * k * mean**2
    of_rows, of_columns = k * rows - of_mean, columns / n - of_mean
    residual = squared - of_mean - of_rows - of_columns
    return _Squares(of_rows / (n - 1), of_columns / (k - 1), residual / ((n - 1) * (k - 1)), n, k)
