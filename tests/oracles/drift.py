"""Drift by slow loops: windows and cuts as item weights of another oracle, influences by steps."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from scipy.optimize import minimize

Figure = Callable[[Sequence[float]], float]
"""A coefficient of the ratings at hand as a function of the weights of their items."""


def window(
    times: Sequence[float],
    at: float,
    bandwidth: float,
    pairable: Sequence[bool],
    own: Sequence[float] | None = None,
) -> list[float]:
    """Epanechnikov weights that weigh what they are worth; ``own`` are numbers of like items."""
    own = own or [1.0] * len(times)
    kernel = [max(0.0, 1 - ((time - at) / bandwidth) ** 2) for time in times]
    one = sum(w * k for w, k, held in zip(own, kernel, pairable, strict=True) if held)
    two = sum(w * k * k for w, k, held in zip(own, kernel, pairable, strict=True) if held)
    return [w * k * one / two if two else 0.0 for w, k in zip(own, kernel, strict=True)]


def derivatives(
    figure: Figure, weights: Sequence[float], places: Sequence[int], step: float = 1e-5
) -> list[float]:
    """By the weights of these items, from both sides."""
    found = []
    for place in places:
        ends = []
        for sign in (1, -1):
            moved = list(weights)
            moved[place] += sign * step
            ends.append(figure(moved))
        found.append((ends[0] - ends[1]) / (2 * step))
    return found


def standard_error(figure: Figure, weights: Sequence[float]) -> float:
    """``m / (m - 1) sum K^2 (g - gbar)^2`` under the root, over items with weight."""
    held = [place for place, weight in enumerate(weights) if weight > 0]
    slopes = derivatives(figure, weights, held)
    counts = [weights[place] for place in held]
    total = sum(counts)
    mean = sum(count * slope for count, slope in zip(counts, slopes, strict=True)) / total
    spread = sum((count * (slope - mean)) ** 2 for count, slope in zip(counts, slopes, strict=True))
    return math.sqrt(total / (total - 1) * spread)


def cut(figure: Figure, times: Sequence[float], first_after: float) -> tuple[float, float, float]:
    """Before, after, and the step in standard errors."""
    before = [float(time < first_after) for time in times]
    after = [1 - weight for weight in before]
    figures = figure(before), figure(after)
    errors = standard_error(figure, before), standard_error(figure, after)
    return *figures, (figures[1] - figures[0]) / math.hypot(*errors)


def own_line(
    times: Sequence[float], values: Sequence[float], errors: Sequence[float]
) -> tuple[float, float]:
    """The slope through figures weighted by 1 / SE^2, and its standard error."""
    weights = [1 / error**2 for error in errors]
    total = sum(weights)
    middle = sum(w * t for w, t in zip(weights, times, strict=True)) / total
    squares = sum(w * (t - middle) ** 2 for w, t in zip(weights, times, strict=True))
    above = sum(w * (t - middle) * v for w, t, v in zip(weights, times, values, strict=True))
    return above / squares, 1 / math.sqrt(squares)


def own_mean(values: Sequence[float], errors: Sequence[float]) -> tuple[float, float]:
    """The mean weighted by 1 / SE^2, and its standard error."""
    total = sum(1 / error**2 for error in errors)
    mean = sum(value / error**2 for value, error in zip(values, errors, strict=True)) / total
    return mean, 1 / math.sqrt(total)


def tilted(
    features: Sequence[Sequence[float]],
    batch: Sequence[int],
    cluster: Sequence[int] | None = None,
) -> list[list[float]]:
    """For each batch the weights of all items: nearest to equal ones with its mean features.

    Means go towards that of all items by James and Stein's factor; items of a cluster weigh alike.
    """
    x, batches = np.array(features, dtype=float), np.array(batch)
    group = np.arange(len(x)) if cluster is None else np.array(cluster)
    mean = x.mean(axis=0)
    sums = np.array([(x[group == one] - mean).sum(axis=0) for one in np.unique(group)])
    spread = sums.T @ sums / len(x)
    inverse = np.linalg.pinv(spread, rcond=1e-9, hermitian=True)
    away = [x[batches == one].mean(axis=0) - mean for one in np.unique(batches)]
    sizes = [float((batches == one).sum()) for one in np.unique(batches)]
    distance = sum(n * d @ inverse @ d for n, d in zip(sizes, away, strict=True))
    degrees = (len(away) - 1) * np.linalg.matrix_rank(spread, tol=1e-9, hermitian=True)
    factor = max(0.0, 1 - degrees / distance)
    rows = []
    for size, one in zip(sizes, away, strict=True):
        moments = np.array(
            [(x[group == k] - mean - factor * one).sum(axis=0) for k in np.unique(group)]
        )

        def value(theta, moments=moments):
            return np.log(np.exp(moments @ theta).sum())

        found = minimize(value, np.zeros(x.shape[1]), method="BFGS", options={"gtol": 1e-9})
        share = np.exp(moments @ found.x)
        weight = share[np.unique(group, return_inverse=True)[1]]
        rows.append((size * weight / weight.sum()).tolist())
    return rows


def tilted_error(
    figure: Figure, weights: Sequence[float], cluster: Sequence[int] | None = None
) -> float:
    """The standard error of a figure of items that are drawn with these weights."""
    everyone = list(range(len(weights)))
    slopes = derivatives(figure, weights, everyone)
    total = sum(weights)
    mean = sum(w * g for w, g in zip(weights, slopes, strict=True)) / total
    if cluster is None:
        spread = sum(w * (g - mean) ** 2 for w, g in zip(weights, slopes, strict=True))
        return math.sqrt(total / (total - 1) * spread)
    names = sorted(set(cluster))
    members = {name: [k for k in everyone if cluster[k] == name] for name in names}
    weight_of = {name: weights[members[name][0]] for name in names}
    whole = sum(weight_of.values())
    items = sum(weight_of[name] * len(members[name]) for name in names) / whole
    spread = sum(
        weight_of[name] / whole * sum(slopes[k] - mean for k in members[name]) ** 2
        for name in names
    )
    return math.sqrt(len(names) / (len(names) - 1) * total / items * spread)


def without_each(
    figures: Sequence[Figure], rows: Sequence[Sequence[float]]
) -> tuple[list[list[float]], list[float]]:
    """The jackknife over annotators: covariances between rows, and what items make of each.

    ``figures`` are of the ratings without one annotator each.
    """
    number = len(figures)
    away: list[list[float]] = []
    sampled: list[float] = []
    for row in rows:
        found = [figure(row) for figure in figures]
        mean = sum(found) / number
        away.append([value - mean for value in found])
        held = [place for place, weight in enumerate(row) if weight > 0]
        total = sum(row)
        centred = []
        for figure in figures:
            slopes = derivatives(figure, row, held)
            middle = sum(row[k] * g for k, g in zip(held, slopes, strict=True)) / total
            centred.append([slope - middle for slope in slopes])
        spread = 0.0
        for place, of_item in zip(held, zip(*centred, strict=True), strict=True):
            of_all = sum(of_item) / number
            spread += row[place] * sum((one - of_all) ** 2 for one in of_item)
        sampled.append((number - 1) / number * spread)
    covariance = [
        [
            (number - 1) / number * sum(a * b for a, b in zip(one, other, strict=True))
            for other in away
        ]
        for one in away
    ]
    return covariance, sampled
