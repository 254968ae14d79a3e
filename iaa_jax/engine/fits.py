"""Methods repeated until nothing changes, on NumPy."""

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
"""Bytes, a little less than the largest block that glibc learns to keep."""


_LEAST = 1e-15
"""The least change that rounding does not make."""


class Tolerance(NamedTuple):
    """When a method has come to an end: a change below ``change``, or so many steps."""

    change: float = 1e-6
    steps: int = 1000


class Fit(NamedTuple):
    """Where a method ended; of several rows every array has them first."""

    state: Any
    skill: Floats
    iterations: Integers
    converged: np.ndarray[Any, np.dtype[np.bool_]]

    def row(self, number: int) -> Fit:
        """One of several."""
        state = type(self.state)(*(part[number] for part in self.state))
        return Fit(state, *(part[number] for part in self[1:]))

    @classmethod
    def stacked(cls, fits: Iterable[Fit]) -> Fit:
        """Fits of one row each as a fit of several."""
        states, *others = zip(*fits, strict=True)
        parts = zip(*states, strict=True)
        state = type(states[0])(*(np.stack([np.asarray(row) for row in part]) for part in parts))
        return cls(state, *(np.stack(each) for each in others))


class FitRow(NamedTuple):
    """One row of weights and options, and the probability it starts from."""

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
    """The start and what each step makes of it, to the end; on NumPy."""
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
    """What each step makes of a state."""
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
    """One fit, on NumPy: it does not pay for a compilation."""
    steps_of = accelerated(method, tolerance)
    every = enumerate(states(steps_of, data, weights, probability, tolerance, options))
    ((steps, state),) = deque(every, maxlen=1)
    return ended_fit(state, steps, tolerance)


def accelerated(method: Method, tolerance: Tolerance) -> Method:
    """The method with extrapolations between its steps, if these raise a likelihood.

    A tolerance that nothing meets asks for so many steps, and these are plain.
    """
    moves: tuple[str, ...] = getattr(method, "moves", ())
    if moves and tolerance.change > _LEAST:
        return Squared(cast(Climbing, method))
    return method


def resume(
    method: Method, data: Data, row: FitRow, state: Any, steps: int, tolerance: Tolerance
) -> Fit:
    """The fit of a row that has reached a state in so many steps; on NumPy."""
    left = tolerance._replace(steps=tolerance.steps - steps)
    more = _steps(method, data, row.weights, state, left, row.options)
    ((steps, state),) = deque(enumerate(chain([state], more), steps), maxlen=1)
    return ended_fit(state, steps, tolerance)


def ended_fit(state: Any, steps: int, tolerance: Tolerance) -> Fit:
    """The fit that has reached its last state."""
    ended = np.asarray(state.change < tolerance.change)
    if isinstance(state, Accelerated):
        state = state.state
    return Fit(state, np.asarray(state.skill), np.asarray(steps), ended)


def _keep_memory() -> None:
    """Let the C library keep what arrays give back: steps of large data take half the time.

    glibc returns large blocks to the system at once, and gets their pages anew for every array,
    until one as large was freed.
    """
    np.empty(_LARGE, dtype=np.uint8)
