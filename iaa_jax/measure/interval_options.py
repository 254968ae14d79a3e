"""What every function with intervals takes: which one, what is random, and what goes together."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING

from iaa_jax._checks import MOST_DRAWS
from iaa_jax._errors import IaaError, OptionError
from iaa_jax.measure.declared import OneOf, Share, Whole, check_values, option
from iaa_jax.measure.interval import (
    AUTO,
    AUTOMATIC,
    BY_FORMULA,
    ERRORS,
    INTERVALS,
    OR_INTERVAL,
    PERCENTILES,
    WITH_UNSEEN,
    Chosen,
    Form,
    Interval,
    IntervalLike,
    Kind,
    check_replicates,
)
from iaa_jax.measure.sampling import Sampling, resampling_text
from iaa_jax.wording import keyword, named

if TYPE_CHECKING:
    from iaa_jax.engine.devices import Device
    from iaa_jax.engine.precision import DType

UNDEFINED = ("nan", "one", "zero", "raise")
"""What an undefined estimate can become."""

COMPUTED = ("dtype", "device")
"""Options on how numbers are computed, which most studies leave as they are."""

_TRANSFORMED = ("basic", "studentized", "normal", "t")


@dataclass(frozen=True)
class IntervalOptions:
    """Which interval, what is random, and what is shown where there is no figure.

    Parameters
    ----------
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample",
        "widened_large_sample"; None gives only the estimates. An `iaa_jax.Interval` also sets the
        standard error, a scale that stays within the range, and the prior.
    sampling : Sampling, optional
        What is random: items drawn one by one (for icc2 and icc2k annotators too), unless an
        `iaa_jax.Sampling` names clusters of items, random or fixed annotators, or a finite
        population. Items that a tool showed together (``ratings.record``) are drawn together.
    confidence : float
        Confidence level, between 0 and 1.
    replicates : int
        Bootstrap replicates; at least one must lie beyond each end (40 in all for 95 %).
    seed : int
        Seed of the replicates; the same seed gives the same figures, whatever else is asked for.
    undefined : {"nan", "one", "zero", "raise"}
        What an undefined estimate becomes; its code and reason stay.
    dtype : {"float64", "float32"}
        Precision of replicates and derivatives.
    device : {"cpu", "gpu"}, optional
        Where bootstrap replicates are drawn and worked out. GPUs draw from a random stream of
        their own: the same distribution with other digits. By default the CPU draws, and JAX works
        on whatever device it has been set up for; asked for by name, the CPU does both.
    """

    interval: IntervalLike = option(
        "auto", OneOf(INTERVALS, OR_INTERVAL, "none"), "Kind of interval"
    )
    sampling: Sampling | None = option(None)
    confidence: float = option(0.95, Share(), "Confidence of the intervals.")
    replicates: int = option(
        2000, Whole(1, MOST_DRAWS), "Bootstrap replicates over items, 40 or more for 95 %."
    )
    seed: int = option(0, Whole(0), "Seed of the replicates.")
    undefined: str = option("nan", OneOf(UNDEFINED), "What an undefined estimate becomes")
    dtype: DType = option("float64", OneOf(("float64", "float32")))
    device: Device | None = option(None, OneOf(("cpu", "gpu")))

    def __post_init__(self) -> None:
        """Refuse values that none of the options takes."""
        check_values(self)
        if not (self.interval is None or isinstance(self.interval, (str, Interval))):
            message = f"{named('interval')} must be a name, Interval or None, not {self.interval!r}"
            raise IaaError(message)
        if not (self.sampling is None or isinstance(self.sampling, Sampling)):
            message = f"{named('sampling')} must be iaa_jax.Sampling or None, not {self.sampling!r}"
            raise IaaError(message)

    @cached_property
    def how(self) -> Interval:
        """The interval in full; the default where none is asked for."""
        if isinstance(self.interval, Interval):
            return self.interval
        return Interval(self.interval or "auto")

    @property
    def random(self) -> Sampling:
        """What is random in full; items alone by default."""
        return self.sampling or Sampling()

    @property
    def automatic(self) -> bool:
        """Whether the package chooses the interval."""
        return self.how.method == "auto" or isinstance(self.how, Chosen)

    def of_coefficient(self, *, random_annotators: bool, kind: Kind = "") -> IntervalOptions:
        """The same for one coefficient, whose name may say that annotators are random.

        What the caller says of annotators stands over the name, and so does an interval that is
        about items alone. "auto" is then the interval of the kind of figure.
        """
        over_items = self.method in ("abc", "studentized", "kurtosis_t", *WITH_UNSEEN) or (
            self.how.standard_error not in ("infinitesimal_jackknife", "jackknife")
        )
        random = replace(self.random, annotators=self.random.annotators or "random")
        by_name = random_annotators and random.draws_annotators and not over_items
        options = replace(self, sampling=random) if by_name else self
        how, plain = self.how, not self.random.bayesian
        if how.method != "auto" or self.interval is None:
            return options
        method = options._method_of(kind, by_name=by_name) if plain and not how.transform else ""
        if method:
            return replace(options, interval=Chosen(method, how.standard_error, None, how.groups))
        ranged = by_name and plain
        return replace(options, interval=replace(how, transform="range")) if ranged else options

    def _method_of(self, kind: Kind, *, by_name: bool) -> str:
        """The interval of a kind of figure, where the study has one that is its own."""
        random = self.random
        if not kind:
            return ""
        if by_name:
            alone = random.cluster is None and random.population is None
            return "widened_large_sample" if alone else ""
        if random.draws_annotators:
            return ""
        method = "kurtosis_t" if random.cluster is not None else AUTOMATIC[kind]
        whole_items = self.device == "gpu" and method in PERCENTILES  # which is all that it draws
        return "" if whole_items else method

    def of_differences(self) -> IntervalOptions:
        """The same for differences: over clusters or annotators "auto" is t on no range."""
        if self.how.method != "auto" or self.method != "t":
            return self
        return replace(self, interval=replace(self.how, method="t"))

    def of_ratings(self, ratings: object) -> IntervalOptions:
        """The same for these ratings: items that were shown together are drawn together."""
        from iaa_jax.data.coordinates import shown_together  # the help needs no arrays

        together = shown_together(ratings)
        if self.random.cluster is not None or not together:
            return self
        return replace(self, sampling=replace(self.random, cluster=together))

    @property
    def instead(self) -> float:
        """What an undefined estimate becomes."""
        return {"one": 1.0, "zero": 0.0}.get(self.undefined, math.nan)

    @cached_property
    def form(self) -> Form:
        """How ends are made."""
        how, random = self.how, self.random
        fixed = not random.draws_annotators
        # draws from a posterior, and annotators drawn as well, are no matter of items that agree
        bounded = self.automatic and fixed and not random.bayesian
        if how.method != "auto":
            ranged = how.transform == "range"
            bounded = bounded and how.method != "posterior"
            kept = ranged or isinstance(how, Chosen)
            return Form(how.method, ranged, bounded, not fixed, kept)
        if random.bayesian:
            return Form("percentile", bounded=bounded, over_annotators=not fixed)
        if random.cluster is None and fixed:
            return Form(AUTO, how.transform == "range", bounded)
        return Form("t", fixed or how.transform == "range", bounded, not fixed, kept=True)

    @property
    def method(self) -> str:
        """The interval's name, "" for none."""
        return "" if self.interval is None else self.form.method

    @property
    def resampled(self) -> bool:
        """Whether the ends stand on replicates."""
        return self.form.method in PERCENTILES

    def record(self) -> dict[str, object]:
        """How figures were made, as the attributes of a result."""
        return {**self.of_interval(), **self.of_draws()}

    def of_interval(self) -> dict[str, object]:
        """Which interval, as attributes."""
        different = {
            field.name: getattr(self.how, field.name)
            for field in fields(Interval)
            if field.name != "method" and getattr(self.how, field.name) != field.default
        }
        if self.form.on_range:
            different["transform"] = "range"
        elif self.form.kept and self.method == "t":
            different["cut"] = 1
        return {
            "interval": self.method,
            "confidence": self.confidence,
            **{f"interval_{name}": value for name, value in different.items()},
        }

    def of_draws(self) -> dict[str, object]:
        """What was drawn, as attributes."""
        return {
            "replicates": self.replicates,
            "seed": self.seed,
            "dtype": self.dtype,
            **({} if self.device is None else {"device": self.device}),
            "resampling": resampling_text(self.random),
            **self.random.record(),
        }

    @property
    def usual(self) -> bool:
        """Whether nothing is asked for but the automatic interval over items."""
        return self.how in (Interval(), Interval(AUTO)) and self.random == Sampling()

    def check(
        self,
        methods: tuple[str, ...] | None = None,
        *,
        sampling: tuple[str, ...] = (),
        band: bool = False,
        drawn: bool = False,
        by_kind: bool = False,
    ) -> None:
        """Refuse what does not go together.

        ``methods`` are those of a study that makes its intervals itself, over items alone or over
        what else ``sampling`` names ("cluster", "annotators"); with a ``band`` it needs replicates
        for every kind of interval.
        ``drawn`` says that replicates are all that is wanted of them, and ``by_kind`` that "auto"
        may become another interval, which is checked when it is known.
        """
        if methods is not None and self.interval is not None:
            self._check_simple(methods, sampling)
        if self.interval is None:
            return
        self._check_together()
        self._check_device()
        if not drawn and not (by_kind and self.automatic) and (band or self.resampled):
            purpose = f"{'a band' if band else 'an interval'} of {100 * self.confidence:g} %"
            without = f"an interval that needs none, such as {keyword('interval', 'normal')}"
            instead = "" if band else without
            check_replicates(self.replicates, (1 - self.confidence) / 2, purpose, instead)

    def _check_simple(self, methods: tuple[str, ...], sampling: tuple[str, ...]) -> None:
        settings = {
            name: value
            for name, value in self.record().items()
            if name.startswith(("interval_", "sampling_"))
            and name.removeprefix("sampling_") not in sampling
        }
        if self.how.transform is None:  # what "auto" chose
            settings.pop("interval_transform", None)
        settings.pop("interval_cut", None)
        if self.method == "posterior":
            settings.pop("interval_prior", None)
        if not settings and self.method in methods:
            return
        chosen = [keyword(name.partition("_")[2], value) for name, value in settings.items()]
        ways = [f"leave {' and '.join(chosen)} out"] if chosen else []
        if self.method not in methods:
            chosen.insert(0, keyword("interval", self.method))
            ways.insert(0, f"give auto, {', '.join(methods)} or None")
        message = (
            f"{', '.join(chosen)} {'is' if len(chosen) == 1 else 'are'} not available here: "
            f"{', and '.join(ways)}; iaa_jax.agreement and agreement_by have all kinds of intervals"
        )
        raise IaaError(message)

    def _check_device(self) -> None:
        """Refuse draws of which a device's stream has none."""
        others = {
            name.removeprefix("sampling_"): value
            for name, value in self.random.record().items()
            if name != "sampling_annotators"
        }
        if self.method in ("studentized", "posterior"):
            others["interval"] = self.method
        if self.device != "gpu" or not others:
            return
        message = (
            f"{keyword('device', self.device)} draws single items, and annotators beside them: "
            f"leave it out for {keyword(*next(iter(others.items())))}, and the host draws"
        )
        raise IaaError(message)

    def _check_together(self) -> None:
        """Refuse what does not go together."""
        how, method = self.how, self.method
        random = {
            name.removeprefix("sampling_"): value for name, value in self.random.record().items()
        }
        reason = ""
        if method in ("abc", "likelihood", *BY_FORMULA):
            reason = f"{keyword('interval', method)} is about items drawn one by one"
            if method in BY_FORMULA:  # which coefficient it is for is seen later
                random.pop("annotators", None)
        elif method == "posterior":
            reason = f"{keyword('interval', method)} has pseudo-items, drawn one by one"
            random = {name: value for name, value in random.items() if name == "cluster"}
        elif method == "kurtosis_t":
            reason = f"{keyword('interval', method)} leaves out items, or clusters of them"
            random = {
                name: value for name, value in random.items() if name in ("annotators", "bayesian")
            }
        elif how.standard_error not in ERRORS and method != "studentized":
            reason = (
                f"{keyword('standard_error', how.standard_error)} is about items drawn one by one"
            )
            random.pop("population", None)
            random.pop("bayesian", None)
        elif how.standard_error == "grouped_jackknife":
            reason = "the grouped jackknife makes groups of its own"
            random = {name: value for name, value in random.items() if name == "cluster"}
        elif method == "studentized" and how.standard_error != ERRORS[0]:
            message = (
                "studentized intervals use the infinitesimal jackknife of each replicate: leave "
                f"{keyword('standard_error', how.standard_error)} out"
            )
            raise IaaError(message)
        elif method == "studentized" and "annotators" in random:
            reason = "studentized intervals use the standard error over items alone"
            random = {"annotators": "random"}
        if reason and random:
            name, value = next(iter(random.items()))
            message = f"{reason}: leave {keyword(name, value)} out, or use another"
            raise IaaError(message)
        if how.transform is not None and method not in _TRANSFORMED:
            others = "automatic ones" if how.method == "auto" else f"others ({method})"
            message = (
                f"{keyword('transform', how.transform)} is for {', '.join(_TRANSFORMED)} "
                f"intervals: {others} stay within the range by themselves"
            )
            raise OptionError(message)
