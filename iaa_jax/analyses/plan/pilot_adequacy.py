"""Whether a pilot is large enough for a plan, and whether intervals follow the standard error.

A planned half-width is as uncertain as the pilot's standard error. The spread of the error's
logarithm over replicates of the pilot shows how uncertain that is; a pilot with a large spread is
too small. With few clusters or annotators, replicates understate the spread, so a pilot with few
degrees of freedom is too small, too. The limits of the spread and of the degrees of freedom were
set by simulation (``benchmarks/levels/plan.md``): of pilots of 60 items by three annotators with an
alpha of .6, less than 10 % are found inadequate if the shares of two labels are .8 and .2, and more
than 90 % if they are .93 and .07. In every simulation, at most 20 % of the pilots pass while their
plans miss the half-width by more than a fifth.

If annotators hardly agree on a rare label, or a few units dominate the coefficient, the interval is
many times as wide as the standard error implies. How its width falls with the number of items is
found by multiplying the pilot's items.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.plan.pilot import Pilot, PilotReplicates, quantiles
from iaa_jax.analyses.plan.projection import TOO_DEAR, Projection
from iaa_jax.analyses.plan.thinning import code_rows
from iaa_jax.analyses.plan.variance import influences_of
from iaa_jax.engine import Problem
from iaa_jax.engine.drawing import Resampling
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.intervals.uncertainty import measure_requests
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import Resolver

MOST = 0.21
"""Maximum of `spread_of_errors` for a conclusive pilot."""

LEAST_DEGREES = 22
"""Minimum degrees of freedom with clusters or random annotators."""

ENOUGH_TELLING = 12.0

_LARGEST = 0.95
"""Probability of the quantile used as the annotators' variance."""

_CHANCE, _MIDDLE, _MORE = 0.8, 0.6827, 1.25

TIMES = 5
"""An item has many ratings if it has at least this multiple of the median number."""

FEW = 0.1
"""Items are few if they are at most this share of all items."""

DECISIVE = 0.5
"""A few items decide the standard error if they have at least this share of the variance."""

WIDER = 1.5
"""Maximum ratio of an interval's width to the width that its standard error implies.

The ratio is 1.0 to 1.2 for pilots whose plans hold, and 5 to 18 for pilots whose plans do not.
"""

_NEAR = 1.02
"""Relative precision in the search for a number of items."""

_DOUBLED = 50
"""Maximum number of doublings in the search for a number of items."""


class PilotAdequacy(NamedTuple):
    """The uncertainty of a planned half-width, and the pilot's effective number of items.

    ``items`` and ``annotators`` are what a conclusive pilot needs; NaN if there are enough.
    """

    spread: float
    degrees: float
    telling: float
    items: float = math.nan
    annotators: float = math.nan


def adequacy_of(projection: Projection, replicates: PilotReplicates) -> PilotAdequacy:
    """Return how uncertain a planned half-width is, and what a conclusive pilot needs.

    The spread is NaN without replicates.
    """
    pilot, error_model, usual = projection.pilot, projection.error_model, projection.usual
    telling, for_power = pilot.spread.telling, _items_for_power(projection)
    needed = projection.attainable.items_needed(usual)
    of_items = pilot.variance / (pilot.items if math.isnan(needed) else needed)
    # even if the pilot's annotators hardly differ, others may
    largest = error_model.annotator_variance_quantile(_LARGEST)
    from_annotators = float(error_model.from_annotators(usual, largest))
    share = from_annotators / (of_items + from_annotators)
    degrees = math.nan
    if not error_model.plain:
        degrees = float(error_model.degrees(pilot.items, pilot.ratings, share))
    drawn = of_items / pilot.variance * replicates.variance
    drawn = drawn + error_model.from_annotators(usual, replicates.annotator_variance)
    spread = spread_of_errors(drawn)
    if not (spread > MOST or degrees < LEAST_DEGREES):
        return PilotAdequacy(spread, degrees, telling, for_power)
    items, annotators = [for_power], math.nan
    if share**2 * LEAST_DEGREES > error_model.annotators - 1:
        annotators = math.ceil(share**2 * LEAST_DEGREES) + 1
    if error_model.clusters is not None and error_model.clusters.number - 1 < LEAST_DEGREES:
        items.append(pilot.items * (LEAST_DEGREES + 1) / error_model.clusters.number)
    by_items = spread_of_errors(replicates.variance)
    if by_items > MOST or (math.isnan(annotators) and len(items) < 2):
        items.append(pilot.items * max(ENOUGH_TELLING / telling, _MORE))
    return PilotAdequacy(
        spread, degrees, telling, float(np.ceil(np.fmax.reduce(items))), annotators
    )


def freedom_of(pilot: Pilot, replicates: PilotReplicates) -> float:
    """Return the degrees of freedom of the pilot's variance, as if values were normal.

    The result is the smaller of two numbers. One comes from replicates, in which the estimate
    changes as well (which matters for rare labels). The other comes from fourth moments of the
    items' influences, and suits long-tailed numbers.
    """
    units = pilot.items if pilot.clusters is None else pilot.clusters.number
    squared = max(1 / pilot.spread.telling - 1 / units, 0.0)
    if len(replicates.variance):
        squared = max(squared, (2 * spread_of_errors(replicates.variance)) ** 2)
    return 2 / squared if squared > 0 else math.inf


def spread_of_errors(variances: Floats) -> float:
    """Return half the width of the middle 68 % of the logarithms of standard errors."""
    low, high = quantiles(np.log(variances), _MIDDLE)
    return (high - low) / 4


def _items_for_power(projection: Projection) -> float:
    """Return the items of a pilot that is conclusive on ``null``; NaN if this one is.

    If the estimate is true, a pilot of this size is conclusive with a probability of 80 %.
    """
    from scipy.special import ndtri

    goal, pilot = projection.goal.parts().get("_null", projection.goal), projection.pilot
    alone, usual = projection.for_goal(goal), projection.usual
    if goal.null is None or not math.isnan(alone.items_planned(usual)):
        return math.nan
    gap = float(goal.gap(pilot.estimate))
    part = math.sqrt(TOO_DEAR) / (math.sqrt(TOO_DEAR) - 1)
    errors = float(part * ndtri(goal.assurance_of_power) + ndtri(_CHANCE))
    wanted = pilot.items * (errors * projection.pilot_error / gap) ** 2 if gap > 0 else math.nan
    return float(np.ceil(wanted))


class OverlapItems(NamedTuple):
    """Items with many more ratings than others; NaN if there are none, or too many.

    ``ratings`` is their lowest number of ratings, ``usual`` the median over all items, and
    ``share`` their share of the variance.
    """

    items: float = math.nan
    ratings: float = math.nan
    usual: float = math.nan
    share: float = math.nan


def overlap_items_of(resolver: Resolver, problem: Problem) -> OverlapItems:
    """Return the items with many more ratings than others, if they are few; not for spans."""
    if problem.measure.compares:
        return OverlapItems()
    panel = (code_rows(resolver.tables, problem).codes >= 0).sum(axis=1)
    count = np.where(panel >= 2, np.asarray(problem.table.count), 0.0)
    order = np.argsort(panel, kind="stable")
    middle = np.searchsorted(np.cumsum(count[order]), count.sum() / 2)
    usual = float(panel[order][middle])
    is_heavy = (panel >= TIMES * usual) & (count > 0)
    items = float(count[is_heavy].sum())
    if not 0 < items <= FEW * count.sum():
        return OverlapItems()
    squares = np.asarray(problem.table.count) * influences_of(problem) ** 2
    share = float(squares[is_heavy].sum() / squares.sum())
    return OverlapItems(items, float(panel[is_heavy].min()), usual, share)


class Wider(NamedTuple):
    """Ratio of an interval's width to the width that its standard error implies.

    ``items`` are the items needed if the ratio is too large; NaN if no number is enough.
    """

    times: float = math.nan
    items: float = math.nan


def half_widths(
    request: Request, options: IntervalOptions, resampling: Resampling, pairable: float
) -> Callable[[float], float]:
    """Return the function that gives the half-width with a number of items like the pilot's."""
    table = request.problem.table

    def half_width(items: float) -> float:
        times = items / table.items
        like_pilots = replace(request.problem, table=table.repeated(times))
        fraction = min(resampling.fraction * times, 1.0 - 1e-12)
        (measured,) = measure_requests(
            [replace(request, problem=like_pilots)],
            options,
            pairable * times,
            resampling=replace(resampling, fraction=fraction),
        )
        return float(measured.high - measured.low) / 2

    return half_width


def times_wider(
    projection: Projection, half_width: Callable[[float], float], items: float
) -> float:
    """Return the ratio of a half-width to the one that its standard error implies."""
    by_error = projection.with_pilots_panels.half_width(items, projection.pilot.ratings)
    return half_width(items) / float(by_error)


def wider_of(projection: Projection, half_width: Callable[[float], float]) -> Wider:
    """Compare planned intervals with their standard errors, if items are drawn one by one."""
    goal, ratings = projection.goal.parts().get("_half_width", projection.goal), projection.usual
    if goal.half_width is None or not projection.error_model.plain:
        return Wider()
    alone = projection.for_goal(goal)
    planned, of_pilot = alone.items_planned(ratings), projection.pilot.items
    # with more items, the ratio is closer to 1
    times = times_wider(projection, half_width, min(planned, of_pilot))
    if times > WIDER and planned > of_pilot:
        times = times_wider(projection, half_width, planned)
    if not times > WIDER:
        return Wider(times)
    low, high = planned, math.nan
    while not high <= low * _NEAR:
        items = math.sqrt(low * high) if high > low else 2 * low
        if items > planned * 2.0**_DOUBLED:
            return Wider(times)
        # `half_width` is for the pilot's ratings per item
        relative_error = alone.error(items, ratings) / alone.error(items, alone.usual_of_pilot)
        wide = half_width(items) * float(relative_error * alone.widening(items, ratings))
        enough = wide <= goal.half_width
        low, high = (low, items) if enough else (items, high)
    return Wider(times, math.ceil(high))
