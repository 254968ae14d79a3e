"""Estimates, standard errors and intervals of requested coefficients, as plain arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from iaa_jax._errors import FEW_ITEMS_COUNT
from iaa_jax.data.checks import FEWEST_ITEMS
from iaa_jax.engine import Prepared, estimates, influences
from iaa_jax.engine.drawing import Resampling
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.kappa import PairCounts
from iaa_jax.kernels.pairs import MIN_COMMON
from iaa_jax.measure.intervals.direct_ends import check_by_formula, direct_ends, is_too_long_for_abc
from iaa_jax.measure.intervals.measurement import (
    Measurement,
    measured,
    pair_counts_of,
    where_defined,
    without_interval,
)
from iaa_jax.measure.intervals.pseudo_items import with_prior
from iaa_jax.measure.intervals.replicates import replicates_of
from iaa_jax.measure.intervals.standard_errors import standard_errors
from iaa_jax.measure.intervals.zero_disagreement import pairable, unanimity, zero_units
from iaa_jax.measure.options.interval import WITH_UNSEEN
from iaa_jax.measure.options.interval_options import IntervalOptions
from iaa_jax.measure.options.resolved_interval import ResolvedInterval
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.requests.spread import Spread
from iaa_jax.measure.requests.studies import with_identities
from iaa_jax.wording import Note

LOST_PAIRS = 0.01
"""Maximum probability that a replicate lacks a pair of annotators, as a mean over the pairs: above
it, pairwise coefficients have no interval."""


def measure_requests(
    requests: Sequence[Request],
    options: IntervalOptions,
    pairable_items: float,
    progress: Callable[[int, int], None] | None = None,
    resampling: Resampling | None = None,
) -> list[Measurement]:
    """Return estimates, standard errors and intervals of several coefficients on the same ratings.

    There is no interval if fewer than two items, or clusters, have two ratings to compare, nor if
    pairs of annotators share so few items that replicates often lose a pair.
    """
    intervals = [request.interval(options) for request in requests]
    for interval in intervals:
        interval.check()
    of_few = [_counts_few_items(request, pairable_items) for request in requests]
    requests = with_unseen_patterns(requests, intervals)
    prepared = Prepared(
        [request.problem for request in requests], estimates_only=options.interval is None
    )
    agreements = [
        _undefined(agreement) if few else agreement
        for agreement, few in zip(estimates(prepared), of_few, strict=True)
    ]
    pairs = [pair_counts_of(prepared, request) for request in requests]
    if options.interval is None:
        return [
            without_interval(agreement, pair, None, interval)
            for agreement, pair, interval in zip(agreements, pairs, intervals, strict=True)
        ]
    withheld = reasons_without_interval(requests, pairs, pairable_items, resampling)
    measurable = [index for index, reason in enumerate(withheld) if not reason]
    spreads: dict[int, tuple[Spread, Note | None]] = {}
    if measurable:
        check_by_formula(
            [requests[index] for index in measurable], [intervals[index] for index in measurable]
        )
        of_measurable = spreads_of(
            [requests[index] for index in measurable],
            [agreements[index] for index in measurable],
            prepared.part(measurable),
            [intervals[index] for index in measurable],
            *(resampling, progress),
        )
        spreads = dict(zip(measurable, of_measurable, strict=True))
    return [
        measured(request, agreement, *spreads[index], pair, intervals[index])
        if index in spreads
        else without_interval(agreement, pair, reason, intervals[index])
        for index, (request, agreement, pair, reason) in enumerate(
            zip(requests, agreements, pairs, withheld, strict=True)
        )
    ]


def _counts_few_items(request: Request, pairable_items: float) -> bool:
    corrects = request.row is not None and request.row.self_pairs_left_out
    if not (corrects and 0 < pairable_items < FEWEST_ITEMS):
        return False
    count = request.problem.table.count
    fractions = count != np.rint(count)
    return bool(fractions.any() and fractions[pairable(request.problem)].any())


def _undefined(agreement: Agreement) -> Agreement:
    """Set the estimate and expected agreement to NaN; observed agreement, a mean, is kept."""
    code = np.where(agreement.code == 0, FEW_ITEMS_COUNT, agreement.code)
    undefined = np.full(np.shape(agreement.estimate), np.nan)
    return agreement._replace(estimate=undefined, expected=undefined, code=code)


def with_unseen_patterns(
    requests: Sequence[Request], intervals: Sequence[ResolvedInterval]
) -> list[Request]:
    """Add the pseudo-items of a prior to coefficients whose kind of interval uses them."""
    extended = [interval.method in WITH_UNSEEN for interval in intervals]
    to_extend = [request for request, extend in zip(requests, extended, strict=True) if extend]
    labels = [request.labels for request in to_extend]
    prior = intervals[0].prior if intervals else None
    problems = iter(with_prior([request.problem for request in to_extend], labels, prior))
    return [
        replace(request, problem=next(problems)) if extend else request
        for request, extend in zip(requests, extended, strict=True)
    ]


def reasons_without_interval(
    requests: Sequence[Request],
    pairs: Sequence[PairCounts | None],
    pairable_items: float,
    resampling: Resampling | None,
) -> list[Note | None]:
    """Return why each figure can have neither standard error nor interval; None if it can."""
    few = None
    clusters = None if resampling is None else resampling.clusters
    if pairable_items < 2:
        few = Note("few_pairable", {"items": pairable_items}, "caution")
    elif clusters is not None:
        problem = requests[0].problem
        pairable_weight = clusters.matrix_of(problem.table) @ np.where(pairable(problem), 1.0, 0.0)
        usable = int((pairable_weight > 0).sum())
        if usable < 2:
            few = Note("few_telling_clusters", {"clusters": usable}, "caution")
    return [few or unsteady_pairs_note(*pair) for pair in zip(requests, pairs, strict=True)]


def identify_drawn_annotators(
    requests: list[Request], resolver: Resolver, options: IntervalOptions
) -> list[Request]:
    """Use data that identify annotators for coefficients whose interval draws annotators."""
    if options.interval is None:
        return requests
    return [
        replace(request, problem=with_identities(resolver, request.problem))
        if request.interval(options).random.draws_annotators
        else request
        for request in requests
    ]


def spreads_of(
    requests: Sequence[Request],
    agreements: Sequence[Agreement],
    prepared: Prepared,
    intervals: Sequence[ResolvedInterval],
    resampling: Resampling | None,
    progress: Callable[[int, int], None] | None,
) -> list[tuple[Spread, Note | None]]:
    """Return the spread of each coefficient, and a note if its interval or error is missing."""
    resampling = resampling or Resampling()
    kinds = [(interval.random.draws_annotators, interval.method) for interval in intervals]
    spreads: dict[int, tuple[Spread, Note | None]] = {}
    for kind in dict.fromkeys(kinds):
        part = [index for index, of_figure in enumerate(kinds) if of_figure == kind]
        of_kind = _spreads_with_shared_draws(
            [requests[index] for index in part],
            [agreements[index] for index in part],
            prepared.part(part),
            intervals[part[0]],
            replace(resampling, annotators=kind[0]),
            progress,
        )
        spreads |= dict(zip(part, of_kind, strict=True))
    return [spreads[index] for index in range(len(requests))]


def _spreads_with_shared_draws(
    requests: Sequence[Request],
    agreements: Sequence[Agreement],
    prepared: Prepared,
    interval: ResolvedInterval,
    resampling: Resampling,
    progress: Callable[[int, int], None] | None,
) -> list[tuple[Spread, Note | None]]:
    gradients = [
        where_defined(request, agreement, gradient)
        for request, agreement, gradient in zip(
            requests, agreements, influences(prepared, interval.dtype), strict=True
        )
    ]
    errors = standard_errors(requests, agreements, prepared, gradients, interval, resampling)
    drawn = replicates_of(requests, agreements, prepared, interval, resampling, progress)
    fixed_ends = direct_ends(requests, agreements, gradients, prepared, interval, resampling)
    return [
        (
            Spread(
                error.standard_error,
                error.degrees,
                error.skewness,
                *rows,
                ends,
                unanimity(request, agreement, error.degrees),
                zero_units(request.problem, agreement, error.degrees),
                error.influential_units,
            ),
            error.note or _no_ends_note(request, prepared, interval),
        )
        for request, agreement, error, rows, ends in zip(
            requests, agreements, errors, drawn, fixed_ends, strict=True
        )
    ]


def _no_ends_note(request: Request, prepared: Prepared, interval: ResolvedInterval) -> Note | None:
    problem = request.problem
    if interval.method == "abc" and is_too_long_for_abc(prepared, problem):
        return Note("abc_too_long", {"patterns": len(problem.table.count)}, "caution")
    if interval.method in WITH_UNSEEN and problem.table.prior is None:
        return Note("no_prior", {}, "caution")
    if interval.method == "likelihood" and problem.measure.per_label:
        return Note("likelihood_by_label", {}, "caution")
    return None


def unsteady_pairs_note(request: Request, pairs: PairCounts | None) -> Note | None:
    """Return a note if resampling items cannot show the spread of a pairwise figure."""
    if pairs is None or not pairs.common_items:
        return None
    from scipy.special import betainc

    items = max(request.problem.table.items, 1.0)
    common = np.array(pairs.common_items)
    least = request.problem.options.get("min_common", MIN_COMMON)
    # the binomial probability that a replicate has too few of a pair's common items comes from the
    # incomplete beta function, since SciPy's binomial distribution is limited to 2^31 items
    others = 1 - np.minimum(common / items, 1.0)
    lost = betainc(items - least + 1, least, others) if items >= least else np.ones(len(common))
    if np.mean(lost) <= LOST_PAIRS:
        return None
    return Note("pairs_unsteady", {"common": float(np.median(common))}, "caution")
