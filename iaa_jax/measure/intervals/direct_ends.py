"""Intervals that need no replicates: ABC, likelihood, analytic formulas, and kurtosis t.

A pattern is a set of items with the same ratings, kept once with their number. A
figure is a coefficient, or a coefficient for one label.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats
from iaa_jax.catalog import CATALOG, Coefficient
from iaa_jax.engine import Prepared, Problem
from iaa_jax.engine.drawing import Resampling
from iaa_jax.kernels import intervals
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.icc_intervals import FInterval
from iaa_jax.kernels.intervals import Ends
from iaa_jax.measure.options.interval import BY_FORMULA, OVER_ANNOTATORS
from iaa_jax.measure.options.resolved_interval import ResolvedInterval
from iaa_jax.measure.options.sampling import Sampling
from iaa_jax.measure.requests.request import Request
from iaa_jax.wording import keyword

_LEFT_OUT_CELLS = 1 << 24
"""Maximum number of weights (left-out pattern, pattern) with which items are left out one by one:
above it, derivatives are used."""

_UNDEFINED = Ends(np.asarray(np.nan), np.asarray(np.nan))


def direct_ends(
    requests: Sequence[Request],
    agreements: Sequence[Agreement],
    gradients: Sequence[Floats],
    prepared: Prepared,
    interval: ResolvedInterval,
    resampling: Resampling,
) -> list[Ends | None]:
    """Return the ends of each interval; None if its method uses replicates or a standard error."""
    if interval.method == "abc":
        feasible = [
            index
            for index, problem in enumerate(prepared.problems)
            if not is_too_long_for_abc(prepared, problem)
        ]
        abc_ends = _abc_ends(
            [requests[index] for index in feasible], prepared.part(feasible), interval
        )
        ends = dict(zip(feasible, abc_ends, strict=True))
        return [ends.get(index, Ends(*np.full((2,), np.nan))) for index in range(len(requests))]
    if interval.method in BY_FORMULA:
        return [_ends_by_formula(request, interval) or _UNDEFINED for request in requests]
    if interval.method == "likelihood":
        return [
            _likelihood_ends(request, prepared.part([index]), interval)
            for index, request in enumerate(requests)
        ]
    if interval.method == "kurtosis_t":
        distributions = kurtosis_distributions(
            requests, agreements, gradients, prepared, interval, resampling
        )
        return [distribution.ends(interval.confidence) for distribution in distributions]
    return [None for _ in requests]


def is_too_long_for_abc(prepared: Prepared, problem: Problem) -> bool:
    """Tell whether an ABC interval would take too long."""
    from iaa_jax.engine.curvature import LARGEST, cells_of_curvature

    return cells_of_curvature(prepared, problem) > LARGEST


def _abc_ends(
    requests: Sequence[Request], prepared: Prepared, interval: ResolvedInterval
) -> list[Ends]:
    """Return the ABC intervals: estimates at weights tilted in the least favourable direction."""
    from iaa_jax.engine.curvature import curvatures, estimates_at

    rows, all_multipliers = [], []
    for request, curvature in zip(requests, curvatures(prepared, interval.dtype), strict=True):
        count = request.problem.table.count
        multipliers = np.stack(
            intervals.abc_multipliers(
                curvature.acceleration,
                curvature.bias,
                curvature.quadratic,
                curvature.sigma,
                interval.confidence,
            )
        )
        # with an estimate per label, the weights of items differ between labels
        tilted = count + multipliers[..., None] * curvature.direction
        rows.append(tilted.reshape(-1, len(count)))
        all_multipliers.append(multipliers)
    estimates = estimates_at(prepared, rows, interval.dtype)
    ends = []
    for values, multipliers in zip(estimates, all_multipliers, strict=True):
        if multipliers.ndim == 1:
            ends.append(Ends(*values))
            continue
        labels = multipliers.shape[1]
        by_label = np.asarray(values).reshape(2, labels, labels)
        ends.append(Ends(*(np.diagonal(part) for part in by_label)))
    return ends


def _likelihood_ends(request: Request, prepared: Prepared, interval: ResolvedInterval) -> Ends:
    """Return the ends of the likelihood region over the patterns of items and of a prior.

    The bound on minus twice the log likelihood ratio is the mean of the large-sample ``z^2`` and
    the small-sample ``t^2``. The ends are NaN without a prior, and for figures by label.
    """
    from scipy.special import ndtri, stdtrit

    from iaa_jax.engine.likelihood import region_ends

    table, level = request.problem.table, (1 + interval.confidence) / 2
    if table.prior is None or request.problem.measure.per_label:
        return _UNDEFINED
    bound = (float(ndtri(level)) ** 2 + float(stdtrit(table.items - 1, level)) ** 2) / 2
    return Ends(*region_ends(prepared, bound))


class KurtosisDistribution(NamedTuple):
    """Student's t distribution of figures, on the scale that maps ``bounds`` to infinity.

    ``unvaried`` marks the figures without spread.
    """

    estimate: Floats
    bounds: tuple[float, float]
    error: Floats
    degrees: Floats
    unvaried: Floats

    def ends(self, confidence: float) -> Ends:
        """Return the interval at a confidence level."""
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            middle = intervals.to_line(self.estimate, *self.bounds)
            on_line = intervals.student_t(middle, self.error, self.degrees, confidence)
            ends = (intervals.from_line(end, *self.bounds) for end in on_line)
            # without spread, the interval is the estimate alone; at a bound, it has no width
            # anyway, because the bound maps to infinity
            return Ends(*(np.where(self.unvaried, self.estimate, end) for end in ends))


def kurtosis_distributions(
    requests: Sequence[Request],
    agreements: Sequence[Agreement],
    gradients: Sequence[Floats],
    prepared: Prepared,
    interval: ResolvedInterval,
    resampling: Resampling,
) -> list[KurtosisDistribution]:
    """Return Student's t distribution of each figure, with degrees of freedom from the kurtosis.

    The kurtosis is taken over the influences of the units. Over items, the standard error is
    usually a jackknife on the unbounded scale. Over clusters, it is the standard error of the
    figure times the slope of the scale, and unequal cluster sizes reduce the degrees of freedom
    further.
    """
    distributions = []
    without = _without_units(agreements, gradients, prepared, interval, resampling)
    for request, agreement, (left_out, count) in zip(requests, agreements, without, strict=True):
        estimate = np.asarray(agreement.estimate, dtype=np.float64)
        bounds = request.bounds.scale_ends(estimate)
        weight = count.reshape(-1, *(1 for _ in estimate.shape))
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            on_line = intervals.to_line(left_out, *bounds)
            # the slope of the scale is used over clusters, and over items if the figure is at a
            # bound when some item is left out
            by_slope = np.ones(estimate.shape, dtype=bool)
            if resampling.clusters is None:
                by_slope = ~np.isfinite(on_line).all(axis=0)
            slope = np.where(by_slope, intervals.line_slope(estimate, *bounds), 1.0)
            values = np.where(by_slope, left_out, on_line)
            deviation = values - (weight * values).sum(axis=0) / count.sum()
            error = intervals.jackknife(values, count) * slope * resampling.spread
            numbers = request.problem.measure.takes_values and resampling.clusters is None
            degrees = intervals.kurtosis_degrees(deviation, count, largest=not numbers)
            if resampling.clusters is not None:
                degrees = _shared_degrees(degrees, count, resampling, request.problem)
            unvaried = np.asarray(intervals.jackknife(left_out, count) == 0)
        distributions.append(KurtosisDistribution(estimate, bounds, error, degrees, unvaried))
    return distributions


def _without_units(
    agreements: Sequence[Agreement],
    gradients: Sequence[Floats],
    prepared: Prepared,
    interval: ResolvedInterval,
    resampling: Resampling,
) -> list[tuple[Floats, Floats]]:
    """Return, for each figure, the estimates (unit, ...) without each unit, and the units' counts.

    If a figure is undefined without some unit, derivatives approximate its estimates. Over items,
    derivatives are also used if there are many patterns, or weights below one.
    """
    from iaa_jax.engine.units import leave_units_out

    problems = prepared.problems
    counts = [problem.table.count for problem in problems]
    cells = max((count > 0).sum() * len(count) for count in counts)
    fractional = any(((count > 0) & (count < 1)).any() for count in counts)
    exact: list[tuple[Floats, Floats]] | list[None] = [None for _ in problems]
    if resampling.clusters is not None or not (fractional or cells > _LEFT_OUT_CELLS):
        exact = leave_units_out(prepared, clusters=resampling.clusters, dtype=interval.dtype)
    return [
        _by_derivatives(problem, agreement, gradient, resampling)
        if left_out is None or np.isnan(left_out[0]).any()
        else left_out
        for problem, agreement, gradient, left_out in zip(
            problems, agreements, gradients, exact, strict=True
        )
    ]


def _by_derivatives(
    problem: Problem, agreement: Agreement, gradient: Floats, resampling: Resampling
) -> tuple[Floats, Floats]:
    """Approximate the estimate without each of n units as ``t - n T / (n - 1)``.

    Here t is the estimate, and T the influence of the unit divided by n.
    """
    from iaa_jax.engine.units import unit_influences

    clusters, table = resampling.clusters, problem.table
    if clusters is None:
        shown = table.count > 0
        count = table.count[shown]
        added = intervals.centred_influence(gradient, table.count)[..., shown] / count.sum()
    else:
        present = clusters.count > 0
        count = clusters.count[present]
        added = unit_influences(gradient, table, clusters)[..., present]
    units = count.sum()
    estimate = np.asarray(agreement.estimate, dtype=np.float64)
    return estimate - np.moveaxis(added, -1, 0) * (units / (units - 1)), count


def _shared_degrees(
    degrees: Floats, count: Floats, resampling: Resampling, problem: Problem
) -> Floats:
    """Combine the degrees of freedom from the kurtosis with those from unequal cluster sizes."""
    assert resampling.clusters is not None
    sizes = resampling.clusters.matrix_of(problem.table) @ np.ones(len(problem.table.count))
    by_size = float(intervals.size_degrees(sizes))
    excess = np.maximum(1 / degrees - 1 / (count.sum() - 1), 0.0)
    return np.asarray(1 / (1 / by_size + excess))


def check_by_formula(requests: Sequence[Request], resolved: Sequence[ResolvedInterval]) -> None:
    """Raise an error if no requested figure has a formula for this interval and sampling."""
    options = resolved[0].options
    method, random = options.how.method, options.random
    if method not in BY_FORMULA or any(
        _formula(request.row, interval.random, method)
        for request, interval in zip(requests, resolved, strict=True)
    ):
        return
    annotators = random.annotators
    if method in OVER_ANNOTATORS and annotators == "fixed":
        fixed = keyword("annotators", annotators)
        raise IaaError(
            f"{keyword('interval', method)} is about random annotators: leave {fixed} out"
        )
    have = ", ".join(row.name for row in CATALOG.values() if _formula(row, random, method))
    drawn = " over random annotators" if random.draws_annotators else ""
    raise IaaError(
        f"{keyword('interval', method)}{drawn} is for {have}, not for {requests[0].name}"
    )


def _formula(
    row: Coefficient | None, random: Sampling, method: str
) -> Callable[..., Ends | FInterval] | None:
    drawn = random.draws_annotators
    if row is None or (drawn and not row.random_annotators):
        return None
    if method == "f":
        return row.f_interval
    return None if random.annotators == "fixed" else row.ends_over_annotators.get(method)


def _ends_by_formula(request: Request, interval: ResolvedInterval) -> Ends | None:
    formula = _formula(request.row, interval.random, interval.method)
    if formula is None:
        return None
    problem = request.problem
    ends = formula(problem.counted_data, problem.table.count, interval.confidence)
    return Ends(np.asarray(ends.low), np.asarray(ends.high))
