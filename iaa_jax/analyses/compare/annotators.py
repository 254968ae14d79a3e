"""Annotators as a sample: what other annotators would change in the figures of two sets.

Each annotator is left out in turn. One who rated in both sets is left out of both at once, so that
what an annotator does to both figures alike cancels out of the difference; annotators of one set
alone move its figure only. What an annotator does on an item is in the variance over items too: it
is taken off once, as of two-way clusters (Cameron, Gelbach and Miller 2011).

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
from iaa_jax.analyses.compare.pool import Pool
from iaa_jax.analyses.compare.two_sets import TwoSets
from iaa_jax.engine import Prepared, Problem, influences
from iaa_jax.engine.units import leave_annotators_out, present_annotators
from iaa_jax.measure.resolver import Resolver
from iaa_jax.measure.standard_errors import satterthwaite
from iaa_jax.measure.studies import with_identities

MOST_ON_ITEMS = 100
"""Annotators of a set beyond which the variance of each on items is left in both."""


class VariancePart(NamedTuple):
    """A part of a variance, and its degrees of freedom."""

    variance: float
    degrees: float


class OverAnnotators(NamedTuple):
    """Standard errors over annotators of A and of B, and the parts of that of their difference."""

    a: float
    b: float
    parts: tuple[VariancePart, ...]


def over_annotators(
    sides: Sequence[tuple[Problem, Problem]],
    resolver: Resolver,
    pool: Pool,
    sets: TwoSets,
    variance: Callable[[Problem, Floats, Floats], float],
) -> list[OverAnnotators]:
    """What annotators add to the variance of each coefficient, by its problems in A and in B.

    ``variance`` is that of the difference over items, from derivatives of both figures.
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
    """What the variances over items and over annotators both hold: what each does on each item.

    A function of which annotators of A and of B count: those of both sets move both figures.
    """
    most = max(np.count_nonzero(~np.isnan(one)) for one in moves)
    if most > MOST_ON_ITEMS or any(np.isinf(one).any() for one in moves):
        return lambda *_: 0.0
    slopes = [_slopes(problem, one) for problem, one in zip(problems, moves, strict=True)]

    def both(of_a: NDArray[np.bool_], of_b: NDArray[np.bool_]) -> float:
        return sum(
            variance(problems[0], slopes[0][k] * of_a[k], slopes[1][k] * of_b[k])
            for k in np.flatnonzero(of_a | of_b)
        )

    return both


def _slopes(problem: Problem, moves: Floats) -> Floats:
    """How each annotator moves the derivatives (annotator, pattern) by the weights of items."""
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
    """How each annotator moves the figure, sqrt((k - 1) / k) (t - mean): NaN for who is not there.

    The sum of squares is the jackknife's variance.
    """
    present = present_annotators([problem], problem.annotator_count)
    number = len(estimates)
    moves = np.full(len(present), np.nan)
    # one annotator alone, or a figure that is undefined without one, leaves all unknown
    moves[present] = np.sqrt((number - 1) / number) * (estimates - estimates.mean())
    moves[present] = np.inf if number < 2 or np.isnan(estimates).any() else moves[present]
    return moves


def _parts(
    a: Floats,
    b: Floats,
    same: NDArray[np.bool_],
    on_items: Callable[[NDArray[np.bool_], NDArray[np.bool_]], float],
) -> OverAnnotators:
    there = [~np.isnan(moves) for moves in (a, b)]
    in_both = there[0] & there[1] & same[: len(a)]
    squares = [np.where(one, moves, 0.0) ** 2 for one, moves in zip(there, (a, b), strict=True)]
    errors = [float(np.sqrt(each.sum())) for each in squares]
    degrees = [float(one.sum()) - 1 for one in there]
    if np.isinf(errors).any():
        return OverAnnotators(np.nan, np.nan, (VariancePart(np.nan, np.nan),))
    none = np.zeros_like(in_both)
    alone = [
        float(each[~in_both].sum()) - on_items(*counted)
        for each, counted in zip(
            squares, ((there[0] & ~in_both, none), (none, there[1] & ~in_both)), strict=True
        )
    ]
    if not in_both.any():
        parts = tuple(
            VariancePart(max(one, 0.0), df) for one, df in zip(alone, degrees, strict=True)
        )
        return OverAnnotators(errors[0], errors[1], parts)
    together = np.square(b[in_both] - a[in_both]).sum() - on_items(in_both, in_both)
    whole = max(float(together) + sum(alone), 0.0)
    return OverAnnotators(errors[0], errors[1], (VariancePart(whole, min(degrees)),))


def added(items: VariancePart, annotators: Sequence[VariancePart]) -> VariancePart:
    """The variance over items and over annotators; degrees of freedom by Satterthwaite."""
    variances, degrees = zip(items, *annotators, strict=True)
    return VariancePart(sum(variances), float(satterthwaite(variances, degrees)))
