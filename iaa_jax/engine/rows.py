"""Blocks of weight rows through compiled code, and what comes back put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from iaa_jax.engine.blocks import BLOCK
from iaa_jax.engine.flat import Flat
from iaa_jax.engine.padding import padded, padded_items
from iaa_jax.engine.precision import DType
from iaa_jax.engine.prepared import Prepared, place_of, reading_of, setting_key, setting_of
from iaa_jax.engine.problem import Floats, Problem, Table

Progress = Callable[[int, int], None]

KERNEL_CELLS = 1 << 22
"""Cells of data that a coefficient without sums has under way at once."""


def collected(
    run: Callable[[tuple[Floats, ...]], Sequence[Any]],
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
    found: list[list[Floats]] = [[] for _ in range(outputs)]
    done = 0
    for group in _groups(rows, size, batch):
        waiting = [(held, run(weights)) for held, weights in group]
        for held, results in waiting:
            done += held
            for index, result in enumerate(results):
                found[index].append(np.asarray(result)[:held])
        if progress is not None:
            progress(min(done, total), total)
    return [np.concatenate(parts)[:total] for parts in found]


class TableSums:
    """The statistics of all factored problems on one table, side by side."""

    def __init__(self, prepared: Prepared, problems: Sequence[Problem]) -> None:
        flats: dict[tuple[Any, ...], Flat] = {}
        self.starts: dict[tuple[Any, ...], tuple[int, int]] = {}
        plain = indexed = 0
        for problem in problems:
            if problem.shared_key in flats:
                continue
            flat = flats[problem.shared_key] = prepared.statistics(problem)
            self.starts[problem.shared_key] = (plain, indexed)
            plain += flat.plain.shape[1]
            indexed += flat.indexed_columns
        self.plain = np.concatenate([flat.plain for flat in flats.values()], axis=1)
        self._indexed = [flat.indexed for flat in flats.values() if flat.indexed is not None]
        self.indexed_columns = indexed

    def indexed(self, weights: Floats, dtype: DType) -> Floats:
        """Sums by an index (column, row), each column's rows side by side as they are made."""
        if not self._indexed:
            return np.zeros((0, len(weights)), dtype=dtype)
        upright = np.ascontiguousarray(weights.T)
        sums = [(matrix @ upright).astype(dtype, copy=False) for matrix in self._indexed]
        return sums[0] if len(sums) == 1 else np.concatenate(sums, axis=0)


class Rows:
    """From one block of weights to the estimates of all problems, with what that needs ready."""

    def __init__(self, prepared: Prepared, tables: Sequence[Table], dtype: DType) -> None:
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
            TableSums(prepared, [one for one in factored if one.table is tables[number]])
            for number in self._used
        ]
        # the same numbers are passed once: formulas then share what they have in common
        settings: dict[tuple[Any, ...], tuple[int, Any]] = {}
        for problem in factored:
            if setting_key(problem) not in settings:
                setting = setting_of(prepared, problem, dtype)
                settings[setting_key(problem)] = (len(settings), setting)
        self.settings = tuple(setting for _, setting in settings.values())
        places = [self._used.index(place_of(tables, problem.table)) for problem in factored]
        self.readings = tuple(
            reading_of(
                prepared,
                problem,
                place,
                self._sums[place].starts[problem.shared_key],
                settings[setting_key(problem)][0],
            )
            for problem, place in zip(factored, places, strict=True)
        )
        self._matrices = tuple(
            jax.device_put(padded(sums.plain, 0.0).astype(dtype)) for sums in self._sums
        )
        self.kernels = [
            (
                index,
                place_of(tables, prepared.problems[index].table),
                jax.device_put(padded_items(prepared.problems[index].data).astype(dtype)),
                setting_of(prepared, prepared.problems[index], dtype),
            )
            for index in prepared.plain
        ]

    @property
    def columns(self) -> int:
        """Sums by an index that each row has."""
        return max((sums.indexed_columns for sums in self._sums), default=0)

    def summed(self, weights: tuple[Floats, ...]) -> tuple[Any, Any, Any]:
        """For each table: a block of weights, what makes its sums, and those made already."""
        return (
            tuple(
                padded(weights[number], 0.0, axis=1).astype(self.dtype, copy=False)
                for number in self._used
            ),
            self._matrices,
            tuple(
                sums.indexed(weights[number], self.dtype)
                for number, sums in zip(self._used, self._sums, strict=True)
            ),
        )

    def __call__(self, weights: tuple[Floats, ...]) -> list[Any]:
        """The estimates (row, ...) of a block of weights of each table."""
        from iaa_jax.engine import compiled

        found: list[Any] = [None] * len(self.prepared.problems)
        if self.readings:
            estimate_rows = compiled.factored_rows(
                *self.summed(weights), self.settings, self.readings
            )
            for index, estimate in zip(self.prepared.factored, estimate_rows, strict=True):
                found[index] = estimate
        for index, number, data, setting in self.kernels:
            measure = self.prepared.problems[index].measure
            together = max(1, min(BLOCK, KERNEL_CELLS // max(data.size, 1)))
            rows = padded(weights[number], 0.0, axis=1).astype(self.dtype, copy=False)
            found[index] = compiled.kernel_rows(
                rows, data, setting, measure.kernel, together, measure.takes_values
            )
        return found


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
