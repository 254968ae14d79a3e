"""The interval of a difference where a set, or the difference, shows no spread.

Resampling items without disagreement gives items without disagreement: a standard error of 0. The
binomial distribution bounds what such items may hide, and the rule of square and add (Zou and
Donner 2008) puts the bound together with the interval of the other set.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from iaa_jax.engine.problem import Problem
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.measure.interval import Form
from iaa_jax.measure.request import Request
from iaa_jax.measure.spread import (
    NO_BOUNDS,
    Spread,
    Unanimous,
    ends_of,
    without_disagreement,
)

METHOD = "square_and_add"
"""What the interval of such a difference is called."""

_ROUNDING = 1e-12
_STEPS = 50


class OneSide(NamedTuple):
    """One set: its figure, how that varies, and the items that could show a disagreement.

    ``hidden`` is what an item that is other than all these would take at most from the figure.
    """

    estimate: float
    error: float
    degrees: float
    bounds: tuple[float, float]
    units: float
    hidden: Unanimous | None
    unanimous: bool


class ZeroSpreadBound(NamedTuple):
    """A difference of which a standard error of 0 says too much.

    ``same``: the same items differ between the sets on none of them.
    """

    a: OneSide
    b: OneSide
    same: bool
    of_what: str

    @property
    def told(self) -> bool:
        """Whether there is a bound, so that there is an interval."""
        if self.same:
            return self.a.hidden is not None and self.b.hidden is not None
        return all(one.error > 0 or one.unanimous for one in (self.a, self.b))

    def ends(self, confidence: float) -> tuple[float, float]:
        """The interval of the difference; NaN where nothing bounds it."""
        if not self.told:
            return np.nan, np.nan
        difference = self.b.estimate - self.a.estimate
        if self.same:
            assert self.a.hidden is not None
            assert self.b.hidden is not None
            hidden = Unanimous(
                min(self.a.units, self.b.units), max(self.a.hidden.step, self.b.hidden.step)
            )
            reach = 1 - float(without_disagreement(hidden, confidence))
            return difference - reach, difference + reach
        (low_a, high_a), (low_b, high_b) = (_ends(one, confidence) for one in (self.a, self.b))
        down = np.hypot(self.b.estimate - low_b, high_a - self.a.estimate)
        up = np.hypot(high_b - self.b.estimate, self.a.estimate - low_a)
        return float(difference - down), float(difference + up)

    def equivalence(self, margin: float) -> float:
        """The smallest p at which the interval of 1 - 2 p lies within the margin; NaN without."""
        if not self.told:
            return np.nan

        def outside(p_value: float) -> bool:
            low, high = self.ends(1 - 2 * p_value)
            return not (low > -margin and high < margin)

        low, high = 1e-9, 0.5
        if outside(high):
            return 1.0
        for _ in range(_STEPS):
            middle = (low + high) / 2
            low, high = (middle, high) if outside(middle) else (low, middle)
        return high

    def note(self, *, p_value: bool, exchanged: bool, interval: bool) -> str:
        """What there is to say of the interval and of p; sentences apart by ": " and ", "."""
        if self.same:
            units = f"{min(self.a.units, self.b.units):,g} {self.of_what}"
            said = "the sets do not differ on any item"
            if interval and self.told:
                said += f", and the interval is the exact binomial one of {units} that do not"
            return said
        said = ""
        for letter, one in (("A", self.a), ("B", self.b)):
            if one.unanimous:
                said += f"{letter}: nothing disagrees in its {one.units:,g} {self.of_what}, "
            elif one.error == 0:
                said += f"{letter}: its {one.units:,g} {self.of_what} show no spread, "
        said = said or "the difference shows no spread, "
        if interval and self.told:
            said += "and resampling cannot show what it has not seen: "
            said += "the interval takes its exact binomial lower end (square and add)"
        else:
            said += "so that no interval can be told"
        if exchanged:
            return said + ", and p is that by exchange"
        return said if p_value else said + ", and no p: these items cannot show this"


def alone(
    request: Request,
    problem: Problem,
    agreement: Agreement,
    error: float,
    units: float,
) -> OneSide:
    """One set of a comparison; ``units`` are its items with two ratings, or its clusters."""
    row = request.row
    hidden = None
    if row is not None and not (problem.measure.per_label or problem.measure.takes_values):
        largest = 1.0 if problem.disagreement is None else float(problem.disagreement.max())
        hidden = Unanimous(units, largest / (1 - float(agreement.expected)))
    estimate = float(agreement.estimate)
    observed = float(agreement.observed)
    unanimous = hidden is not None and min(observed, estimate) >= 1 - _ROUNDING
    bounds = NO_BOUNDS if row is None else row.bounds
    return OneSide(estimate, error, units - 1, bounds, units, hidden, unanimous)


def _ends(one: OneSide, confidence: float) -> tuple[float, float]:
    if one.unanimous:
        assert one.hidden is not None
        return float(without_disagreement(one.hidden, confidence)), one.estimate
    estimate = np.asarray(one.estimate)
    spread = Spread(np.asarray(one.error), one.degrees, np.asarray(0.0))
    low, high = ends_of(estimate, spread, Form("t", on_range=True), confidence, one.bounds)
    return float(low), float(high)
