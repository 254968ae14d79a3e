"""The figure of all ratings, which has one interval wherever it is shown."""

from __future__ import annotations

from iaa_jax.engine.drawing import Resampling
from iaa_jax.measure.interval_options import IntervalOptions
from iaa_jax.measure.measurement import Measurement
from iaa_jax.measure.request import Request
from iaa_jax.measure.resampling import resampling_of
from iaa_jax.measure.resolver import Resolver
from iaa_jax.measure.uncertainty import identify_drawn_annotators, measure_requests


def measure_of_all(
    resolver: Resolver,
    request: Request,
    options: IntervalOptions,
    resampling: Resampling | None = None,
) -> Measurement:
    """One coefficient of all ratings, with the interval that it has wherever it is shown."""
    options = options.of_ratings(resolver.ratings)
    (request,) = identify_drawn_annotators([request], resolver, options)
    if resampling is None:
        resampling = resampling_of(options.random, resolver.tables)
    pairable = resolver.tables.totals["pairable_items"]
    (measured,) = measure_requests([request], options, pairable, resampling=resampling)
    return measured
