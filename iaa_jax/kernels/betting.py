"""Bets on what a coefficient is: wealth that cannot grow for long unless it is something else.

Each bet is on terms o and e of independent items, of which ``E (o - (1 - k) e)`` is 0 where k is
the coefficient, above 0 where the coefficient is below k, and below 0 where it is above
(`iaa_jax.kernels.independent`). With g = o - (1 - k) e and stakes that only earlier bets decide,

    wealth_above(k) = prod (1 - stake g),    wealth_below(k) = prod (1 + stake g)

are, where the coefficient is k, martingales that begin at 1 and stay above 0. So the first exceeds
2 / alpha at any time with a chance of alpha / 2 at most, and likewise the second (Ville 1939); what
they have not exceeded is a confidence sequence. Where the coefficient is at most k, the first is
still worth no more than 1 on average at any time: it is an e-value against "at most k". As o and e
are never below 0, the first falls with k and the second rises: the sequence is an interval.

References
----------
Waudby-Smith, I. and Ramdas, A. (2024). Estimating means of bounded random variables by betting.
Journal of the Royal Statistical Society B 86(1), 1-27. https://doi.org/10.1093/jrsssb/qkad009
"""

from __future__ import annotations

import math
from typing import NamedTuple

from iaa_jax.kernels.namespace import Array, namespace

_MOST = 0.9
"""Of what one bet could lose it may lose so much."""

_BEGINNING = 15
"""Bets by which stakes are made for more than those that were made."""

_VARIANCE, _WEIGHT = 0.25, 2.0
"""Variance of g, in units of the largest o, before any bet, and how many bets this counts as."""


class Bets(NamedTuple):
    """Bets in their order: arrays (..., bet)."""

    observed: Array
    expected: Array
    stake: Array
    most_observed: Array  # as far as was known before the bet
    most_expected: Array


def bets_on(
    observed: Array,
    expected: Array,
    most_observed: Array | float,
    most_expected: Array | float,
    alpha: float,
    horizon: float | None = None,
) -> Bets:
    """The bets on terms in their order.

    The stake is ``sqrt(2 log(2 / alpha) / (v h))``, with v the mean square of earlier g where k is
    their own coefficient, and h the ``horizon``: the bets after which the sequence shall be
    narrowest, or without one ``(s + 15) log(s + 16) / 2`` after s bets, for any time.

    Parameters
    ----------
    observed, expected : array (..., bet)
        The terms, from 0.
    most_observed, most_expected : float or array (..., bet)
        What they could be at most, as far as was known before the bet.
    alpha : float
        What is not covered, on both sides together.
    horizon : float, optional
        Bets.

    Returns
    -------
    Bets
    """
    xp = namespace(observed, expected)
    before = xp.cumulative_sum(xp.ones_like(observed), axis=-1) - 1

    def past(values: Array) -> Array:
        return xp.cumulative_sum(values, axis=-1) - values

    most_observed = most_observed * xp.ones_like(observed)
    most_expected = most_expected * xp.ones_like(expected)
    unit = most_observed[..., :1]
    ratio = (past(observed) + unit / 2) / (past(expected) + most_expected[..., :1])
    square = (
        past(observed * observed)
        - 2 * ratio * past(observed * expected)
        + ratio * ratio * past(expected * expected)
    )
    variance = (square + _WEIGHT * _VARIANCE * unit * unit) / (before + _WEIGHT)
    if horizon is None:
        length = (before + _BEGINNING) * xp.log1p(before + _BEGINNING) / 2
    else:
        length = xp.full_like(before, horizon)
    stake = xp.sqrt(2 * math.log(2 / alpha) / (variance * length))
    return Bets(observed, expected, stake, most_observed, most_expected)


def log_wealth_above(bets: Bets, k: Array | float) -> Array:
    """The logarithm of the wealth of bets that the coefficient is above k, k at most 1.

    Parameters
    ----------
    bets : Bets
    k : float or array, of the shape of the bets or one that fits it

    Returns
    -------
    array (..., bet)
        After each bet; it falls with k.
    """
    xp = namespace(bets.observed)
    stake = _at_most(xp, bets.stake, bets.most_observed)
    gain = bets.observed - (1 - k) * bets.expected
    return xp.cumulative_sum(xp.log1p(-stake * gain), axis=-1)


def log_wealth_below(bets: Bets, k: Array | float) -> Array:
    """The logarithm of the wealth of bets that the coefficient is below k, likewise; it rises."""
    xp = namespace(bets.observed)
    stake = _at_most(xp, bets.stake, (1 - k) * bets.most_expected)
    gain = bets.observed - (1 - k) * bets.expected
    return xp.cumulative_sum(xp.log1p(stake * gain), axis=-1)


def _at_most(xp: Array, stake: Array, loss: Array) -> Array:
    """The stakes, but those that could lose more than most of the wealth."""
    limit = _MOST / xp.where(loss > 0, loss, 1.0)
    return xp.where((loss > 0) & (stake > limit), limit, stake)
