"""Standard errors of two sets' estimates, and of their difference, over items and annotators.

If annotators are random, each is left out in turn. An annotator of both sets is left out of both,
so that equal effects on both estimates cancel. The effects of annotators on single items are part
of both variances, over items and over annotators. Their variance is therefore subtracted once
(Cameron, Gelbach and Miller 2011).

Cameron, A. C., Gelbach, J. B. and Miller, D. L. (2011). Robust inference with multiway clustering.
Journal of Business and Economic Statistics 29(2). https://doi.org/10.1198/jbes.2010.07136
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats
from iaa_jax.analyses.compare.pairing import Pool
from iaa_jax.analyses.compare.two_sets import TwoSets
from iaa_jax.engine import Prepared, Problem, influences
from iaa_jax.engine.units import leave_annotators_out, present_annotators, unit_influences
from iaa_jax.kernels import intervals
from iaa_jax.measure.intervals.standard_errors import satterthwaite
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.requests.studies import with_identities

NO_SPREAD = 1e-12
"""Maximum standard error or difference that is only a rounding error."""

Spreads = tuple[float, float, float, float, float]
"""Standard errors of A, of B and of the difference, degrees of freedom, and acceleration."""

UNKNOWN: Spreads = (np.nan,) * 5

_MOST_ON_ITEMS = 100
"""Maximum number of annotators whose effects on items are subtracted."""


def with_annotators(items: Spreads, annotators: OverAnnotators) -> Spreads:
    """Add the variances over annotators."""
    a, b, error, degrees, skewness = items
    whole = added(_VariancePart(error**2, degrees), annotators.parts)
    errors = float(np.hypot(a, annotators.a)), float(np.hypot(b, annotators.b))
    return *errors, float(np.sqrt(whole.variance)), whole.degrees, skewness


def spread_of(problem: Problem, gradients: tuple[Floats, Floats], sets: TwoSets) -> Spreads:
    """Return the spreads over items, or clusters of items."""
    table_index = 1 if problem.measure.identified else 0
    (a, b), counts = _units(gradients, table_index, sets)
    error_a, error_b = _error(a, counts[0]), _error(b, counts[1])
    if sets.paired:
        if sets.clustered is not None:
            difference, count = b - a, counts[0]
        else:
            table, of_a, of_b = sets.pair_table(table_index)
            difference, count = b[of_b] - a[of_a], table.count
        skewness = float(intervals.acceleration(difference, count))
        return error_a, error_b, _error(difference, count), float(count.sum()) - 1, skewness
    # the influences of A get a minus sign
    centred = [
        sign * intervals.centred_influence(derivative, count) / count.sum()
        for sign, derivative, count in zip((-1, 1), (a, b), counts, strict=True)
    ]
    squares = np.square([error_a, error_b])
    degrees_of_sets = [count.sum() - 1 for count in counts]
    degrees = satterthwaite([*squares], degrees_of_sets)
    skewness = float(intervals.acceleration(np.concatenate(centred), np.concatenate(counts)))
    return error_a, error_b, float(np.sqrt(squares.sum())), float(degrees), skewness


def _units(
    gradients: tuple[Floats, Floats], table_index: int, sets: TwoSets
) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    """Return the influences of units on both estimates, and their counts.

    Units are clusters or, without clusters, patterns (sets of items with the same ratings).
    """
    tables = sets.a[table_index], sets.b[table_index]
    a, b = (
        np.where(table.count > 0, np.asarray(gradient, dtype=np.float64), 0.0)
        for gradient, table in zip(gradients, tables, strict=True)
    )
    if sets.clustered is None:
        return (a, b), (tables[0].count, tables[1].count)
    of_a, of_b = sets.clustered.a, sets.clustered.b
    of_clusters = unit_influences(a, tables[0], of_a), unit_influences(b, tables[1], of_b)
    return of_clusters, (of_a.count, of_b.count)


def _error(derivative: Floats, count: Floats) -> float:
    """Return the standard error, or 0 if it is only rounding."""
    error = float(intervals.infinitesimal_jackknife(derivative, count))
    return 0.0 if error <= NO_SPREAD else error


class _VariancePart(NamedTuple):
    """A part of a variance, and its degrees of freedom."""

    variance: float
    degrees: float


class OverAnnotators(NamedTuple):
    """Standard errors of A and B over annotators, and parts of their difference's variance."""

    a: float
    b: float
    parts: tuple[_VariancePart, ...]


def over_annotators(
    sides: Sequence[tuple[Problem, Problem]],
    resolver: Resolver,
    pool: Pool,
    sets: TwoSets,
    variance: Callable[[Problem, Floats, Floats], float],
) -> list[OverAnnotators]:
    """Return the variances over annotators, for each coefficient.

    ``sides`` holds each coefficient's problems (formula and data) in A and in B. ``variance`` is
    the function from the derivatives of both estimates to the difference's variance over items.
    """
    identified = [
        [replace(with_identities(resolver, pair[side]), table=tables.identified) for pair in sides]
        for side, tables in ((0, sets.a), (1, sets.b))
    ]
    moved = [
        [
            _moves(problem, estimates)
            for problem, (estimates, _) in zip(
                problems, leave_annotators_out(Prepared(problems)), strict=True
            )
        ]
        for problems in identified
    ]
    return [
        _parts(a, b, pool.same_annotator, _on_items(problems, (a, b), variance))
        for a, b, *problems in zip(*moved, *identified, strict=True)
    ]


def _on_items(
    problems: Sequence[Problem],
    moves: tuple[Floats, Floats],
    variance: Callable[[Problem, Floats, Floats], float],
) -> Callable[[NDArray[np.bool_], NDArray[np.bool_]], float]:
    """Return the function that computes the variance of annotators' effects on single items.

    Its arguments state which annotators of A and of B to include.
    """
    largest = max(np.count_nonzero(~np.isnan(effects)) for effects in moves)
    if largest > _MOST_ON_ITEMS or any(np.isinf(effects).any() for effects in moves):
        return lambda *_: 0.0
    slopes = [_slopes(problem, effects) for problem, effects in zip(problems, moves, strict=True)]

    def both(of_a: NDArray[np.bool_], of_b: NDArray[np.bool_]) -> float:
        return sum(
            variance(problems[0], slopes[0][k] * of_a[k], slopes[1][k] * of_b[k])
            for k in np.flatnonzero(of_a | of_b)
        )

    return both


def _slopes(problem: Problem, moves: Floats) -> Floats:
    """Return annotators' effects (annotator, pattern) on derivatives with respect to weights."""
    present = np.flatnonzero(~np.isnan(moves))
    size = problem.annotator_count
    whole = np.ones(size) if problem.annotator_weight is None else problem.annotator_weight
    slopes = np.zeros((len(moves), len(problem.table.count)))
    for annotator in present:
        others = np.where(np.arange(size) == annotator, 0.0, whole)
        (gradient,) = influences(Prepared([replace(problem, annotator_weight=others)]))
        slopes[annotator] = np.where(problem.table.count > 0, gradient, 0.0)
    slopes[present] -= slopes[present].mean(axis=0)
    return np.asarray(np.sqrt((len(present) - 1) / len(present)) * slopes)


def _moves(problem: Problem, estimates: Floats) -> Floats:
    """Return annotators' effects ``sqrt((k - 1) / k) (t - mean)``; NaN without ratings.

    For each of k annotators, t is the estimate without this annotator. The sum of squares is the
    jackknife variance. Infinite effects are unknown.
    """
    present = present_annotators([problem], problem.annotator_count)
    number = len(estimates)
    moves = np.full(len(present), np.nan)
    # for one annotator, or if an estimate is undefined, all effects are unknown
    moves[present] = np.sqrt((number - 1) / number) * (estimates - estimates.mean())
    moves[present] = np.inf if number < 2 or np.isnan(estimates).any() else moves[present]
    return moves


def _parts(
    a: Floats,
    b: Floats,
    same: NDArray[np.bool_],
    on_items: Callable[[NDArray[np.bool_], NDArray[np.bool_]], float],
) -> OverAnnotators:
    present = [~np.isnan(moves) for moves in (a, b)]
    in_both = present[0] & present[1] & same[: len(a)]
    squares = [
        np.where(known, moves, 0.0) ** 2 for known, moves in zip(present, (a, b), strict=True)
    ]
    errors = [float(np.sqrt(of_set.sum())) for of_set in squares]
    degrees = [float(known.sum()) - 1 for known in present]
    if np.isinf(errors).any():
        return OverAnnotators(np.nan, np.nan, (_VariancePart(np.nan, np.nan),))
    none = np.zeros_like(in_both)
    in_one = [
        float(of_set[~in_both].sum()) - on_items(*counted)
        for of_set, counted in zip(
            squares, ((present[0] & ~in_both, none), (none, present[1] & ~in_both)), strict=True
        )
    ]
    if not in_both.any():
        parts = tuple(
            _VariancePart(max(variance, 0.0), df)
            for variance, df in zip(in_one, degrees, strict=True)
        )
        return OverAnnotators(errors[0], errors[1], parts)
    together = np.square(b[in_both] - a[in_both]).sum() - on_items(in_both, in_both)
    whole = max(float(together) + sum(in_one), 0.0)
    return OverAnnotators(errors[0], errors[1], (_VariancePart(whole, min(degrees)),))


def added(items: _VariancePart, annotators: Sequence[_VariancePart]) -> _VariancePart:
    """Return the sum of variances, with Satterthwaite's degrees of freedom."""
    variances, degrees = zip(items, *annotators, strict=True)
    return _VariancePart(sum(variances), float(satterthwaite(variances, degrees)))
