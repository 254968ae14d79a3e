"""The pilot's estimate, and the variance V that an item with m ratings contributes to it.

The squared standard error with N such items is V / N. A pattern is a set of items with the same
ratings, kept once with their number.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from iaa_jax._errors import REASONS, IaaError
from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.plan.error_model import ErrorModel
from iaa_jax.analyses.plan.model import Model, covariance_shares, has_model, model_of
from iaa_jax.analyses.plan.thinning import Thinning, panel_sizes, thin_pilot
from iaa_jax.analyses.plan.variance import (
    Components,
    ItemSpread,
    Spreads,
    fit_components,
    fit_one_size,
    fit_two_sizes,
    spread_of,
)
from iaa_jax.analyses.plan.words import FIXED
from iaa_jax.catalog import title_of
from iaa_jax.engine import Prepared, Problem, estimates
from iaa_jax.engine.drawing import Clusters
from iaa_jax.measure import LabelOptions
from iaa_jax.measure.intervals.measurement import pair_counts_of
from iaa_jax.measure.intervals.uncertainty import unsteady_pairs_note
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.wording import Note, keyword, say

_NOTHING = 1e-14
"""Maximum variance that is only a rounding error."""


@dataclass(frozen=True)
class Pilot:
    """The coefficient on the pilot, and how its items vary."""

    problem: Problem
    spread: ItemSpread
    panel: Integers  # (pattern,) ratings of each pattern
    count: Floats  # (pattern,) number of items
    clusters: Clusters | None = None

    @property
    def estimate(self) -> float:
        """The coefficient."""
        return self.spread.estimate

    @property
    def variance(self) -> float:
        """V at the pilot's ratings per item."""
        return self.spread.variance + self.spread.shared

    @cached_property
    def items(self) -> float:
        """Number of items."""
        return float(self.problem.table.count.sum())

    @cached_property
    def ratings(self) -> float:
        """Mean number of ratings of an item."""
        return float(self.panel @ self.count / self.count.sum())

    @property
    def panels(self) -> tuple[int, int]:
        """The lowest and the highest number of ratings of an item."""
        panel = self.panel[self.count > 0]
        return int(panel.min()), int(panel.max())

    def with_estimate(self, estimate: float) -> Pilot:
        """Return the pilot with another estimate, such as the estimate from all its items."""
        return replace(self, spread=self.spread._replace(estimate=estimate))


def rated_twice(resolver: Resolver, options: LabelOptions) -> Resolver:
    """Return the ratings of items with two ratings or more.

    Other items do not show how far annotators agree.
    """
    tables = resolver.tables
    if tables.totals["pairable_items"] < 2:
        raise IaaError("no plan from a pilot with fewer than two items that two annotators rated")
    panel = tables.identified.panel[tables.identified.pattern_of]
    if (panel != 1).all():
        return resolver
    return Resolver(tables.select_items(np.flatnonzero(panel > 1)), options)


def pilot_of(resolver: Resolver, request: Request, clusters: Clusters | None = None) -> Pilot:
    """Return the pilot, or refuse one from which nothing can be planned."""
    problem = request.problem
    prepared = Prepared([problem])
    agreement = estimates(prepared)[0]
    title, code = title_of(request.name), int(agreement.code)
    if code:
        raise IaaError(f"no plan: {title} of the pilot is undefined: {REASONS[code]}")
    if unsteady := unsteady_pairs_note(request, pair_counts_of(prepared, request)):
        raise IaaError(
            f"no plan for {title}: pairs of annotators share few items "
            f"(a median of {unsteady.values['common']:g}), so that pairs come and go between "
            "replicates; name a coefficient that does not compare annotator by annotator, such as "
            "Krippendorff's alpha"
        )
    spread = spread_of(problem, clusters)._replace(estimate=float(agreement.estimate))
    if not min(spread.variance, spread.variance + spread.shared) > _NOTHING:
        units = "items" if clusters is None else "clusters"
        raise IaaError(
            f"no plan: annotators agree equally on all {units} of the pilot ({title} is "
            f"{spread.estimate:.3f}), which does not show how much {units} differ; annotate more "
            "until some differ"
        )
    panel, count = panel_sizes(resolver.tables)
    return Pilot(problem, spread, panel, count, clusters)


@dataclass(frozen=True)
class VarianceCurve:
    """V as a function of ratings per item, from the pilot and, if necessary, from a model."""

    thinning: Thinning
    shares: tuple[float, float] | None  # ratios of covariances from a model
    shared: float = 0.0
    model: Model | None = None  # the model, if one was needed

    def fit(self, variances: Floats, shared: Floats | float = 0.0) -> Components:
        """Fit V to variances at several sizes, which are numbers of ratings per item.

        ``variances`` are (size,) or (size, replicate). The fit is exact at the largest size. The
        covariance of items of a cluster (``shared``) is added. If it is negative, V shrinks by the
        same factor at all sizes instead.
        """
        sizes = [thinned.size for thinned in self.thinning.pilots]
        if len(sizes) > 2:
            parts = fit_components(sizes, variances)
        elif len(sizes) == 2:
            parts = fit_two_sizes(variances[0], variances[1], self.shares and self.shares[1])
        else:
            parts = fit_one_size(variances[0], *(self.shares or (1.0, 0.0)))
        known, level = variances[-1], parts.variance(sizes[-1])
        factor = np.divide(known, level, out=np.ones_like(level), where=level > 0)
        shrunk = np.where(known > 0, np.minimum(shared, 0.0) / np.where(known > 0, known, 1.0), 0.0)
        return parts.scale(factor * np.maximum(1 + shrunk, 0.0)).share(np.maximum(shared, 0.0))

    @cached_property
    def components(self) -> Components:
        """Components of the pilot."""
        return self.fit(self._variances, self.shared)

    @cached_property
    def within_items(self) -> float:
        """Part of the pilot's V from annotators' deviations on single items."""
        return float(self._variances[-1] - self.fit(self._variances).fitted[0])

    @property
    def _variances(self) -> Floats:
        return np.array([thinned.spread.variance for thinned in self.thinning.pilots])


def curve_of(
    resolver: Resolver, request: Request, pilot: Pilot, *, wanted: bool, seed: int
) -> tuple[VarianceCurve | None, Note | None]:
    """Return V by ratings per item, or the reason why it is unknown.

    ``wanted`` tells whether the user requested numbers of annotators per item. If so, a model may
    complement a pilot with two ratings per item, and an error is raised if V is unknown.
    """
    thinning = thin_pilot(resolver, request, seed)
    reason = thinning.why
    modelled = has_model(pilot.problem)
    if reason is None and len(thinning.pilots) == 1 and not (wanted and modelled):
        reason = Note("two_ratings_alone" if modelled else "two_ratings")
    if reason is None and not thinning.pilots:
        reason = Note("two_ratings")
    if reason is None:
        model: Model | None = None
        shares = (0.0, 0.0) if modelled else None
        if modelled and len(thinning.pilots) < 3:
            model = model_of(resolver, pilot.problem, seed)
            shares = covariance_shares(model, pilot.items)
        return VarianceCurve(thinning, shares, pilot.spread.shared, model), None
    if wanted:
        raise IaaError(
            f"annotators per item ({keyword('per_item')}) cannot be varied on this pilot: "
            f"{say(reason, FIXED)}"
        )
    return None, reason


@dataclass(frozen=True)
class PilotReplicates:
    """Bootstrap replicates of the pilot: estimates, V and components.

    Estimates are centred on the pilot's estimate. Logarithms of V are centred on the pilot's,
    because draws with replacement from few informative items understate V.
    """

    estimate: Floats
    variance: Floats
    components: Components | None
    undefined: int
    annotator_variance: Floats

    def variances(self, ratings: float) -> tuple[Floats, Floats]:
        """Return the lowest and highest possible V at this many ratings, by replicate."""
        if self.components is None:
            return self.variance, self.variance
        return self.components.bounds(ratings)

    def between_shares(self, ratings: float) -> tuple[Floats, Floats]:
        """Return the lowest and highest possible share of V between items, by replicate."""
        if self.components is None:
            return np.zeros(0), np.zeros(0)
        return self.components.between_shares(ratings)


def replicates_of_pilot(
    pilot: Pilot, curve: VarianceCurve | None, error_model: ErrorModel, replicates: int, seed: int
) -> PilotReplicates:
    """Draw the pilot's items or clusters with replacement, to estimate its uncertainty."""
    pilots = () if curve is None else curve.thinning.pilots
    parts = [np.zeros((3 + len(pilots), 0))]
    if replicates:
        spreads = Spreads(pilot.problem, pilot.clusters, replicates)
        by_size = [thinned.variances(replicates) for thinned in pilots]
        for spread, rows in spreads.drawn(replicates, seed):
            parts.append(np.stack([*spread[:3], *(variances(rows) for variances in by_size)]))
    drawn = np.concatenate(parts, axis=1)[:, :replicates]
    defined = np.isfinite(drawn).all(axis=0)
    defined &= np.minimum(drawn[1], drawn[1] + drawn[2]) > _NOTHING
    estimate, variance, shared, *sizes = drawn[:, defined]
    if not len(estimate):
        return PilotReplicates(estimate, variance, None, int((~defined).sum()), estimate)
    annotator_variance = error_model.draw_annotators(len(estimate), seed)
    whole = variance + shared
    factor = pilot.variance / math.exp(float(np.log(whole).mean()))
    components = None
    if curve is not None:
        components = curve.fit(np.array(sizes), shared)
        largest = pilots[-1].size
        mean_log = float(np.log(np.maximum(components.variance(largest), 1e-300)).mean())
        of_pilot = float(curve.components.variance(largest))
        components = components.scale(of_pilot / math.exp(mean_log))
    return PilotReplicates(
        estimate + (pilot.estimate - estimate.mean()),
        whole * factor,
        components,
        int((~defined).sum()),
        annotator_variance,
    )


def quantiles(values: Sequence[float] | Floats, confidence: float) -> tuple[float, float]:
    """Return the ends of the middle share ``confidence`` of the values.

    Since some values are infinite, there is no interpolation.
    """
    if not len(values):
        return math.nan, math.nan
    tail = (1 - confidence) / 2
    low, high = np.quantile(values, [tail, 1 - tail], method="inverted_cdf")
    return float(low), float(high)
