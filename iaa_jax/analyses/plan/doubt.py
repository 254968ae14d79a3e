"""Whether a pilot can tell how many items are needed, and what pilot could.

A planned half-width is as uncertain as the pilot's own standard error. How far its logarithm varies
over replicates of the pilot shows that where items are many; of few clusters or annotators they
show too little, and the degrees of freedom count. The limits were set by simulation
(``benchmarks/levels/plan.md``): of pilots of 60 items with labels at .8 and .2 less than 10 % are
beyond them, of those with a label at .07 more than 90 %, and the share of pilots that are within
them and off by a fifth or more is nowhere above 20 %.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.plan.pilot import Pilot, PilotReplicates, quantiles
from iaa_jax.analyses.plan.projection import TOO_DEAR, Projection

MOST = 0.21
"""Half the distance of the quantiles .84 and .16 of the logarithm, the largest of a plan."""

LEAST_DEGREES = 22
"""Degrees of freedom of a standard error over clusters or annotators, the fewest of a plan."""

ENOUGH_TELLING = 12.0
"""Items on which the variance stands in pilots that can tell."""

_LARGEST = 0.95
"""Quantile of what annotators may bring, by which their share of the variance is doubted."""

_CHANCE, _MIDDLE, _MORE = 0.8, 0.6827, 1.25


class Doubt(NamedTuple):
    """How far the planned half-width is open, on what it stands, and what pilot could tell.

    ``items`` and ``annotators`` are NaN where there are enough of them.
    """

    spread: float
    degrees: float
    telling: float
    items: float = math.nan
    annotators: float = math.nan


def doubt_of(projection: Projection, replicates: PilotReplicates) -> Doubt:
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
    drawn = drawn + chance.from_annotators(usual, replicates.of_annotators)
    spread = spread_of_errors(drawn)
    if not (spread > MOST or degrees < LEAST_DEGREES):
        return Doubt(spread, degrees, telling, for_power)
    items, annotators = [for_power], math.nan
    if share**2 * LEAST_DEGREES > chance.annotators - 1:
        annotators = math.ceil(share**2 * LEAST_DEGREES) + 1
    if chance.clusters is not None and chance.clusters.number - 1 < LEAST_DEGREES:
        items.append(pilot.items * (LEAST_DEGREES + 1) / chance.clusters.number)
    by_items = spread_of_errors(replicates.variance)
    if by_items > MOST or (math.isnan(annotators) and len(items) < 2):
        items.append(pilot.items * max(ENOUGH_TELLING / telling, _MORE))
    return Doubt(spread, degrees, telling, float(np.ceil(np.fmax.reduce(items))), annotators)


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
