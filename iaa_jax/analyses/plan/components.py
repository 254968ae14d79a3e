"""Variance components of ratings, by item, annotator, their interaction and the rest.

The components are estimated by Henderson's method I. Let S be the sum of the n ratings of a group.
The sums ``T = sum S^2 / n`` over items, annotators, cells (item and annotator) and the whole, and
the sum of squares, are set equal to their expectations under ``x = mean + item + annotator +
interaction + rest`` with uncorrelated terms. In several dimensions, squares are squared lengths.

Ratings are points, and the disagreement of two ratings is their squared distance. A number is its
own point. Labels with disagreements ``D`` become points by the classical scaling of Gower (1966):
the eigenvectors of ``-C D C / 2``, where C is the centring matrix. If D is not a squared distance,
the dimensions of negative eigenvalues count negatively.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Integers
from iaa_jax.data.kind import Kind
from iaa_jax.kernels.intervals import jackknife
from iaa_jax.kernels.label_agreement import ratio_distance
from iaa_jax.measure.ratings.magnitude import from_middle, rescale
from iaa_jax.measure.requests.level import level_of
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.wording import keyword

COMPONENTS = ("item", "annotator", "interaction", "rest")

_NOTHING = 1e-9
"""Maximum count of ratings that is only a rounding error."""

_SINGULAR = 1e-10
"""Maximum determinant that counts as 0, with rows of length 1."""

MOST_LABELS = 1000
"""Maximum number of labels to compare pair by pair."""

_NO_PART = 1e-12
"""Maximum eigenvalue that is only a rounding error, relative to the largest."""


@dataclass(frozen=True)
class Cells:
    """Ratings in cells: all ratings of an item by one annotator are in one cell."""

    codes: Integers  # (rating,)
    cell: Integers  # (rating,)
    item: Integers  # (cell,)
    annotator: Integers  # (cell,)
    count: Floats  # (item,) number of items with the same ratings

    @cached_property
    def size(self) -> Floats:
        """Number of ratings in each cell."""
        return _sums_by(self.cell, np.ones(len(self.cell)))

    @property
    def repeated(self) -> int:
        """Number of cells with several ratings."""
        return int(self.weight[self.size > 1].sum())

    @cached_property
    def weight(self) -> Floats:
        """Number of items that each cell stands for."""
        return self.count[self.item]

    @property
    def annotators(self) -> int:
        """Number of annotators."""
        return int(self.annotator.max()) + 1

    @property
    def ratings(self) -> float:
        """Number of ratings."""
        return float(self.weight @ self.size)


def cells_of(codes: Integers, item: Integers, annotator: Integers, count: Floats) -> Cells:
    """Return ratings sorted into cells."""
    rated, item = np.unique(item, return_inverse=True)
    names, annotator = np.unique(annotator, return_inverse=True)
    key, cell = np.unique(item * len(names) + annotator, return_inverse=True)
    return Cells(codes, cell, *np.divmod(key, len(names)), count[rated])


@dataclass(frozen=True)
class Estimates:
    """Components of the full sample, and without each item and each annotator."""

    whole: Floats  # (component,)
    without_item: Floats  # (item, component)
    without_annotator: Floats  # (annotator, component)

    def errors(self, count: Floats) -> tuple[Floats, Floats]:
        """Return jackknife standard errors over items, and over annotators."""
        number = np.ones(len(self.without_annotator))
        return (
            np.asarray(jackknife(self.without_item, count)),
            np.asarray(jackknife(self.without_annotator, number)),
        )


def estimate(cells: Cells, points: _RatingPoints) -> Estimates:
    """Estimate the `COMPONENTS`; without repeated ratings, there is no interaction."""
    sums = _Sums(cells)
    observed = np.zeros(sums.expected.shape[:2])
    weight = cells.weight[cells.cell]
    for sign, numbers in points.dimensions(cells.codes):
        observed += sign * sums.observed(numbers - (weight @ numbers) / weight.sum())
    components = _solved(sums.expected, observed)
    items = len(cells.count)
    return Estimates(components[0], components[1 : items + 1], components[items + 1 :])


def _solved(expected: Floats, observed: Floats) -> Floats:
    """Return the solution of each system of equations; NaN if it is not identified."""
    length = np.linalg.norm(expected, axis=2)
    # with one annotator per item, or one item per annotator, an equation reads 0 = 0
    length = np.where(length > 0, length, 1.0)
    scaled, right = expected / length[..., None], observed / length
    regular = np.abs(np.linalg.det(scaled)) > _SINGULAR
    solved = np.full(observed.shape, np.nan)
    solved[regular] = np.linalg.solve(scaled[regular], right[regular][..., None])[..., 0]
    return solved


class _Sums:
    """Sums over the full sample, and without each item and each annotator.

    Results are (1 + items + annotators, ...), in this order.
    """

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self._repeated = bool((cells.size > 1).any())
        self._ratings = self._all(cells.size)

    @cached_property
    def expected(self) -> Floats:
        """Coefficients of the components in the expectation of each equation."""
        size, ratings = self._cells.size, self._ratings
        one = np.ones_like(size)
        in_all = [
            self._items(size, 2, divide=False) / ratings,
            self._annotators(size, 2, divide=False) / ratings,
            self._all(size**2) / ratings,
            np.ones_like(ratings),
        ]
        in_item, in_annotator = self._items(size**2, 1), self._annotators(size**2, 1)
        return self._equations(
            np.stack([ratings, ratings, ratings, ratings], axis=-1),
            np.stack([ratings, ratings, ratings, self._all(one)], axis=-1),
            np.stack([ratings, in_item, in_item, self._items(size, 1)], axis=-1),
            np.stack([in_annotator, ratings, in_annotator, self._annotators(size, 1)], axis=-1),
            np.stack(in_all, axis=-1),
        )

    def observed(self, x: Floats) -> Floats:
        """Return the observed sides of the equations for a number per rating."""
        cells = self._cells
        total = _sums_by(cells.cell, x)
        return self._equations(
            self._all(_sums_by(cells.cell, x * x)),
            self._all(total**2 / cells.size),
            self._items(total, 2),
            self._annotators(total, 2),
            self._all(total) ** 2 / self._ratings,
        )

    def _equations(
        self, squares: Floats, cells: Floats, items: Floats, annotators: Floats, mean: Floats
    ) -> Floats:
        parts = [cells - mean, cells - items, cells - annotators]
        if self._repeated:
            return np.stack([*parts, squares - cells], axis=1)
        stacked = np.stack(parts, axis=1)
        return stacked[..., [0, 1, 3]] if stacked.ndim > 2 else stacked

    def _all(self, of_cells: Floats) -> Floats:
        cells = self._cells
        weighted = cells.weight * of_cells
        whole = weighted.sum()
        items = _sums_by(cells.item, of_cells)
        return np.concatenate([[whole], whole - items, whole - _sums_by(cells.annotator, weighted)])

    def _items(self, of_cells: Floats, power: int, *, divide: bool = True) -> Floats:
        """Sum ``(sum of cells)^power`` over items, divided by the item's ratings if ``divide``."""
        cells = self._cells
        total, ratings = (_sums_by(cells.item, x) for x in (of_cells, cells.size))
        part = _part(total, ratings, power, divide=divide)
        whole = cells.count @ part
        rest = _part(
            total[cells.item] - of_cells, ratings[cells.item] - cells.size, power, divide=divide
        )
        change = _sums_by(cells.annotator, cells.weight * (rest - part[cells.item]))
        return np.concatenate([[whole], whole - part, whole + change])

    def _annotators(self, of_cells: Floats, power: int, *, divide: bool = True) -> Floats:
        """Sum ``(sum of cells)^power`` over annotators, divided by their ratings if ``divide``."""
        cells = self._cells
        of = cells.annotator
        total, ratings = (_sums_by(of, cells.weight * x) for x in (of_cells, cells.size))
        part = _part(total, ratings, power, divide=divide)
        rest = _part(total[of] - of_cells, ratings[of] - cells.size, power, divide=divide)
        change = _sums_by(cells.item, rest - part[of])
        whole = part.sum()
        return np.concatenate([[whole], whole + change, whole - part])


def _part(total: Floats, ratings: Floats, power: int, *, divide: bool) -> Floats:
    by = ratings if divide else np.ones_like(ratings)
    return np.divide(total**power, by, out=np.zeros_like(by), where=ratings > _NOTHING)


def _sums_by(group: Integers, of: Floats) -> Floats:
    return np.bincount(group, of).astype(np.float64)


@dataclass(frozen=True)
class _RatingPoints:
    """Coordinates by code of the rating; ``sign`` is -1 for dimensions that count negatively.

    Times 2^``power``, coordinates are in the unit of the ratings.
    """

    coordinates: Floats  # (code, dimension)
    sign: Floats  # (dimension,)
    distance: str
    power: int = 0

    def dimensions(self, codes: Integers) -> Iterator[tuple[float, Floats]]:
        """Yield the sign of each dimension, and the coordinates of the ratings on it."""
        for sign, coordinates in zip(self.sign.tolist(), self.coordinates.T, strict=True):
            yield sign, coordinates[codes]


def points_of(resolver: Resolver, codes: Integers, weight: Floats) -> _RatingPoints:
    """Return the coordinates of ratings by the label options, given the weight of each rating."""
    options, tables = resolver.options, resolver.tables
    level = options.level or ("" if resolver.weights_given else level_of(resolver))
    if tables.kind is Kind.NUMBERS:
        numbers = tables.distinct_numbers
        numbers, power = _moderate(level, numbers)
        coordinates, sign = _number_points(level, numbers, _count(codes, weight, len(numbers)))
        return _RatingPoints(coordinates, sign, level, power)
    power = 0
    # labels are points; a rating of several labels lies between their points
    if level in ("ordinal", "interval", "ratio"):
        labels = np.arange(tables.label_count) if level == "ordinal" else tables.labels
        count = _count(codes, weight, len(labels))
        if tables.kind is Kind.DOUBLES:
            _refuse_many(len(labels))
            mixed = _mixed(resolver, np.eye(len(labels)))
            count = _count(codes, weight, len(mixed)) @ mixed
        numbers, power = _moderate(level, labels.astype(np.float64))
        coordinates, sign = _number_points(level, numbers, count)
    else:
        _refuse_many(tables.label_count)
        known = None if level else resolver.label_agreements.matrix(None)
        agreement = np.eye(tables.label_count) if known is None else (known + known.T) / 2
        coordinates, sign = scaled(1 - agreement)
    distance = level or resolver.label_agreements.used(None)
    return _RatingPoints(_mixed(resolver, coordinates), sign, distance, power)


def _moderate(level: str, numbers: Floats) -> tuple[Floats, int]:
    """Rescale numbers so that squares keep their digits; return the power of two to undo it."""
    if level == "interval":
        return from_middle(numbers)
    return (rescale(numbers, "ratios")[0] if level == "ratio" else numbers), 0


def _count(codes: Integers, weight: Floats, distinct: int) -> Floats:
    return np.bincount(codes, weight, minlength=distinct).astype(np.float64)


def _mixed(resolver: Resolver, coordinates: Floats) -> Floats:
    """Return the mean coordinates of the labels of each code (distinct rating)."""
    tables = resolver.tables
    if tables.kind is Kind.SHARES:
        return np.asarray(tables.distinct_masses @ coordinates)
    if tables.kind is Kind.DOUBLES:
        # codes run over primary labels, then over no or one secondary label
        primary, secondary = coordinates[:, None], coordinates[None]
        both = tables.p * primary + (1 - tables.p) * secondary
        return np.asarray(np.concatenate([primary, both], axis=1).reshape(-1, coordinates.shape[1]))
    return coordinates


def _number_points(level: str, numbers: Floats, count: Floats) -> tuple[Floats, Floats]:
    if level == "interval":
        return numbers[:, None], np.ones(1)
    if level == "ordinal":
        ranks = (np.cumsum(count) - count / 2) / count.sum()
        return ranks[:, None], np.ones(1)
    _refuse_many(len(numbers))
    if level == "ratio":
        return scaled(np.asarray(ratio_distance(numbers)))
    return scaled(1 - np.eye(len(numbers)))


def _refuse_many(labels: int) -> None:
    if labels > MOST_LABELS:
        raise IaaError(
            f"{labels:,} different labels are too many to compare each with each (up to "
            f"{MOST_LABELS:,}): merge rare ones, or, if they are numbers, say "
            f"{keyword('level', 'interval')} or {keyword('level', 'ordinal')}"
        )


def scaled(distance: Floats) -> tuple[Floats, Floats]:
    """Return coordinates for a matrix of squared distances, and the sign of each dimension.

    Examples
    --------
    >>> coordinates, sign = scaled(np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 1.0], [4.0, 1.0, 0.0]]))
    >>> sign.tolist(), np.abs(np.diff(coordinates[:, 0])).round(6).tolist()
    ([1.0], [1.0, 1.0])
    """
    centred = distance - distance.mean(axis=0)
    centred = centred - centred.mean(axis=1, keepdims=True)
    value, vector = np.linalg.eigh(-centred / 2)
    kept = np.abs(value) > _NO_PART * max(np.abs(value).max(initial=0.0), 1e-300)
    return vector[:, kept] * np.sqrt(np.abs(value[kept])), np.sign(value[kept])
