"""Permutation tests of a comparison: items are permuted, or annotators are regrouped.

The difference after each permutation is divided by the standard error of the permuted sets. The
test is exact if the sets do not differ at all. With many items, it is also valid if the sets agree
equally well but differ in other ways, such as label frequencies (Janssen 1997, Chung and Romano
2013). The square of the change by one more disagreeing item is added to the variance, so that a
difference on a few items does not look certain.

A claim that one kind of annotator agrees more than another is about all annotators of a kind, not
only about these. Assigning the same annotators at random to groups of the same sizes shows how much
groups differ by chance.

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
from iaa_jax.analyses.compare.two_sets import PermutedRows, TwoSets
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
"""Annotators are regrouped only if both groups have fewer than this."""

_WORK = 1 << 31
"""Maximum product of the numbers of groups and of cells of the data."""


class Draws(NamedTuple):
    """The numbers of replicates and permutations to draw, their seed, and the prior."""

    replicates: int
    permutations: int
    seed: int
    prior: float | None = None


class PermutedDifference(NamedTuple):
    """The absolute difference in standard errors: observed, and after each permutation (``drawn``).

    ``scale`` is the observed standard error, including the change by one more item. NaN in
    ``drawn`` means an undefined estimate.
    """

    statistic: float
    scale: float
    drawn: Floats

    @property
    def p_value(self) -> float:
        """Share of permutations after which the difference is at least as large, or undefined."""
        if np.isnan(self.statistic):
            return np.nan
        as_large = np.isnan(self.drawn) | (self.drawn >= self.statistic * (1 - _ROUNDING))
        return float((1 + as_large.sum()) / (1 + len(self.drawn)))

    def reach(self, confidence: float) -> float:
        """Return the half-width of the interval that excludes 0 exactly if p is significant.

        It is NaN if too few permutations give defined estimates.
        """
        undefined_last = np.sort(np.where(np.isnan(self.drawn), np.inf, self.drawn))
        position = int(np.ceil(confidence * (1 + len(undefined_last)))) - 1
        if position >= len(undefined_last) or np.isinf(undefined_last[position]):
            return np.nan
        return float(undefined_last[position] * self.scale * (1 + _ROUNDING))


def permute(
    sides: Sequence[tuple[Problem, Problem]],
    least: Sequence[float],
    sets: TwoSets,
    permutations: int,
    seed: int,
    progress: Progress | None = None,
) -> list[PermutedDifference]:
    """Permute items or clusters, and return the permuted differences of each coefficient.

    ``sides`` are each coefficient's problems (formula and data) in A and in B. The squares of
    ``least`` are added to variances.
    """
    differences = [_Difference(*pair, sets, permutations) for pair in sides]
    results: list[list[tuple[Floats, Floats, Floats]]] = [[] for _ in sides]
    done = 0
    for rows in _together(sets.exchanges(permutations, seed)):
        for difference, parts in zip(differences, results, strict=True):
            parts.append(difference(rows))
        done += len(rows.a)
        tell(progress, min(done, permutations), permutations)
    exchanged = []
    for parts, floor in zip(results, least, strict=True):
        shift, variance, unit = (np.concatenate(column) for column in zip(*parts, strict=True))
        scale, size, rounding = np.sqrt(variance + floor**2), np.abs(shift), _ROUNDING * unit
        # without a standard error, any difference other than 0 is certain
        with np.errstate(invalid="ignore", divide="ignore"):
            t = np.where((scale <= rounding) & (size <= rounding), 0.0, size / scale)
        t = np.minimum(t, _CERTAIN)
        exchanged.append(PermutedDifference(float(t[0]), float(scale[0]), t[1:]))
    return exchanged


def _together(blocks: Iterator[PermutedRows]) -> Iterator[PermutedRows]:
    """Yield the rows in fewer and larger blocks."""
    waiting: list[PermutedRows] = []
    for block in blocks:
        waiting.append(block)
        if sum(part.a.size for part in waiting) >= _CELLS:
            yield PermutedRows(*map(np.concatenate, zip(*waiting, strict=True)))
            waiting = []
    if waiting:
        yield PermutedRows(*map(np.concatenate, zip(*waiting, strict=True)))


class _Difference:
    """Function from permutations to B - A, its variance, and the unit of rounding errors.

    For numbers, the estimates are taken minus 1, because they would lose digits near 1.
    """

    def __init__(self, a: Problem, b: Problem, sets: TwoSets, rows: int) -> None:
        self.sets = sets
        self.index = 1 if a.measure.identified else 0
        same = a.annotator_weight is b.annotator_weight
        self._from_1 = uses_moments(a)
        a, b = as_shortfall(a), as_shortfall(b)
        self._a = GradientRows(Prepared([a]), rows)
        self._b = self._a if same else GradientRows(Prepared([b]), rows)

    def __call__(self, rows: PermutedRows) -> tuple[Floats, Floats, Floats]:
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
    """The p-values over groupings of annotators, and the number of groupings."""

    p_value: Floats
    ways: int
    exhaustive: bool
    least: float
    """The smallest possible p-value of all groupings; 0 for random groupings."""


def regroup_annotators(
    ratings: Rated,
    a: Sequence[object],
    b: Sequence[object],
    coefficients: Sequence[CoefficientLike],
    options: LabelOptions,
    draws: Draws,
) -> Regrouping | None:
    """Return the share of groupings of annotators whose two groups differ as much as A and B.

    If there are at most ``draws.permutations`` groupings, all are evaluated. Otherwise this many
    are drawn at random, and the actual groups count as one more.

    Parameters
    ----------
    ratings : Rated
        Ratings of all the annotators.
    a, b : sequences
        The names of each group's annotators.
    coefficients : sequence
        Names from the catalogue, or functions with the signature of those in `iaa_jax.kernels`.
    options : LabelOptions
        How labels agree.
    draws : Draws
        The number of groupings to draw at random, and their seed.

    Returns
    -------
    Regrouping or None
        None if a group has `MOST` annotators or more, the data are too large, or there is nothing
        to evaluate. The p-value is NaN for coefficients that are defined only for another number of
        annotators, such as Cohen's kappa.

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
        # a grouping with an undefined estimate counts as a large difference
        as_large = np.isnan(size[1:]) | (size[1:] >= size[0] - 1e-9 * max(size[0], 1e-3))
        share = as_large.mean() if exhaustive else (1 + as_large.sum()) / (1 + len(as_large))
        p_values[k] = np.nan if np.isnan(size[0]) else float(share)
    least = (1 + (len(a) == len(b))) / ways if exhaustive else 0.0
    return Regrouping(p_values, ways, exhaustive, least)


def _is_for_another_number(coefficient: CoefficientLike, annotators: int) -> bool:
    """Return whether a coefficient is only for another number of annotators."""
    row = CATALOG.get(coefficient) if isinstance(coefficient, str) else None
    return row is not None and row.measure.annotators not in (None, annotators)
