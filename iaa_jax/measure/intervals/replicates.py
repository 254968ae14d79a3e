"""Replicates of several figures, as far as their intervals need them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax._types import Floats
from iaa_jax.engine import Prepared, bootstrap
from iaa_jax.engine.drawing import BLOCK, Resampling
from iaa_jax.engine.drawing.tables import coarsest
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.measure.intervals.pseudo_items import ITEMS
from iaa_jax.measure.intervals.unvaried import DrawnFrom, in_place_of_a_point
from iaa_jax.measure.options.resolved_interval import ResolvedInterval
from iaa_jax.measure.requests.prior import farther
from iaa_jax.measure.requests.request import Request

Replicates = tuple[Floats | None, Floats | None]


def replicates_of(
    requests: Sequence[Request],
    agreements: Sequence[Agreement],
    prepared: Prepared,
    interval: ResolvedInterval,
    resampling: Resampling,
    progress: Callable[[int, int], None] | None,
) -> list[Replicates]:
    """The replicates of each figure and their standard errors, where the interval needs them.

    Among many annotators, where pairs share few items, all replicates of a figure may lie on one
    side of it: there is no BCa interval then, and the first block of them is all that is drawn.
    """
    if not interval.by_replicates:
        return [(None, None) for _ in requests]
    wanted = [*range(len(requests))]
    way = DrawnFrom(ITEMS if interval.prior is None else interval.prior, resampling.fraction)
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
                _farther(requests[index], prepared.part([index]), agreements[index], each, way)
                for index, each in zip(part, rows, strict=True)
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
    for part in _by_root(prepared, [index for index in wanted if index not in ended], interval):
        rows |= dict(drawn(part, interval.replicates))
    return [(rows.get(index), None) for index in range(len(requests))]


def _farther(
    request: Request, prepared: Prepared, agreement: Agreement, draws: Floats, way: DrawnFrom
) -> Floats:
    """Draws of the farther one of both posteriors, from those (replicate, 2, ...) of each."""
    estimate = np.asarray(agreement.estimate, dtype=np.float64)
    draws = in_place_of_a_point(prepared, estimate, draws, way, request.bounds)
    return farther(draws[:, 0], draws[:, 1])


def _by_root(
    prepared: Prepared, indices: Sequence[int], interval: ResolvedInterval
) -> list[list[int]]:
    """Figures that are drawn together: those of a posterior by their prior.

    What is drawn for one prior does not depend on what else is asked.
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
