"""Rows of item weights, each with annotator weights of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.devices import HeldOnEach
from iaa_jax.engine.drawing import BLOCK, rows_at_once
from iaa_jax.engine.inputs import inputs_of_ratings
from iaa_jax.engine.padding import bucket, pad, pad_items
from iaa_jax.engine.precision import DType, scope
from iaa_jax.engine.prepared import Prepared, table_index, tables_of
from iaa_jax.engine.problem import Floats, Integers, PatternTable, Problem
from iaa_jax.engine.rows import Progress, RowEvaluator, collect
from iaa_jax.kernels.namespace import Array
from iaa_jax.kernels.raters import Raters

if TYPE_CHECKING:
    import jax


def over_two_way_rows(
    prepared: Prepared,
    tables: Sequence[PatternTable],
    rows: Iterable[tuple[Floats, ...]],
    annotator_rows: Callable[[int], Iterable[Floats]],
    total: int,
    *,
    batch: int = BLOCK,
    dtype: DType = "float64",
    progress: Progress | None = None,
) -> list[Floats]:
    """Estimates for weight rows of each table, with ``annotator_rows`` of so many annotators.

    The problems must tell annotators apart. Weights of their own are multiplied by those drawn.
    """
    sizes = sorted({problem.annotator_count for problem in prepared.problems})
    both = _side_by_side(rows, [annotator_rows(size) for size in sizes])
    with scope(dtype):
        run = TwoWayRows(prepared, tables, sizes, total, dtype)
        size = rows_at_once(max(run.columns, *(bucket(len(table.count)) for table in tables)))
        outputs = len(prepared.problems)
        return collect(run, outputs, both, size, total, batch=batch, progress=progress)


def _side_by_side(
    rows: Iterable[tuple[Floats, ...]], annotators: Sequence[Iterable[Floats]]
) -> Iterator[tuple[Floats, ...]]:
    """Both kinds of rows, part by part: parts of items are never larger than a block."""
    blocks: Iterator[tuple[Floats, ...]] = zip(*annotators, strict=True)
    block: tuple[Floats, ...] = ()
    start = BLOCK
    for weights in rows:
        if start >= BLOCK:
            block, start = next(blocks), 0
        stop = start + len(weights[0])
        yield (*weights, *(part[start:stop] for part in block))
        start = stop


class TwoWayRows:
    """From a block of both kinds of weights to the estimates of all problems.

    Where the statistics do not know the annotator weights, sums are made as ever, and only the
    formula has new numbers in each row. Else all is worked out from the ratings.
    """

    def __init__(
        self,
        prepared: Prepared,
        tables: Sequence[PatternTable],
        sizes: Sequence[int],
        total: int,
        dtype: DType,
        devices: Sequence[jax.Device] | None = None,
    ) -> None:
        for problem in prepared.problems:
            if not problem.measure.identified:
                message = "annotators can be drawn only for patterns that tell them apart"
                raise ValueError(message)
        self.dtype, self.tables, self.outputs = dtype, tables, len(prepared.problems)
        self.sizes = sizes
        self.by_sums = [i for i in prepared.factored if formula_weighs(prepared.problems[i])]
        self.part = prepared.part(self.by_sums)
        self.rows = RowEvaluator(self.part, tables, total, dtype, devices) if self.by_sums else None
        self.from_ratings = [
            (
                index,
                problem,
                HeldOnEach(pad_items(problem.data).astype(dtype), devices),
                inputs_of_ratings(problem, dtype),
                batch_size_of(problem, dtype),
            )
            for index, problem in enumerate(prepared.problems)
            if index not in self.by_sums
        ]

    @property
    def devices(self) -> int:
        """Devices that take turns."""
        return 1 if self.rows is None else self.rows.devices

    @property
    def width(self) -> int:
        """Sums that the formulas read of each row."""
        return 0 if self.rows is None else self.rows.width

    @property
    def columns(self) -> int:
        """Sums by an index that each row has."""
        return 0 if self.rows is None else self.rows.columns

    def __call__(self, weights: tuple[Array, ...]) -> list[jax.Array | Floats]:
        """The estimates (row, ...) of weights of each table, and of annotators of each size."""
        results: dict[int, jax.Array | Floats] = {}
        items, annotators = weights[: len(self.tables)], weights[len(self.tables) :]
        if self.rows is not None:
            drawn: dict[int, Array] = {}
            for problem, sums_layout in zip(
                self.part.problems, self.rows.sums_layouts, strict=True
            ):
                drawn[sums_layout.setting] = self._drawn(problem, annotators)
            estimates = self.rows.of_sums(
                items, [drawn[setting] for setting in range(len(self.rows.settings))]
            )
            for index, estimate in zip(self.by_sums, estimates, strict=True):
                results[index] = estimate
        for index, problem, data, setting, batch_size in self.from_ratings:
            from iaa_jax.engine import compiled

            rows = items[table_index(self.tables, problem.table)]
            results[index] = compiled.kernel_rows_two_way(
                pad(rows, 0.0, axis=1).astype(self.dtype, copy=False),
                self._drawn(problem, annotators),
                data.beside(rows),
                setting,
                problem.measure.kernel,
                batch_size,
            )
        return [results[index] for index in range(self.outputs)]

    def _drawn(self, problem: Problem, annotators: Sequence[Array]) -> Array:
        """The annotator weights drawn, times the problem's own, filled up as these are.

        Those that a device drew are filled up already, and further.
        """
        drawn = annotators[self.sizes.index(problem.annotator_count)][:, : len(problem.weight)]
        missing = len(problem.weight) - drawn.shape[1]
        filled = np.pad(drawn, ((0, 0), (0, missing))) if missing else drawn
        return (filled * problem.weight).astype(self.dtype)


def from_ratings(problem: Problem) -> bool:
    """Whether its statistics can be worked out in compiled code, again for other ratings.

    Those that ask in numbers what all items have in common cannot.
    """
    return problem.factored and problem.kernel.directly is None


def formula_weighs(problem: Problem) -> bool:
    """Whether the formula alone reads the annotator weights, so that sums are as ever."""
    return from_ratings(problem) and not problem.kernel.weighs_annotators


def batch_size_of(problem: Problem, dtype: DType, items: int | None = None) -> int:
    """Rows that are worked out from ratings at once, by the memory that one needs."""
    import jax

    items = bucket(len(problem.data) if items is None else items)
    shape = (items, *problem.data.shape[1:])
    cells = 3 * int(np.prod(shape))
    if from_ratings(problem):
        data = np.broadcast_to(np.zeros((), dtype), shape)
        shapes = jax.eval_shape(_statistics(problem, items), problem.weight.astype(dtype), data)
        cells += 2 * sum(int(np.prod(leaf.shape)) for leaf in jax.tree.leaves(shapes))
    return max(1, min(BLOCK, thresholds.KERNEL_CELLS // max(cells, 1)))


def _statistics(problem: Problem, items: int) -> Callable[[Array, Array], list[Array]]:
    """The statistics of a problem as a function of annotator weights and ratings."""
    annotator_of, kernel = problem.annotator_of, problem.kernel
    if annotator_of is not None:
        annotator_of = np.resize(annotator_of, (items, annotator_of.shape[1]))

    def leaves(weight: Array, data: Array) -> list[Array]:
        import jax

        index = None if annotator_of is None else jax.numpy.asarray(annotator_of)
        raters = Raters(weight, index)
        statistics_of = kernel.statistics_among(data, raters)
        return jax.tree.leaves(statistics_of(data, raters, problem.disagreement))

    return leaves


def leave_annotators_out(
    prepared: Prepared, dtype: DType = "float64"
) -> list[tuple[Floats, Floats]]:
    """Estimates without each annotator in turn, and a 1 for each that gave ratings.

    Returns
    -------
    list of (array (annotator, ...), array (annotator,))
        For each problem.
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
    results = over_two_way_rows(prepared, tables, rows, without_one, annotators, dtype=dtype)
    present = [_present(problem) for problem in prepared.problems]
    return [
        (np.asarray(estimates, dtype=np.float64)[: len(gave)][gave], np.ones(gave.sum()))
        for estimates, gave in zip(results, present, strict=True)
    ]


def present_annotators(problems: Sequence[Problem], size: int) -> NDArray[np.bool_]:
    """Which of so many annotators gave ratings, to any of the problems that have so many."""
    present = [_present(problem) for problem in problems if problem.annotator_count == size]
    return np.asarray(np.any(present, axis=0))


def drawn_annotators(problems: Sequence[Problem], size: int) -> Integers:
    """Those of so many annotators that are drawn, in turn."""
    problem = next(problem for problem in problems if problem.annotator_count == size)
    in_turn = problem.annotators_in_turn
    return in_turn[present_annotators(problems, size)[in_turn]]


def _present(problem: Problem) -> NDArray[np.bool_]:
    """Which annotators gave ratings and weigh something."""
    size = problem.annotator_count
    data = problem.data[problem.table.count > 0]
    rated = np.asarray(~np.isnan(data.reshape(*data.shape[:2], -1))).any(axis=-1)
    if problem.annotator_of is None:
        gave = rated.any(axis=0)
    else:
        raters = problem.annotator_of[problem.table.count > 0][rated]
        gave = np.bincount(raters, minlength=size)[:size] > 0
    return np.asarray(gave & (problem.weight[:size] != 0))
