"""Questions asked of several coefficients at once: estimates, influences, replicates."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from iaa_jax.engine.flat import Flat, Sums, flat_statistics, read_back
from iaa_jax.engine.padding import bucket, padded, padded_items
from iaa_jax.engine.precision import DType, scope
from iaa_jax.engine.problem import Floats, Problem, Table
from iaa_jax.engine.weights import BLOCK, bootstrap_rows, rows_at_once
from iaa_jax.kernels.agreement import Agreement

Progress = Callable[[int, int], None]

_KERNEL_CELLS = 1 << 22


class Prepared:
    """Problems with the statistics that they share, worked out once on NumPy."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        self._shared: dict[tuple[Any, ...], Flat] = {}
        self._sums: dict[tuple[Any, ...], Sums] = {}

    def part(self, places: Sequence[int]) -> Prepared:
        """Some of the problems, with the same statistics."""
        part = Prepared([self.problems[place] for place in places])
        part._shared, part._sums = self._shared, self._sums
        return part

    def statistics(self, problem: Problem) -> Flat:
        """The statistics of a factored problem."""
        key = problem.shared_key
        if key not in self._shared:
            self._shared[key] = flat_statistics(problem)
        return self._shared[key]

    def sums(self, problem: Problem) -> Sums:
        """The problem's statistics summed over all items."""
        key = problem.shared_key
        if key not in self._sums:
            weight = problem.table.count.astype(problem.data.dtype)
            self._sums[key] = self.statistics(problem).sums(weight)
        return self._sums[key]

    def summed(self, problem: Problem) -> Any:
        """The same, as the coefficient's own tuple."""
        return read_back(self.statistics(problem).layout, self.sums(problem))

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
            found.append(
                measure.formula(sums, problem.weight, problem.disagreement, **problem.options)
            )
            continue
        keywords: dict[str, Any] = {"annotator_weight": problem.weight, **problem.options}
        if not measure.takes_values:
            keywords["label_agreement"] = problem.label_agreement
        if problem.annotator_of is not None:
            keywords["annotator_of"] = problem.annotator_of
        with scope("float64") if "jax" in sys.modules else nullcontext():
            # a kernel of the user's may be written for JAX alone
            own = measure.kernel(problem.data, item_weight=problem.table.count, **keywords)
        found.append(own)
    return [Agreement(*(np.asarray(part) for part in agreement)) for agreement in found]


def influences(prepared: Prepared, dtype: DType = "float64") -> list[Floats]:
    """Derivatives of each estimate by the weight of one item of each pattern: (..., pattern)."""
    from iaa_jax.engine import compiled

    found: list[Any] = [None] * len(prepared.problems)
    with scope(dtype):
        factored = prepared.factored
        if factored:
            rows: list[tuple[Any, Any]] = []
            settings: list[Any] = []
            readings: list[Any] = []
            for index in factored:
                problem = prepared.problems[index]
                sums = prepared.sums(problem)
                rows.append((sums.plain.astype(dtype), sums.indexed.astype(dtype)))
                settings.append(_setting(prepared, problem, dtype))
                readings.append(_reading(prepared, problem, 0, (0, 0), len(readings)))
            gradients = compiled.factored_gradients(tuple(rows), tuple(settings), tuple(readings))
            for index, gradient in zip(factored, gradients, strict=True):
                flat = prepared.statistics(prepared.problems[index])
                found[index] = flat.by_pattern(Sums(gradient[0], gradient[1], ())).astype(dtype)
        for index in prepared.plain:
            problem = prepared.problems[index]
            gradient = compiled.kernel_gradient(
                padded(problem.table.count, 0.0).astype(dtype),
                padded_items(problem.data).astype(dtype),
                _setting(prepared, problem, dtype),
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
        run = _Rows(prepared, tables, dtype)
        cells = max(run.columns, *(bucket(len(table.count)) for table in tables))
        found: list[list[Floats]] = [[] for _ in prepared.problems]
        done = 0
        for group in _groups(rows, rows_at_once(cells), batch):
            waiting = [(size, run(weights)) for size, weights in group]
            for size, estimate_rows in waiting:
                done += size
                for index, estimate in enumerate(estimate_rows):
                    found[index].append(np.asarray(estimate)[:size])
            if progress is not None:
                progress(min(done, total), total)
    return [np.concatenate(parts)[:total] for parts in found]


class _TableSums:
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


class _Rows:
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
            _TableSums(prepared, [one for one in factored if one.table is tables[number]])
            for number in self._used
        ]
        # the same numbers are passed once: formulas then share what they have in common
        settings: dict[tuple[Any, ...], tuple[int, Any]] = {}
        for problem in factored:
            if _setting_key(problem) not in settings:
                setting = _setting(prepared, problem, dtype)
                settings[_setting_key(problem)] = (len(settings), setting)
        self._settings = tuple(setting for _, setting in settings.values())
        places = [self._used.index(_number(tables, problem.table)) for problem in factored]
        self._readings = tuple(
            _reading(
                prepared,
                problem,
                place,
                self._sums[place].starts[problem.shared_key],
                settings[_setting_key(problem)][0],
            )
            for problem, place in zip(factored, places, strict=True)
        )
        self._matrices = tuple(
            jax.device_put(padded(sums.plain, 0.0).astype(dtype)) for sums in self._sums
        )
        self._kernels = [
            (
                index,
                _number(tables, prepared.problems[index].table),
                jax.device_put(padded_items(prepared.problems[index].data).astype(dtype)),
                _setting(prepared, prepared.problems[index], dtype),
            )
            for index in prepared.plain
        ]

    @property
    def columns(self) -> int:
        """Sums by an index that each row has."""
        return max((sums.indexed_columns for sums in self._sums), default=0)

    def __call__(self, weights: tuple[Floats, ...]) -> list[Any]:
        from iaa_jax.engine import compiled

        on_device = [padded(rows, 0.0, axis=1).astype(self.dtype, copy=False) for rows in weights]
        found: list[Any] = [None] * len(self.prepared.problems)
        if self._readings:
            estimate_rows = compiled.factored_rows(
                tuple(on_device[number] for number in self._used),
                self._matrices,
                tuple(
                    sums.indexed(weights[number], self.dtype)
                    for number, sums in zip(self._used, self._sums, strict=True)
                ),
                self._settings,
                self._readings,
            )
            for index, estimate in zip(self.prepared.factored, estimate_rows, strict=True):
                found[index] = estimate
        for index, number, data, setting in self._kernels:
            measure = self.prepared.problems[index].measure
            together = max(1, min(BLOCK, _KERNEL_CELLS // max(data.size, 1)))
            found[index] = compiled.kernel_rows(
                on_device[number], data, setting, measure.kernel, together, measure.takes_values
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


def _tables(problems: Sequence[Problem]) -> list[Table]:
    tables: list[Table] = []
    for problem in problems:
        if not any(problem.table is table for table in tables):
            tables.append(problem.table)
    return tables


def _number(tables: Sequence[Table], wanted: Table) -> int:
    return next(index for index, table in enumerate(tables) if table is wanted)


def _setting(prepared: Prepared, problem: Problem, dtype: DType) -> Any:
    from iaa_jax.engine.compiled import Setting

    matrix = problem.disagreement
    annotator_of = None
    if problem.annotator_of is not None and not problem.factored:
        annotator_of = padded_items(problem.annotator_of)
    return Setting(
        problem.weight.astype(dtype),
        None if matrix is None else matrix.astype(dtype),
        prepared.statistics(problem).fixed if problem.factored else (),
        annotator_of,
        {name: np.asarray(number, dtype=dtype) for name, number in problem.options.items()},
    )


def _setting_key(problem: Problem) -> tuple[Any, ...]:
    return (problem.shared_key, *sorted(problem.options.items()))


def _reading(
    prepared: Prepared, problem: Problem, table: int, starts: tuple[int, int], setting: int
) -> Any:
    from iaa_jax.engine.compiled import Reading

    formula = problem.measure.formula
    if formula is None:
        message = "this coefficient has no formula"
        raise TypeError(message)
    flat = prepared.statistics(problem)
    plain, indexed = starts
    return Reading(
        table,
        (plain, plain + flat.plain.shape[1]),
        (indexed, indexed + flat.indexed_columns),
        flat.layout,
        formula,
        setting,
    )
