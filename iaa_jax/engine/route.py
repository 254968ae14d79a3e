"""Choose how to compute estimates from rows of weights, by the size of the data and by coefficient.

A row of weights is, for instance, one replicate's weights of all patterns. A pattern is a set of
items with the same ratings, and a problem is one coefficient on one table of patterns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.batch_sizes import formula_weighs
from iaa_jax.engine.computing import Computing
from iaa_jax.engine.drawing import BLOCK, rows_at_once
from iaa_jax.engine.evaluators import (
    Block,
    CompiledFormulas,
    CompiledKernels,
    Evaluator,
    NumpyFormulas,
    NumpyValues,
)
from iaa_jax.engine.on_numpy import SLOPE_STEPS, is_small
from iaa_jax.engine.ordered_values import KERNELS
from iaa_jax.engine.padding import bucket
from iaa_jax.engine.pattern_forms import PatternForms, are_fewer
from iaa_jax.engine.precision import DType
from iaa_jax.engine.prepared import Prepared, table_index
from iaa_jax.engine.problem import Floats, PatternTable, Problem
from iaa_jax.engine.rows import Progress, collect
from iaa_jax.engine.table_sums import RowSums, Shown, Slopes
from iaa_jax.kernels.namespace import Array, namespace

if TYPE_CHECKING:
    import jax


ROWS_ALIKE = 1024
"""Maximum number of rows in a batch, if rows with equal annotator weights are grouped."""


class Route:
    """Computes the estimates of all problems, and their derivatives, for blocks of weights.

    In double precision, and with weights on the host, some coefficients run on NumPy: formulas of
    few sums, nominal and ordinal alpha of numbers, and quadratic forms in many labels on few
    patterns. All others are compiled.

    A block has an array (row, pattern) for each of the ``tables``. If annotator weights vary by
    row, an array (row, annotator) follows for each number of annotators in ``annotators``, and the
    data must tell who gave which rating.

    Parameters
    ----------
    total : int
        The total number of rows.
    drawn_by : Computing, optional
        The devices on which the weights were drawn and padded; by default, weights are NumPy
        arrays.
    slopes : bool
        Whether derivatives are needed: for each row, one with respect to each sum.
    without_prior : bool
        Whether the estimates of a block are followed by estimates without the prior, that is,
        without the patterns that have only prior counts.
    """

    def __init__(
        self,
        prepared: Prepared,
        tables: Sequence[PatternTable],
        total: int,
        dtype: DType = "float64",
        *,
        annotators: Sequence[int] = (),
        drawn_by: Computing | None = None,
        slopes: bool = False,
        without_prior: bool = False,
    ) -> None:
        if annotators:
            prepared = prepared.weighed_by_formula()
        self.problems, self.tables, self.dtype = prepared.problems, tables, dtype
        self._total, self._annotators = total, annotators
        self._computing = drawn_by or tables[0].computing
        by_device = drawn_by is not None
        self._shown: Shown = None
        if without_prior:  # the last patterns have only prior counts
            self._shown = tuple(len(np.trim_zeros(table.count, "b")) for table in tables)
        if annotators and not all(problem.measure.identified for problem in self.problems):
            raise ValueError("annotators can be drawn only for patterns that identify them")
        by_sums = [
            index
            for index in prepared.factored
            if not annotators or formula_weighs(self.problems[index])
        ]
        forms: list[int] = []
        if not by_device and not annotators and dtype == "float64":
            forms = [i for i in by_sums if are_fewer(self.problems[i], total)]
            by_sums = [index for index in by_sums if index not in forms]
        # a device multiplies large matrices faster than it sums parts
        self._sums = RowSums(prepared.part(by_sums), tables, dtype, whole_patterns=by_device)
        cells = total * self._sums.width
        if slopes:  # NumPy differentiates forward: one direction per sum of a row
            cells = max(cells, max(total, SLOPE_STEPS) * self._sums.directions**2)
        self._parts: list[tuple[list[int], Evaluator]] = []
        if by_sums and not by_device and is_small(cells, dtype):
            self._parts.append((by_sums, NumpyFormulas(self._sums)))
        elif by_sums:
            self._parts.append(
                (by_sums, CompiledFormulas(self._sums, self._computing, by_device=by_device))
            )
        if forms:
            places = [table_index(tables, self.problems[index].table) for index in forms]
            self._parts.append((forms, PatternForms(prepared.part(forms), places)))
        others = [i for i in range(len(self.problems)) if i not in (*by_sums, *forms)]
        if not by_device and not annotators and not slopes and is_small(0, dtype):
            ordered = [i for i in others if self.problems[i].measure.kernel in KERNELS]
            others = [index for index in others if index not in ordered]
            if ordered:
                several = [self.problems[index] for index in ordered]
                places = [table_index(tables, problem.table) for problem in several]
                self._parts.append((ordered, NumpyValues(several, places)))
        if others:
            several = [self.problems[index] for index in others]
            places = [table_index(tables, problem.table) for problem in several]
            kernels = CompiledKernels(
                *(several, places, dtype, self._computing),
                by_device=by_device,
                weighed=bool(annotators),
            )
            self._parts.append((others, kernels))

    @property
    def compiles(self) -> bool:
        """Whether any of the code is compiled."""
        return any(part.compiles for _, part in self._parts)

    @property
    def devices(self) -> int:
        """The number of devices."""
        return max(part.devices for _, part in self._parts)

    @property
    def columns(self) -> int:
        """The largest number of indexed sums of a table."""
        return self._sums.columns

    @property
    def width(self) -> int:
        """The number of sums that formulas read from a row."""
        return self._sums.width * (1 if self._shown is None else 2)

    @property
    def _are_alike(self) -> bool:
        if not self._annotators:
            return False
        drawn = max(self._annotators)
        vectors = math.comb(2 * drawn - 1, drawn)
        return thresholds.ROWS_SHARING * vectors <= min(self._total, ROWS_ALIKE)

    def rows_at_once(self, patterns: int) -> int:
        """Return the number of rows to compute together, given the largest number of patterns."""
        rows = rows_at_once(max(self.columns, patterns))
        if self.compiles and self._are_alike:
            limit = min(ROWS_ALIKE, thresholds.DRAWN_TOGETHER // max(self.columns, patterns))
            blocks = -(-self._total // max(limit, BLOCK))
            return max(rows, -(-self._total // (blocks * BLOCK)) * BLOCK)
        if self.compiles:
            return rows
        cells = max(self.width, patterns)
        rows = max(rows, thresholds.ROWS_TOGETHER // cells // BLOCK * BLOCK)
        return min(rows, -(-self._total // BLOCK) * BLOCK)  # NumPy takes blocks of any size

    def scope(self) -> AbstractContextManager[None]:
        """Return a context for compiled code."""
        return self._computing.scope(self.dtype) if self.compiles else nullcontext()

    def __call__(self, weights: tuple[Array, ...]) -> list[jax.Array | Floats]:
        """Return the estimates (row, ...); annotator weights, if any, follow the item weights."""
        items, drawn = weights[: len(self.tables)], weights[len(self.tables) :]
        estimates: dict[int, jax.Array | Floats] = {}
        for indices, part in self._parts:
            annotators = None
            if self._annotators:
                annotators = tuple(self._annotators_for(self.problems[i], drawn) for i in indices)
            block = Block(items, annotators, self._shown)
            estimates.update(zip(indices, part(block), strict=True))
        return [estimates[index] for index in range(len(self.problems))]

    def slopes(self, weights: tuple[Floats, ...]) -> list[Slopes]:
        """Return the estimates and derivatives at a block of weights of each table."""
        slopes: dict[int, Slopes] = {}
        for indices, part in self._parts:
            slopes.update(zip(indices, part.slopes(weights), strict=True))
        return [slopes[index] for index in range(len(self.problems))]

    def _annotators_for(self, problem: Problem, drawn: Sequence[Array]) -> Array:
        """Return the drawn annotator weights, padded, times the problem's own annotator weights.

        Weights drawn on a device are already padded, possibly to a larger size.
        """
        weights = drawn[self._annotators.index(problem.annotator_count)][:, : len(problem.weight)]
        missing = len(problem.weight) - weights.shape[1]
        filled = np.pad(weights, ((0, 0), (0, missing))) if missing else weights
        if self._shown is not None:
            filled = namespace(filled).concat([filled, filled])
        return (filled * problem.weight).astype(self.dtype)


def over_rows(
    prepared: Prepared,
    tables: Sequence[PatternTable],
    rows: Iterable[tuple[Floats, ...]],
    total: int,
    *,
    annotators: Callable[[int], Iterable[Floats]] | None = None,
    batch: int = BLOCK,
    dtype: DType | None = None,
    without_prior: bool = False,
    progress: Progress | None = None,
) -> list[Floats]:
    """Return estimates for rows of weights; ``rows`` yields an array (row, pattern) per table.

    ``annotators(number)`` yields annotator weights (row, annotator) for the problems with this
    number of annotators; they multiply the problems' own annotator weights. ``dtype`` defaults to
    the requested precision. ``without_prior`` returns (row, 2, ...): each estimate with and without
    the prior (patterns with only prior counts).
    """
    dtype = dtype or tables[0].computing.dtype
    sizes: list[int] = []
    if annotators is not None:
        sizes = sorted({problem.annotator_count for problem in prepared.problems})
        rows = _side_by_side(rows, [annotators(size) for size in sizes])
    route = Route(*(prepared, tables, total, dtype), annotators=sizes, without_prior=without_prior)
    with route.scope():
        size = route.rows_at_once(max(bucket(len(table.count)) for table in tables))
        outputs = len(prepared.problems)
        return collect(
            *(route, outputs, rows, size, total),
            batch=batch,
            filled=route.compiles,
            paired=without_prior,
            progress=progress,
        )


def _side_by_side(
    rows: Iterable[tuple[Floats, ...]], annotators: Sequence[Iterable[Floats]]
) -> Iterator[tuple[Floats, ...]]:
    blocks: Iterator[tuple[Floats, ...]] = zip(*annotators, strict=True)
    block: tuple[Floats, ...] = ()
    start = BLOCK
    for weights in rows:
        if start >= BLOCK:
            block, start = next(blocks), 0
        stop = start + len(weights[0])
        yield (*weights, *(part[start:stop] for part in block))
        start = stop
