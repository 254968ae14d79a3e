"""Several comparisons at once: p-values and intervals that hold for all of them together.

Westfall, P. H. and Young, S. S. (1993). Resampling-Based Multiple Testing. Wiley. Romano, J. P. and
Wolf, M. (2005). Exact and approximate stepdown methods for multiple hypothesis testing. Journal of
the American Statistical Association 100(469). https://doi.org/10.1198/016214504000000539
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax.analyses.agree.margin_tests import holm
from iaa_jax.analyses.compare.figures import Compared
from iaa_jax.analyses.compare.tests import Ends
from iaa_jax.engine.problem import Floats
from iaa_jax.measure.interval import IntervalOptions, fewest_replicates


class MaxT(NamedTuple):
    """Adjusted p-values, and how many standard errors a simultaneous interval reaches."""

    single_step: Floats
    step_down: Floats
    reach: float


def max_t(difference: Floats, error: Floats, replicates: Floats, confidence: float) -> MaxT:
    """Family-wise p-values and bands from joint replicates (replicate, hypothesis).

    With ``t = |d| / SE`` and ``t* = |d* - d| / SE``, the single-step p-value of a hypothesis is the
    share of replicates whose largest t* reaches its t; in the step-down, the largest among the
    hypotheses with no larger t, and p-values never fall along the way. The data count as one
    replicate more. Hypotheses without a standard error above 0 take no part (NaN), nor do undefined
    replicates, of which some hypotheses may have one where others have none.
    """
    size = len(difference)
    single, step = np.full(size, np.nan), np.full(size, np.nan)
    usable = np.flatnonzero(np.isfinite(difference) & np.isfinite(error) & (error > 0))
    if not len(usable):
        return MaxT(single, step, np.nan)
    observed = np.abs(difference[usable]) / error[usable]
    drawn = np.abs(replicates[:, usable] - difference[usable]) / error[usable]
    drawn = drawn[~np.isnan(drawn).all(axis=1)]
    if not len(drawn):
        return MaxT(single, step, np.nan)
    drawn = np.where(np.isnan(drawn), -np.inf, drawn)
    order = np.argsort(observed, kind="stable")
    # the largest among the hypotheses up to each place, by growing t
    largest = np.maximum.accumulate(drawn[:, order], axis=1)
    near = 1e-9 * np.maximum(observed, 1.0)  # rounding decides no tie
    stepwise = _share(largest >= (observed - near)[order])
    step[usable[order]] = np.maximum.accumulate(stepwise[::-1])[::-1]
    single[usable] = _share(largest[:, -1:] >= observed - near)
    return MaxT(single, step, float(np.quantile(largest[:, -1], confidence)))


def _share(reached: NDArray[np.bool_]) -> Floats:
    return np.asarray((1 + reached.sum(axis=0)) / (1 + len(reached)))


def together(
    several: Sequence[Compared],
    ends: Sequence[Ends],
    p_values: Floats,
    drawn: Floats | None,
    options: IntervalOptions,
) -> tuple[Floats, tuple[Floats, Floats]]:
    """P-values and intervals that hold for all rows at once.

    Rows with a bound of their own take their part of the error (Bonferroni), max-t shares the rest.
    """
    nothing = np.full(len(several), np.nan)
    if len(several) == 1:
        return p_values, (np.array([ends[0].low]), np.array([ends[0].high]))
    if options.interval is None:
        return holm(p_values), (nothing, nothing)
    apart = np.array([one.unseen is not None for one in several])
    difference = np.array([one.difference for one in several])
    error = np.array([one.error for one in several])
    regular = int((error > 0).sum())
    rows = regular + int(apart.sum())
    alpha = 1 - options.confidence
    adjusted, low, high = nothing.copy(), nothing.copy(), nothing.copy()
    if drawn is not None and len(drawn) < fewest_replicates(alpha / 2):
        adjusted = np.fmin(holm(p_values), 1.0)
    elif drawn is not None and regular:
        share = regular / rows
        family = max_t(difference, error, drawn, 1 - alpha * share)
        # never below the p-value of the row alone
        adjusted = np.minimum(np.fmax(family.step_down / share, p_values), 1.0)
        reach = np.where(error > 0, family.reach * error, np.nan)
        low, high = difference - reach, difference + reach
    for place in np.flatnonzero(apart).tolist():
        unseen = several[place].unseen
        assert unseen is not None
        low[place], high[place] = unseen.ends(1 - alpha / rows)
        adjusted[place] = min(1.0, rows * p_values[place])
    return adjusted, (low, high)
