"""Ends of intervals that hold at all looks together: by betting, or by influence with many items.

Betting is exact. A sequence of intervals by influence is a normal approximation, computed from the
influence of each item on the coefficient.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import log_ndtr

from iaa_jax._types import Floats
from iaa_jax.analyses.watch.arrivals import Indices
from iaa_jax.analyses.watch.terms import Terms
from iaa_jax.kernels.betting import Bets, bets_on, log_wealth_above, log_wealth_below
from iaa_jax.kernels.intervals import Ends

NARROWEST_AT = 250
"""Number of items at which a sequence by influence is narrowest, compared with one look."""

LEAST_ITEMS = 100
"""Minimum number of items for a sequence by influence."""

SOON = 200
"""Number of bets after which a fall should show; a large fall takes fewer, a rare label more."""

_GREATEST = 700.0
"""Maximum of log evidence, so that its exponential is finite."""

_LOWEST = -1e6
"""Lower end of the search for a root, for a coefficient without a lower bound."""


class Evidence(NamedTuple):
    """Evidence about a bar (a level of the coefficient) at each look, as e-values."""

    above: Floats  # against the claim "at most the bar"
    below: Floats  # against the claim "at least the bar"


def ends_by_betting(bets: Bets, groups: Indices, alpha: float, bounds: tuple[float, float]) -> Ends:
    """Return the ends of the values that the bets have not ruled out by each look.

    One bet is made on each group of independent items; ``groups`` (look,) counts the groups so far.
    """
    threshold = math.log(2 / alpha)
    low, high = (np.full(len(groups), end) for end in bounds)
    lowest, highest = bounds
    for look, number in enumerate(groups.tolist()):
        made = Bets(*(each[:number] for each in bets))
        if number:
            lowest = _end(log_wealth_above, made, threshold, lowest, bounds)
            highest = _end(log_wealth_below, made, threshold, highest, bounds)
        low[look], high[look] = lowest, highest
    return Ends(low, high)


def _end(
    log_wealth: Callable[[Bets, float], Floats],
    bets: Bets,
    threshold: float,
    before: float,
    bounds: tuple[float, float],
) -> float:
    """Return the end up to which the bets rule out values; ``before`` if they rule out no more."""

    def excess(k: float) -> float:
        return float(log_wealth(bets, k).max()) - threshold

    above = log_wealth is log_wealth_above
    start = max(before, _LOWEST) if above else before
    other = bounds[1] if above else max(bounds[0], _LOWEST)
    if excess(start) < 0:
        return before
    if excess(other) >= 0:
        return other
    return float(brentq(excess, start, other, xtol=1e-10))


def left_open(terms: Terms, groups: Indices, items: float, ends: Ends) -> Ends:
    """Return the ends, limited to the estimates that are possible once all ``items`` are rated."""
    observed, expected = (
        np.append(0.0, np.cumsum(each))[groups] for each in (terms.observed, terms.expected)
    )
    left = items - groups
    with np.errstate(divide="ignore", invalid="ignore"):
        least = observed / (expected + left * terms.largest.expected)
        most = (observed + left * terms.largest.observed) / expected
    return Ends(np.fmax(ends.low, 1 - most), np.fmin(ends.high, 1 - least))


def evidence_by_betting(bets: Bets, groups: Indices, bar: float) -> Evidence:
    """Return the wealth of bets that the coefficient is above a bar, and that it is below."""
    return Evidence(
        *(
            np.exp(np.minimum(np.append(0.0, log_wealth(bets, bar))[groups], _GREATEST))
            for log_wealth in (log_wealth_above, log_wealth_below)
        )
    )


def fallen_by_betting(
    terms: Terms, groups: Indices, alpha: float, bar: float
) -> tuple[Floats, Indices]:
    """Return evidence of a fall below a bar, and the look before which it most likely began.

    A bet begins before each look n, with 1 / sqrt(n) - 1 / sqrt(n + 1) of the total stake. The
    expected wealth of all bets together is at most 1 as long as the coefficient is not below the
    bar. The stakes are sized to show a fall after `SOON` bets. Look 0 means that there was no fall.
    """
    bets = bets_on(terms.observed, terms.expected, *terms.largest, alpha, SOON)
    below = np.append(0.0, log_wealth_below(bets, bar))[groups]
    number = np.arange(1.0, len(below) + 1)
    share = np.log(number**-0.5 - (number + 1) ** -0.5) - np.append(0.0, below[:-1])
    since = np.array([int(np.argmax(share[: look + 1])) for look in range(len(share))])
    return np.exp(np.minimum(np.logaddexp.accumulate(share) + below, _GREATEST)), since


def ends_by_influence(
    estimate: Floats,
    error: Floats,
    number: Floats,
    alpha: float,
    bounds: tuple[float, float],
    share: Floats | None = None,
) -> Ends:
    """Return ``estimate +- s sqrt(2 (u r + 1) / (u^2 r) log(sqrt(u r + 1) / alpha))`` by look.

    u is the ``number`` of items (or clusters). If they are a known ``share`` f of a finite
    population, u is number / (1 - f), and the ends meet at the last item. s is the standard error
    times sqrt(number), and r makes the interval narrowest at `NARROWEST_AT` items. With few items,
    or a standard error of 0, the ends are the bounds. If an earlier look had narrower ends, they
    are kept.
    """
    effective, rate = _effective(number, share), _rate(alpha)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = error * np.sqrt(number)
        scaled = effective * rate + 1
        reach = spread * np.sqrt(2 * scaled / rate * np.log(np.sqrt(scaled) / alpha)) / effective
    known = (number >= LEAST_ITEMS) & (error > 0)
    reach = np.where(known, reach, np.inf)
    if share is not None:
        reach = np.where(share >= 1, 0.0, reach)
    low, high = np.fmax(estimate - reach, bounds[0]), np.fmin(estimate + reach, bounds[1])
    return Ends(np.fmax.accumulate(low, axis=-1), np.fmin.accumulate(high, axis=-1))


def evidence_by_influence(
    estimate: Floats,
    error: Floats,
    number: Floats,
    alpha: float,
    bar: float,
    share: Floats | None = None,
) -> Evidence:
    """Return evidence, by a normal mixture, that the coefficient is above or below the bar."""
    effective, rate = _effective(number, share), _rate(alpha)
    known = (number >= LEAST_ITEMS) & (error > 0) & np.isfinite(effective)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = (estimate - bar) * np.sqrt(effective) / (error * np.sqrt(number))
        scaled = effective * rate
        both = math.log(2) - np.log1p(scaled) / 2 + z**2 * scaled / (2 * (scaled + 1))
        side = z * np.sqrt(scaled / (scaled + 1))
        above, below = (
            np.where(known, np.exp(np.minimum(both + log_ndtr(each), _GREATEST)), np.nan)
            for each in (side, -side)
        )
    return Evidence(above, below)


def _effective(number: Floats, share: Floats | None) -> Floats:
    if share is None:
        return number
    with np.errstate(divide="ignore"):
        return np.asarray(number / np.maximum(1 - share, 0.0))


def _rate(alpha: float) -> float:
    return (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / NARROWEST_AT
