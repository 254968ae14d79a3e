"""Samples from a finite population: replicates drawn nearer to the counts.

Rao, J. N. K. and Wu, C. F. J. (1988). Resampling inference with complex survey data. Journal of the
American Statistical Association 83. https://doi.org/10.2307/2288945

Why it is right. The mean of n items drawn without replacement from N has the variance of one drawn
with replacement times ``1 - n / N``, up to ``N / (N - 1)``. Rows of weights that lie
``sqrt(1 - n / N)`` times as far from the counts have variances and covariances ``1 - n / N`` times
as large, and so has every mean of them. They keep their mean and their sum, but are not whole.
"""

from __future__ import annotations

import math

from iaa_jax.engine.problem import Floats


def spread_left(fraction: float) -> float:
    """What the share n / N of a population leaves of the spread: ``sqrt(1 - n / N)``."""
    return math.sqrt(1 - fraction)


def shrunk(rows: Floats, count: Floats, fraction: float) -> Floats:
    """Rows (row, pattern) drawn from a finite population, from rows drawn from an infinite one."""
    return count + spread_left(fraction) * (rows - count) if fraction else rows
