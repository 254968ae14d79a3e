"""How far a plan can be trusted: whether the pilot can tell, and intervals keep to their error.

A planned half-width is as uncertain as the pilot's own standard error. How far its logarithm varies
over replicates of the pilot shows that where items are many; of few clusters or annotators they
show too little, and the degrees of freedom count. The limits were set by simulation
(``benchmarks/levels/plan.md``): of pilots of 60 items with labels at .8 and .2 less than 10 % are
beyond them, of those with a label at .07 more than 90 %, and the share of pilots that are within
them and off by a fifth or more is nowhere above 20 %.

Where annotators hardly agree on a rare label, or a few units carry a figure, the interval allows
for what its items cannot show, and is many times as wide as the standard error says. It narrows
with the number of items in a way of its own, which the pilot's patterns tell, repeated or thinned.
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
"""Half the distance of the quantiles .84 and .16 of the logarithm, the largest of a plan."""

LEAST_DEGREES = 22
"""Degrees of freedom of a standard error over clusters or annotators, the fewest of a plan."""

ENOUGH_TELLING = 12.0
"""Items on which the variance stands in pilots that can tell."""

_LARGEST = 0.95
"""Quantile of what annotators may bring, by which their share of the variance is doubted."""

_CHANCE, _MIDDLE, _MORE = 0.8, 0.6827, 1.25

TIMES = 5
"""As many ratings as the item in the middle, from which an item has many."""

FEW = 0.1
"""Share of the items, the largest that such items may be to be few."""

DECISIVE = 0.5
"""Share of the variance from which they decide how far the figure is uncertain."""

WIDER = 1.5
"""Times as wide as the standard error has it, beyond which an interval is none to plan by that.

Of pilots whose plans hold it is 1.0 to 1.2, of those whose plans do not 5 to 18.
"""

_NEAR = 1.02
"""Within which a number of items is found."""

_DOUBLED = 50
"""Times that a number of items is doubled at most."""


class PilotAdequacy(NamedTuple):
    """How far the planned half-width is open, on what it stands, and what pilot could tell.

    ``items`` and ``annotators`` are NaN where there are enough of them.
    """

    spread: float
    degrees: float
    telling: float
    items: float = math.nan
    annotators: float = math.nan


def adequacy_of(projection: Projection, replicates: PilotReplicates) -> PilotAdequacy:
    """The doubt about the interval of the items that are needed.

    Its spread is NaN without replicates. The share that annotators have in the variance is the
    largest that the pilot leaves open.
    """
    pilot, chance, usual = projection.pilot, projection.chance, projection.usual
    telling, for_power = pilot.spread.telling, _items_for_power(projection)
    needed = projection.attainable.items_needed(usual)
    of_items = pilot.variance / (pilot.items if math.isnan(needed) else needed)
    # an estimate of 0 from a few annotators does not show that they do not differ
    largest = chance.largest_of_annotators(_LARGEST)
    from_annotators = float(chance.from_annotators(usual, largest))
    share = from_annotators / (of_items + from_annotators)
    degrees = math.nan
    if not chance.plain:
        degrees = float(chance.degrees(pilot.items, pilot.ratings, share))
    drawn = of_items / pilot.variance * replicates.variance
    drawn = drawn + chance.from_annotators(usual, replicates.annotator_variance)
    spread = spread_of_errors(drawn)
    if not (spread > MOST or degrees < LEAST_DEGREES):
        return PilotAdequacy(spread, degrees, telling, for_power)
    items, annotators = [for_power], math.nan
    if share**2 * LEAST_DEGREES > chance.annotators - 1:
        annotators = math.ceil(share**2 * LEAST_DEGREES) + 1
    if chance.clusters is not None and chance.clusters.number - 1 < LEAST_DEGREES:
        items.append(pilot.items * (LEAST_DEGREES + 1) / chance.clusters.number)
    by_items = spread_of_errors(replicates.variance)
    if by_items > MOST or (math.isnan(annotators) and len(items) < 2):
        items.append(pilot.items * max(ENOUGH_TELLING / telling, _MORE))
    return PilotAdequacy(
        spread, degrees, telling, float(np.ceil(np.fmax.reduce(items))), annotators
    )


def freedom_of(pilot: Pilot, replicates: PilotReplicates) -> float:
    """Degrees of freedom of the pilot's V, if it were a variance of normal values.

    The fewer of what draws show and of what the items that V stands on do: with a rare label draws
    tell that the figure moves too, of numbers with long tails the fourth moments are the surer.
    """
    units = pilot.items if pilot.clusters is None else pilot.clusters.number
    squared = max(1 / pilot.spread.telling - 1 / units, 0.0)
    if len(replicates.variance):
        squared = max(squared, (2 * spread_of_errors(replicates.variance)) ** 2)
    return 2 / squared if squared > 0 else math.inf


def spread_of_errors(variances: Floats) -> float:
    """How far the logarithm of a standard error varies: half of where its middle 68 % lie."""
    low, high = quantiles(np.log(variances), _MIDDLE)
    return (high - low) / 4


def _items_for_power(projection: Projection) -> float:
    """The items of a pilot that can tell, if the true value is that of this one; NaN if this can.

    Where the estimate lies above ``null`` by hardly more than it may be off, what is assured takes
    many times the items. So many are a pilot that can tell with a chance of 80 %.
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
    """How many such items, their fewest ratings, those of the item in the middle, the share of V.

    All NaN where there are none.
    """

    items: float = math.nan
    ratings: float = math.nan
    usual: float = math.nan
    share: float = math.nan


def overlap_items_of(resolver: Resolver, problem: Problem) -> OverlapItems:
    """Those of a pilot; of spans, that all annotators of a document compare, there are none."""
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
    """How many times as wide the interval of the planned items is, and the items that it takes.

    ``items`` is NaN where the interval keeps to its error, or no number of them is enough.
    """

    times: float = math.nan
    items: float = math.nan


def half_widths(
    request: Request, options: IntervalOptions, resampling: Resampling, pairable: float
) -> Callable[[float], float]:
    """Half the width that the interval of so many items has, if they are like the pilot's."""
    table = request.problem.table

    def half_width(items: float) -> float:
        times = items / table.items
        like_pilots = replace(request.problem, table=table.repeated(times))
        fraction = min(resampling.fraction * times, 1.0 - 1e-12)
        (found,) = measure_requests(
            [replace(request, problem=like_pilots)],
            options,
            pairable * times,
            resampling=replace(resampling, fraction=fraction),
        )
        return float(found.high - found.low) / 2

    return half_width


def times_wider(
    projection: Projection, half_width: Callable[[float], float], items: float
) -> float:
    """How many times as wide the interval of so many items is as their standard error has it."""
    by_error = projection.with_pilots_panels.half_width(items, projection.pilot.ratings)
    return half_width(items) / float(by_error)


def wider_of(projection: Projection, half_width: Callable[[float], float]) -> Wider:
    """Of the interval of the items that are planned for a half-width, drawn one by one."""
    goal, ratings = projection.goal.parts().get("_half_width", projection.goal), projection.usual
    if goal.half_width is None or not projection.chance.plain:
        return Wider()
    alone = projection.for_goal(goal)
    planned, of_pilot = alone.items_planned(ratings), projection.pilot.items
    # the more items, the less an interval differs from its error
    found = times_wider(projection, half_width, min(planned, of_pilot))
    if found > WIDER and planned > of_pilot:
        found = times_wider(projection, half_width, planned)
    if not found > WIDER:
        return Wider(found)
    low, high = planned, math.nan
    while not high <= low * _NEAR:
        items = math.sqrt(low * high) if high > low else 2 * low
        if items > planned * 2.0**_DOUBLED:
            return Wider(found)
        enough = half_width(items) * float(alone.widening(items, ratings)) <= goal.half_width
        low, high = (low, items) if enough else (items, high)
    return Wider(found, math.ceil(high))
