"""Ends that hold at all looks together: by betting, or for large numbers of items by influence."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import log_ndtr

from iaa_jax._types import Floats, Values
from iaa_jax.analyses.watch.terms import Terms
from iaa_jax.kernels.betting import Bets, log_wealth_above, log_wealth_below
from iaa_jax.kernels.intervals import Ends

NARROWEST_AT = 250
"""Items at which a sequence by influence is narrowest, where their number is not known."""

LEAST_ITEMS = 30
"""Items below which no sequence by influence is given."""

_GREATEST = 700.0
"""The largest logarithm of evidence that is told from infinity."""

_LOWEST = -1e6
"""The lower end from which a root is looked for, where a coefficient has no bound."""


class Evidence(NamedTuple):
    """Of a bar, at each look: e-values, each against what the other side would say."""

    above: Floats  # against "at most the bar"
    below: Floats  # against "at least the bar"
    fallen: Floats  # against "never below the bar", whenever it fell
    since: Values  # (look,) the look after which it most likely fell


def ends_by_betting(terms: Terms, bets: Bets, alpha: float, bounds: tuple[float, float]) -> Ends:
    """What the wealth of no bet has ruled out, at each look."""
    threshold = math.log(2 / alpha)
    low, high = (np.full(len(terms.ends), end) for end in bounds)
    lowest, highest = bounds
    for look, groups in enumerate(terms.ends.tolist()):
        made = Bets(*(each[:groups] for each in bets))
        if groups:
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
    """The last value that the wealth of these bets has ruled out, from an earlier one on."""

    def excess(k: float) -> float:
        return float(log_wealth(bets, k).max()) - threshold

    above = log_wealth is log_wealth_above
    start = max(before, _LOWEST) if above else before
    other = bounds[1] if above else max(bounds[0], _LOWEST)
    if excess(start) < 0:  # nothing new is ruled out
        return before
    if excess(other) >= 0:
        return other
    return float(brentq(excess, start, other, xtol=1e-10))


def left_open(terms: Terms, items: float, ends: Ends) -> Ends:
    """The ends, no further than what the ``items`` that are left could still make of it."""
    seen = terms.ends
    observed, expected = (
        np.append(0.0, np.cumsum(each))[seen] for each in (terms.observed, terms.expected)
    )
    left = items - seen
    with np.errstate(divide="ignore", invalid="ignore"):
        least = observed / (expected + left * terms.largest.expected)
        most = (observed + left * terms.largest.observed) / expected
    return Ends(np.fmax(ends.low, 1 - most), np.fmin(ends.high, 1 - least))


def evidence_by_betting(terms: Terms, bets: Bets, bar: float) -> Evidence:
    """The wealth of bets on both sides of a bar, and of bets that it has fallen below."""
    above, below = (
        np.append(0.0, log_wealth(bets, bar))[terms.ends]
        for log_wealth in (log_wealth_above, log_wealth_below)
    )
    # a bet that begins before each look, the first with half of all that is bet on this
    number = np.arange(1, len(below) + 1)
    started = np.append(0.0, below[:-1])
    share = -np.log(number * (number + 1.0)) - started
    fallen = np.logaddexp.accumulate(share) + below
    since = [int(np.argmax(share[: look + 1])) for look in range(len(share))]
    above, below, fallen = (np.exp(np.minimum(each, _GREATEST)) for each in (above, below, fallen))
    return Evidence(above, below, fallen, np.array(since))


def ends_by_influence(
    estimate: Floats,
    error: Floats,
    number: Floats,
    alpha: float,
    bounds: tuple[float, float],
    items: float | None = None,
) -> Ends:
    """``estimate +- s sqrt(2 (u r + 1) / (u^2 r) log(sqrt(u r + 1) / alpha))`` at each look.

    u is the ``number`` of items (or clusters) n; of N in all, whose figure is meant,
    ``u = n N / (N - n)``, with which the ends meet at the last. s is the standard error times
    sqrt(n), and r makes it narrowest at half of N, or at `NARROWEST_AT`. With few items, or an
    error of 0, there is none.
    """
    effective, rate = _effective(number, items), _rate(alpha, items)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = error * np.sqrt(number)
        scaled = effective * rate + 1
        reach = spread * np.sqrt(2 * scaled / rate * np.log(np.sqrt(scaled) / alpha)) / effective
    known = (number >= LEAST_ITEMS) & (error > 0)
    reach = np.where(known, reach, np.inf)
    if items is not None:
        reach = np.where(number >= items, 0.0, reach)
    low, high = np.fmax(estimate - reach, bounds[0]), np.fmin(estimate + reach, bounds[1])
    return Ends(low, high)


def evidence_by_influence(
    estimate: Floats,
    error: Floats,
    number: Floats,
    alpha: float,
    bar: float,
    items: float | None = None,
) -> Evidence:
    """The same with a mixture of normal distributions on one side of the bar."""
    effective, rate = _effective(number, items), _rate(alpha, items)
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
    nothing = np.full(len(estimate), np.nan)
    return Evidence(above, below, nothing, np.zeros(len(estimate), dtype=np.intp))


def _effective(number: Floats, items: float | None) -> Floats:
    if items is None:
        return number
    with np.errstate(divide="ignore"):
        return np.asarray(number * items / np.maximum(items - number, 0.0))


def _rate(alpha: float, items: float | None) -> float:
    narrowest = NARROWEST_AT if items is None else max(items / 2, 1)
    return (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / narrowest
