"""Whether an interval keeps to its standard error, by which items are planned.

Where annotators hardly agree on a rare label, or a few units carry a figure, the interval allows
for what its items cannot show, and is many times as wide as the standard error says. It narrows
with the number of items in a way of its own, which the pilot's patterns tell, repeated or thinned.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from iaa_jax.analyses.plan.projection import Projection
from iaa_jax.engine.drawing import Resampling
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.request import Request
from iaa_jax.measure.uncertainty import measure_requests

WIDER = 1.5
"""Times as wide as the standard error has it, beyond which an interval is none to plan by that.

Of pilots whose plans hold it is 1.0 to 1.2, of those whose plans do not 5 to 18.
"""

_NEAR = 1.02
"""Within which a number of items is found."""

_DOUBLED = 50
"""Times that a number of items is doubled at most."""


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
