"""Intervals of shares that replicates alone show too little of."""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.kernels.intervals import Ends


def share_ends(
    estimate: Floats, standard_error: Floats, units: Floats, still: Floats, confidence: float
) -> Ends:
    """The interval of a share from the Beta distribution, as of so many units as its error says.

    A share p with the standard error s counts as ``n = p (1 - p) / s^2`` units, at most as many as
    it stands on; the ends are the quantiles of Beta(n p + 1/2, n (1 - p) + 1/2) (after Korn and
    Graubard 1998, with Jeffreys' prior for Clopper and Pearson's ends). n is multiplied with the
    square of the normal quantile over that of Student's t with ``units - 1`` degrees. Where nothing
    varies, n is ``still``: so a share of 1 has a lower end too. NaN where the error is, or where
    there are fewer than two units.
    """
    from scipy.special import betaincinv, ndtri, stdtrit

    tail = (1 - confidence) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        varies = standard_error > 1e-9
        counted = np.where(varies, estimate * (1 - estimate) / standard_error**2, np.inf)
        counted = np.minimum(counted, np.where(varies, units, still))
        counted = counted * (ndtri(tail) / stdtrit(np.maximum(units - 1, 1), tail)) ** 2
        known = (units >= 2) & ~np.isnan(standard_error) & ~np.isnan(estimate)
        right = np.where(known, np.maximum(counted * estimate, 0), np.nan) + 0.5
        wrong = np.where(known, np.maximum(counted * (1 - estimate), 0), np.nan) + 0.5
        low, high = betaincinv(right, wrong, tail), betaincinv(right, wrong, 1 - tail)
    # of nothing but rights, or wrongs, no end lies on the other side of the estimate
    return Ends(np.minimum(low, estimate), np.maximum(high, estimate))
