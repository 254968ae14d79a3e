"""One coefficient at many values of p, the primary label's share of a divided rating.

The mass of a rating (its distribution over the labels) is affine in p, so every sum over items is a
polynomial in p of known degree d. Each sum is computed at d + 1 values of p (nodes) and
interpolated (Lagrange) elsewhere. The ends 0.5 and 1 are nodes, so a sum that is 0 there stays
exactly 0. A pattern is a set of items with the same ratings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.devices import PerDevice
from iaa_jax.engine.drawing import BLOCK, Resampling, sampled_rows
from iaa_jax.engine.drawing.resampling import ITEMS
from iaa_jax.engine.drivers import estimates, influences
from iaa_jax.engine.flat import FlatStatistics, Sums
from iaa_jax.engine.inputs import PolynomialLayout, TracedInputs, inputs_of_sums
from iaa_jax.engine.padding import bucket, pad
from iaa_jax.engine.precision import DType
from iaa_jax.engine.prepared import Prepared
from iaa_jax.engine.problem import Floats, Problem
from iaa_jax.engine.route import over_rows
from iaa_jax.engine.rows import Progress, collect
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.kernel import PolynomialFormula
from iaa_jax.kernels.namespace import Array

if TYPE_CHECKING:
    import jax


def nodes_for(degree: int) -> Floats:
    """Return the nodes p for sums of this degree, including both ends.

    Examples
    --------
    >>> nodes_for(2).tolist()
    [0.5, 0.75, 1.0]
    """
    return 0.75 - 0.25 * np.cos(np.pi * np.arange(degree + 1) / degree)


def lagrange_basis(nodes: Floats, p: Floats) -> Floats:
    """Return the Lagrange basis (p, node): the weight of each node at each p, 0 or 1 at nodes.

    Examples
    --------
    >>> lagrange_basis(np.array([0.5, 0.75, 1.0]), np.array([0.5, 0.6, 1.0])).round(2)
    array([[ 1.  ,  0.  ,  0.  ],
           [ 0.48,  0.64, -0.12],
           [ 0.  ,  0.  ,  1.  ]])
    """
    basis = np.ones((len(p), len(nodes)))
    for node, value in enumerate(nodes):
        for other_node in np.delete(nodes, node):
            basis[:, node] *= (p - other_node) / (value - other_node)
    return basis + 0.0


@dataclass(frozen=True)
class Sweep:
    """A coefficient as a function of p.

    Attributes
    ----------
    p : array
        The values of p at which to evaluate the coefficient.
    problem_at : callable
        ``p -> Problem``; all problems use the same table.
    degree : int, optional
        The degree of its sums as polynomials in p; None to compute the sums directly at every p.
    """

    p: Floats
    problem_at: Callable[[float], Problem]
    degree: int | None


class SweepEvaluator:
    """Estimates, derivatives and replicates of a coefficient at every p."""

    def __init__(self, sweep: Sweep, dtype: DType = "float64") -> None:
        self.p, self.problem_at, self.dtype = np.asarray(sweep.p), sweep.problem_at, dtype
        self.table = sweep.problem_at(1.0).table
        self._polynomial = None
        first = sweep.problem_at(1.0)
        if sweep.degree is not None and first.factored and first.measure.polynomial:
            nodes = nodes_for(sweep.degree)
            self._polynomial = _Polynomial([sweep.problem_at(float(p)) for p in nodes], nodes)

    @property
    def directly(self) -> bool:
        """Whether every p is computed separately."""
        return self._polynomial is None

    def estimates(self) -> Agreement:
        """Return the coefficient (p, ...)."""
        if self._polynomial is not None:
            return self._polynomial.estimates(self.p, self.dtype)
        agreements = [estimates(Prepared([self.problem_at(float(p))]))[0] for p in self.p]
        return Agreement(*(np.stack(part) for part in zip(*agreements, strict=True)))

    def ceilings(self) -> tuple[Floats, Floats] | None:
        """Return two arrays (p,): the highest possible observed agreement, and the estimate there.

        None if the sums are not interpolated, or the formula has no `ceiling`.
        """
        return None if self._polynomial is None else self._polynomial.ceilings(self.p)

    def influences(self) -> Iterator[tuple[slice, Floats]]:
        """Yield slices of ``p`` and derivatives (p, ..., pattern) with respect to item weights."""
        if self._polynomial is not None:
            yield from self._polynomial.influences(self.p, self.dtype)
            return
        for index, p in enumerate(self.p):
            gradient = influences(Prepared([self.problem_at(float(p))]), self.dtype)[0]
            yield slice(index, index + 1), gradient[None]

    def bootstrap(
        self,
        replicates: int,
        seed: int,
        progress: Progress | None = None,
        resampling: Resampling = ITEMS,
    ) -> Floats:
        """Return replicates (replicate, p, ...), with the same draws at every p."""
        if self._polynomial is not None:
            rows = sampled_rows([self.table], replicates, seed, resampling)
            return self._polynomial.over_rows(rows, replicates, self.p, self.dtype, progress)
        rows_of = self._rows(replicates, seed, resampling)
        replicates_at_p = []
        for index, p in enumerate(self.p):
            prepared = Prepared([self.problem_at(float(p))])
            drawn = over_rows(prepared, [self.table], rows_of(), replicates, dtype=self.dtype)
            replicates_at_p.append(drawn[0])
            if progress is not None:
                progress((index + 1) * replicates // len(self.p), replicates)
        return np.stack(replicates_at_p, axis=1)

    def _rows(
        self, replicates: int, seed: int, resampling: Resampling
    ) -> Callable[[], Iterable[tuple[Floats, ...]]]:
        """Return a function that returns the rows of weights, which are the same at each call."""
        if replicates * len(self.table.count) > thresholds.SWEEP_KEPT:
            return lambda: sampled_rows([self.table], replicates, seed, resampling)
        rows = list(sampled_rows([self.table], replicates, seed, resampling))
        return lambda: rows


class _Polynomial:
    def __init__(self, problems: Sequence[Problem], nodes: Floats) -> None:
        self.nodes = nodes
        self.prepared = Prepared(problems)
        self.problem = problems[0]
        self.flats: list[FlatStatistics] = [
            self.prepared.statistics(problem) for problem in problems
        ]
        if any(flat.layout != self.flats[0].layout for flat in self.flats):
            raise TypeError("the statistics of this coefficient change their shape with p")
        self.curve = PolynomialLayout(self.flats[0].layout, self.problem.kernel.formula)

    def estimates(self, p: Floats, dtype: DType) -> Agreement:
        from iaa_jax.engine import compiled_curves as compiled

        with self.problem.computing.scope(dtype):
            sums, setting = self._whole(dtype), self.setting(dtype)
            parts = [
                compiled.curve_whole(sums, basis, setting, self.curve)
                for basis, _ in self._grid(p, dtype)
            ]
            agreements = [
                Agreement(*(np.asarray(part) for part in agreement)) for agreement in parts
            ]
        return Agreement(
            *(np.concatenate(part)[: len(p)] for part in zip(*agreements, strict=True))
        )

    def ceilings(self, p: Floats) -> tuple[Floats, Floats] | None:
        formula = self.problem.kernel.formula
        if not isinstance(formula, PolynomialFormula):
            return None
        at_nodes = [
            formula.terms(
                self.prepared.summed(problem),
                problem.weight,
                problem.disagreement,
                **problem.options,
            )
            for problem in self.prepared.problems
        ]
        basis = lagrange_basis(self.nodes, p)
        kind = type(at_nodes[0])
        at_p = [np.tensordot(basis, np.stack(term), axes=1) for term in zip(*at_nodes, strict=True)]
        pairs = [formula.ceiling(kind(*term)) for term in zip(*at_p, strict=True)]
        observed, estimate = (np.array(part) for part in zip(*pairs, strict=True))
        return observed, estimate

    def influences(self, p: Floats, dtype: DType) -> Iterator[tuple[slice, Floats]]:
        from iaa_jax.engine import compiled_curves as compiled

        patterns = len(self.problem.table.count)
        for basis, points in self._grid(
            p, dtype, bucket(max(thresholds.SWEEP_CELLS // max(patterns, 1), 1))
        ):
            with self.problem.computing.scope(dtype):
                setting = self.setting(dtype)
                gradient = [
                    np.asarray(part)[: points.stop - points.start]
                    for part in compiled.curve_gradients(
                        self._whole(dtype), basis, setting, self.curve
                    )
                ]
            share = basis[: points.stop - points.start].T
            extra = (1,) * (gradient[0].ndim - 1)
            by_node = (
                flat.by_pattern(Sums(gradient[0] * at_p, gradient[1] * at_p, ()))
                for flat, at_p in zip(self.flats, share.reshape(*share.shape, *extra), strict=True)
            )
            yield points, np.asarray(sum(by_node))

    def over_rows(
        self,
        rows: Iterable[tuple[Floats, ...]],
        total: int,
        p: Floats,
        dtype: DType,
        progress: Progress | None,
    ) -> Floats:
        with self.problem.computing.scope(dtype):
            grid = list(self._grid(p, dtype))
            run = _CurveRows(self, grid, dtype)
            size = _batch_size(len(grid[0][0]) * self._width(self.setting(dtype), dtype))
            parts = collect(run, len(grid), rows, size, total, batch=size, progress=progress)
        return np.concatenate(
            [
                part[:, : points.stop - points.start]
                for part, (_, points) in zip(parts, grid, strict=True)
            ],
            axis=1,
        )

    def _grid(
        self, p: Floats, dtype: DType, most: int | None = None
    ) -> Iterator[tuple[Floats, slice]]:
        """Yield each part's Lagrange basis, padded to one size, and its slice of ``p``."""
        size = min(bucket(len(p)), most or self._most())
        for start in range(0, len(p), size):
            part = p[start : start + size]
            filled = np.concatenate([part, np.repeat(part[-1:], size - len(part))])
            basis = lagrange_basis(self.nodes, filled).astype(dtype)
            yield basis, slice(start, start + len(part))

    def _most(self) -> int:
        columns = self.flats[0].dense.shape[1] + self.flats[0].indexed_columns
        return bucket(max(thresholds.SWEEP_CELLS // max(columns, 1), 1))

    def _width(self, setting: TracedInputs, dtype: DType) -> int:
        import jax

        from iaa_jax.engine import compiled_curves as compiled

        sums = self.prepared.sums(self.problem)
        shapes = jax.eval_shape(
            lambda dense, indexed: compiled.curve_terms(self.curve, setting, dense, indexed),
            sums.dense.astype(dtype),
            sums.indexed.astype(dtype),
        )
        return max(sum(int(np.prod(leaf.shape)) for leaf in jax.tree.leaves(shapes)), 1)

    def setting(self, dtype: DType) -> TracedInputs:
        return inputs_of_sums(self.problem, self.flats[0].fixed, dtype)

    def _whole(self, dtype: DType) -> tuple[Floats, Floats]:
        sums = [self.prepared.sums(problem) for problem in self.prepared.problems]
        return (
            np.stack([part.dense for part in sums]).astype(dtype),
            np.stack([part.indexed for part in sums]).astype(dtype),
        )


class _CurveRows:
    def __init__(
        self, polynomial: _Polynomial, grid: Sequence[tuple[Floats, slice]], dtype: DType
    ) -> None:
        self._polynomial, self._grid, self._dtype = polynomial, grid, dtype
        flats = polynomial.flats
        self._matrices = PerDevice(
            np.stack([pad(flat.dense, 0.0) for flat in flats]).astype(dtype),
            polynomial.problem.computing.devices,
        )
        self._setting = polynomial.setting(dtype)

    @property
    def devices(self) -> int:
        return len(self._matrices)

    def __call__(self, weights: tuple[Array, ...]) -> list[jax.Array]:
        from iaa_jax.engine import compiled_curves as compiled

        (rows,) = weights
        indexed = self._indexed(rows)
        rows = pad(rows, 0.0, axis=1).astype(self._dtype, copy=False)
        numbers = rows, self._matrices.next_copy(), indexed
        setting, curve = self._setting, self._polynomial.curve
        return [compiled.curve_rows(*numbers, basis, setting, curve) for basis, _ in self._grid]

    def _indexed(self, weights: Floats) -> Floats:
        flats = self._polynomial.flats
        if flats[0].indexed is None:
            return np.zeros((len(flats), len(weights), 0), dtype=self._dtype)
        upright = np.ascontiguousarray(weights.T)
        return np.stack(
            [(flat.indexed @ upright).T for flat in flats if flat.indexed is not None]
        ).astype(self._dtype)


def _batch_size(cells: int) -> int:
    rows = BLOCK
    while rows > 1 and rows * cells > thresholds.SWEEP_CELLS:
        rows //= 2
    return rows
