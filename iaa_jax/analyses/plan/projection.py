"""Standard errors of designs, and the items and annotators that a goal needs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.plan.goal import Goal
from iaa_jax.analyses.plan.pilot import Pilot, PilotReplicates, VarianceCurve, quantiles
from iaa_jax.measure.interval import fewest_replicates

HARDLY = 0.05
"""Share of the items that an annotator more has to save to be worth a word."""

_MOST_ANNOTATORS = 50


@dataclass(frozen=True)
class Projection:
    """What a pilot says of designs, and of the items that a goal needs."""

    pilot: Pilot
    curve: VarianceCurve | None
    goal: Goal

    @property
    def usual(self) -> float:
        """The number of ratings per item that is planned for: the whole one next to the pilot's."""
        return self.pilot.ratings if self.curve is None else max(2.0, round(self.pilot.ratings))

    @property
    def population(self) -> float:
        """Items in all."""
        return self.pilot.population

    def for_goal(self, goal: Goal) -> Projection:
        """The same for another goal."""
        return replace(self, goal=goal)

    @property
    def attainable(self) -> Projection:
        """For as much of the goal as some number of items reaches."""
        return self.for_goal(self.goal.attainable(self.pilot.estimate))

    def variance(self, ratings: float) -> float:
        """V of an item with so many ratings; of the pilot where it cannot be told."""
        if self.curve is None:
            return self.pilot.variance
        return float(self.curve.components.variance(ratings))

    def error(self, items: Floats | float, variance: Floats | float) -> Floats:
        """The standard error of so many items."""
        per_item = 1 / np.asarray(items, dtype=np.float64) - 1 / self.population
        return np.asarray(np.sqrt(np.asarray(variance) * np.maximum(per_item, 0.0)))

    def items_needed(self, variance: float, error: float | None = None) -> float:
        """The fewest items with a standard error that small; NaN where none has."""
        wanted = self.goal.error(self.pilot.estimate) if error is None else error
        if not wanted > 0:
            return math.nan
        exact = 1 / (wanted**2 / variance + 1 / self.population)
        return float(max(math.ceil(exact - 1e-9), 2))

    def items_planned(self, variance: float) -> float:
        """The items that are planned for, if need be for a cautious guess of the true value."""
        if math.isnan(self.items_needed(variance)):
            return math.nan
        return self.items_needed(variance, self.goal.error(self.goal.planned_value(self.pilot)))

    def items_interval(self, replicates: PilotReplicates, ratings: float) -> tuple[float, float]:
        """Quantiles of the needed items over replicates of the pilot; infinite if unreachable."""
        if len(replicates.estimate) < fewest_replicates((1 - self.goal.confidence) / 2):
            return math.nan, math.nan
        ends = []
        for variances in replicates.variances(ratings):
            needed = [
                self.items_needed(float(variance), self.goal.error(float(estimate)))
                for estimate, variance in zip(replicates.estimate, variances, strict=True)
                if variance > 0
            ]
            reached = np.where(np.isnan(needed), np.inf, needed)
            ends.append(quantiles(reached, self.goal.confidence))
        return ends[0][0], ends[1][1]

    def needed_annotators(self) -> float:
        """The fewest annotators with whom the pilot's items alone suffice; NaN for none."""
        wanted = self.goal.error(self.pilot.estimate)
        if self.curve is None or not wanted > 0:
            return math.nan
        sizes = np.arange(2.0, _MOST_ANNOTATORS + 1)
        enough = self.error(self.pilot.items, self.curve.components.variance(sizes)) <= wanted
        return float(sizes[np.argmax(enough)]) if enough.any() else math.nan

    def enough_annotators(self) -> float:
        """The fewest beyond whom one more saves hardly any items; NaN for very many."""
        if self.curve is None:
            return math.nan
        sizes = np.arange(2.0, _MOST_ANNOTATORS + 2)
        variance = self.curve.components.variance(sizes)
        hardly = variance[1:] > (1 - HARDLY) * variance[:-1]
        return float(sizes[np.argmax(hardly)]) if hardly.any() else math.nan
