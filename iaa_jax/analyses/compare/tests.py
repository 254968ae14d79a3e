"""Intervals and tests of differences, for each row and for all rows together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtr

from iaa_jax._types import Floats
from iaa_jax.analyses.compare.by_interval import BOUNDED, EndsAt, equivalence_of, p_value_of
from iaa_jax.analyses.compare.differences import Difference
from iaa_jax.analyses.compare.posterior import not_within, two_sided
from iaa_jax.analyses.compare.standard_errors import NO_SPREAD
from iaa_jax.kernels import intervals
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.intervals.family_wise import holm, max_t
from iaa_jax.measure.intervals.measurement import ONE_SIDED
from iaa_jax.measure.options.interval import fewest_replicates
from iaa_jax.measure.options.resolved_interval import ResolvedInterval
from iaa_jax.measure.requests.spread import Spread, ends_of, few_defined_note
from iaa_jax.wording import Note

BY_PERMUTATIONS = "permutations"
"""Method of intervals and adjusted p-values that come from permutations."""


class DifferenceInterval(NamedTuple):
    """The interval of a difference, with a note on problems."""

    method: str
    low: float = np.nan
    high: float = np.nan
    note: Note | None = None


def interval_of(
    row: Difference, interval: ResolvedInterval, *, by_exchange: bool = False
) -> DifferenceInterval:
    """Return the interval of a difference; its ends are NaN if the spread is unknown.

    With ``by_exchange``, the interval excludes 0 exactly if the permutation test is significant. If
    the agreement of a set without disagreement has a bound, the interval comes from this bound,
    since permutations would find small differences significant.
    """
    if by_exchange and row.exchanged is not None and not _decided_by_bound(row):
        reach = row.exchanged.reach(interval.confidence)
        if reach != 0:  # permutations that change nothing would give width 0
            return DifferenceInterval(
                BY_PERMUTATIONS, row.difference - reach, row.difference + reach
            )
    method = row.method if row.bound is None else BOUNDED
    if interval.method and row.bound is not None:
        return DifferenceInterval(method, *row.bound.ends(interval.confidence))
    if row.posterior is not None:
        low, high = intervals.percentile(row.posterior, interval.confidence)
        note = few_defined_note(row.posterior, interval.confidence)
        return DifferenceInterval(method, float(low), float(high), note)
    if row.combined is not None:
        return DifferenceInterval(method, *row.combined.ends(interval.confidence))
    if not interval.method or not np.isfinite(row.error):
        return DifferenceInterval(method)
    estimate = np.asarray(row.difference)
    spread = Spread(np.asarray(row.error), row.degrees, np.asarray(row.skewness), row.replicates)
    low, high = ends_of(estimate, spread, interval)
    if interval.method == "bca" and row.replicates is not None:
        bias = abs(float(intervals.bias_correction(estimate, row.replicates)))
        if bias > ONE_SIDED:
            return DifferenceInterval(method, note=Note("one_sided_difference", {}, "caution"))
    drawn = row.replicates if interval.by_replicates else None
    note = few_defined_note(drawn, interval.confidence)
    return DifferenceInterval(method, float(low), float(high), note)


class DifferenceTests(NamedTuple):
    """Results of the tests of one difference."""

    z: float
    p_value: float
    permutation_p_value: float
    equivalence_p_value: float


def tests_of(
    row: Difference,
    margin: float | None,
    *,
    by_t: bool,
    few_exchanges: bool,
) -> DifferenceTests:
    """Test whether the difference is 0, and whether it lies within the margin (equivalence).

    The p-value comes from the first of these that the row has: the posterior, the bound, the
    permutations, the square-and-add interval, the standard error. With ``by_t``, for clusters or
    random annotators, Student's t replaces the normal distribution. With ``few_exchanges``, so few
    permutations are possible that their p-value could never be significant, and it is used only if
    there is no other.
    """

    def lower_tail(statistic: float) -> float:
        return float(stdtr(row.degrees, statistic) if by_t else ndtr(statistic))

    difference, error, posterior = row.difference, row.error, row.posterior
    exchanged = row.regrouped if row.exchanged is None else row.exchanged.p_value
    p_value, equivalence, z = np.nan if few_exchanges else exchanged, np.nan, np.nan
    ends_at: EndsAt | None = None
    if posterior is not None:
        z, p_value = difference / error, two_sided(posterior)
        equivalence = np.nan if margin is None else not_within(posterior, margin)
    elif row.bound is not None:
        if row.bound.known:
            ends_at = row.bound.ends
        elif np.isnan(p_value):
            p_value = 1.0 if abs(difference) <= NO_SPREAD else exchanged
    elif row.combined is not None and np.isnan(p_value):
        z, ends_at = difference / error, row.combined.ends
    elif np.isfinite(difference) and np.isfinite(error):
        z = difference / error
        if np.isnan(p_value):
            p_value = 2 * lower_tail(-abs(z))
        if margin is not None:
            ends = (difference - margin) / error, -(difference + margin) / error
            equivalence = max(map(lower_tail, ends))
    if ends_at is not None:
        p_value = p_value_of(ends_at, difference)
        equivalence = np.nan if margin is None else equivalence_of(ends_at, margin)
    return DifferenceTests(z, p_value, exchanged, equivalence)


class Family(NamedTuple):
    """Adjusted p-values and simultaneous intervals of rows, and their method."""

    method: str
    adjusted: Floats
    low: Floats
    high: Floats


def family_of(
    rows: Sequence[Difference],
    ends: Sequence[DifferenceInterval],
    p_values: Floats,
    options: IntervalOptions,
) -> Family:
    """Return adjusted p-values and simultaneous intervals for all rows.

    They come from permutations if every defined row has permutations, and either the interval of
    some row comes from permutations, or no row has a posterior or a known bound. Otherwise they
    come from the replicates. Without intervals or replicates, p-values are adjusted by Holm's
    method. Replicates of a posterior or a square-and-add interval, whose tails are unequal, are
    compared by tail areas (min-p, Westfall and Young 1993). Each row with a bound gets an
    equal share of alpha (Bonferroni); the max-t test gets the rest.
    """
    missing = np.full(len(rows), np.nan)
    if len(rows) == 1:
        return Family("", p_values, np.array([ends[0].low]), np.array([ends[0].high]))
    defined = [index for index, row in enumerate(rows) if np.isfinite(row.difference)]
    exchanges = [row.exchanged for row in rows if row.exchanged is not None]
    bounded = np.array([end.method == BOUNDED for end in ends])
    by_another = any(row.posterior is not None or _decided_by_bound(row) for row in rows)
    if any(end.method == BY_PERMUTATIONS for end in ends):
        by_another = False
    if exchanges and len(exchanges) == len(defined) and not by_another:
        return _by_exchange(rows, bounded, p_values, options)
    far, drawn = _distances(rows, p_values)
    if options.interval is None or (drawn is None and not bounded[defined].all()):
        return Family("holm", holm(p_values), missing, missing)
    regular = np.isfinite(far)
    count = int(regular.sum()) + int(bounded.sum())
    alpha = 1 - options.confidence
    adjusted, low, high = missing.copy(), missing.copy(), missing.copy()
    if drawn is not None and len(drawn) < fewest_replicates(alpha / 2):
        adjusted = np.minimum(holm(p_values), 1.0)
    elif drawn is not None and regular.any():
        share = float(regular.sum()) / count
        joint = max_t(far, np.where(regular, 1.0, np.nan), far + drawn, 1 - alpha * share)
        # an adjusted p-value is never below the p-value of the row
        adjusted = np.minimum(np.fmax(joint.step_down / share, p_values), 1.0)
        for index in np.flatnonzero(regular).tolist():
            low[index], high[index] = _band(rows[index], joint.reach)
    for index, row in enumerate(rows):
        if row.bound is not None and bounded[index]:
            low[index], high[index] = row.bound.ends(1 - alpha / count)
            adjusted[index] = np.minimum(1.0, count * p_values[index])
    return Family("max-t" if regular.any() else "bonferroni", adjusted, low, high)


def _decided_by_bound(row: Difference) -> bool:
    """Return whether the interval of a row and its p-value come from a bound."""
    return row.bound is not None and row.bound.known


def _distances(rows: Sequence[Difference], p_values: Floats) -> tuple[Floats, Floats | None]:
    """Return distances of differences from 0, and of replicates from the difference.

    The arrays are (row,) and (replicate, row), in standard errors; NaN without replicates or
    spread. For intervals with unequal tails, distances are normal deviates with the same two-sided
    tail area.
    """
    sizes = [len(row.replicates) for row in rows if row.replicates is not None]
    if not sizes:
        return np.full(len(rows), np.nan), None
    far, drawn = np.full(len(rows), np.nan), np.full((sizes[0], len(rows)), np.nan)
    for index, row in enumerate(rows):
        if row.replicates is None or not row.error > 0:
            continue
        if not _by_tails(row):
            far[index] = abs(row.difference) / row.error
            drawn[:, index] = np.abs(row.replicates - row.difference) / row.error
        else:
            far[index] = _as_normal(p_values[index])
            drawn[:, index] = _as_normal(_tails(row.replicates))
    return far, drawn


def _as_normal(p_value: Floats) -> Floats:
    return np.asarray(-ndtri(np.asarray(p_value) / 2))


def _tails(draws: Floats) -> Floats:
    """Return each draw's two-sided tail area among all draws; NaN if undefined."""
    from scipy.stats import rankdata

    rank = rankdata(draws, nan_policy="omit")
    beyond = np.minimum(rank, 1 + np.isfinite(draws).sum() - rank)
    return np.asarray(np.minimum(2 * beyond / (1 + np.isfinite(draws).sum()), 1.0))


def _band(row: Difference, reach: float) -> tuple[float, float]:
    """Return the interval that extends to the distance ``reach``, measured as in `_distances`."""
    confidence = float(1 - 2 * ndtr(-reach))
    if row.posterior is not None:
        low, high = intervals.percentile(row.posterior, confidence)
        return float(low), float(high)
    if row.combined is not None and _by_tails(row):
        return row.combined.ends(confidence)
    return row.difference - reach * row.error, row.difference + reach * row.error


def _by_tails(row: Difference) -> bool:
    """Return whether p comes from an interval with unequal tails."""
    return row.posterior is not None or (row.combined is not None and row.exchanged is None)


def _by_exchange(
    rows: Sequence[Difference],
    bounded: NDArray[np.bool_],
    p_values: Floats,
    options: IntervalOptions,
) -> Family:
    """Return adjusted p-values and intervals by max-t over permutations."""
    missing = np.full(len(rows), np.nan)
    adjusted, low, high = missing.copy(), missing.copy(), missing.copy()
    tested = [index for index, row in enumerate(rows) if row.exchanged is not None]
    exchanged = [row.exchanged for row in rows if row.exchanged is not None]
    statistic = np.array([permuted.statistic for permuted in exchanged])
    scale = np.array([permuted.scale for permuted in exchanged])
    drawn = np.stack([permuted.drawn for permuted in exchanged], axis=1)
    # permuted differences vary around 0, replicates around the difference
    joint = max_t(statistic, np.ones(len(exchanged)), statistic + drawn, options.confidence)
    # an adjusted p-value is never below the p-value of the row
    adjusted[tested] = np.fmax(joint.step_down, p_values[tested])
    if options.interval is not None:
        difference = np.array([rows[index].difference for index in tested])
        low[tested], high[tested] = (difference + sign * joint.reach * scale for sign in (-1, 1))
    for index, row in enumerate(rows):
        if row.bound is not None and bounded[index] and options.interval is not None:
            part = 1 - (1 - options.confidence) / len(tested)
            low[index], high[index] = row.bound.ends(part)
            adjusted[index] = np.fmax(adjusted[index], min(1.0, len(tested) * p_values[index]))
    return Family(BY_PERMUTATIONS, adjusted, low, high)
