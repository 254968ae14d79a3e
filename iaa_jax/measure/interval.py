"""Which interval: from which standard error, and how ends are made of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from iaa_jax._checks import MOST_DRAWS, check_choice, check_whole, is_number
from iaa_jax._errors import IaaError, OptionError
from iaa_jax.measure.declared import OneOf, Share, Whole, check_values, option
from iaa_jax.measure.sampling import Sampling, resampling_text
from iaa_jax.wording import keyword, named

if TYPE_CHECKING:
    from iaa_jax.engine.devices import Device
    from iaa_jax.engine.precision import DType

AUTO = "bca"
"""The interval that ``interval="auto"`` stands for, where no kind of figure has its own."""

AUTOMATIC = {
    "labels": "posterior",
    "weighted labels": "posterior",
    "numbers": "kurtosis_t",
    "spans": "kurtosis_t",
}
"""The intervals of each kind of figure over items, by the coverage study."""

PERCENTILES = ("percentile", "basic", "bca", "studentized", "posterior")
BY_FORMULA = ("f", "modified_large_sample")
"""Intervals of intraclass correlations by their mean squares."""

WITH_UNSEEN = ("posterior", "likelihood")
"""Intervals that count with patterns of ratings that no item shows."""

METHODS = (*PERCENTILES, "abc", "normal", "t", "kurtosis_t", "likelihood", *BY_FORMULA)
NOT_OF_REPLICATES = ("abc", "kurtosis_t", *WITH_UNSEEN, *BY_FORMULA)
"""Intervals that cannot be made of bootstrap replicates that were kept."""

INTERVALS = ("auto", *METHODS)
_OR_INTERVAL = ", an Interval or None"

UNDEFINED = ("nan", "one", "zero", "raise")
"""What an undefined estimate can become."""

SIMPLE = ("percentile", "basic", "bca", "normal", "t")
"""What studies with replicates of their own can make."""

ERRORS = ("infinitesimal_jackknife", "jackknife", "grouped_jackknife")
"""Standard errors of any coefficient; some have further ones, by analytic formulas."""


@dataclass(frozen=True)
class Interval:
    """Which interval, and which standard error.

    Accepted wherever ``interval=`` takes a name, which is short for ``Interval(name)``.
    `iaa_jax.Sampling` says what is random.

    Parameters
    ----------
    method : str
        "posterior" has percentiles of a posterior that begins with half an item of agreement on
        each of two labels (``prior``), and so counts with what few items do not show; "likelihood"
        the ends of all figures at which the ratings are likely enough.
        "percentile", "basic", "bca" (bias-corrected and accelerated) and "studentized" (bootstrap
        t) use replicates; "abc" (approximate BCa) first and second derivatives; "normal" and "t" (n
        - 1 degrees of freedom) the standard error. "kurtosis_t" is t with the jackknife on the
        scale of the transform "range", and degrees of freedom from the kurtosis of what each item
        adds. Of intraclass correlations "f" is the analytic interval, and "modified_large_sample"
        that of ICC(2) over annotators.
        "auto" is what the coverage study recommends: "posterior" for labels; "kurtosis_t" for
        numbers and spans, and over clusters; over annotators "t", for ICC(2)
        "modified_large_sample"; for the Bayesian bootstrap "percentile"; for all else "bca".
    standard_error : str
        "infinitesimal_jackknife" (derivatives with respect to the weights), "jackknife" (one item
        left out at a time), "grouped_jackknife" (one of ``groups`` random groups of items at a
        time), or an analytic form of the coefficient, such as "gwet_linearized".
    transform : {None, "range"}
        "range" makes basic, studentized, normal and t intervals on ``log((x - lower) / (1 - x))``
        (``-log(1 - x)`` without a lower bound), so that they stay within the range.
    groups : int, optional
        Groups of the grouped jackknife; 20 by default.
    prior : float, optional
        Items of agreement on each label that a posterior begins with, and half as many of
        disagreement; by default ``(2 L)^(-1/2)`` for L labels in use, and less where near labels
        agree in part. 0 is Rubin's Bayesian bootstrap.

    References
    ----------
    DiCiccio, T. J. and Efron, B. (1996). Bootstrap confidence intervals. Statistical Science
    11(3). https://doi.org/10.1214/ss/1032280214
    Rubin, D. B. (1981). The Bayesian bootstrap. Annals of Statistics 9(1).
    https://doi.org/10.1214/aos/1176345338
    Owen, A. B. (1990). Empirical likelihood ratio confidence regions. Annals of Statistics 18(1).
    https://doi.org/10.1214/aos/1176347494
    Ting, N. et al. (1990). Confidence intervals on linear combinations of variance components that
    are unrestricted in sign. Journal of Statistical Computation and Simulation 35(1-2).
    https://doi.org/10.1080/00949659008811240

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"]] * 12 + [["a", "b"]] * 4 + [["b", "b"]] * 9)
    >>> result = iaa.cohen_kappa(ratings, interval=iaa.Interval("t", transform="range"))
    >>> [round(float(end), 3) for end in (result.ci_low, result.ci_high)]
    [0.284, 0.881]
    """

    method: str = "auto"
    standard_error: str = "infinitesimal_jackknife"
    transform: str | None = None
    groups: int | None = None
    prior: float | None = None

    def __post_init__(self) -> None:
        check_choice("interval", self.method, INTERVALS, _OR_INTERVAL)
        if self.prior is not None:
            self._check_prior(self.prior)
        check_choice("transform", self.transform, (None, "range"))
        if self.groups is not None:
            check_whole("groups", self.groups, 2)
        if self.groups is not None and self.standard_error != "grouped_jackknife":
            groups = keyword("standard_error", "grouped_jackknife")
            message = f"{named('groups')} are those of {groups}"
            raise IaaError(message)

    def _check_prior(self, prior: object) -> None:
        if not (is_number(prior) and 0 <= prior < math.inf):
            message = f"{named('prior')} must be a number from 0 up, not {prior!r}"
            raise OptionError(message)
        if self.method != "posterior":
            message = f"{named('prior')} is that of {keyword('interval', 'posterior')}"
            raise IaaError(message)


@dataclass(frozen=True)
class Chosen(Interval):
    """The interval that "auto" stands for, for one kind of figure."""


IntervalLike: TypeAlias = str | Interval | None

Kind = Literal["labels", "weighted labels", "numbers", "spans", ""]
"""What a figure is of, as far as its interval goes; "" for what no study knows."""

_TRANSFORMED = ("basic", "studentized", "normal", "t")


class Form(NamedTuple):
    """How ends are made, with "auto" resolved.

    ``on_range``: on a scale without bounds. ``bounded``: the lower end is the binomial one where
    nothing disagrees. ``over_annotators``: there are no ends where nothing varies, as a few
    annotators do not show that others are like them. ``kept``: cut at what the figure can reach.
    """

    method: str
    on_range: bool = False
    bounded: bool = False
    over_annotators: bool = False
    kept: bool = False


COMPUTED = ("dtype", "device")
"""Options on how numbers are computed, which most studies leave as they are."""


@dataclass(frozen=True)
class IntervalOptions:
    """Which interval, what is random, and what is shown where there is no figure.

    Parameters
    ----------
    interval : str, Interval or None
        Kind of interval: "auto", "posterior", "likelihood", "percentile", "basic", "bca",
        "studentized", "abc", "normal", "t", "kurtosis_t", "f", "modified_large_sample"; None gives
        only the estimates. An `iaa_jax.Interval` also sets the standard error, a scale that stays
        within the range, and the prior.
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
        "auto", OneOf(INTERVALS, _OR_INTERVAL, "none"), "Kind of interval"
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
        method = options._method_of(kind, by_name=by_name) if plain else ""
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
            return "modified_large_sample" if alone else ""
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
        if self.method == "posterior":
            settings.pop("interval_prior", None)
        if not settings and self.method in methods:
            return
        chosen: dict[str, object] = {"interval": self.method}
        chosen |= {name.partition("_")[2]: value for name, value in settings.items()}
        message = (
            f"{', '.join(keyword(*option) for option in chosen.items())} is not available here: "
            f"give auto, {', '.join(methods)} or None; iaa_jax.agreement and agreement_by have all "
            "kinds of intervals"
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
        if how.transform is not None and method not in _TRANSFORMED and how.method != "auto":
            message = (
                f"{keyword('transform', how.transform)} is for {', '.join(_TRANSFORMED)} "
                f"intervals: those from percentiles ({method}) stay within the range by themselves"
            )
            raise OptionError(message)


def fewest_replicates(tail: float) -> int:
    """The replicates of which this share is one: with fewer, no replicate lies as far out.

    The outermost of them would stand for an end that is farther away. With this number the ends
    are still uncertain: it is what makes sense at all, not what is good.

    Examples
    --------
    >>> fewest_replicates(0.025), fewest_replicates(0.05)
    (40, 20)
    """
    return math.ceil(1 / tail - 1e-6)


def check_replicates(number: int, tail: float, purpose: str, instead: str = "") -> None:
    """Refuse fewer replicates than that; ``what`` they are for, and what else may be asked for."""
    least = fewest_replicates(tail)
    if number >= least:
        return
    verb = "replicate is" if number == 1 else "replicates are"
    message = (
        f"{number:,} {verb} too few for {purpose}: at least one must lie beyond each end "
        f"({100 * tail:.3g} % of them); give {least:,} or more (2,000 is usual)"
    )
    raise OptionError(f"{message}, or {instead}" if instead else message)
