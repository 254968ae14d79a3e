"""The options of every function with intervals: the interval, what is random, and the draws."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from iaa_jax._checks import MOST_DRAWS
from iaa_jax._errors import IaaError
from iaa_jax.measure.options.declared import OneOf, Share, Whole, check_values, option
from iaa_jax.measure.options.interval import INTERVALS, OR_INTERVAL, Interval
from iaa_jax.measure.options.sampling import Sampling
from iaa_jax.wording import named

if TYPE_CHECKING:
    from iaa_jax.engine.computing import Computing
    from iaa_jax.engine.devices import Device
    from iaa_jax.engine.precision import DType

UNDEFINED = ("nan", "one", "zero", "raise")

COMPUTED = ("dtype", "device")
"""Options for how numbers are computed, which most studies do not offer."""


@dataclass(frozen=True)
class IntervalOptions:
    """Options for the interval, what is random, the draws, and undefined estimates.

    Parameters
    ----------
    interval : str, Interval or None
        Kind of interval: "auto", "empirical_bayes", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, the prior, and a scale on which no end leaves the coefficient's range.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k, annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (coordinate ``record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Number of bootstrap replicates; at least one must lie beyond each end of the interval (40
        in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same results, whatever else is requested.
    undefined : {"nan", "one", "zero", "raise"}
        Replacement for undefined estimates; their ``code`` and ``reason`` stay. "raise" raises an
        error.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Device that draws and computes replicates. A GPU draws other numbers than a CPU, from the
        same distribution. By default the CPU draws, and JAX computes on its default device; with
        "cpu", the CPU does both. Work that NumPy finishes sooner than a compilation stays on the
        CPU.
    """

    interval: str | Interval | None = option(
        "auto", OneOf(INTERVALS, OR_INTERVAL, "none"), "Kind of interval"
    )
    sampling: Sampling | None = option(None)
    confidence: float = option(0.95, Share(), "Confidence level.", common=True)
    replicates: int = option(
        2000, Whole(1, MOST_DRAWS), "Bootstrap replicates over items; 40 or more for 95 %."
    )
    seed: int = option(0, Whole(0), "Random seed.")
    undefined: str = option("nan", OneOf(UNDEFINED), "Show undefined estimates as")
    dtype: DType = option("float64", OneOf(("float64", "float32")))
    device: Device | None = option(
        None, OneOf(("cpu", "gpu")), "Draw and compute replicates on this device."
    )

    def __post_init__(self) -> None:
        check_values(self)
        if not (self.interval is None or isinstance(self.interval, (str, Interval))):
            raise IaaError(
                f"{named('interval')} must be a name, Interval or None, not {self.interval!r}"
            )
        if not (self.sampling is None or isinstance(self.sampling, Sampling)):
            raise IaaError(
                f"{named('sampling')} must be iaa_jax.Sampling or None, not {self.sampling!r}"
            )

    @cached_property
    def how(self) -> Interval:
        """The interval as an `Interval`; the default `Interval` if ``interval`` is None."""
        if isinstance(self.interval, Interval):
            return self.interval
        return Interval(self.interval or "auto")

    @property
    def random(self) -> Sampling:
        """The sampling as a `Sampling`; by default, items alone are random."""
        return self.sampling or Sampling()

    def for_ratings(self, ratings: object) -> IntervalOptions:
        """Return the options for these ratings, so that items shown together are drawn together."""
        from iaa_jax.data.coordinates import shown_together  # not needed for --help

        together = shown_together(ratings)
        if self.random.cluster is not None or not together:
            return self
        return replace(self, sampling=replace(self.random, cluster=together))

    @cached_property
    def computing(self) -> Computing:
        """The device and the precision of computations."""
        if self.device is None:
            from iaa_jax.engine.computing import Computing  # not needed for --help

            return Computing(dtype=self.dtype)
        from iaa_jax.engine.on_device import computing_on  # loads JAX

        return computing_on(self.device, self.dtype)

    @property
    def undefined_value(self) -> float:
        """The value that replaces an undefined estimate."""
        return {"one": 1.0, "zero": 0.0}.get(self.undefined, math.nan)
