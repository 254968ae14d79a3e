"""Intervals as loops, from the formulas in docs/interval-methods.md and the papers named there."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np
from scipy import optimize, stats

Rows = Sequence[Sequence[float]]


def kurtosis_t(
    estimate: Callable[[Rows], float], rows: Rows, lower: float, confidence: float
) -> tuple[float, float]:
    """t on log((x - lower) / (1 - x)), with the jackknife there."""

    def line(x: float) -> float:
        return -math.log(1 - x) if math.isinf(lower) else math.log((x - lower) / (1 - x))

    def back(z: float) -> float:
        return 1 - math.exp(-z) if math.isinf(lower) else lower + (1 - lower) / (1 + math.exp(-z))

    n = len(rows)
    without = [line(estimate([*rows[:i], *rows[i + 1 :]])) for i in range(n)]
    mean = sum(without) / n
    squares = [(z - mean) ** 2 for z in without]
    error = math.sqrt((n - 1) / n * sum(squares))
    kurtosis = (sum(s**2 for s in squares) / n) / (sum(squares) / n) ** 2
    kurtosis *= (n - 1) / (n - kurtosis)  # numbers have no largest deviation
    degrees = min(max(2 * n / (kurtosis - 1), 3), n - 1)
    reach = stats.t.ppf((1 + confidence) / 2, degrees) * error
    middle = line(estimate(rows))
    return back(middle - reach), back(middle + reach)


def size_degrees(sizes: Sequence[float], correlation: float = 0.1) -> float:
    """(tr S)^2 / tr(S^2), by the matrices."""
    s = np.array(sizes, dtype=float)
    h = s / s.sum()
    a = np.diag((1 - h) ** -0.5) @ (np.eye(len(s)) - np.outer(h, np.ones(len(s))))
    matrix = a @ np.diag(s + correlation * s * (s - 1)) @ a.T
    return float(np.trace(matrix) ** 2 / np.trace(matrix @ matrix))


def mean_squares(table: np.ndarray) -> tuple[float, float, float]:
    """Of items, annotators and the rest, on a complete table (item, annotator)."""
    n, k = table.shape
    mean = table.mean()
    rows = k * sum((row.mean() - mean) ** 2 for row in table) / (n - 1)
    columns = n * sum((column.mean() - mean) ** 2 for column in table.T) / (k - 1)
    rest = 0.0
    for i in range(n):
        for j in range(k):
            rest += (table[i, j] - table[i].mean() - table[:, j].mean() + mean) ** 2
    return rows, columns, rest / ((n - 1) * (k - 1))


def large_sample_icc2(
    table: np.ndarray, confidence: float, *, by_kurtosis: bool = True
) -> tuple[float, float]:
    """Modified large-sample limits of ICC(2), by bisection over r."""
    n, k = table.shape
    squares = mean_squares(table)
    degrees = [n - 1.0, k - 1.0, (n - 1.0) * (k - 1.0)]
    if by_kurtosis:
        mean = table.mean()
        residual = table - table.mean(1, keepdims=True) - table.mean(0, keepdims=True) + mean
        for place, added in ((0, (table.mean(1) - mean) ** 2), (2, (residual**2).sum(1))):
            nu = 2 * added.mean() ** 2 / (added.var(ddof=1) / n)
            degrees[place] = min(degrees[place], max(3.0, nu))
    upper_tail, lower_tail = (1 + confidence) / 2, (1 - confidence) / 2

    def chi(p: float, nu: float) -> float:
        return float(stats.chi2.ppf(p, nu)) / nu

    def limit(r: float, upper: bool) -> float:
        factors = [1 - r, -r * k / n, -(1 + r * (k - 1 - k / n))]
        variance = 0.0
        total = 0.0
        for c, s, nu in zip(factors, squares, degrees, strict=True):
            total += c * s
            outwards, inwards = 1 / chi(lower_tail, nu) - 1, 1 - 1 / chi(upper_tail, nu)
            far = outwards if (c > 0) == upper else inwards
            variance += (far * c * s) ** 2
        terms = [*zip(factors, squares, degrees, strict=True)]
        for (c, s, nu), (d, u, mu) in itertools.product(terms, repeat=2):
            if not (c > 0 > d):
                continue
            if upper:
                g, h = 1 / chi(lower_tail, nu) - 1, 1 - 1 / chi(upper_tail, mu)
                f = float(stats.f.ppf(lower_tail, nu, mu))
            else:
                g, h = 1 - 1 / chi(upper_tail, nu), 1 / chi(lower_tail, mu) - 1
                f = float(stats.f.ppf(upper_tail, nu, mu))
            variance += ((f - 1) ** 2 - g**2 * f**2 - h**2) / f * c * s * -d * u
        return total + (1 if upper else -1) * math.sqrt(max(variance, 0.0))

    ends = []
    for upper in (False, True):
        low, high = -1 / (k - 1) + 1e-9, 1 - 1e-12
        if limit(low, upper) <= 0:
            ends.append(-1 / (k - 1))
            continue
        for _ in range(200):
            middle = (low + high) / 2
            if limit(middle, upper) > 0:
                low = middle
            else:
                high = middle
        ends.append(low)
    return ends[0], ends[1]


def two_way_jackknife_icc2(table: np.ndarray, confidence: float) -> tuple[float, float]:
    """Student's t of ICC(2) on -log(1 - x): one item left out at a time, then one annotator."""

    def line(rows: np.ndarray) -> float:
        n, k = rows.shape
        items, annotators, rest = mean_squares(rows)
        total = items + (k - 1) * rest + k * (annotators - rest) / n
        return -math.log(1 - (items - rest) / total)

    n, k = table.shape
    without_item = [line(np.delete(table, i, axis=0)) for i in range(n)]
    without_annotator = [line(np.delete(table, j, axis=1)) for j in range(k)]
    squares = [(z - sum(without_item) / n) ** 2 for z in without_item]
    of_items = (n - 1) / n * sum(squares)
    mean = sum(without_annotator) / k
    of_annotators = (k - 1) / k * sum((z - mean) ** 2 for z in without_annotator)
    kurtosis = sum(s**2 for s in squares) / n / (sum(squares) / n) ** 2
    degrees = min(max(2 * n / (kurtosis - 1), 3), n - 1)
    variance = of_items + of_annotators
    satterthwaite = variance**2 / (of_items**2 / degrees + of_annotators**2 / (k - 1))
    reach = stats.t.ppf((1 + confidence) / 2, satterthwaite) * math.sqrt(variance)
    middle = line(table)
    return 1 - math.exp(-(middle - reach)), 1 - math.exp(-(middle + reach))


def unlike_annotators(table: np.ndarray) -> float:
    """The p-value of annotators with one scale and one noise, by loops over their numbers."""
    n, k = table.shape
    y = [[table[i, a] - table[:, a].mean() for a in range(k)] for i in range(n)]
    products = [y[i][a] * y[i][b] for i in range(n) for a in range(k) for b in range(k) if a != b]
    share = np.mean(products) / np.mean(np.square(y))
    added = np.zeros((n, k))
    for i, a in itertools.product(range(n), range(k)):
        others = [y[i][b] for b in range(k) if b != a]
        added[i, a] = 2 * y[i][a] * sum(others) / (k - 1) - share * y[i][a] ** 2
    _, between, rest = mean_squares(added)
    return float(stats.f.sf(between / rest, k - 1, (n - 1) * (k - 1)))


def likelihood_region(
    estimate: Callable[[np.ndarray], float], count: np.ndarray, bound: float, starts: int = 6
) -> tuple[float, float]:
    """The least and the greatest estimate of shares with 2 sum c log(c / (n p)) <= bound."""
    n, seen = count.sum(), count > 0

    def room(p: np.ndarray) -> float:
        return float(bound - 2 * np.sum(count[seen] * np.log(count[seen] / (n * p[seen]))))

    ends = []
    rng = np.random.default_rng(0)
    for sign in (1, -1):
        found = []
        for _ in range(starts):
            start = rng.dirichlet(count * 3 + 0.3)
            done = optimize.minimize(
                lambda p, sign=sign: sign * estimate(p * n),
                start,
                method="SLSQP",
                bounds=[(1e-12, 1)] * len(count),
                constraints=[
                    {"type": "eq", "fun": lambda p: p.sum() - 1},
                    {"type": "ineq", "fun": room},
                ],
                options={"maxiter": 500, "ftol": 1e-12},
            )
            if abs(done.x.sum() - 1) < 1e-6 and room(done.x) > -1e-6:
                found.append(sign * done.fun)
        ends.append(min(found) if sign > 0 else max(found))
    return ends[0], ends[1]


def patterns_of_prior(
    labels: int, annotators: int, rows: Sequence[Sequence[int]]
) -> dict[tuple[int, ...], float]:
    """The pseudo-item of labels by annotators, each pattern that tells them apart by itself.

    ``rows`` are items that all annotators rated: of them, how often each label was given.
    """
    every = [*itertools.product(range(labels), repeat=annotators)]
    differing = [row for row in every if len(set(row)) > 1]
    rare = [1 / sum(row.count(label) for row in map(list, rows)) for label in range(labels)]
    found = {(label,) * annotators: rare[label] / sum(rare) / 2 for label in range(labels)}
    return found | {row: 1 / 2 / len(differing) for row in differing}


def farther_quantiles(
    with_prior: Sequence[float], without: Sequence[float], levels: Sequence[float]
) -> list[float]:
    """Below the median the smaller, above it the greater quantile of the two."""
    pairs = zip(np.quantile(with_prior, levels), np.quantile(without, levels), levels, strict=True)
    return [float(min(a, b) if level < 1 / 2 else max(a, b)) for a, b, level in pairs]
