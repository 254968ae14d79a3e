"""Contrasts of the own figures of batches or windows, weighted by 1 / SE^2."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax.analyses.drift.cuts import ratio
from iaa_jax.analyses.drift.line import Places
from iaa_jax.engine.problem import Floats


class Contrasts(NamedTuple):
    """What is compared, for figures (..., window): linear in the figures."""

    slope: Floats  # (...,)
    step: Floats  # (..., cut)
    deviation: Floats  # (..., window)


def precision(estimate: Floats, error: Floats) -> Floats:
    """``1 / SE^2``, 0 where there is no figure or no error."""
    known = np.isfinite(estimate) & (np.nan_to_num(error) > 1e-12)
    return np.where(known, 1 / np.where(known, error, 1.0) ** 2, 0.0)


def contrasts(estimate: Floats, weight: Floats, time: Floats, first: Places) -> Contrasts:
    """Slope over time, mean after less mean before, each less the mean of the others.

    ``first`` is the first window after each cut; all means are weighted.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.where(weight > 0, estimate, 0.0)
        one = weight.sum(axis=-1, keepdims=True)
        two = (weight * values).sum(axis=-1, keepdims=True)
        away = time - (weight * time).sum(axis=-1, keepdims=True) / one
        squares = (weight * away**2).sum(axis=-1)
        slope = (weight * away * values).sum(axis=-1) / squares
        before, above = upto(weight, first), upto(weight * values, first)
        step = (two - above) / (one - before) - above / before
        others = (two - weight * values) / (one - weight)
        deviation = np.where(weight > 0, values - others, np.nan)
    return Contrasts(slope, step, deviation)


def independent_errors(weight: Floats, time: Floats, first: Places) -> Contrasts:
    """The standard errors of the contrasts, for batches: no item is in two of them."""
    with np.errstate(invalid="ignore", divide="ignore"):
        one = weight.sum(axis=-1, keepdims=True)
        away = time - (weight * time).sum(axis=-1, keepdims=True) / one
        before = upto(weight, first)
        return Contrasts(
            1 / np.sqrt((weight * away**2).sum(axis=-1)),
            np.sqrt(1 / before + 1 / (one - before)),
            np.sqrt(1 / weight + 1 / (one - weight)),
        )


def upto(summand: Floats, first: Places) -> Floats:
    """Sums over the windows before each cut."""
    ends = np.concatenate([np.zeros((*summand.shape[:-1], 1)), np.cumsum(summand, axis=-1)], -1)
    return ends[..., first]


def independent_statistics(
    estimate: Floats, error: Floats, time: Floats, first: Places
) -> Contrasts:
    """The contrasts in standard errors, for batches (..., batch)."""
    weight = precision(estimate, error)
    found = contrasts(estimate, weight, time, first)
    errors = independent_errors(weight, time, first)
    return Contrasts(*(in_errors(*pair) for pair in zip(found, errors, strict=True)))


def in_errors(one: Floats, error: Floats) -> Floats:
    """Contrasts in standard errors; NaN where one is not finite."""
    finite = np.isfinite(one) & np.isfinite(error)
    return ratio(np.where(finite, one, np.nan), np.where(finite, error, np.nan))


def held_errors(error: Floats, spare: Floats, known: NDArray[np.bool_]) -> Floats:
    """Errors, and in place of 0 (nothing varies in a batch) those of all items for its size."""
    return np.where(known & ~(error > 1e-12), spare, error)
