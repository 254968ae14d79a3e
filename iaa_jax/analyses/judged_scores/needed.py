"""Compute how many rated items and people a corrected score needs for an interval of some width.

A corrected score combines people's ratings of some items with judges' labels of all. With k times
as many rated units (items or clusters), the variance over these units is divided by k, and with k
times as many people the variance over people. The variance due to the judged items does not change.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from iaa_jax._errors import OptionError
from iaa_jax.analyses.judged_scores.estimation import Estimate, ends_of
from iaa_jax.wording import named

_MOST_PEOPLE = 10_000

_TRIED = 40
"""Maximum number of values that are tried for the number of people."""


class CurrentDesign(NamedTuple):
    """The numbers of rated items, of people, and of rated and all units in the current design."""

    items: float
    fewest_items: float
    people: int
    units: float
    all_units: float
    people_are_drawn: bool
    confidence: float


def check_width(half_width: float | None) -> None:
    """Refuse a half-width that is not positive and finite."""
    if half_width is not None and not 0 < half_width < math.inf:
        raise OptionError(f"{named('half_width')} must be above 0, not {half_width!r}")


def needed(
    figure: Estimate, width: float, today: CurrentDesign, *, share: bool
) -> tuple[float, float]:
    """Return the rated items and people needed; infinite if the width is out of reach.

    They are NaN if the variance is unknown. Each item is rated by as many people as now. If
    items alone are enough, the number of people stays the same. Otherwise people and items grow so
    that the sum of both, as multiples of today's numbers, is smallest.
    """
    if np.isnan(figure.variance):
        return np.nan, np.nan

    def units_for(people: int) -> float:
        def fits(units: int) -> bool:
            low, high = ends_of(
                projected(figure, today, units, people), today.confidence, share=share
            )
            return high - low <= width

        fewest = math.ceil(today.fewest_items * today.units / today.items)
        return _least(fits, max(fewest, 2), int(today.all_units))

    def items(units: float) -> float:
        return float(np.ceil(units * today.items / today.units))

    units = units_for(today.people)
    if units < math.inf:
        return items(units), today.people
    if not today.people_are_drawn:
        return math.inf, math.inf
    fewest = _least(lambda people: units_for(people) < math.inf, today.people, _MOST_PEOPLE)
    if fewest == math.inf:
        return math.inf, math.inf
    tried = np.unique(np.geomspace(fewest, 10 * fewest, _TRIED).round().astype(int)).tolist()
    grown = [(units_for(people) / today.units + people / today.people, people) for people in tried]
    people = min(grown)[1]
    return items(units_for(people)), people


def projected(figure: Estimate, today: CurrentDesign, units: int, people: int) -> Estimate:
    """Project an estimate to a number of rated units and people."""
    times = units / today.units
    item_variance = max(figure.item_variance + figure.rated_variance * (1 / times - 1), 0.0)
    people_variance = (figure.variance - figure.item_variance) * today.people / people
    number = figure.units * times
    degrees = max(number - 1, 1.0)
    if today.people_are_drawn:
        degrees = min(degrees, people - 1.0)
    return figure._replace(
        item_variance=item_variance,
        variance=item_variance + people_variance,
        degrees=degrees,
        units=number,
    )


def _least(fits: Callable[[int], bool], low: int, high: int) -> float:
    """Return the smallest number from which on all numbers fit; infinite if there is none."""
    if high < low or not fits(high):
        return math.inf
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle + 1, high)
    return low
