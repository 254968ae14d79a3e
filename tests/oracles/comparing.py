"""Comparing two sets of items, as plain loops.

Step-down max-t: Westfall, P. H. and Young, S. S. (1993), Resampling-Based Multiple Testing,
algorithm 2.8; Romano, J. P. and Wolf, M. (2005), JASA 100, doi:10.1198/016214504000000539.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations, product
from typing import Any

_ROUNDING = 1e-7
"""What numerical derivatives leave; a figure that is undefined counts as large."""


def paired_error(one: Sequence[float], other: Sequence[float]) -> float:
    """sqrt(sum_i D_i^2 / (n (n - 1))), D_i the difference of an item's centred influences."""
    n = len(one)
    squares = sum((second - first) ** 2 for first, second in zip(one, other, strict=True))
    return math.sqrt(squares / (n * (n - 1)))


def paired_acceleration(one: Sequence[float], other: Sequence[float]) -> float:
    """sum D^3 / (6 (sum D^2)^1.5)."""
    apart = [second - first for first, second in zip(one, other, strict=True)]
    return sum(d**3 for d in apart) / (6 * sum(d**2 for d in apart) ** 1.5)


def independent_acceleration(one: Sequence[float], other: Sequence[float]) -> float:
    """The acceleration for two samples, each item scaled by its own sample's size."""
    scaled = [-u / len(one) for u in one] + [u / len(other) for u in other]
    return sum(d**3 for d in scaled) / (6 * sum(d**2 for d in scaled) ** 1.5)


def swapping_p_value(
    difference: Callable[[list[Any], list[Any]], float], a: list[Any], b: list[Any]
) -> float:
    """The share of all 2^n exchanges of an item's two sides with a difference as large."""
    observed = abs(difference(a, b))
    found = []
    for turned in product((False, True), repeat=len(a)):
        one = [y if turn else x for x, y, turn in zip(a, b, turned, strict=True)]
        other = [x if turn else y for x, y, turn in zip(a, b, turned, strict=True)]
        found.append(not abs(difference(one, other)) < observed - _ROUNDING)
    return sum(found) / len(found)


def dealing_p_value(
    difference: Callable[[list[Any], list[Any]], float], a: list[Any], b: list[Any]
) -> float:
    """The share of all ways to deal the items out with a difference as large."""
    together = a + b
    observed = abs(difference(a, b))
    found = []
    for chosen in combinations(range(len(together)), len(a)):
        one = [together[place] for place in chosen]
        other = [item for place, item in enumerate(together) if place not in chosen]
        found.append(not abs(difference(one, other)) < observed - _ROUNDING)
    return sum(found) / len(found)


def single_step(
    difference: Sequence[float], error: Sequence[float], rows: Sequence[Sequence[float]]
) -> list[float]:
    """For each hypothesis, how often the largest of all statistics reaches its own."""
    return [
        _reached(abs(d) / se, range(len(difference)), difference, error, rows)
        for d, se in zip(difference, error, strict=True)
    ]


def step_down(
    difference: Sequence[float], error: Sequence[float], rows: Sequence[Sequence[float]]
) -> list[float]:
    """From the largest statistic on, among those that are left; p-values never fall."""
    size = len(difference)
    statistic = [abs(difference[k]) / error[k] for k in range(size)]
    order = sorted(range(size), key=lambda k: -statistic[k])
    adjusted, so_far = [0.0] * size, 0.0
    for step, k in enumerate(order):
        so_far = max(so_far, _reached(statistic[k], order[step:], difference, error, rows))
        adjusted[k] = so_far
    return adjusted


def _reached(
    statistic: float,
    among: Sequence[int],
    difference: Sequence[float],
    error: Sequence[float],
    rows: Sequence[Sequence[float]],
) -> float:
    reached = 0
    for row in rows:
        largest = max(abs(row[k] - difference[k]) / error[k] for k in among)
        reached += largest >= statistic
    return (1 + reached) / (1 + len(rows))


def clustered(influence: Sequence[float], cluster: Sequence[int]) -> list[float]:
    """What each cluster adds: the sum of U_i / n over its items."""
    sums = [0.0] * (max(cluster) + 1)
    for value, place in zip(influence, cluster, strict=True):
        sums[place] += value / len(influence)
    return sums


def clustered_error(added: Sequence[float]) -> float:
    """sqrt(m / (m - 1) sum_c T_c^2) over m clusters; T_c sums to 0."""
    m = len(added)
    return math.sqrt(m / (m - 1) * sum(t**2 for t in added))


def alpha_of(rows: Sequence[Sequence[str]], weights: Sequence[float]) -> float:
    """Nominal alpha of two complete annotators, where items stand for ``weights`` of them."""
    counts: dict[str, float] = {}
    for row, weight in zip(rows, weights, strict=True):
        for label in row:
            counts[label] = counts.get(label, 0.0) + weight
    n = sum(counts.values())
    apart = sum(w * (x != y) for (x, y), w in zip(rows, weights, strict=True)) / sum(weights)
    pairs = sum(count * (n - count) for count in counts.values())
    return 1 - apart * n * (n - 1) / pairs if pairs else math.nan


def influences(rows: Sequence[Sequence[str]], step: float = 1e-5) -> list[float]:
    """n times the derivative of alpha by the weight of each item, less their mean."""
    n = len(rows)
    slopes = []
    for place in range(n):
        ends = [
            alpha_of(rows, [1.0 + sign * step * (k == place) for k in range(n)]) for sign in (-1, 1)
        ]
        slopes.append((ends[1] - ends[0]) / (2 * step))
    return [n * (slope - sum(slopes) / n) for slope in slopes]


def studentized(
    a: Sequence[Sequence[Sequence[str]]],
    b: Sequence[Sequence[Sequence[str]]],
    *,
    paired: bool,
    least: float,
) -> float:
    """(B - A) / sqrt(SE^2 + least^2) of documents of items; each error over documents."""
    added, figures = [], []
    for side in (a, b):
        rows = [row for document in side for row in document]
        documents = [k for k, document in enumerate(side) for _ in document]
        figures.append(alpha_of(rows, [1.0] * len(rows)))
        added.append(clustered(influences(rows), documents))
    if paired:
        error = clustered_error([two - one for one, two in zip(*added, strict=True)])
    else:
        error = math.hypot(*(clustered_error(one) for one in added))
    return (figures[1] - figures[0]) / math.hypot(error, least)


def least_error(
    a: Sequence[Sequence[Sequence[str]]], b: Sequence[Sequence[Sequence[str]]]
) -> float:
    """What one document of either set that disagrees takes: 1 / (D_e units), D_e of both sets."""
    ratings = [label for side in (a, b) for document in side for row in document for label in row]
    n = len(ratings)
    expected = sum(n - ratings.count(label) for label in ratings) / (n * (n - 1))
    return math.hypot(*(1 / (expected * len(side)) for side in (a, b)))


def common_margins(
    a: Sequence[Sequence[str]],
    b: Sequence[Sequence[str]],
    weights: Sequence[Sequence[float]] | None = None,
) -> tuple[float, float]:
    """Alpha of two annotators and labels x and y where x is as frequent in both.

    Items that disagree keep their weight, so that with n_d of them, n in all and a share of x of
    tau, n_xx w_xx = tau n - n_d / 2, and the rest of those that agree is yy.
    """
    given = weights or ([1.0] * len(a), [1.0] * len(b))
    shares = [
        sum(w * row.count("x") for row, w in zip(rows, weight, strict=True)) / (2 * sum(weight))
        for rows, weight in zip((a, b), given, strict=True)
    ]
    tau = sum(shares) / 2
    figures = []
    for rows, weight in zip((a, b), given, strict=True):
        total = sum(weight)
        kinds = {
            kind: sum(w for row, w in zip(rows, weight, strict=True) if row.count("x") == kind)
            for kind in range(3)
        }
        both = tau * total - kinds[1] / 2
        times = {2: both / kinds[2], 1: 1.0, 0: (total - kinds[1] - both) / kinds[0]}
        new = [w * times[row.count("x")] for row, w in zip(rows, weight, strict=True)]
        figures.append(alpha_of(rows, new))
    return figures[0], figures[1]


def common_slopes(
    a: Sequence[Sequence[str]], b: Sequence[Sequence[str]], step: float = 1e-5
) -> tuple[list[float], list[float]]:
    """n times the derivative of their difference by the weight of each item, less the mean."""
    found: list[list[float]] = []
    for side, rows in enumerate((a, b)):
        slopes = []
        for place in range(len(rows)):
            ends = []
            for sign in (-1, 1):
                weights = [[1.0] * len(a), [1.0] * len(b)]
                weights[side][place] += sign * step
                one, two = common_margins(a, b, weights)
                ends.append(two - one)
            slopes.append((ends[1] - ends[0]) / (2 * step))
        mean = sum(slopes) / len(slopes)
        found.append([len(rows) * (slope - mean) for slope in slopes])
    return found[0], found[1]


def square_and_add(
    a: tuple[float, float, float], b: tuple[float, float, float]
) -> tuple[float, float]:
    """The interval of b - a from (estimate, low, high) of each; Zou and Donner (2008)."""
    d = b[0] - a[0]
    low = d - math.sqrt((b[0] - b[1]) ** 2 + (a[2] - a[0]) ** 2)
    high = d + math.sqrt((b[2] - b[0]) ** 2 + (a[0] - a[1]) ** 2)
    return low, high
