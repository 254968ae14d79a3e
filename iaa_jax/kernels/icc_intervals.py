"""F tests and intervals of intraclass correlations, for normally distributed numbers.

Let M_b, M_w be the mean squares between and within items (one-way), M_r, M_c, M_e the mean squares
of items, annotators and residuals (two-way), with n items and k annotators:

- ICC(1): ``F = M_b / M_w`` on n - 1 and n (k - 1) degrees of freedom. The ends are ``(F - 1) / (F +
  k - 1)`` at ``F_L = F / q`` and ``F_U = F q'`` in place of F, where q and q' are the upper
  quantiles of F on (df1, df2) and on (df2, df1). The ends of ICC(1,k) are ``1 - 1 / F`` at F_L and
  F_U.
- ICC(3) and ICC(3,k): as ICC(1) and ICC(1,k), with ``F = M_r / M_e`` on n - 1 and (n - 1) (k - 1)
  degrees of freedom.
- ICC(2): by Satterthwaite's approximation, see `icc2_interval`; ICC(2,k) from these ends by the
  Spearman-Brown formula ``k x / (1 + (k - 1) x)``. The test is as for ICC(3).

The p-value is one-sided, for a correlation above 0. The data are numbers ``value`` (pattern,
column), NaN where not rated, with a column for each annotator in the two-way forms, and the
``count`` of items with each pattern of numbers. The results are Python floats.

References
----------
Shrout, P. E. and Fleiss, J. L. (1979). Intraclass correlations: uses in assessing rater
reliability. Psychological Bulletin 86(2). https://doi.org/10.1037/0033-2909.86.2.420
McGraw, K. O. and Wong, S. P. (1996). Forming inferences about some intraclass correlation
coefficients. Psychological Methods 1(1). https://doi.org/10.1037/1082-989X.1.1.30
Ting, N., Burdick, R. K., Graybill, F. A., Jeyaratnam, S. and Lu, T.-F. C. (1990). Confidence
intervals on linear combinations of variance components that are unrestricted in sign. Journal of
Statistical Computation and Simulation 35(1-2). https://doi.org/10.1080/00949659008811240
Cappelleri, J. C. and Ting, N. (2003). A modified large-sample approach to approximate interval
estimation for a particular intraclass correlation coefficient. Statistics in Medicine 22(11).
https://doi.org/10.1002/sim.1402
Donner, A. and Wells, G. (1986). A comparison of confidence interval methods for the intraclass
correlation coefficient. Biometrics 42(2). https://doi.org/10.2307/2531060
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from iaa_jax.kernels.icc import icc1, icc2
from iaa_jax.kernels.intervals import FEWEST_DEGREES, Ends
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.moments import subtract, sum_of_squares
from iaa_jax.kernels.namespace import Array, Namespace, floating, like, namespace
from iaa_jax.kernels.raters import Raters, checked_weight
from iaa_jax.kernels.sums import NamedSums


class FInterval(NamedTuple):
    """An interval, and the test of a correlation of 0; NaN where undefined."""

    low: float
    high: float
    f: float
    df1: float
    df2: float
    p_value: float


class _MeanSquares(NamedTuple):
    """Mean squares of items and of residuals, whose ratio is F, with their degrees of freedom."""

    items: float
    residual: float
    df1: float
    df2: float
    ratings: float  # k, the number of ratings per item
    annotators: float = 0.0


NONE = FInterval(*[math.nan] * 6)


def icc1_interval(value: Array, count: Array, confidence: float) -> FInterval:
    """Return the interval of ICC(1); approximate if items differ in their number of ratings.

    In that case, k is replaced by ``k_0 = (N - sum n_i^2 / N) / (n - 1)``, with n_i the number of
    ratings of item i and N their sum, as in the coefficient (Donner and Wells 1986).
    """
    squares = _one_way(value, count)
    return _f_interval(squares, confidence, _single_rating)


def icc1k_interval(value: Array, count: Array, confidence: float) -> FInterval:
    """Return the interval of ICC(1,k), ``1 - 1 / F``; approximate as for `icc1_interval`."""
    return _f_interval(_one_way(value, count), confidence, lambda f, _: _mean_rating(f))


def icc3_interval(value: Array, count: Array, confidence: float) -> FInterval:
    """Return the interval of ICC(3), over the items that every annotator rated."""
    return _f_interval(_two_way(value, count), confidence, _single_rating)


def icc3k_interval(value: Array, count: Array, confidence: float) -> FInterval:
    """Return the interval of ICC(3,k), over the items that every annotator rated."""
    return _f_interval(_two_way(value, count), confidence, lambda f, _: _mean_rating(f))


def icc2_interval(value: Array, count: Array, confidence: float) -> FInterval:
    """Return the interval of ICC(2), over the items that every annotator rated.

    With r the estimate, ``a = k r M_c`` and ``b = n (1 + (k - 1) r) - k r``, the degrees of freedom
    of ``k r M_c + b M_e`` are approximately ``v = (k - 1) (n - 1) (a + b M_e)^2 / ((n - 1) a^2 +
    b^2 M_e^2)``. With q and q' the upper quantiles of F on (n - 1, v) and on (v, n - 1), the ends
    are ``n (M_r - q M_e) / (q (k M_c + (k n - k - n) M_e) + n M_r)`` and ``n (q' M_r - M_e) / (k
    M_c + (k n - k - n) M_e + n q' M_r)``.
    """
    squares = _two_way(value, count)
    if squares is None:
        return NONE
    low, high = _absolute_ends(squares, confidence)
    return _f_test(squares)._replace(low=low, high=high)


def icc2k_interval(value: Array, count: Array, confidence: float) -> FInterval:
    """Return the interval of ICC(2,k): the ends of ICC(2) by the Spearman-Brown formula.

    The packages psych and pingouin do the same; R's irr uses other degrees of freedom.
    """
    squares = _two_way(value, count)
    if squares is None:
        return NONE
    ends = _absolute_ends(squares, confidence)
    low, high = (spearman_brown(end, squares.ratings) for end in ends)
    return _f_test(squares)._replace(low=low, high=high)


def icc2_large_sample_ends(value: Array, count: Array, confidence: float) -> Ends:
    """Return modified large-sample limits of ICC(2), over the items that every annotator rated.

    ICC(2) is at least r if ``(1 - r) M_r - r (k / n) M_c - (1 + r (k - 1 - k / n)) M_e`` is at
    least 0 in the population. The limits of this sum of mean squares are its estimate minus, or
    plus, the root of ``V = sum_p (G_p c_p S_p)^2 + sum_m (H_m c_m S_m)^2 + sum_pm X_pm c_p |c_m|
    S_p S_m`` over its positive terms p and its negative ones m, with c the coefficient of a mean
    square S, and nu its degrees of freedom (Ting et al. 1990). With q the level of an end, the
    lower limit has ``G = 1 - 1 / F(q; nu_p, inf)``, ``H = 1 / F(1 - q; nu_m, inf) - 1`` and ``X =
    ((F - 1)^2 - G^2 F^2 - H^2) / F`` with ``F = F(q; nu_p, nu_m)``; the upper limit has ``G = 1 /
    F(1 - q; nu_p, inf) - 1``, ``H = 1 - 1 / F(q; nu_m, inf)``, ``F = F(1 - q; nu_p, nu_m)``. Each
    end is the r at which its limit is 0, or -1 / (k - 1) or 1 if there is none. High kurtosis of
    the items' contributions reduces the degrees of freedom.
    """
    squares = _two_way(value, count)
    if squares is None:
        return Ends(math.nan, math.nan)
    degrees = _degrees_by_kurtosis(value, count, squares)
    return Ends(
        *(_end_of_sum(squares, degrees, (1 + confidence) / 2, upper) for upper in (False, True))
    )


def icc2k_large_sample_ends(value: Array, count: Array, confidence: float) -> Ends:
    """Return limits of ICC(2,k), from modified large-sample limits of ICC(2) by Spearman-Brown."""
    ends = icc2_large_sample_ends(value, count, confidence)
    return Ends(*(spearman_brown(end, value.shape[1]) for end in ends))


def _degrees_by_kurtosis(
    value: Array, count: Array, squares: _MeanSquares
) -> tuple[float, float, float]:
    """Return the degrees of freedom of the mean squares of items, annotators and residuals.

    For annotators they are k - 1. For items and residuals they are ``2 abar^2 / (var(a) / n)``,
    with a each item's contribution to the mean square, but at least 3, and never more than for
    normal numbers.
    """
    xp = namespace(value, count)
    complete = ~xp.any(xp.isnan(value), axis=1) & (count > 0)
    value, count = value[complete], like(xp, count, value)[complete]
    items = xp.sum(count)
    means = xp.mean(value, axis=1)
    mean = xp.sum(count * means) / items
    columns = xp.sum(count[:, None] * value, axis=0) / items
    residual = value - means[:, None] - columns[None, :] + mean
    degrees = []
    for added, most in (
        ((means - mean) ** 2, squares.df1),
        (xp.sum(residual**2, axis=1), squares.df2),
    ):
        average = xp.sum(count * added) / items
        spread = xp.sum(count * (added - average) ** 2) / (items - 1)
        by_kurtosis = 2 * average**2 * items / spread if float(spread) else math.inf
        degrees.append(min(most, max(FEWEST_DEGREES, float(by_kurtosis))))
    return degrees[0], squares.ratings - 1, degrees[1]


def _end_of_sum(
    squares: _MeanSquares, degrees: tuple[float, float, float], level: float, upper: bool
) -> float:
    from scipy.optimize import brentq
    from scipy.special import chdtri, fdtri

    k, n = squares.ratings, squares.df1 + 1
    means = (squares.items, squares.annotators, squares.residual)

    def chi_bound(tail: float, nu: float) -> float:
        return float(chdtri(nu, 1 - tail)) / nu  # F(tail; nu, inf)

    def shrunk(nu: float) -> float:
        return 1 - 1 / chi_bound(level, nu)

    def grown(nu: float) -> float:
        return 1 / chi_bound(1 - level, nu) - 1

    # G for positive terms, H for negative ones
    towards, away = (grown, shrunk) if upper else (shrunk, grown)

    def limit(r: float) -> float:
        terms = (1 - r, -r * k / n, -(1 + r * (k - 1 - k / n)))
        parts = [(c * s, nu) for c, s, nu in zip(terms, means, degrees, strict=True)]
        more = [(part, nu) for part, nu in parts if part > 0]
        less = [(-part, nu) for part, nu in parts if part < 0]
        variance = sum((towards(nu) * part) ** 2 for part, nu in more)
        variance += sum((away(nu) * part) ** 2 for part, nu in less)
        for part, nu in more:
            for other, nu_other in less:
                f = float(fdtri(nu, nu_other, 1 - level if upper else level))
                crossed = ((f - 1) ** 2 - (towards(nu) * f) ** 2 - away(nu_other) ** 2) / f
                variance += crossed * part * other
        total = sum(part for part, _ in parts)
        spread = math.sqrt(max(variance, 0.0))
        return total + spread if upper else total - spread

    least, most = -1 / (k - 1) + 1e-9, 1 - 1e-12
    if limit(least) <= 0:
        return -1 / (k - 1)
    if limit(most) >= 0:
        return 1.0
    return float(brentq(limit, least, most))


def _absolute_ends(squares: _MeanSquares, confidence: float) -> tuple[float, float]:
    from scipy.special import fdtri

    rows, columns = squares.items, squares.annotators
    residual, k = squares.residual, squares.ratings
    n = squares.df1 + 1
    total = rows + (k - 1) * residual + k * (columns - residual) / n
    r = (rows - residual) / total if total else math.nan
    a, b = k * r * columns, (n * (1 + (k - 1) * r) - k * r) * residual
    # without residual variance and annotator differences there is nothing to approximate
    below = (n - 1) * a * a + b * b
    v = (k - 1) * (n - 1) * (a + b) ** 2 / below if below else squares.df2
    q, q_swapped = (float(fdtri(*df, (1 + confidence) / 2)) for df in ((n - 1, v), (v, n - 1)))
    errors = k * columns + (k * n - k - n) * residual
    return (
        n * (rows - q * residual) / (q * errors + n * rows),
        n * (q_swapped * rows - residual) / (errors + n * q_swapped * rows),
    )


def _single_rating(f: float, k: float) -> float:
    return 1 - k / (f + k - 1)


def spearman_brown(end: float, k: float) -> float:
    """Return an end of ICC(2,k) from the end x of ICC(2), ``k x / (1 + (k - 1) x)``."""
    below = 1 + (k - 1) * end
    # ICC(2,k) is minus infinity at -1 / (k - 1), the minimum of ICC(2)
    return -math.inf if below <= 1e-9 else k * end / below


def _mean_rating(f: float) -> float:
    return 1 - 1 / f if f else -math.inf


def _f_interval(
    squares: _MeanSquares | None, confidence: float, end: Callable[[float, float], float]
) -> FInterval:
    from scipy.special import fdtri

    if squares is None:
        return NONE
    tested, level = _f_test(squares), (1 + confidence) / 2
    down = float(fdtri(squares.df1, squares.df2, level))
    up = float(fdtri(squares.df2, squares.df1, level))
    low, high = (end(f, squares.ratings) for f in (tested.f / down, tested.f * up))
    return tested._replace(low=low, high=high)


def _f_test(squares: _MeanSquares) -> FInterval:
    from scipy.special import fdtrc

    f = squares.items / squares.residual if squares.residual else math.inf
    p_value = float(fdtrc(squares.df1, squares.df2, f))
    return FInterval(math.nan, math.nan, f, squares.df1, squares.df2, p_value)


def _sums(kernel: Kernel, value: Array, count: Array) -> tuple[Namespace, NamedSums]:
    xp = namespace(value, count)
    value = floating(xp, value, count)
    raters = Raters(checked_weight(xp, None, value.shape[1], value, "annotator"))
    return xp, kernel.sums(value, raters, None, like(xp, count, value))


def _one_way(value: Array, count: Array) -> _MeanSquares | None:
    xp, sums = _sums(icc1, value, count)
    ratings, items = float(xp.sum(sums.ratings)), float(sums.rated)
    if items <= 1 or ratings <= items:
        return None
    between = float(sum_of_squares(xp, sums.ratings, sums.total, sums.squared_total, sums.middles))
    residual = float(sums.within) / (ratings - items)
    if between == 0 and residual == 0:
        return None
    k = (ratings - float(sums.squared_ratings) / ratings) / (items - 1)
    return _MeanSquares(between / (items - 1), residual, items - 1, ratings - items, k)


def _two_way(value: Array, count: Array) -> _MeanSquares | None:
    k = value.shape[1]
    xp, sums = _sums(icc2, value, count)
    items = float(xp.sum(sums.complete))
    if items <= 1 or k < 2:
        return None
    columns = xp.sum(sums.deviation**2) / items
    residual = float(subtract(xp, sums.within, columns)) / ((items - 1) * (k - 1))
    means = sum_of_squares(xp, sums.complete, sums.mean, sums.squared_mean, sums.middles)
    rows = k * float(means) / (items - 1)
    if rows == 0 and residual == 0:
        return None
    df2 = (items - 1) * (k - 1)
    return _MeanSquares(rows, residual, items - 1, df2, float(k), float(columns) / (k - 1))
