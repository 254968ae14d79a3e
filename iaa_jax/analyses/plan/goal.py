"""What a plan is for: a half-width, or a power against a value to be ruled out."""

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
"""The share of samples that keep a half-width, unasked."""

ASSURANCE_OF_POWER = 0.65
"""The chance that items have the power they are planned for, unasked.

Whoever wants it with .8 must plan for a value .84 of the pilot's standard errors below its figure,
whatever the method. Where the truth lies 1.5 of them above the value to be ruled out, that takes
five times the items in the middle; .65 takes twice.
"""

_LEAST = 1e-12
"""The least distance from 1: of sets without any disagreement."""


@dataclass(frozen=True)
class Goal:
    """The interval's half-width, or the chance that its lower end is above ``null``, or both.

    On the plain scale the lower end is ``x - z SE``. Near 1 (``bent``) the variance falls with
    ``1 - x``, the share of what few disagreements there are; it is taken on the scale of ``sqrt(1 -
    x)`` then, where the standard error ``SE / (2 sqrt(1 - x))`` hardly changes.
    """

    half_width: float | None
    null: float | None
    power: float
    confidence: float
    bent: bool = False
    assurance: float | None = None

    def checked(self, power: float | None) -> Goal:
        """The goal, refused where it makes no sense."""
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
        """On the scale that fits a pilot: the plain one unless its interval crosses 1 there."""
        return replace(self, bent=self.null is not None and estimate + reach > 1 > estimate)

    @property
    def assurance_of_width(self) -> float:
        """The share of samples that are to keep the half-width."""
        return ASSURANCE if self.assurance is None else self.assurance

    @property
    def assurance_of_power(self) -> float:
        """The chance that the items are to have the power with."""
        return ASSURANCE_OF_POWER if self.assurance is None else self.assurance

    def error(
        self,
        true: Floats | float,
        reach: Floats | float,
        widening: Floats | float = 1.0,
        drift: float | None = None,
    ) -> Floats:
        """The largest standard error that reaches the goal; NaN where none does.

        ``reach`` is how many standard errors the interval takes, ``widening`` how much further the
        half-width may turn out. A ``drift`` (standard errors from ``null`` to the true value)
        replaces that of the power at a single look.
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
        """What the lower end has to be above: ``null``, or anything where there is none."""
        return -math.inf if self.null is None else self.null

    def gap(self, true: Floats | float) -> Floats:
        """How far a true value lies above ``null``, in units of its standard error."""
        plain = np.asarray(true) - self.floor
        if not self.bent:
            return plain
        root = np.sqrt(np.maximum(1 - np.asarray(true), 0.0))
        return np.where(root > 0, 2 * root * (math.sqrt(1 - self.floor) - root), plain)

    def power_at(self, true: float, error: Floats, reach: Floats | float) -> Floats:
        """The chance that the lower end lies above ``null``."""
        with np.errstate(divide="ignore"):
            return np.asarray(ndtr(self.gap(true) / error - reach))

    def assured_value(self, estimate: float, error: float) -> float:
        """What a true value is above with the chance that is asked of a power.

        ``error`` is the standard error of its estimate.
        """
        below = float(ndtri(self.assurance_of_power)) * error
        return float(self.away(estimate, np.asarray(-below)))

    def shift(
        self, estimate: Floats, error: Floats, true: float, to: Floats | float
    ) -> tuple[Floats, Floats]:
        """Sets whose true value is ``true``, as if it were another."""
        if not self.bent or true >= 1:
            return estimate + (to - true), error
        root = np.sqrt(np.maximum(1 - estimate, _LEAST))
        of_true = np.sqrt(np.maximum(1 - np.asarray(to), 0.0))
        moved = np.maximum(root + of_true - math.sqrt(1 - true), math.sqrt(_LEAST))
        return 1 - moved**2, error * moved / root

    def reaches(self, estimate: Floats, error: Floats, reach: float) -> NDArray[np.bool_]:
        """Which sets have a lower end above ``null``."""
        if not self.bent:
            return np.asarray(estimate - reach * error > self.floor)
        root = np.sqrt(np.maximum(1 - estimate, _LEAST))
        return np.asarray(root + reach * error / (2 * root) < math.sqrt(1 - self.floor))

    def away(self, estimate: float, distance: Floats) -> Floats:
        """What lies so far from an estimate, on the scale of the goal."""
        if not self.bent:
            return np.asarray(estimate + distance)
        root = math.sqrt(1 - estimate)
        return np.asarray(1 - np.maximum(root - distance / (2 * root), 0.0) ** 2)

    def parts(self) -> dict[str, Goal]:
        """The goal as a whole, and if it is two also each alone, by the end of its names."""
        if self.half_width is None or self.null is None:
            return {"": self}
        width, null = replace(self, null=None), replace(self, half_width=None)
        return {"": self, "_half_width": width, "_null": null}

    def attrs(self) -> dict[str, object]:
        """The goal as attributes of a result."""
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
