"""Designs (numbers of items and annotators) that are simulated to check a plan's formula."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats, Variables
from iaa_jax.analyses.plan.figures import Numbers
from iaa_jax.analyses.plan.model import Model, has_model, model_of
from iaa_jax.analyses.plan.projection import Projection
from iaa_jax.analyses.plan.thinning import pilot_subset
from iaa_jax.analyses.plan.variance import Spreads, spread_of
from iaa_jax.engine import Problem
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.wording import Note

TOLERANCE = 0.05
"""Tolerated relative difference from the formula, in addition to chance."""

POWER_TOLERANCE = 0.02
"""Tolerated difference of powers, in addition to chance."""

CHANCE = 2.0
"""Monte-Carlo standard errors that count as chance."""

_TINY = 1e-9


class SimulatedDesigns(NamedTuple):
    """Variables along items and annotators, notes, and the name of the model used."""

    variables: Variables
    notes: list[Note]
    model: str


@dataclass
class SimulatedItems:
    """Simulated items, from the pilot if it has enough ratings per item, otherwise from a model."""

    resolver: Resolver
    projection: Projection
    seed: int
    modelled: list[float] = field(default_factory=list)  # coefficients under the model

    @cached_property
    def model(self) -> Model:
        """The model of further ratings."""
        if (curve := self.projection.curve) is not None and curve.model is not None:
            return curve.model
        return model_of(self.resolver, self.projection.pilot.problem, self.seed)

    def problem(self, ratings: float, items: float) -> tuple[Problem | None, bool]:
        """Return the coefficient on items with this many ratings, and whether a model made them.

        It is None if neither the pilot nor a model supplies the items.
        """
        curve, pilot = self.projection.curve, self.projection.pilot.problem
        if curve is not None:
            fewer = pilot_subset(self.resolver, pilot, curve.thinning, int(ratings), self.seed)
            if fewer is None and not has_model(pilot):
                return None, False
            if fewer is None:
                return self.model.problem(int(ratings), items), True
            pilot = fewer
        count = np.asarray(pilot.table.count)
        return replace(pilot, table=pilot.table.other(count * (items / count.sum()))), False


def simulate_designs(
    projection: Projection,
    source: SimulatedItems,
    rows: NDArray[np.int64],
    columns: Numbers,
    simulations: int,
    seed: int,
    done: Callable[[], None],
) -> SimulatedDesigns:
    """Simulate `designs_to_simulate`; all variables are NaN for other designs."""
    goal, pilot, dims = projection.goal, projection.pilot, ("items", "annotators")
    names = ["standard_error", "estimate", "half_width", "on_model", "differs"]
    names += ["share"] * (goal.half_width is not None)
    names += ["power", "assured_power"] * (goal.null is not None)
    figures = {name: np.full((len(rows), len(columns)), np.nan) for name in names}
    undefined = 0
    for design in designs_to_simulate(projection, rows, columns):
        annotators, items = float(columns[design[1]]), float(rows[design[0]])
        problem, on_model = source.problem(annotators, items)
        done()
        if problem is None:
            continue
        spreads = Spreads(problem, rows=simulations)
        true = spreads.full_sample.estimate
        if on_model:
            source.modelled.append(true)
        estimate, variance = _drawn(spreads, simulations, seed)
        defined = np.isfinite(estimate) & np.isfinite(variance)
        undefined += int((~defined).sum())
        if defined.sum() < 2:
            continue
        error = projection.error_model.error(items, variance[defined], annotators)
        reach = float(projection.reach(items, annotators))
        # samples of a finite population vary less
        correction = math.sqrt(max(1 - items / projection.population, 0.0))
        mean = float(estimate[defined].mean())
        estimate = mean + correction * (estimate[defined] - mean)
        formula = float(projection.error(items, annotators))
        drawn = len(estimate)
        figures["on_model"][design] = on_model
        figures["standard_error"][design] = estimate.std(ddof=1)
        figures["estimate"][design] = mean
        widening = float(projection.widening(items, annotators))
        figures["half_width"][design] = reach * error.mean() * widening
        differs = _differs(figures["standard_error"][design], formula, 1 / math.sqrt(2 * drawn))
        if goal.half_width is not None:
            chance = float(error.std() / error.mean()) / math.sqrt(drawn) if error.any() else 0.0
            differs |= _differs(float(error.mean()), formula, chance)
            figures["share"][design] = (reach * error <= goal.half_width).mean()
        if goal.null is not None:
            to_values = {"power": pilot.estimate, "assured_power": projection.assured_value}
            for name, to in to_values.items():
                sets = goal.shift(estimate, error, true, to)
                figures[name][design] = goal.reaches(*sets, reach).mean()
            expected = float(projection.assured_power(items, annotators))
            power = float(figures["assured_power"][design])
            chance = math.sqrt(power * (1 - power) / drawn)
            differs |= abs(power - expected) > POWER_TOLERANCE + CHANCE * chance
        figures["differs"][design] = differs
    notes = [Note("undefined_sets", {"count": undefined})] if undefined else []
    if np.isnan(figures["estimate"]).all():
        notes.append(Note("no_design_simulated", {}, "caution"))
    notes += _fit(projection, source)
    model = source.model.name if source.modelled else ""
    variables: Variables = {f"simulated_{name}": (dims, values) for name, values in figures.items()}
    return SimulatedDesigns(variables, notes, model)


def _drawn(spreads: Spreads, simulations: int, seed: int) -> tuple[Floats, Floats]:
    """Return the estimates, and the variances V of one item, of sets drawn with replacement."""
    parts = [spread[:2] for spread, _ in spreads.drawn(simulations, seed)]
    estimate, variance = np.concatenate(parts, axis=1)[:, :simulations]
    return estimate, variance


def _differs(simulated: float, formula: float, chance: float) -> bool:
    return formula > 0 and abs(simulated / formula - 1) > TOLERANCE + CHANCE * chance


def _fit(projection: Projection, source: SimulatedItems) -> list[Note]:
    pilot = spread_of(projection.pilot.problem).estimate
    farthest = max(source.modelled, key=lambda value: abs(value - pilot), default=pilot)
    error = projection.pilot_error
    errors = abs(farthest - pilot) / max(error, _TINY)
    if not 1 < errors < 1 / _TINY or not error > _TINY:
        return []
    values = {"estimate": farthest, "observed": pilot, "errors": errors}
    return [Note("model_does_not_fit", values, "caution")]


def mark_designs(projection: Projection, variables: Variables) -> Variables:
    """Mark the designs that reach the goal; if formula and simulation differ, both must reach it.

    Designs that were not simulated are corrected like the nearest simulated design with the same
    number of annotators.
    """
    goal = projection.goal
    dims, half_width = variables["half_width"]
    differs = variables["simulated_differs"][1]
    marks: Variables = {"simulation_disagrees": ("annotators", _nearest(differs, differs)[-1] > 0)}
    if goal.half_width is not None:
        worse = np.maximum(variables["simulated_half_width"][1] / half_width, 1.0)
        worse = _nearest(np.where(differs > 0, worse, 1.0), differs)
        marks["reaches_half_width"] = (dims, half_width * worse <= goal.half_width)
    if goal.null is not None:
        from scipy.special import ndtr, ndtri

        expected = np.clip(variables["assured_power"][1], _TINY, 1 - _TINY)
        simulated = np.clip(variables["simulated_assured_power"][1], _TINY, 1 - _TINY)
        lacking = np.maximum(ndtri(expected) - ndtri(simulated), 0.0)
        lacking = _nearest(np.where(differs > 0, lacking, 0.0), differs)
        power = ndtr(ndtri(expected) - lacking)
        marks["reaches_power"] = (dims, power >= goal.power)
    return marks


def _nearest(values: Floats, differs: Floats) -> Floats:
    """Return the value of the nearest simulated design with the same number of annotators."""
    filled = values.copy()
    rows = np.arange(len(values))
    for column, is_simulated in enumerate(~np.isnan(differs).T):
        if is_simulated.any():
            simulated_rows = np.flatnonzero(is_simulated)
            filled[:, column] = values[
                simulated_rows[np.abs(rows[:, None] - simulated_rows).argmin(axis=1)], column
            ]
    return filled


def designs_to_simulate(
    projection: Projection, rows: NDArray[np.int64], columns: Numbers
) -> list[tuple[int, int]]:
    """Return the designs to simulate, as row and column.

    The row nearest to the planned items (the last row if none are planned) is simulated with each
    number of annotators. The first row is simulated with the number of annotators nearest to the
    usual one.
    """
    usual_ratings, attainable = projection.usual, projection.attainable
    planned = attainable.items_planned(usual_ratings)
    goal_row = len(rows) - 1 if math.isnan(planned) else int(np.argmin(np.abs(rows - planned)))
    distances = [abs(float(annotators) - projection.usual) for annotators in columns]
    usual = distances.index(min(distances))
    return sorted({(0, usual)} | {(goal_row, column) for column in range(len(columns))})
