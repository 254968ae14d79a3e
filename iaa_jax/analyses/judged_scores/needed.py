"""How many rated items and people a corrected interval of a given width takes.

With k times as many rated units a kth of their variance is left, with k times as many people a kth
of theirs; what comes of the judged items stays.
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
"""Numbers of people."""


class Today(NamedTuple):
    """What there is: rated items and how few may be, people, units with a rated item, and all."""

    items: float
    fewest_items: float
    people: int
    units: float
    all_units: float
    people_are_drawn: bool
    confidence: float


def check_width(half_width: float | None) -> None:
    """Refuse a width that no interval has."""
    if half_width is not None and not 0 < half_width < math.inf:
        raise OptionError(f"{named('half_width')} must be above 0, not {half_width!r}")


def needed(found: Estimate, width: float, today: Today, *, share: bool) -> tuple[float, float]:
    """Rated items and people, each item by as many as now; infinite if the judged are too few.

    People are those of today if items alone can do it. Else they and items grow by as little as
    can be: the sum of both, as multiples of today's, is least.
    """
    if np.isnan(found.variance):
        return np.nan, np.nan

    def units_for(people: int) -> float:
        def fits(units: int) -> bool:
            low, high = ends_of(
                projected(found, today, units, people), today.confidence, share=share
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


def projected(found: Estimate, today: Today, units: int, people: int) -> Estimate:
    """A figure, by so many rated units and people."""
    times = units / today.units
    item_variance = max(found.item_variance + found.rated_variance * (1 / times - 1), 0.0)
    people_variance = (found.variance - found.item_variance) * today.people / people
    number = found.units * times
    degrees = max(number - 1, 1.0)
    if today.people_are_drawn:
        degrees = min(degrees, people - 1.0)
    return found._replace(
        item_variance=item_variance,
        variance=item_variance + people_variance,
        degrees=degrees,
        units=number,
    )


def _least(fits: Callable[[int], bool], low: int, high: int) -> float:
    """The least whole number that fits, of which all above do too; infinite if none does."""
    if high < low or not fits(high):
        return math.inf
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle + 1, high)
    return low
