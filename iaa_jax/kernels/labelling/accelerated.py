"""Extrapolation that saves steps of an iterative method, and is undone if the likelihood falls.

Varadhan and Roland (2008). Simple and globally convergent methods for accelerating the convergence
of any EM algorithm. Scandinavian Journal of Statistics 35(2).
https://doi.org/10.1111/j.1467-9469.2007.00585.x

Two steps lead from parameters t_0 to t_1 and t_2. With r = t_1 - t_0 and v = t_2 - t_1 - r, the
third step starts from

    t' = t_0 + 2 a r + a^2 v,        a = |r| / |v|, at least 1 and at most the reach.

For a = 1, t' is t_2. The reach is a limit that changes with success. If the likelihood at t' is
below its last known value, at t_1, or if label probabilities change by more than `JUMP`, the
extrapolation is undone: the next step starts from t_2, and the reach falls to a quarter, but not
below its first value. After a successful extrapolation by the full reach, the reach grows fourfold.

Extrapolation far from a maximum may lead to a lower maximum, so only small steps are extrapolated.
Steps are also small near a saddle, which they leave slowly; iteration therefore ends only when
steps decrease and are ten times smaller than the tolerance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from iaa_jax.kernels.labelling.method import Data, Method, Options, Parameters, Weights, items_of
from iaa_jax.kernels.namespace import Array, Namespace, namespace

NEAR = 1e-3
"""A step is extrapolated only if it changes every probability by less than this."""

JUMP = 0.1
"""The largest change of a probability that an extrapolation may make."""

LEAP, FARTHEST = 2, 3
"""Phases: after an extrapolation by less than the reach, and after one by the full reach."""

FIRST_REACH, FURTHER = 4.0, 4.0
"""The first and smallest reach, and the factor by which the reach grows or falls."""

CLOSER = 10.0
"""Factor by which the last change at convergence is smaller than the tolerance."""

_ROUNDING = 1e-13
"""Relative rounding error of a likelihood, a sum of thousands of logs."""


class Climbing(Method, Protocol):
    """A method whose steps raise a likelihood.

    The ``log_likelihood`` of a state is computed at the parameters from which its step started.
    """

    @property
    def moves(self) -> tuple[str, ...]:
        """Names of the state's arrays from which a step starts; empty if few steps are needed."""

    def within(self, parameters: Parameters, options: Options) -> Parameters:
        """Return the nearest admissible parameters."""


class Accelerated(NamedTuple):
    """The current state, and the parameters from which the next step starts."""

    state: Any
    next: Parameters
    first: Parameters  # t_0
    phase: Array  # 0 or 1 if the next step is plain; `LEAP`, `FARTHEST` if it is from t'
    reach: Array
    before: Array  # the change of the last plain step
    change: Array  # `CLOSER` times the last change, infinite if iteration must continue


@dataclass(frozen=True)
class Squared:
    """A method with extrapolations between its steps; ``method`` computes the steps."""

    method: Climbing

    def start(
        self, data: Data, weights: Weights, probability: Array, options: Options
    ) -> Accelerated:
        """Return the initial state of the method, without extrapolation."""
        state = self.method.start(data, weights, probability, options)
        zero = namespace(state.change).zeros_like(state.change)
        parameters = self._parameters(state)
        infinite = zero + state.change
        return Accelerated(
            state, parameters, parameters, zero, zero + FIRST_REACH, infinite, infinite
        )

    def step(self, data: Data, weights: Weights, at: Accelerated, options: Options) -> Accelerated:
        """Return the state after a step, with the parameters for the next one."""
        xp = namespace(at.phase)
        moved = at.state._replace(**dict(zip(self.method.moves, at.next, strict=True)))
        after = self.method.step(data, weights, moved, options)
        plain, second = at.phase < LEAP, at.phase == 1
        least = at.state.log_likelihood - _ROUNDING * xp.abs(at.state.log_likelihood)
        good = plain | ((after.log_likelihood >= least) & (after.change <= JUMP))
        parameters = self._parameters(after)
        state = _chosen(xp, good, after, at.state)
        further, a = self._parameters(state), at.reach
        leaps = second & (after.change < NEAR)
        if not (isinstance(leaps, np.bool_) and not leaps):
            a, guess = self._extrapolated(xp, at, parameters, weights, options)
            leaps = leaps & (a > 1)
            further = _chosen(xp, leaps, guess, further)
        falls = second & (after.change <= at.before)
        infinite = xp.zeros_like(after.change) + xp.inf
        one = xp.ones_like(at.reach)
        reach = xp.where(good & (at.phase == FARTHEST), at.reach * FURTHER, at.reach)
        reach = xp.where(good, reach, at.reach / FURTHER)
        leap = xp.where(a < at.reach, LEAP * one, FARTHEST * one)
        return Accelerated(
            state,
            further,
            _chosen(xp, at.phase == 0, at.next, at.first),
            xp.where(at.phase == 0, one, xp.where(leaps, leap, 0 * one)),
            xp.where(reach < FIRST_REACH, one * FIRST_REACH, reach),
            xp.where(plain, after.change, at.before),
            xp.where(falls, CLOSER * after.change, infinite),
        )

    def first_items(self, at: Accelerated, items: int) -> Accelerated:
        """Return the state of only the first ``items`` items."""
        item_moves = getattr(self.method, "item_moves", ())

        def cut(parameters: Parameters) -> Parameters:
            named = zip(self.method.moves, parameters, strict=True)
            return tuple(part[:items] if name in item_moves else part for name, part in named)

        state = items_of(at.state, slice(items))
        return at._replace(state=state, next=cut(at.next), first=cut(at.first))

    def _parameters(self, state: Any) -> Parameters:
        return tuple(getattr(state, name) for name in self.method.moves)

    def _extrapolated(
        self, xp: Namespace, at: Accelerated, t_2: Parameters, weights: Weights, options: Options
    ) -> tuple[Array, Parameters]:
        """Return the step length a, and the extrapolated parameters; ``at.next`` is t_1."""
        r = [after - before for after, before in zip(at.next, at.first, strict=True)]
        v = [third - second - step for third, second, step in zip(t_2, at.next, r, strict=True)]
        along = [self._counts(xp, name, weights) for name in self.method.moves]
        length, bend = (
            sum(xp.sum(counts * part * part) for counts, part in zip(along, parts, strict=True))
            for parts in (r, v)
        )
        a = xp.sqrt(length / xp.where(bend > 0, bend, length + 1))
        a = xp.clip(a, xp.ones_like(a), at.reach)
        guess = tuple(
            first + 2 * a * step + a * a * turn
            for first, step, turn in zip(at.first, r, v, strict=True)
        )
        return a, self.method.within(guess, options)

    def _counts(self, xp: Namespace, name: str, weights: Weights) -> Array | float:
        """Return the factors of parameters in the step length: 0 for items of weight 0, else 1."""
        item_moves = getattr(self.method, "item_moves", ())
        return xp.astype(weights.item > 0, weights.item.dtype) if name in item_moves else 1.0


def _chosen(xp: Namespace, which: Array, first: Any, second: Any) -> Any:
    if isinstance(which, bool | np.bool_):
        return first if which else second
    if isinstance(first, tuple):
        parts = [_chosen(xp, which, *each) for each in zip(first, second, strict=True)]
        return type(first)(*parts) if hasattr(first, "_fields") else tuple(parts)
    return xp.where(which, first, second)
