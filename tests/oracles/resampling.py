"""Standard errors and intervals from given replicates and derivatives.

Jackknife: Efron, B. and Stein, C. (1981). The jackknife estimate of variance. Annals of
Statistics 9, 586-596. doi:10.1214/aos/1176345462. BCa: DiCiccio, T. J. and Efron, B. (1996).
Bootstrap confidence intervals. Statistical Science 11, 189-228. doi:10.1214/ss/1032280214.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from statistics import NormalDist
from typing import NamedTuple

from tests.oracles.ratings import NAN, ones_unless

NORMAL = NormalDist()


def delete_one_estimates(estimate: Callable[[list[int]], float], items: int) -> list[float]:
    """Estimate from all items but one, for each item in turn."""
    return [estimate([i for i in range(items) if i != left_out]) for left_out in range(items)]


def jackknife_standard_error(estimates: Sequence[float]) -> float:
    """sqrt((n - 1) / n sum_i (t_i - mean)^2), t_i the estimate without item i."""
    n = len(estimates)
    mean = sum(estimates) / n
    return math.sqrt((n - 1) / n * sum((t - mean) ** 2 for t in estimates))


def centred_influence(
    gradient: Sequence[float], counts: Sequence[float] | None = None
) -> list[float]:
    """U_i = n (g_i - mean g), g_i the derivative of the estimate by the weight of item i."""
    c = ones_unless(counts, len(gradient))
    n = sum(c)
    mean = sum(count * g for count, g in zip(c, gradient, strict=True)) / n
    return [n * (g - mean) for g in gradient]


def infinitesimal_jackknife_standard_error(
    gradient: Sequence[float], counts: Sequence[float] | None = None
) -> float:
    """sqrt(n / (n - 1) sum_i c_i (g_i - mean g)^2); ``counts`` are the items a row stands for."""
    c = ones_unless(counts, len(gradient))
    n = sum(c)
    mean = sum(count * g for count, g in zip(c, gradient, strict=True)) / n
    squares = sum(count * (g - mean) ** 2 for count, g in zip(c, gradient, strict=True))
    return math.sqrt(n / (n - 1) * squares)


def outcomes(draws: int, patterns: int) -> Iterator[tuple[int, ...]]:
    """All ways in which so many draws can fall on so many patterns."""
    if patterns == 1:
        yield (draws,)
        return
    for taken in range(draws + 1):
        for others in outcomes(draws - taken, patterns - 1):
            yield (taken, *others)


def outcome_probability(outcome: Sequence[int], counts: Sequence[float]) -> float:
    """Multinomial: n! prod p_i^x_i / x_i!, with p_i the share of pattern i among all items."""
    items = sum(counts)
    logarithm = math.lgamma(sum(outcome) + 1)
    for drawn, count in zip(outcome, counts, strict=True):
        if drawn == 0:
            continue
        if count == 0:
            return 0.0
        logarithm += drawn * math.log(count / items) - math.lgamma(drawn + 1)
    return math.exp(logarithm)


def quantile(values: Sequence[float], share: float) -> float:
    """Linear interpolation between the order statistics at (B - 1) share."""
    ordered = sorted(values)
    position = (len(ordered) - 1) * share
    below = math.floor(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])


def percentile_interval(
    replicates: Sequence[float], *, confidence: float = 0.95
) -> tuple[float, float]:
    """Return the (1 - confidence) / 2 and (1 + confidence) / 2 quantiles of the defined ones."""
    defined = [t for t in replicates if not math.isnan(t)]
    if not defined:
        return NAN, NAN
    return quantile(defined, (1 - confidence) / 2), quantile(defined, (1 + confidence) / 2)


def acceleration(influence: Sequence[float], counts: Sequence[float] | None = None) -> float:
    """Sum U^3 / (6 (sum U^2)^1.5); 0 where no item has any influence."""
    c = ones_unless(counts, len(influence))
    squares = sum(count * u**2 for count, u in zip(c, influence, strict=True))
    cubes = sum(count * u**3 for count, u in zip(c, influence, strict=True))
    return 0.0 if squares == 0 else cubes / (6 * squares**1.5)


def bias_correction(replicates: Sequence[float], estimate: float) -> float:
    """Normal quantile of the share of replicates below the estimate; ties count half."""
    defined = [t for t in replicates if not math.isnan(t)]
    below = 0.0
    for t in defined:
        if t < estimate:
            below += 1.0
        elif t == estimate:
            below += 0.5
    share = below / len(defined)
    if share in (0.0, 1.0):
        return math.copysign(math.inf, share - 0.5)
    return NORMAL.inv_cdf(share)


def bca_interval(
    replicates: Sequence[float],
    estimate: float,
    influence: Sequence[float],
    *,
    counts: Sequence[float] | None = None,
    confidence: float = 0.95,
) -> tuple[float, float]:
    """Quantiles of the replicates at Phi(z0 + (z0 + z) / (1 - a (z0 + z))), z of both tails.

    ``influence`` are the centred U_i. Undefined replicates are left out. All replicates on one
    side of the estimate leave z0 infinite and the interval undefined.
    """
    defined = [t for t in replicates if not math.isnan(t)]
    if not defined or math.isnan(estimate):
        return NAN, NAN
    z0 = bias_correction(defined, estimate)
    if math.isinf(z0):
        return NAN, NAN
    a = acceleration(influence, counts)
    ends = []
    for tail in ((1 - confidence) / 2, (1 + confidence) / 2):
        z = NORMAL.inv_cdf(tail)
        ends.append(quantile(defined, NORMAL.cdf(z0 + (z0 + z) / (1 - a * (z0 + z)))))
    return ends[0], ends[1]


class AbcNumbers(NamedTuple):
    """What the nonparametric ABC interval is made of, and both its ends."""

    sigma: float
    acceleration: float
    bias: float
    quadratic: float
    ends: tuple[float, float]


def abc_numbers(
    estimate: Callable[[list[float]], float],
    items: int,
    *,
    confidence: float = 0.95,
    step: float = 0.001,
) -> AbcNumbers:
    """By finite differences, as ``abcnon`` of Efron and ``boot::abc.ci`` of R do.

    ``estimate`` takes the shares of the items, which add up to 1. DiCiccio and Efron (1996),
    section 4, and Efron and Tibshirani (1993), An introduction to the bootstrap, chapter 22.
    """
    n = items
    epsilon = step / n
    equal = [1 / n] * n
    middle = estimate(equal)
    first, second = [], []
    for i in range(n):
        towards = [(1.0 if j == i else 0.0) - 1 / n for j in range(n)]
        up = estimate([p + epsilon * d for p, d in zip(equal, towards, strict=True)])
        down = estimate([p - epsilon * d for p, d in zip(equal, towards, strict=True)])
        first.append((up - down) / (2 * epsilon))
        second.append((up - 2 * middle + down) / epsilon**2)
    sigma = math.sqrt(sum(t**2 for t in first)) / n
    skewness = sum(t**3 for t in first) / (6 * n**3 * sigma**3)
    delta = [t / (n**2 * sigma) for t in first]

    def tilted(length: float) -> float:
        return estimate([p + length * d for p, d in zip(equal, delta, strict=True)])

    quadratic = (tilted(epsilon) - 2 * middle + tilted(-epsilon)) / (2 * sigma * epsilon**2)
    bias = sum(second) / (2 * n**2)
    curvature = bias / sigma - quadratic
    z0 = NORMAL.inv_cdf(2 * NORMAL.cdf(skewness) * NORMAL.cdf(-curvature))
    ends = []
    for tail in ((1 - confidence) / 2, (1 + confidence) / 2):
        w = z0 + NORMAL.inv_cdf(tail)
        ends.append(tilted(w / (1 - skewness * w) ** 2))
    return AbcNumbers(sigma, skewness, bias, quadratic, (ends[0], ends[1]))
