"""Fully crossed designs (each item rated by all annotators), and their precision."""

from __future__ import annotations

import math
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Variables
from iaa_jax.analyses.plan.figures import Costs
from iaa_jax.analyses.plan.goal import Goal
from iaa_jax.analyses.plan.pilot import curve_of, pilot_of, rated_twice
from iaa_jax.analyses.plan.pilot_adequacy import WIDER, half_widths, times_wider
from iaa_jax.analyses.plan.projection import Projection, error_model_of
from iaa_jax.measure import IntervalOptions, LabelOptions
from iaa_jax.measure.requests.resampling import resampling_of
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.studies import one_coefficient

_POWER = 0.8
"""Any power: a goal without ``null`` does not use it."""


def absolute_variance(by_name: dict[str, float]) -> float:
    """Return the variance between annotators' ratings of one item."""
    return sum(by_name.values()) - by_name["item"]


def share_of_items(item: float, error: Floats | float) -> Floats:
    """Return the share of the items' variance in its sum with the error; NaN if both are 0."""
    whole = item + np.asarray(error, dtype=np.float64)
    return np.divide(item, whole, out=np.full_like(whole, math.nan), where=whole > 0)


def figures_of_designs(
    by_name: dict[str, float], rows: NDArray[np.int64], sizes: NDArray[np.int64], costs: Costs
) -> Variables:
    """Return error variances, coefficients, numbers of ratings and costs of designs."""
    item, annotator, absolute = by_name["item"], by_name["annotator"], absolute_variance(by_name)
    n, k = rows[:, None].astype(np.float64), sizes.astype(np.float64)
    both, along = ("items", "annotators"), "annotators"
    return {
        "relative_error": (along, (absolute - annotator) / k),
        "absolute_error": (along, absolute / k),
        "generalizability": (along, share_of_items(item, (absolute - annotator) / k)),
        "dependability": (along, share_of_items(item, absolute / k)),
        "mean_error": (both, item / n + annotator / k + (absolute - annotator) / (n * k)),
        "ratings": (both, n * k),
        "cost": (both, costs.of(n, n * k)),
    }


def needed_annotators(by_name: dict[str, float], target: float) -> float:
    """Return the fewest annotators whose mean reaches the dependability ``target``.

    NaN means that items do not differ.
    """
    item, absolute = by_name["item"], absolute_variance(by_name)
    if not item > 0:
        return math.nan
    return float(max(1, math.ceil(target / (1 - target) * absolute / item - 1e-9)))


def half_width_of_designs(
    resolver: Resolver,
    coefficient: CoefficientLike | None,
    label_options: LabelOptions,
    options: IntervalOptions,
    rows: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> Floats:
    """Return each design's half-width (row, size) as `iaa_jax.plan` does; NaN if it is unknown."""
    half_width = np.full((len(rows), len(sizes)), math.nan)
    try:
        twice = rated_twice(resolver, label_options)
    except IaaError:
        return half_width
    request = one_coefficient(twice, coefficient)
    random = request.interval(options).random
    resampling = resampling_of(random, twice.tables)
    try:
        pilot = pilot_of(twice, request, resampling.clusters)
        curve = None
        with suppress(IaaError):
            curve = curve_of(twice, request, pilot, wanted=True, seed=options.seed)[0]
        error_model = error_model_of(twice, request, pilot, curve, random)
    except IaaError:  # `iaa_jax.plan` gives the reason
        return half_width
    goal = Goal(None, None, _POWER, options.confidence)
    projection = Projection(pilot, curve, goal, error_model)
    half_width_of = half_widths(request, options, resampling, pilot.items)
    if error_model.plain and times_wider(projection, half_width_of, pilot.items) > WIDER:
        return half_width
    numbers = rows.astype(np.float64)
    for column, size in enumerate(sizes.tolist()):
        # agreement needs two ratings, and other numbers than the pilot's need a curve
        if size >= 2 and (curve is not None or size == pilot.ratings):
            half_width[:, column] = projection.half_width(numbers, float(size))
    return half_width
