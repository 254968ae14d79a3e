"""Variance components of ratings, by item, annotator, their interaction and the rest.

Henderson's method I: with S the sum of the n ratings of a group, the sums ``T = sum S^2 / n`` over
items, annotators, cells (item and annotator) and all, and the sum of squares, are set equal to
their expectations in ``x = mean + item + annotator + interaction + rest``, all uncorrelated. Sums
over dimensions are those of squared distances. An item that counts for several is so many items.

Ratings are points, and a disagreement is the squared distance of two. A number is its own point. Of
labels with disagreements ``D`` the points are the classical scaling of Gower (1966): the
eigenvectors of ``-C D C / 2``, C the centring matrix. Where D is no squared distance some
eigenvalues are below 0, and these dimensions count negatively.
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
"""Ratings, counted by items, that rounding leaves of none."""

_SINGULAR = 1e-10
"""A determinant that rounding leaves of 0, of rows of length 1."""

MOST_LABELS = 1000
"""Labels beyond which they are not laid out pair by pair."""

_NO_PART = 1e-12
"""A share of the largest eigenvalue that rounding leaves of none."""


@dataclass(frozen=True)
class Cells:
    """The ratings in order of their cells, and the cells: an annotator's ratings of an item.

    A cell has several ratings where the annotator rated the item again.
    """

    codes: Integers  # (rating,)
    cell: Integers  # (rating,)
    item: Integers  # (cell,)
    annotator: Integers  # (cell,)
    count: Floats  # (item,) for how many each stands

    @cached_property
    def size(self) -> Floats:
        """Ratings of each cell."""
        return _sums_by(self.cell, np.ones(len(self.cell)))

    @property
    def repeated(self) -> int:
        """Cells, counted for each item, with several ratings."""
        return int(self.weight[self.size > 1].sum())

    @cached_property
    def weight(self) -> Floats:
        """For how many items each cell stands."""
        return self.count[self.item]

    @property
    def annotators(self) -> int:
        """How many there are."""
        return int(self.annotator.max()) + 1

    @property
    def ratings(self) -> float:
        """How many there are in all."""
        return float(self.weight @ self.size)


def cells_of(codes: Integers, item: Integers, annotator: Integers, count: Floats) -> Cells:
    """Ratings (codes, with the item and the annotator of each) as cells."""
    rated, item = np.unique(item, return_inverse=True)
    names, annotator = np.unique(annotator, return_inverse=True)
    key, cell = np.unique(item * len(names) + annotator, return_inverse=True)
    return Cells(codes, cell, *np.divmod(key, len(names)), count[rated])


@dataclass(frozen=True)
class Estimates:
    """Components of the whole, and without one item or annotator at a time."""

    whole: Floats  # (component,)
    without_item: Floats  # (item, component)
    without_annotator: Floats  # (annotator, component)

    def errors(self, count: Floats) -> tuple[Floats, Floats]:
        """Standard errors from items and from annotators, by the jackknife of each."""
        number = np.ones(len(self.without_annotator))
        return (
            np.asarray(jackknife(self.without_item, count)),
            np.asarray(jackknife(self.without_annotator, number)),
        )


def estimate(cells: Cells, points: _RatingPoints) -> Estimates:
    """The components, in the order of `COMPONENTS`; where nothing repeats, all but interaction."""
    sums = _Sums(cells)
    found = np.zeros(sums.expected.shape[:2])
    weight = cells.weight[cells.cell]
    for sign, numbers in points.dimensions(cells.codes):
        found += sign * sums.found(numbers - (weight @ numbers) / weight.sum())
    components = _solved(sums.expected, found)
    items = len(cells.count)
    return Estimates(components[0], components[1 : items + 1], components[items + 1 :])


def _solved(expected: Floats, found: Floats) -> Floats:
    """Components of each row of equations; NaN where they cannot be told apart."""
    length = np.linalg.norm(expected, axis=2)
    # without two annotators of an item, or two items of an annotator, an equation is 0 = 0
    length = np.where(length > 0, length, 1.0)
    scaled, right = expected / length[..., None], found / length
    told = np.abs(np.linalg.det(scaled)) > _SINGULAR
    solved = np.full(found.shape, np.nan)
    solved[told] = np.linalg.solve(scaled[told], right[told][..., None])[..., 0]
    return solved


class _Sums:
    """Sums over all ratings, over all but one of each item's copies, and all but each annotator's.

    Arrays are (1 + items + annotators, ...), in this order.
    """

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self._repeated = bool((cells.size > 1).any())
        self._ratings = self._all(cells.size)

    @cached_property
    def expected(self) -> Floats:
        """The share of each component in the expectation of each equation."""
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

    def found(self, x: Floats) -> Floats:
        """The equations' other side, of a number for each rating."""
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
        """The sum over all cells."""
        cells = self._cells
        weighted = cells.weight * of_cells
        whole = weighted.sum()
        items = _sums_by(cells.item, of_cells)
        return np.concatenate([[whole], whole - items, whole - _sums_by(cells.annotator, weighted)])

    def _items(self, of_cells: Floats, power: int, *, divide: bool = True) -> Floats:
        """The sum over items of ``(sum of cells)^power``, by the item's ratings if ``divide``."""
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
        """The same over annotators."""
        cells = self._cells
        of = cells.annotator
        total, ratings = (_sums_by(of, cells.weight * x) for x in (of_cells, cells.size))
        part = _part(total, ratings, power, divide=divide)
        rest = _part(total[of] - of_cells, ratings[of] - cells.size, power, divide=divide)
        change = _sums_by(cells.item, rest - part[of])
        whole = part.sum()
        return np.concatenate([[whole], whole + change, whole - part])


def _part(total: Floats, ratings: Floats, power: int, *, divide: bool) -> Floats:
    """What a group adds; nothing once it has no ratings."""
    by = ratings if divide else np.ones_like(ratings)
    return np.divide(total**power, by, out=np.zeros_like(by), where=ratings > _NOTHING)


def _sums_by(group: Integers, of: Floats) -> Floats:
    """The sum of each group."""
    return np.bincount(group, of).astype(np.float64)


@dataclass(frozen=True)
class _RatingPoints:
    """Where each rating lies, by its code; ``sign`` says which dimensions count negatively.

    ``power`` is that of the two with which places must be multiplied to be in the ratings' unit.
    """

    place: Floats  # (code, dimension)
    sign: Floats  # (dimension,)
    distance: str
    power: int = 0

    def dimensions(self, codes: Integers) -> Iterator[tuple[float, Floats]]:
        """The sign of each dimension, and the numbers that ratings are in it."""
        for sign, place in zip(self.sign.tolist(), self.place.T, strict=True):
            yield sign, place[codes]


def points_of(resolver: Resolver, codes: Integers, weight: Floats) -> _RatingPoints:
    """The points of ratings (their codes, and for how many each stands), as the options say."""
    options, tables = resolver.options, resolver.tables
    level = options.level or ("" if resolver.weights_given else level_of(resolver))
    if tables.kind is Kind.NUMBERS:
        numbers = tables.distinct_numbers
        numbers, power = _moderate(level, numbers)
        place, sign = _number_points(level, numbers, _count(codes, weight, len(numbers)))
        return _RatingPoints(place, sign, level, power)
    power = 0
    # of each label of the mass, a point; a rating of several labels lies between theirs
    if level in ("ordinal", "interval", "ratio"):
        labels = np.arange(tables.label_count) if level == "ordinal" else tables.labels
        count = _count(codes, weight, len(labels))
        if tables.kind is Kind.DOUBLES:
            _refuse_many(len(labels))
            mixed = _mixed(resolver, np.eye(len(labels)))
            count = _count(codes, weight, len(mixed)) @ mixed
        numbers, power = _moderate(level, labels.astype(np.float64))
        place, sign = _number_points(level, numbers, count)
    else:
        _refuse_many(tables.label_count)
        known = None if level else resolver.label_agreements.matrix(None)
        agreement = np.eye(tables.label_count) if known is None else (known + known.T) / 2
        place, sign = scaled(1 - agreement)
    distance = level or resolver.label_agreements.used(None)
    return _RatingPoints(_mixed(resolver, place), sign, distance, power)


def _moderate(level: str, numbers: Floats) -> tuple[Floats, int]:
    """The numbers at a size and place where squares lose no digits, and the power of two back."""
    if level == "interval":
        return from_middle(numbers)
    return (rescale(numbers, "ratios")[0] if level == "ratio" else numbers), 0


def _count(codes: Integers, weight: Floats, distinct: int) -> Floats:
    return np.bincount(codes, weight, minlength=distinct).astype(np.float64)


def _mixed(resolver: Resolver, place: Floats) -> Floats:
    """The points of ratings by their codes, from those of labels."""
    tables = resolver.tables
    if tables.kind is Kind.SHARES:
        return np.asarray(tables.distinct_masses @ place)
    if tables.kind is Kind.DOUBLES:
        # the code of a rating is its primary label and, counted from 1, its secondary one
        primary, secondary = place[:, None], place[None]
        both = tables.p * primary + (1 - tables.p) * secondary
        return np.asarray(np.concatenate([primary, both], axis=1).reshape(-1, place.shape[1]))
    return place


def _number_points(level: str, numbers: Floats, count: Floats) -> tuple[Floats, Floats]:
    """The points of distinct numbers, in ascending order, that stand so often."""
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
    """Points whose squared distances are those of a table, and the signs of their dimensions.

    Examples
    --------
    >>> place, sign = scaled(np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 1.0], [4.0, 1.0, 0.0]]))
    >>> sign.tolist(), np.abs(np.diff(place[:, 0])).round(6).tolist()
    ([1.0], [1.0, 1.0])
    """
    centred = distance - distance.mean(axis=0)
    centred = centred - centred.mean(axis=1, keepdims=True)
    value, vector = np.linalg.eigh(-centred / 2)
    kept = np.abs(value) > _NO_PART * max(np.abs(value).max(initial=0.0), 1e-300)
    return vector[:, kept] * np.sqrt(np.abs(value[kept])), np.sign(value[kept])
