"""The smallest and largest estimate of a coefficient in an empirical likelihood region.

The region contains all shares p of patterns (combinations of an item's ratings), observed or not,
whose likelihood ratio to the observed shares c / n is within a bound: ``2 sum_j c_j log(c_j / (n
p_j)) <= q``. Without unobserved patterns this is empirical likelihood (Owen, A. B. 1990. Empirical
likelihood ratio confidence regions. Annals of Statistics 18(1).
https://doi.org/10.1214/aos/1176347494). The shares of unobserved patterns may be as large as the
bound allows.
"""

from __future__ import annotations

import numpy as np

from iaa_jax.engine.gradients import GradientRows
from iaa_jax.engine.prepared import Prepared
from iaa_jax.engine.problem import Floats

STEPS = 10
"""The number of linearisations of the coefficient at the current shares."""

WAYS = np.array([1.0, 0.5, 0.2, 0.05])
"""Step lengths towards the optimum of the linearised coefficient; the best step is taken."""

_HALVINGS = 80


def region_ends(prepared: Prepared, bound: float) -> Floats:
    """Return the smallest and largest estimate (2,) of one scalar coefficient.

    Patterns with count 0 in the coefficient's table are possible, but were not observed.
    """
    at = GradientRows(prepared)
    count = at.problem.table.count
    items = count.sum()
    sign = np.array([-1.0, 1.0])[:, None]
    share = np.repeat(count[None, :] / items, 2, axis=0)
    for _ in range(STEPS):
        gradient = sign * at(items * share).gradient
        furthest = _furthest(gradient, count, bound)
        # (end, step length, pattern)
        tried = share[:, None] + WAYS[:, None] * (furthest - share)[:, None]
        reached = at(items * tried.reshape(-1, len(count))).estimate.reshape(2, len(WAYS))
        best = np.argmax(np.where(np.isnan(reached), -np.inf, sign * reached), axis=1)
        share = tried[[0, 1], best]
    return np.asarray(at(items * share).estimate)


def _furthest(gradient: Floats, count: Floats, bound: float) -> Floats:
    """Return the shares (row, pattern) in the region with the largest mean of ``gradient``.

    Observed patterns have ``p_j = k c_j / (mu - g_j)``, where k makes the sum 1, and mu, which is
    above all g, makes the likelihood ratio meet the bound. If the ratio stays below the bound as mu
    falls to the largest g, the pattern with the largest g gets the remaining share, although it was
    not observed.
    """
    seen = count > 0
    items = count.sum()
    largest = gradient.max(axis=1, keepdims=True)
    scale = np.maximum(np.ptp(gradient, axis=1, keepdims=True), 1e-300)
    below = (largest - gradient) / scale  # 0 for the best pattern, 1 for the worst

    def shares(beyond: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            part = np.where(seen, count / (beyond + below), 0.0)
        return np.asarray(part / part.sum(axis=1, keepdims=True))

    def ratio(share: Floats) -> Floats:
        number = count[seen]
        return np.asarray(2 * np.log(number / (items * share[:, seen])) @ number)[:, None]

    low = np.full((len(gradient), 1), -40.0)
    high = np.full((len(gradient), 1), 40.0)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        inside = ratio(shares(np.exp(middle))) <= bound
        low, high = np.where(inside, low, middle), np.where(inside, middle, high)
    share = shares(np.exp(high))
    kept = np.exp(-np.maximum(bound - ratio(share), 0.0) / (2 * items))
    share = np.asarray(share * kept)
    share[np.arange(len(share)), gradient.argmax(axis=1)] += 1 - kept[:, 0]
    return share
