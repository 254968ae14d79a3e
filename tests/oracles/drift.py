"""Drift by slow loops: windows and cuts as item weights of another oracle, influences by steps."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

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
