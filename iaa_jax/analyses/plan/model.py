"""Models of the ratings that more annotators would give, and simulated sets of ratings.

For labels, each item has its own shares of labels. They have a Dirichlet posterior given the
pilot's ratings, and its prior is fitted by maximum likelihood. For numbers with many values, each
item has its own mean, and ratings have normal errors. New annotators are exchangeable with those of
the pilot.

A model lists patterns (an item's possible ratings) with their probabilities. Simulated sets of
items are multinomial weights of these patterns, as in the bootstrap.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement as multisets, product
from typing import Protocol

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.plan.thinning import CodeRows, code_rows, columns_of
from iaa_jax.analyses.plan.variance import spread_of
from iaa_jax.data.kind import Kind
from iaa_jax.data.patterns import Codes, exchangeable_patterns, identified_patterns
from iaa_jax.engine import Problem
from iaa_jax.measure.ratings.magnitude import from_middle
from iaa_jax.measure.requests.resolver import Resolver

MOST_CODES = 60
"""Maximum number of distinct numbers that are modelled as labels."""

_LISTED = 3000
"""Maximum number of listed patterns; with more, items are drawn."""

_CELLS = 1 << 24

_POOL = 4096
"""Number of items that are drawn if patterns are not listed."""

_STATISTICS = 1 << 24
"""Maximum number of statistics (terms of the formula's sums) for a simulation."""

_LEAST, _MOST = 1e-6, 1e6
"""Bounds of the parameters of a fitted Dirichlet."""


class Model(Protocol):
    """Items like the pilot's, with any number of ratings."""

    @property
    def name(self) -> str:
        """Name of the model."""

    def problem(self, ratings: int, items: float) -> Problem:
        """Return the coefficient on ``items`` items with this many ratings each."""


def has_model(problem: Problem) -> bool:
    """Return whether further annotators can be modelled; for spans, they cannot."""
    return not problem.measure.compares


def model_of(resolver: Resolver, problem: Problem, seed: int) -> Model:
    """Return the model that fits the ratings.

    Numbers and ordered labels have the normal model if there are more than `MOST_CODES` of them.
    They also have it if the coefficient under the label model is off by more than a standard error
    of the pilot, and the normal model is closer. Otherwise the label model is used.
    """
    rows = code_rows(resolver.tables, problem)
    count = np.asarray(problem.table.count)
    rated = (count > 0) & (rows.codes >= 0).any(axis=1)
    codes, count = rows.codes[rated], count[rated]
    used = np.unique(codes[codes >= 0])
    if (rank := resolver.tables.drawing_order.codes) is not None:
        used = used[np.argsort(rank[used])]
    number = np.full(resolver.tables.codes.distinct + 1, -1)  # -1, a missing rating, stays -1
    number[used] = np.arange(len(used))
    coded = _CodedPilot(problem, rows, used, number[codes], count, seed)
    labels, numbers = LabelModel(coded), _numbers(resolver)
    if numbers is None or len(used) < 3:
        return labels
    normal = NormalModel(coded, numbers[used])
    if len(used) > MOST_CODES:
        return normal
    pilot, items = spread_of(problem), float(count.sum())
    panel = (codes >= 0).sum(axis=1)
    ratings = max(2, round(float(np.average(panel, weights=count))))
    if problem.measure.annotators is not None:
        ratings = problem.measure.annotators

    def bias(model: Model) -> float:
        return abs(spread_of(model.problem(ratings, items)).estimate - pilot.estimate)

    error = math.sqrt(pilot.variance / items)
    if too_large(problem) or bias(labels) <= error or bias(normal) >= bias(labels):
        return labels
    return normal


def too_large(problem: Problem) -> bool:
    """Return whether the statistics of a model's items would not fit in memory."""
    return columns_of(problem) * _POOL > _STATISTICS


def _numbers(resolver: Resolver) -> Floats | None:
    """Return the number of each code; None if labels are neither numbers nor ordered."""
    if resolver.tables.kind is Kind.NUMBERS:
        return from_middle(resolver.tables.distinct_numbers)[0]
    if resolver.tables.kind is not Kind.LABELS:
        return None
    labels = resolver.tables.label_names
    if labels.dtype.kind in "iuf":
        return from_middle(np.asarray(labels, dtype=np.float64))[0]
    ordered = bool(resolver.tables.dataset.attrs.get("labels_ordered", 0))
    return np.arange(float(len(labels))) if ordered else None


@dataclass(frozen=True)
class _CodedPilot:
    """The pilot's ratings as indices into ``codes``, -1 for a missing rating."""

    template: Problem
    rows: CodeRows
    codes: Integers
    ratings: Integers  # (pattern, rating)
    weight: Floats  # (pattern,)
    seed: int

    def problem(self, drawn: Integers, items: float) -> Problem:
        """Return the coefficient on drawn items, whose weights sum to ``items``."""
        patterns = (
            identified_patterns if self.template.measure.identified else exchangeable_patterns
        )
        distinct = patterns(Codes(drawn, len(self.codes)))
        count = distinct.count * (items / len(drawn))
        return self.rows.problem(self.template, self.codes[distinct.codes], count)

    def draws(self, ratings: int) -> np.random.Generator:
        """Return the random stream for items with this many ratings."""
        return np.random.default_rng([self.seed, ratings])

    def items(self, draws: np.random.Generator) -> Integers:
        """Draw items of the pilot with replacement, as indices of patterns."""
        return draws.choice(len(self.weight), _POOL, p=self.weight / self.weight.sum())


@dataclass(frozen=True)
class LabelModel:
    """Draws each item's shares of labels from their posterior, then labels from the shares."""

    pilot: _CodedPilot
    name: str = "Dirichlet-multinomial"

    @cached_property
    def counts(self) -> Floats:
        """Counts of the pilot's ratings (pattern, label)."""
        counts = np.zeros((len(self.pilot.ratings), len(self.pilot.codes)))
        item, column = np.nonzero(self.pilot.ratings >= 0)
        np.add.at(counts, (item, self.pilot.ratings[item, column]), 1.0)
        return counts

    @cached_property
    def prior(self) -> Floats:
        """Parameters of the Dirichlet prior."""
        return fit_dirichlet(self.counts, self.pilot.weight)

    def problem(self, ratings: int, items: float) -> Problem:
        """Return the coefficient on all patterns of this size, or on drawn items."""
        pilot = self.pilot
        labels, identified = len(pilot.codes), pilot.template.measure.identified
        patterns = labels**ratings if identified else math.comb(labels + ratings - 1, ratings)
        if patterns > _LISTED or patterns * self.counts.size > _CELLS:
            return pilot.problem(self.draw_ratings(ratings), items)
        numbers = range(labels)
        rows = [*(product(numbers, repeat=ratings) if identified else multisets(numbers, ratings))]
        codes = np.array(rows, dtype=np.intp)
        chance = self.chances(codes)
        if not identified:
            chance = chance * _order_counts(codes, labels)
        return pilot.rows.problem(pilot.template, pilot.codes[codes], items * chance)

    def chances(self, codes: Integers) -> Floats:
        """Return the probability of each row of labels, in this order."""
        posterior = self.prior + self.counts
        totals = posterior.sum(axis=1)
        so_far = np.zeros((len(codes), self.counts.shape[1]))
        chance = np.ones((len(posterior), len(codes)))
        rows = np.arange(len(codes))
        for column, label in enumerate(codes.T):
            chance *= (posterior[:, label] + so_far[rows, label]) / (totals + column)[:, None]
            so_far[rows, label] += 1
        return np.asarray(self.pilot.weight @ chance / self.pilot.weight.sum())

    def draw_ratings(self, ratings: int) -> Integers:
        """Draw labels (item, rating) of new items."""
        draws = self.pilot.draws(ratings)
        shares = draws.standard_gamma(self.prior + self.counts[self.pilot.items(draws)])
        upper = np.cumsum(shares, axis=1)
        points = draws.random((_POOL, ratings)) * upper[:, -1:]
        labels = np.stack([(upper <= point[:, None]).sum(axis=1) for point in points.T], axis=1)
        return np.asarray(np.minimum(labels, upper.shape[1] - 1))


def _order_counts(codes: Integers, labels: int) -> Floats:
    counts = np.stack([(codes == label).sum(axis=1) for label in range(labels)], axis=1)
    factorial = np.array([math.factorial(k) for k in range(codes.shape[1] + 1)], dtype=np.float64)
    return np.asarray(factorial[-1] / factorial[counts].prod(axis=1))


def fit_dirichlet(counts: Floats, weight: Floats) -> Floats:
    """Return the parameters of a Dirichlet-multinomial distribution, by maximum likelihood."""
    from scipy.optimize import minimize
    from scipy.special import digamma, gammaln

    totals = counts.sum(axis=1)
    share = (weight @ counts) / (weight @ totals)
    items = weight.sum()

    def loss(logarithm: Floats) -> tuple[float, Floats]:
        alpha = np.exp(logarithm)
        total = alpha.sum()
        log_likelihood = gammaln(total) - gammaln(total + totals)
        log_likelihood = log_likelihood + (gammaln(alpha + counts) - gammaln(alpha)).sum(axis=1)
        of_total = digamma(total) - digamma(total + totals)
        by_alpha = of_total[:, None] + digamma(alpha + counts) - digamma(alpha)
        return -float(weight @ log_likelihood) / items, -alpha * (weight @ by_alpha) / items

    bounds = [(math.log(_LEAST), math.log(_MOST))] * len(share)
    fits = [
        minimize(
            loss,
            np.log(np.clip(size * share, _LEAST, _MOST)),
            jac=True,
            method="L-BFGS-B",
            bounds=bounds,
        )
        for size in (0.5, 3.0, 30.0)
    ]
    return np.asarray(np.exp(min(fits, key=lambda fit: float(fit.fun)).x))


@dataclass(frozen=True)
class NormalModel:
    """The normal model: draws an item's mean from its posterior, and numbers around it."""

    pilot: _CodedPilot
    numbers: Floats  # (code,)
    name: str = "normal, a mean per item"

    def problem(self, ratings: int, items: float) -> Problem:
        """Return the coefficient on drawn items."""
        return self.pilot.problem(self.draw_ratings(ratings), items)

    def draw_ratings(self, ratings: int) -> Integers:
        """Draw codes (item, rating) of the nearest numbers that occur."""
        weight, rated = self.pilot.weight, self.pilot.ratings >= 0
        values = np.where(rated, self.numbers[self.pilot.ratings], 0.0)
        panel = rated.sum(axis=1)
        mean = values.sum(axis=1) / panel
        squares = np.where(rated, (values - mean[:, None]) ** 2, 0.0).sum(axis=1)
        within = float(weight @ squares) / max(float(weight @ (panel - 1)), 1e-300)
        middle = float(np.average(mean, weights=weight))
        observed = float(np.average((mean - middle) ** 2, weights=weight))
        between = max(observed - within * float(np.average(1 / panel, weights=weight)), 0.0)
        total = between + within / panel
        shrinkage = np.divide(between, total, out=np.zeros_like(total), where=total > 0)
        draws = self.pilot.draws(ratings)
        item = self.pilot.items(draws)
        means = middle + shrinkage[item] * (mean[item] - middle)
        means = means + np.sqrt(between * (1 - shrinkage[item])) * draws.standard_normal(_POOL)
        drawn = means[:, None] + math.sqrt(within) * draws.standard_normal((_POOL, ratings))
        order = np.argsort(self.numbers)
        ascending = self.numbers[order]
        return np.asarray(order[np.searchsorted((ascending[1:] + ascending[:-1]) / 2, drawn)])


def covariance_shares(model: Model, items: float) -> tuple[float, float]:
    """Return t1 / t2 and (t1 - t0) / (t2 - t1) under the model.

    Here t2, t1 and t0 are the covariances of two pairs of ratings of an item that share two, one or
    no ratings.
    """
    v2, v3, v4 = (spread_of(model.problem(size, items)).variance for size in (2, 3, 4))
    t1 = (3 * v3 - v2) / 2
    t0 = 6 * v4 - v2 - 4 * t1
    ratio = t1 / v2 if v2 > 0 else 0.0
    share = (t1 - t0) / (v2 - t1) if v2 > t1 else 0.0
    return min(max(ratio, 0.0), 1.0), min(max(share, 0.0), 1.0)
