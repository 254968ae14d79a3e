"""The rows of a comparison at once: p-values and intervals that hold for all of them together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from iaa_jax.analyses.compare.figures import Compared
from iaa_jax.analyses.compare.tests import Ends
from iaa_jax.engine.problem import Floats
from iaa_jax.measure.family import holm, max_t
from iaa_jax.measure.interval import IntervalOptions, fewest_replicates


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
