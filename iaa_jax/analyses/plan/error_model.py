"""Sampling error of a planned study: items or clusters drawn anew, and perhaps annotators."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import chdtri, fdtri, ndtri, stdtrit

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats
from iaa_jax.engine import Prepared, Problem
from iaa_jax.engine.drawing import Clusters, Purpose, stream
from iaa_jax.engine.units import leave_annotators_out
from iaa_jax.kernels.intervals import jackknife
from iaa_jax.measure.intervals.standard_errors import satterthwaite
from iaa_jax.measure.options.sampling import Sampling
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.requests.studies import with_identities
from iaa_jax.wording import keyword

_NEXT_TO_NOTHING = 1e-9


@dataclass(frozen=True)
class ErrorModel:
    """Standard errors of designs (numbers of items and ratings), and half-widths in their unit.

    For N items with m ratings each, ``SE^2 = V(m) (1 / N - 1 / population) + W m0 / m``, where V(m)
    is the variance that an item with m ratings contributes, W the variance from drawing the pilot's
    annotators anew, and m0 the pilot's ratings per item. The number of annotators is proportional
    to the ratings per item.
    """

    items: float
    ratings: float
    population: float = math.inf
    clusters: Clusters | None = None
    annotators: float = math.nan
    left_out: float = 0.0
    on_items: float = 0.0
    pilot_annotators: float = math.nan
    """Number of annotators in the pilot, if another number is planned."""

    @property
    def annotator_variance(self) -> float:
        """W, the variance from drawing the pilot's annotators anew.

        The jackknife over annotators (``left_out``) contains their deviations on single items
        (``on_items``), which the variance over items contains, too.
        """
        return max(self.left_out - self.on_items, 0.0)

    @property
    def crowd(self) -> bool:
        """Whether annotators are random, and each item is rated by only some of them."""
        return self.draws_annotators and self.annotators > self.ratings

    def with_annotators(self, number: float, ratings: float) -> ErrorModel:
        """Return the model with other numbers of annotators, and of ratings per item."""
        left_out = self.annotator_variance * self.annotators / number
        planned = replace(self, annotators=number, ratings=ratings, left_out=left_out, on_items=0.0)
        return replace(planned, pilot_annotators=self.annotators)

    def draw_annotators(self, number: int, seed: int) -> Floats:
        """Draw values of W as if it were the variance of normal values."""
        if not self.draws_annotators:
            return np.zeros(number)
        degrees = self.annotators - 1
        squares = stream(seed, Purpose.ANNOTATOR_VARIANCE).chisquare(degrees, number)
        return np.asarray(np.maximum(self.left_out * degrees / squares - self.on_items, 0.0))

    def annotator_variance_quantile(self, probability: float) -> float:
        """Return a quantile of W (see `draw_annotators`)."""
        if not self.draws_annotators:
            return 0.0
        degrees = self.annotators - 1
        squares = float(chdtri(degrees, probability))
        return max(self.left_out * degrees / squares - self.on_items, 0.0)

    @property
    def draws_annotators(self) -> bool:
        """Whether annotators are random, in addition to items."""
        return not math.isnan(self.annotators)

    @property
    def plain(self) -> bool:
        """Whether only items are random, drawn one by one."""
        return self.clusters is None and not self.draws_annotators

    def clusters_of(self, items: float) -> float:
        """Return how many clusters of the pilot's mean size hold these items."""
        number = math.nan if self.clusters is None else self.clusters.number
        return math.ceil(items * number / self.items - 1e-9) if items * number > 0 else math.nan

    def annotators_of(self, ratings: float | Floats) -> Floats:
        """Return the number of annotators for a number of ratings per item."""
        return np.asarray(self.annotators * np.asarray(ratings) / self.ratings)

    def from_annotators(self, ratings: float | Floats, of_pilot: float | Floats) -> Floats:
        """Return the variance from annotators, given W (``of_pilot``)."""
        return np.asarray(of_pilot * self.ratings / np.asarray(ratings))

    def error(self, items: Floats | float, variance: Floats | float, ratings: float) -> Floats:
        """Return the standard error."""
        per_item = np.maximum(1 / np.asarray(items, dtype=np.float64) - 1 / self.population, 0.0)
        return np.asarray(
            np.sqrt(variance * per_item + self.from_annotators(ratings, self.annotator_variance))
        )

    def reach(
        self,
        confidence: float,
        items: Floats | float,
        ratings: float,
        annotators_share: Floats | float,
    ) -> Floats:
        """Return the half-width of an interval in standard errors.

        This is a normal quantile if items are drawn one by one. With clusters or random annotators,
        it is a quantile of Student's t, with Satterthwaite's (1946) degrees of freedom.
        """
        probability = (1 + confidence) / 2
        if self.plain:
            return np.asarray(ndtri(probability))
        return np.asarray(stdtrit(self.degrees(items, ratings, annotators_share), probability))

    def widening(
        self,
        assurance: float,
        freedom: float,
        items: Floats | float,
        ratings: float,
        annotators_share: Floats | float,
    ) -> Floats:
        """Return the factor by which an interval may be wider than the pilot implies.

        ``freedom`` is the degrees of freedom of the pilot's variance over items. The ratio of a new
        sample's variance to the pilot's has an F distribution, and the factor is the square root of
        its quantile at ``assurance``.
        """
        times = np.asarray(items, dtype=np.float64) / self.items
        pilot = (
            self
            if math.isnan(self.pilot_annotators)
            else replace(self, annotators=self.pilot_annotators)
        )
        of_pilot = pilot.degrees(self.items, self.ratings, annotators_share, freedom)
        of_sample = self.degrees(items, ratings, annotators_share, freedom * times)
        return np.sqrt(fdtri(of_sample, of_pilot, assurance))

    def degrees(
        self,
        items: Floats | float,
        ratings: float,
        annotators_share: Floats | float,
        freedom: Floats | float = math.inf,
    ) -> Floats:
        """Return the degrees of freedom of the standard error.

        ``freedom`` is an upper limit for the variance over items.
        """
        share = np.asarray(annotators_share)
        of_items, of_annotators = np.asarray(freedom), np.asarray(np.inf)
        if self.clusters is not None:
            clusters = np.asarray(items) * self.clusters.number / self.items
            of_items = np.minimum(of_items, np.maximum(clusters - 1, 1.0))
        if self.draws_annotators:
            of_annotators = np.maximum(self.annotators_of(ratings) - 1, 1.0)
        combined = satterthwaite((1 - share, share), (of_items, of_annotators))
        return np.asarray(1 / (1 / combined + _NEXT_TO_NOTHING))


def variance_of_annotators(resolver: Resolver, request: Request) -> tuple[float, int]:
    """Return the variance from drawing the pilot's annotators anew, and their number.

    The variance (a jackknife's) also contains their deviations on single items.
    """
    fixed = f"say {keyword('annotators', 'fixed')}"
    if request.problem.measure.annotators is not None:
        raise IaaError(
            f"random annotators need a coefficient for any number of them: name one, or {fixed}"
        )
    problem: Problem = with_identities(resolver, request.problem)
    ((estimates, count),) = leave_annotators_out(Prepared([problem]))
    if len(count) < 3 or np.isnan(estimates).any():
        raise IaaError(
            f"this pilot does not show how annotators differ: with one of its {len(count)} "
            f"left out, nothing is left to compare; {fixed}, or add annotators"
        )
    return float(jackknife(estimates, count)) ** 2, len(count)


def refuse_sampling(random: Sampling, *, looks: bool) -> None:
    """Refuse sampling options that make no sense in a plan."""
    if random.bayesian:
        raise IaaError(
            f"a plan is for ratings that nobody has given yet, and {keyword('bayesian', True)} "
            "draws from the posterior of given ones: leave it out"
        )
    if looks and random.draws_annotators:
        raise IaaError(
            f"looks on the way ({keyword('looks')}) are for more and more items by the same "
            f"annotators: leave them out, or say {keyword('annotators', 'fixed')}"
        )
