"""Designs of a plan on simulated ratings, beside what the formula says of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax.studies.plan_design import Design
from iaa_jax.studies.plan_model import Model
from iaa_jax.studies.plan_variance import replicates_of, spread_of

APART = 0.1
"""Difference of the standard errors by simulation and by formula beyond which it is said."""


class Simulated(NamedTuple):
    """Variables along items and annotators, and what to know of them."""

    variables: dict[str, Any]
    notes: list[str]


def simulated(
    design: Design,
    model: Model,
    rows: NDArray[np.int64],
    columns: NDArray[Any],
    simulations: int,
    seed: int,
    done: Callable[[], None],
) -> Simulated:
    """The design that the goal needs, and corners of the table; NaN elsewhere."""
    goal, pilot, dims = design.goal, design.pilot, ("items", "annotators")
    names = ["standard_error", "estimate", "half_width"]
    names += ["share"] * (goal.half_width is not None) + ["power"] * (goal.null is not None)
    found = {name: np.full((len(rows), len(columns)), np.nan) for name in names}
    lost, ratios = 0, []
    furthest = pilot.estimate
    for row, column in _checked(design, rows, columns):
        annotators, items = int(columns[column]), float(rows[row])
        problem = model.problem(annotators, items)
        estimate, variance = replicates_of(problem, simulations, seed)
        defined = np.isfinite(estimate) & np.isfinite(variance)
        lost += int((~defined).sum())
        done()
        if defined.sum() < 2:
            continue
        error = design.error(items, variance[defined])
        true = spread_of(problem).estimate
        # the model has no end: a finite population leaves less to chance
        left = math.sqrt(max(1 - items / design.population, 0.0))
        middle = float(estimate[defined].mean())
        estimate = middle + left * (estimate[defined] - middle)
        at = row, column
        found["standard_error"][at] = estimate.std(ddof=1)
        found["estimate"][at] = middle
        found["half_width"][at] = goal.z * error.mean()
        if goal.half_width is not None:
            found["share"][at] = (goal.z * error <= goal.half_width).mean()
        if goal.null is not None:
            # the spread is the model's, the true value that which the plan takes for it
            moved = goal.moved(estimate, error, true, pilot.estimate)
            found["power"][at] = goal.shown(*moved).mean()
        furthest = max(furthest, true, key=lambda figure: abs(figure - pilot.estimate))
        formula = float(design.error(items, design.variance(annotators)))
        if formula > 0:
            ratios.append(float(error.mean()) / formula - 1)
    notes = [f"simulated sets without a figure, left out: {lost:,}"] if lost else []
    if not ratios:
        notes.append("no design of the table could be simulated")
    aside = abs(furthest - pilot.estimate) / pilot.error
    if aside > 1:
        notes.append(
            f"the model's own figure is {furthest:.3f}, {aside:.1f} of the pilot's standard errors "
            "off, so that it does not fit these ratings well"
        )
    most = max(ratios, key=abs, default=0.0)
    if abs(most) > APART:
        notes.append(
            f"simulated standard errors are up to {100 * abs(most):.0f} % "
            f"{'larger' if most > 0 else 'smaller'} than the formula's, which stands on the "
            "pilot's own ratings"
        )
    return Simulated({f"simulated_{name}": (dims, one) for name, one in found.items()}, notes)


def _checked(
    design: Design, rows: NDArray[np.int64], columns: NDArray[Any]
) -> list[tuple[int, int]]:
    """What is simulated: the needed design, and three at the sides of the table."""
    whole = [place for place, size in enumerate(columns) if float(size).is_integer()]
    if not whole:
        return []
    needed = design.needed(design.pilot.variance)
    row = len(rows) - 1 if math.isnan(needed) else int(np.argmin(np.abs(rows - needed)))
    column = min(whole, key=lambda place: abs(float(columns[place]) - design.pilot.ratings))
    corners = [(row, column), (0, column), (row, whole[0]), (len(rows) - 1, whole[-1])]
    return list(dict.fromkeys(corners))
