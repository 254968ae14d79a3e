"""The designs of a plan: numbers of items and of annotators, and the figures of each."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from iaa_jax._checks import is_whole
from iaa_jax._errors import OptionError
from iaa_jax._types import Floats, Variables
from iaa_jax.analyses.plan.pilot import Pilot, PilotReplicates, VarianceCurve
from iaa_jax.analyses.plan.projection import Projection
from iaa_jax.wording import named

_SIZES = (2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 75, 100)
_COLUMNS = 6
_STEPS = (1.0, 1.5, 2.0, 3.0, 5.0, 7.5)
_ROWS = 8


Numbers = NDArray[np.integer | np.floating]


def annotators_of(
    pilot: Pilot, curve: VarianceCurve | None, per_item: Sequence[int] | None
) -> Numbers:
    """Annotators an item: those asked for, or some around the pilot's."""
    if per_item is not None:
        return _whole_numbers("per_item", per_item)
    if curve is None:
        return np.array([int(pilot.ratings) if pilot.ratings.is_integer() else pilot.ratings])
    usual = max(2, round(pilot.ratings))
    sizes = sorted({size for size in _SIZES if size <= usual + max(2, usual // 3)} | {usual})
    if len(sizes) > _COLUMNS:
        chosen = np.unique(np.linspace(0, len(sizes) - 1, _COLUMNS).round().astype(int))
        sizes = sorted({sizes[index] for index in chosen} | {usual})
    return np.array(sizes)


def items_of(projection: Projection, items: Sequence[int] | None) -> NDArray[np.int64]:
    """Numbers of items: those asked for, or some around the pilot's and the needed one."""
    if items is not None:
        return _whole_numbers("items", items)
    start = max(2, round(projection.pilot.items))
    variance, attainable = projection.variance(projection.usual), projection.attainable
    needed = {attainable.items_needed(variance), attainable.items_planned(variance)}
    wanted = {int(number) for number in needed if not math.isnan(number)} or {start}
    fixed = {start, *wanted}
    low, high = min(fixed), max(2 * min(wanted), *fixed)
    steps = (round(step * 10**power) for power in range(1, 10) for step in _STEPS)
    sizes = [
        step
        for step in steps
        if low < step <= high and all(abs(step / size - 1) > 0.1 for size in fixed)
    ]
    if len(sizes) + len(fixed) > _ROWS:
        chosen = np.unique(np.linspace(0, len(sizes) - 1, _ROWS - len(fixed)).round().astype(int))
        sizes = [sizes[index] for index in chosen]
    rows = np.array(sorted(fixed | set(sizes)), dtype=np.int64)
    return np.unique(np.minimum(rows, projection.population).astype(np.int64))


def table_of(
    projection: Projection,
    rows: NDArray[np.int64],
    columns: Numbers,
    cost_item: float,
    cost_rating: float,
) -> Variables:
    """The figures of each design."""
    dims = ("items", "annotators")
    variance = np.array([projection.variance(float(m)) for m in columns])
    error = projection.error(rows[:, None].astype(np.float64), variance)
    ratings = rows[:, None] * columns.astype(np.float64)
    goal, pilot = projection.goal, projection.pilot
    variables: Variables = {
        "standard_error": (dims, error),
        "half_width": (dims, goal.z * error),
        "ratings": (dims, ratings),
        "cost": (dims, cost_item * rows[:, None] + cost_rating * ratings),
        "variance": ("annotators", variance),
    }
    if goal.half_width is not None:
        variables["reaches_half_width"] = (dims, goal.z * error <= goal.half_width)
    if goal.null is not None:
        variables["power"] = (dims, goal.power_at(pilot.estimate, error))
        variables["cautious_power"] = (dims, goal.power_at(goal.cautious_value(pilot), error))
        planned = goal.power_at(goal.planned_value(pilot), error)
        variables["reaches_power"] = (dims, planned >= goal.power)
    return variables


def needs_of(
    projection: Projection,
    columns: Numbers,
    replicates: PilotReplicates,
    cost_item: float,
    cost_rating: float,
) -> Variables:
    """The items that each number of annotators needs, for the whole goal and its parts."""
    variance = [projection.variance(float(m)) for m in columns]
    needs: dict[str, Floats] = {}
    for end, goal in projection.goal.parts().items():
        part = projection.for_goal(goal)
        needed = np.array([part.items_needed(of_item) for of_item in variance])
        planned = np.array([part.items_planned(of_item) for of_item in variance])
        low, high = np.array([part.items_interval(replicates, float(m)) for m in columns]).T
        needs |= {
            f"items_needed{end}": needed,
            f"items_needed{end}_low": low,
            f"items_needed{end}_high": high,
            f"items_planned{end}": planned,
            f"ratings_planned{end}": planned * columns,
            f"cost_planned{end}": cost_item * planned + cost_rating * planned * columns,
        }
    return {name: ("annotators", values) for name, values in needs.items()}


def cheapest_of(
    variables: Variables, projection: Projection, columns: Numbers
) -> dict[str, object]:
    """The design of the table that costs least, of those that no simulation calls in question."""
    end = "" if projection.attainable.goal is projection.goal else "_half_width"
    cost = np.array(variables[f"cost_planned{end}"][1])
    doubted = np.zeros(len(columns), dtype=bool)
    if "doubted" in variables:
        doubted = variables["doubted"][1]
    if not doubted.all():
        cost[doubted] = np.nan
    if np.isnan(cost).all():
        return {name: ((), math.nan) for name in ("best_items", "best_annotators", "best_cost")}
    column = int(np.nanargmin(cost))
    return {
        "best_items": ((), float(variables[f"items_planned{end}"][1][column])),
        "best_annotators": ((), float(columns[column])),
        "best_cost": ((), float(cost[column])),
    }


def _whole_numbers(option: str, sizes: Sequence[int]) -> NDArray[np.int64]:
    numbers = list(np.atleast_1d(np.asarray(sizes, dtype=object)))
    if not numbers or not all(is_whole(number) and number >= 2 for number in numbers):
        message = f"{named(option)} takes whole numbers of 2 or more, not {sizes!r}"
        raise OptionError(message)
    return np.unique(np.array(numbers, dtype=np.int64))
