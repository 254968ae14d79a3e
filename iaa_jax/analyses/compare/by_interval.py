"""Intervals of a difference at any confidence level, and the p-values that follow from them.

`SquaredAndAdded` combines the intervals of the estimates in both sets, A and B. `ZeroSpreadBound`
is for a set without disagreement, or for a difference without spread, whose standard error is 0.
The binomial distribution bounds the disagreement that such a set may hide, and the square-and-add
rule (Zou and Donner 2008) combines this bound with the interval of the other set. A permutation
test would find small differences significant, since the standard errors of permuted sets are near
0, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import sqrt
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.engine import Prepared, Resampling
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.intervals.direct_ends import KurtosisDistribution, kurtosis_distributions
from iaa_jax.measure.options.resolved_interval import resolve
from iaa_jax.measure.ratings.magnitude import restore_squares
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.spread import Bounds, Spread, Unanimity, ends_of, unanimous_lower_end
from iaa_jax.wording import Note

ADDED = "kurtosis_t"

BOUNDED = "square_and_add"
"""Name of the interval if a standard error is 0."""

_ROUNDING = 1e-12

_SEEN = 1e-6
"""Minimum expected disagreement d of which 1 - d retains ten digits."""

_LEAST_P = 1e-9
"""Lower bound of the search for a p-value."""

EndsAt = Callable[[float], tuple[float, float]]
"""Function from a confidence level to the ends of the interval."""


class SquaredAndAdded(NamedTuple):
    """A difference of two estimates, each with its own distribution.

    If x and y are the distances of the two estimates from ends of their own intervals, and r is the
    correlation of the estimates, the end of this interval lies ``sqrt(x^2 + y^2 - 2 r x y)`` from
    the difference (Zou 2007, https://doi.org/10.1037/1082-989X.12.4.399).
    """

    a: KurtosisDistribution
    b: KurtosisDistribution
    correlation: float

    @property
    def difference(self) -> float:
        """Estimate of B minus estimate of A."""
        return float(self.b.estimate) - float(self.a.estimate)

    def ends(self, confidence: float) -> tuple[float, float]:
        """Return the interval of the difference."""
        of_a, of_b = self.a.ends(confidence), self.b.ends(confidence)
        estimate_a, estimate_b = float(self.a.estimate), float(self.b.estimate)

        def reach(a: float, b: float) -> float:
            return sqrt(max(a**2 + b**2 - 2 * self.correlation * a * b, 0.0))

        down = reach(float(of_a.high) - estimate_a, estimate_b - float(of_b.low))
        up = reach(estimate_a - float(of_a.low), float(of_b.high) - estimate_b)
        return self.difference - down, self.difference + up


def distributions_of_each(
    requests: Sequence[Request],
    sides: Sequence[tuple[Prepared, Sequence[Agreement], Sequence[Floats]]],
    options: IntervalOptions,
) -> list[tuple[KurtosisDistribution, KurtosisDistribution]]:
    """Return the distributions of each coefficient's estimates in A and in B.

    ``sides`` holds, for A and for B, the prepared coefficients, their estimates and derivatives.
    """
    if not requests:
        return []
    of_a, of_b = (
        kurtosis_distributions(
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
    """Return 1 minus the confidence of the interval that has 0 as an end."""
    if abs(difference) <= _ROUNDING:
        return 1.0

    def short_of_0(p_value: float) -> float:
        low, high = ends_at(1 - p_value)
        return -low if difference > 0 else high

    return _where_below_0(short_of_0, 1.0)


def equivalence_of(ends_at: EndsAt, margin: float) -> float:
    """Return the smallest p at which the interval with confidence 1 - 2 p is within the margin."""

    def beyond(p_value: float) -> float:
        low, high = ends_at(1 - 2 * p_value)
        return max(high, -low) - margin

    return _where_below_0(beyond, 0.5)


def _where_below_0(falling: Callable[[float], float], largest: float) -> float:
    """Return the smallest p up to ``largest`` at which a falling function is below 0, or else 1."""
    from scipy.optimize import brentq

    if not falling(largest) < 0:
        return 1.0
    if falling(_LEAST_P) < 0:
        return _LEAST_P
    return float(brentq(falling, _LEAST_P, largest, xtol=1e-15))


class OneSide(NamedTuple):
    """One set: its estimate, its spread, and the disagreement that it may hide.

    ``hidden`` has the number of units (items or clusters), and how far the estimate would fall if
    all units disagreed (None if unknown). ``unanimous`` equals ``hidden`` if all items agree,
    and is None otherwise.
    """

    name: str
    estimate: float
    error: float
    degrees: float
    bounds: Bounds
    units: float
    hidden: Unanimity | None
    unanimous: Unanimity | None

    def ends(self, confidence: float) -> tuple[float, float]:
        """Return the interval: exact binomial if all items agree, otherwise Student's t."""
        skewness = np.asarray(0.0)
        spread = Spread(np.asarray(self.error), self.degrees, skewness, unanimous=self.unanimous)
        student = resolve(IntervalOptions(interval="t"))
        interval = replace(student, on_unbounded_scale=True, bounded=True, cut=True)
        low, high = ends_of(np.asarray(self.estimate), spread, interval, self.bounds, confidence)
        return float(low), float(high)


class ZeroSpreadBound(NamedTuple):
    """The interval of a difference, where a standard error of 0 would claim too much certainty.

    ``same`` means that the sets differ on no common item. ``units`` is "items" or "clusters".
    """

    a: OneSide
    b: OneSide
    same: bool
    units: str

    @property
    def known(self) -> bool:
        """Whether there is a bound."""
        if self.same:
            return self.a.hidden is not None and self.b.hidden is not None
        return all(side.error > 0 or side.unanimous is not None for side in (self.a, self.b))

    def ends(self, confidence: float) -> tuple[float, float]:
        """Return the interval of the difference; NaN if there is no bound."""
        a, b = self.a.hidden, self.b.hidden
        difference = self.b.estimate - self.a.estimate
        if self.same and a is not None and b is not None:
            hidden = Unanimity(self._fewest_units, max(a.step, b.step))
            reach = 1 - float(unanimous_lower_end(hidden, confidence))
            return difference - reach, difference + reach
        if not self.known:
            return np.nan, np.nan
        (low_a, high_a), (low_b, high_b) = (side.ends(confidence) for side in (self.a, self.b))
        down = np.hypot(self.b.estimate - low_b, high_a - self.a.estimate)
        up = np.hypot(high_b - self.b.estimate, self.a.estimate - low_a)
        return float(difference - down), float(difference + up)

    def note(self, *, p_value: bool, interval: bool) -> Note:
        """Return the note on the interval and on p."""
        bounded = interval and self.known
        if self.same:
            values = {"units": self._fewest_units, "what": self.units}
            bound = Note("bounded_by_all_alike", values) if bounded else ""
            return Note("sets_do_not_differ", {"bound": bound})
        sides = [
            Note(
                "set_without_spread" if side.unanimous is None else "set_without_disagreement",
                {"set": side.name, "units": side.units, "what": self.units},
            )
            for side in (self.a, self.b)
            if side.unanimous is not None or side.error == 0
        ]
        p_code = "" if self.known else "p_by_exchange" if p_value else "no_p_value"
        values = {
            "sides": sides or [Note("difference_without_spread")],
            "interval": Note("bounded_by_unanimity" if bounded else "no_interval"),
            "p": Note(p_code) if p_code else "",
        }
        return Note("zero_spread", values)

    @property
    def _fewest_units(self) -> float:
        return min(self.a.units, self.b.units)


def one_side(
    name: str, request: Request, agreement: Agreement, error: float, units: float
) -> OneSide:
    """Return one set; ``units`` is the effective number of its items, or its clusters if fewer."""
    step = disagreement_effect(request, agreement)
    hidden = Unanimity(units, step) if step else None
    estimate, observed = float(agreement.estimate), float(agreement.observed)
    unanimous = hidden if min(observed, estimate) >= 1 - _ROUNDING else None
    return OneSide(name, estimate, error, units - 1, request.bounds, units, hidden, unanimous)


def disagreement_effect(request: Request, agreement: Agreement) -> float:
    """Return the fall of the estimate per share of items that disagree completely.

    It is 0 if unknown: for numbers, users' functions, coefficients with one estimate per label, and
    expected disagreement near 0, which loses its digits when subtracted from 1.
    """
    problem = request.problem
    if request.row is None or problem.measure.per_label or problem.measure.takes_values:
        return 0.0
    largest = 1.0 if problem.disagreement is None else float(problem.disagreement.max())
    expected = 1 - float(agreement.expected)
    if problem.power < 0 and expected < _SEEN:
        return 0.0
    # numeric labels were scaled to a moderate size, so the expected disagreement is scaled back
    return largest / float(restore_squares(np.asarray(expected), -problem.power))
