"""What a plan is for: a half-width, or a power against a value to be ruled out."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from iaa_jax._checks import check_share
from iaa_jax._errors import IaaError, OptionError
from iaa_jax._types import Floats
from iaa_jax.wording import keyword, named

CAUTIOUS = 0.8
"""Confidence of the interval whose lower end is the cautious guess of the true value."""

TOO_MANY = 10
"""Times the items that the pilot's estimate takes beyond which the cautious guess is no plan."""

_LEAST = 1e-12
"""The least distance from 1: of sets without any disagreement."""


class _Known(Protocol):
    @property
    def estimate(self) -> float:
        """The coefficient."""

    @property
    def error(self) -> float:
        """Its standard error."""


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

    def checked(self, pilot: _Known, power: float | None) -> Goal:
        """The goal for a pilot, refused where it makes no sense."""
        if self.half_width is not None and not 0 < self.half_width < math.inf:
            message = f"{named('half_width')} must be above 0, not {self.half_width!r}"
            raise OptionError(message)
        if self.null is None:
            if power is not None:
                message = (
                    f"{named('power')} is for ruling out a value: give {keyword('null')} as well"
                )
                raise OptionError(message)
            return self
        if not -math.inf < self.null < 1:
            message = (
                f"the value to rule out, {named('null')}, must lie below 1, not at {self.null!r}"
            )
            raise OptionError(message)
        check_share("power", self.power)
        if self.power <= (1 - self.confidence) / 2:
            message = f"{keyword('power', self.power)} is reached by chance alone"
            raise IaaError(message)
        # an interval of the pilot that crosses 1 shows that the plain scale does not fit
        return replace(self, bent=pilot.estimate + self.z * pilot.error > 1 > pilot.estimate)

    @cached_property
    def z(self) -> float:
        """Standard errors from the middle of the interval to its end."""
        from scipy.special import ndtri

        return float(ndtri((1 + self.confidence) / 2))

    def error(self, true: float, z: float | None = None, drift: float = math.nan) -> float:
        """The largest standard error that reaches the goal; NaN where none does.

        ``z`` and ``drift`` replace those of a single look: the interval's reach, and how many
        standard errors the true value must lie above ``null``.
        """
        from scipy.special import ndtri

        wanted = []
        if self.half_width is not None:
            wanted.append(self.half_width / (self.z if z is None else z))
        if self.null is not None:
            reach = self.z + float(ndtri(self.power)) if math.isnan(drift) else drift
            gap = self.gap(true)
            if not gap > 0:
                return math.nan
            wanted.append(gap / reach)
        return min(wanted)

    @property
    def floor(self) -> float:
        """What the lower end has to be above: ``null``, or anything where there is none."""
        return -math.inf if self.null is None else self.null

    def gap(self, true: float) -> float:
        """How far a true value lies above ``null``, in units of its standard error."""
        if not self.bent or true >= 1:
            return true - self.floor
        root = math.sqrt(1 - true)
        return 2 * root * (math.sqrt(1 - self.floor) - root)

    def power_at(self, true: float, error: Floats) -> Floats:
        """The chance that the lower end lies above ``null``."""
        from scipy.special import ndtr

        with np.errstate(divide="ignore"):
            return np.asarray(ndtr(self.gap(true) / error - self.z))

    def shift(
        self, estimate: Floats, error: Floats, true: float, to: float
    ) -> tuple[Floats, Floats]:
        """Sets whose true value is ``true``, as if it were another."""
        if not self.bent or max(true, to) >= 1:
            return estimate + (to - true), error
        root = np.sqrt(np.maximum(1 - estimate, _LEAST))
        moved = np.maximum(root + math.sqrt(1 - to) - math.sqrt(1 - true), math.sqrt(_LEAST))
        return 1 - moved**2, error * moved / root

    def reaches(self, estimate: Floats, error: Floats) -> NDArray[np.bool_]:
        """Which sets have a lower end above ``null``."""
        if not self.bent:
            return np.asarray(estimate - self.z * error > self.floor)
        root = np.sqrt(np.maximum(1 - estimate, _LEAST))
        return np.asarray(root + self.z * error / (2 * root) < math.sqrt(1 - self.floor))

    def cautious_value(self, pilot: _Known) -> float:
        """The lower end of the pilot's interval of lesser confidence."""
        from scipy.special import ndtri

        return self._shifted_estimate(pilot, -float(ndtri((1 + CAUTIOUS) / 2)))

    def interval(self, pilot: _Known) -> tuple[float, float]:
        """Both ends of the pilot's own interval."""
        return self._shifted_estimate(pilot, -self.z), self._shifted_estimate(pilot, self.z)

    def _shifted_estimate(self, pilot: _Known, errors: float) -> float:
        """The pilot's estimate and so many standard errors."""
        reach = errors * pilot.error
        if not self.bent:
            return pilot.estimate + reach
        root = math.sqrt(1 - pilot.estimate)
        return 1 - max(root - reach / (2 * root), 0.0) ** 2

    def parts(self) -> dict[str, Goal]:
        """The goal as a whole, and if it is two also each alone, by the end of its names."""
        if self.half_width is None or self.null is None:
            return {"": self}
        width, null = replace(self, null=None), replace(self, half_width=None)
        return {"": self, "_half_width": width, "_null": null}

    def attainable(self, true: float) -> Goal:
        """Without the value to be ruled out where no number of items does and there is more."""
        if self.null is None or self.half_width is None or self.gap(true) > 0:
            return self
        return replace(self, null=None)

    def planned_value(self, pilot: _Known) -> float:
        """The true value that is planned for: the cautious one unless it takes too many items."""
        if self.null is None:
            return pilot.estimate
        cautious = self.cautious_value(pilot)
        least = max(self.gap(pilot.estimate), 0.0) / math.sqrt(TOO_MANY)  # items go by 1 / gap^2
        return cautious if self.gap(cautious) > least else pilot.estimate

    def attrs(self) -> dict[str, object]:
        """The goal as attributes of a result."""
        attrs: dict[str, object] = {}
        if self.half_width is not None:
            attrs["target_half_width"] = float(self.half_width)
        if self.null is not None:
            scale = "sqrt(1 - x)" if self.bent else "plain"
            attrs |= {
                "null": float(self.null),
                "target_power": float(self.power),
                "scale": scale,
                "cautious_confidence": CAUTIOUS,
            }
        return attrs
