"""Coefficients of all ratings, cached so that every section of a report has the same interval."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

from iaa_jax.engine.drawing import Resampling
from iaa_jax.measure.intervals.measurement import Measurement
from iaa_jax.measure.intervals.uncertainty import identify_drawn_annotators, measure_requests
from iaa_jax.measure.options.interval_options import IntervalOptions
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resampling import resampling_of
from iaa_jax.measure.requests.resolver import Resolver


def measure_full_sample(
    resolver: Resolver,
    requests: Sequence[Request],
    options: IntervalOptions,
    resampling: Resampling | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Measurement]:
    """Measure coefficients on all ratings, unless this was already done with these options.

    ``resampling`` is made from the options, unless the caller passes it.
    """
    options = options.for_ratings(resolver.tables.dataset)
    requests = identify_drawn_annotators([*requests], resolver, options)
    measured = resolver.tables.measured
    keys = [_cache_key(request, options) for request in requests]
    new = {key: request for key, request in zip(keys, requests, strict=True) if key not in measured}
    if new:
        if resampling is None:
            resampling = resampling_of(options.random, resolver.tables)
        pairable = resolver.tables.totals["pairable_items"]
        figures = measure_requests([*new.values()], options, pairable, progress, resampling)
        measured.update(zip(new, figures, strict=True))
    return [measured[key] for key in keys]


def _cache_key(request: Request, options: IntervalOptions) -> Hashable:
    problem = request.problem
    weights = problem.label_agreement, problem.annotator_weight
    return (
        request.name if request.row is None else request.row.name,
        request.level,
        request.used,
        problem.measure,
        problem.power,
        tuple(sorted(problem.options.items())),
        *(None if weight is None else weight.tobytes() for weight in weights),
        replace(options, sampling=options.random),
    )
