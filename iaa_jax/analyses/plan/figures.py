"""The figures of a plan that no single design has."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from iaa_jax._types import Variables
from iaa_jax.analyses.plan.doubt import Heavy, Wider, doubt_of
from iaa_jax.analyses.plan.grid import more_than
from iaa_jax.analyses.plan.looks import drift_for
from iaa_jax.analyses.plan.pilot import PilotReplicates, quantiles
from iaa_jax.analyses.plan.projection import Projection

if TYPE_CHECKING:
    import xarray as xr


def figures_of_plan(
    projection: Projection,
    replicates: PilotReplicates,
    interval: tuple[float, float],
    heavy: Heavy,
    wider: Wider,
) -> Variables:
    """The figures that no single design has: of the pilot, and of the annotators planned for.

    ``interval`` is the pilot's own; where it has none it is that of the formula.
    """
    pilot, goal, usual = projection.pilot, projection.goal, projection.usual
    (fewest, most), reach = pilot.panels, projection.pilot_half_width
    low, high = interval
    if math.isnan(low):
        low, high = goal.away(pilot.estimate, np.array([-reach, reach])).tolist()
    doubt = doubt_of(projection, replicates)
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
    """What clusters come to, and what annotators who are drawn anew leave open."""
    chance, usual = projection.chance, projection.usual
    figures: dict[str, float] = {}
    if chance.clusters is not None:
        figures["pilot_clusters"] = chance.clusters.number
        for end, goal in projection.goal.parts().items():
            planned = projection.for_goal(goal).items_planned(usual)
            figures[f"planned_clusters{end}"] = chance.clusters_of(planned)
    if chance.draws_annotators:
        fewest = projection.attainable.fewest_annotators()
        error = math.sqrt(float(chance.from_annotators(usual, chance.of_annotators)))
        figures |= {
            "pilot_annotators_in_all": chance.annotators,
            "from_annotators": chance.of_annotators / projection.pilot_error**2,
            "annotators_half_width": error * float(projection.reach(math.inf, usual)),
            "fewest_annotators": fewest,
        }
        if not math.isnan(fewest):
            more = more_than(fewest)
            per_item = usual if chance.crowd else float(more)
            enough = replace(projection.attainable, chance=chance.with_annotators(more, per_item))
            figures |= {
                "more_annotators": more,
                "more_per_item": per_item,
                "items_of_more": enough.items_planned(per_item),
            }
    return {name: ((), np.asarray(value)) for name, value in figures.items()}


def looks_of(projection: Projection, boundaries: xr.Dataset) -> Variables:
    """When to look, and how wide the intervals are then; with as many items as that needs."""
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
    # information is 1 / SE^2: with a finite population it grows faster than the items
    limit = 1 / projection.population
    look_items = np.ceil(1 / ((1 / items - limit) / fraction + limit) - 1e-9)
    figures = {
        "items": look_items,
        "fraction": fraction,
        "z": boundaries["z"].values,
        "reach": reach,
        "p_value": boundaries["p_value"].values,
        "spent": boundaries["spent"].values,
        "confidence": boundaries["confidence"].values,
        "replicates": boundaries["replicates"].values,
        "half_width": reach
        * projection.error(look_items, usual)
        * projection.widening(look_items, usual),
        "single_half_width": projection.assured_half_width(look_items, usual),
    }
    return {f"look_{name}": ("look", values) for name, values in figures.items()}
