"""Fill the gaps (missing ratings) of a table: at random, or so that agreement is most extreme."""

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
"""Maximum number of ways to fill the gaps, over all distinct rows, that a search can consider."""

_STARTS = 4
"""Number of starting points with the same label in all gaps: one for each of the most frequent
labels."""

_STEPS = 200
_ROUNDING = 1e-13

_COPIES = 1000
"""Maximum number of items with the same ratings (a pattern) that are filled one by one.

If there are more, each row stands for several items.
"""


def pair_bounds(grid: GappedRows) -> tuple[float, float]:
    """Return the least and greatest share of equal pairs of ratings over all fillings of the gaps.

    In a complete table, every item has the same number of pairs, so the bounds can be found item by
    item. For the greatest share, all gaps get the commonest label of the item; for the least share,
    each gap in turn gets the label that is then least frequent on the item.
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
    low, high = (((counts * (counts - 1)).sum(axis=1) @ grid.weight) for counts in (least, most))
    total = pairs * grid.weight.sum()
    return float(low / total), float(high / total)


class _Ways(NamedTuple):
    """Complete rows: all ways to fill the gaps, for each group of equal items."""

    problem: Problem
    pattern: NDArray[np.intp]  # (way,), index in the problem's table
    start: NDArray[np.intp]  # (group,), the first way of each group
    size: Floats  # (group,), number of items
    starts: list[NDArray[np.intp]]  # starting points: a way for each group


def extremes(
    ratings: Rated,
    grid: GappedRows,
    coefficient: CoefficientLike | None,
    label_options: LabelOptions,
) -> tuple[float, float] | None:
    """Return the lowest and highest coefficient that a search finds; None for too many ways.

    The search begins at several starting points. In each step, items move to another way of filling
    their gaps, namely the way with the best derivative: the change of the coefficient if the way is
    used for more items. If the coefficient does not improve when all items move, half as many are
    tried, and so on.
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
    of_groups = _listed(codes, grid.distinct, identified=identified)
    if of_groups is None and identified:
        # search only among ways that differ in the labels, not in who gave them
        of_groups = _listed(codes, grid.distinct, identified=False)
    if of_groups is None:
        return None
    start = np.cumsum([0, *map(len, of_groups[:-1])])
    filled = np.repeat(codes, [*map(len, of_groups)], axis=0)
    filled[filled < 0] = [code for listed in of_groups for way in listed for code in way]
    every_way = ratings.with_ratings(Codes(filled, grid.distinct), weight=np.ones(len(filled)))
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
    of_rows: list[list[tuple[int, ...]]] = []
    remaining = MOST_WAYS
    for gaps in (codes < 0).sum(axis=1).tolist():
        ways: Iterable[tuple[int, ...]] = (
            product(labels, repeat=gaps)
            if identified
            else combinations_with_replacement(labels, gaps)
        )
        listed = list(islice(ways, remaining + 1))
        remaining -= len(listed)
        if remaining < 0:
            return None
        of_rows.append(listed)
    return of_rows


def _best(score: Floats, start: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the way with the highest score in each group; of equal ways, the first."""
    group = _groups(start, len(score))
    return np.lexsort((np.arange(len(score)), -score, group))[start]


def _groups(start: NDArray[np.intp], ways: int) -> NDArray[np.intp]:
    return np.repeat(np.arange(len(start)), np.diff([*start, ways]))


def _climb(ways: _Ways, first: NDArray[np.intp], sign: float) -> float:
    """Return the lowest value of ``sign`` times the coefficient that a search reaches."""
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
        sources = np.flatnonzero(gain > _ROUNDING)
        sources = sources[np.argsort(-gain[sources], kind="stable")]
        moved = _moved(items, sources, best[sources], value, figure)
        if moved is None:
            break
        items, value = moved
    return value


def _moved(
    items: Floats,
    sources: NDArray[np.intp],
    targets: NDArray[np.intp],
    value: float,
    figure: Callable[[Floats], float],
) -> tuple[Floats, float] | None:
    """Move items to lower the value; None if no move lowers it."""
    before = np.cumsum(items[sources]) - items[sources]
    number = float(items[sources].sum())
    while number > 0:
        moving = np.clip(number - before, 0.0, items[sources])
        # from each way, a whole number of items moves, or all of its items
        moving = np.where(moving < items[sources], np.floor(moving), moving)
        trial = items.copy()
        np.subtract.at(trial, sources, moving)
        np.add.at(trial, targets, moving)
        reached = figure(trial)
        if reached < value - _ROUNDING:
            return trial, reached
        number = np.floor(number / 2)
    return None


class GappedRows(NamedTuple):
    """Rows of ratings, some of them with gaps, and the number of items that each row stands for.

    Rows are not in the order of items.
    """

    codes: Integers  # (row, annotator), -1 in a gap
    weight: Floats  # (row,)
    pattern: NDArray[np.intp]  # (row,), the pattern (all items with the same ratings)
    distinct: int
    code_in_turn: NDArray[np.intp]  # codes in the order in which they are drawn
    annotator_in_turn: NDArray[np.intp]

    @property
    def gaps(self) -> NDArray[np.bool_]:
        """A mask of the missing ratings (row, annotator)."""
        return self.codes < 0

    @property
    def shares(self) -> Floats:
        """The share of each code among all ratings."""
        return shares_of(self, self.weight)


class Drawn(NamedTuple):
    """Tables (row, annotator) of observed ratings, with the gaps filled in three ways."""

    like: Integers
    agreeing: Integers
    random: Integers
    order: Floats  # position from 0 to 1 in the order in which gaps change

    def at(self, delta: float) -> Integers:
        """Return the table in which a share ``|delta|`` of gaps is ``random``, the others ``like``.

        If delta is below 0, this share is ``agreeing``.
        """
        changed = self.random if delta > 0 else self.agreeing
        return np.where(self.order < abs(delta), changed, self.like)


def grid_of(tables: Rated) -> GappedRows:
    """Return a row for each pattern; patterns with gaps get a row for each item, up to `_COPIES`.

    A pattern is a set of items with the same ratings by the same annotators.
    """
    patterns = tables.identified
    codes = patterns.codes.astype(np.int64)
    count = patterns.count
    whole = (count == np.rint(count)) & (codes < 0).any(axis=1)
    times = np.where(whole, np.minimum(count, _COPIES), 1).astype(np.intp)
    pattern = np.repeat(np.arange(len(count)), times)
    distinct, annotators = tables.codes.distinct, codes.shape[1]
    order = tables.drawing_order
    return GappedRows(
        codes[pattern],
        (count / np.maximum(times, 1))[pattern],
        pattern,
        distinct,
        np.arange(distinct) if order.codes is None else np.argsort(order.codes),
        np.arange(annotators) if order.annotators is None else np.argsort(order.annotators),
    )


def shares_of(grid: GappedRows, weight: Floats) -> Floats:
    """Return the share of each code among all ratings, with these weights of the rows."""
    rated = ~grid.gaps
    weights = np.broadcast_to(weight[:, None], rated.shape)[rated]
    total = np.bincount(grid.codes[rated], weights, grid.distinct)
    return np.asarray(total / total.sum())


def reliability_at(request: Request, tables: Rated, grid: GappedRows, weight: Floats) -> float:
    """Return alpha with these weights of the rows, clipped to 0 and 1; 0 if undefined."""
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

    A rating for `Drawn.like` copies one of the n ratings of its item, including those drawn before,
    with probability ``n r / (n r + 1 - r)``, where r is the reliability; otherwise it is drawn from
    all ratings. With this urn scheme, the chance-corrected agreement of pairs with a drawn rating
    is r on average. A rating for `Drawn.random` is always drawn from all ratings, and one for
    `Drawn.agreeing` is the majority label of the item, or for ``numbers`` the lower median.
    """
    # draws do not depend on the order of codes and annotators in the data
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
    # for labels, the most frequent label of the item; ties are decided at random
    votes = None if numbers else votes_of(grid.codes, grid.distinct) + lots
    usual = _median(grid) if votes is None else np.argmax(votes, axis=1)
    usual = np.where(gaps.all(axis=1), by_chance[:, 0], usual)
    agreeing = np.where(gaps, usual[:, None], grid.codes)
    return Drawn(like, agreeing, by_chance, uniform(column_of))


def votes_of(codes: Integers, distinct: int) -> Integers:
    """Return the number of ratings (row, code) with each code in each row."""
    rows, columns = np.nonzero(codes >= 0)
    cell = rows * distinct + codes[rows, columns]
    return np.bincount(cell, minlength=len(codes) * distinct).reshape(len(codes), distinct)


def _median(grid: GappedRows) -> Integers:
    ordered = np.sort(np.where(grid.gaps, grid.distinct, grid.codes), axis=1)
    middle = np.maximum((~grid.gaps).sum(axis=1) - 1, 0) // 2
    return np.asarray(ordered[np.arange(len(ordered)), middle])
