"""Second derivatives with respect to item weights, for intervals without replicates (ABC).

The weights belong to patterns, which are sets of items with the same ratings. A problem is one
coefficient on one table of patterns.

DiCiccio, T. J. and Efron, B. (1996). Bootstrap confidence intervals. Statistical Science 11(3),
section 4. https://doi.org/10.1214/ss/1032280214. Efron, B. (1987). Better bootstrap confidence
intervals. Journal of the American Statistical Association 82. https://doi.org/10.2307/2289144.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.drivers import estimate_at, estimates, influences
from iaa_jax.engine.padding import bucket, pad, pad_items
from iaa_jax.engine.precision import DType
from iaa_jax.engine.prepared import Prepared, setting_of, sums_layout_of
from iaa_jax.engine.problem import Floats, Integers, Problem
from iaa_jax.kernels.intervals import acceleration, centred_influence

if TYPE_CHECKING:
    from scipy.sparse import csr_array


LARGEST = 1 << 31
"""Maximum product of the numbers of patterns and of sums; beyond it, derivatives take minutes."""


class Curvature(NamedTuple):
    """Second-order properties of an estimate at its counts.

    All have the estimate's shape (...), but ``influence`` and ``direction`` are (..., pattern).

    With U the influence of one item of each pattern, c the counts and n the number of items,
    ``sigma`` is ``sqrt(sum c U^2) / n``. ``bias`` is the second-order bias of the estimate, and
    ``quadratic`` the curvature along the least favourable direction. ``direction`` is this
    direction in weights: a tilted estimate is the estimate at ``count + step * direction``.
    """

    influence: Floats
    sigma: Floats
    acceleration: Floats
    bias: Floats
    quadratic: Floats
    direction: Floats


def cells_of_curvature(prepared: Prepared, problem: Problem) -> int:
    """Return the size of a problem for `curvatures`: number of patterns times number of sums.

    For a plain function, which has no sums, it is the square of the number of patterns.
    """
    if not problem.factored:
        return len(problem.data) ** 2
    flat = prepared.statistics(problem)
    return len(problem.table.count) * (flat.columns + flat.indexed_columns)


def curvatures(prepared: Prepared, dtype: DType = "float64") -> list[Curvature]:
    """Return the second-order properties for ABC intervals; NaN where an estimate is undefined.

    With f the estimate as a function of the weights, c the counts and n the number of items, the
    direction towards one item of pattern p is ``d_p = n e_p - c``. Then ``bias = sum_p c_p f''(d_p)
    / (2 n^2)``, and with the direction ``delta = c U / (n sigma)``, ``quadratic = f''(delta) / (2
    sigma)``.
    """
    results = []
    several = zip(prepared.problems, influences(prepared, dtype), estimates(prepared), strict=True)
    for problem, gradient, estimate in several:
        count, items = problem.table.count, problem.table.items
        slope = np.where(count > 0, np.asarray(gradient, dtype=np.float64), 0.0)
        slope = np.where((estimate.code == 0)[..., None], slope, np.nan)
        influence = np.where(count > 0, centred_influence(slope, count), 0.0)
        sigma = np.sqrt(influence**2 @ count) / items
        nonzero_sigma = np.where(sigma == 0, 1.0, sigma)
        direction = count * influence / (items * nonzero_sigma[..., None])
        present = np.flatnonzero(count > 0)
        directions = direction.reshape(-1, len(count))
        along = _second_derivatives(prepared, problem, present, directions, dtype)
        bent = along.reshape(len(along), -1)
        bias = count[present] @ bent[: len(present)] / (2 * items**2)
        # if there is an estimate per label, each has its own direction
        of_itself = np.diagonal(bent[len(present) :])
        shape = sigma.shape
        results.append(
            Curvature(
                influence,
                sigma,
                acceleration(slope, count),
                np.where(np.isnan(sigma), np.nan, bias.reshape(shape)),
                np.where(sigma == 0, 0.0, of_itself.reshape(shape) / (2 * nonzero_sigma)),
                direction,
            )
        )
    return results


def estimates_at(
    prepared: Prepared, rows: Sequence[Floats], dtype: DType = "float64"
) -> list[Floats]:
    """Return estimates (row, ...) at a few rows of weights (row, pattern) per problem.

    Weights may be negative.
    """
    results = []
    for problem, weights in zip(prepared.problems, rows, strict=True):
        estimates_of_rows = [
            np.asarray(estimate_at(prepared, problem, row).estimate) for row in weights
        ]
        results.append(np.asarray(estimates_of_rows, dtype=dtype))
    return results


def _second_derivatives(
    prepared: Prepared, problem: Problem, patterns: Integers, further: Floats, dtype: DType
) -> Floats:
    """Return second derivatives (row, ...) towards each pattern, then in ``further`` directions."""
    count, items = problem.table.count, problem.table.items
    if problem.factored:
        flat, sums = prepared.statistics(problem), prepared.sums(problem)
        along = _by_sums(prepared, problem, dtype)
        cells = flat.columns + flat.indexed_columns
        further_sums = further @ flat.dense, _sparse_product(flat.indexed, further)

        def directions(own: Integers, beyond: slice) -> tuple[Floats, ...]:
            indexed = np.zeros((len(own), 0))
            if flat.indexed is not None:
                indexed = items * flat.indexed[:, own].toarray().T - sums.indexed
            dense = items * flat.dense[own] - sums.dense
            parts = zip((dense, indexed), further_sums, strict=True)
            return tuple(np.concatenate([near, more[beyond]]) for near, more in parts)

    else:
        along = _by_kernel(prepared, problem, dtype)
        cells = len(count)

        def directions(own: Integers, beyond: slice) -> tuple[Floats, ...]:
            rows = np.repeat(-count[None, :], len(own), axis=0)
            rows[np.arange(len(own)), own] += items
            return (np.concatenate([rows, further[beyond]]),)

    total = len(patterns) + len(further)
    size = min(thresholds.CURVATURES_TOGETHER, bucket(total))
    while size > 1 and size * cells > thresholds.CURVATURE_CELLS:
        size //= 2
    results = []
    for start in range(0, total, size):
        stop = min(start + size, total)
        beyond = slice(max(start - len(patterns), 0), max(stop - len(patterns), 0))
        rows = directions(patterns[start:stop], beyond)
        filled = tuple(np.pad(part, ((0, size - len(part)), (0, 0))) for part in rows)
        results.append(along(filled)[: stop - start])
    return np.concatenate(results)


def _sparse_product(matrix: csr_array | None, rows: Floats) -> Floats:
    return np.zeros((len(rows), 0)) if matrix is None else np.asarray((matrix @ rows.T).T)


def _by_sums(
    prepared: Prepared, problem: Problem, dtype: DType
) -> Callable[[tuple[Floats, ...]], Floats]:
    from iaa_jax.engine import compiled

    sums = prepared.sums(problem)
    at = (sums.dense.astype(dtype), sums.indexed.astype(dtype))
    setting = setting_of(prepared, problem, dtype)
    sums_layout = sums_layout_of(prepared, problem, 0, (0, 0), 0)

    def along(directions: tuple[Floats, ...]) -> Floats:
        dense, indexed = (part.astype(dtype) for part in directions)
        with problem.computing.scope(dtype):
            curves = compiled.factored_curves(at, (dense, indexed), setting, sums_layout)
            return np.asarray(curves, dtype=np.float64)

    return along


def _by_kernel(
    prepared: Prepared, problem: Problem, dtype: DType
) -> Callable[[tuple[Floats, ...]], Floats]:
    from iaa_jax.engine import compiled

    data = pad_items(problem.data).astype(dtype)
    weight = pad(problem.table.count, 0.0).astype(dtype)
    setting = setting_of(prepared, problem, dtype)

    def along(directions: tuple[Floats, ...]) -> Floats:
        rows = pad(directions[0], 0.0, axis=1).astype(dtype)
        batch_size = max(1, min(len(rows), thresholds.CURVATURE_CELLS // max(data.size, 1)))
        with problem.computing.scope(dtype):
            curves = compiled.kernel_curves(
                weight, rows, data, setting, problem.measure.kernel, batch_size
            )
            return np.asarray(curves, dtype=np.float64)

    return along
