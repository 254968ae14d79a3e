"""Standard errors of designs (items, ratings per item), and what a goal needs of both."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.plan.error_model import ErrorModel, variance_of_annotators
from iaa_jax.analyses.plan.goal import Goal
from iaa_jax.analyses.plan.pilot import Pilot, PilotReplicates, VarianceCurve, quantiles
from iaa_jax.measure.options.interval import fewest_replicates
from iaa_jax.measure.options.sampling import Sampling
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import Resolver

HARDLY = 0.05
"""Saving a smaller share of the items than this is hardly any gain."""

MOST_ANNOTATORS = 50

_MOST_IN_ALL = 10_000

_MOST_ITEMS = 1e12

TOO_DEAR = 3.0
"""Maximum ratio of the planned items to the items needed if the pilot's estimate is true."""

_ROUNDS = 50
"""Maximum number of iterations for the number of items."""


@dataclass(frozen=True)
class Projection:
    """The precision of designs, and the items that a goal needs, estimated from a pilot."""

    pilot: Pilot
    curve: VarianceCurve | None
    goal: Goal
    error_model: ErrorModel
    freedom: float = math.inf
    """Degrees of freedom of the pilot's variance over items."""
    requested: float | None = None
    """The requested number of ratings per item, if there is a single one."""

    @property
    def usual(self) -> float:
        """The requested number of ratings per item, or the pilot's."""
        if self.curve is None or self.requested is None:
            return self.usual_of_pilot
        return self.requested

    @property
    def usual_of_pilot(self) -> float:
        """The pilot's number of ratings per item, rounded if it may vary."""
        return self.pilot.ratings if self.curve is None else max(2.0, round(self.pilot.ratings))

    @property
    def population(self) -> float:
        """Size of the population of items."""
        return self.error_model.population

    @property
    def with_pilots_panels(self) -> Projection:
        """The projection for items with the pilot's numbers of ratings."""
        return replace(self, curve=None)

    @property
    def pilot_error(self) -> float:
        """Standard error of the pilot."""
        return float(self.with_pilots_panels.error(self.pilot.items, self.pilot.ratings))

    @property
    def pilot_half_width(self) -> float:
        """Half-width of the pilot's own interval, by the formula."""
        return float(self.with_pilots_panels.half_width(self.pilot.items, self.pilot.ratings))

    def for_goal(self, goal: Goal) -> Projection:
        """Return the projection for another goal."""
        return replace(self, goal=goal)

    @property
    def attainable(self) -> Projection:
        """The projection, without a power as a goal if no plan can reach it."""
        power = self.goal.parts().get("_null")
        if power is None or not math.isnan(self.for_goal(power).items_planned(self.usual)):
            return self
        return self.for_goal(replace(self.goal, null=None))

    def variance(self, ratings: float) -> float:
        """Return the variance V that an item with this many ratings contributes.

        Without a ``curve``, it is the pilot's.
        """
        if self.curve is None:
            return self.pilot.variance
        return float(self.curve.components.variance(ratings))

    def error(self, items: Floats | float, ratings: float) -> Floats:
        """Return the standard error of a design."""
        return self.error_model.error(items, self.variance(ratings), ratings)

    def reach(self, items: Floats | float, ratings: float) -> Floats:
        """Return the half-width of the interval in standard errors."""
        share = self._annotators_share(items, ratings)
        return self.error_model.reach(self.goal.confidence, items, ratings, share)

    def _annotators_share(self, items: Floats | float, ratings: float) -> Floats:
        annotator_variance = self.error_model.from_annotators(
            ratings, self.error_model.annotator_variance
        )
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.nan_to_num(annotator_variance / self.error(items, ratings) ** 2)

    def half_width(self, items: Floats | float, ratings: float) -> Floats:
        """Return the half-width of a design if the pilot's variance is true."""
        return np.asarray(self.reach(items, ratings) * self.error(items, ratings))

    def widening(self, items: Floats | float, ratings: float) -> Floats:
        """Return the ratio of `assured_half_width` to `half_width`."""
        share, assurance = self._annotators_share(items, ratings), self.goal.assurance_of_width
        return self.error_model.widening(assurance, self.freedom, items, ratings, share)

    def assured_half_width(self, items: Floats | float, ratings: float) -> Floats:
        """Return the half-width that the share ``assurance`` of samples does not exceed."""
        return np.asarray(self.half_width(items, ratings) * self.widening(items, ratings))

    @property
    def assured_value(self) -> float:
        """The bound that the true value exceeds with probability ``assurance_of_power``."""
        return self.goal.assured_value(self.pilot.estimate, self.pilot_error)

    def power(self, items: Floats | float, ratings: float) -> Floats:
        """Return the probability of ruling out ``null`` if the pilot's estimate is true."""
        return self._power_at(self.pilot.estimate, items, ratings)

    def assured_power(self, items: Floats | float, ratings: float) -> Floats:
        """Return the probability of ruling out ``null`` if the true value is `assured_value`."""
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
        """Return the minimum number of items that reach the goal; NaN if no number does.

        With random clusters or annotators, or if ``assured``, the interval's half-width in standard
        errors depends on the number of items, which is then found by iteration.
        """
        error_model, confidence = self.error_model, self.goal.confidence
        floor = error_model.from_annotators(ratings, annotator_variance)
        items, share, widening = np.asarray(math.inf), np.asarray(0.0), np.asarray(1.0)
        for _ in range(1 if error_model.plain and not assured else _ROUNDS):
            reach = error_model.reach(confidence, items, ratings, share)
            if assured:
                assurance, of_items = self.goal.assurance_of_width, np.minimum(items, _MOST_ITEMS)
                widening = error_model.widening(assurance, self.freedom, of_items, ratings, share)
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
        """Return the items that reach the goal if the pilot's estimate and variance are true."""
        variance, annotator_variance = self.variance(ratings), self.error_model.annotator_variance
        return float(self.items_for(ratings, variance, self.pilot.estimate, annotator_variance))

    def items_planned(self, ratings: float) -> float:
        """Return the items that reach each part of the goal with assurance; NaN if none do."""
        alone = {end: goal for end, goal in self.goal.parts().items() if end} or {"": self.goal}
        return float(np.max([self.for_goal(goal)._planned(ratings) for goal in alone.values()]))

    def _planned(self, ratings: float) -> float:
        """Return the planned items for a single goal.

        NaN means that no number is enough, or that it exceeds `TOO_DEAR` times the needed items.
        """
        true = self.pilot.estimate if self.goal.null is None else self.assured_value
        variance, annotator_variance = self.variance(ratings), self.error_model.annotator_variance
        planned = float(self.items_for(ratings, variance, true, annotator_variance, assured=True))
        if self.goal.null is not None and not planned <= TOO_DEAR * self.items_needed(ratings):
            return math.nan
        return planned

    def items_interval(self, replicates: PilotReplicates, ratings: float) -> tuple[float, float]:
        """Return quantiles of the needed items over replicates.

        They are infinite if the goal is out of reach, and NaN for too few replicates.
        """
        if len(replicates.estimate) < fewest_replicates((1 - self.goal.confidence) / 2):
            return math.nan, math.nan
        known, ends = self.items_needed(ratings), []
        for variance in replicates.variances(ratings):
            needed = self.items_for(
                ratings, variance, replicates.estimate, replicates.annotator_variance
            )
            reached = np.where(np.isnan(needed), np.inf, needed)
            ends.append(quantiles(reached, self.goal.confidence))
        # the interval contains the needed number, however skewed replicates are
        return float(np.fmin(ends[0][0], known)), float(np.fmax(ends[1][1], known))

    def needed_annotators(self) -> float:
        """Return the fewest annotators per item with whom the pilot's items suffice, or NaN."""
        if self.curve is None:
            return math.nan
        for size in range(2, MOST_ANNOTATORS + 1):
            if self.items_planned(size) <= self.pilot.items:
                return float(size)
        return math.nan

    def fewest_annotators(self) -> float:
        """Return the fewest annotators in all with whom some number of items reaches the goal.

        NaN means that annotators are fixed, or that no number is enough.
        """
        if not self.error_model.draws_annotators:
            return math.nan
        from scipy.special import fdtri, stdtrit

        number = np.arange(2.0, _MOST_IN_ALL)
        reach = stdtrit(number - 1, (1 + self.goal.confidence) / 2)
        of_pilot, assurance = (
            max(self.error_model.annotators - 1, 1.0),
            self.goal.assurance_of_width,
        )
        widening = np.sqrt(fdtri(number - 1, of_pilot, assurance))
        true = self.pilot.estimate if self.goal.null is None else self.assured_value
        wanted = self.goal.error(true, reach, widening)
        error = np.sqrt(self.error_model.annotator_variance * self.error_model.annotators / number)
        enough = error < wanted
        return float(number[np.argmax(enough)]) if enough.any() else math.nan

    def enough_annotators(self) -> float:
        """Return the fewest annotators per item beyond which one more saves hardly any items.

        NaN means more than `MOST_ANNOTATORS`, or a number that cannot be varied.
        """
        if self.curve is None:
            return math.nan
        sizes = np.arange(2.0, MOST_ANNOTATORS + 2)
        variance = self.curve.components.variance(sizes)
        hardly = variance[1:] > (1 - HARDLY) * variance[:-1]
        return float(sizes[np.argmax(hardly)]) if hardly.any() else math.nan


def error_model_of(
    resolver: Resolver,
    request: Request,
    pilot: Pilot,
    curve: VarianceCurve | None,
    random: Sampling,
) -> ErrorModel:
    """Return the model of the sampling error for the random units."""
    population = math.inf if random.population is None else float(random.population)
    error_model = ErrorModel(pilot.items, pilot.ratings, population, pilot.clusters)
    if not random.draws_annotators:
        return error_model
    annotator_variance, annotators = variance_of_annotators(resolver, request)
    on_items = 0.0 if curve is None else curve.within_items / pilot.items
    return replace(
        error_model, annotators=annotators, left_out=annotator_variance, on_items=on_items
    )
