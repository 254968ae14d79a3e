"""The interval of a share of items, ratings or clusters.

It is Jeffreys' interval: with k of n units, its ends are quantiles of Beta(k + 1/2, n - k + 1/2),
except that the lower end is 0 if k is 0, and the upper end is 1 if k is n. So it has a width even
if all units agree, and always contains the share.

Brown, L. D., Cai, T. T. and DasGupta, A. (2001). Interval estimation for a binomial proportion.
Statistical Science 16(2). https://doi.org/10.1214/ss/1009213286
Korn, E. L. and Graubard, B. I. (1998). Confidence intervals for proportions with small expected
number of positive counts estimated from survey data. Survey Methodology 24(2).
"""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.kernels.intervals import Ends


def share_ends(
    share: Floats,
    standard_error: Floats,
    ratings: Floats,
    units: Floats,
    confidence: float,
) -> Ends:
    """Return the interval of a share, with an effective sample size from its standard error.

    The effective sample size of a share p with standard error s is ``n = p (1 - p) / s^2`` (Korn
    and Graubard 1998), but at most the number of ``ratings``. If s is 0, n is the number of
    ``units`` (items or clusters). Then n is multiplied by the squared ratio of the normal quantile
    to the quantile of Student's t with ``units - 1`` degrees of freedom. The ends are NaN if the
    standard error is NaN, or if there are fewer than two units.

    Examples
    --------
    >>> low, high = share_ends(np.array([1.0, 0.9]), np.array([0.0, 0.055]), 30.0, 30.0, 0.95)
    >>> low.round(3), high.round(3)
    (array([0.914, 0.748]), array([1.   , 0.973]))
    """
    from scipy.special import betaincinv, ndtri, stdtrit

    tail = (1 - confidence) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        varies = standard_error > 1e-9
        counted = np.where(varies, share * (1 - share) / standard_error**2, np.inf)
        counted = np.minimum(counted, np.where(varies, ratings, units))
        counted = counted * (ndtri(tail) / stdtrit(np.maximum(units - 1, 1), tail)) ** 2
        known = (units >= 2) & ~np.isnan(standard_error) & ~np.isnan(share)
        of_kind = np.where(known, np.maximum(counted * share, 0), np.nan) + 0.5
        others = np.where(known, np.maximum(counted * (1 - share), 0), np.nan) + 0.5
        low, high = betaincinv(of_kind, others, tail), betaincinv(of_kind, others, 1 - tail)
    # a share of 0 or 1 is itself an end of its interval
    return Ends(np.minimum(low, share), np.maximum(high, share))
