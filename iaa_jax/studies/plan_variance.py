"""The variance that one item brings to a coefficient, by how many ratings the item has.

Over items the coefficient is a mean of influences, and the influence of an item a mean over its
pairs of ratings: a U-statistic of degree 2. Of ratings that may change places its variance is

    V(m) = t0 (m-2)(m-3)/(m(m-1)) + t1 4(m-2)/(m(m-1)) + t2 2/(m(m-1)) = a + b/m + c/(m(m-1))

with t2, t1, t0 the covariance of two pairs of ratings of an item that share both, one, or neither
(Hoeffding 1948). Only more items make a smaller.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from iaa_jax.data.patterns import Codes, exchangeable_patterns
from iaa_jax.engine import Prepared, Problem, Table, bootstrap_rows
from iaa_jax.engine.gradients import GradientRows
from iaa_jax.engine.problem import Floats, Integers
from iaa_jax.metrics.options import Asked, Chooser
from iaa_jax.metrics.tables import RatingTables

SIZES = (2, 3, 4, 5, 6, 8, 12, 20, 40, 80)
"""Ratings an item at which the pilot is looked at, up to as many as it has."""

ENOUGH = 20
"""Items with so many ratings that their variance says something."""

_CELLS = 1 << 23
"""Statistics that all subsets of all patterns may have; beyond, some are drawn."""

_FEWEST, _DRAWN = 8, 64
"""Subsets of a pattern that are drawn."""

_PANELS = 12
"""Sets of annotators that are looked at for each size."""

_MOVES = 0.5
"""Standard errors by which the figure may move between 2 and all ratings of the same items."""

_ROUNDING = 1e-12

_PLACES = 8


class Spread(NamedTuple):
    """A coefficient, and the variance V of an item: its standard error squared is V / items."""

    estimate: float
    variance: float


class Spreads:
    """Estimates and variances V of one coefficient at any weight rows."""

    def __init__(self, problem: Problem) -> None:
        self._at = GradientRows(Prepared([problem]))

    def __call__(self, rows: Floats) -> tuple[Floats, Floats]:
        """At each row (row, pattern) of counts."""
        found = self._at(rows)
        items = rows.sum(axis=1)
        gradient = np.where(rows > 0, found.gradient, 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = (rows * gradient).sum(axis=1) / items
            squares = (rows * (gradient - mean[:, None]) ** 2).sum(axis=1)
            return np.asarray(found.estimate), items**2 / (items - 1) * squares


def replicates_of(problem: Problem, replicates: int, seed: int) -> tuple[Floats, Floats]:
    """Estimates and variances V of as many items, drawn from a table with replacement."""
    spreads = Spreads(problem)
    drawn = [spreads(rows) for (rows,) in bootstrap_rows([problem.table], replicates, seed)]
    estimate, variance = (np.concatenate(part)[:replicates] for part in zip(*drawn, strict=True))
    return estimate, variance


def spread_of(problem: Problem) -> Spread:
    """The estimate, and ``V = n / (n - 1) sum c U^2 / n``, from the influences."""
    estimate, variance = Spreads(problem)(np.asarray(problem.table.count)[None, :])
    return Spread(float(estimate[0]), float(variance[0]))


@dataclass(frozen=True)
class Components:
    """``V(m) = a + b/m + c/(m(m-1))``, and what of it the pilot itself tells.

    ``source`` is "pilot", "pilot and model" where the pilot has three ratings an item, or "model"
    where it has two. ``low`` and ``high`` are the components of the least and the largest
    variance at many ratings that the pilot's own figures allow.
    """

    a: float
    b: float
    c: float
    source: str = "pilot"
    low: tuple[float, float, float] | None = None
    high: tuple[float, float, float] | None = None

    def variance(self, ratings: float | Floats) -> Floats:
        """V of an item with so many ratings."""
        return _variance((self.a, self.b, self.c), ratings)

    def bounds(self, ratings: float | Floats) -> tuple[Floats, Floats]:
        """Between what V lies, whatever the model says."""
        own = (self.a, self.b, self.c)
        return _variance(self.low or own, ratings), _variance(self.high or own, ratings)

    def between_shares(self, ratings: float) -> tuple[float, float]:
        """Of V with so many ratings the share between items, the least and the largest."""
        own = (self.a, self.b, self.c)
        low, high = (
            parts[0] / max(float(_variance(parts, ratings)), 1e-300)
            for parts in (self.low or own, self.high or own)
        )
        return low, high

    def scaled(self, factor: float) -> Components:
        """All of them by a factor."""
        low, high = (
            None if parts is None else tuple(factor * part for part in parts)
            for parts in (self.low, self.high)
        )
        own = factor * self.a, factor * self.b, factor * self.c
        return Components(*own, self.source, low, high)  # type: ignore[arg-type]


def _variance(parts: tuple[float, float, float], ratings: float | Floats) -> Floats:
    m = np.asarray(ratings, dtype=np.float64)
    return parts[0] + parts[1] / m + parts[2] / (m * (m - 1))


def of_covariances(t0: float, t1: float, t2: float) -> tuple[float, float, float]:
    """The components a, b, c of the covariances of pairs of ratings."""
    return t0, 4 * (t1 - t0), 2 * (t2 - t0) - 4 * (t1 - t0)


def fitted(variances: dict[int, float]) -> Components:
    """Components by nonnegative least squares, from the variances at three sizes or more."""
    from scipy.optimize import nnls

    m = np.array(sorted(variances), dtype=np.float64)
    found = np.array([variances[int(size)] for size in m])
    scale = np.where(found > 0, found, 1.0)
    basis = np.stack([np.ones_like(m), 1 / m, 1 / (m * (m - 1))], axis=1)
    parts, _ = nnls(basis / scale[:, None], found / scale)
    fit = Components(float(parts[0]), float(parts[1]), float(parts[2]))
    # what is known best is what needs no fit: the pilot as it is
    level = float(fit.variance(m[-1]))
    return fit.scaled(float(found[-1]) / level) if level > 0 else fit


def between(two: float, three: float, share: float) -> Components:
    """Components from the variances at 2 and 3 ratings, which leave one of three open.

    ``share`` of t1 - t0 in t2 - t1, from 0 to 1, is what a model has to say.
    """
    t2 = two
    t1 = min(max((3 * three - t2) / 2, 0.0), t2)

    def parts(share: float) -> tuple[float, float, float]:
        return of_covariances(max(t1 - share * (t2 - t1), 0.0), t1, t2)

    share = min(max(share, 0.0), 1.0)
    return Components(*_nonnegative(parts(share)), "pilot and model", parts(1.0), parts(0.0))


def from_model(two: float, first: float, share: float) -> Components:
    """Components from the variance at 2 ratings alone: a model has to say t1 / t2 as well."""
    t1 = first * two
    own = of_covariances(max(t1 - share * (two - t1), 0.0), t1, two)
    return Components(
        *_nonnegative(own), "model", of_covariances(0.0, 0.0, two), of_covariances(two, two, two)
    )


def _nonnegative(parts: tuple[float, float, float]) -> tuple[float, float, float]:
    a, b, c = (max(part, 0.0) for part in parts)
    return a, b, c


class CodeRows(NamedTuple):
    """The codes behind a problem's data, and what each code stands for in it (the last: none)."""

    codes: Integers  # (pattern, place)
    of_code: Floats  # (code, ...)

    def problem(self, template: Problem, codes: Integers, count: Floats) -> Problem:
        """The same coefficient on other patterns.

        As many places for each number of ratings, so that another number compiles nothing anew:
        those without a rating weigh nothing.
        """
        size = codes.shape[1]
        places = size if template.measure.annotators == size else max(_PLACES, size)
        weight = np.zeros(places, dtype=template.data.dtype)
        weight[:size] = 1.0
        codes = np.pad(codes, ((0, 0), (0, places - size)), constant_values=-1)
        return replace(
            template,
            table=Table(np.asarray(count, dtype=np.float64)),
            data=self.of_code[codes],
            annotator_weight=weight,
            annotator_of=None,
            annotators=places,
        )


def code_rows(tables: RatingTables, problem: Problem) -> CodeRows:
    """Read off a problem's data what each code stands for."""
    if not problem.measure.identified:
        codes = tables.exchangeable.codes
    elif problem.annotator_of is not None:
        codes = tables.by_slot.codes
    else:
        codes = tables.grid.codes
    data = problem.data
    of_code = np.full((tables.codes.distinct + 1, *data.shape[2:]), np.nan, dtype=data.dtype)
    given = codes >= 0
    of_code[codes[given]] = data[given]
    return CodeRows(codes, of_code)


@dataclass(frozen=True)
class Rung:
    """The pilot with so many ratings an item: one table, or one for each set of annotators.

    ``members`` (pattern, pilot's pattern) says how the pilot's items fall on the table's patterns.
    """

    size: int
    problems: tuple[Problem, ...]
    members: Any = None

    @cached_property
    def spread(self) -> Spread:
        """Of the pilot itself; the mean over sets of annotators."""
        found = [spread_of(problem) for problem in self.problems]
        usable = [one for one in found if all(map(math.isfinite, one))]
        if not usable:
            return Spread(math.nan, math.nan)
        return Spread(*(float(part) for part in np.mean(usable, axis=0)))

    def variances(self, rows: Floats) -> Floats:
        """V at other counts (row, pattern) of the pilot's patterns."""
        if self.members is None:
            rows = rows * (self.problems[0].table.count > 0)
        else:
            rows = np.asarray((self.members @ rows.T).T)
        return np.mean([spreads(rows)[1] for spreads in self._spreads], axis=0)

    @cached_property
    def _spreads(self) -> list[Spreads]:
        return [Spreads(problem) for problem in self.problems]


@dataclass(frozen=True)
class Ladder:
    """The pilot by ratings an item, all sizes on the same items; and why there are no more."""

    rungs: tuple[Rung, ...] = ()
    note: str = ""

    @property
    def variances(self) -> dict[int, float]:
        """V by ratings an item."""
        return {rung.size: rung.spread.variance for rung in self.rungs}


def ladder(chooser: Chooser, asked: Asked) -> Ladder:
    """V(m) of the pilot for m from 2 up, from ratings or annotators left out."""
    problem = asked.problem
    if problem.measure.annotators is not None:
        return Ladder(note=f"{asked.name} is a figure of two annotators")
    found = (_of_annotators if problem.measure.identified else _of_ratings)(chooser, problem)
    rungs = tuple(rung for rung in found.rungs if math.isfinite(rung.spread.variance))
    if len(rungs) < 2:
        return Ladder(rungs, found.note)
    first, last = rungs[0].spread, rungs[-1].spread
    error = math.sqrt(last.variance / rungs[-1].problems[0].table.items)
    if abs(first.estimate - last.estimate) > _MOVES * error + _ROUNDING:
        note = (
            f"the figure itself moves with the ratings an item has ({first.estimate:.3f} with "
            f"{rungs[0].size}, {last.estimate:.3f} with {rungs[-1].size})"
        )
        return Ladder(note=note)
    return Ladder(rungs, found.note)


def _of_ratings(chooser: Chooser, problem: Problem) -> Ladder:
    """Who rated does not matter: any ratings of an item are left out."""
    tables = chooser.tables
    rows = code_rows(tables, problem)
    count = tables.exchangeable_table.count
    panel = (rows.codes >= 0).sum(axis=1)
    most = _usual(panel, count)
    held = np.flatnonzero((panel >= most) & (count > 0))
    rungs = []
    most_rows = _CELLS // columns_of(problem)
    for size in [size for size in SIZES if size < most] + [most]:
        subsets = _subsets(rows.codes[held], panel[held], size, most_rows)
        found = exchangeable_patterns(Codes(subsets.codes, tables.codes.distinct))
        members = csr_array(
            (subsets.share, (found.pattern_of, held[subsets.source])),
            shape=(len(found.codes), len(count)),
        )
        members.sum_duplicates()
        table = rows.problem(problem, found.codes, members @ count)
        rungs.append(Rung(size, (table,), members))
    return Ladder(tuple(rungs))


def _usual(panel: Integers, count: Floats) -> int:
    """The most ratings that half of the pairable items have."""
    half = max(count[panel >= 2].sum() / 2, 2)
    sizes = range(2, int(panel.max(initial=2)) + 1)
    return max((size for size in sizes if count[panel >= size].sum() >= half), default=2)


class _Subsets(NamedTuple):
    codes: Integers  # (subset, rating)
    source: Integers  # (subset,) the pattern it is of
    share: Floats  # (subset,) of the pattern


def columns_of(problem: Problem) -> int:
    """Numbers that an item has a part in: the size of its statistics."""
    if not problem.factored:
        return int(np.prod(problem.data.shape[1:]))
    flat = Prepared([problem]).statistics(problem)
    return int(flat.plain.shape[1] + flat.indexed_columns)


def _subsets(codes: Integers, panel: Integers, size: int, most: int) -> _Subsets:
    """All sets of so many ratings of each pattern, or some of them where there are too many."""
    rng = np.random.default_rng([size, len(codes)])  # the same for the same pilot
    sets = sum(math.comb(int(ratings), size) for ratings in panel)
    drawn = min(max(most // len(panel), _FEWEST), _DRAWN)
    found: list[_Subsets] = []
    for ratings in np.unique(panel).tolist():
        of_panel = np.flatnonzero(panel == ratings)
        own = codes[of_panel][:, :ratings]  # gaps stand last
        if sets <= most or math.comb(ratings, size) <= drawn:
            taken = own[:, np.array(list(combinations(range(ratings), size)))]
        else:
            order = rng.random((len(own), drawn, ratings)).argsort(axis=2)[..., :size]
            taken = np.take_along_axis(own[:, None, :], order, axis=2)
        each = taken.shape[1]
        source = np.repeat(of_panel, each)
        found.append(_Subsets(taken.reshape(-1, size), source, np.full(len(source), 1 / each)))
    return _Subsets(*(np.concatenate(part) for part in zip(*found, strict=True)))


def _of_annotators(chooser: Chooser, problem: Problem) -> Ladder:
    """Who rated matters: annotators are left out, on the items that all of them rated."""
    tables = chooser.tables
    annotators = chooser.ratings.sizes["annotator"]
    count = np.asarray(problem.table.count)
    complete = (tables.identified.codes >= 0).sum(axis=1) == annotators
    items = float(count[complete].sum())
    if annotators < 3:
        return Ladder()
    if items < max(ENOUGH, count.sum() / 2):
        return Ladder(note=f"only {items:,.6g} items were rated by all {annotators} annotators")
    table = Table(np.where(complete, count, 0.0))
    rungs = []
    for size in [size for size in SIZES if size < annotators] + [annotators]:
        weights = []
        for panel in _panels(annotators, size):
            weight = np.zeros(annotators)
            weight[panel] = 1.0
            weights.append(weight)
        problems = (replace(problem, table=table, annotator_weight=one) for one in weights)
        rungs.append(Rung(size, tuple(problems)))
    return Ladder(tuple(rungs))


def _panels(annotators: int, size: int) -> Iterator[list[int]]:
    if math.comb(annotators, size) <= _PANELS:
        yield from map(list, combinations(range(annotators), size))
        return
    rng = np.random.default_rng([annotators, size])
    for _ in range(_PANELS):
        yield sorted(rng.choice(annotators, size, replace=False).tolist())


def panel_sizes(tables: RatingTables) -> tuple[NDArray[np.integer], Floats]:
    """Ratings of each pattern that somebody rated, and its items."""
    panel = (tables.identified.codes >= 0).sum(axis=1)
    count = np.asarray(tables.identified.count)
    return panel[panel > 0], count[panel > 0]
