"""Boundaries for several looks at the data, which together err as often as a single test."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
import xarray as xr
from scipy.special import ndtr, ndtri

from iaa_jax import __version__
from iaa_jax._checks import check_choice, is_number, is_whole
from iaa_jax._errors import IaaError, OptionError
from iaa_jax._types import Floats
from iaa_jax.analyses.plan import declared
from iaa_jax.measure import IntervalOptions, public, select
from iaa_jax.measure.results import dataset_of
from iaa_jax.wording import keyword, named
from iaa_jax.wording.figures import gives

SPENDING = ("obrien_fleming", "pocock", "power")
SPENT, EXPONENT = SPENDING[0], 2.0
"""The default spending function, and the default exponent of "power"."""

MOST_LOOKS = 50

_LEAST_APART = 1e-3

_NODES = 24
"""Number of Gauss-Legendre nodes per standard deviation of the next step."""

_REACH = 14.0
"""Number of standard deviations beyond which paths are ignored."""

_FAR = 38.0
"""Largest finite boundary; above it, the tail probability underflows."""

_LEAST = 1e-320

_BEYOND = 20
"""Minimum number of replicates beyond the end of an interval."""

_MOST_REPLICATES = 1_000_000

WIDENED = 1.05
"""Factor on z for the interval of one of several looks.

The usual intervals for labels cover about 94 % at a nominal 95 %, and 97.8 % at a look's nominal
98.4 %. With this factor, all looks together reach their confidence (benchmarks/levels.md).
"""


@public
@gives(declared)
def plan_looks(
    looks: int | Sequence[float],
    *,
    options: IntervalOptions = select(IntervalOptions, "confidence"),
    spending: str = SPENT,
    exponent: float = EXPONENT,
    items: float | None = None,
) -> xr.Dataset:
    """Schedule interim looks during annotation, with the interval to use at each.

    Somebody who looks at a 95 % interval five times, and stops at will, errs far more often than
    once in twenty. An error-spending function gives the part of the error ``alpha = 1 -
    confidence`` that may be spent until a share t of the items is annotated. A normal statistic
    crosses the boundary z of a look with exactly the probability that the look may spend. The
    interval of a look (a repeated confidence interval) is the usual interval at the level of the
    look, ``2 Phi(reach) - 1``, with ``reach`` as below. The result has the ``confidence`` and the
    ``replicates`` to request it with. The intervals of all looks together hold with about the given
    confidence, whenever annotation stops. With several looks, ``reach = 1.05 z``, because the usual
    intervals err a little more often than stated (estimates are not quite normal), and this adds up
    over looks.

    The intervals ``estimate +- z SE`` err too often: with a label that has a share of 3 % among 300
    items, and five looks by "pocock", at least one of them errs in 27 % of cases. Posterior
    intervals err in 5 %.

    With ``a(t)`` the error spent on each side:

    - "obrien_fleming": ``a(t) = 2 (1 - Phi(z_{alpha/4} / sqrt(t)))``, hardly anything early;
    - "pocock": ``a(t) = alpha / 2 log(1 + (e - 1) t)``, about the same boundary each time;
    - "power": ``a(t) = alpha / 2 t^exponent``.

    Parameters
    ----------
    looks : int or sequence of float
        Number of evenly spaced looks; or the share of the information (of all items) at each look,
        in ascending order, with 1 as the last.
    options : IntervalOptions
    confidence : float
        Confidence level of all looks together, between 0 and 1.
    spending : {"obrien_fleming", "pocock", "power"}
        How the error is spent.
    exponent : float
        Exponent of "power", above 0: 1 is near Pocock's, 3 near O'Brien and Fleming's.
    items : float, optional
        Number of items at the last look, from which the number at each look follows.

    Returns
    -------
    xarray.Dataset
        Along ``look``:

        LOOKS

        ``items`` is in the result only if the argument is given. ``attrs["conclusion"]`` is
        "each_look" if the interval of every look has finite ends, and "later_looks" if the first
        look has hardly any error to spend. Further attributes have the options.

    Raises
    ------
    IaaError
        If the looks or an option are out of range.

    Notes
    -----
    The density of the paths that have crossed no boundary is propagated from look to look by
    Gauss-Legendre quadrature (Armitage, McPherson and Rowe 1969).

    References
    ----------
    Lan, K. K. G. and DeMets, D. L. (1983). Discrete sequential boundaries for clinical trials.
    Biometrika 70(3), 659-663. https://doi.org/10.1093/biomet/70.3.659
    Armitage, P., McPherson, C. K. and Rowe, B. C. (1969). Repeated significance tests on
    accumulating data. Journal of the Royal Statistical Society A 132(2), 235-244.
    https://doi.org/10.2307/2343787

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> looks = iaa.plan.looks(5)
    >>> looks.z.round(3).values
    array([4.877, 3.357, 2.68 , 2.29 , 2.031])

    The interval of the third look:

    >>> third = looks.sel(look=3)
    >>> level, draws = float(third.confidence), int(third.replicates)
    >>> round(level, 4), draws
    (0.9951, 8183)
    >>> ratings = iaa.from_wide([["a", "a"]] * 40 + [["a", "b"]] * 6 + [["b", "b"]] * 14)
    >>> alpha = iaa.krippendorff_alpha(ratings, confidence=level, replicates=draws)
    >>> bool(alpha.ci_low < 0.6 < alpha.ci_high)
    True
    """
    fractions = _checked_fractions(looks)
    alpha = 1 - float(options.confidence)
    spend = spending_function(spending, alpha, exponent)
    if items is not None and not (is_number(items) and items >= 1):
        raise IaaError(f"the items at the last look must be 1 or more, not {items!r}")
    z = np.array(boundaries(tuple(fractions), spending, float(alpha), float(exponent)))
    reach = z * (WIDENED if len(z) > 1 else 1.0)
    spent = np.array([2 * spend(t) for t in fractions])
    variables = {
        "fraction": ("look", fractions),
        "z": ("look", z),
        "p_value": ("look", _two_sided(z)),
        "spent": ("look", spent),
        "reach": ("look", reach),
        "confidence": ("look", 1 - _two_sided(reach)),
        "replicates": ("look", _replicates_of(reach)),
    }
    if items is not None:
        variables["items"] = ("look", np.ceil(fractions * items - 1e-9))
    attrs = {
        "made_by": "plan.looks",
        "conclusion": "each_look" if np.isfinite(z).all() else "later_looks",
        "notes": "[]",
        "iaa_jax_version": __version__,
        "confidence": float(options.confidence),
        "spending": spending,
    }
    if spending == "power":
        attrs["exponent"] = float(exponent)
    return dataset_of(variables, {"look": np.arange(1, len(fractions) + 1)}, attrs)


def spending_function(spending: str, alpha: float, exponent: float) -> Callable[[float], float]:
    """Return the function from a share of the information to the error spent on each side."""
    check_choice("spending", spending, SPENDING)
    if exponent != EXPONENT and spending != "power":
        raise OptionError(
            f"{named('exponent')} is for {keyword('spending', 'power')}: give that as well"
        )
    if spending == "obrien_fleming":
        edge = ndtri(alpha / 4)
        return lambda t: float(2 * ndtr(edge / math.sqrt(t)))
    if spending == "pocock":
        return lambda t: alpha / 2 * math.log1p((math.e - 1) * t)
    if not is_number(exponent) or exponent <= 0:
        raise OptionError(
            f"the exponent of a power spending function must be above 0, not {exponent!r}"
        )
    return lambda t: alpha / 2 * t**exponent


@cache
def boundaries(
    fractions: tuple[float, ...], spending: str, alpha: float, exponent: float
) -> tuple[float, ...]:
    """Return the symmetric boundary z of each look; infinite if hardly any error may be spent."""
    from scipy.optimize import brentq

    spend = spending_function(spending, alpha, exponent)
    z: list[float] = []
    paths: _Paths | None = None
    spent = 0.0
    for t in fractions:
        step = _StepToLook(paths, t)
        to_spend, spent = spend(t) - spent, spend(t)
        if to_spend <= 0 or step.chance_above(_FAR * math.sqrt(t)) >= to_spend:
            edge = math.inf
        else:
            # the first looks may spend as little as 1e-20
            goal = math.log(to_spend)
            edge = brentq(
                lambda x, step=step, goal=goal: math.log(max(step.chance_above(x), _LEAST)) - goal,
                0.0,
                _FAR * math.sqrt(t),
                xtol=1e-12,
                rtol=1e-14,
            )
        z.append(edge / math.sqrt(t))
        paths = step.paths_within(edge)
    return tuple(z)


def crossing_chances(
    fractions: Sequence[float] | Floats, z: Sequence[float] | Floats, drift: float = 0.0
) -> Floats:
    """Return, for each look, the probability that it is the first to cross the upper boundary.

    ``drift`` is the true value in standard errors of the last look.
    """
    chances = []
    paths: _Paths | None = None
    for t, boundary in zip(fractions, z, strict=True):
        step = _StepToLook(paths, t, drift)
        edge = boundary * math.sqrt(t)
        chances.append(step.chance_above(edge) if math.isfinite(edge) else 0.0)
        paths = step.paths_within(edge)
    return np.array(chances)


def drift_for(
    fractions: Sequence[float] | Floats, z: Sequence[float] | Floats, power: float
) -> float:
    """Return the true value at which looks have this power, in standard errors of the last look."""
    from scipy.optimize import brentq

    def excess(drift: float) -> float:
        return float(crossing_chances(fractions, z, drift).sum()) - power

    return float(brentq(excess, 0.0, 20.0, xtol=1e-8))


class _Paths(NamedTuple):
    """Paths that have crossed no boundary: positions at a time, with their probabilities."""

    at: Floats
    mass: Floats
    time: float


@dataclass(frozen=True)
class _StepToLook:
    """The step of a Brownian motion with drift from one look to the next."""

    before: _Paths | None
    time: float
    drift: float = 0.0

    @property
    def spread(self) -> float:
        return math.sqrt(self.time - (self.before.time if self.before else 0.0))

    @property
    def _start(self) -> tuple[Floats, Floats]:
        if self.before is None:
            return np.zeros(1) + self.drift * self.time, np.ones(1)
        elapsed = self.time - self.before.time
        return self.before.at + self.drift * elapsed, self.before.mass

    def chance_above(self, edge: float) -> float:
        """Return the probability to be above an edge."""
        at, mass = self._start
        return float(mass @ ndtr((at - edge) / self.spread))

    def paths_within(self, edge: float) -> _Paths:
        """Return the paths within plus or minus an edge."""
        middle, reach = self.drift * self.time, _REACH * math.sqrt(self.time)
        low, high = max(-edge, middle - reach), min(edge, middle + reach)
        panels = max(1, math.ceil((high - low) / self.spread))
        node, weight = _gauss_legendre()
        width = (high - low) / panels
        edges = low + width * np.arange(panels)
        at = (edges[:, None] + width * (node + 1) / 2).ravel()
        start, mass = self._start
        distance = (at[:, None] - start) / self.spread
        density = (np.exp(-(distance**2) / 2) @ mass) / (self.spread * math.sqrt(2 * math.pi))
        return _Paths(at, density * np.tile(weight * width / 2, panels), self.time)


@cache
def _gauss_legendre() -> tuple[Floats, Floats]:
    return np.polynomial.legendre.leggauss(_NODES)


def _two_sided(z: Floats) -> Floats:
    return np.asarray(2 * ndtr(-z))


def _replicates_of(z: Floats) -> Floats:
    """Return the number of replicates that each look's interval needs; NaN if it is too large."""
    with np.errstate(divide="ignore"):
        wanted = np.ceil(2 * _BEYOND / _two_sided(z))
    wanted = np.maximum(wanted, IntervalOptions.replicates)
    return np.where(wanted <= _MOST_REPLICATES, wanted, np.nan)


def _checked_fractions(looks: int | Sequence[float]) -> Floats:
    if is_whole(looks):
        number = operator.index(looks)
        if not 1 <= number <= MOST_LOOKS:
            raise OptionError(f"looks are a whole number from 1 to {MOST_LOOKS}, not {looks!r}")
        return np.arange(1, number + 1) / number
    try:
        fractions = np.atleast_1d(np.asarray(looks, dtype=np.float64))
    except (TypeError, ValueError):
        fractions = np.zeros(0)
    if isinstance(looks, bool):
        fractions = np.zeros(0)
    ascending = len(fractions) and (np.diff(fractions, prepend=0.0) > 0).all()
    if not ascending or fractions.ndim != 1 or abs(fractions[-1] - 1) > 1e-9:
        raise OptionError(
            f"looks are a whole number, or ascending shares of the items with 1 as the last, "
            f"not {looks!r}"
        )
    if len(fractions) > MOST_LOOKS or np.diff(fractions, prepend=0.0).min() < _LEAST_APART:
        raise OptionError(
            f"there can be at most {MOST_LOOKS} looks, at least {_LEAST_APART:g} of the items apart"
        )
    fractions[-1] = 1.0
    return fractions
