"""Ratings in the gaps of a table: drawn like the others, agreeing, or given at random."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats, Integers
from iaa_jax.engine import Prepared
from iaa_jax.engine.drivers import estimate_at
from iaa_jax.measure.rated import Rated
from iaa_jax.measure.request import Request

COPIES = 1000
"""Items of one pattern that are filled one by one; of more, each stands for several."""


class GappedRows(NamedTuple):
    """Rows of ratings with gaps, each for so many items; in an order that is not that of items."""

    codes: Integers  # (row, annotator), -1 in a gap
    weight: Floats  # (row,)
    pattern: NDArray[np.intp]  # (row,): the identified pattern
    distinct: int
    code_in_turn: NDArray[np.intp]  # codes in the order in which they are drawn
    annotator_in_turn: NDArray[np.intp]

    @property
    def gaps(self) -> NDArray[np.bool_]:
        """Where there is no rating."""
        return self.codes < 0

    @property
    def shares(self) -> Floats:
        """How often each code is given, of all ratings."""
        return shares_of(self, self.weight)


class Drawn(NamedTuple):
    """What stands in each gap, (row, annotator), by three kinds of rating; elsewhere the rating."""

    like: Integers
    agreeing: Integers
    random: Integers
    order: Floats  # in which gaps are taken, from 0 to 1

    def at(self, delta: float) -> Integers:
        """The share ``|delta|`` of the gaps at random, or agreeing if delta is below 0."""
        other = self.random if delta > 0 else self.agreeing
        return np.where(self.order < abs(delta), other, self.like)


def grid_of(tables: Rated) -> GappedRows:
    """The patterns of the ratings, those with gaps once for each item."""
    patterns = tables.identified
    codes = patterns.codes.astype(np.int64)
    count = patterns.count
    whole = (count == np.rint(count)) & (codes < 0).any(axis=1)
    times = np.where(whole, np.minimum(count, COPIES), 1).astype(np.intp)
    place = np.repeat(np.arange(len(count)), times)
    distinct, annotators = tables.codes.distinct, codes.shape[1]
    order = tables.drawing_order
    return GappedRows(
        codes[place],
        (count / np.maximum(times, 1))[place],
        place,
        distinct,
        np.arange(distinct) if order.codes is None else np.argsort(order.codes),
        np.arange(annotators) if order.annotators is None else np.argsort(order.annotators),
    )


def shares_of(grid: GappedRows, weight: Floats) -> Floats:
    """The same at other weights of the rows."""
    given = ~grid.gaps
    each = np.broadcast_to(weight[:, None], given.shape)[given]
    total = np.bincount(grid.codes[given], each, grid.distinct)
    return np.asarray(total / total.sum())


def reliability_at(request: Request, tables: Rated, grid: GappedRows, weight: Floats) -> float:
    """Alpha at weights of the rows, kept between 0 and 1; 0 where it is undefined."""
    problem = request.problem
    identified = np.bincount(grid.pattern, weight, len(tables.identified.codes))
    if not problem.measure.identified:
        identified = np.bincount(tables.exchangeable.pattern_of, identified)
    rated = np.where(problem.table.count > 0, identified, 0.0)
    value = float(estimate_at(Prepared([problem]), problem, rated).estimate)
    return 0.0 if np.isnan(value) else min(max(value, 0.0), 1.0)


def draw(
    grid: GappedRows,
    reliability: float,
    shares: Floats,
    random: np.random.Generator,
    *,
    numbers: bool,
) -> Drawn:
    """Ratings for all gaps.

    A rating like the others copies one that the item has, drawn ones included, with probability
    ``n r / (n r + 1 - r)`` for n of them and the reliability r; else it is one of all ratings. By
    this urn every pair of an item's ratings agrees with probability r beyond chance.
    """
    # what is drawn follows codes and annotators in turn, wherever they stand
    turn, column_of = grid.code_in_turn, np.argsort(grid.annotator_in_turn)
    code_place = np.argsort(turn)
    gaps = grid.gaps

    def uniform(columns: Integers) -> Floats:
        return random.random((len(gaps), len(columns)))[:, columns]

    drawn = turn[random.choice(grid.distinct, size=gaps.shape, p=shares[turn])[:, column_of]]
    by_chance = np.where(gaps, drawn, grid.codes)
    chance, place = uniform(column_of), uniform(column_of)
    like = grid.codes.copy()
    for column in grid.annotator_in_turn:
        empty = gaps[:, column]
        if not empty.any():
            continue
        number = (like[empty] >= 0).sum(axis=1)
        copied = chance[empty, column] * (number * reliability + 1 - reliability)
        copied = copied < number * reliability
        # the ratings of an item in any order, gaps last
        ordered = -np.sort(-np.append(code_place, -1)[like[empty]], axis=1)
        source = np.floor(place[empty, column] * number).astype(np.intp)
        other = turn[ordered[np.arange(len(ordered)), source]]
        like[empty, column] = np.where(copied, other, by_chance[empty, column])
    lots = uniform(code_place if not numbers else np.zeros(1, dtype=np.intp))
    usual = _median(grid) if numbers else _commonest(grid, lots)
    usual = np.where(gaps.all(axis=1), by_chance[:, 0], usual)
    agreeing = np.where(gaps, usual[:, None], grid.codes)
    return Drawn(like, agreeing, by_chance, uniform(column_of))


def votes_of(codes: Integers, distinct: int) -> Integers:
    """How many ratings each row has of each code: (row, code)."""
    rows, places = np.nonzero(codes >= 0)
    cell = rows * distinct + codes[rows, places]
    return np.bincount(cell, minlength=len(codes) * distinct).reshape(len(codes), distinct)


def _commonest(grid: GappedRows, lots: Floats) -> Integers:
    """What most gave of each item, ties by lot."""
    return np.asarray(np.argmax(votes_of(grid.codes, grid.distinct) + lots, axis=1))


def _median(grid: GappedRows) -> Integers:
    """Of numbers the lower median."""
    ordered = np.sort(np.where(grid.gaps, grid.distinct, grid.codes), axis=1)
    middle = np.maximum((~grid.gaps).sum(axis=1) - 1, 0) // 2
    return np.asarray(ordered[np.arange(len(ordered)), middle])
