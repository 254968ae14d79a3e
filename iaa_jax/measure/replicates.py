"""Replicates of several figures, and the intervals that need none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats
from iaa_jax.catalog import CATALOG
from iaa_jax.engine import Prepared, bootstrap, bootstrap_with_errors, curvatures, estimates_at
from iaa_jax.engine.drawing import Resampling
from iaa_jax.kernels import intervals
from iaa_jax.kernels.intervals import Ends
from iaa_jax.measure.interval import IntervalOptions
from iaa_jax.measure.request import Request
from iaa_jax.wording import keyword

Replicates = tuple[Floats | None, Floats | None]


def replicates_of(
    requests: Sequence[Request],
    prepared: Prepared,
    options: IntervalOptions,
    resampling: Resampling,
    progress: Callable[[int, int], None] | None,
) -> list[Replicates]:
    """The replicates of each figure and their standard errors, where the interval needs them."""
    if not options.resampled:
        return [(None, None) for _ in requests]
    if options.method == "studentized":
        with_errors = bootstrap_with_errors(
            prepared,
            replicates=options.replicates,
            seed=options.seed,
            resampling=resampling,
            dtype=options.dtype,
            progress=progress,
        )
        return [(rows, errors) for rows, errors in with_errors]
    rows = bootstrap(
        prepared,
        replicates=options.replicates,
        seed=options.seed,
        resampling=resampling,
        dtype=options.dtype,
        progress=progress,
    )
    return [(row, None) for row in rows]


def direct_ends(
    requests: Sequence[Request], prepared: Prepared, options: IntervalOptions
) -> list[Ends | None]:
    """Ends that come from no standard error and no replicates: ABC and F intervals."""
    if options.method == "abc":
        return list(_abc_ends(requests, prepared, options))
    if options.method == "f":
        return _f_ends(requests, options)
    return [None for _ in requests]


def _abc_ends(
    requests: Sequence[Request], prepared: Prepared, options: IntervalOptions
) -> list[Ends]:
    """The estimates at two tilted weights along the least favourable direction."""
    rows, all_multipliers = [], []
    for request, curvature in zip(requests, curvatures(prepared, options.dtype), strict=True):
        count = request.problem.table.count
        multipliers = np.stack(
            intervals.abc_multipliers(
                curvature.acceleration,
                curvature.bias,
                curvature.quadratic,
                curvature.sigma,
                options.confidence,
            )
        )
        # a figure per label has weights a label
        tilted = count + multipliers[..., None] * curvature.direction
        rows.append(tilted.reshape(-1, len(count)))
        all_multipliers.append(multipliers)
    estimates = estimates_at(prepared, rows, options.dtype)
    ends = []
    for values, multipliers in zip(estimates, all_multipliers, strict=True):
        if multipliers.ndim == 1:
            ends.append(Ends(*values))
            continue
        labels = multipliers.shape[1]
        by_label = np.asarray(values).reshape(2, labels, labels)
        ends.append(Ends(*(np.diagonal(part) for part in by_label)))
    return ends


def _f_ends(requests: Sequence[Request], options: IntervalOptions) -> list[Ends | None]:
    """Analytic intervals of intraclass correlations."""
    if not any(request.row is not None and request.row.f_interval for request in requests):
        have = ", ".join(row.name for row in CATALOG.values() if row.f_interval)
        message = f"{keyword('interval', 'f')} is for {have}, not for {requests[0].name}"
        raise IaaError(message)
    ends: list[Ends | None] = []
    for request in requests:
        if request.row is None or request.row.f_interval is None:
            nothing = np.asarray(np.nan)
            ends.append(Ends(nothing, nothing))
            continue
        problem = request.problem
        test = request.row.f_interval(problem.data, problem.table.count, options.confidence)
        ends.append(Ends(np.asarray(test.low), np.asarray(test.high)))
    return ends
