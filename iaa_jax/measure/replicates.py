"""Replicates of several figures, and the intervals that need none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats
from iaa_jax.catalog import CATALOG, Coefficient
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
    requests: Sequence[Request],
    prepared: Prepared,
    options: IntervalOptions,
    no_error: Sequence[bool],
) -> list[Ends | None]:
    """Ends that come from no standard error and no replicates: ABC and F intervals.

    The automatic interval of a coefficient of random annotators is F where these are so few that
    there is ``no_error`` over them.
    """
    if options.method == "abc":
        return list(_abc_ends(requests, prepared, options))
    if options.method == "f":
        nothing = Ends(np.asarray(np.nan), np.asarray(np.nan))
        return [_f_end(request, options) or nothing for request in requests]
    random = options.random
    over_both = random.draws_annotators and options.how.method == "auto"
    if not over_both or random.cluster or random.population or random.bayesian:
        return [None for _ in requests]
    return [
        _f_end(request, options) if few else None
        for request, few in zip(requests, no_error, strict=True)
    ]


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


def check_f(requests: Sequence[Request], options: IntervalOptions) -> None:
    """Refuse F intervals where no figure has one over what is random."""
    if options.method != "f":
        return
    every = [request.own(options) for request in requests]
    if any(_has_f(request.row, own) for request, own in zip(requests, every, strict=True)):
        return
    have = ", ".join(row.name for row in CATALOG.values() if _has_f(row, options))
    drawn = " over random annotators" if options.random.draws_annotators else ""
    message = f"{keyword('interval', 'f')}{drawn} is for {have}, not for {requests[0].name}"
    raise IaaError(message)


def _has_f(row: Coefficient | None, options: IntervalOptions) -> bool:
    drawn = options.random.draws_annotators
    return row is not None and row.f_interval is not None and (row.random_annotators or not drawn)


def _f_end(request: Request, options: IntervalOptions) -> Ends | None:
    """The analytic interval of an intraclass correlation."""
    row, problem = request.row, request.problem
    if row is None or row.f_interval is None or not _has_f(row, options):
        return None
    test = row.f_interval(problem.data, problem.table.count, options.confidence)
    return Ends(np.asarray(test.low), np.asarray(test.high))
