"""Replicates of several figures, and the intervals that need none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats
from iaa_jax.catalog import CATALOG, Coefficient
from iaa_jax.engine import Prepared, Problem, bootstrap
from iaa_jax.engine.drawing import BLOCK, Resampling
from iaa_jax.kernels import intervals
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.intervals import Ends
from iaa_jax.measure.interval import IntervalOptions
from iaa_jax.measure.request import Request
from iaa_jax.wording import keyword

Replicates = tuple[Floats | None, Floats | None]


_LONG = 1 << 24
"""Sums of all replicates of a crowd from which on a first block shows whether they are wanted."""


def replicates_of(
    requests: Sequence[Request],
    agreements: Sequence[Agreement],
    prepared: Prepared,
    options: IntervalOptions,
    resampling: Resampling,
    progress: Callable[[int, int], None] | None,
) -> list[Replicates]:
    """The replicates of each figure and their standard errors, where the interval needs them.

    Among many annotators, where pairs share few items, all replicates of a figure may lie on one
    side of it: there is no BCa interval then, and the first block of them is all that is drawn.
    """
    if not options.resampled:
        return [(None, None) for _ in requests]
    if options.method == "studentized":
        from iaa_jax.engine.studentized import bootstrap_with_errors

        with_errors = bootstrap_with_errors(
            prepared,
            replicates=options.replicates,
            seed=options.seed,
            resampling=resampling,
            dtype=options.dtype,
            progress=progress,
        )
        return [(rows, errors) for rows, errors in with_errors]

    def drawn(part: Sequence[int], replicates: int) -> Iterator[tuple[int, Floats]]:
        rows = bootstrap(
            prepared.part(part),
            replicates=replicates,
            seed=options.seed,
            resampling=resampling,
            dtype=options.dtype,
            device=options.device,
            progress=progress if replicates == options.replicates else None,
        )
        return zip(part, rows, strict=True)

    ended: dict[int, Floats] = {}
    long = [index for index in prepared.factored if _is_long(prepared, index, options)]
    if long and options.method == "bca" and options.replicates > BLOCK:
        for index, first in drawn(long, BLOCK):
            estimate = np.asarray(agreements[index].estimate)
            if (first < estimate).all() or (first > estimate).all():
                ended[index] = first
    rest = [index for index in range(len(requests)) if index not in ended]
    rows = ended | (dict(drawn(rest, options.replicates)) if rest else {})
    return [(rows[index], None) for index in range(len(requests))]


def _is_long(prepared: Prepared, index: int, options: IntervalOptions) -> bool:
    columns = prepared.statistics(prepared.problems[index]).indexed_columns
    return columns * options.replicates > _LONG


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
        short = [
            index
            for index, problem in enumerate(prepared.problems)
            if not is_too_long_for_abc(prepared, problem)
        ]
        several = _abc_ends([requests[index] for index in short], prepared.part(short), options)
        ends = dict(zip(short, several, strict=True))
        return [ends.get(index, Ends(*np.full((2,), np.nan))) for index in range(len(requests))]
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


def is_too_long_for_abc(prepared: Prepared, problem: Problem) -> bool:
    """Whether there are too many patterns and sums, as of pairs in a crowd, to follow them all."""
    from iaa_jax.engine.curvature import LARGEST, cells_of_curvature

    return cells_of_curvature(prepared, problem) > LARGEST


def _abc_ends(
    requests: Sequence[Request], prepared: Prepared, options: IntervalOptions
) -> list[Ends]:
    """The estimates at two tilted weights along the least favourable direction."""
    from iaa_jax.engine.curvature import curvatures, estimates_at

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
