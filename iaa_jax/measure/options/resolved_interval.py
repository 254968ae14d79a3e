"""The interval of a figure after "auto" is replaced by a method, before anything is drawn.

A figure is an estimate, such as a coefficient or a coefficient for one label.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from iaa_jax._errors import IaaError, OptionError
from iaa_jax.measure.options.interval import (
    AUTOMATIC,
    BY_FORMULA,
    ERRORS,
    OF_NO_KIND,
    PERCENTILES,
    WITH_UNSEEN,
    FigureKind,
    Interval,
    check_replicates,
)
from iaa_jax.measure.options.interval_options import IntervalOptions
from iaa_jax.measure.options.sampling import Sampling, resampling_text
from iaa_jax.wording import keyword

if TYPE_CHECKING:
    from iaa_jax.engine.precision import DType

_TRANSFORMED = ("basic", "studentized", "normal", "t")
_OVER_ITEMS = ("abc", "studentized", "kurtosis_t", *WITH_UNSEEN)
"""Methods for intervals over items alone, even for ICC(2), which otherwise draws annotators."""


@dataclass(frozen=True)
class ResolvedInterval:
    """The interval of a figure, and what is drawn for it.

    Attributes
    ----------
    options : IntervalOptions
        The requested options, with confidence, replicates, seed and precision.
    method : str
        One of ``METHODS``; "" without an interval.
    random : Sampling
        What is random.
    on_unbounded_scale : bool
        Whether the ends are computed on a scale without bounds.
    bounded : bool
        Whether an end comes from the binomial distribution if all ratings agree, or if the figure
        is a share and is 0.
    over_annotators : bool
        Whether annotators are drawn. If the drawn annotators do not vary, there is no interval,
        because other annotators may vary.
    cut : bool
        Whether the interval is cut at the bounds of the figure.
    """

    options: IntervalOptions
    method: str
    random: Sampling
    on_unbounded_scale: bool = False
    bounded: bool = False
    over_annotators: bool = False
    cut: bool = False

    @property
    def automatic(self) -> bool:
        """Whether the package chose the method."""
        return self.options.how.method == "auto"

    @property
    def by_name(self) -> bool:
        """Whether annotators are random because of the coefficient's name."""
        return self.random != self.options.random

    @property
    def by_replicates(self) -> bool:
        """Whether the ends come from replicates."""
        return self.method in PERCENTILES

    @property
    def prior(self) -> float | None:
        """The weight of the prior in items; None for the usual weight."""
        return self.options.how.prior

    @property
    def standard_error(self) -> str:
        """The kind of standard error."""
        return self.options.how.standard_error

    @property
    def groups(self) -> int | None:
        """The number of groups of the grouped jackknife; None for the usual number."""
        return self.options.how.groups

    @property
    def confidence(self) -> float:
        """The confidence level."""
        return self.options.confidence

    @property
    def replicates(self) -> int:
        """The number of replicates."""
        return self.options.replicates

    @property
    def seed(self) -> int:
        """The seed of all draws."""
        return self.options.seed

    @property
    def dtype(self) -> DType:
        """The precision of replicates and derivatives."""
        return self.options.dtype

    @property
    def usual(self) -> bool:
        """Whether the interval is the automatic one or BCa, over items and with usual settings."""
        return self.options.how in (Interval(), Interval(OF_NO_KIND)) and self.random == Sampling()

    def with_method(self, method: str) -> ResolvedInterval:
        """Return the interval of another method, from the same draws and on the original scale."""
        return ResolvedInterval(self.options, method, self.random)

    def record(self) -> dict[str, object]:
        """Return the attributes of a result that record how its figures were made."""
        return {**self.interval_attrs(), **self.draw_attrs()}

    def interval_attrs(self) -> dict[str, object]:
        """Return the attributes that describe the interval."""
        how = self.options.how
        different: dict[str, object] = {
            field.name: getattr(how, field.name)
            for field in fields(Interval)
            if field.name != "method" and getattr(how, field.name) != field.default
        }
        if self.on_unbounded_scale:
            different["transform"] = "range"
        elif self.cut and self.method == "t":
            different["cut"] = 1
        return {
            "interval": self.method,
            "confidence": self.confidence,
            **{f"interval_{name}": value for name, value in different.items()},
        }

    def draw_attrs(self, *, precision: bool = True) -> dict[str, object]:
        """Return the attributes that describe the draws, including the precision by default."""
        return {
            "replicates": self.replicates,
            "seed": self.seed,
            **({"dtype": self.dtype} if precision else {}),
            "resampling": resampling_text(self.random, self.options.device),
            **self.random.record(),
        }

    def check(
        self,
        methods: tuple[str, ...] | None = None,
        *,
        sampling: tuple[str, ...] = (),
        band: bool = False,
        drawn: bool = False,
        by_kind: bool = False,
    ) -> None:
        """Raise an error for settings that do not fit together, or that a study cannot use.

        ``methods`` are the methods of a study that makes its own intervals, over items alone or
        over the units in ``sampling`` ("cluster", "annotators"). With ``band``, every kind of
        interval needs enough replicates. ``drawn`` means that the study uses only the replicates.
        ``by_kind`` means that "auto" may become another interval, which is checked later.
        """
        if not self.method:
            return
        if methods is not None:
            self._check_simple(methods, sampling)
        self._check_together()
        if not drawn and not (by_kind and self.automatic) and (band or self.by_replicates):
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
        if self.options.how.transform is None:  # "auto" chose the transform
            settings.pop("interval_transform", None)
        settings.pop("interval_cut", None)
        if self.method == "empirical_bayes":
            settings.pop("interval_prior", None)
        if not settings and self.method in methods:
            return
        chosen = [keyword(name.partition("_")[2], value) for name, value in settings.items()]
        advice = [f"leave {' and '.join(chosen)} out"] if chosen else []
        if self.method not in methods:
            chosen.insert(0, keyword("interval", self.method))
            advice.insert(0, f"give auto, {', '.join(methods)} or None")
        raise IaaError(
            f"{', '.join(chosen)} {'is' if len(chosen) == 1 else 'are'} not available here: "
            f"{', and '.join(advice)}; iaa_jax.agreement and agreement_by have all kinds of "
            "intervals"
        )

    def _check_together(self) -> None:
        how, method = self.options.how, self.method
        random = {
            name.removeprefix("sampling_"): value for name, value in self.random.record().items()
        }
        reason = ""
        if method in ("abc", "likelihood", *BY_FORMULA):
            reason = f"{keyword('interval', method)} is about items drawn one by one"
            if method in BY_FORMULA:  # `check_by_formula` checks this
                random.pop("annotators", None)
        elif method == "empirical_bayes":
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
            raise IaaError(
                "studentized intervals use the infinitesimal jackknife of each replicate: leave "
                f"{keyword('standard_error', how.standard_error)} out"
            )
        elif method == "studentized" and "annotators" in random:
            reason = "studentized intervals use the standard error over items alone"
            random = {"annotators": "random"}
        if reason and random:
            name, value = next(iter(random.items()))
            raise IaaError(f"{reason}: leave {keyword(name, value)} out, or choose another method")
        if how.transform is not None and method not in _TRANSFORMED:
            others = "automatic ones" if how.method == "auto" else f"others ({method})"
            raise OptionError(
                f"{keyword('transform', how.transform)} is for {', '.join(_TRANSFORMED)} "
                f"intervals: {others} stay within the range by themselves"
            )


def resolve(
    options: IntervalOptions, kind: FigureKind = "", *, random_annotators: bool = False
) -> ResolvedInterval:
    """Return the interval for a kind of figure, with a method in place of "auto".

    ``random_annotators`` means that annotators are random for this coefficient, unless the options
    fix them or request an interval over items alone. "auto" becomes the interval of the kind of
    figure, if there is one for this sampling and transform. Otherwise it becomes BCa over items, t
    over clusters or annotators, or the percentile interval of the Bayesian bootstrap.
    """
    how, sampling = options.how, options.random
    by_name = random_annotators and sampling.annotators != "fixed" and not _is_over_items(options)
    random = replace(sampling, annotators="random") if by_name else sampling
    ranged, fixed = how.transform == "range", not random.draws_annotators
    if options.interval is None:
        return ResolvedInterval(options, "", random)
    if how.method != "auto":
        return ResolvedInterval(
            options, how.method, random, ranged, over_annotators=not fixed, cut=ranged
        )
    # no binomial ends for a posterior, nor for drawn annotators
    bounded = fixed and not sampling.bayesian
    of_kind = "" if sampling.bayesian or ranged else _by_kind(random, kind, by_name=by_name)
    if of_kind:
        bounded = bounded and of_kind != "empirical_bayes"
        return ResolvedInterval(options, of_kind, random, False, bounded, not fixed, cut=True)
    if sampling.bayesian:
        return ResolvedInterval(options, "percentile", random, over_annotators=not fixed)
    if random.cluster is None and fixed:
        return ResolvedInterval(options, OF_NO_KIND, random, ranged, bounded)
    on_unbounded_scale = fixed or ranged or by_name
    return ResolvedInterval(options, "t", random, on_unbounded_scale, bounded, not fixed, cut=True)


def for_differences(options: IntervalOptions) -> IntervalOptions:
    """Return options for differences: if "auto" means t, it is t on the original scale."""
    if options.how.method != "auto" or resolve(options).method != "t":
        return options
    return replace(options, interval=replace(options.how, method="t"))


def _is_over_items(options: IntervalOptions) -> bool:
    method = "" if options.interval is None else options.how.method
    return method in _OVER_ITEMS or (
        options.how.standard_error not in ("infinitesimal_jackknife", "jackknife")
    )


def _by_kind(random: Sampling, kind: FigureKind, *, by_name: bool) -> str:
    if not kind:
        return ""
    if by_name:
        alone = random.cluster is None and random.population is None
        return "widened_large_sample" if alone else ""
    if random.draws_annotators:
        return ""
    return "kurtosis_t" if random.cluster is not None else AUTOMATIC[kind]
