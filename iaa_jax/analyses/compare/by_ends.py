"""Tests of a difference by its interval, where that is known at every level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import sqrt
from typing import NamedTuple

from iaa_jax._types import Floats
from iaa_jax.engine import Prepared, Resampling
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.direct_ends import KurtosisLaw, kurtosis_laws
from iaa_jax.measure.request import Request

ADDED = "kurtosis_t"
"""What the interval of a difference is called that is made of those of both figures."""

_ROUNDING = 1e-12

_LEAST_P = 1e-9
"""The smallest p-value that is looked for."""

EndsAt = Callable[[float], tuple[float, float]]
"""Both ends of an interval at a level of confidence."""


class SquaredAndAdded(NamedTuple):
    """A difference of two figures of which each has a law of its own.

    Each end is as far off as the ends of both figures that it takes, squared and added, less twice
    their product times the correlation (Zou 2007, https://doi.org/10.1037/1082-989X.12.4.399).
    """

    a: KurtosisLaw
    b: KurtosisLaw
    correlation: float

    @property
    def difference(self) -> float:
        """How much more B agrees."""
        return float(self.b.estimate) - float(self.a.estimate)

    def ends(self, confidence: float) -> tuple[float, float]:
        """The interval of the difference."""
        of_a, of_b = self.a.ends(confidence), self.b.ends(confidence)
        estimate_a, estimate_b = float(self.a.estimate), float(self.b.estimate)

        def reach(a: float, b: float) -> float:
            return sqrt(max(a**2 + b**2 - 2 * self.correlation * a * b, 0.0))

        down = reach(float(of_a.high) - estimate_a, estimate_b - float(of_b.low))
        up = reach(estimate_a - float(of_a.low), float(of_b.high) - estimate_b)
        return self.difference - down, self.difference + up

    @property
    def p_value(self) -> float:
        """That of the interval."""
        return p_value_of(self.ends, self.difference)

    def equivalence(self, margin: float) -> float:
        """That of the interval, by a margin."""
        return equivalence_of(self.ends, margin)


def laws_of_each(
    requests: Sequence[Request],
    sides: Sequence[tuple[Prepared, Sequence[Agreement], Sequence[Floats]]],
    options: IntervalOptions,
) -> list[tuple[KurtosisLaw, KurtosisLaw]]:
    """How both figures of each coefficient vary by themselves.

    ``sides`` have the coefficients on the items of A and of B, their estimates and derivatives.
    """
    if not requests:
        return []
    of_a, of_b = (
        kurtosis_laws(
            [
                replace(request, problem=problem)
                for request, problem in zip(requests, prepared.problems, strict=True)
            ],
            *(agreements, gradients, prepared),
            requests[0].interval(options),
            Resampling(),
        )
        for prepared, agreements, gradients in sides
    )
    return [*zip(of_a, of_b, strict=True)]


def p_value_of(ends_at: EndsAt, difference: float) -> float:
    """One less the confidence of the interval that ends at 0."""
    if abs(difference) <= _ROUNDING:
        return 1.0

    def short_of_0(p_value: float) -> float:
        """How far the interval is from leaving 0 out: the less, the larger p."""
        low, high = ends_at(1 - p_value)
        return -low if difference > 0 else high

    return _where_below_0(short_of_0, 1.0)


def equivalence_of(ends_at: EndsAt, margin: float) -> float:
    """The smallest p at which the interval of 1 - 2 p lies within the margin."""

    def beyond(p_value: float) -> float:
        """How far the interval reaches beyond the margin: the less, the larger p."""
        low, high = ends_at(1 - 2 * p_value)
        return max(high, -low) - margin

    return _where_below_0(beyond, 0.5)


def _where_below_0(falling: Callable[[float], float], most: float) -> float:
    """The smallest p up to ``most`` at which a falling function is below 0; 1 where it is not."""
    from scipy.optimize import brentq

    if not falling(most) < 0:
        return 1.0
    if falling(_LEAST_P) < 0:
        return _LEAST_P
    return float(brentq(falling, _LEAST_P, most, xtol=1e-15))
