"""The table of a plan: numbers of items and of annotators, and the figures of each design."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax.analyses.plan.design import Design, Pilot, Replicates, Shape
from iaa_jax.measure.request import is_whole

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
    start, variance = max(2, round(design.pilot.items)), design.variance(design.usual)
    of_goal = design.attainable
    needed = {of_goal.needed(variance), of_goal.planned(variance)}
    wanted = {int(one) for one in needed if not math.isnan(one)} or {start}
    fixed = {start, *wanted}
    low, high = min(fixed), max(2 * min(wanted), *fixed)
    steps = (round(step * 10**power) for power in range(1, 10) for step in _STEPS)
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
    goal = design.goal
    if goal.half_width is not None:
        found["reaches_half_width"] = (dims, goal.z * error <= goal.half_width)
    if goal.null is not None:
        cautious, planned = goal.cautious(design.pilot), goal.planned(design.pilot)
        found["power"] = (dims, goal.power_at(design.pilot.estimate, error))
        found["cautious_power"] = (dims, goal.power_at(cautious, error))
        found["reaches_power"] = (dims, goal.power_at(planned, error) >= goal.power)
    return found


def needs_of(
    design: Design,
    columns: NDArray[Any],
    replicates: Replicates,
    cost_item: float,
    cost_rating: float,
) -> dict[str, Any]:
    """The items that each number of annotators needs, for the whole goal and its parts."""
    variance = [design.variance(float(m)) for m in columns]
    found: dict[str, NDArray[Any]] = {}
    for end, goal in design.goal.parts().items():
        part = design.asking(goal)
        needed = np.array([part.needed(one) for one in variance])
        planned = np.array([part.planned(one) for one in variance])
        low, high = np.array([part.left_open(replicates, float(m)) for m in columns]).T
        found |= {
            f"items_needed{end}": needed,
            f"items_needed{end}_low": low,
            f"items_needed{end}_high": high,
            f"items_planned{end}": planned,
            f"ratings_planned{end}": planned * columns,
            f"cost_planned{end}": cost_item * planned + cost_rating * planned * columns,
        }
    return {name: ("annotators", values) for name, values in found.items()}


def cheapest_of(variables: dict[str, Any], design: Design, columns: NDArray[Any]) -> dict[str, Any]:
    """The design of the table that costs least, of those that no simulation calls in question."""
    end = "" if design.attainable.goal is design.goal else "_half_width"
    cost = np.array(variables[f"cost_planned{end}"][1])
    doubted = np.zeros(len(columns), dtype=bool)
    if "doubted" in variables:
        doubted = variables["doubted"][1]
    if not doubted.all():
        cost[doubted] = np.nan
    if np.isnan(cost).all():
        return {name: ((), math.nan) for name in ("best_items", "best_annotators", "best_cost")}
    place = int(np.nanargmin(cost))
    return {
        "best_items": ((), float(variables[f"items_planned{end}"][1][place])),
        "best_annotators": ((), float(columns[place])),
        "best_cost": ((), float(cost[place])),
    }


def _whole_numbers(given: Sequence[int], what: str, least: int) -> NDArray[np.int64]:
    numbers = list(np.atleast_1d(np.asarray(given, dtype=object)))
    if not numbers or not all(is_whole(one) and one >= least for one in numbers):
        message = f"{what} are whole numbers of {least} or more, not {given!r}"
        raise IaaError(message)
    return np.unique(np.array(numbers, dtype=np.int64))
