"""Blocks of weight rows through compiled code, and what comes back put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from iaa_jax.engine.drawing import BLOCK
from iaa_jax.engine.effort import Effort
from iaa_jax.engine.flat import FlatStatistics
from iaa_jax.engine.inputs import TracedInputs
from iaa_jax.engine.padding import pad, pad_items
from iaa_jax.engine.precision import DType
from iaa_jax.engine.prepared import Prepared, setting_key, setting_of, sums_layout_of, table_index
from iaa_jax.engine.problem import Floats, Key, PatternTable, Problem

if TYPE_CHECKING:
    import jax

Progress = Callable[[int, int], None]

KERNEL_CELLS = 1 << 22
"""Cells of data that a coefficient without sums has under way at once."""


def collect(
    run: Callable[[tuple[Floats, ...]], Sequence[jax.Array | Floats]],
    outputs: int,
    rows: Iterable[tuple[Floats, ...]],
    size: int,
    total: int,
    *,
    batch: int = BLOCK,
    progress: Progress | None = None,
) -> list[Floats]:
    """What ``run`` makes of blocks of ``size`` rows, each output with all ``total`` rows in turn.

    ``batch`` rows are under way at once.
    """
    blocks: list[list[Floats]] = [[] for _ in range(outputs)]
    done = 0
    effort = Effort(total)
    for group in _groups(rows, size, batch):
        waiting = [(count, run(weights)) for count, weights in group]
        for count, results in waiting:
            done += count
            for index, result in enumerate(results):
                blocks[index].append(np.asarray(result)[:count])
        effort.check(done, sum(block[0].nbytes / len(block[0]) for block in blocks))
        if progress is not None:
            progress(min(done, total), total)
    return [np.concatenate(parts)[:total] for parts in blocks]


class TableSums:
    """The statistics of all factored problems on one table, side by side."""

    def __init__(self, prepared: Prepared, problems: Sequence[Problem]) -> None:
        flats: dict[Key, FlatStatistics] = {}
        self.starts: dict[Key, tuple[int, int]] = {}
        dense = indexed = 0
        for problem in problems:
            if problem.shared_key in flats:
                continue
            flat = flats[problem.shared_key] = prepared.statistics(problem)
            self.starts[problem.shared_key] = (dense, indexed)
            dense += flat.dense.shape[1]
            indexed += flat.indexed_columns
        self.dense = np.concatenate([flat.dense for flat in flats.values()], axis=1)
        self._indexed = [flat.indexed for flat in flats.values() if flat.indexed is not None]
        self.indexed_columns = indexed

    def indexed(self, weights: Floats, dtype: DType) -> Floats:
        """Sums by an index (column, row), each column's rows side by side as they are made."""
        if not self._indexed:
            return np.zeros((0, len(weights)), dtype=dtype)
        upright = np.ascontiguousarray(weights.T)
        sums = [(matrix @ upright).astype(dtype, copy=False) for matrix in self._indexed]
        return sums[0] if len(sums) == 1 else np.concatenate(sums, axis=0)


class RowEvaluator:
    """From one block of weights to the estimates of all problems, with what that needs ready."""

    def __init__(self, prepared: Prepared, tables: Sequence[PatternTable], dtype: DType) -> None:
        import jax

        self.dtype = dtype
        self.prepared = prepared
        factored = [prepared.problems[index] for index in prepared.factored]
        self._used = [
            number
            for number, table in enumerate(tables)
            if any(problem.table is table for problem in factored)
        ]
        self._sums = [
            TableSums(prepared, [each for each in factored if each.table is tables[number]])
            for number in self._used
        ]
        # the same numbers are passed once: formulas then share what they have in common
        settings: dict[Key, tuple[int, TracedInputs]] = {}
        for problem in factored:
            if setting_key(problem) not in settings:
                setting = setting_of(prepared, problem, dtype)
                settings[setting_key(problem)] = (len(settings), setting)
        self.settings = tuple(setting for _, setting in settings.values())
        indices = [self._used.index(table_index(tables, problem.table)) for problem in factored]
        self.sums_layouts = tuple(
            sums_layout_of(
                prepared,
                problem,
                position,
                self._sums[position].starts[problem.shared_key],
                settings[setting_key(problem)][0],
            )
            for problem, position in zip(factored, indices, strict=True)
        )
        self._matrices = tuple(
            jax.device_put(pad(sums.dense, 0.0).astype(dtype)) for sums in self._sums
        )
        self.kernels = [
            (
                index,
                table_index(tables, prepared.problems[index].table),
                jax.device_put(pad_items(prepared.problems[index].data).astype(dtype)),
                setting_of(prepared, prepared.problems[index], dtype),
            )
            for index in prepared.unfactored
        ]

    @property
    def columns(self) -> int:
        """Sums by an index that each row has."""
        return max((sums.indexed_columns for sums in self._sums), default=0)

    def summed(
        self, weights: tuple[Floats, ...]
    ) -> tuple[tuple[Floats, ...], tuple[jax.Array, ...], tuple[Floats, ...]]:
        """For each table: a block of weights, what makes its sums, and those made already."""
        return (
            tuple(
                pad(weights[number], 0.0, axis=1).astype(self.dtype, copy=False)
                for number in self._used
            ),
            self._matrices,
            tuple(
                sums.indexed(weights[number], self.dtype)
                for number, sums in zip(self._used, self._sums, strict=True)
            ),
        )

    def __call__(self, weights: tuple[Floats, ...]) -> list[jax.Array]:
        """The estimates (row, ...) of a block of weights of each table."""
        from iaa_jax.engine import compiled

        estimates: dict[int, jax.Array] = {}
        if self.sums_layouts:
            estimate_rows = compiled.factored_rows(
                *self.summed(weights), self.settings, self.sums_layouts
            )
            for index, estimate in zip(self.prepared.factored, estimate_rows, strict=True):
                estimates[index] = estimate
        for index, number, data, setting in self.kernels:
            kernel = self.prepared.problems[index].measure.kernel
            batch_size = max(1, min(BLOCK, KERNEL_CELLS // max(data.size, 1)))
            rows = pad(weights[number], 0.0, axis=1).astype(self.dtype, copy=False)
            estimates[index] = compiled.kernel_rows(rows, data, setting, kernel, batch_size)
        return [estimates[index] for index in range(len(self.prepared.problems))]


def _groups(
    rows: Iterable[tuple[Floats, ...]], size: int, batch: int
) -> Iterator[list[tuple[int, tuple[Floats, ...]]]]:
    """Blocks of one fixed number of rows (filled up with zeros), as many as make a batch."""
    group: list[tuple[int, tuple[Floats, ...]]] = []
    for weights in rows:
        for start in range(0, len(weights[0]), size):
            block = tuple(_filled(part[start : start + size], size) for part in weights)
            group.append((min(size, len(weights[0]) - start), block))
            if len(group) * size >= batch:
                yield group
                group = []
    if group:
        yield group


def _filled(rows: Floats, size: int) -> Floats:
    missing = size - len(rows)
    return np.pad(rows, ((0, missing), (0, 0))) if missing else rows
