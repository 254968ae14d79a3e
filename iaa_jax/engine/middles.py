"""Numbers of sets that lie far from each other: each is counted from a middle of its own.

Squares of numbers that are counted from one middle lose the digits of a set that lies far from it:
a million times its own spread away, all but four. So where rows of weights are sets, windows or
batches, the statistics are told where these lie (`iaa_jax.kernels.kernel.Kernel.counting_from`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax._types import Floats
from iaa_jax.engine.problem import Problem

_MOST = 32
"""Middles, beyond which sets keep the digits that they have: sums of each two are worked out."""


class _RowPlace(NamedTuple):
    """Where the numbers of a row lie: the one in the middle, and the spread of the inner half."""

    middle: float
    spread: float


def with_middles(problem: Problem, rows: Floats) -> Problem:
    """The same coefficient, so that it keeps its digits at each of these rows (row, pattern).

    As it stands where no row lies many times its own spread away from the middle of all.
    """
    if not uses_moments(problem):
        return problem
    middles = _middles(problem, rows)
    if len(middles) < 2:
        return problem
    kernel = problem.kernel.counting_from(middles)
    return replace(problem, measure=replace(problem.measure, kernel=kernel))


def as_shortfall(problem: Problem) -> Problem:
    """What is missing to 1, with a minus, in the place of the figure: differences keep digits.

    Sets whose numbers are mixed, and lie far from each other, have figures of nearly 1. As it
    stands where figures are not of numbers.
    """
    if not uses_moments(problem):
        return problem
    return replace(problem, options={**problem.options, "whole": 0.0})


def uses_moments(problem: Problem) -> bool:
    """Whether a coefficient is made of sums of numbers, and of their squares."""
    return problem.factored and problem.kernel.several_middles


def _middles(problem: Problem, rows: Floats) -> list[float]:
    """The middle of all, and those of rows that are too far from every other one."""
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
    # what the coefficient counts from by itself, whatever rows there are
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
    # numbers of the data, of which those near them are exact differences
    place = np.searchsorted(on_scale, np.sort(middle)).clip(max=len(value) - 1)
    return [float(number) for number in np.unique(value[place])]


def _place(value: Floats, weight: Floats) -> _RowPlace | None:
    """Where the numbers lie, in order, under these weights; None where none has any."""
    reached = np.cumsum(weight)
    if not len(reached) or not reached[-1] > 0:
        return None
    low, middle, high = value[np.searchsorted(reached, reached[-1] * np.array([0.25, 0.5, 0.75]))]
    spread = high - low
    if not spread > 0:
        spread = float(np.sqrt((weight * (value - middle) ** 2).sum() / reached[-1]))
    return _RowPlace(float(middle), float(spread))
