"""Sets of numbers that lie far from each other: each set gets its own middle value.

If all numbers are relative to one middle, squares lose digits for a set far from it: a set at a
distance of a million times its own spread keeps only four digits. The statistics of rows of weights
that select such sets therefore use several middles. A problem is one coefficient on one table of
patterns (sets of items with the same ratings).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax._types import Floats
from iaa_jax.engine.problem import Problem

_MOST = 32
"""The maximum number of middles, since sums are computed for every pair of middles."""


class _RowPlace(NamedTuple):
    """The median of a row's numbers, and their spread.

    The spread is the interquartile range or, if that is 0, the root mean square deviation from the
    median.
    """

    middle: float
    spread: float


def with_middles(problem: Problem, rows: Floats) -> Problem:
    """Return the coefficient with enough middles to keep digits at each row of weights.

    ``rows`` are (row, pattern). The coefficient is unchanged if no row's numbers lie many times
    their own spread away from the overall middle.
    """
    if not uses_moments(problem):
        return problem
    middles = _middles(problem, rows)
    if len(middles) < 2:
        return problem
    kernel = problem.kernel.counting_from(middles)
    return replace(problem, measure=replace(problem.measure, kernel=kernel))


def as_shortfall(problem: Problem) -> Problem:
    """Return the problem with its estimate minus 1, so that differences of estimates keep digits.

    Sets of numbers that lie far from each other, taken together, have estimates close to 1. A
    coefficient that uses no sums of squares is not changed.
    """
    if not uses_moments(problem):
        return problem
    return replace(problem, options={**problem.options, "whole": 0.0})


def uses_moments(problem: Problem) -> bool:
    """Tell whether a coefficient uses sums of numbers and of their squares."""
    return problem.factored and problem.kernel.several_middles


def _middles(problem: Problem, rows: Floats) -> list[float]:
    """Return the overall middle, and the middles of rows too far from it.

    Return [] if no row has a spread.
    """
    of_ratios = problem.measure.depends_on == "ratios"
    numbers = problem.data
    counted = numbers > 0 if of_ratios else ~np.isnan(numbers)
    counting = np.broadcast_to(problem.raters.rating_weight() > 0, numbers.shape)
    pattern, column = np.nonzero(counted)
    value = numbers[pattern, column]
    order = np.argsort(value)
    value, pattern = value[order], pattern[order]
    counts = counting[pattern, column[order]]
    on_scale = np.log(value) if of_ratios else value
    places = [_place(on_scale, row[pattern] * counts) for row in rows]
    varied = np.array([each for each in places if each and each.spread > 0]).reshape(-1, 2)
    if not len(varied):
        return []
    assert problem.kernel.common is not None
    common: Any = problem.kernel.common(numbers, problem.raters)
    first = float(common.middles[0])
    middle = np.array([np.log(first or 1.0) if of_ratios else first])
    while len(middle) < _MOST and len(varied):
        distance = np.abs(varied[:, :1] - middle).min(axis=1)
        farthest = int(np.argmax(distance / varied[:, 1]))
        if distance[farthest] <= thresholds.FAR_APART * varied[farthest, 1]:
            break
        middle = np.append(middle, varied[farthest, 0])
    # middles are numbers of the data: differences from nearby numbers are then exact
    place = np.searchsorted(on_scale, np.sort(middle)).clip(max=len(value) - 1)
    return [float(number) for number in np.unique(value[place])]


def _place(value: Floats, weight: Floats) -> _RowPlace | None:
    reached = np.cumsum(weight)
    if not len(reached) or not reached[-1] > 0:
        return None
    low, middle, high = value[np.searchsorted(reached, reached[-1] * np.array([0.25, 0.5, 0.75]))]
    spread = high - low
    if not spread > 0:
        spread = float(np.sqrt((weight * (value - middle) ** 2).sum() / reached[-1]))
    return _RowPlace(float(middle), float(spread))
