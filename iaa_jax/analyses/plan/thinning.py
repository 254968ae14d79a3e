"""The pilot with fewer ratings per item, made by leaving out ratings or annotators.

A pattern is a set of items with the same ratings, kept once with their number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.plan.variance import ItemSpread, Spreads, spread_of
from iaa_jax.catalog import title_of
from iaa_jax.data.patterns import Codes, exchangeable_patterns
from iaa_jax.engine import Prepared, Problem
from iaa_jax.engine.drawing import Purpose, stream
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.requests.studies import data_of_codes
from iaa_jax.wording import Note

SIZES = (2, 3, 4, 5, 6, 8, 12, 20, 40, 80)
"""Numbers of ratings per item to which the pilot is thinned."""

ENOUGH = 20
"""Minimum number of items that all annotators rated; these must also be half of all items."""

_CELLS = 1 << 23
"""Maximum number of statistics (terms of the formula's sums) of all subsets.

Beyond it, subsets are drawn.
"""

_FEWEST, _DRAWN = 8, 64
"""Minimum and maximum number of subsets drawn per pattern."""

_PANELS = 12
"""Maximum number of sets of annotators of each size."""

_MOVES = 0.5
"""Maximum change of the estimate from 2 to all ratings per item, in standard errors."""

_ROUNDING = 1e-12

_COLUMNS = 8


class CodeRows(NamedTuple):
    """The codes (distinct ratings) of a problem's patterns, and the function from codes to data."""

    codes: Integers  # (pattern, rating)
    data_of: Callable[[Integers], Floats]

    def problem(self, template: Problem, codes: Integers, count: Floats) -> Problem:
        """Return the template's coefficient on other patterns.

        Data with few ratings per item are padded to the same number of columns, so that nothing is
        recompiled. Empty columns have weight 0.
        """
        size = codes.shape[1]
        columns = size if template.measure.annotators == size else max(_COLUMNS, size)
        data = self.data_of(np.pad(codes, ((0, 0), (0, columns - size)), constant_values=-1))
        weight = np.zeros(data.shape[1], dtype=template.data.dtype)
        weight[:size] = 1.0
        return replace(
            template,
            table=template.table.other(np.asarray(count, dtype=np.float64)),
            ratings=data,
            annotator_weight=weight,
            annotator_of=None,
            annotators=data.shape[1],
        )


def code_rows(tables: Rated, problem: Problem) -> CodeRows:
    """Return the codes of a problem's patterns, with the function from codes to data."""
    return CodeRows(tables.codes_of(problem.measure).codes, data_of_codes(tables, problem))


@dataclass(frozen=True)
class ThinnedPilot:
    """The pilot with ``size`` ratings per item: one problem, or one per set of annotators.

    ``members`` (pattern, pilot's pattern) maps the pilot's counts of patterns to thinned ones.
    """

    size: int
    problems: tuple[Problem, ...]
    members: csr_array | None = None

    @cached_property
    def spread(self) -> ItemSpread:
        """Estimate and variance, averaged over sets of annotators."""
        spreads = [spread_of(problem)[:2] for problem in self.problems]
        usable = [spread for spread in spreads if all(map(math.isfinite, spread))]
        if not usable:
            return ItemSpread(math.nan, math.nan)
        return ItemSpread(*(float(part) for part in np.mean(usable, axis=0)))

    def variances(self, total: int) -> Callable[[Floats], Floats]:
        """Return the function from counts (row, pattern) of the pilot's patterns to variances."""
        spreads_of = [Spreads(problem, rows=total) for problem in self.problems]

        def at_counts(rows: Floats) -> Floats:
            if self.members is None:
                rows = rows * (self.problems[0].table.count > 0)
            else:
                rows = np.asarray((self.members @ rows.T).T)
            return np.asarray(np.mean([spreads(rows).variance for spreads in spreads_of], axis=0))

        return at_counts


@dataclass(frozen=True)
class Thinning:
    """The pilot thinned to several sizes on the same items, or the reason against it."""

    pilots: tuple[ThinnedPilot, ...] = ()
    why: Note | None = None

    @property
    def variances(self) -> dict[int, float]:
        """The variance V that an item contributes, by its number of ratings."""
        return {thinned.size: thinned.spread.variance for thinned in self.pilots}


def thin_pilot(resolver: Resolver, request: Request, seed: int) -> Thinning:
    """Thin the pilot to several numbers of ratings per item."""
    problem = request.problem
    if problem.measure.annotators is not None:
        return Thinning(why=Note("of_two_annotators", {"title": title_of(request.name)}))
    leave_out = _leave_annotators_out if problem.measure.identified else _leave_ratings_out
    thinning = leave_out(resolver, problem, seed)
    pilots = tuple(thinned for thinned in thinning.pilots if math.isfinite(thinned.spread.variance))
    if len(pilots) < 2:
        return Thinning(pilots, thinning.why)
    first, last = pilots[0].spread, pilots[-1].spread
    error = math.sqrt(last.variance / pilots[-1].problems[0].table.items)
    if abs(first.estimate - last.estimate) > _MOVES * error + _ROUNDING:
        values = {"fewest": pilots[0].size, "at_fewest": first.estimate}
        values |= {"most": pilots[-1].size, "at_most": last.estimate}
        return Thinning(why=Note("figure_moves", values))
    return Thinning(pilots, thinning.why)


def _leave_ratings_out(resolver: Resolver, problem: Problem, seed: int) -> Thinning:
    """Leave out ratings of items, if it does not matter who rated."""
    panel = resolver.tables.exchangeable.panel
    most = _usual_panel(panel, resolver.tables.exchangeable_table.count)
    sizes = [size for size in SIZES if size < most] + [most]
    return Thinning(tuple(_thinned_to(resolver, problem, size, most, seed) for size in sizes))


def _thinned_to(
    resolver: Resolver, problem: Problem, size: int, least: int, seed: int
) -> ThinnedPilot:
    """Thin the items with at least ``least`` ratings to ``size`` ratings each."""
    tables = resolver.tables
    rows = code_rows(tables, problem)
    count = tables.exchangeable_table.count
    panel = (rows.codes >= 0).sum(axis=1)
    usable = np.flatnonzero((panel >= least) & (count > 0))
    most = _CELLS // columns_of(problem)
    draws = stream(seed, Purpose.FEWER_RATINGS, size)
    subsets = _subsets(rows.codes[usable], panel[usable], size, most, draws)
    patterns = exchangeable_patterns(Codes(subsets.codes, tables.codes.distinct))
    members = csr_array(
        (subsets.share, (patterns.pattern_of, usable[subsets.source])),
        shape=(len(patterns.codes), len(count)),
    )
    members.sum_duplicates()
    return ThinnedPilot(size, (rows.problem(problem, patterns.codes, members @ count),), members)


def pilot_subset(
    resolver: Resolver, problem: Problem, thinning: Thinning, size: int, seed: int
) -> Problem | None:
    """Return the coefficient on items with ``size`` ratings; None if that is impossible."""
    most = thinning.pilots[-1].size
    if problem.measure.identified:
        pilots = [
            thinned
            for thinned in thinning.pilots
            if thinned.size == size and len(thinned.problems) == 1
        ]
        return pilots[0].problems[0] if pilots else None
    return None if size > most else _thinned_to(resolver, problem, size, most, seed).problems[0]


def _usual_panel(panel: Integers, count: Floats) -> int:
    """Return the largest size that half of the panels (an item's annotators) reach, from 2 on."""
    half = max(count[panel >= 2].sum() / 2, 2)
    sizes = range(2, int(panel.max(initial=2)) + 1)
    return max((size for size in sizes if count[panel >= size].sum() >= half), default=2)


class _Subsets(NamedTuple):
    codes: Integers  # (subset, rating)
    source: Integers  # (subset,) index of its pattern
    share: Floats  # (subset,) its share of the pattern


def columns_of(problem: Problem) -> int:
    """Return the number of statistics (terms of the formula's sums) per item."""
    if not problem.factored:
        return int(np.prod(problem.data.shape[1:]))
    flat = Prepared([problem]).statistics(problem)
    return int(flat.dense.shape[1] + flat.indexed_columns)


def _subsets(
    codes: Integers, panel: Integers, size: int, most: int, draws: np.random.Generator
) -> _Subsets:
    sets = sum(math.comb(int(ratings), size) for ratings in panel)
    drawn = min(max(most // len(panel), _FEWEST), _DRAWN)
    parts: list[_Subsets] = []
    for ratings in np.unique(panel).tolist():
        of_panel = np.flatnonzero(panel == ratings)
        pattern_codes = codes[of_panel][:, :ratings]  # missing ratings come last
        if sets <= most or math.comb(ratings, size) <= drawn:
            subsets = pattern_codes[:, np.array(list(combinations(range(ratings), size)))]
        else:
            order = draws.random((len(pattern_codes), drawn, ratings)).argsort(axis=2)[..., :size]
            subsets = np.take_along_axis(pattern_codes[:, None, :], order, axis=2)
        number = subsets.shape[1]
        source = np.repeat(of_panel, number)
        parts.append(_Subsets(subsets.reshape(-1, size), source, np.full(len(source), 1 / number)))
    return _Subsets(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def _leave_annotators_out(resolver: Resolver, problem: Problem, seed: int) -> Thinning:
    """Leave out whole annotators, on items that all of them rated."""
    tables = resolver.tables
    annotators = resolver.tables.annotators
    count = np.asarray(problem.table.count)
    complete = tables.identified.panel == annotators
    items = float(count[complete].sum())
    if annotators < 3:
        return Thinning()
    if items < max(ENOUGH, count.sum() / 2):
        return Thinning(why=Note("few_complete", {"items": items, "annotators": annotators}))
    table = problem.table.other(np.where(complete, count, 0.0))
    pilots = []
    for size in [size for size in SIZES if size < annotators] + [annotators]:
        weights = []
        for panel in _panels(annotators, size, stream(seed, Purpose.PANELS, size)):
            weight = np.zeros(annotators)
            weight[panel] = 1.0
            weights.append(weight)
        problems = (replace(problem, table=table, annotator_weight=weight) for weight in weights)
        pilots.append(ThinnedPilot(size, tuple(problems)))
    return Thinning(tuple(pilots))


def _panels(annotators: int, size: int, draws: np.random.Generator) -> Iterator[list[int]]:
    if math.comb(annotators, size) <= _PANELS:
        yield from map(list, combinations(range(annotators), size))
        return
    for _ in range(_PANELS):
        yield sorted(draws.choice(annotators, size, replace=False).tolist())


def panel_sizes(tables: Rated) -> tuple[NDArray[np.integer], Floats]:
    """Return each rated pattern's numbers of ratings and of items."""
    panel = tables.identified.panel
    count = np.asarray(tables.identified.count)
    return panel[panel > 0], count[panel > 0]
