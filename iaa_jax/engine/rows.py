"""Blocks of weight rows through compiled code, and what comes back put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.devices import HeldOnEach, ahead
from iaa_jax.engine.drawing import BLOCK, rows_at_once
from iaa_jax.engine.effort import Effort
from iaa_jax.engine.flat import Sums
from iaa_jax.engine.inputs import Entries, SumsLayout, TracedInputs
from iaa_jax.engine.on_numpy import (
    SLOPE_STEPS,
    estimate_rows,
    is_small,
    slope_rows,
)
from iaa_jax.engine.padding import pad, pad_items
from iaa_jax.engine.precision import DType, scope
from iaa_jax.engine.prepared import Prepared, setting_key, setting_of, sums_layout_of, table_index
from iaa_jax.engine.problem import Floats, Key, PatternTable, Problem
from iaa_jax.engine.table_sums import sums_of_tables
from iaa_jax.kernels.namespace import Array

if TYPE_CHECKING:
    import jax

Progress = Callable[[int, int], None]


def collect(
    run: Run,
    outputs: int,
    rows: Iterable[tuple[Array, ...]],
    size: int,
    total: int,
    *,
    batch: int = BLOCK,
    progress: Progress | None = None,
) -> list[Floats]:
    """What ``run`` makes of blocks of ``size`` rows, each output with all ``total`` rows in turn.

    ``batch`` rows are under way at once on each device.
    """
    blocks: list[list[Floats]] = [[] for _ in range(outputs)]
    done = 0
    effort = Effort(total)
    begun = ((len(block[0]), run(_filled(block, size))) for block in _in_blocks(rows, size))
    for count, results in ahead(begun, -(-batch // size) * run.devices - 1):
        done += count
        for index, result in enumerate(results):
            blocks[index].append(np.asarray(result)[:count])
        effort.check(done, sum(block[0].nbytes / len(block[0]) for block in blocks))
        if progress is not None:
            progress(min(done, total), total)
    return [np.concatenate(parts)[:total] for parts in blocks]


class Run(Protocol):
    """What makes results of blocks of rows."""

    @property
    def devices(self) -> int:
        """Devices that take turns."""

    def __call__(self, weights: tuple[Array, ...], /) -> Sequence[jax.Array | Floats]:
        """The outputs of a block of weights of each table."""


class Held(NamedTuple):
    """What every block needs, on a device."""

    matrices: tuple[Array, ...]
    """Statistics (pattern or part, column) of each table."""
    entries: tuple[Entries, ...]
    """What sums by an index are made of, where the device makes them, of each table."""
    data: tuple[Array, ...]
    """Ratings of the coefficients that are no formula on sums."""


class RowEvaluator:
    """From one block of weights to the estimates of all problems, with what that needs ready.

    Formulas on few sums run on NumPy for all rows at once; on more of them, and for coefficients
    that are no formula on sums, code is compiled. Where ``devices`` are given the weights lie on
    them already, filled up to their buckets. ``slopes`` says that derivatives are wanted, of which
    each row has as many as sums.
    """

    def __init__(
        self,
        prepared: Prepared,
        tables: Sequence[PatternTable],
        total: int,
        dtype: DType,
        devices: Sequence[jax.Device] | None = None,
        *,
        slopes: bool = False,
    ) -> None:
        self.dtype = dtype
        self.prepared = prepared
        self.factored = [prepared.problems[index] for index in prepared.factored]
        # a device multiplies large matrices sooner than it adds up parts
        self._used, self._sums, indices = sums_of_tables(
            prepared, tables, self.factored, of_patterns=devices is not None
        )
        # the same numbers are passed once: formulas then share what they have in common
        settings: dict[Key, tuple[int, TracedInputs]] = {}
        for problem in self.factored:
            if setting_key(problem) not in settings:
                setting = setting_of(prepared, problem, dtype)
                settings[setting_key(problem)] = (len(settings), setting)
        self.settings = tuple(setting for _, setting in settings.values())
        self.sums_layouts = tuple(
            sums_layout_of(
                prepared,
                problem,
                position,
                self._sums[position].starts[problem.shared_key],
                settings[setting_key(problem)][0],
            )
            for problem, position in zip(self.factored, indices, strict=True)
        )
        cells = total * self.width
        if slopes:
            cells = max(cells, SLOPE_STEPS * self._widest**2)
        self.on_numpy = devices is None and is_small(cells, dtype)
        self.kernels = [
            (
                index,
                table_index(tables, prepared.problems[index].table),
                pad_items(prepared.problems[index].data).astype(dtype),
                setting_of(prepared, prepared.problems[index], dtype),
            )
            for index in prepared.unfactored
        ]
        self._on_each: HeldOnEach[Held] | None = None
        if self.compiles:
            with scope(dtype):
                matrices = tuple(pad(sums.rows, 0.0).astype(dtype) for sums in self._sums)
                data = tuple(data for _, _, data, _ in self.kernels)
                entries = tuple(sums.entries(dtype) for sums in self._sums if devices is not None)
                self._on_each = HeldOnEach(Held(matrices, entries, data), devices)

    @property
    def columns(self) -> int:
        """Sums by an index that each row has."""
        return max((sums.indexed_columns for sums in self._sums), default=0)

    @property
    def width(self) -> int:
        """Sums that the formulas read of each row."""
        return sum(layout.width for layout in self.sums_layouts)

    @property
    def _widest(self) -> int:
        """Sums of the coefficient that has most."""
        return max((layout.width for layout in self.sums_layouts), default=0)

    @property
    def devices(self) -> int:
        """Devices that take turns."""
        return 1 if self._on_each is None else len(self._on_each)

    @property
    def compiles(self) -> bool:
        """Whether any of it is compiled code."""
        return bool(self.kernels) or not self.on_numpy

    def rows_at_once(self, patterns: int) -> int:
        """Rows that are worked out together, of tables of so many patterns."""
        rows = rows_at_once(max(self.columns, patterns))
        cells = max(self.width, patterns)
        return (
            rows if self.compiles else max(rows, thresholds.ROWS_TOGETHER // cells // BLOCK * BLOCK)
        )

    def scope(self) -> AbstractContextManager[None]:
        """What compiled code needs around it."""
        return scope(self.dtype) if self.compiles else nullcontext()

    def __call__(self, weights: tuple[Array, ...]) -> list[jax.Array | Floats]:
        """The estimates (row, ...) of a block of weights of each table."""
        estimates: dict[int, jax.Array | Floats] = {}
        held = self._held_beside(weights)
        if self.factored:
            several = zip(self.prepared.factored, self.of_sums(weights, held=held), strict=True)
            estimates.update(several)
        for (index, number, _, setting), data in zip(self.kernels, held.data, strict=True):
            from iaa_jax.engine import compiled

            kernel = self.prepared.problems[index].measure.kernel
            batch_size = max(1, min(BLOCK, thresholds.KERNEL_CELLS // max(data.size, 1)))
            rows = pad(weights[number], 0.0, axis=1).astype(self.dtype, copy=False)
            estimates[index] = compiled.kernel_rows(rows, data, setting, kernel, batch_size)
        return [estimates[index] for index in range(len(self.prepared.problems))]

    def of_sums(
        self,
        weights: tuple[Array, ...],
        annotators: Sequence[Array] | None = None,
        held: Held | None = None,
    ) -> Sequence[jax.Array | Floats]:
        """Estimates (row, ...) of the formulas, also with annotator weights for each setting.

        They are worked out where the constants are ``held``, by default beside the weights.
        """
        if self.on_numpy:
            return [
                estimate_rows(
                    problem,
                    layout.layout,
                    sums,
                    None if annotators is None else annotators[layout.setting],
                )
                for problem, layout, sums in self._sums_of_each(weights)
            ]
        from iaa_jax.engine import compiled

        summed = self._to_sum(weights, held or self._held_beside(weights))
        estimates: Sequence[jax.Array]
        if annotators is None:
            estimates = compiled.factored_rows(*summed, self.settings, self.sums_layouts)
        else:
            estimates = compiled.factored_rows_two_way(
                *summed, tuple(annotators), self.settings, self.sums_layouts
            )
        return estimates

    def slopes(self, weights: tuple[Floats, ...]) -> list[tuple[Floats, Floats, Floats]]:
        """Estimates (row, ...) of the formulas, with derivatives (row, ..., column) by the sums.

        Those by the dense sums come first, then those by sums of an index.
        """
        if self.on_numpy:
            # each row has a copy for each of its sums
            size = max(1, thresholds.ROWS_TOGETHER // max(self._widest, 1) ** 2)
            parts = [
                [
                    slope_rows(problem, layout.layout, sums)
                    for problem, layout, sums in self._sums_of_each(
                        tuple(rows[start : start + size] for rows in weights)
                    )
                ]
                for start in range(0, len(weights[0]), size)
            ]
            return [
                (np.concatenate(value), np.concatenate(dense), np.concatenate(indexed))
                for value, dense, indexed in (
                    zip(*of_problem, strict=True) for of_problem in zip(*parts, strict=True)
                )
            ]
        from iaa_jax.engine import compiled

        summed = self._to_sum(weights, self._held_beside(weights))
        slopes = compiled.factored_slopes(*summed, self.settings, self.sums_layouts)
        return [
            (np.asarray(estimate), np.asarray(dense), np.asarray(indexed))
            for estimate, dense, indexed in slopes
        ]

    def _sums_of_each(
        self, weights: tuple[Floats, ...]
    ) -> Iterator[tuple[Problem, SumsLayout, Sums]]:
        """Each problem with its sums (column, row), on NumPy."""
        dense = [
            sums.on_numpy(weights[number], self.dtype)
            for number, sums in zip(self._used, self._sums, strict=True)
        ]
        indexed = self._indexed(weights)
        for problem, layout in zip(self.factored, self.sums_layouts, strict=True):
            parts = dense[layout.table], indexed[layout.table].astype(np.float64, copy=False)
            yield (
                problem,
                layout,
                Sums(
                    parts[0][slice(*layout.dense)],
                    parts[1][slice(*layout.indexed)],
                    self.settings[layout.setting].fixed,
                ),
            )

    def _indexed(self, weights: tuple[Floats, ...]) -> tuple[Floats, ...]:
        return tuple(
            sums.by_index.of(weights[number], self.dtype)
            for number, sums in zip(self._used, self._sums, strict=True)
        )

    def _held_beside(self, weights: tuple[Array, ...]) -> Held:
        return Held((), (), ()) if self._on_each is None else self._on_each.beside(weights[0])

    def _to_sum(
        self, weights: tuple[Array, ...], held: Held
    ) -> tuple[tuple[Array, ...], tuple[Array, ...], tuple[Array, ...]]:
        """For each table: a block of weights, what makes its sums, and those made already."""
        padded = tuple(
            pad(sums.numbers(weights[number], self.dtype), 0.0, axis=1).astype(
                self.dtype, copy=False
            )
            for number, sums in zip(self._used, self._sums, strict=True)
        )
        if not held.entries:
            return padded, held.matrices, self._indexed(weights)
        from iaa_jax.engine import compiled

        indexed = (
            compiled.indexed_sums(rows, entries, sums.indexed_columns)
            for rows, entries, sums in zip(padded, held.entries, self._sums, strict=True)
        )
        return padded, held.matrices, tuple(indexed)


def _in_blocks(rows: Iterable[tuple[Array, ...]], size: int) -> Iterator[tuple[Array, ...]]:
    """The rows in turn, so many together, whatever they came in."""
    waiting: list[tuple[Array, ...]] = []
    held = 0
    for weights in rows:
        for start in range(0, len(weights[0]), size):
            part = tuple(each[start : start + size] for each in weights)
            if held + len(part[0]) > size:
                yield _joined(waiting)
                waiting, held = [], 0
            waiting.append(part)
            held += len(part[0])
    if waiting:
        yield _joined(waiting)


def _joined(parts: Sequence[tuple[Array, ...]]) -> tuple[Array, ...]:
    if len(parts) == 1:
        return parts[0]
    return tuple(np.concatenate(each) for each in zip(*parts, strict=True))


def _filled(block: tuple[Array, ...], size: int) -> tuple[Array, ...]:
    """A block of one fixed number of rows, the last ones zeros."""
    missing = size - len(block[0])
    return tuple(np.pad(rows, ((0, missing), (0, 0))) for rows in block) if missing else block
