"""How often sets differ as much by chance: items exchanged, or annotators grouped otherwise.

A difference after an exchange is taken in the standard error of the sets as exchanged. The test is
exact where the sets differ in nothing, and holds for many items where they are equally good and
differ otherwise, as in the frequency of labels (Janssen 1997, Chung and Romano 2013). A label that
few items have may show no spread, or hardly any: what one item more would take from the figure is
added to the error, so that little data are no certainty.

Of groups of annotators, items are what a comparison draws, so that it speaks of these annotators.
That annotators of one kind agree more than those of another is a claim about kinds; as many
annotators dealt out at random to groups of the same sizes show how far groups of these annotators
differ by themselves.

Janssen, A. (1997). Studentized permutation tests for non-i.i.d. hypotheses and the generalized
Behrens-Fisher problem. Statistics and Probability Letters 36(1).
https://doi.org/10.1016/S0167-7152(97)00043-6
Chung, E. and Romano, J. P. (2013). Exact and asymptotically robust permutation tests. Annals of
Statistics 41(2). https://doi.org/10.1214/13-AOS1090
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.compare.clusters import weighted_variance
from iaa_jax.analyses.compare.two_sets import ExchangedRows, TwoSets
from iaa_jax.catalog import CATALOG
from iaa_jax.engine import Prepared, Problem
from iaa_jax.engine.drawing import BLOCK, Purpose, stream
from iaa_jax.engine.gradients import GradientRows
from iaa_jax.engine.middles import as_shortfall, uses_moments
from iaa_jax.engine.prepared import tables_of
from iaa_jax.engine.route import over_rows
from iaa_jax.engine.rows import Progress, tell
from iaa_jax.measure import LabelOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.studies import with_identities

_ROUNDING = 1e-9
_CERTAIN = 1e6
_CELLS = 1 << 16

MOST = 10
"""Annotators of a group from which on groups are no longer dealt out anew."""

_WORK = 1 << 31
"""Cells of data, over all rows, beyond which nothing is dealt out."""


class Draws(NamedTuple):
    """How many replicates and exchanges are drawn, from which seed, and with which prior."""

    replicates: int
    permutations: int
    seed: int
    prior: float | None = None


class Exchanged(NamedTuple):
    """A difference in standard errors, and the size of the same after each exchange.

    ``scale`` is the standard error with what one item more would take; NaN where an exchange leaves
    a figure undefined.
    """

    statistic: float
    scale: float
    drawn: Floats

    @property
    def p_value(self) -> float:
        """The share that is as large; one that is undefined counts as large."""
        if np.isnan(self.statistic):
            return np.nan
        as_large = np.isnan(self.drawn) | (self.drawn >= self.statistic * (1 - _ROUNDING))
        return float((1 + as_large.sum()) / (1 + len(self.drawn)))

    def reach(self, confidence: float) -> float:
        """How far an interval goes that holds 0 just where p is large enough."""
        undefined_last = np.sort(np.where(np.isnan(self.drawn), np.inf, self.drawn))
        place = int(np.ceil(confidence * (1 + len(undefined_last)))) - 1
        if place >= len(undefined_last) or np.isinf(undefined_last[place]):
            return np.nan
        return float(undefined_last[place] * self.scale * (1 + _ROUNDING))


def exchange(
    sides: Sequence[tuple[Problem, Problem]],
    least: Sequence[float],
    sets: TwoSets,
    permutations: int,
    seed: int,
    progress: Progress | None = None,
) -> list[Exchanged]:
    """Each coefficient, by its problems in A and in B, over the same exchanges.

    ``least`` is what is added to each standard error, as its own standard error would be.
    """
    differences = [_Difference(*pair, sets, permutations) for pair in sides]
    found: list[list[tuple[Floats, Floats, Floats]]] = [[] for _ in sides]
    done = 0
    for rows in _together(sets.exchanges(permutations, seed)):
        for difference, parts in zip(differences, found, strict=True):
            parts.append(difference(rows))
        done += len(rows.a)
        tell(progress, min(done, permutations), permutations)
    exchanged = []
    for parts, floor in zip(found, least, strict=True):
        apart, variance, unit = (np.concatenate(column) for column in zip(*parts, strict=True))
        scale, size, rounding = np.sqrt(variance + floor**2), np.abs(apart), _ROUNDING * unit
        # without any spread, and nothing added to it, only a difference of 0 is none
        with np.errstate(invalid="ignore", divide="ignore"):
            t = np.where((scale <= rounding) & (size <= rounding), 0.0, size / scale)
        t = np.minimum(t, _CERTAIN)
        exchanged.append(Exchanged(float(t[0]), float(scale[0]), t[1:]))
    return exchanged


def _together(blocks: Iterator[ExchangedRows]) -> Iterator[ExchangedRows]:
    """The same rows in fewer blocks, as many as are small enough to be worked out at once."""
    waiting: list[ExchangedRows] = []
    for block in blocks:
        waiting.append(block)
        if sum(part.a.size for part in waiting) >= _CELLS:
            yield ExchangedRows(*map(np.concatenate, zip(*waiting, strict=True)))
            waiting = []
    if waiting:
        yield ExchangedRows(*map(np.concatenate, zip(*waiting, strict=True)))


class _Difference:
    """One coefficient: the difference B - A, its variance, and its size, at rows of exchanges.

    Of numbers what is missing to 1 is compared: it may be too small to be seen beside 1.
    """

    def __init__(self, a: Problem, b: Problem, sets: TwoSets, rows: int) -> None:
        self.sets = sets
        self.index = 1 if a.measure.identified else 0
        same = a.annotator_weight is b.annotator_weight
        self._from_1 = uses_moments(a)
        a, b = as_shortfall(a), as_shortfall(b)
        self._a = GradientRows(Prepared([a]), rows)
        self._b = self._a if same else GradientRows(Prepared([b]), rows)

    def __call__(self, rows: ExchangedRows) -> tuple[Floats, Floats, Floats]:
        sets = self.sets
        weights = rows.a, rows.b
        if self.index == 0:
            weights = sets.coarse_rows(rows.a), sets.coarse_rows(rows.b)
        figures = [at(weight) for at, weight in zip((self._a, self._b), weights, strict=True)]
        a, b = (figure.centred(weight) for figure, weight in zip(figures, weights, strict=True))
        if sets.clustered is not None:
            variance = sets.clustered.variance(self.index, a, b, rows.units)
        elif sets.paired:
            variance = self._variance_of_pairs(a, b, rows.units)
        else:
            variance = weighted_variance(a, weights[0]) + weighted_variance(b, weights[1])
        of_a, of_b = (figure.estimate for figure in figures)
        unit = np.maximum(abs(of_a), abs(of_b)) if self._from_1 else np.ones(len(of_a))
        return of_b - of_a, variance, unit

    def _variance_of_pairs(self, a: Floats, b: Floats, swapped: Floats) -> Floats:
        """Of items whose sides did not change, and of those whose did."""
        sets = self.sets
        if self.index == 0:
            a, b = a[:, sets.coarse_of], b[:, sets.coarse_of]
        turning = sets.turning
        kept = np.tile(sets.joint.count, (len(a), 1))
        kept[:, turning] -= swapped
        as_is = b[:, sets.of_b] - a[:, sets.of_a]
        turned = b[:, sets.of_a[turning]] - a[:, sets.of_b[turning]]
        return weighted_variance(
            np.concatenate([as_is, turned], axis=1), np.concatenate([kept, swapped], axis=1)
        )


class Regrouping(NamedTuple):
    """How often groups of the same sizes differ as much: p-values, and out of how many ways."""

    p_value: Floats
    ways: int
    exhaustive: bool
    least: float
    """The smallest p-value that there can be: two groups of one size are the same way turned."""


def regroup_annotators(
    ratings: Rated,
    a: Sequence[object],
    b: Sequence[object],
    coefficients: Sequence[CoefficientLike],
    options: LabelOptions,
    draws: Draws,
) -> Regrouping | None:
    """The share of ways to deal annotators out to two groups that differ as much as A and B.

    All items count, whichever the groups rated. Every way is taken where there are no more than the
    permutations drawn, else so many at random (and then the groups as they are count as one more).

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings of all the annotators.
    a, b : sequences
        The names of each group's annotators.
    coefficients : sequence
        Names from the catalogue, or functions with the kernels' signature.
    options : LabelOptions
        How labels agree.
    draws : Draws
        How many ways at random, and their seed.

    Returns
    -------
    Regrouping or None
        None where a group has `MOST` annotators or more, or there is too much to work out. The
        p-value is NaN for coefficients that are defined for two annotators alone, as Cohen's kappa:
        there is no figure of all annotators to take the groups' figures from.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a", "b", "a"], ["b", "b", "b", "a"], ["a", "a", "a", "b"]])
    >>> groups = ratings.annotator.values.reshape(2, 2).tolist()
    >>> draws = Draws(0, 2000, 0)
    >>> shares = regroup_annotators(
    ...     Rated(ratings), *groups, ["percent_agreement"], LabelOptions(), draws
    ... )
    >>> shares.ways, shares.p_value.round(3)
    (6, array([0.333]))
    """
    if max(len(a), len(b)) >= MOST or not draws.permutations:
        return None
    part = ratings.select_annotators([*a, *b])
    resolver = Resolver(part, options)
    names = [str(name) for name in part.annotator_names.tolist()]
    regrouped = [
        k for k, name in enumerate(coefficients) if not _is_for_another_number(name, len(names))
    ]
    if not regrouped:
        return None
    requests = [resolver.request(coefficients[k]) for k in regrouped]
    problems = [with_identities(resolver, request.problem) for request in requests]
    first = np.array([names.index(str(name)) for name in a], dtype=np.intp)
    ways = comb(len(names), len(first))
    exhaustive = ways <= draws.permutations
    if exhaustive:
        chosen = np.array(list(combinations(range(len(names)), len(first))))
    else:
        order = stream(draws.seed, Purpose.REGROUPED_ANNOTATORS).permuted(
            np.tile(np.arange(len(names)), (draws.permutations, 1)), axis=1
        )
        chosen = order[:, : len(first)]
    of_a = np.zeros((1 + len(chosen), len(names)))
    of_a[0, first] = 1.0
    np.put_along_axis(of_a[1:], chosen, 1.0, axis=1)
    rows = np.concatenate([of_a, 1 - of_a])
    if len(rows) * max(problem.data.size for problem in problems) > _WORK:
        return None
    prepared = Prepared(problems)
    tables = tables_of(prepared.problems)
    blocks = -(-len(rows) // BLOCK)

    def group_rows(size: int) -> Iterator[Floats]:
        padded = np.ones((blocks * BLOCK, size))
        padded[: len(rows), : len(names)] = rows
        yield from np.split(padded, blocks)

    items = (tuple(np.tile(table.count, (BLOCK, 1)) for table in tables) for _ in range(blocks))
    estimates = over_rows(prepared, tables, items, len(rows), annotators=group_rows)
    assert all(problem.annotator_count >= len(names) for problem in problems)
    p_values = np.full(len(coefficients), np.nan)
    for k, figures in zip(regrouped, estimates, strict=True):
        figure = np.asarray(figures, dtype=np.float64)[: len(rows)]
        size = np.abs(figure[len(of_a) :] - figure[: len(of_a)])
        # a way that leaves a figure undefined counts against a difference
        as_large = np.isnan(size[1:]) | (size[1:] >= size[0] - 1e-9 * max(size[0], 1e-3))
        share = as_large.mean() if exhaustive else (1 + as_large.sum()) / (1 + len(as_large))
        p_values[k] = np.nan if np.isnan(size[0]) else float(share)
    least = (1 + (len(a) == len(b))) / ways if exhaustive else 0.0
    return Regrouping(p_values, ways, exhaustive, least)


def _is_for_another_number(coefficient: CoefficientLike, annotators: int) -> bool:
    """Whether a coefficient is defined for a number of annotators that is not this one."""
    row = CATALOG.get(coefficient) if isinstance(coefficient, str) else None
    return row is not None and row.measure.annotators not in (None, annotators)
