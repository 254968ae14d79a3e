"""The `Interval` option: the method for the ends of an interval, and its standard error."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from iaa_jax._checks import check_choice, check_whole, is_number
from iaa_jax._errors import IaaError, OptionError
from iaa_jax.wording import keyword, named

OF_NO_KIND = "bca"
"""The interval that "auto" means if items are drawn and `AUTOMATIC` lacks the kind of figure."""

AUTOMATIC = {
    "labels": "empirical_bayes",
    "weighted labels": "empirical_bayes",
    "numbers": "kurtosis_t",
    "spans": "kurtosis_t",
}
"""The interval that "auto" means if items are drawn, for each kind of figure. It was chosen by its
coverage in simulations."""

PERCENTILES = ("percentile", "basic", "bca", "studentized", "empirical_bayes")
OVER_ANNOTATORS = ("modified_large_sample", "widened_large_sample")
"""Intervals for ICC(2) over items and annotators, by formulas."""

FEW_ANNOTATORS = 10
"""Threshold: with fewer annotators than this, there is a caution. If one annotator in five is of a
certain kind, the probability that none of 10 annotators is of that kind is one in nine."""

BY_FORMULA = ("f", *OVER_ANNOTATORS)
"""Intervals for intraclass correlations, by formulas."""

WITH_UNSEEN = ("empirical_bayes", "likelihood")
"""Intervals that allow for patterns of ratings that no item shows."""

METHODS = (*PERCENTILES, "abc", "normal", "t", "kurtosis_t", "likelihood", *BY_FORMULA)
NOT_OF_REPLICATES = ("abc", "kurtosis_t", *WITH_UNSEEN, *BY_FORMULA)
"""Intervals that cannot be made from stored bootstrap replicates."""

SOURCES: Mapping[str, str] = MappingProxyType(
    {
        "empirical_bayes": "{rubin1981}",
        "bca": "{efron1987}",
        **dict.fromkeys(("percentile", "studentized", "abc"), "{diciccio1996}"),
        "likelihood": "{owen1990}",
        **dict.fromkeys(OVER_ANNOTATORS, "{ting1990}"),
    }
)
"""References of kinds of interval (keys of `works.bib`). Other kinds have none of their own."""

INTERVALS = ("auto", *METHODS)
OR_INTERVAL = ", an Interval or None"

SIMPLE = ("percentile", "basic", "bca", "normal", "t")
"""Intervals that analyses can make from replicates that they draw themselves."""

ERRORS = ("infinitesimal_jackknife", "jackknife", "grouped_jackknife")
"""Standard errors of any coefficient; some coefficients also have analytic ones."""


@dataclass(frozen=True)
class Interval:
    """An interval and its standard error.

    ``interval=`` takes an `Interval` or a name, where a name is short for ``Interval(name)``.
    `iaa_jax.Sampling` specifies what is random.

    Parameters
    ----------
    method : str
        "empirical_bayes" takes, at each end, the outer percentile of two posteriors: one with a
        pseudo-item (``prior``), which allows for combinations of ratings that few items cannot
        show, and one without. "likelihood" is an empirical likelihood interval. "percentile",
        "basic", "bca" (bias-corrected and accelerated) and "studentized" (bootstrap t) use
        replicates; "abc" (approximate BCa) uses first and second derivatives; "normal" and "t" (n -
        1 degrees of freedom) use the standard error. "kurtosis_t" is t with the jackknife on the
        scale of the transform "range", and degrees of freedom from the kurtosis of the items'
        influences. For intraclass correlations, "f" is the analytic interval;
        "modified_large_sample" is for ICC(2) over annotators, and "widened_large_sample" widens it
        by a jackknife over items and annotators if annotators differ or numbers have heavy tails.
        "auto" means the method that a simulation study of coverage recommends: "empirical_bayes"
        for labels; "kurtosis_t" for numbers and spans, and over clusters; over annotators "t", or
        "widened_large_sample" for ICC(2); "percentile" for the Bayesian bootstrap; and otherwise
        "bca", or "t" over clusters.
    standard_error : str
        "infinitesimal_jackknife" (derivatives with respect to the weights), "jackknife" (one item
        left out at a time), "grouped_jackknife" (one of ``groups`` random groups of items at a
        time), or an analytic form of the coefficient, such as "gwet_linearized".
    transform : {None, "range"}
        "range" makes basic, studentized, normal and t intervals on a scale without bounds, so that
        they stay within the range. The scale is ``log((x - lower) / (1 - x))``, or ``-log(1 - x)``
        without a lower bound. For numbers, ``lower`` is the least possible coefficient.
    groups : int, optional
        Number of groups of the grouped jackknife; 20 by default.
    prior : float, optional
        Weight of the pseudo-item of a posterior, in items; 1 by default. Half of the pseudo-item
        agrees, on labels in proportion to 1 over their frequency. The other half disagrees, like
        annotators who draw labels evenly and independently. With 0, only Rubin's Bayesian
        bootstrap is used.

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
        check_choice("interval", self.method, INTERVALS, OR_INTERVAL)
        if self.prior is not None:
            self._check_prior(self.prior)
        check_choice("transform", self.transform, (None, "range"))
        if self.groups is not None:
            check_whole("groups", self.groups, 2)
        if self.groups is not None and self.standard_error != "grouped_jackknife":
            groups = keyword("standard_error", "grouped_jackknife")
            raise IaaError(f"{named('groups')} are only for {groups}")

    def _check_prior(self, prior: object) -> None:
        if not (is_number(prior) and 0 <= prior < math.inf):
            raise OptionError(f"{named('prior')} must be a number from 0 up, not {prior!r}")
        if self.method != "empirical_bayes":
            raise IaaError(f"{named('prior')} is only for {keyword('interval', 'empirical_bayes')}")


FigureKind = Literal["labels", "weighted labels", "numbers", "spans", ""]
"""Kinds of figures for which coverage was simulated separately; "" for other figures."""


def fewest_replicates(tail: float) -> int:
    """Return the minimum number of replicates for which one is expected in a tail.

    ``tail`` is the probability of the tail. With fewer replicates, the outermost one would stand
    for an end that is farther away.

    Examples
    --------
    >>> fewest_replicates(0.025), fewest_replicates(0.05)
    (40, 20)
    """
    return math.ceil(1 / tail - 1e-6)


def check_replicates(number: int, tail: float, purpose: str, instead: str = "") -> None:
    """Raise an error for too few replicates; ``purpose`` and ``instead`` are parts of its text."""
    least = fewest_replicates(tail)
    if number >= least:
        return
    verb = "replicate is" if number == 1 else "replicates are"
    message = (
        f"{number:,} {verb} too few for {purpose}: at least one must lie beyond each end "
        f"({100 * tail:.3g} % of them); give {least:,} or more (2,000 is usual)"
    )
    raise OptionError(f"{message}, or {instead}" if instead else message)
