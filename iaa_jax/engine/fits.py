"""Fit labelling methods, which estimate gold labels from ratings, step by step with NumPy."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple, cast

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.kernels.labelling.accelerated import Accelerated, Climbing, Squared
from iaa_jax.kernels.labelling.method import Data, Method, Options, Weights

_LARGE = 31 * 2**20
"""A size in bytes: glibc may keep a freed block of this size for later use, but not larger ones."""


_LEAST = 1e-15
"""The smallest change that is more than rounding error."""


class Tolerance(NamedTuple):
    """When a method stops: after a change below ``change``, or after ``steps`` steps."""

    change: float = 1e-6
    steps: int = 1000


class Fit(NamedTuple):
    """The result of a labelling method; with several rows of weights, the first axis is rows."""

    state: Any
    skill: Floats
    iterations: Integers
    converged: np.ndarray[Any, np.dtype[np.bool_]]

    def row(self, number: int) -> Fit:
        """Return one of several fits."""
        state = type(self.state)(*(part[number] for part in self.state))
        return Fit(state, *(part[number] for part in self[1:]))

    @classmethod
    def stacked(cls, fits: Iterable[Fit]) -> Fit:
        """Join fits of one row each into one fit of several rows."""
        states, *others = zip(*fits, strict=True)
        parts = zip(*states, strict=True)
        state = type(states[0])(*(np.stack([np.asarray(row) for row in part]) for part in parts))
        return cls(state, *(np.stack(each) for each in others))


class FitRow(NamedTuple):
    """One row of weights and options, and its starting probabilities (item, label)."""

    weights: Weights
    options: Options
    start: Floats


def states(
    method: Method,
    data: Data,
    weights: Weights,
    probability: Floats,
    tolerance: Tolerance,
    options: Options = (),
) -> Iterator[Any]:
    """Yield the initial state and the state after each step until the method stops."""
    _keep_memory()
    state = method.start(data, weights, probability, options)
    yield state
    yield from _steps(method, data, weights, state, tolerance, options)


def _steps(
    method: Method,
    data: Data,
    weights: Weights,
    state: Any,
    tolerance: Tolerance,
    options: Options,
) -> Iterator[Any]:
    steps = 0
    while not state.change < tolerance.change and steps < tolerance.steps:
        state = method.step(data, weights, state, options)
        steps += 1
        yield state


def fit(
    method: Method,
    data: Data,
    weights: Weights,
    probability: Floats,
    tolerance: Tolerance,
    options: Options = (),
) -> Fit:
    """Return one fit, computed with NumPy."""
    steps_of = accelerated(method, tolerance)
    numbered_states = enumerate(states(steps_of, data, weights, probability, tolerance, options))
    ((steps, state),) = deque(numbered_states, maxlen=1)
    return ended_fit(state, steps, tolerance)


def accelerated(method: Method, tolerance: Tolerance) -> Method:
    """Return the method with extrapolations between its steps, if its steps raise a likelihood.

    A tolerance below rounding error requests a fixed number of steps, without extrapolations.
    """
    moves: tuple[str, ...] = getattr(method, "moves", ())
    if moves and tolerance.change > _LEAST:
        return Squared(cast(Climbing, method))
    return method


def resume(
    method: Method, data: Data, row: FitRow, state: Any, steps: int, tolerance: Tolerance
) -> Fit:
    """Return the fit of a row, continued with NumPy from a state after some steps."""
    remaining = tolerance._replace(steps=tolerance.steps - steps)
    further_states = _steps(method, data, row.weights, state, remaining, row.options)
    ((steps, state),) = deque(enumerate(chain([state], further_states), steps), maxlen=1)
    return ended_fit(state, steps, tolerance)


def ended_fit(state: Any, steps: int, tolerance: Tolerance) -> Fit:
    """Return the fit from its last state."""
    ended = np.asarray(state.change < tolerance.change)
    if isinstance(state, Accelerated):
        state = state.state
    return Fit(state, np.asarray(state.skill), np.asarray(steps), ended)


def _keep_memory() -> None:
    """Make the C library keep freed memory, which halves the time of steps on large data.

    glibc returns large blocks to the system until it has seen a block of that size freed.
    """
    np.empty(_LARGE, dtype=np.uint8)
