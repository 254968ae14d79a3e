"""A pilot: what it says of a coefficient and of items with other ratings, and how surely."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from iaa_jax._errors import REASONS, IaaError
from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.plan.ladder import Ladder, ladder_of, panel_sizes
from iaa_jax.analyses.plan.model import covariance_shares, model_of
from iaa_jax.analyses.plan.variance import (
    Components,
    ItemSpreads,
    fit_components,
    fit_one_size,
    fit_two_sizes,
    spread_of,
)
from iaa_jax.analyses.plan.words import FIXED
from iaa_jax.catalog import title_of
from iaa_jax.engine import Prepared, Problem, bootstrap_rows, estimates
from iaa_jax.measure.request import Request, Resolver
from iaa_jax.measure.uncertainty import pair_counts_of, unsteady_pairs_note
from iaa_jax.wording import Note, keyword, named, say

_NOTHING = 1e-14
"""A variance that rounding leaves of none."""


@dataclass(frozen=True)
class Pilot:
    """What the pilot says of the coefficient."""

    problem: Problem
    estimate: float
    variance: float  # V with the pilot's own ratings per item
    panel: Integers  # (pattern,) ratings of each pattern
    count: Floats  # (pattern,) items
    population: float = math.inf

    @cached_property
    def items(self) -> float:
        """Items that somebody rated."""
        return float(self.problem.table.count.sum())

    @cached_property
    def _of_pairs(self) -> Floats:
        return np.where(self.panel >= 2, self.count, 0.0)

    @cached_property
    def pairable(self) -> float:
        """Share of its items with two ratings or more."""
        return float(self._of_pairs.sum() / self.count.sum())

    @cached_property
    def ratings(self) -> float:
        """Ratings of a pairable item, on average."""
        return float(self.panel @ self._of_pairs / self._of_pairs.sum())

    @property
    def error(self) -> float:
        """The standard error."""
        return math.sqrt(self.variance * max(1 / self.items - 1 / self.population, 0.0))

    @property
    def panels(self) -> tuple[int, int]:
        """The fewest and the most ratings of a pairable item."""
        panel = self.panel[self._of_pairs > 0]
        return int(panel.min()), int(panel.max())


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
            f"a {named('population')} of {population:g} is smaller than the {items:g} rated items: "
            "give the number of all items, of which the rated ones are a sample"
        )
        raise IaaError(message)
    if unsteady := unsteady_pairs_note(request, pair_counts_of(prepared, request)):
        message = (
            f"no plan for {title}: pairs of annotators share few items "
            f"({unsteady.values['common']:g} in the middle), so that pairs come and go between "
            "replicates; name a coefficient that does not compare annotator by annotator, such as "
            "Krippendorff's alpha"
        )
        raise IaaError(message)
    estimate, variance = float(agreement.estimate), spread_of(problem).variance
    if not variance > _NOTHING:
        message = (
            f"no plan: annotators agree equally on all items of the pilot ({title} is "
            f"{estimate:.3f}), which does not show how much items differ; annotate more items "
            "until some differ"
        )
        raise IaaError(message)
    panel, count = panel_sizes(resolver.tables)
    return Pilot(problem, estimate, variance, panel, count, population)


@dataclass(frozen=True)
class VarianceCurve:
    """The variance of an item by its ratings: from the pilot's own, and a model."""

    ladder: Ladder
    shares: tuple[float, float]  # what a model says of what the pilot leaves open

    def fit(self, variances: dict[int, float]) -> Components:
        """From V at some sizes, exact at the largest: what is known best is what needs no fit."""
        sizes = sorted(variances)
        if len(sizes) > 2:
            parts = fit_components(variances)
        elif len(sizes) == 2:
            parts = fit_two_sizes(variances[sizes[0]], variances[sizes[1]], self.shares[1])
        else:
            parts = fit_one_size(variances[sizes[0]], *self.shares)
        level = float(parts.variance(sizes[-1]))
        return parts.scale(variances[sizes[-1]] / level) if level > 0 else parts

    @cached_property
    def components(self) -> Components:
        """Of the pilot."""
        return self.fit(self.ladder.variances)


def curve_of(
    resolver: Resolver, request: Request, pilot: Pilot, *, wanted: bool, seed: int
) -> tuple[VarianceCurve | None, Note | None]:
    """How V depends on ratings, or why that cannot be told; ``wanted`` asks a model if need be."""
    ladder = ladder_of(resolver, request, seed)
    why = ladder.why
    if why is None and len(ladder.rungs) == 1 and not wanted:
        why = Note("two_ratings_alone")
    if why is None and not ladder.rungs:
        why = Note("two_ratings")
    if why is None:
        shares = (0.0, 0.0)
        if len(ladder.rungs) < 3:
            shares = covariance_shares(model_of(resolver, pilot.problem, seed), pilot.items)
        return VarianceCurve(ladder, shares), None
    if wanted:
        message = (
            f"annotators per item ({keyword('per_item')}) cannot be varied on this pilot: "
            f"{say(why, FIXED)}"
        )
        raise IaaError(message)
    return None, why


@dataclass(frozen=True)
class PilotReplicates:
    """The pilot drawn anew: estimates, V as in the pilot, and components of each."""

    estimate: Floats
    variance: Floats
    components: tuple[Components, ...] | None
    undefined: int

    def variances(self, ratings: float) -> tuple[Floats, Floats]:
        """The least and the largest V of an item with so many ratings, in each replicate.

        They differ where a model has to say what the pilot's ratings leave open.
        """
        if self.components is None:
            return self.variance, self.variance
        low, high = zip(*(fit.bounds(ratings) for fit in self.components), strict=True)
        return np.array(low), np.array(high)

    def between_shares(self, ratings: float) -> tuple[Floats, Floats]:
        """Of V with so many ratings the share that is between items, the least and the largest."""
        if not self.components:
            return np.zeros(0), np.zeros(0)
        low, high = np.array([fit.between_shares(ratings) for fit in self.components]).T
        return low, high


def replicates_of_pilot(
    pilot: Pilot, curve: VarianceCurve | None, replicates: int, seed: int
) -> PilotReplicates:
    """What the pilot leaves open, by drawing its items with replacement."""
    rungs = () if curve is None else curve.ladder.rungs
    spreads, parts = ItemSpreads(pilot.problem), []
    for (rows,) in bootstrap_rows([pilot.problem.table], replicates, seed) if replicates else ():
        by_size = [rung.variances(rows) for rung in rungs]
        parts.append(np.stack([*spreads(rows), *by_size]))
    if not parts:
        return PilotReplicates(np.zeros(0), np.zeros(0), None, 0)
    drawn = np.concatenate(parts, axis=1)[:, :replicates]
    defined = np.isfinite(drawn).all(axis=0) & (drawn[1] > _NOTHING)
    estimate, variance, *sizes = drawn[:, defined]
    components = None
    if curve is not None:
        numbers = [rung.size for rung in rungs]
        components = tuple(
            curve.fit(dict(zip(numbers, column, strict=True)))
            for column in np.array(sizes).T.tolist()
        )
    return PilotReplicates(estimate, variance, components, int((~defined).sum()))


def quantiles(values: Sequence[float] | Floats, confidence: float) -> tuple[float, float]:
    """Both ends of what lies in the middle; values that occur, since some are infinite."""
    if not len(values):
        return math.nan, math.nan
    tail = (1 - confidence) / 2
    low, high = np.quantile(values, [tail, 1 - tail], method="inverted_cdf")
    return float(low), float(high)
