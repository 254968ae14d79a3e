"""The estimates of a plan for its designs (numbers of items and of annotators)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._checks import is_whole
from iaa_jax._errors import IaaError, OptionError
from iaa_jax._types import Floats, Variables
from iaa_jax.analyses.plan.looks import drift_for
from iaa_jax.analyses.plan.pilot import PilotReplicates, quantiles
from iaa_jax.analyses.plan.pilot_adequacy import OverlapItems, Wider, adequacy_of
from iaa_jax.analyses.plan.projection import Projection
from iaa_jax.wording import named

_SIZES = (2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 75, 100)

_COLUMNS = 6

_STEPS = (1.0, 1.5, 2.0, 3.0, 5.0, 7.5)

_ROWS = 8

_MOST_ITEMS, MOST_PER_ITEM = 10**12, 150
"""Maximum numbers of items and annotators.

The factorial of 171 annotators overflows.
"""

Numbers = NDArray[np.integer | np.floating]


def figures_of_plan(
    projection: Projection,
    replicates: PilotReplicates,
    interval: tuple[float, float],
    heavy: OverlapItems,
    wider: Wider,
) -> Variables:
    """Return estimates of the pilot, and the items needed with the planned annotators per item.

    ``interval`` is the pilot's; if it is NaN, it is computed from the standard error.
    """
    pilot, goal, usual = projection.pilot, projection.goal, projection.usual
    (fewest, most), reach = pilot.panels, projection.pilot_half_width
    low, high = interval
    if math.isnan(low):
        low, high = goal.away(pilot.estimate, np.array([-reach, reach])).tolist()
    doubt = adequacy_of(projection, replicates)
    figures = {
        "estimate": pilot.estimate,
        "pilot_standard_error": projection.pilot_error,
        "pilot_half_width": (high - low) / 2,
        "pilot_low": low,
        "pilot_high": high,
        "pilot_items": pilot.items,
        "pilot_annotators": pilot.ratings,
        "pilot_annotators_fewest": fewest,
        "pilot_annotators_most": most,
        "planned_annotators": usual,
        "needed_annotators": projection.needed_annotators(),
        "half_width_doubt": doubt.spread,
        "pilot_degrees": doubt.degrees,
        "telling_items": doubt.telling,
        **{f"heavy_{name}": value for name, value in heavy._asdict().items()},
        "times_wider": wider.times,
        "wanted_items": float(np.fmax(doubt.items, wider.items)),
        "wanted_annotators": doubt.annotators,
    }
    for end, goal_part in goal.parts().items():
        part = projection.for_goal(goal_part)
        low, high = part.items_interval(replicates, usual)
        figures |= {
            f"needed_items{end}": part.items_needed(usual),
            f"needed_items{end}_low": low,
            f"needed_items{end}_high": high,
            f"planned_items{end}": part.items_planned(usual),
        }
    if projection.curve is not None:
        components, ends = projection.curve.components, replicates.between_shares(usual)
        figures |= {
            "between_share": components.fitted[0] / float(components.variance(usual)),
            "between_share_low": quantiles(ends[0], goal.confidence)[0],
            "between_share_high": quantiles(ends[1], goal.confidence)[1],
            "enough_annotators": projection.enough_annotators(),
        }
    return {name: ((), np.asarray(value)) for name, value in figures.items()}


def figures_of_sampling(projection: Projection) -> Variables:
    """Return the variables on clusters and on random annotators, if there are any."""
    error_model, usual = projection.error_model, projection.usual
    figures: dict[str, float] = {}
    if error_model.clusters is not None:
        figures["pilot_clusters"] = error_model.clusters.number
        for end, goal in projection.goal.parts().items():
            planned = projection.for_goal(goal).items_planned(usual)
            figures[f"planned_clusters{end}"] = error_model.clusters_of(planned)
    if error_model.draws_annotators:
        fewest = projection.attainable.fewest_annotators()
        error = math.sqrt(float(error_model.from_annotators(usual, error_model.annotator_variance)))
        figures |= {
            "pilot_annotators_in_all": error_model.annotators,
            "from_annotators": error_model.annotator_variance / projection.pilot_error**2,
            "annotators_half_width": error * float(projection.reach(math.inf, usual)),
            "fewest_annotators": fewest,
        }
        if not math.isnan(fewest):
            more = _more_than(fewest)
            per_item = usual if error_model.crowd else float(more)
            enough = replace(
                projection.attainable, error_model=error_model.with_annotators(more, per_item)
            )
            figures |= {
                "more_annotators": more,
                "more_per_item": per_item,
                "items_of_more": enough.items_planned(per_item),
            }
    return {name: ((), np.asarray(value)) for name, value in figures.items()}


def looks_of(projection: Projection, boundaries: xr.Dataset) -> Variables:
    """Return the looks, their numbers of items, and the half-width of the interval at each."""
    reach, fraction = boundaries["reach"].values, boundaries["fraction"].values
    goal, pilot, usual = projection.attainable.goal, projection.pilot, projection.usual
    drift = drift_for(fraction, reach, goal.power) if goal.null is not None else None
    planned = projection.attainable.items_planned(usual)
    items = planned
    if not math.isnan(planned):
        true = pilot.estimate if goal.null is None else projection.assured_value
        widening = float(projection.widening(planned, usual))
        error = float(goal.error(true, float(reach[-1]), widening, drift))
        variance = projection.variance(usual)
        items = max(math.ceil(1 / (error**2 / variance + 1 / projection.population) - 1e-9), 2.0)
    # in a finite population, the information 1 / SE^2 grows faster than the items
    limit = 1 / projection.population
    look_items = np.ceil(1 / ((1 / items - limit) / fraction + limit) - 1e-9)
    of_looks = ("fraction", "z", "reach", "p_value", "spent", "confidence", "replicates")
    figures = {
        "items": look_items,
        **{name: boundaries[name].values for name in of_looks},
        "half_width": reach
        * projection.error(look_items, usual)
        * projection.widening(look_items, usual),
        "single_half_width": projection.assured_half_width(look_items, usual),
    }
    return {f"look_{name}": ("look", values) for name, values in figures.items()}


class Costs(NamedTuple):
    """Cost of an item, and of each of its ratings."""

    item: float
    rating: float

    def check(self) -> None:
        """Refuse impossible costs."""
        if not (min(self) >= 0 and sum(self) > 0):
            raise IaaError(
                "costs of an item and of a rating must be 0 or more, and one of them above 0"
            )

    def of(self, items: Floats, ratings: Floats) -> Floats:
        """Return the cost of a design."""
        return self.item * items + self.rating * ratings


def annotators_of(projection: Projection, per_item: Sequence[int] | None) -> Numbers:
    """Return the numbers of annotators per item of the designs."""
    usual = projection.usual
    if per_item is not None:
        return np.array(per_item)
    if projection.curve is None:
        return np.array([int(usual) if usual.is_integer() else usual])
    least = math.nan if projection.error_model.crowd else projection.attainable.fewest_annotators()
    further = {_more_than(least), int(2 * least)} if least > usual else set()
    usual = round(usual)
    sizes = sorted({size for size in _SIZES if size <= usual + max(2, usual // 3)} | {usual})
    if len(sizes) > _COLUMNS:
        chosen = np.unique(np.linspace(0, len(sizes) - 1, _COLUMNS).round().astype(int))
        sizes = sorted({sizes[index] for index in chosen} | {usual})
    return np.array(sorted({*sizes, *further}))


def _more_than(fewest: float) -> int:
    """Return a quarter more annotators, so that the goal needs fewer items."""
    return math.ceil(1.25 * fewest)


def items_of(projection: Projection, items: Sequence[int] | None) -> NDArray[np.int64]:
    """Return the numbers of items of the designs."""
    if items is not None:
        return whole_numbers("items", items)
    start = max(2, round(projection.pilot.items))
    usual, attainable = projection.usual, projection.attainable
    planned = attainable.items_planned(usual)
    wanted = {int(planned)} if planned <= _MOST_ITEMS else {start}
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
    projection: Projection, rows: NDArray[np.int64], columns: Numbers, costs: Costs
) -> Variables:
    """Return the variables of each design, such as its standard error and its cost."""
    dims = ("items", "annotators")
    sizes, numbers = columns.astype(np.float64), rows.astype(np.float64)
    ratings = numbers[:, None] * sizes
    goal = projection.goal

    def table(figure: Callable[[Floats, float], Floats]) -> tuple[tuple[str, str], Floats]:
        return dims, np.stack([figure(numbers, size) for size in sizes.tolist()], axis=1)

    half_width = table(projection.assured_half_width)
    variables: Variables = {
        "standard_error": table(projection.error),
        "half_width": half_width,
        "ratings": (dims, ratings),
        "cost": (dims, costs.of(numbers[:, None], ratings)),
        "variance": ("annotators", np.array([projection.variance(m) for m in sizes.tolist()])),
    }
    if projection.error_model.draws_annotators:
        variables["annotators_in_all"] = ("annotators", projection.error_model.annotators_of(sizes))
    if goal.half_width is not None:
        variables["reaches_half_width"] = (dims, half_width[1] <= goal.half_width)
    if goal.null is not None:
        variables["power"] = table(projection.power)
        variables["assured_power"] = table(projection.assured_power)
        variables["reaches_power"] = (dims, variables["assured_power"][1] >= goal.power)
    return variables


def needs_of(
    projection: Projection, columns: Numbers, replicates: PilotReplicates, costs: Costs
) -> Variables:
    """Return needed items and their cost by number of annotators, for the goal and its parts."""
    needs: dict[str, Floats] = {}
    for end, goal in projection.goal.parts().items():
        part = projection.for_goal(goal)
        needed = np.array([part.items_needed(float(m)) for m in columns])
        planned = np.array([part.items_planned(float(m)) for m in columns])
        low, high = np.array([part.items_interval(replicates, float(m)) for m in columns]).T
        needs |= {
            f"items_needed{end}": needed,
            f"items_needed{end}_low": low,
            f"items_needed{end}_high": high,
            f"items_planned{end}": planned,
            f"ratings_planned{end}": planned * columns,
            f"cost_planned{end}": costs.of(planned, planned * columns),
        }
    return {name: ("annotators", values) for name, values in needs.items()}


def cheapest_of(
    variables: Variables, projection: Projection, columns: Numbers
) -> dict[str, object]:
    """Return the cheapest of the designs for which simulation and formula agree, or else of all.

    If no design has a cost, the result is NaN.
    """
    end = "" if projection.attainable.goal is projection.goal else "_half_width"
    cost = np.array(variables[f"cost_planned{end}"][1])
    doubted = np.zeros(len(columns), dtype=bool)
    if "simulation_disagrees" in variables:
        doubted = variables["simulation_disagrees"][1]
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


def whole_numbers(
    option: str, sizes: Sequence[int], least: int = 2, most: int = _MOST_ITEMS
) -> NDArray[np.int64]:
    """Return requested numbers in ascending order; refuse invalid ones."""
    numbers = list(np.atleast_1d(np.asarray(sizes, dtype=object)))
    if not numbers or not all(is_whole(number) and least <= number <= most for number in numbers):
        raise OptionError(
            f"{named(option)} takes whole numbers from {least} to {most:,}, not {sizes!r}"
        )
    return np.unique(np.array(numbers, dtype=np.int64))
