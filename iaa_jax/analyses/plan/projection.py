"""Standard errors of designs, and the items and annotators that a goal needs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.plan.chance import Chance, variance_of_annotators
from iaa_jax.analyses.plan.goal import Goal
from iaa_jax.analyses.plan.pilot import Pilot, PilotReplicates, VarianceCurve, quantiles
from iaa_jax.measure.options.interval import fewest_replicates
from iaa_jax.measure.options.sampling import Sampling
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import Resolver

HARDLY = 0.05
"""Share of the items that an annotator more has to save to be worth a word."""

MOST_ANNOTATORS = 50

_MOST_IN_ALL = 10_000

_MOST_ITEMS = 1e12

TOO_DEAR = 3.0
"""Times as many items as a power takes if the pilot's figure is true, beyond which it cannot tell.

What it leaves open decides more than what it shows then.
"""

_ROUNDS = 50
"""In which the number of items and the reach of their interval settle."""


@dataclass(frozen=True)
class Projection:
    """What a pilot says of designs, and of the items that a goal needs."""

    pilot: Pilot
    curve: VarianceCurve | None
    goal: Goal
    chance: Chance
    freedom: float = math.inf
    """Degrees of freedom of the pilot's variance over items."""

    @property
    def usual(self) -> float:
        """The number of ratings per item that is planned for: the whole one next to the pilot's."""
        return self.pilot.ratings if self.curve is None else max(2.0, round(self.pilot.ratings))

    @property
    def population(self) -> float:
        """Items in all."""
        return self.chance.population

    @property
    def with_pilots_panels(self) -> Projection:
        """The same for items with panels as uneven as the pilot's."""
        return replace(self, curve=None)

    @property
    def pilot_error(self) -> float:
        """The standard error of the pilot."""
        return float(self.with_pilots_panels.error(self.pilot.items, self.pilot.ratings))

    @property
    def pilot_half_width(self) -> float:
        """How far the pilot's own interval reaches."""
        return float(self.with_pilots_panels.half_width(self.pilot.items, self.pilot.ratings))

    def for_goal(self, goal: Goal) -> Projection:
        """The same for another goal."""
        return replace(self, goal=goal)

    @property
    def attainable(self) -> Projection:
        """For as much of the goal as is planned for: one half of two may be out of reach."""
        power = self.goal.parts().get("_null")
        if power is None or not math.isnan(self.for_goal(power).items_planned(self.usual)):
            return self
        return self.for_goal(replace(self.goal, null=None))

    def variance(self, ratings: float) -> float:
        """V of an item with so many ratings; of the pilot where it cannot be told."""
        if self.curve is None:
            return self.pilot.variance
        return float(self.curve.components.variance(ratings))

    def error(self, items: Floats | float, ratings: float) -> Floats:
        """The standard error of so many items."""
        return self.chance.error(items, self.variance(ratings), ratings)

    def reach(self, items: Floats | float, ratings: float) -> Floats:
        """Standard errors from the middle of the interval to its end."""
        share = self._annotators_share(items, ratings)
        return self.chance.reach(self.goal.confidence, items, ratings, share)

    def _annotators_share(self, items: Floats | float, ratings: float) -> Floats:
        """What annotators bring of the squared standard error."""
        annotator_variance = self.chance.from_annotators(ratings, self.chance.annotator_variance)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.nan_to_num(annotator_variance / self.error(items, ratings) ** 2)

    def half_width(self, items: Floats | float, ratings: float) -> Floats:
        """How far the interval of so many items reaches, if the pilot's spread is the true one."""
        return np.asarray(self.reach(items, ratings) * self.error(items, ratings))

    def widening(self, items: Floats | float, ratings: float) -> Floats:
        """How many times as far it may reach in as many samples as are assured."""
        share, assurance = self._annotators_share(items, ratings), self.goal.assurance_of_width
        return self.chance.widening(assurance, self.freedom, items, ratings, share)

    def assured_half_width(self, items: Floats | float, ratings: float) -> Floats:
        """How far the interval reaches at most in as many samples as are assured."""
        return np.asarray(self.half_width(items, ratings) * self.widening(items, ratings))

    @property
    def assured_value(self) -> float:
        """What the true value is above with the chance that is asked of a power."""
        return self.goal.assured_value(self.pilot.estimate, self.pilot_error)

    def power(self, items: Floats | float, ratings: float) -> Floats:
        """The chance to rule out ``null``, if the pilot's estimate is the true value."""
        return self._power_at(self.pilot.estimate, items, ratings)

    def assured_power(self, items: Floats | float, ratings: float) -> Floats:
        """The same, if the true value is the one that is assured."""
        return self._power_at(self.assured_value, items, ratings)

    def _power_at(self, true: float, items: Floats | float, ratings: float) -> Floats:
        return self.goal.power_at(true, self.error(items, ratings), self.reach(items, ratings))

    def items_for(
        self,
        ratings: float,
        variance: Floats | float,
        true: Floats | float,
        annotator_variance: Floats | float,
        *,
        assured: bool = False,
    ) -> Floats:
        """The fewest items that reach the goal; NaN where none does.

        How far the interval reaches depends on the number of items where clusters or annotators
        are drawn, and how far it may turn out to (``assured``) always: from the normal quantile up,
        until both fit.
        """
        chance, confidence = self.chance, self.goal.confidence
        floor = chance.from_annotators(ratings, annotator_variance)
        items, share, widening = np.asarray(math.inf), np.asarray(0.0), np.asarray(1.0)
        for _ in range(1 if chance.plain and not assured else _ROUNDS):
            reach = chance.reach(confidence, items, ratings, share)
            if assured:
                assurance, of_items = self.goal.assurance_of_width, np.minimum(items, _MOST_ITEMS)
                widening = chance.widening(assurance, self.freedom, of_items, ratings, share)
            wanted = self.goal.error(true, reach, widening)
            with np.errstate(invalid="ignore", divide="ignore"):
                rest = (wanted**2 - floor) / variance
                exact = np.where(rest > 0, 1 / (rest + 1 / self.population), np.nan)
                share = np.minimum(np.nan_to_num(floor / wanted**2), 1.0)
            if np.allclose(exact, items, rtol=1e-6, equal_nan=True):
                break
            items = exact
        return np.asarray(np.maximum(np.ceil(exact - 1e-9), 2.0))

    def items_needed(self, ratings: float) -> float:
        """The fewest items, if the pilot's estimate and its spread are the true ones."""
        variance, annotator_variance = self.variance(ratings), self.chance.annotator_variance
        return float(self.items_for(ratings, variance, self.pilot.estimate, annotator_variance))

    def items_planned(self, ratings: float) -> float:
        """The items that keep each part of the goal as surely as is asked; NaN where none do."""
        alone = {end: goal for end, goal in self.goal.parts().items() if end} or {"": self.goal}
        return float(np.max([self.for_goal(goal)._planned(ratings) for goal in alone.values()]))

    def _planned(self, ratings: float) -> float:
        """Of one goal; NaN too where they are many times those that the pilot's figure takes."""
        true = self.pilot.estimate if self.goal.null is None else self.assured_value
        variance, annotator_variance = self.variance(ratings), self.chance.annotator_variance
        planned = float(self.items_for(ratings, variance, true, annotator_variance, assured=True))
        if self.goal.null is not None and not planned <= TOO_DEAR * self.items_needed(ratings):
            return math.nan
        return planned

    def items_interval(self, replicates: PilotReplicates, ratings: float) -> tuple[float, float]:
        """Quantiles of the needed items over replicates of the pilot; infinite if unreachable."""
        if len(replicates.estimate) < fewest_replicates((1 - self.goal.confidence) / 2):
            return math.nan, math.nan
        known, ends = self.items_needed(ratings), []
        for variance in replicates.variances(ratings):
            needed = self.items_for(
                ratings, variance, replicates.estimate, replicates.annotator_variance
            )
            reached = np.where(np.isnan(needed), np.inf, needed)
            ends.append(quantiles(reached, self.goal.confidence))
        # what it holds between is the number itself, however skewed the draws
        return float(np.fmin(ends[0][0], known)), float(np.fmax(ends[1][1], known))

    def needed_annotators(self) -> float:
        """The fewest annotators with whom the pilot's items alone suffice; NaN for none."""
        if self.curve is None:
            return math.nan
        for size in range(2, MOST_ANNOTATORS + 1):
            if self.items_planned(size) <= self.pilot.items:
                return float(size)
        return math.nan

    def fewest_annotators(self) -> float:
        """The fewest annotators in all with whom some number of items reaches the goal.

        So many alone leave less open than the goal does.
        """
        if not self.chance.draws_annotators:
            return math.nan
        from scipy.special import fdtri, stdtrit

        number = np.arange(2.0, _MOST_IN_ALL)
        reach = stdtrit(number - 1, (1 + self.goal.confidence) / 2)
        of_pilot, assurance = max(self.chance.annotators - 1, 1.0), self.goal.assurance_of_width
        widening = np.sqrt(fdtri(number - 1, of_pilot, assurance))
        true = self.pilot.estimate if self.goal.null is None else self.assured_value
        wanted = self.goal.error(true, reach, widening)
        error = np.sqrt(self.chance.annotator_variance * self.chance.annotators / number)
        enough = error < wanted
        return float(number[np.argmax(enough)]) if enough.any() else math.nan

    def enough_annotators(self) -> float:
        """The fewest beyond whom one more saves hardly any items; NaN for very many."""
        if self.curve is None:
            return math.nan
        sizes = np.arange(2.0, MOST_ANNOTATORS + 2)
        variance = self.curve.components.variance(sizes)
        hardly = variance[1:] > (1 - HARDLY) * variance[:-1]
        return float(sizes[np.argmax(hardly)]) if hardly.any() else math.nan


def chance_of(
    resolver: Resolver,
    request: Request,
    pilot: Pilot,
    curve: VarianceCurve | None,
    random: Sampling,
) -> Chance:
    """What another sample would draw anew."""
    population = math.inf if random.population is None else float(random.population)
    chance = Chance(pilot.items, pilot.ratings, population, pilot.clusters)
    if not random.draws_annotators:
        return chance
    annotator_variance, annotators = variance_of_annotators(resolver, request)
    on_items = 0.0 if curve is None else curve.within_items / pilot.items
    return replace(chance, annotators=annotators, left_out=annotator_variance, on_items=on_items)
