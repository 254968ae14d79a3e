"""The intervals of differences and what tests say of them, one by one and for all together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from iaa_jax.analyses.compare.figures import NO_SPREAD, Comparison
from iaa_jax.engine.problem import Floats
from iaa_jax.kernels import intervals
from iaa_jax.measure.family_wise import holm, max_t
from iaa_jax.measure.interval import IntervalOptions, fewest_replicates
from iaa_jax.measure.spread import Spread, ends_of, few_defined_note
from iaa_jax.measure.uncertainty import ONE_SIDED
from iaa_jax.wording import Note


class DifferenceInterval(NamedTuple):
    """Both ends of the interval of a difference, and why there is none."""

    low: float = np.nan
    high: float = np.nan
    note: Note | None = None


def interval_of(one: Comparison, options: IntervalOptions) -> DifferenceInterval:
    """The interval of a difference; NaN where its spread is unknown."""
    if options.interval is not None and one.bound is not None:
        return DifferenceInterval(*one.bound.ends(options.confidence))
    if options.interval is None or not np.isfinite(one.error):
        return DifferenceInterval()
    estimate = np.asarray(one.difference)
    spread = Spread(np.asarray(one.error), one.degrees, np.asarray(one.skewness), one.replicates)
    low, high = ends_of(estimate, spread, options.form, options.confidence)
    if options.method == "bca" and one.replicates is not None:
        aside = abs(float(intervals.bias_correction(estimate, one.replicates)))
        if aside > ONE_SIDED:
            return DifferenceInterval(note=Note("one_sided_difference", {}, "caution"))
    drawn = one.replicates if options.resampled else None
    return DifferenceInterval(float(low), float(high), few_defined_note(drawn, options.confidence))


class DifferenceTests(NamedTuple):
    """What tests say of one difference."""

    z: float
    p_value: float
    exchanged: float
    equivalence: float


def tests_of(one: Comparison, margin: float | None, *, of_clusters: bool) -> DifferenceTests:
    """Whether the difference is 0, by its standard error and by exchanges; or small.

    Clusters are few: Student's t stands for the normal distribution.
    """
    from scipy.special import ndtr, stdtr

    def below(statistic: float) -> float:
        return float(stdtr(one.degrees, statistic) if of_clusters else ndtr(statistic))

    difference, error = one.difference, one.error
    exchanged = np.nan
    if one.exchanged is not None and np.isfinite(difference):
        near = 1e-9 * max(abs(difference), 1e-3)
        # an exchange that leaves a figure undefined counts against a difference
        far = np.isnan(one.exchanged) | (np.abs(one.exchanged) >= abs(difference) - near)
        exchanged = float((1 + far.sum()) / (1 + len(far)))
    if one.bound is not None:
        nothing = abs(difference) <= NO_SPREAD
        p_value = exchanged if np.isfinite(exchanged) else (1.0 if nothing else np.nan)
        alike = np.nan if margin is None else one.bound.equivalence(margin)
        return DifferenceTests(np.nan, p_value, exchanged, alike)
    if not np.isfinite(difference) or not np.isfinite(error):
        return DifferenceTests(np.nan, np.nan, exchanged, np.nan)
    equivalence = np.nan
    z = difference / error
    if margin is not None:
        equivalence = max(
            below((difference - margin) / error), below(-(difference + margin) / error)
        )
    return DifferenceTests(z, 2 * below(-abs(z)), exchanged, equivalence)


class Family(NamedTuple):
    """P-values and both ends of intervals that hold for all rows together."""

    adjusted: Floats
    low: Floats
    high: Floats


def family_of(
    several: Sequence[Comparison],
    ends: Sequence[DifferenceInterval],
    p_values: Floats,
    options: IntervalOptions,
) -> Family:
    """P-values and intervals that hold for all rows at once.

    Rows with a bound of their own take their part of the error (Bonferroni), max-t shares the rest.
    """
    nothing = np.full(len(several), np.nan)
    if len(several) == 1:
        return Family(p_values, np.array([ends[0].low]), np.array([ends[0].high]))
    if options.interval is None:
        return Family(holm(p_values), nothing, nothing)
    bounded = np.array([one.bound is not None for one in several])
    difference = np.array([one.difference for one in several])
    error = np.array([one.error for one in several])
    drawn = _stacked(several)
    regular = int((error > 0).sum())
    rows = regular + int(bounded.sum())
    alpha = 1 - options.confidence
    adjusted, low, high = nothing.copy(), nothing.copy(), nothing.copy()
    if drawn is not None and len(drawn) < fewest_replicates(alpha / 2):
        adjusted = np.fmin(holm(p_values), 1.0)
    elif drawn is not None and regular:
        share = regular / rows
        together = max_t(difference, error, drawn, 1 - alpha * share)
        # never below the p-value of the row alone
        adjusted = np.minimum(np.fmax(together.step_down / share, p_values), 1.0)
        reach = np.where(error > 0, together.reach * error, np.nan)
        low, high = difference - reach, difference + reach
    for place, one in enumerate(several):
        if one.bound is not None:
            low[place], high[place] = one.bound.ends(1 - alpha / rows)
            adjusted[place] = min(1.0, rows * p_values[place])
    return Family(adjusted, low, high)


def _stacked(several: Sequence[Comparison]) -> Floats | None:
    """Replicates (replicate, row), NaN for what has none; None where nothing has any."""
    sizes = [len(one.replicates) for one in several if one.replicates is not None]
    if not sizes:
        return None
    nothing = np.full(sizes[0], np.nan)
    rows = [nothing if one.replicates is None else one.replicates for one in several]
    return np.stack(rows, axis=1)
