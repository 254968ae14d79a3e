"""Models of the ratings that more annotators would give, and the sets of ratings they make.

Labels: each item has shares of labels of its own, of which the pilot's ratings leave a Dirichlet
posterior; the prior is fitted by maximum likelihood. Many different numbers: an item's own mean
and a normal error. New annotators are like those of the pilot: any may stand for any other.

A model gives a table of rating patterns and how likely each is. A simulated set of items is then a
row of multinomial weights on that table, which is what the bootstrap draws.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, product
from typing import Protocol

import numpy as np

from iaa_jax.analyses.plan.ladder import CodeRows, code_rows, columns_of
from iaa_jax.analyses.plan.variance import spread_of
from iaa_jax.data.patterns import Codes, exchangeable_patterns, identified_patterns
from iaa_jax.engine import Problem
from iaa_jax.engine.problem import Floats, Integers
from iaa_jax.measure.magnitude import rescale
from iaa_jax.measure.request import Resolver

MOST_CODES = 60
"""Different ratings beyond which numbers are taken as numbers, not as labels."""

_LISTED = 3000
"""Patterns that are listed with their chances; beyond, items are drawn."""

_CELLS = 1 << 24

_POOL = 4096
"""Items that are drawn where not every pattern can be listed."""

_STATISTICS = 1 << 24
"""Statistics of all items of a model beyond which nothing is simulated."""

_LEAST, _MOST = 1e-6, 1e6
"""Between what the parameters of a fitted Dirichlet stay."""


class Model(Protocol):
    """Items as the pilot's, with any number of ratings."""

    @property
    def name(self) -> str:
        """What it is called."""

    def problem(self, ratings: int, items: float) -> Problem:
        """The coefficient on all that such items may show, counts by their chance."""


def model_of(resolver: Resolver, problem: Problem, seed: int) -> Model:
    """The model that fits the ratings.

    Labels, unless there are very many; or else numbers (or labels in order), where the labels'
    own figure is off by more than a standard error of the pilot and the numbers' figure by less.
    """
    rows = code_rows(resolver.tables, problem)
    count = np.asarray(problem.table.count)
    rated = (count > 0) & (rows.codes >= 0).any(axis=1)
    codes, count = rows.codes[rated], count[rated]
    used = np.unique(codes[codes >= 0])
    number = np.full(len(rows.of_code), -1)
    number[used] = np.arange(len(used))
    of_used = _Used(problem, rows, used, number[codes], count, seed)
    labels, numbers = LabelModel(of_used), _numbers(resolver)
    if numbers is None or len(used) < 3:
        return labels
    normal = NormalModel(of_used, numbers[used])
    if len(used) > MOST_CODES:
        return normal
    pilot, items = spread_of(problem), float(count.sum())
    panel = (codes >= 0).sum(axis=1)
    ratings = max(2, round(float(np.average(panel, weights=count))))
    if problem.measure.annotators is not None:
        ratings = problem.measure.annotators

    def off(model: Model) -> float:
        return abs(spread_of(model.problem(ratings, items)).estimate - pilot.estimate)

    near = math.sqrt(pilot.variance / items)
    if too_large(problem) or off(labels) <= near or off(normal) >= off(labels):
        return labels
    return normal


def too_large(problem: Problem) -> bool:
    """Whether the statistics of a model's items would not fit."""
    return columns_of(problem) * _POOL > _STATISTICS


def _numbers(resolver: Resolver) -> Floats | None:
    """The number that each code stands for, if it does."""
    if resolver.tables.task == "value":
        return rescale(resolver.tables.distinct_numbers, "differences")[0]
    if resolver.tables.task != "single":
        return None
    labels = resolver.ratings.label.values
    if labels.dtype.kind in "iuf":
        return rescale(np.asarray(labels, dtype=np.float64), "differences")[0]
    ordered = bool(resolver.ratings.attrs.get("labels_ordered", 0))
    return np.arange(float(len(labels))) if ordered else None


@dataclass(frozen=True)
class _Used:
    """The pilot's ratings as places among the codes that occur, -1 where there is none."""

    template: Problem
    rows: CodeRows
    codes: Integers
    ratings: Integers  # (pattern, place)
    weight: Floats  # (pattern,)
    seed: int

    def problem(self, drawn: Integers, items: float) -> Problem:
        """The coefficient on items that were drawn."""
        patterns = (
            identified_patterns if self.template.measure.identified else exchangeable_patterns
        )
        distinct = patterns(Codes(drawn, len(self.codes)))
        count = distinct.count * (items / len(drawn))
        return self.rows.problem(self.template, self.codes[distinct.codes], count)

    def draws(self, ratings: int) -> np.random.Generator:
        """The random numbers of items with so many ratings."""
        return np.random.default_rng([self.seed, ratings])

    def items(self, draws: np.random.Generator) -> Integers:
        """Patterns of the pilot's items, drawn with replacement."""
        return draws.choice(len(self.weight), _POOL, p=self.weight / self.weight.sum())


@dataclass(frozen=True)
class LabelModel:
    """Each item's shares of labels from their posterior, then labels from the shares."""

    used: _Used
    name: str = "Dirichlet-multinomial"

    @cached_property
    def counts(self) -> Floats:
        """Ratings of each pattern on each label."""
        counts = np.zeros((len(self.used.ratings), len(self.used.codes)))
        item, place = np.nonzero(self.used.ratings >= 0)
        np.add.at(counts, (item, self.used.ratings[item, place]), 1.0)
        return counts

    @cached_property
    def prior(self) -> Floats:
        """Parameters of the Dirichlet prior."""
        return fit_dirichlet(self.counts, self.used.weight)

    def problem(self, ratings: int, items: float) -> Problem:
        """The coefficient on the patterns of so many ratings."""
        used = self.used
        labels, identified = len(used.codes), used.template.measure.identified
        patterns = labels**ratings if identified else math.comb(labels + ratings - 1, ratings)
        if patterns > _LISTED or patterns * self.counts.size > _CELLS:
            return used.problem(self.drawn(ratings), items)
        ways = product if identified else _in_order
        codes = np.array(list(ways(range(labels), repeat=ratings)), dtype=np.intp)
        chance = self.chances(codes)
        if not identified:
            chance = chance * _orders(codes, labels)
        return used.rows.problem(used.template, used.codes[codes], items * chance)

    def chances(self, codes: Integers) -> Floats:
        """How likely each row of labels is, in this order, for an item of the pilot."""
        posterior = self.prior + self.counts
        whole = posterior.sum(axis=1)
        seen = np.zeros((len(codes), self.counts.shape[1]))
        chance = np.ones((len(posterior), len(codes)))
        every = np.arange(len(codes))
        for place, label in enumerate(codes.T):
            chance *= (posterior[:, label] + seen[every, label]) / (whole + place)[:, None]
            seen[every, label] += 1
        return np.asarray(self.used.weight @ chance / self.used.weight.sum())

    def drawn(self, ratings: int) -> Integers:
        """Labels (item, rating) of items that are drawn."""
        draws = self.used.draws(ratings)
        shares = draws.standard_gamma(self.prior + self.counts[self.used.items(draws)])
        upto = np.cumsum(shares, axis=1)
        point = draws.random((_POOL, ratings)) * upto[:, -1:]
        labels = np.stack([(upto <= one[:, None]).sum(axis=1) for one in point.T], axis=1)
        return np.minimum(labels, upto.shape[1] - 1)


def _in_order(labels: range, repeat: int) -> combinations_with_replacement:
    return combinations_with_replacement(labels, repeat)


def _orders(codes: Integers, labels: int) -> Floats:
    """In how many orders the labels of each row can stand."""
    times = np.stack([(codes == label).sum(axis=1) for label in range(labels)], axis=1)
    factorial = np.array([math.factorial(k) for k in range(codes.shape[1] + 1)], dtype=np.float64)
    return np.asarray(factorial[-1] / factorial[times].prod(axis=1))


def fit_dirichlet(counts: Floats, weight: Floats) -> Floats:
    """Parameters of the Dirichlet-multinomial distribution that make the counts most likely."""
    from scipy.optimize import minimize
    from scipy.special import digamma, gammaln

    whole = counts.sum(axis=1)
    share = (weight @ counts) / (weight @ whole)
    items = weight.sum()

    def loss(logarithm: Floats) -> tuple[float, Floats]:
        alpha = np.exp(logarithm)
        total = alpha.sum()
        likely = gammaln(total) - gammaln(total + whole)
        likely = likely + (gammaln(alpha + counts) - gammaln(alpha)).sum(axis=1)
        of_total = digamma(total) - digamma(total + whole)
        by_alpha = of_total[:, None] + digamma(alpha + counts) - digamma(alpha)
        return -float(weight @ likely) / items, -alpha * (weight @ by_alpha) / items

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
    """Each item's mean from its normal posterior, then numbers around it."""

    used: _Used
    numbers: Floats  # (code,)
    name: str = "normal, a mean per item"

    def problem(self, ratings: int, items: float) -> Problem:
        """The coefficient on items that are drawn."""
        return self.used.problem(self.drawn(ratings), items)

    def drawn(self, ratings: int) -> Integers:
        """Numbers (item, rating) of items that are drawn: each the nearest of those that occur."""
        weight, rated = self.used.weight, self.used.ratings >= 0
        values = np.where(rated, self.numbers[self.used.ratings], 0.0)
        panel = rated.sum(axis=1)
        mean = values.sum(axis=1) / panel
        squares = np.where(rated, (values - mean[:, None]) ** 2, 0.0).sum(axis=1)
        within = float(weight @ squares) / max(float(weight @ (panel - 1)), 1e-300)
        middle = float(np.average(mean, weights=weight))
        around = float(np.average((mean - middle) ** 2, weights=weight))
        between = max(around - within * float(np.average(1 / panel, weights=weight)), 0.0)
        total = between + within / panel
        kept = np.divide(between, total, out=np.zeros_like(total), where=total > 0)
        draws = self.used.draws(ratings)
        item = self.used.items(draws)
        own = middle + kept[item] * (mean[item] - middle)
        own = own + np.sqrt(between * (1 - kept[item])) * draws.standard_normal(_POOL)
        drawn = own[:, None] + math.sqrt(within) * draws.standard_normal((_POOL, ratings))
        order = np.argsort(self.numbers)
        ascending = self.numbers[order]
        return order[np.searchsorted((ascending[1:] + ascending[:-1]) / 2, drawn)]


def covariance_shares(model: Model, items: float) -> tuple[float, float]:
    """What the model says of the covariances: t1 / t2, and the share of t1 - t0 in t2 - t1."""
    two, three, four = (spread_of(model.problem(size, items)).variance for size in (2, 3, 4))
    t1 = (3 * three - two) / 2
    t0 = 6 * four - two - 4 * t1
    first = t1 / two if two > 0 else 0.0
    share = (t1 - t0) / (two - t1) if two > t1 else 0.0
    return min(max(first, 0.0), 1.0), min(max(share, 0.0), 1.0)
