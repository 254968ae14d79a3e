"""Contrasts of estimates along time: a trend, steps, and each estimate against the others."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, softmax

from iaa_jax._types import Floats
from iaa_jax.analyses.drift.timeline import Indices

NO_ERROR = 1e-12
"""Default maximum standard error that counts as 0."""

_STEP_COUNTS = 2.0
"""Weight of a step in `shares_of_evidence`. With this weight, true steps in the middle are mistaken
for trends as often as the reverse.
"""


_CERTAIN = 1e6
"""Maximum contrast in standard errors; larger ones are scaled down, because their squares would
lose the digits that show a tie.
"""


class Contrasts(NamedTuple):
    """Values of each kind of contrast, such as estimates or standard errors."""

    slope: Floats  # (...,)
    step: Floats  # (..., cut)
    deviation: Floats  # (..., window)


def precision(estimate: Floats, error: Floats, least: float = NO_ERROR) -> Floats:
    """Return ``1 / SE^2``; 0 if the estimate or its error is undefined, or the error is 0."""
    known = np.isfinite(estimate) & (np.nan_to_num(error) > least)
    return np.where(known, 1 / np.where(known, error, 1.0) ** 2, 0.0)


def regressors(time: Floats, first: Indices) -> Contrasts:
    """Return the regressors (row, window) of each kind of contrast, besides a constant.

    ``first`` is the first window after each cut. Their coefficients are the slope over the whole
    time, the mean after a cut less the mean before it, and one estimate less the mean of the
    others.
    """
    window = np.arange(len(time))
    # neither the unit of time nor its origin may decide what counts as 0
    along = (time - time[:1]) / length_of(time)
    return Contrasts(along[None], (window >= first[:, None]).astype(np.float64), np.eye(len(time)))


def length_of(time: Floats) -> float:
    """Return the length of the time range; 1 if it is a single point."""
    return float(np.ptp(time)) or 1.0 if len(time) else 1.0


def statistics(
    estimate: Floats, error: Floats, time: Floats, first: Indices, least: float = NO_ERROR
) -> Contrasts:
    """Return the contrasts of independent estimates (..., window), in standard errors."""
    weight = precision(estimate, error, least)
    values = np.where(weight > 0, estimate, 0.0) * weight
    total, sum_of_values = (each.sum(axis=-1, keepdims=True) for each in (weight, values))

    def of(rows: Floats) -> Floats:
        rows = rows - rows.mean(axis=1, keepdims=True)
        first_moment, second_moment = weight @ rows.T, weight @ rows.T**2
        with np.errstate(invalid="ignore", divide="ignore"):
            squares = second_moment - first_moment**2 / total
            product = values @ rows.T - first_moment * sum_of_values / total
            return np.where(varies(squares, second_moment), product / np.sqrt(squares), np.nan)

    slope, step, deviation = map(of, regressors(time, first))
    return Contrasts(slope[..., 0], step, deviation)


def varies(squares: Floats, of_all: Floats) -> NDArray[np.bool_]:
    """Return whether a sum of squares is more than a rounding error of ``of_all``."""
    return np.asarray(squares > 1e-9 * np.maximum(of_all, 1e-300))


def in_standard_errors(figures: Contrasts, errors: Contrasts, least: float = NO_ERROR) -> Contrasts:
    """Return contrasts in standard errors; NaN if one is not finite, or an error counts as 0."""
    return Contrasts(*(_finite_ratio(*pair, least) for pair in zip(figures, errors, strict=True)))


def _finite_ratio(figure: Floats, error: Floats, least: float) -> Floats:
    finite = np.isfinite(figure) & np.isfinite(error)
    return ratio(np.where(finite, figure, np.nan), np.where(finite, error, np.nan), least)


def ratio(figure: Floats, error: Floats, least: float = NO_ERROR) -> Floats:
    """Return an estimate in standard errors; NaN if the error counts as 0."""
    varies = error > least
    return np.where(varies, figure / np.where(varies, error, 1.0), np.nan)


def largest_index(values: Floats) -> int:
    """Return the index of the value largest in absolute size, or -1 if there is none."""
    size = np.where(np.isnan(values), -1.0, np.abs(values))
    return int(np.argmax(size)) if len(size) and size.max() >= 0 else -1


def largest_size(values: Floats) -> Floats:
    """Return the largest absolute value along the last axis; NaN if there is none."""
    size = np.abs(values)
    largest = np.where(np.isnan(size), -1.0, size).max(axis=-1, initial=-1.0)
    return np.where(largest < 0, np.nan, largest)


def shares_of_evidence(z: Contrasts) -> Floats:
    """Return how well a trend, a step and a deviation explain the estimates, as shares of 1.

    The evidence is ``exp(z^2 / 2)``, a likelihood ratio against no change, averaged over all
    positions.
    """
    logs = []
    finite = [np.atleast_1d(form)[np.isfinite(np.atleast_1d(form))] for form in z]
    largest = float(np.abs(np.concatenate(finite)).max(initial=0.0))
    nearer = min(1.0, _CERTAIN / largest) if largest else 1.0
    for known, times in zip(finite, (1.0, _STEP_COUNTS, 1.0), strict=True):
        known = known * nearer
        likelihood = logsumexp(known**2 / 2) - np.log(len(known)) if len(known) else -np.inf
        logs.append(likelihood + np.log(times))
    return np.asarray(softmax(logs) if np.isfinite(logs).any() else np.full(len(logs), np.nan))


def largest_sizes(z: Contrasts) -> Contrasts:
    """Return the absolute slope, and the largest step and deviation, in standard errors."""
    return Contrasts(np.abs(z.slope), largest_size(z.step), largest_size(z.deviation))


def share_as_large(observed: Floats, null: Floats) -> float:
    """Return the share of draws at least as large as the data, which count as a draw."""
    size, drawn = largest_size(observed), largest_size(null)
    return float((1 + (np.round(drawn, 9) >= np.round(size, 9)).sum()) / (1 + len(drawn)))


class PValues(NamedTuple):
    """P-values of each statistic, and of all three together."""

    slope: float
    step: float
    deviation: float
    family_wise: float


def p_values(observed: Contrasts, null: Contrasts) -> PValues:
    """Return, by statistic, the share of draws at least as extreme as the data.

    The data count as one more draw. ``family_wise`` compares the smallest share of the data with
    the smallest share of each draw.
    """
    if not len(null.slope):
        return PValues(math.nan, math.nan, math.nan, math.nan)
    shares, separate = [], []
    for size, drawn in zip(observed, null, strict=True):
        if np.isnan(size):
            separate.append(math.nan)
            continue
        # undefined draws count as extreme; rounding must not decide between equal values
        all_sizes = np.append(size, np.where(np.isnan(drawn), np.inf, drawn))
        all_sizes = np.where(np.isfinite(all_sizes), np.round(all_sizes, 9), all_sizes)
        ascending = np.sort(all_sizes)
        share = (len(all_sizes) - np.searchsorted(ascending, all_sizes, side="left")) / len(
            all_sizes
        )
        shares.append(share)
        separate.append(float(share[0]))
    overall = math.nan
    if shares:
        least = np.min(shares, axis=0)
        overall = float(np.mean(least <= least[0] + 1e-12))
    return PValues(separate[0], separate[1], separate[2], overall)


def larger_p_values(first: PValues, second: PValues) -> PValues:
    """Return the larger p-value of each pair; NaN if either is NaN."""
    return PValues(*(float(np.maximum(*pair)) for pair in zip(first, second, strict=True)))
