"""Replicates of coefficients (bootstrap or posterior), for the intervals that need them.

A pattern is a set of items with the same ratings, kept once with their number. A
figure is a coefficient, or a coefficient for one label.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax._types import Floats, Integers
from iaa_jax.engine import PatternTable, Prepared, bootstrap, over_rows
from iaa_jax.engine.drawing import BLOCK, Resampling
from iaa_jax.engine.drawing.resampling import shrunk
from iaa_jax.engine.drawing.tables import coarsest
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.measure.intervals.pseudo_items import ITEMS
from iaa_jax.measure.options.resolved_interval import ResolvedInterval
from iaa_jax.measure.requests.floors import ROUNDING
from iaa_jax.measure.requests.prior import farther_quantiles
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.spread import Bounds, error_of

LEVELS = np.array([0.5, 0.75, 0.9, 0.95, 0.975, 0.99, 0.995, 0.999, 0.9999])
"""Levels at which quantiles of a pattern's share of the items are computed. Between these levels,
quantiles are interpolated."""

_MANY = 2.0**40
"""Number of copies of the sample that stand for an infinite population."""

_NEAR = 1e-9
"""Maximum difference between an estimate and its first draw that counts as rounding."""

Replicates = tuple[Floats | None, Floats | None]


class PriorAndFraction(NamedTuple):
    """Weight of the prior in items, and the sampled fraction of the population."""

    items: float
    fraction: float


def replicates_of(
    requests: Sequence[Request],
    agreements: Sequence[Agreement],
    prepared: Prepared,
    interval: ResolvedInterval,
    resampling: Resampling,
    progress: Callable[[int, int], None] | None,
) -> list[Replicates]:
    """Return the replicates of each figure and their standard errors; None if not needed.

    With many annotators whose pairs share few items, all replicates of a figure may lie on one side
    of it. There is no BCa interval then, so only the first block of replicates is drawn.
    """
    if not interval.by_replicates:
        return [(None, None) for _ in requests]
    wanted = [*range(len(requests))]
    drawn_from = PriorAndFraction(
        ITEMS if interval.prior is None else interval.prior, resampling.fraction
    )
    if interval.method == "empirical_bayes":
        resampling = replace(resampling, weights="dirichlet")
        wanted = [i for i in wanted if requests[i].problem.table.prior is not None]
    if interval.method == "studentized":
        from iaa_jax.engine.studentized import bootstrap_with_errors

        with_errors = bootstrap_with_errors(
            prepared,
            replicates=interval.replicates,
            seed=interval.seed,
            resampling=resampling,
            dtype=interval.dtype,
            progress=progress,
        )
        return [(rows, errors) for rows, errors in with_errors]

    def drawn(part: Sequence[int], replicates: int) -> Iterator[tuple[int, Floats]]:
        rows = bootstrap(
            prepared.part(part),
            replicates=replicates,
            seed=interval.seed,
            resampling=resampling,
            dtype=interval.dtype,
            without_prior=interval.method == "empirical_bayes",
            progress=progress if replicates == interval.replicates else None,
        )
        if interval.method == "empirical_bayes":
            rows = [
                _farther_draws(
                    requests[index], prepared.part([index]), agreements[index], draws, drawn_from
                )
                for index, draws in zip(part, rows, strict=True)
            ]
        return zip(part, rows, strict=True)

    ended: dict[int, Floats] = {}
    long = [index for index in prepared.factored if _is_long(prepared, index, interval)]
    if long and interval.method == "bca" and interval.replicates > BLOCK:
        for index, first in drawn(long, BLOCK):
            estimate = np.asarray(agreements[index].estimate)
            if (first < estimate).all() or (first > estimate).all():
                ended[index] = first
    rows = dict(ended)
    for part in _by_prior(prepared, [index for index in wanted if index not in ended], interval):
        rows |= dict(drawn(part, interval.replicates))
    return [(rows.get(index), None) for index in range(len(requests))]


def _farther_draws(
    request: Request,
    prepared: Prepared,
    agreement: Agreement,
    draws: Floats,
    drawn_from: PriorAndFraction,
) -> Floats:
    estimate = np.asarray(agreement.estimate, dtype=np.float64)
    draws = widen_point_posterior(prepared, estimate, draws, drawn_from, request.bounds)
    return farther_quantiles(draws[:, 0], draws[:, 1])


def _by_prior(
    prepared: Prepared, indices: Sequence[int], interval: ResolvedInterval
) -> list[list[int]]:
    """Return groups of coefficients (indices) that share draws.

    For a posterior, they are coefficients with the same table of patterns and pseudo-items. So the
    draws for one coefficient do not depend on which others are measured.
    """
    if interval.method != "empirical_bayes":
        return [[*indices]] if indices else []
    parts: dict[int, list[int]] = {}
    for index in indices:
        parts.setdefault(id(coarsest(prepared.problems[index].table)), []).append(index)
    return [*parts.values()]


def _is_long(prepared: Prepared, index: int, interval: ResolvedInterval) -> bool:
    columns = prepared.statistics(prepared.problems[index]).indexed_columns
    return columns * interval.replicates > thresholds.LONG_CROWD


def widen_point_posterior(
    prepared: Prepared,
    estimate: Floats,
    draws: Floats,
    drawn_from: PriorAndFraction,
    bounds: Bounds,
) -> Floats:
    """Replace the second of two posteriors (replicate, 2, ...) where it is a single point.

    The first posterior has a pseudo-item; the second, which is Rubin's, has none. If all items are
    alike, the second posterior is the estimate alone, and the first may lie on one side of it. The
    second posterior is then replaced by the outermost quantiles of several posteriors, each of
    which adds half the weight of the prior to one of the prior's patterns. The replacement reaches
    at least to the figure of the population of such items, which may differ from the figure of the
    sample. A figure at a bound of its range keeps its single point.
    """
    flat = np.reshape(draws, (*draws.shape[:2], -1))
    figures = np.reshape(estimate, -1)
    with np.errstate(invalid="ignore"):
        if (np.abs(flat[0, 1] - figures) > _NEAR).all():
            return draws
        at_end = (figures <= bounds.lower + ROUNDING) | (figures >= bounds.highest - ROUNDING)
        points = (error_of(flat[:, 1]) < ROUNDING) & np.isfinite(figures) & ~at_end
    of_prior = _patterns_of_prior(prepared.problems[0].table)
    if not (points.any() and len(of_prior)):
        return draws
    flat, level = flat.copy(), np.linspace(0.0, 1.0, len(flat))
    low, high = _extreme_estimates(prepared, of_prior, drawn_from)
    for column in np.flatnonzero(points):
        down = np.interp(1 - level, LEVELS, low[:, column])
        up = np.interp(level, LEVELS, high[:, column])
        far = np.where(level < 0.5, np.fmin(down, figures[column]), np.fmax(up, figures[column]))
        flat[:, 1, column] = far
    return flat.reshape(draws.shape)


def _patterns_of_prior(table: PatternTable) -> Integers:
    prior = np.zeros(len(table.count)) if table.prior is None else table.prior
    return np.flatnonzero((table.count == 0) & (prior > 0))


def _extreme_estimates(
    prepared: Prepared, of_prior: Integers, drawn_from: PriorAndFraction
) -> tuple[Floats, Floats]:
    """Return the lowest and highest figures (level, figure) if one pattern of the prior is added.

    The pattern's share of the items has a Beta distribution, whose quantiles at `LEVELS` are used.
    """
    from scipy.special import betaincinv

    (problem,) = prepared.problems
    table = problem.table
    assert table.prior is not None
    mass = float((table.count + table.prior)[table.count > 0].sum())
    share = betaincinv(drawn_from.items / 2, mass, LEVELS)
    rows = np.multiply.outer(1 - share, np.tile(table.count, (len(of_prior), 1)))
    rows[:, np.arange(len(of_prior)), of_prior] = share[:, None] * table.items
    rows = shrunk(rows.reshape(-1, len(table.count)), table.count, drawn_from.fraction)
    whole = table.count / drawn_from.fraction if drawn_from.fraction else table.count * _MANY
    rows = np.concatenate([rows, whole[None]])
    (figures,) = over_rows(prepared, [table], iter([(rows,)]), len(rows))
    by_row = np.reshape(figures, (len(rows), -1))
    by_pattern, in_population = by_row[:-1].reshape(len(LEVELS), len(of_prior), -1), by_row[-1]
    low = np.fmin(np.fmin.reduce(by_pattern, axis=1), in_population)
    return low, np.fmax(np.fmax.reduce(by_pattern, axis=1), in_population)
