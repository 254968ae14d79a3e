"""The intervals of differences and what tests say of them, one by one and for all together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.compare.figures import NO_SPREAD, Comparison
from iaa_jax.kernels import intervals
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.family_wise import holm, max_t
from iaa_jax.measure.interval import fewest_replicates
from iaa_jax.measure.spread import Spread, ends_of, few_defined_note
from iaa_jax.measure.uncertainty import ONE_SIDED
from iaa_jax.wording import Note


class DifferenceInterval(NamedTuple):
    """Both ends of the interval of a difference, and why there is none."""

    low: float = np.nan
    high: float = np.nan
    note: Note | None = None


def interval_of(row: Comparison, options: IntervalOptions) -> DifferenceInterval:
    """The interval of a difference; NaN where its spread is unknown."""
    if options.interval is not None and row.bound is not None:
        return DifferenceInterval(*row.bound.ends(options.confidence))
    if options.interval is None or not np.isfinite(row.error):
        return DifferenceInterval()
    estimate = np.asarray(row.difference)
    spread = Spread(np.asarray(row.error), row.degrees, np.asarray(row.skewness), row.replicates)
    low, high = ends_of(estimate, spread, options.form, options.confidence)
    if options.method == "bca" and row.replicates is not None:
        bias = abs(float(intervals.bias_correction(estimate, row.replicates)))
        if bias > ONE_SIDED:
            return DifferenceInterval(note=Note("one_sided_difference", {}, "caution"))
    drawn = row.replicates if options.resampled else None
    return DifferenceInterval(float(low), float(high), few_defined_note(drawn, options.confidence))


class DifferenceTests(NamedTuple):
    """What tests say of one difference."""

    z: float
    p_value: float
    permutation_p_value: float
    equivalence_p_value: float


def tests_of(row: Comparison, margin: float | None, *, of_clusters: bool) -> DifferenceTests:
    """Whether the difference is 0, by its standard error and by exchanges; or small.

    Clusters are few: Student's t stands for the normal distribution.
    """
    from scipy.special import ndtr, stdtr

    def lower_tail(statistic: float) -> float:
        return float(stdtr(row.degrees, statistic) if of_clusters else ndtr(statistic))

    difference, error = row.difference, row.error
    exchanged = np.nan
    if row.exchanged is not None and np.isfinite(difference):
        rounding = 1e-9 * max(abs(difference), 1e-3)
        # an exchange that leaves a figure undefined counts against a difference
        as_large = np.isnan(row.exchanged) | (np.abs(row.exchanged) >= abs(difference) - rounding)
        exchanged = float((1 + as_large.sum()) / (1 + len(as_large)))
    if row.bound is not None:
        no_difference = abs(difference) <= NO_SPREAD
        p_value = exchanged if np.isfinite(exchanged) else (1.0 if no_difference else np.nan)
        equivalence = np.nan if margin is None else row.bound.equivalence(margin)
        return DifferenceTests(np.nan, p_value, exchanged, equivalence)
    if not np.isfinite(difference) or not np.isfinite(error):
        return DifferenceTests(np.nan, np.nan, exchanged, np.nan)
    equivalence = np.nan
    z = difference / error
    if margin is not None:
        equivalence = max(
            lower_tail((difference - margin) / error), lower_tail(-(difference + margin) / error)
        )
    return DifferenceTests(z, 2 * lower_tail(-abs(z)), exchanged, equivalence)


class Family(NamedTuple):
    """P-values and both ends of intervals that hold for all rows together."""

    adjusted: Floats
    low: Floats
    high: Floats


def family_of(
    rows: Sequence[Comparison],
    ends: Sequence[DifferenceInterval],
    p_values: Floats,
    options: IntervalOptions,
) -> Family:
    """P-values and intervals that hold for all rows at once.

    Rows with a bound of their own take their part of the error (Bonferroni), max-t shares the rest.
    """
    missing = np.full(len(rows), np.nan)
    if len(rows) == 1:
        return Family(p_values, np.array([ends[0].low]), np.array([ends[0].high]))
    if options.interval is None:
        return Family(holm(p_values), missing, missing)
    bounded = np.array([row.bound is not None for row in rows])
    difference = np.array([row.difference for row in rows])
    error = np.array([row.error for row in rows])
    drawn = _stacked(rows)
    regular = int((error > 0).sum())
    count = regular + int(bounded.sum())
    alpha = 1 - options.confidence
    adjusted, low, high = missing.copy(), missing.copy(), missing.copy()
    if drawn is not None and len(drawn) < fewest_replicates(alpha / 2):
        adjusted = np.fmin(holm(p_values), 1.0)
    elif drawn is not None and regular:
        share = regular / count
        simultaneous = max_t(difference, error, drawn, 1 - alpha * share)
        # never below the p-value of the row alone
        adjusted = np.minimum(np.fmax(simultaneous.step_down / share, p_values), 1.0)
        reach = np.where(error > 0, simultaneous.reach * error, np.nan)
        low, high = difference - reach, difference + reach
    for index, row in enumerate(rows):
        if row.bound is not None:
            low[index], high[index] = row.bound.ends(1 - alpha / count)
            adjusted[index] = min(1.0, count * p_values[index])
    return Family(adjusted, low, high)


def _stacked(rows: Sequence[Comparison]) -> Floats | None:
    """Replicates (replicate, row), NaN for what has none; None where nothing has any."""
    sizes = [len(row.replicates) for row in rows if row.replicates is not None]
    if not sizes:
        return None
    missing = np.full(sizes[0], np.nan)
    columns = [missing if row.replicates is None else row.replicates for row in rows]
    return np.stack(columns, axis=1)
