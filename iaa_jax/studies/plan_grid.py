"""The table of a plan: numbers of items and of annotators, and the figures of each design."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax.metrics.options import is_whole
from iaa_jax.studies.plan_design import Design, Pilot, Replicates, Shape

_SIZES = (2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 75, 100)
_COLUMNS = 6
_STEPS = (1.0, 1.5, 2.0, 3.0, 5.0, 7.5)
_ROWS = 8


def columns_of(pilot: Pilot, shape: Shape | None, annotators: Sequence[int] | None) -> NDArray[Any]:
    """Annotators an item: those asked for, or some around the pilot's."""
    if annotators is not None:
        return _whole_numbers(annotators, "annotators an item", 2)
    if shape is None:
        return np.array([int(pilot.ratings) if pilot.ratings.is_integer() else pilot.ratings])
    usual = max(2, round(pilot.ratings))
    sizes = sorted({size for size in _SIZES if size <= usual + max(2, usual // 3)} | {usual})
    if len(sizes) > _COLUMNS:
        kept = np.unique(np.linspace(0, len(sizes) - 1, _COLUMNS).round().astype(int))
        sizes = sorted({sizes[place] for place in kept} | {usual})
    return np.array(sizes)


def rows_of(design: Design, items: Sequence[int] | None) -> NDArray[np.int64]:
    """Numbers of items: those asked for, or some around the pilot's and the needed one."""
    if items is not None:
        return _whole_numbers(items, "items", 2)
    start, needed = max(2, round(design.pilot.items)), design.needed(design.pilot.variance)
    wanted = start if math.isnan(needed) else int(needed)
    low, high = min(start, wanted), max(2 * wanted, start)
    steps = (round(step * 10**power) for power in range(1, 10) for step in _STEPS)
    fixed = {start, wanted}
    apart = [
        one
        for one in steps
        if low < one <= high and all(abs(one / other - 1) > 0.1 for other in fixed)
    ]
    if len(apart) + len(fixed) > _ROWS:
        kept = np.unique(np.linspace(0, len(apart) - 1, _ROWS - len(fixed)).round().astype(int))
        apart = [apart[place] for place in kept]
    rows = np.array(sorted(fixed | set(apart)), dtype=np.int64)
    return np.unique(np.minimum(rows, design.population).astype(np.int64))


def table_of(
    design: Design,
    rows: NDArray[np.int64],
    columns: NDArray[Any],
    cost_item: float,
    cost_rating: float,
) -> dict[str, Any]:
    """The figures of each design."""
    dims = ("items", "annotators")
    variance = np.array([design.variance(float(m)) for m in columns])
    error = design.error(rows[:, None].astype(np.float64), variance)
    ratings = rows[:, None] * columns.astype(np.float64)
    found = {
        "standard_error": (dims, error),
        "half_width": (dims, design.goal.z * error),
        "ratings": (dims, ratings),
        "cost": (dims, cost_item * rows[:, None] + cost_rating * ratings),
        "variance": ("annotators", variance),
    }
    if design.goal.null is not None:
        cautious = design.goal.cautious(design.pilot)
        found["power"] = (dims, design.goal.power_at(design.pilot.estimate, error))
        found["cautious_power"] = (dims, design.goal.power_at(cautious, error))
    return found


def needs_of(
    design: Design,
    columns: NDArray[Any],
    replicates: Replicates,
    cost_item: float,
    cost_rating: float,
) -> dict[str, Any]:
    """The items that each number of annotators needs."""
    needed = np.array([design.needed(design.variance(float(m))) for m in columns])
    low, high = np.array([design.left_open(replicates, float(m)) for m in columns]).T
    ratings = needed * columns
    return {
        "items_needed": ("annotators", needed),
        "items_needed_low": ("annotators", low),
        "items_needed_high": ("annotators", high),
        "ratings_needed": ("annotators", ratings),
        "cost_needed": ("annotators", cost_item * needed + cost_rating * ratings),
    }


def cheapest_of(variables: dict[str, Any], columns: NDArray[Any]) -> dict[str, Any]:
    """The design of the table that costs least."""
    cost = np.asarray(variables["cost_needed"][1])
    if np.isnan(cost).all():
        return {name: ((), math.nan) for name in ("best_items", "best_annotators", "best_cost")}
    place = int(np.nanargmin(cost))
    return {
        "best_items": ((), float(variables["items_needed"][1][place])),
        "best_annotators": ((), float(columns[place])),
        "best_cost": ((), float(cost[place])),
    }


def _whole_numbers(given: Sequence[int], what: str, least: int) -> NDArray[np.int64]:
    numbers = list(np.atleast_1d(np.asarray(given, dtype=object)))
    if not numbers or not all(is_whole(one) and one >= least for one in numbers):
        message = f"{what} are whole numbers of {least} or more, not {given!r}"
        raise IaaError(message)
    return np.unique(np.array(numbers, dtype=np.int64))
