"""Fillings of a table's gaps: drawn at random in several ways, and the most extreme ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import combinations_with_replacement, islice, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats, Integers
from iaa_jax.data.patterns import Codes
from iaa_jax.engine import Prepared, Problem, influences
from iaa_jax.engine.drivers import estimate_at
from iaa_jax.measure import LabelOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.studies import one_coefficient, patterns_of_items

MOST_WAYS = 50_000
"""Maximum number of ways to fill the gaps, over all patterns, for a search."""

_STARTS = 4
"""Number of the most frequent labels that serve as starting points, with all gaps filled by one."""

_STEPS = 200
_NOTHING = 1e-13

_COPIES = 1000
"""Up to this number, items of a pattern are filled one by one; beyond, each row stands for
several."""


def pair_bounds(grid: GappedRows) -> tuple[float, float]:
    """Return the least and greatest share of equal pairs of ratings over all fillings.

    Every item has the same number of pairs in the end, so the bounds can be found item by item:
    either all gaps get the commonest label, or each gets the label that is least frequent on its
    item.
    """
    annotators = grid.codes.shape[1]
    votes = votes_of(grid.codes, grid.distinct)
    gaps = grid.gaps.sum(axis=1)
    rows = np.arange(len(votes))
    most, least = votes.copy(), votes.copy()
    most[rows, votes.argmax(axis=1)] += gaps
    for filled in range(int(gaps.max(initial=0))):
        least[rows, least.argmin(axis=1)] += filled < gaps
    pairs = annotators * (annotators - 1)
    low, high = (((each * (each - 1)).sum(axis=1) @ grid.weight) for each in (least, most))
    total = pairs * grid.weight.sum()
    return float(low / total), float(high / total)


class _Ways(NamedTuple):
    """Complete rows: all ways to fill each group of equal items."""

    problem: Problem
    pattern: NDArray[np.intp]  # (way,), in the problem's table
    start: NDArray[np.intp]  # (group,), the first way of each group
    size: Floats  # (group,), number of items
    starts: list[NDArray[np.intp]]  # starting points: a way for each group


def extremes(
    ratings: Rated,
    grid: GappedRows,
    coefficient: CoefficientLike | None,
    label_options: LabelOptions,
) -> tuple[float, float] | None:
    """Return the least and greatest value found; None if there are too many ways.

    From several starting points, items move to the way with the best derivative of the coefficient
    by the ways' weights: as many items in one step as still improve the value.
    """
    ways = _ways(ratings, grid, coefficient, label_options)
    if ways is None:
        return None
    reached = {sign: [_climb(ways, start, sign) for start in ways.starts] for sign in (1.0, -1.0)}
    least, greatest = (
        sign * min((value for value in values if not np.isnan(value)), default=np.nan)
        for sign, values in reached.items()
    )
    return float(least), float(greatest)


def _ways(
    ratings: Rated,
    grid: GappedRows,
    coefficient: CoefficientLike | None,
    label_options: LabelOptions,
) -> _Ways | None:
    identified = one_coefficient(
        Resolver(ratings, label_options), coefficient
    ).problem.measure.identified
    codes = grid.codes if identified else np.sort(grid.codes, axis=1)
    codes, group_of = np.unique(codes, axis=0, return_inverse=True)
    size = np.bincount(group_of.ravel(), grid.weight).astype(np.float64)
    every = _listed(codes, grid.distinct, identified=identified)
    if every is None and identified:
        # only some ways: without telling whose rating is which
        every = _listed(codes, grid.distinct, identified=False)
    if every is None:
        return None
    start = np.cumsum([0, *map(len, every[:-1])])
    filled = np.repeat(codes, [*map(len, every)], axis=0)
    filled[filled < 0] = [code for listed in every for way in listed for code in way]
    weight, pattern = np.ones(len(filled)), np.arange(len(filled))
    every_way = ratings.with_ratings(Codes(filled, grid.distinct), weight=weight)
    resolver = Resolver(every_way, label_options)
    problem = one_coefficient(resolver, coefficient).problem
    pattern = patterns_of_items(resolver.tables, problem.measure)
    votes = votes_of(filled, grid.distinct)
    preferred = [(votes**2).sum(axis=1), -(votes**2).sum(axis=1)]
    usual = np.argsort(-votes_of(codes, grid.distinct).T @ size, kind="stable")
    preferred += [votes[:, label] for label in usual[:_STARTS]]
    starts = [_best(score.astype(float), start) for score in preferred]
    return _Ways(problem, pattern, start, size, starts)


def _listed(
    codes: Integers, distinct: int, *, identified: bool
) -> list[list[tuple[int, ...]]] | None:
    """List the ways to fill the gaps of each row; None if there are too many in all."""
    labels = range(distinct)
    every: list[list[tuple[int, ...]]] = []
    left = MOST_WAYS
    for gaps in (codes < 0).sum(axis=1).tolist():
        several: Iterable[tuple[int, ...]] = (
            product(labels, repeat=gaps)
            if identified
            else combinations_with_replacement(labels, gaps)
        )
        listed = list(islice(several, left + 1))
        left -= len(listed)
        if left < 0:
            return None
        every.append(listed)
    return every


def _best(score: Floats, start: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the way with the highest score in each group, the first of equal ones."""
    group = _groups(start, len(score))
    return np.lexsort((np.arange(len(score)), -score, group))[start]


def _groups(start: NDArray[np.intp], ways: int) -> NDArray[np.intp]:
    """Return the group of each way."""
    return np.repeat(np.arange(len(start)), np.diff([*start, ways]))


def _climb(ways: _Ways, first: NDArray[np.intp], sign: float) -> float:
    """Return the least value, times the sign, that is reached from a starting point."""
    problem, prepared = ways.problem, Prepared([ways.problem])
    group = _groups(ways.start, len(ways.pattern))
    patterns = len(problem.table.count)

    def figure(items: Floats) -> float:
        weight = np.bincount(ways.pattern, items, patterns).astype(np.float64)
        return sign * float(estimate_at(prepared, problem, weight).estimate)

    items: Floats = np.zeros(len(ways.pattern))
    items[first] = ways.size
    value = figure(items)
    for _ in range(_STEPS):
        weight = np.bincount(ways.pattern, items, patterns).astype(np.float64)
        table = problem.table.other(weight)
        (slope,) = influences(Prepared([replace(problem, table=table)]))
        slope = sign * np.asarray(slope, dtype=np.float64)[ways.pattern]
        if np.isnan(value) or not np.isfinite(slope).all():
            break
        best = _best(-slope, ways.start)[group]
        gain = np.where(items > 0, slope - slope[best], 0.0)
        places = np.flatnonzero(gain > _NOTHING)
        places = places[np.argsort(-gain[places], kind="stable")]
        moved = _moved(items, places, best[places], value, figure)
        if moved is None:
            break
        items, value = moved
    return value


def _moved(
    items: Floats,
    places: NDArray[np.intp],
    towards: NDArray[np.intp],
    value: float,
    figure: Callable[[Floats], float],
) -> tuple[Floats, float] | None:
    """Move as many items as still lower the value; None if not even one does."""
    before = np.cumsum(items[places]) - items[places]
    number = float(items[places].sum())
    while number > 0:
        moving = np.clip(number - before, 0.0, items[places])
        # whole items move; a part of an item moves only if nothing else does
        moving = np.where(moving < items[places], np.floor(moving), moving)
        trial = items.copy()
        np.subtract.at(trial, places, moving)
        np.add.at(trial, towards, moving)
        reached = figure(trial)
        if reached < value - _NOTHING:
            return trial, reached
        number = np.floor(number / 2)
    return None


class GappedRows(NamedTuple):
    """Rows of ratings with gaps, each standing for a number of items; not in the order of items."""

    codes: Integers  # (row, annotator), -1 in a gap
    weight: Floats  # (row,)
    pattern: NDArray[np.intp]  # (row,): the identified pattern
    distinct: int
    code_in_turn: NDArray[np.intp]  # codes in the order in which they are drawn
    annotator_in_turn: NDArray[np.intp]

    @property
    def gaps(self) -> NDArray[np.bool_]:
        """Tell which ratings are missing (row, annotator)."""
        return self.codes < 0

    @property
    def shares(self) -> Floats:
        """The share of each code among all ratings."""
        return shares_of(self, self.weight)


class Drawn(NamedTuple):
    """Three kinds of rating for each gap (row, annotator); elsewhere the observed rating."""

    like: Integers
    agreeing: Integers
    random: Integers
    order: Floats  # order in which gaps are taken, from 0 to 1

    def at(self, delta: float) -> Integers:
        """Fill the share ``|delta|`` of the gaps at random, or agreeing if delta is below 0."""
        other = self.random if delta > 0 else self.agreeing
        return np.where(self.order < abs(delta), other, self.like)


def grid_of(tables: Rated) -> GappedRows:
    """Lay out the patterns of the ratings; those with gaps have a row for each item."""
    patterns = tables.identified
    codes = patterns.codes.astype(np.int64)
    count = patterns.count
    whole = (count == np.rint(count)) & (codes < 0).any(axis=1)
    times = np.where(whole, np.minimum(count, _COPIES), 1).astype(np.intp)
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
    """Return the share of each code among all ratings, at other weights of the rows."""
    given = ~grid.gaps
    each = np.broadcast_to(weight[:, None], given.shape)[given]
    total = np.bincount(grid.codes[given], each, grid.distinct)
    return np.asarray(total / total.sum())


def reliability_at(request: Request, tables: Rated, grid: GappedRows, weight: Floats) -> float:
    """Return alpha at weights of the rows, clipped to 0 and 1; 0 if undefined."""
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
    """Draw ratings for all gaps.

    A rating like the others copies one of the item's n ratings, drawn ones included, with
    probability ``n r / (n r + 1 - r)``, r being the reliability; otherwise it is drawn from all
    ratings. By this urn every pair of an item's ratings agrees with probability r beyond chance.
    """
    # draws go by the sorted codes and annotators, whatever their order in the data
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
        # the ratings of an item, sorted, gaps last
        ordered = -np.sort(-np.append(code_place, -1)[like[empty]], axis=1)
        source = np.floor(place[empty, column] * number).astype(np.intp)
        other = turn[ordered[np.arange(len(ordered)), source]]
        like[empty, column] = np.where(copied, other, by_chance[empty, column])
    lots = uniform(code_place if not numbers else np.zeros(1, dtype=np.intp))
    # for labels, what most gave, ties by lot
    votes = None if numbers else votes_of(grid.codes, grid.distinct) + lots
    usual = _median(grid) if votes is None else np.argmax(votes, axis=1)
    usual = np.where(gaps.all(axis=1), by_chance[:, 0], usual)
    agreeing = np.where(gaps, usual[:, None], grid.codes)
    return Drawn(like, agreeing, by_chance, uniform(column_of))


def votes_of(codes: Integers, distinct: int) -> Integers:
    """Count each row's ratings of each code: (row, code)."""
    rows, places = np.nonzero(codes >= 0)
    cell = rows * distinct + codes[rows, places]
    return np.bincount(cell, minlength=len(codes) * distinct).reshape(len(codes), distinct)


def _median(grid: GappedRows) -> Integers:
    """Return the lower median of each row's numbers."""
    ordered = np.sort(np.where(grid.gaps, grid.distinct, grid.codes), axis=1)
    middle = np.maximum((~grid.gaps).sum(axis=1) - 1, 0) // 2
    return np.asarray(ordered[np.arange(len(ordered)), middle])
