"""Variance components of ratings, by item, annotator, their interaction and the rest.

Henderson's method I: with S the sum of the n ratings of a group, the sums ``T = sum S^2 / n`` over
items, annotators, cells (item and annotator) and all, and the sum of squares, are set equal to
their expectations in ``x = mean + item + annotator + interaction + rest``, all uncorrelated. Sums
over dimensions are those of squared distances. An item that counts for several is so many items.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.plan.points import RatingPoints
from iaa_jax.kernels.intervals import jackknife

COMPONENTS = ("item", "annotator", "interaction", "rest")

_NOTHING = 1e-9
"""Ratings, counted by items, that rounding leaves of none."""

_SINGULAR = 1e-10
"""A determinant that rounding leaves of 0, of rows of length 1."""


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


def estimate(cells: Cells, points: RatingPoints) -> Estimates:
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
