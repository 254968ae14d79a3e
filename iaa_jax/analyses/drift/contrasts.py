"""What is compared along time, in standard errors: a trend, steps, each time with the others."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, softmax

from iaa_jax._types import Floats
from iaa_jax.analyses.drift.timeline import Indices

NO_ERROR = 1e-12
"""A standard error that rounding leaves of none, of figures up to 1; ``least`` is that of others.
"""

_STEP_COUNTS = 2.0
"""How many times a step counts in `shares_of_evidence`: as often as a line is taken for a step in
the middle, such a step, as far out, is then taken for a line."""


_CERTAIN = 1e6
"""Standard errors from which on squares have no digits by which a tie is seen: taken nearer."""


class Contrasts(NamedTuple):
    """Figures (..., window) compared: their errors, their ratios, or what makes them, too."""

    slope: Floats  # (...,)
    step: Floats  # (..., cut)
    deviation: Floats  # (..., window)


def precision(estimate: Floats, error: Floats, least: float = NO_ERROR) -> Floats:
    """``1 / SE^2``, 0 where there is no figure or no error."""
    known = np.isfinite(estimate) & (np.nan_to_num(error) > least)
    return np.where(known, 1 / np.where(known, error, 1.0) ** 2, 0.0)


def regressors(time: Floats, first: Indices) -> Contrasts:
    """What figures are regressed on, with a constant: (row, window) for each kind of contrast.

    ``first`` is the first window after each cut. The coefficient is a slope over all the time, a
    mean after less the mean before, or one figure less the mean of the others.
    """
    places = np.arange(len(time))
    # neither the unit of time nor where it begins decides what is next to nothing
    along = (time - time[:1]) / length_of(time)
    return Contrasts(along[None], (places >= first[:, None]).astype(np.float64), np.eye(len(time)))


def length_of(time: Floats) -> float:
    """How long the time is of a trend; 1 where it is a point."""
    return float(np.ptp(time)) or 1.0 if len(time) else 1.0


def statistics(
    estimate: Floats, error: Floats, time: Floats, first: Indices, least: float = NO_ERROR
) -> Contrasts:
    """The contrasts of independent figures (..., window), in standard errors."""
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
    """Whether squares are more than rounding leaves of those that they are part of."""
    return np.asarray(squares > 1e-9 * np.maximum(of_all, 1e-300))


def in_standard_errors(figures: Contrasts, errors: Contrasts, least: float = NO_ERROR) -> Contrasts:
    """Contrasts in standard errors; NaN where either is not finite."""
    return Contrasts(*(_finite_ratio(*pair, least) for pair in zip(figures, errors, strict=True)))


def _finite_ratio(figure: Floats, error: Floats, least: float) -> Floats:
    finite = np.isfinite(figure) & np.isfinite(error)
    return ratio(np.where(finite, figure, np.nan), np.where(finite, error, np.nan), least)


def ratio(figure: Floats, error: Floats, least: float = NO_ERROR) -> Floats:
    """A figure in standard errors; NaN where nothing varies."""
    varies = error > least
    return np.where(varies, figure / np.where(varies, error, 1.0), np.nan)


def largest_index(values: Floats) -> int:
    """The place of the largest in size, -1 where there is none."""
    size = np.where(np.isnan(values), -1.0, np.abs(values))
    return int(np.argmax(size)) if len(size) and size.max() >= 0 else -1


def largest_size(values: Floats) -> Floats:
    """The largest size along the last axis; NaN where there is none."""
    size = np.abs(values)
    most = np.where(np.isnan(size), -1.0, size).max(axis=-1, initial=-1.0)
    return np.where(most < 0, np.nan, most)


def shares_of_evidence(z: Contrasts) -> Floats:
    """How well a trend, a step and a single window explain the figures, as shares of all three.

    ``exp(z^2 / 2)`` is the likelihood of a change of this form over that of none. Its mean over all
    places pays for having looked in many of them, of which neighbours differ little.
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
    """Of contrasts in standard errors the size of the slope, the largest step and deviation."""
    return Contrasts(np.abs(z.slope), largest_size(z.step), largest_size(z.deviation))


def share_as_large(observed: Floats, null: Floats) -> float:
    """The share of draws, the data among them, whose largest (last axis) is as large in size."""
    size, drawn = largest_size(observed), largest_size(null)
    return float((1 + (np.round(drawn, 9) >= np.round(size, 9)).sum()) / (1 + len(drawn)))


class PValues(NamedTuple):
    """Of each statistic, and of all three together."""

    slope: float
    step: float
    deviation: float
    family_wise: float


def p_values(observed: Contrasts, null: Contrasts) -> PValues:
    """Shares of draws, the data at hand among them, that go as far or further.

    Together: the smallest of the three, against the smallest of the three in each draw.
    """
    if not len(null.slope):
        return PValues(math.nan, math.nan, math.nan, math.nan)
    shares, separate = [], []
    for size, drawn in zip(observed, null, strict=True):
        if np.isnan(size):
            separate.append(math.nan)
            continue
        # undefined draws count against the finding; rounding must not decide between equals
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
    """The larger of two p-values each: what both tests can vouch for."""
    return PValues(*(max(a, b) for a, b in zip(first, second, strict=True)))
