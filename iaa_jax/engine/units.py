"""Influences of clusters, and estimates without each unit (item, cluster or annotator).

A pattern is a set of items with the same ratings, and a problem is one coefficient on one table of
patterns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from iaa_jax.engine.drawing import BLOCK, Clusters, rows_at_once
from iaa_jax.engine.drawing.permutations import random_groups
from iaa_jax.engine.precision import DType
from iaa_jax.engine.prepared import Prepared, table_index, tables_of
from iaa_jax.engine.problem import Floats, Integers, PatternTable, Problem
from iaa_jax.engine.route import over_rows


def unit_influences(gradient: Floats, table: PatternTable, clusters: Clusters) -> Floats:
    """Return each cluster's influence ``T_u = sum_p M_up (g_p - gbar)``, gbar the mean over items.

    ``gradient`` (..., pattern) has the derivatives with respect to the weight of one item of each
    pattern, and M_up is the number of items of cluster u with pattern p. T sums to 0 over all
    clusters, and ``sqrt(n / (n - 1) sum T^2)`` is the standard error for n clusters.

    The result is (..., cluster).
    """
    gradient = np.where(table.count > 0, gradient, 0.0)
    centred = gradient - (gradient @ table.count / table.items)[..., None]
    centred = np.where(table.count > 0, centred, 0.0)
    flat = centred.reshape(-1, centred.shape[-1])
    by_cluster = (clusters.matrix_of(table) @ flat.T).T
    return np.asarray(by_cluster.reshape(*gradient.shape[:-1], -1))


def leave_units_out_rows(
    tables: Sequence[PatternTable], clusters: Clusters | None = None
) -> Iterator[tuple[Floats, ...]]:
    """Yield counts without each unit: an array (row, pattern) per table, some units at a time.

    Units are the clusters with rated items. Without clusters, they are items, one for each pattern
    with a count, and there must be a single table.
    """
    size = rows_at_once(max(len(table.count) for table in tables))
    if clusters is not None:
        matrices = [clusters.matrix_of(table) for table in tables]
        present = np.flatnonzero(clusters.count > 0)
        for start in range(0, len(present), size):
            units = present[start : start + size]
            yield tuple(
                table.count - matrix[units].toarray()
                for table, matrix in zip(tables, matrices, strict=True)
            )
        return
    (table,) = tables
    present = np.flatnonzero(table.count > 0)
    for start in range(0, len(present), size):
        units = present[start : start + size]
        rows = np.repeat(table.count[None, :], len(units), axis=0)
        rows[np.arange(len(units)), units] -= 1
        yield (rows,)


def leave_units_out(
    prepared: Prepared,
    *,
    clusters: Clusters | None = None,
    groups: int | None = None,
    seed: int = 0,
    dtype: DType = "float64",
) -> list[tuple[Floats, Floats]]:
    """Return estimates without each unit in turn, and how many units are equal to it.

    Units are items (one for each pattern, because equal items give equal estimates), clusters, or
    random ``groups`` of items, drawn with ``seed``.

    The arrays of each problem are (unit, ...) and (unit,).
    """
    tables = tables_of(prepared.problems)
    if groups is not None:
        clusters = random_groups(tables, groups, seed)
    if clusters is not None:
        count = clusters.count[clusters.count > 0]
        rows = leave_units_out_rows(tables, clusters)
        results = over_rows(prepared, tables, rows, len(count), dtype=dtype)
        return [(rows_of_problem, count) for rows_of_problem in results]
    by_problem: list[tuple[Floats, Floats] | None] = [None for _ in prepared.problems]
    table_of = [table_index(tables, problem.table) for problem in prepared.problems]
    for number, table in enumerate(tables):
        indices = [index for index, table_number in enumerate(table_of) if table_number == number]
        count = table.count[table.count > 0]
        results = over_rows(
            prepared.part(indices), [table], leave_units_out_rows([table]), len(count), dtype=dtype
        )
        for index, rows_of_problem in zip(indices, results, strict=True):
            by_problem[index] = (rows_of_problem, count)
    return [rows_of_problem for rows_of_problem in by_problem if rows_of_problem is not None]


def leave_annotators_out(
    prepared: Prepared, dtype: DType = "float64"
) -> list[tuple[Floats, Floats]]:
    """Return estimates without each annotator whose ratings count, and a 1 for each annotator.

    The arrays of each problem are (annotator, ...) and (annotator,).
    """
    tables = tables_of(prepared.problems)
    annotators = max(problem.annotator_count for problem in prepared.problems)
    blocks = range(-(-annotators // BLOCK))

    def without_one(size: int) -> Iterator[Floats]:
        for block in blocks:
            rows = np.ones((BLOCK, size))
            annotator = np.arange(block * BLOCK, min((block + 1) * BLOCK, size))
            rows[annotator - block * BLOCK, annotator] = 0.0
            yield rows

    rows = (tuple(np.tile(table.count, (BLOCK, 1)) for table in tables) for _ in blocks)
    results = over_rows(prepared, tables, rows, annotators, annotators=without_one, dtype=dtype)
    present = [_present(problem) for problem in prepared.problems]
    return [
        (
            np.asarray(estimates, dtype=np.float64)[: len(present_in_problem)][present_in_problem],
            np.ones(present_in_problem.sum()),
        )
        for estimates, present_in_problem in zip(results, present, strict=True)
    ]


def present_annotators(problems: Sequence[Problem], size: int) -> NDArray[np.bool_]:
    """Return which annotators gave ratings that count, in any problem with ``size`` annotators."""
    present = [_present(problem) for problem in problems if problem.annotator_count == size]
    return np.asarray(np.any(present, axis=0))


def drawn_annotators(problems: Sequence[Problem], size: int) -> Integers:
    """Return which of ``size`` annotators are drawn, in drawing order."""
    problem = next(problem for problem in problems if problem.annotator_count == size)
    in_turn = problem.annotators_in_turn
    return in_turn[present_annotators(problems, size)[in_turn]]


def _present(problem: Problem) -> NDArray[np.bool_]:
    size = problem.annotator_count
    data = problem.data[problem.table.count > 0]
    rated = np.asarray(~np.isnan(data.reshape(*data.shape[:2], -1))).any(axis=-1)
    if problem.annotator_of is None:
        gave = rated.any(axis=0)
    else:
        raters = problem.annotator_of[problem.table.count > 0][rated]
        gave = np.bincount(raters, minlength=size)[:size] > 0
    return np.asarray(gave & (problem.weight[:size] != 0))
