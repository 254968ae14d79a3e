"""The interval of a difference where a set, or the difference, shows no spread.

Resampling items without disagreement gives items without disagreement: a standard error of 0. The
binomial distribution bounds what such items may hide, and the rule of square and add (Zou and
Donner 2008) puts the bound together with the interval of the other set. The p-value is that
interval's own: exchanges, whose standard errors are near 0 there too, would take little for much.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from iaa_jax.analyses.compare.by_ends import equivalence_of, p_value_of
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.measure.interval_options import IntervalOptions
from iaa_jax.measure.magnitude import restore_squares
from iaa_jax.measure.request import Request
from iaa_jax.measure.resolved_interval import resolve
from iaa_jax.measure.spread import Bounds, Spread, Unanimity, ends_of, unanimous_lower_end
from iaa_jax.wording import Note

METHOD = "square_and_add"
"""What the interval of such a difference is called."""

_ROUNDING = 1e-12
_SEEN = 1e-6
"""Disagreement that has ten digits or more when it is 1 less an agreement."""


class OneSide(NamedTuple):
    """One set: its figure, how that varies, and the items that could show a disagreement.

    ``hidden`` is what an item that is other than all these would take at most from the figure;
    ``unanimous`` the same where all these agree.
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
        """The interval of the figure: the exact binomial one, or Student's on the range."""
        nothing = np.asarray(0.0)
        spread = Spread(np.asarray(self.error), self.degrees, nothing, unanimous=self.unanimous)
        student = resolve(IntervalOptions(interval="t"))
        interval = replace(student, on_range=True, bounded=True, cut=True)
        low, high = ends_of(np.asarray(self.estimate), spread, interval, self.bounds, confidence)
        return float(low), float(high)


class ZeroSpreadBound(NamedTuple):
    """A difference of which a standard error of 0 says too much.

    ``same``: the same items differ between the sets on none of them. ``units`` are what is random:
    "items" or "clusters".
    """

    a: OneSide
    b: OneSide
    same: bool
    units: str

    @property
    def known(self) -> bool:
        """Whether there is a bound, so that there is an interval."""
        if self.same:
            return self.a.hidden is not None and self.b.hidden is not None
        return all(side.error > 0 or side.unanimous is not None for side in (self.a, self.b))

    def ends(self, confidence: float) -> tuple[float, float]:
        """The interval of the difference; NaN where nothing bounds it."""
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

    @property
    def p_value(self) -> float:
        """That of the interval; NaN where nothing bounds it."""
        return p_value_of(self.ends, self.b.estimate - self.a.estimate) if self.known else np.nan

    def equivalence(self, margin: float) -> float:
        """That of the interval, by a margin; NaN where nothing bounds it."""
        return equivalence_of(self.ends, margin) if self.known else np.nan

    def note(self, *, p_value: bool, interval: bool) -> Note:
        """What there is to say of the interval and of p."""
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
        p_said = "" if self.known else "p_by_exchange" if p_value else "no_p_value"
        values = {
            "sides": sides or [Note("difference_without_spread")],
            "interval": Note("bounded_by_unanimity" if bounded else "no_interval"),
            "p": Note(p_said) if p_said else "",
        }
        return Note("zero_spread", values)

    @property
    def _fewest_units(self) -> float:
        return min(self.a.units, self.b.units)


def one_side(
    name: str, request: Request, agreement: Agreement, error: float, units: float
) -> OneSide:
    """One set of a comparison; ``units`` are its items with two ratings, or its clusters."""
    step = one_step(request, agreement)
    hidden = Unanimity(units, step) if step else None
    estimate, observed = float(agreement.estimate), float(agreement.observed)
    unanimous = hidden if min(observed, estimate) >= 1 - _ROUNDING else None
    return OneSide(name, estimate, error, units - 1, request.bounds, units, hidden, unanimous)


def one_step(request: Request, agreement: Agreement) -> float:
    """What items that disagree as far as they can take from the figure, times their share.

    0 for figures of which that is not known: those of numbers, functions of the user's own, and
    disagreement that is too small in the unit of the labels to be seen beside 1.
    """
    problem = request.problem
    if request.row is None or problem.measure.per_label or problem.measure.takes_values:
        return 0.0
    largest = 1.0 if problem.disagreement is None else float(problem.disagreement.max())
    expected = 1 - float(agreement.expected)
    if problem.power < 0 and expected < _SEEN:
        return 0.0
    # labels that are numbers were brought to a moderate size, and agreement back to their unit
    return largest / float(restore_squares(np.asarray(expected), -problem.power))
