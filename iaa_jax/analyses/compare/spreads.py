"""How the figures of two sets, and their difference, vary over what is random."""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.compare.annotators import OverAnnotators, VariancePart, added
from iaa_jax.analyses.compare.two_sets import TwoSets
from iaa_jax.engine import Problem
from iaa_jax.engine.units import unit_influences
from iaa_jax.kernels import intervals
from iaa_jax.measure.standard_errors import satterthwaite

NO_SPREAD = 1e-12
"""A standard error, or a difference, that is only what rounding leaves of 0."""

Spreads = tuple[float, float, float, float, float]
"""Standard errors of A, of B and of the difference, degrees of freedom, and acceleration."""

UNKNOWN: Spreads = (np.nan,) * 5


def with_annotators(items: Spreads, annotators: OverAnnotators) -> Spreads:
    """The same over items and annotators."""
    a, b, error, degrees, skewness = items
    whole = added(VariancePart(error**2, degrees), annotators.parts)
    errors = float(np.hypot(a, annotators.a)), float(np.hypot(b, annotators.b))
    return *errors, float(np.sqrt(whole.variance)), whole.degrees, skewness


def spread_of(problem: Problem, gradients: tuple[Floats, Floats], sets: TwoSets) -> Spreads:
    """How the figures vary over items, or clusters of them."""
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
    # of two samples the influences of A count against the difference; each has mean 0 in its own
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
    """What each item of a pattern, or each cluster, adds to A and to B, and how many there are."""
    tables = sets.a[table_index], sets.b[table_index]
    a, b = (
        np.where(table.count > 0, np.asarray(gradient, dtype=np.float64), 0.0)
        for gradient, table in zip(gradients, tables, strict=True)
    )
    if sets.clustered is None:
        return (a, b), (tables[0].count, tables[1].count)
    of_a, of_b = sets.clustered.a, sets.clustered.b
    added = unit_influences(a, tables[0], of_a), unit_influences(b, tables[1], of_b)
    return added, (of_a.count, of_b.count)


def _error(derivative: Floats, count: Floats) -> float:
    """The standard error; 0 where only rounding is left of it."""
    error = float(intervals.infinitesimal_jackknife(derivative, count))
    return 0.0 if error <= NO_SPREAD else error
