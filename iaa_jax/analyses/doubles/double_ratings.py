"""Agreement on items, and agreement expected by chance, for ratings with secondary labels.

Both depend on p, the share of the primary label in a rating with two labels (a *double*).
Agreement is nominal here (two labels are equal or not), except in
`DoubleRatings.self_disagreement`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from iaa_jax._checks import MOST_POINTS, is_whole
from iaa_jax._errors import IaaError
from iaa_jax._types import Floats
from iaa_jax.catalog import CATALOG, Measure
from iaa_jax.data.kind import Kind, kind_of
from iaa_jax.data.patterns import Patterns
from iaa_jax.engine import Prepared, Problem
from iaa_jax.engine.sweep import lagrange_basis, nodes_for
from iaa_jax.kernels.counts import pair_disagreement, weighted_ratings
from iaa_jax.kernels.raters import Raters
from iaa_jax.measure import LabelOptions
from iaa_jax.measure.ratings.limits import too_large
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.wording import keyword

AUGMENTED, ANONYMOUS = "augmented_kappa", "fleiss_kappa"
"""Coefficients whose expected agreement is used for single items: augmented kappa, or Fleiss' kappa
if annotators are unknown or too many."""

_NODES = nodes_for(2)


@dataclass(frozen=True)
class WithoutDoubles:
    """The requirement that ratings have secondary labels, without which nothing depends on p."""

    figure: str
    kind: ClassVar[str] = "ratings without secondary labels"

    def reason(self, ratings: Any) -> str:
        """Return why nothing depends on p; "" if something does, or for data other than ratings."""
        kind = kind_of(ratings.attrs)
        if kind is Kind.DOUBLES and (ratings.variables["secondary"].values >= 0).any():
            return ""
        if kind is None:
            return ""  # another error reports that these are not ratings
        reasons = {
            Kind.DOUBLES: "no rating has a secondary label",
            Kind.LABELS: (
                "these ratings have one label each: if there is a second, name it with "
                + keyword("secondary")
            ),
            Kind.SHARES: "these masses are fixed: compute them for each p, as from_ranked does",
            Kind.SETS: "the labels of a set are not ranked: no label is the primary one",
            Kind.NUMBERS: "these ratings are numbers without labels",
            Kind.SPANS: "a span has one label",
        }
        return f"{self.figure} would be the same at every p, because {reasons[kind]}"


def grid_of(p: object) -> Floats:
    """Return the given values of p, sorted; a whole number above 1 is a number of points."""
    if is_whole(p) and p != 1:
        number = int(p)
        points = np.linspace(0.5, 1.0, number) if 1 < number <= MOST_POINTS else np.zeros(0)
    else:
        values = np.atleast_1d(np.asarray(p, dtype=object))
        numeric = all(isinstance(x, Real) and not isinstance(x, bool) for x in values.flat)
        points = values.astype(np.float64) if numeric else np.zeros(0)
    if points.ndim != 1 or not points.size or not ((points >= 0.5) & (points <= 1)).all():
        raise IaaError(
            f"p must be a number of points (2 to {MOST_POINTS:,}) or the points, each a share of "
            f"the primary label between 0.5 and 1, not {p!r}"
        )
    if len(np.unique(points)) < len(points):
        raise IaaError(f"p has the same value twice: {p!r}")
    return np.sort(points)


class DoubleRatings:
    """Agreement on each pattern (items with equal ratings), and chance agreement, at any p."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self.tables = resolver.tables
        self.labels = self.tables.label_count

    @property
    def patterns(self) -> Patterns:
        """The distinct combinations of ratings of an item, whoever gave them."""
        return self.tables.exchangeable

    @cached_property
    def count(self) -> Floats:
        """Number of items with each pattern."""
        return np.asarray(self.patterns.count, dtype=np.float64)

    @cached_property
    def paired(self) -> NDArray[np.bool_]:
        """Whether each pattern has two or more ratings."""
        return np.asarray((self.patterns.codes >= 0).sum(axis=1) >= 2)

    @cached_property
    def item_pattern(self) -> NDArray[np.intp]:
        """The pattern of each item."""
        return self.patterns.pattern_of[self.tables.identified.pattern_of]

    @cached_property
    def primary(self) -> NDArray[np.integer]:
        """The primary label (pattern, rating); -1 without a rating."""
        codes = self.patterns.codes
        return np.where(codes >= 0, codes // (self.labels + 1), -1)

    @cached_property
    def secondary(self) -> NDArray[np.integer]:
        """The secondary label (pattern, rating); -1 without one."""
        codes = self.patterns.codes
        return np.where(codes >= 0, codes % (self.labels + 1) - 1, -1)

    @property
    def ratings_with_two(self) -> float:
        """Number of ratings with two labels."""
        return float((self.secondary >= 0).sum(axis=1) @ self.count)

    @property
    def ratings(self) -> float:
        """Number of all ratings."""
        return float((self.primary >= 0).sum(axis=1) @ self.count)

    def self_disagreement(self, disagreement: Floats | None, over: str) -> float:
        """Return the mean disagreement of ratings with themselves, divided by p (1 - p).

        If ``over`` is "ratings", the mean is over all ratings of items with two or more ratings;
        otherwise it is over the ratings of each such item, and then over these items.
        """
        matrix = 1.0 - np.eye(self.labels) if disagreement is None else disagreement
        of_two = (matrix + matrix.T)[self.primary, self.secondary]
        of_ratings = np.where(self.secondary >= 0, of_two, 0.0)
        ratings = (self.primary >= 0).sum(axis=1)[self.paired]
        of_items = of_ratings.sum(axis=1)[self.paired] / ratings
        weight = self.count[self.paired] * (ratings if over == "ratings" else 1)
        return float(of_items @ weight / weight.sum()) if weight.sum() else float("nan")

    def agreement(self, p: Floats) -> Floats:
        """Return A_i(p), the mean agreement of the pairs of an item's ratings: (pattern, p)."""
        at_nodes, raters = [], Raters(np.ones(self.patterns.codes.shape[1]))
        for node in _NODES:
            weighted = weighted_ratings(self._mass(node), raters)
            at_nodes.append(1 - pair_disagreement(weighted, None))
        agreement = np.stack(at_nodes, axis=1) @ lagrange_basis(_NODES, p).T
        return np.where(self.paired[:, None], agreement, np.nan)

    def cosine(self, p: float) -> Floats:
        """Return the mean cosine of the pairs of an item's ratings: (pattern,)."""
        mass = self._mass(p)
        unit = np.nan_to_num(mass / np.sqrt((mass**2).sum(axis=-1, keepdims=True)))
        of_item = unit.sum(axis=1)
        ratings = (self.patterns.codes >= 0).sum(axis=1)
        pairs = np.where(self.paired, ratings * (ratings - 1), 1)
        squared_lengths = (unit**2).sum(axis=(1, 2))
        return np.where(self.paired, ((of_item**2).sum(axis=1) - squared_lengths) / pairs, np.nan)

    def chance(self, p: Floats) -> Floats:
        """Return E(p), the chance agreement of all ratings: (p,)."""
        at_nodes = np.array([self._chance(float(node)) for node in _NODES])
        return np.asarray(lagrange_basis(_NODES, p) @ at_nodes)

    @cached_property
    def _identified(self) -> bool:
        too_many = too_large(self.tables, CATALOG[AUGMENTED].measure)
        return not (self.resolver.anonymous or too_many)

    @property
    def chance_name(self) -> str:
        """The coefficient whose expected agreement `chance` returns."""
        return AUGMENTED if self._identified else ANONYMOUS

    def problem(self, p: float) -> Problem:
        """Return the problem (formula and data) of the coefficient `chance_name` at one p."""
        return resolver_at(self.resolver, p).request(self.chance_name).problem

    def _chance(self, p: float) -> float:
        problem = self.problem(p)
        sums = Prepared([problem]).summed(problem)
        if not self._identified:
            return float(((sums.proportions / sums.rated) ** 2).sum())
        # the mean over pairs of annotators with enough common items
        enough = sums.shared > problem.options["min_common"] - 0.5
        shared = np.where(enough, sums.shared, 1.0)
        of_pairs = (sums.first * sums.second).sum(axis=1) / shared**2
        return float(of_pairs[enough].mean()) if enough.any() else float("nan")

    def _mass(self, p: float) -> Floats:
        return self.tables.at(p).mass(_EXCHANGEABLE)


_EXCHANGEABLE: Measure = CATALOG[ANONYMOUS].measure


def resolver_at(resolver: Resolver, p: float) -> Resolver:
    """Return a resolver for another p, on the same patterns of ratings."""
    return Resolver(resolver.tables, replace(resolver.options, p=p))


def doubles_of(ratings: Rated, options: LabelOptions) -> DoubleRatings:
    """Return the `DoubleRatings` of ratings."""
    return DoubleRatings(Resolver(ratings, options))


def beyond_chance(agreement: Floats, expected: Floats | float) -> Floats:
    """Return agreement corrected for chance; NaN if the expected agreement is 1."""
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = (agreement - expected) / (1 - np.asarray(expected))
    return np.where(np.isfinite(estimate), estimate, np.nan)
