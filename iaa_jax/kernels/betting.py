"""Bets against a hypothetical coefficient k: their wealth is expected to grow only if k is wrong.

Each bet uses o and e, the observed and expected disagreement of a few independent items
(`iaa_jax.kernels.independent`). The mean of ``g = o - (1 - k) e`` is 0 if the coefficient is k,
positive if it is below k, and negative if it is above k. If the stakes depend only on earlier bets
and the coefficient is k, then

    wealth_above(k) = prod (1 - stake g),    wealth_below(k) = prod (1 + stake g)

are positive martingales that begin at 1. With alpha the error probability, each of the two has a
probability of at most alpha / 2 of ever exceeding 2 / alpha (Ville 1939). The values k for which
neither has exceeded 2 / alpha therefore form a confidence sequence. If the coefficient is at most
k, the mean of wealth_above(k) is at most 1 at any time: it is an e-value against "at most k".

References
----------
Waudby-Smith, I. and Ramdas, A. (2024). Estimating means of bounded random variables by betting.
Journal of the Royal Statistical Society B 86(1), 1-27. https://doi.org/10.1093/jrsssb/qkad009
"""

from __future__ import annotations

import math
from typing import NamedTuple

from iaa_jax.kernels.namespace import Array, Namespace, namespace

_MOST = 0.9
"""The largest share of the wealth that one bet may lose."""

_BEGINNING = 15
"""In the default horizon, this number is added to the number of bets already made."""

_VARIANCE, _WEIGHT = 0.25, 2.0
"""Prior variance of g, in units of the largest o squared, and the prior's weight in bets."""


class Bets(NamedTuple):
    """Bets in order: arrays (..., bet)."""

    observed: Array
    expected: Array
    stake: Array
    most_observed: Array  # largest possible value, as known before the bet
    most_expected: Array  # the same for ``expected``


def bets_on(
    observed: Array,
    expected: Array,
    most_observed: Array | float,
    most_expected: Array | float,
    alpha: float,
    horizon: float | None = None,
) -> Bets:
    """Return the bets on a sequence of terms.

    The stake is ``sqrt(2 log(2 / alpha) / (v h))``. Here v is the mean square of earlier g, with
    the coefficient of the earlier terms as k, smoothed by a prior. The ``horizon`` h is the number
    of bets after which the sequence should be narrowest; the default, ``(s + 15) log(s + 16) / 2``
    after s bets, suits any number of bets.

    The terms ``observed`` and ``expected`` (..., bet) are never negative; ``most_observed`` and
    ``most_expected`` are their largest possible values, as known before the bet; ``alpha`` is the
    two-sided error probability.
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
    """Return the log wealth of bets that the coefficient is above k, for k up to 1.

    The array (..., bet) falls with k.
    """
    xp = namespace(bets.observed)
    stake = _at_most(xp, bets.stake, bets.most_observed)
    gain = bets.observed - (1 - k) * bets.expected
    return xp.cumulative_sum(xp.log1p(-stake * gain), axis=-1)


def log_wealth_below(bets: Bets, k: Array | float) -> Array:
    """Return the log wealth of bets that the coefficient is below k; it rises with k."""
    xp = namespace(bets.observed)
    stake = _at_most(xp, bets.stake, (1 - k) * bets.most_expected)
    gain = bets.observed - (1 - k) * bets.expected
    return xp.cumulative_sum(xp.log1p(stake * gain), axis=-1)


def _at_most(xp: Namespace, stake: Array, loss: Array) -> Array:
    limit = _MOST / xp.where(loss > 0, loss, 1.0)
    return xp.where((loss > 0) & (stake > limit), limit, stake)
