"""Which interval: what is random, which standard error, and how ends are made of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from functools import cached_property

from iaa_jax._errors import IaaError, OptionError
from iaa_jax.engine.precision import DType
from iaa_jax.measure.request import is_whole

AUTO = "bca"
"""The interval that ``interval="auto"`` stands for."""

PERCENTILES = ("percentile", "basic", "bca", "studentized")
METHODS = (*PERCENTILES, "abc", "normal", "t", "f")
INTERVALS = ("auto", *METHODS)

SIMPLE = ("percentile", "basic", "bca", "normal", "t")
"""What studies with replicates of their own can make."""

ERRORS = ("infinitesimal_jackknife", "jackknife", "grouped_jackknife")
"""Standard errors of any coefficient; some have further ones, by analytic formulas."""

_CHOICES: dict[str, tuple[str | None, ...]] = {
    "method": INTERVALS,
    "transform": (None, "range"),
    "resampling": ("items", "bayesian"),
    "annotators": ("fixed", "random"),
}


@dataclass(frozen=True)
class Interval:
    """What is random in the ratings, which standard error, and which interval.

    It may stand wherever ``interval=`` takes a name: a name alone is ``Interval(name)``.

    Parameters
    ----------
    method : str
        "percentile", "basic", "bca" (bias-corrected and accelerated) and "studentized" (bootstrap
        t) stand on replicates; "abc" (approximate BCa) on first and second derivatives; "normal"
        and "t" (n - 1 degrees of freedom) on the standard error; "f" is the analytic interval of
        intraclass correlations. "auto" is what the coverage study recommends: "bca"; over clusters
        "t" with the transform "range", over annotators too "t", "percentile" for "bayesian".
    standard_error : str
        "infinitesimal_jackknife" (derivatives by the weights), "jackknife" (one item left out at
        a time), "grouped_jackknife" (one of ``groups`` random groups of items at a time), or the
        name of an analytic form that the coefficient has, such as "gwet_linearized".
    transform : {None, "range"}
        "range" makes basic, studentized, normal and t intervals on ``log((x - lower) / (1 - x))``
        (``-log(1 - x)`` without a lower bound), so that they stay within the range.
    resampling : {"items", "bayesian"}
        Items drawn with replacement, or weights from a Dirichlet distribution (Rubin 1981), whose
        replicates are draws from the posterior of the coefficient.
    cluster : str, optional
        A coordinate along ``item`` (document, thread, ...): whole clusters are drawn.
    annotators : {"fixed", "random"}
        "random" draws annotators too, so that the interval speaks about other annotators as well.
    population : float, optional
        Number of items in the population that the items are a sample of: the more of it was
        rated, the less is uncertain.
    groups : int, optional
        Of the grouped jackknife; 20 by default.

    References
    ----------
    DiCiccio, T. J. and Efron, B. (1996). Bootstrap confidence intervals. Statistical Science
    11(3). https://doi.org/10.1214/ss/1032280214
    Rubin, D. B. (1981). The Bayesian bootstrap. Annals of Statistics 9(1).
    https://doi.org/10.1214/aos/1176345338
    Owen, A. B. (2007). The pigeonhole bootstrap. Annals of Applied Statistics 1(2).
    https://doi.org/10.1214/07-AOAS122
    Rao, J. N. K. and Wu, C. F. J. (1988). Resampling inference with complex survey data. Journal
    of the American Statistical Association 83(401).
    https://doi.org/10.1080/01621459.1988.10478591

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"]] * 12 + [["a", "b"]] * 4 + [["b", "b"]] * 9)
    >>> found = iaa.cohen_kappa(ratings, interval=iaa.Interval("t", transform="range"))
    >>> [round(float(end), 3) for end in (found.ci_low, found.ci_high)]
    [0.284, 0.881]
    """

    method: str = "auto"
    standard_error: str = "infinitesimal_jackknife"
    transform: str | None = None
    resampling: str = "items"
    cluster: str | None = None
    annotators: str = "fixed"
    population: float | None = None
    groups: int | None = None

    def __post_init__(self) -> None:
        for name, valid in _CHOICES.items():
            if (value := getattr(self, name)) not in valid:
                said = ", ".join(str(one) for one in valid)
                message = (
                    f"interval is one of {said}, an Interval or None, not {value!r}"
                    if name == "method"
                    else f"{name} is one of {said}, not {value!r}"
                )
                raise IaaError(message)
        if self.population is not None and not self.population > 0:
            message = f"population is a number of items above 0, not {self.population!r}"
            raise IaaError(message)
        if self.groups is not None and (not is_whole(self.groups) or self.groups < 2):
            message = f"groups is a whole number of 2 or more, not {self.groups!r}"
            raise IaaError(message)
        if self.groups is not None and self.standard_error != "grouped_jackknife":
            message = "groups are those of standard_error='grouped_jackknife'"
            raise IaaError(message)
        self._check_together()
        if self.transform is not None and self.used not in _TRANSFORMED:
            message = (
                f"transform={self.transform!r} is for {', '.join(_TRANSFORMED)} intervals: those "
                f"from percentiles ({self.used}) keep within the range by themselves"
            )
            raise IaaError(message)

    def _check_together(self) -> None:
        """Refuse what does not go together."""
        random = {
            name: getattr(self, name)
            for name in ("cluster", "annotators", "population", "resampling")
            if getattr(self, name) not in (None, "fixed", "items")
        }
        alone = ""
        if self.used in ("abc", "f"):
            alone = f"interval={self.used!r} is about items drawn one by one"
        elif self.standard_error not in ERRORS and self.used != "studentized":
            alone = f"standard_error={self.standard_error!r} is about items drawn one by one"
            random.pop("population", None)
            random.pop("resampling", None)
        elif self.standard_error == "grouped_jackknife":
            alone = "the grouped jackknife makes groups of its own"
            random = {name: value for name, value in random.items() if name == "cluster"}
        elif self.used == "studentized" and self.standard_error != ERRORS[0]:
            message = (
                "studentized intervals take the infinitesimal jackknife of each replicate: leave "
                f"standard_error={self.standard_error!r} out"
            )
            raise IaaError(message)
        elif self.used == "studentized" and self.annotators == "random":
            alone = "studentized intervals take the standard error over items alone"
            random = {"annotators": "random"}
        if alone and random:
            name, value = next(iter(random.items()))
            message = f"{alone}: leave {name}={value!r} out, or take another"
            raise IaaError(message)

    @property
    def used(self) -> str:
        """The method, with "auto" resolved."""
        if self.method != "auto":
            return self.method
        if self.resampling == "bayesian":
            return "percentile"
        return AUTO if self.cluster is None and self.annotators == "fixed" else "t"

    @property
    def on_range(self) -> bool:
        """Whether ends are made on a scale without bounds: over clusters unless said otherwise."""
        usual = self.method == "auto" and self.used == "t" and self.annotators == "fixed"
        return self.transform == "range" or usual

    @property
    def bounded(self) -> bool:
        """Whether the lower end is the binomial one where nothing disagrees.

        Annotators drawn as well, and draws from a posterior, are no matter of items that agree.
        """
        return self.method == "auto" and self.resampling == "items" and self.annotators == "fixed"

    @property
    def resampled(self) -> bool:
        """Whether the ends stand on replicates."""
        return self.used in PERCENTILES

    def said(self) -> dict[str, str | float]:
        """What differs from the usual, for the record."""
        found = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name != "method" and getattr(self, field.name) != field.default
        }
        return found | ({"transform": "range"} if self.on_range else {})


_TRANSFORMED = ("basic", "studentized", "normal", "t")

IntervalLike = str | Interval | None


@dataclass(frozen=True)
class IntervalOptions:
    """Which interval, and the randomness behind it."""

    interval: IntervalLike = "auto"
    confidence: float = 0.95
    replicates: int = 2000
    seed: int = 0
    dtype: DType = "float64"

    @cached_property
    def how(self) -> Interval:
        """The interval in full; the default where none is asked for."""
        if isinstance(self.interval, Interval):
            return self.interval
        return Interval(self.interval or "auto")

    @property
    def method(self) -> str:
        """The interval's name, "" for none."""
        return "" if self.interval is None else self.how.used

    def check(
        self, methods: tuple[str, ...] | None = None, *, band: bool = False, drawn: bool = False
    ) -> None:
        """Refuse values outside their range.

        ``methods`` are those of a study that makes its intervals itself, over items alone; with a
        ``band`` it needs replicates for every kind of interval. ``drawn`` says that replicates are
        all that is wanted of them.
        """
        how = self.how
        if methods is not None and self.interval is not None:
            further = how.said()
            if further or how.used not in methods:
                shown = ", ".join(f"{name}={value!r}" for name, value in further.items())
                message = (
                    f"interval={how.used!r}{', ' if further else ''}{shown} cannot be had here: "
                    f"give auto, {', '.join(methods)} or None; iaa_jax.agreement and agreement_by "
                    "make all kinds of intervals"
                )
                raise IaaError(message)
        if not 0 < self.confidence < 1:
            message = f"confidence lies between 0 and 1, not {self.confidence!r}"
            raise IaaError(message)
        for name, value, least in (("replicates", self.replicates, 1), ("seed", self.seed, 0)):
            if not is_whole(value) or value < least:
                message = f"{name} is a whole number of {least} or more, not {value!r}"
                raise IaaError(message)
        if self.interval is not None and not drawn and (band or how.resampled):
            what = f"{'a band' if band else 'an interval'} of {100 * self.confidence:g} %"
            instead = "" if band else "an interval that needs none, such as interval='normal'"
            check_replicates(self.replicates, (1 - self.confidence) / 2, what, instead)
        if self.dtype not in ("float64", "float32"):
            message = f"dtype is float64 or float32, not {self.dtype!r}"
            raise IaaError(message)


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


def check_replicates(number: int, tail: float, what: str, instead: str = "") -> None:
    """Refuse fewer replicates than that; ``what`` they are for, and what else may be asked for."""
    least = fewest_replicates(tail)
    if number >= least:
        return
    verb = "replicate is" if number == 1 else "replicates are"
    message = (
        f"{number:,} {verb} too few for {what}: one at least must lie beyond each end "
        f"({100 * tail:.3g} % of them); give {least:,} or more (2,000 is usual)"
    )
    raise OptionError(f"{message}, or {instead}" if instead else message)
