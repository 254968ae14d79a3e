"""Designs of a plan on simulated ratings, beside what the formula says of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax.analyses.plan.design import Design
from iaa_jax.analyses.plan.ladder import own_ratings
from iaa_jax.analyses.plan.model import Model, model_of
from iaa_jax.analyses.plan.variance import replicates_of, spread_of
from iaa_jax.engine import Problem, Table
from iaa_jax.engine.problem import Floats
from iaa_jax.measure.request import Resolver

APART = 0.05
"""Share of the formula's figure by which the simulated may differ, beside chance."""

POWER_APART = 0.02
"""The same of two powers, as a difference."""

CHANCE = 2.0
"""Monte-Carlo standard errors that are chance."""

_NO_MORE = 1e-9


class Simulated(NamedTuple):
    """Variables along items and annotators, and what to know of them."""

    variables: dict[str, Any]
    notes: list[str]
    model: str


@dataclass
class Source:
    """Items with so many ratings: the pilot's own as far as it has them, a model's beyond."""

    resolver: Resolver
    design: Design
    seed: int
    used: list[Problem] = field(default_factory=list)

    @cached_property
    def model(self) -> Model:
        """Of the ratings that the pilot does not have."""
        return model_of(self.resolver, self.design.pilot.problem, self.seed)

    def problem(self, ratings: float, items: float) -> tuple[Problem, bool]:
        """The coefficient on so many such items, and whether they are a model's."""
        shape, own = self.design.shape, self.design.pilot.problem
        found = own
        if shape is not None:
            left = own_ratings(self.resolver, own, shape.ladder, int(ratings))
            if left is None:
                found = self.model.problem(int(ratings), items)
                self.used.append(found)
                return found, True
            found = left
        count = np.asarray(found.table.count)
        return replace(found, table=Table(count * (items / count.sum()))), False


def simulated(
    design: Design,
    source: Source,
    rows: NDArray[np.int64],
    columns: NDArray[Any],
    simulations: int,
    seed: int,
    done: Callable[[], None],
) -> Simulated:
    """The design that the goal needs, and those beside it in the table; NaN elsewhere."""
    goal, pilot, dims = design.goal, design.pilot, ("items", "annotators")
    names = ["standard_error", "estimate", "half_width", "on_model", "differs"]
    names += ["share"] * (goal.half_width is not None)
    names += ["power", "cautious_power"] * (goal.null is not None)
    found = {name: np.full((len(rows), len(columns)), np.nan) for name in names}
    lost = 0
    for at in checked(design, rows, columns):
        annotators, items = float(columns[at[1]]), float(rows[at[0]])
        problem, on_model = source.problem(annotators, items)
        estimate, variance = replicates_of(problem, simulations, seed)
        defined = np.isfinite(estimate) & np.isfinite(variance)
        lost += int((~defined).sum())
        done()
        if defined.sum() < 2:
            continue
        error = design.error(items, variance[defined])
        true = spread_of(problem).estimate
        # the drawn sets come from no finite population, which would leave less to chance
        left = math.sqrt(max(1 - items / design.population, 0.0))
        middle = float(estimate[defined].mean())
        estimate = middle + left * (estimate[defined] - middle)
        formula = float(design.error(items, design.variance(annotators)))
        drawn = len(estimate)
        found["on_model"][at] = on_model
        found["standard_error"][at] = estimate.std(ddof=1)
        found["estimate"][at] = middle
        found["half_width"][at] = goal.z * error.mean()
        differs = _apart(found["standard_error"][at], formula, 1 / math.sqrt(2 * drawn))
        if goal.half_width is not None:
            chance = float(error.std() / error.mean()) / math.sqrt(drawn) if error.any() else 0.0
            differs |= _apart(float(error.mean()), formula, chance)
            found["share"][at] = (goal.z * error <= goal.half_width).mean()
        if goal.null is not None:
            # the spread is that of the drawn sets, the true value that which the plan takes for it
            for name, to in (("power", pilot.estimate), ("cautious_power", goal.cautious(pilot))):
                found[name][at] = goal.shown(*goal.moved(estimate, error, true, to)).mean()
            name = "power" if goal.planned(pilot) == pilot.estimate else "cautious_power"
            expected = float(goal.power_at(goal.planned(pilot), np.asarray(formula)))
            power = float(found[name][at])
            chance = math.sqrt(power * (1 - power) / drawn)
            differs |= abs(power - expected) > POWER_APART + CHANCE * chance
        found["differs"][at] = differs
    notes = [f"simulated sets without a figure, left out: {lost:,}"] if lost else []
    if np.isnan(found["estimate"]).all():
        notes.append("no design of the table could be simulated")
    notes += _fit(design, source)
    model = source.model.name if source.used else ""
    return Simulated(
        {f"simulated_{name}": (dims, one) for name, one in found.items()}, notes, model
    )


def _apart(simulated: float, formula: float, chance: float) -> bool:
    """Whether two figures differ by more than chance and the margin."""
    return formula > 0 and abs(simulated / formula - 1) > APART + CHANCE * chance


def _fit(design: Design, source: Source) -> list[str]:
    """How far the model's own figure is off."""
    pilot = design.pilot
    figures = [spread_of(problem).estimate for problem in source.used]
    furthest = max(figures, key=lambda one: abs(one - pilot.estimate), default=pilot.estimate)
    aside = abs(furthest - pilot.estimate) / max(pilot.error, _NO_MORE)
    if not 1 < aside < 1 / _NO_MORE or not pilot.error > _NO_MORE:
        return []
    return [
        f"the model's own figure is {furthest:.3f}, {aside:.1f} of the pilot's standard errors "
        "off, so that it does not fit these ratings well"
    ]


def marked(design: Design, variables: dict[str, Any]) -> dict[str, Any]:
    """Which designs reach the goal; where formula and simulation differ, by the worse of both.

    What a simulated design lacks is taken from designs near it with as many annotators as well.
    """
    goal, pilot = design.goal, design.pilot
    dims, error = variables["standard_error"]
    differs = variables["simulated_differs"][1]
    found: dict[str, Any] = {"doubted": ("annotators", _nearest(differs, differs)[-1] > 0)}
    if goal.half_width is not None:
        worse = np.maximum(variables["simulated_half_width"][1] / (goal.z * error), 1.0)
        worse = _nearest(np.where(differs > 0, worse, 1.0), differs)
        found["reaches_half_width"] = (dims, goal.z * error * worse <= goal.half_width)
    if goal.null is not None:
        from scipy.special import ndtr, ndtri

        true = goal.planned(pilot)
        name = "power" if true == pilot.estimate else "cautious_power"
        expected = goal.power_at(true, error)
        shown = np.clip(variables[f"simulated_{name}"][1], _NO_MORE, 1 - _NO_MORE)
        lacking = np.maximum(ndtri(np.clip(expected, _NO_MORE, 1 - _NO_MORE)) - ndtri(shown), 0.0)
        lacking = _nearest(np.where(differs > 0, lacking, 0.0), differs)
        power = ndtr(ndtri(expected) - lacking)
        found["reaches_power"] = (dims, power >= goal.power)
    return found


def _nearest(values: Floats, differs: Floats) -> Floats:
    """At each design what stands at the simulated one with as many annotators that is nearest."""
    found = values.copy()
    rows = np.arange(len(values))
    for column, given in enumerate(~np.isnan(differs).T):
        if given.any():
            places = np.flatnonzero(given)
            found[:, column] = values[places[np.abs(rows[:, None] - places).argmin(axis=1)], column]
    return found


def checked(
    design: Design, rows: NDArray[np.int64], columns: NDArray[Any]
) -> list[tuple[int, int]]:
    """What is simulated: the needed items with all annotators, and more items and fewer."""
    variance, of_goal = design.variance(design.usual), design.attainable
    places = []
    for needed in (of_goal.planned(variance), of_goal.needed(variance)):
        place = len(rows) - 1 if math.isnan(needed) else int(np.argmin(np.abs(rows - needed)))
        places.append(place)
    usual = min(range(len(columns)), key=lambda place: abs(float(columns[place]) - design.usual))
    found = [(row, usual) for row in sorted({0, *places})]
    found += [(places[0], column) for column in range(len(columns))]
    return sorted(set(found))
