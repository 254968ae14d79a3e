"""Questions asked of several coefficients at once: estimates, influences, replicates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from iaa_jax.engine.padding import bucket, padded, padded_items
from iaa_jax.engine.precision import DType, scope
from iaa_jax.engine.problem import Flat, Floats, Problem, Table, flat_statistics, unflatten
from iaa_jax.engine.weights import BLOCK, bootstrap_rows, rows_at_once
from iaa_jax.kernels.agreement import Agreement

Progress = Callable[[int, int], None]

_KERNEL_CELLS = 1 << 22


class Prepared:
    """Problems with the statistics that they share, worked out once on NumPy."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        self._shared: dict[tuple[Any, ...], Flat] = {}

    def statistics(self, problem: Problem) -> Flat:
        """The statistics of a factored problem."""
        key = problem.shared_key
        if key not in self._shared:
            self._shared[key] = flat_statistics(problem)
        return self._shared[key]

    def sums(self, problem: Problem) -> Floats:
        """The problem's statistics summed over all items, flat."""
        weight = problem.table.count.astype(problem.data.dtype)
        return weight @ self.statistics(problem).matrix

    def summed(self, problem: Problem) -> Any:
        """The same, as the coefficient's own tuple."""
        flat = self.statistics(problem)
        return unflatten(self.sums(problem), flat.kind, flat.shapes)

    @property
    def factored(self) -> list[int]:
        """The places of the problems that are statistics and a formula."""
        return [index for index, problem in enumerate(self.problems) if problem.factored]

    @property
    def plain(self) -> list[int]:
        """The places of the others."""
        return [index for index, problem in enumerate(self.problems) if not problem.factored]


def estimates(prepared: Prepared) -> list[Agreement]:
    """The coefficients themselves. Runs on NumPy: one estimate does not pay for a compilation."""
    found = []
    for problem in prepared.problems:
        measure = problem.measure
        if measure.formula is not None and measure.statistics is not None:
            sums = prepared.summed(problem)
            found.append(measure.formula(sums, problem.weight, problem.disagreement))
            continue
        keywords = {} if measure.takes_values else {"label_agreement": problem.label_agreement}
        found.append(
            measure.kernel(
                problem.data,
                item_weight=problem.table.count,
                annotator_weight=problem.weight,
                **keywords,
            )
        )
    return [Agreement(*(np.asarray(part) for part in agreement)) for agreement in found]


def influences(prepared: Prepared, dtype: DType = "float64") -> list[Floats]:
    """Derivatives of each estimate by the weight of one item of each pattern: (..., pattern)."""
    from iaa_jax.engine import compiled

    found: list[Any] = [None] * len(prepared.problems)
    with scope(dtype):
        factored = prepared.factored
        if factored:
            rows, settings, readings = [], [], []
            for index in factored:
                problem = prepared.problems[index]
                flat = prepared.statistics(problem)
                rows.append(prepared.sums(problem).astype(dtype))
                settings.append(_setting(problem, dtype))
                readings.append(_reading(problem, flat, 0, 0))
            gradients = compiled.factored_gradients(tuple(rows), tuple(settings), tuple(readings))
            for index, gradient in zip(factored, gradients, strict=True):
                matrix = prepared.statistics(prepared.problems[index]).matrix
                found[index] = np.asarray(gradient) @ matrix.T.astype(dtype)
        for index in prepared.plain:
            problem = prepared.problems[index]
            gradient = compiled.kernel_gradient(
                padded(problem.table.count, 0.0).astype(dtype),
                padded_items(problem.data).astype(dtype),
                _setting(problem, dtype),
                problem.measure.kernel,
                problem.measure.takes_values,
            )
            found[index] = np.asarray(gradient)[..., : len(problem.data)]
    return found


def bootstrap(
    prepared: Prepared,
    *,
    replicates: int,
    seed: int,
    batch: int = BLOCK,
    dtype: DType = "float64",
    progress: Progress | None = None,
) -> list[Floats]:
    """Replicates (replicate, ...) of each estimate over items drawn with replacement.

    ``batch`` replicates are under way at once; it changes memory and speed, never a digit.
    """
    tables = _tables(prepared.problems)
    rows = bootstrap_rows(tables, replicates, seed)
    return over_rows(
        prepared, tables, rows, replicates, batch=batch, dtype=dtype, progress=progress
    )


def over_rows(
    prepared: Prepared,
    tables: Sequence[Table],
    rows: Iterable[tuple[Floats, ...]],
    total: int,
    *,
    batch: int = BLOCK,
    dtype: DType = "float64",
    progress: Progress | None = None,
) -> list[Floats]:
    """Estimates for any weight rows: ``rows`` yields one array (row, pattern) a table, in turn."""
    with scope(dtype):
        run = _compiled_rows(prepared, tables, dtype)
        found: list[list[Floats]] = [[] for _ in prepared.problems]
        done = 0
        for group in _groups(rows, tables, batch):
            waiting = [(size, run(weights)) for size, weights in group]
            for size, estimate_rows in waiting:
                done += size
                for index, estimate in enumerate(estimate_rows):
                    found[index].append(np.asarray(estimate)[:size])
            if progress is not None:
                progress(min(done, total), total)
    return [np.concatenate(parts)[:total] for parts in found]


def _compiled_rows(
    prepared: Prepared, tables: Sequence[Table], dtype: DType
) -> Callable[[tuple[Floats, ...]], list[Any]]:
    """A function from one block of weights to the estimates of all problems."""
    import jax

    from iaa_jax.engine import compiled

    used: list[int] = []
    settings, readings = [], []
    columns: dict[int, list[Floats]] = {}
    starts: dict[tuple[Any, ...], int] = {}
    for index in prepared.factored:
        problem = prepared.problems[index]
        flat = prepared.statistics(problem)
        number = _number(tables, problem.table)
        if number not in used:
            used.append(number)
        if problem.shared_key not in starts:
            held = columns.setdefault(number, [])
            starts[problem.shared_key] = sum(part.shape[1] for part in held)
            held.append(flat.matrix)
        start = starts[problem.shared_key]
        settings.append(_setting(problem, dtype))
        readings.append(_reading(problem, flat, used.index(number), start))
    matrices = tuple(
        jax.device_put(padded(np.concatenate(columns[number], axis=1), 0.0).astype(dtype))
        for number in used
    )
    plain = [
        (
            index,
            _number(tables, prepared.problems[index].table),
            jax.device_put(padded_items(prepared.problems[index].data).astype(dtype)),
            _setting(prepared.problems[index], dtype),
        )
        for index in prepared.plain
    ]

    def run(weights: tuple[Floats, ...]) -> list[Any]:
        on_device = [padded(rows, 0.0, axis=1).astype(dtype) for rows in weights]
        found: list[Any] = [None] * len(prepared.problems)
        if readings:
            estimate_rows = compiled.factored_rows(
                tuple(on_device[number] for number in used),
                matrices,
                tuple(settings),
                tuple(readings),
            )
            for index, estimate in zip(prepared.factored, estimate_rows, strict=True):
                found[index] = estimate
        for index, number, data, setting in plain:
            measure = prepared.problems[index].measure
            together = max(1, min(BLOCK, _KERNEL_CELLS // max(data.size, 1)))
            found[index] = compiled.kernel_rows(
                on_device[number], data, setting, measure.kernel, together, measure.takes_values
            )
        return found

    return run


def _groups(
    rows: Iterable[tuple[Floats, ...]], tables: Sequence[Table], batch: int
) -> Iterator[list[tuple[int, tuple[Floats, ...]]]]:
    """Blocks of one fixed number of rows (filled up with zeros), as many as make a batch."""
    size = rows_at_once(max(bucket(len(table.count)) for table in tables))
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


def _tables(problems: Sequence[Problem]) -> list[Table]:
    tables: list[Table] = []
    for problem in problems:
        if not any(problem.table is table for table in tables):
            tables.append(problem.table)
    return tables


def _number(tables: Sequence[Table], wanted: Table) -> int:
    return next(index for index, table in enumerate(tables) if table is wanted)


def _setting(problem: Problem, dtype: DType) -> Any:
    from iaa_jax.engine.compiled import Setting

    matrix = problem.disagreement
    return Setting(problem.weight.astype(dtype), None if matrix is None else matrix.astype(dtype))


def _reading(problem: Problem, flat: Flat, table: int, start: int) -> Any:
    from iaa_jax.engine.compiled import Reading

    formula = problem.measure.formula
    if formula is None:
        message = "this coefficient has no formula"
        raise TypeError(message)
    stop = start + flat.matrix.shape[1]
    return Reading(table, start, stop, flat.kind, flat.shapes, formula)
