"""Draws of figures in which no item differs from the others.

Rubin's posterior is then the estimate itself, which says nothing, and the pseudo-item, which is of
several patterns, may lie on one side of it. In the place of Rubin's stand the posteriors of the
items and half an item of one of these patterns alone, and the figure of a population of such items,
which the least alpha of n items is not: each end is the farthest of them all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.engine import PatternTable, Prepared, over_rows
from iaa_jax.engine.drawing.resampling import shrunk
from iaa_jax.measure.requests.floors import ROUNDING
from iaa_jax.measure.requests.spread import Bounds, error_of

LEVELS = np.array([0.5, 0.75, 0.9, 0.95, 0.975, 0.99, 0.995, 0.999, 0.9999])
"""Up to which the share of a pattern is known; between them ends are interpolated."""

_MANY = 2.0**40
"""How often all items are there in a population that has no end."""


_NEAR = 1e-9


class DrawnFrom(NamedTuple):
    """As how many items the prior counts, and the share of its population that the sample is."""

    items: float
    fraction: float


def in_place_of_a_point(
    prepared: Prepared, estimate: Floats, draws: Floats, way: DrawnFrom, bounds: Bounds
) -> Floats:
    """Draws (replicate, 2, ...) with a prior and without, of which the latter are no one point.

    Unless the figure is at an end of its range: there all others lie on one side.
    """
    flat = np.reshape(draws, (*draws.shape[:2], -1))
    figures = np.reshape(estimate, -1)
    with np.errstate(invalid="ignore"):
        if (np.abs(flat[0, 1] - figures) > _NEAR).all():  # as nearly always
            return draws
        at_end = (figures <= bounds.lower + ROUNDING) | (figures >= bounds.highest - ROUNDING)
        still = (error_of(flat[:, 1]) < ROUNDING) & np.isfinite(figures) & ~at_end
    of_prior = _patterns_of_prior(prepared.problems[0].table)
    if not (still.any() and len(of_prior)):
        return draws
    flat, level = flat.copy(), np.linspace(0.0, 1.0, len(flat))
    low, high = _reach(prepared, of_prior, way)
    for column in np.flatnonzero(still):
        down = np.interp(1 - level, LEVELS, low[:, column])
        up = np.interp(level, LEVELS, high[:, column])
        far = np.where(level < 0.5, np.fmin(down, figures[column]), np.fmax(up, figures[column]))
        flat[:, 1, column] = far
    return flat.reshape(draws.shape)


def _patterns_of_prior(table: PatternTable) -> Integers:
    prior = np.zeros(len(table.count)) if table.prior is None else table.prior
    return np.flatnonzero((table.count == 0) & (prior > 0))


def _reach(prepared: Prepared, of_prior: Integers, way: DrawnFrom) -> tuple[Floats, Floats]:
    """The least and the greatest figures (level, figure) with one pattern of the prior alone."""
    from scipy.special import betaincinv

    (problem,) = prepared.problems
    table = problem.table
    assert table.prior is not None
    mass = float((table.count + table.prior)[table.count > 0].sum())
    share = betaincinv(way.items / 2, mass, LEVELS)
    rows = np.multiply.outer(1 - share, np.tile(table.count, (len(of_prior), 1)))
    rows[:, np.arange(len(of_prior)), of_prior] = share[:, None] * table.items
    rows = shrunk(rows.reshape(-1, len(table.count)), table.count, way.fraction)
    whole = table.count / way.fraction if way.fraction else table.count * _MANY
    rows = np.concatenate([rows, whole[None]])
    (found,) = over_rows(prepared, [table], iter([(rows,)]), len(rows))
    values = np.reshape(found, (len(rows), -1))
    each = values[:-1].reshape(len(LEVELS), len(of_prior), -1)
    low = np.fmin(np.fmin.reduce(each, axis=1), values[-1])
    return low, np.fmax(np.fmax.reduce(each, axis=1), values[-1])
