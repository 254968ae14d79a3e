"""Estimates, influences and replicates of several coefficients together.

A problem is one coefficient on one table of patterns (sets of items with the same ratings).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import nullcontext

import numpy as np

from iaa_jax.engine.drawing import BLOCK, ITEMS, Resampling, sampled_rows
from iaa_jax.engine.precision import DType
from iaa_jax.engine.prepared import Prepared, tables_of
from iaa_jax.engine.problem import Floats, Integers, Problem
from iaa_jax.engine.route import Route, over_rows
from iaa_jax.engine.rows import Progress
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.kernel import without_none


def estimates(prepared: Prepared) -> list[Agreement]:
    """Return the estimates, computed with NumPy."""
    return [estimate_at(prepared, problem) for problem in prepared.problems]


def estimate_at(prepared: Prepared, problem: Problem, weight: Floats | None = None) -> Agreement:
    """Return one coefficient at weights (pattern,), by default the counts, computed with NumPy."""
    if problem.factored:
        agreement = problem.from_sums(prepared.summed(problem, weight))
        return _in_unit(problem, Agreement(*(np.asarray(part) for part in agreement)))
    given = {
        "item_weight": problem.table.count if weight is None else weight,
        "annotator_weight": problem.weight,
        "label_agreement": problem.label_agreement,
        "annotator_of": problem.annotator_of,
    }
    with problem.computing.scope("float64") if "jax" in sys.modules else nullcontext():
        # a user's kernel may be written only for JAX
        agreement = problem.measure.kernel(problem.data, **without_none(given))
    return _in_unit(problem, Agreement(*(np.asarray(part) for part in agreement)))


def _in_unit(problem: Problem, agreement: Agreement) -> Agreement:
    if not problem.power:
        return agreement
    with np.errstate(over="ignore"):
        return agreement._replace(
            observed=1 - np.ldexp(1 - agreement.observed, 2 * problem.power),
            expected=1 - np.ldexp(1 - agreement.expected, 2 * problem.power),
        )


def influences(prepared: Prepared, dtype: DType = "float64") -> list[Floats]:
    """Return derivatives (..., pattern) of estimates with respect to the weights of patterns."""
    gradients = []
    for index, problem in enumerate(prepared.problems):
        route = Route(prepared.part([index]), [problem.table], 1, dtype, slopes=True)
        with route.scope():
            (slopes,) = route.slopes((problem.table.count[None],))
        gradients.append(slopes.by_pattern[0].astype(dtype, copy=False))
    return gradients


def bootstrap(
    prepared: Prepared,
    *,
    replicates: int,
    seed: int,
    resampling: Resampling = ITEMS,
    batch: int = BLOCK,
    dtype: DType = "float64",
    without_prior: bool = False,
    progress: Progress | None = None,
) -> list[Floats]:
    """Return replicates (replicate, ...) of each estimate; by default, items are resampled.

    ``without_prior`` returns (replicate, 2, ...): each draw with and without the prior (the
    patterns with only prior counts). ``batch`` is the number of replicates computed together; it
    does not affect results. If annotators are also drawn, the data must tell who gave which rating.
    """
    tables = tables_of(prepared.problems)
    computing = tables[0].computing
    if computing.drawer is not None:
        from iaa_jax.engine.on_device import bootstrap_on

        return bootstrap_on(
            computing,
            prepared,
            replicates=replicates,
            seed=seed,
            resampling=resampling,
            dtype=dtype,
            without_prior=without_prior,
            progress=progress,
        )
    rows = sampled_rows(tables, replicates, seed, resampling)
    annotators = None
    if resampling.annotators:
        from iaa_jax.engine.drawing.annotators import annotator_rows
        from iaa_jax.engine.units import drawn_annotators

        def annotators(size: int) -> Iterator[Floats]:
            drawn = drawn_annotators(prepared.problems, size)
            rows = annotator_rows(len(drawn), replicates, seed, resampling, computing=computing)
            return _among(drawn, size, rows)

    return over_rows(
        *(prepared, tables, rows, replicates),
        annotators=annotators,
        batch=batch,
        dtype=dtype,
        without_prior=without_prior,
        progress=progress,
    )


def _among(drawn: Integers, size: int, blocks: Iterator[Floats]) -> Iterator[Floats]:
    for weights in blocks:
        rows = np.zeros((len(weights), size))
        rows[:, drawn] = weights
        yield rows
