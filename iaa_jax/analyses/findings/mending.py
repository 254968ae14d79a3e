"""Compute the coefficient of ratings in which causes of disagreement were mended."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.findings.long_ratings import LongRatings, shared_of_sets
from iaa_jax.data.kind import Kind
from iaa_jax.data.marked.documents import Markings
from iaa_jax.kernels.intervals import normal
from iaa_jax.measure.options.label_options import LabelOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.studies import one_coefficient
from iaa_jax.measure.shared.item_influence import influence_by_item
from iaa_jax.measure.shared.times import Times


def as_numbers(rated: Rated, options: LabelOptions) -> Rated:
    """Return labels on an interval or ratio scale as numbers."""
    labels = rated.label_names
    measured = options.level in ("interval", "ratio") and rated.kind is Kind.LABELS
    if not measured or labels.dtype.kind not in "iuf":
        return rated
    codes = rated.codes.codes
    numbers = np.append(labels.astype(np.float64), np.nan)[codes]
    return rated.with_numbers(numbers)


def long_ratings_of(resolver: Resolver, times: Times | None = None) -> LongRatings:
    """Return a long table of the ratings, with their times."""
    rated = resolver.tables
    codes = rated.codes
    rows, _, annotators = codes.ratings()
    moments = None
    if times is not None:
        position = times.each if times.each is not None else times.position[:, None]
        moments = np.broadcast_to(position, codes.codes.shape)[codes.codes >= 0]
    code = codes.codes[codes.codes >= 0].astype(np.int64)
    ratings = LongRatings(
        item=rows,
        annotator=annotators.astype(np.int64),
        code=code,
        place=np.arange(len(rows)),
        weight=rated.item_weight,
        annotators=rated.annotators,
        codes=codes.distinct,
        similarity=_similarity(resolver),
        numbers=_in_units(rated) if rated.kind is Kind.NUMBERS else None,
        moments=moments,
        are_labels=rated.kind is Kind.LABELS,
    )
    if rated.kind is Kind.SPANS:
        return ratings.marked(ratings.code, rated.spans.markings)
    if rated.kind is Kind.SETS:
        return replace(ratings, masses=rated.distinct_masses)
    return ratings


def _middle(rated: Rated) -> float:
    """Return an origin for numbers, with which squares keep their digits."""
    numbers = rated.distinct_numbers
    return float(numbers[len(numbers) // 2])


def unit_of(rated: Rated) -> float:
    """Return a power of two near the numbers' range: a unit that avoids overflow and underflow."""
    numbers = rated.distinct_numbers
    width = float(numbers[-1] - numbers[0])
    return 2.0 ** np.floor(np.log2(width)) if width > 0 else 1.0


def _in_units(rated: Rated) -> Floats:
    return np.asarray((rated.distinct_numbers - _middle(rated)) / unit_of(rated))


def _similarity(resolver: Resolver) -> Floats | None:
    """Return the agreement of codes; None for numbers and spans, and if only equal codes agree."""
    rated = resolver.tables
    if rated.kind is Kind.LABELS:
        return resolver.label_agreements.matrix(None)
    if rated.kind in (Kind.NUMBERS, Kind.SPANS):
        return None
    if rated.kind is Kind.DOUBLES:  # primary labels decide
        labels = np.arange(rated.codes.distinct) // (rated.label_count + 1)
        return np.equal.outer(labels, labels).astype(np.float64)
    return shared_of_sets(rated.distinct_masses)


@dataclass(frozen=True)
class Measured:
    """The coefficient of some ratings, and the influence of each item on it."""

    resolver: Resolver
    request: Request
    estimate: float
    influence: Floats  # (item,)

    @classmethod
    def of(cls, resolver: Resolver, coefficient: CoefficientLike | None) -> Measured:
        """Return the coefficient of the resolver's ratings, and influences."""
        request = one_coefficient(resolver, coefficient)
        influence, _, whole = influence_by_item(resolver, request)
        return cls(resolver, request, float(whole.estimate), np.asarray(influence))

    def gain_on(
        self, before: Measured, confidence: float, clusters: Integers | None = None
    ) -> tuple[float, float, float, float]:
        """Return the gain over other ratings of the same items, its standard error and interval."""
        gain = self.estimate - before.estimate
        weight = self.resolver.tables.item_weight
        number = weight.sum()
        moved = self.influence - before.influence
        squares = float(weight @ moved**2)
        if clusters is not None:
            squares = float((np.bincount(clusters, weight * moved) ** 2).sum())
        error = float(np.sqrt(squares / (number * max(number - 1, 1))))
        low, high = normal(np.float64(gain), np.float64(error), confidence)
        return gain, error, float(low), float(high)


def mended(rated: Rated, ratings: LongRatings) -> Rated:
    """Return ``rated`` with the codes of mended ``ratings``."""
    codes = rated.codes
    flat: Integers = np.full(np.count_nonzero(codes.codes >= 0), -1)
    flat[ratings.place] = ratings.code
    meaning: Floats | Markings | None = ratings.masses
    if ratings.numbers is not None:
        meaning = ratings.numbers * unit_of(rated) + _middle(rated)
    elif ratings.markings is not None:
        meaning = ratings.markings
    grid = np.full(codes.codes.shape, -1, dtype=np.int64)
    grid[codes.codes >= 0] = flat
    return rated.with_ratings(replace(codes, codes=grid, distinct=ratings.codes), meaning)
