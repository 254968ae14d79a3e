"""A pilot, what it leaves open, and the standard errors of designs that are planned from it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from iaa_jax._errors import REASONS, IaaError
from iaa_jax.analyses.plan.goal import Goal
from iaa_jax.analyses.plan.ladder import Ladder, ladder, panel_sizes, title_of
from iaa_jax.analyses.plan.model import model_of, share_of
from iaa_jax.analyses.plan.variance import (
    Components,
    Spreads,
    between,
    fitted,
    from_model,
    spread_of,
)
from iaa_jax.engine import Prepared, Problem, bootstrap_rows, estimates
from iaa_jax.engine.problem import Floats, Integers
from iaa_jax.measure.interval import fewest_replicates
from iaa_jax.measure.request import Request, Resolver
from iaa_jax.measure.uncertainty import pairs_behind, unsteady

_NOTHING = 1e-14
"""A variance that rounding leaves of none."""

_MOST_ANNOTATORS = 50


@dataclass(frozen=True)
class Pilot:
    """What the pilot says of the coefficient."""

    name: str
    problem: Problem
    estimate: float
    variance: float  # V with the pilot's own ratings an item
    panel: Integers  # (pattern,) ratings of each pattern
    count: Floats  # (pattern,) items
    population: float = math.inf

    @cached_property
    def items(self) -> float:
        """Items that somebody rated."""
        return float(self.problem.table.count.sum())

    @cached_property
    def _held(self) -> Floats:
        return np.where(self.panel >= 2, self.count, 0.0)

    @cached_property
    def pairable(self) -> float:
        """Share of its items with two ratings or more."""
        return float(self._held.sum() / self.count.sum())

    @cached_property
    def ratings(self) -> float:
        """Ratings of a pairable item, on average."""
        return float(self.panel @ self._held / self._held.sum())

    @property
    def error(self) -> float:
        """The standard error."""
        return math.sqrt(self.variance * max(1 / self.items - 1 / self.population, 0.0))

    @property
    def panels(self) -> tuple[int, int]:
        """The fewest and the most ratings of a pairable item."""
        held = self.panel[self._held > 0]
        return int(held.min()), int(held.max())


def pilot_of(resolver: Resolver, request: Request, population: float = math.inf) -> Pilot:
    """The pilot of a plan; refused where nothing can be planned from it."""
    problem = request.problem
    prepared = Prepared([problem])
    agreement = estimates(prepared)[0]
    title, code = title_of(request.name), int(agreement.code)
    if code:
        message = f"no plan: {title} of the pilot is undefined: {REASONS[code]}"
        raise IaaError(message)
    if resolver.tables.totals["pairable_items"] < 2:
        message = "no plan from a pilot with fewer than two items that two annotators rated"
        raise IaaError(message)
    items = float(problem.table.count.sum())
    if population < items:
        message = (
            f"population={population:g} is smaller than the {items:g} rated items: give the number "
            "of all items that the rated ones were taken from"
        )
        raise IaaError(message)
    if loose := unsteady(request, pairs_behind(prepared, request)):
        message = (
            f"no plan for {title}: pairs of annotators share few items "
            f"({loose.values['common']:g} in the middle), so that pairs come and go between "
            "replicates; name a coefficient that does not compare annotator by annotator, such as "
            "Krippendorff's alpha"
        )
        raise IaaError(message)
    estimate, variance = float(agreement.estimate), spread_of(problem).variance
    if not variance > _NOTHING:
        message = (
            f"no plan: annotators agree equally far on all items of the pilot ({title} is "
            f"{estimate:.3f}), so it does not tell how much items differ; annotate more items "
            "until some differ"
        )
        raise IaaError(message)
    panel, count = panel_sizes(resolver.tables)
    return Pilot(request.name, problem, estimate, variance, panel, count, population)


@dataclass(frozen=True)
class Shape:
    """How the variance of an item depends on its ratings: from the pilot's own, and a model."""

    pilot: Pilot
    ladder: Ladder
    shares: tuple[float, float]  # what a model says of what the pilot leaves open

    def components(self, variances: dict[int, float]) -> Components:
        """From V at some sizes, exact at the largest: what is known best is what needs no fit."""
        sizes = sorted(variances)
        if len(sizes) > 2:
            found = fitted(variances)
        elif len(sizes) == 2:
            found = between(variances[sizes[0]], variances[sizes[1]], self.shares[1])
        else:
            found = from_model(variances[sizes[0]], *self.shares)
        level = float(found.variance(sizes[-1]))
        return found.scaled(variances[sizes[-1]] / level) if level > 0 else found

    @cached_property
    def own(self) -> Components:
        """Of the pilot."""
        return self.components(self.ladder.variances)


def shape_of(
    resolver: Resolver, request: Request, pilot: Pilot, *, wanted: bool, seed: int
) -> tuple[Shape | None, str]:
    """How V depends on ratings, or why that cannot be told; ``wanted`` asks a model if need be."""
    found = ladder(resolver, request)
    note = found.note
    if not note and len(found.rungs) == 1 and not wanted:
        note = (
            "its items have two ratings, which cannot tell what a third would bring (a model does "
            "if numbers of annotators are asked for)"
        )
    if note or not found.rungs:
        note = note or "its items have two ratings each"
        if wanted:
            message = f"numbers of annotators an item cannot be varied on this pilot: {note}"
            raise IaaError(message)
        return None, note
    shares = (0.0, 0.0)
    if len(found.rungs) < 3:
        shares = share_of(model_of(resolver, pilot.problem, seed), pilot.items)
    return Shape(pilot, found, shares), ""


@dataclass(frozen=True)
class Replicates:
    """The pilot drawn anew: estimates, V as in the pilot, and components of each."""

    estimate: Floats
    variance: Floats
    components: tuple[Components, ...] | None
    undefined: int

    def at(self, ratings: float) -> tuple[Floats, Floats]:
        """The least and the largest V of an item with so many ratings, in each replicate.

        They differ where a model has to say what the pilot's ratings leave open.
        """
        if self.components is None:
            return self.variance, self.variance
        low, high = zip(*(one.bounds(ratings) for one in self.components), strict=True)
        return np.array(low), np.array(high)

    def between_shares(self, ratings: float) -> tuple[Floats, Floats]:
        """Of V with so many ratings the share that is between items, the least and the largest."""
        if not self.components:
            return np.zeros(0), np.zeros(0)
        low, high = np.array([one.between_shares(ratings) for one in self.components]).T
        return low, high


def replicates_of_pilot(
    pilot: Pilot, shape: Shape | None, replicates: int, seed: int
) -> Replicates:
    """What the pilot leaves open, by drawing its items with replacement."""
    rungs = () if shape is None else shape.ladder.rungs
    estimate, variance, sizes = [], [], []
    table, spreads = pilot.problem.table, Spreads(pilot.problem)
    for (rows,) in bootstrap_rows([table], replicates, seed) if replicates else ():
        found = spreads(rows)
        estimate.append(found[0])
        variance.append(found[1])
        sizes.append([rung.variances(rows) for rung in rungs])
    if not estimate:
        return Replicates(np.zeros(0), np.zeros(0), None, 0)
    whole = np.concatenate(estimate)[:replicates], np.concatenate(variance)[:replicates]
    by_size = np.zeros((len(rungs), len(whole[0])))
    if rungs:
        by_size = np.concatenate(sizes, axis=1)[:, :replicates]
    defined = np.isfinite(whole[0]) & np.isfinite(whole[1]) & np.isfinite(by_size).all(axis=0)
    defined &= whole[1] > _NOTHING
    components = None
    if shape is not None:
        numbers = [rung.size for rung in rungs]
        components = tuple(
            shape.components(dict(zip(numbers, column, strict=True)))
            for column in by_size[:, defined].T.tolist()
        )
    lost = int((~defined).sum())
    return Replicates(whole[0][defined], whole[1][defined], components, lost)


@dataclass(frozen=True)
class Design:
    """Standard errors of designs, and the items that a goal needs."""

    pilot: Pilot
    shape: Shape | None
    goal: Goal

    @property
    def usual(self) -> float:
        """The number of ratings an item that is planned for: the whole one next to the pilot's."""
        return self.pilot.ratings if self.shape is None else max(2.0, round(self.pilot.ratings))

    @property
    def population(self) -> float:
        """Items in all."""
        return self.pilot.population

    def asking(self, goal: Goal) -> Design:
        """The same for another goal."""
        return replace(self, goal=goal)

    @property
    def attainable(self) -> Design:
        """For as much of the goal as some number of items reaches."""
        return self.asking(self.goal.attainable(self.pilot.estimate))

    def variance(self, ratings: float) -> float:
        """V of an item with so many ratings; of the pilot where it cannot be told."""
        if self.shape is None:
            return self.pilot.variance
        return float(self.shape.own.variance(ratings))

    def error(self, items: Floats | float, variance: Floats | float) -> Floats:
        """The standard error of so many items."""
        left = 1 / np.asarray(items, dtype=np.float64) - 1 / self.population
        return np.sqrt(np.asarray(variance) * np.maximum(left, 0.0))

    def needed(self, variance: float, error: float | None = None) -> float:
        """The fewest items with a standard error that small; NaN where none has."""
        wanted = self.goal.error(self.pilot.estimate) if error is None else error
        if not wanted > 0:
            return math.nan
        exact = 1 / (wanted**2 / variance + 1 / self.population)
        return float(max(math.ceil(exact - 1e-9), 2))

    def planned(self, variance: float) -> float:
        """The items that are planned for, if need be for a cautious guess of the true value."""
        if math.isnan(self.needed(variance)):
            return math.nan
        return self.needed(variance, self.goal.error(self.goal.planned(self.pilot)))

    def left_open(self, replicates: Replicates, ratings: float) -> tuple[float, float]:
        """Quantiles of the needed items over replicates of the pilot; infinite if unreachable."""
        if len(replicates.estimate) < fewest_replicates((1 - self.goal.confidence) / 2):
            return math.nan, math.nan
        ends = []
        for several in replicates.at(ratings):
            every = [
                self.needed(float(variance), self.goal.error(float(estimate)))
                for estimate, variance in zip(replicates.estimate, several, strict=True)
                if variance > 0
            ]
            reached = np.where(np.isnan(every), np.inf, every)
            ends.append(quantiles(reached, self.goal.confidence))
        return ends[0][0], ends[1][1]

    def needed_annotators(self) -> float:
        """The fewest annotators with whom the pilot's items alone suffice."""
        wanted = self.goal.error(self.pilot.estimate)
        if self.shape is None or not wanted > 0:
            return math.nan
        sizes = np.arange(2.0, _MOST_ANNOTATORS + 1)
        enough = self.error(self.pilot.items, self.shape.own.variance(sizes)) <= wanted
        return float(sizes[np.argmax(enough)]) if enough.any() else math.nan


def quantiles(values: Sequence[float] | Floats, confidence: float) -> tuple[float, float]:
    """Both ends of what lies in the middle; values that occur, since some are infinite."""
    if not len(values):
        return math.nan, math.nan
    tail = (1 - confidence) / 2
    low, high = np.quantile(values, [tail, 1 - tail], method="inverted_cdf")
    return float(low), float(high)
