"""The goal of a plan: a half-width of the interval, a power to rule out a value, or both."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from iaa_jax._checks import check_share
from iaa_jax._errors import IaaError, OptionError
from iaa_jax._types import Floats
from iaa_jax.wording import keyword, named

ASSURANCE = 0.8

ASSURANCE_OF_POWER = 0.65
"""Default probability that the planned items have the required power.

A probability of .8 means planning for a value that lies .84 standard errors of the pilot below its
estimate, whatever the method. If the true value lies 1.5 standard errors above the value to be
ruled out, the median plan has five times the items needed; with .65, twice the items needed.
"""

_LEAST = 1e-12
"""Minimum of ``1 - x`` under a square root, for an estimate x."""


@dataclass(frozen=True)
class Goal:
    """A half-width of the interval, a power for its lower end to exceed ``null``, or both.

    On the plain scale, the lower end is ``x - z SE``. Near 1, the variance shrinks with ``1 - x``,
    the disagreement that is left. Then (``bent``) the scale of ``sqrt(1 - x)`` is used, on which
    the standard error ``SE / (2 sqrt(1 - x))`` hardly changes.
    """

    half_width: float | None
    null: float | None
    power: float
    confidence: float
    bent: bool = False
    assurance: float | None = None

    def checked(self, power: float | None) -> Goal:
        """Return the goal, or refuse one that makes no sense."""
        if self.assurance is not None:
            check_share("assurance", self.assurance)
        if self.half_width is not None and not 0 < self.half_width < math.inf:
            raise OptionError(f"{named('half_width')} must be above 0, not {self.half_width!r}")
        if self.null is None:
            if power is not None:
                raise OptionError(
                    f"{named('power')} is for ruling out a value: give {keyword('null')} as well"
                )
            return self
        if not -math.inf < self.null < 1:
            raise OptionError(
                f"the value to rule out, {named('null')}, must lie below 1, not at {self.null!r}"
            )
        check_share("power", self.power)
        if self.power <= (1 - self.confidence) / 2:
            raise IaaError(f"{keyword('power', self.power)} is reached by chance alone")
        return self

    def for_pilot(self, estimate: float, reach: float) -> Goal:
        """Return the goal, bent if it has a ``null`` and the pilot's interval crosses 1."""
        return replace(self, bent=self.null is not None and estimate + reach > 1 > estimate)

    @property
    def assurance_of_width(self) -> float:
        """Required share of samples whose interval is no wider than the goal."""
        return ASSURANCE if self.assurance is None else self.assurance

    @property
    def assurance_of_power(self) -> float:
        """Required probability that the planned items have the power."""
        return ASSURANCE_OF_POWER if self.assurance is None else self.assurance

    def error(
        self,
        true: Floats | float,
        reach: Floats | float,
        widening: Floats | float = 1.0,
        drift: float | None = None,
    ) -> Floats:
        """Return the largest standard error that reaches the goal; NaN if there is none.

        ``reach`` is the interval's half-width in standard errors, and ``widening`` is the factor by
        which the interval may turn out wider. ``drift`` is the distance from ``null`` to the true
        value, in standard errors, that gives the power; by default, it is the distance for a single
        look.
        """
        wanted = np.full(np.broadcast(true, reach, widening).shape, math.inf)
        if self.half_width is not None:
            wanted = np.minimum(wanted, self.half_width / (np.asarray(reach) * widening))
        if self.null is None:
            return wanted
        gap = self.gap(true)
        distance = np.asarray(reach) + ndtri(self.power) if drift is None else np.asarray(drift)
        return np.asarray(np.minimum(wanted, np.where(gap > 0, gap / distance, np.nan)))

    @property
    def floor(self) -> float:
        """The value that the lower end must exceed: ``null``, or minus infinity."""
        return -math.inf if self.null is None else self.null

    def gap(self, true: Floats | float) -> Floats:
        """Return the distance of a true value from ``null``, on the scale of ``SE``."""
        plain = np.asarray(true) - self.floor
        if not self.bent:
            return plain
        root = np.sqrt(np.maximum(1 - np.asarray(true), 0.0))
        return np.where(root > 0, 2 * root * (math.sqrt(1 - self.floor) - root), plain)

    def power_at(self, true: float, error: Floats, reach: Floats | float) -> Floats:
        """Return the probability that the lower end lies above ``null``."""
        with np.errstate(divide="ignore"):
            return np.asarray(ndtr(self.gap(true) / error - reach))

    def assured_value(self, estimate: float, error: float) -> float:
        """Return the bound that the true value exceeds with probability ``assurance_of_power``."""
        below = float(ndtri(self.assurance_of_power)) * error
        return float(self.away(estimate, np.asarray(-below)))

    def shift(
        self, estimate: Floats, error: Floats, true: float, to: Floats | float
    ) -> tuple[Floats, Floats]:
        """Shift estimates and errors, simulated with one true value, to the true value ``to``."""
        if not self.bent or true >= 1:
            return estimate + (to - true), error
        root = np.sqrt(np.maximum(1 - estimate, _LEAST))
        of_true = np.sqrt(np.maximum(1 - np.asarray(to), 0.0))
        moved = np.maximum(root + of_true - math.sqrt(1 - true), math.sqrt(_LEAST))
        return 1 - moved**2, error * moved / root

    def reaches(self, estimate: Floats, error: Floats, reach: float) -> NDArray[np.bool_]:
        """Tell for each estimate whether its lower end is above ``null``."""
        if not self.bent:
            return np.asarray(estimate - reach * error > self.floor)
        root = np.sqrt(np.maximum(1 - estimate, _LEAST))
        return np.asarray(root + reach * error / (2 * root) < math.sqrt(1 - self.floor))

    def away(self, estimate: float, distance: Floats) -> Floats:
        """Return the values at a distance from an estimate, on the goal's scale."""
        if not self.bent:
            return np.asarray(estimate + distance)
        root = math.sqrt(1 - estimate)
        return np.asarray(1 - np.maximum(root - distance / (2 * root), 0.0) ** 2)

    def parts(self) -> dict[str, Goal]:
        """Return the goal, and its parts if there are two, by the endings of variable names."""
        if self.half_width is None or self.null is None:
            return {"": self}
        width, null = replace(self, null=None), replace(self, half_width=None)
        return {"": self, "_half_width": width, "_null": null}

    def attrs(self) -> dict[str, object]:
        """Return the attributes of a result on the goal."""
        attrs: dict[str, object] = {}
        if self.half_width is not None:
            attrs["target_half_width"] = float(self.half_width)
        attrs["assurance"] = self.assurance_of_width
        if self.null is not None:
            scale = "sqrt(1 - x)" if self.bent else "plain"
            attrs |= {
                "null": float(self.null),
                "target_power": float(self.power),
                "assurance_of_power": self.assurance_of_power,
                "scale": scale,
            }
        return attrs
