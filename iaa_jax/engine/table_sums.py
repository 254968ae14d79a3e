"""Sums over items for all coefficients on one table, in adjacent columns, for blocks of weights.

A row of weights is, for instance, one replicate's weights of all patterns. A pattern is a set of
items with the same ratings, and a problem is one coefficient on one table of patterns. Dense sums
are a matrix product; indexed sums, such as sums by pair of annotators, come from a sparse matrix.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from iaa_jax.engine.flat import FlatStatistics, Sums
from iaa_jax.engine.inputs import Entries, LaidOut, SumsLayout, TracedInputs
from iaa_jax.engine.padding import bucket, pad
from iaa_jax.engine.precision import DType
from iaa_jax.engine.prepared import Prepared, setting_key, setting_of, sums_layout_of, table_index
from iaa_jax.engine.problem import Floats, Integers, Key, PatternTable, Problem
from iaa_jax.engine.products import sums_of_rows
from iaa_jax.engine.quadratic import directions
from iaa_jax.kernels.namespace import Array

if TYPE_CHECKING:
    from scipy.sparse import csc_array, csr_array

Shown = tuple[int, ...] | None
"""Index of each table's first pattern with only prior counts; None if the prior is always used."""

Padded = tuple[Array, ...]
"""An array per table, padded to one of few sizes."""


ALL = slice(None)
"""All patterns."""


def scale_without(weights: Floats, shown: int) -> Floats:
    """Return, for each row, its sum of weights divided by the sum without the prior."""
    with np.errstate(invalid="ignore"):  # the weights of padding rows are 0
        return np.asarray(weights.sum(axis=1) / weights[:, :shown].sum(axis=1))


class Slopes(NamedTuple):
    """Estimates (row, ...) and their derivatives (row, ..., pattern) with respect to weights."""

    estimate: Floats
    by_pattern: Floats


class SparseSums:
    """Sums (column, row) from stacked sparse matrices (column, pattern)."""

    def __init__(self, matrices: Sequence[csr_array | csc_array]) -> None:
        self.matrices = matrices
        self.columns = sum(int(matrix.shape[0]) for matrix in matrices)
        self._parts: dict[tuple[int | None, int | None], SparseSums] = {}

    def part(self, some: slice) -> SparseSums:
        """Return the sums over some of the patterns."""
        if some == ALL:
            return self
        key = some.start, some.stop
        if key not in self._parts:
            self._parts[key] = SparseSums([matrix[:, some].tocsr() for matrix in self.matrices])
        return self._parts[key]

    def of(self, weights: Floats) -> Floats:
        """Return each column's sums for all rows of weights (row, pattern)."""
        if not self.matrices:
            return np.zeros((0, len(weights)))
        upright = np.ascontiguousarray(weights.T)
        sums = [matrix @ upright for matrix in self.matrices]
        return sums[0] if len(sums) == 1 else np.concatenate(sums, axis=0)

    def with_and_without(self, weights: Floats, shown: int, scale: Floats) -> Floats:
        """Return sums with the prior, followed by sums without it."""
        rows = len(weights)
        sums, first = np.empty((self.columns, 2 * rows)), 0
        some = slice(shown), slice(shown, None)
        upright = [np.ascontiguousarray(weights[:, part].T) for part in some]
        for both in zip(*(self.part(part).matrices for part in some), strict=True):
            items, prior = (matrix @ each for matrix, each in zip(both, upright, strict=True))
            here = sums[first : first + len(items)]
            np.multiply(items, scale, out=here[:, rows:])
            np.add(items, prior, out=here[:, :rows])
            first += len(items)
        return sums


class TableSums:
    """The statistics of several problems on one table, in adjacent columns.

    Their rows are the patterns of the table. If statistics are kept for parts of patterns (pairs of
    ratings) and ``whole_patterns`` is False, the rows are these parts.
    """

    def __init__(self, flats: Mapping[Key, FlatStatistics], *, whole_patterns: bool) -> None:
        self.starts: dict[Key, tuple[int, int]] = {}
        columns = indexed = 0
        for key, flat in flats.items():
            self.starts[key] = (columns, indexed)
            columns += flat.columns
            indexed += flat.indexed_columns
        self.indexed_columns = indexed
        several = [*flats.values()]
        parts = None if whole_patterns else several[0].parts
        self._of_parts = None if parts is None else SparseSums([parts.matrix])
        self._dense = several
        matrices = [flat.indexed for flat in several if flat.indexed is not None]
        self.by_index = SparseSums(matrices)

    @cached_property
    def rows(self) -> Floats:
        """The dense statistics (pattern or part, column)."""
        whole = self._of_parts is None
        return np.concatenate([each.dense if whole else each.rows for each in self._dense], axis=1)

    def laid_out(self, dtype: DType) -> tuple[LaidOut, ...]:
        """Return the padded rows for a device, which sums the parts of patterns."""
        several = []
        for each in self._dense:
            by_split = None
            if each.parts is not None:
                none, by_split = bucket(each.parts.number), each.parts.by_split
                missing = bucket(by_split.shape[1]) - by_split.shape[1]
                by_split = np.pad(by_split, ((0, 0), (0, missing)), constant_values=none)
            several.append(LaidOut(pad(each.rows, 0.0).astype(dtype, copy=False), by_split))
        return tuple(several)

    def numbers(self, weights: Array, dtype: DType, some: slice = ALL) -> Array:
        """Return the weights of some patterns, or of their parts: (row, pattern or part)."""
        if self._of_parts is None:
            return weights
        return self._of_parts.part(some).of(weights).T.astype(dtype)

    def rows_of(self, some: slice) -> Floats:
        """Return the statistics of the patterns or parts whose weights `numbers` returns."""
        return self.rows[some] if self._of_parts is None else self.rows

    def on_numpy(self, weights: Floats, shown: int | None = None) -> tuple[Floats, Floats]:
        """Return dense sums (column, row) and indexed sums.

        With ``shown``, sums with the prior are followed by sums without it.
        """
        scale = None if shown is None else scale_without(weights, shown)

        def summed(sums: SparseSums) -> Floats:
            if shown is None or scale is None:
                return sums.of(weights)
            return sums.with_and_without(weights, shown, scale)

        indexed = summed(self.by_index)
        if self._of_parts is not None:
            return np.asarray(self._by_column @ summed(self._of_parts)), indexed
        if shown is None or scale is None:
            return sums_of_rows(weights, self.rows), indexed
        parts = slice(shown), slice(shown, None)
        items, prior = (sums_of_rows(weights[:, some], self.rows[some]).T for some in parts)
        sums = np.empty((2 * len(weights), items.shape[1]))  # contiguous by row, as the weights are
        np.add(items, prior, out=sums[: len(weights)])
        np.multiply(items, scale[:, None], out=sums[len(weights) :])
        return sums.T, indexed

    @cached_property
    def _by_column(self) -> csr_array:
        from scipy.sparse import csr_array

        return csr_array(self.rows.T)

    def entries(self, dtype: DType) -> Entries:
        """Return the entries of indexed sums."""
        columns: list[Integers] = [np.zeros(0, dtype=np.intp)]
        patterns: list[Integers] = [np.zeros(0, dtype=np.intp)]
        values: list[Floats] = [np.zeros(0)]
        first = 0
        for matrix in self.by_index.matrices:
            stored = matrix.tocoo()
            columns.append(stored.coords[0] + first)
            patterns.append(stored.coords[1])
            values.append(stored.data)
            first += matrix.shape[0]
        value, column, pattern = (np.concatenate(part) for part in (values, columns, patterns))
        missing = bucket(len(value)) - len(value)
        return Entries(
            np.pad(value, (0, missing)).astype(dtype),
            np.pad(column, (0, missing), constant_values=max(self.indexed_columns - 1, 0)),
            np.pad(pattern, (0, missing)),
        )


def sums_of_tables(
    prepared: Prepared,
    tables: Sequence[PatternTable],
    problems: Sequence[Problem],
    *,
    whole_patterns: bool,
) -> tuple[list[int], list[TableSums], list[int]]:
    """Return three lists that assign sums to tables, and problems to sums.

    They are: for each `TableSums`, the index of its table; the `TableSums`; and for each problem,
    the index of its `TableSums`.
    """
    flats: dict[tuple[int, int], dict[Key, FlatStatistics]] = {}
    keys: list[tuple[int, int]] = []
    for problem in problems:
        flat = prepared.statistics(problem)
        parts = 0 if whole_patterns or flat.parts is None else id(flat.parts)
        keys.append((table_index(tables, problem.table), parts))
        flats.setdefault(keys[-1], {})[problem.shared_key] = flat
    several = [TableSums(each, whole_patterns=whole_patterns) for each in flats.values()]
    place = {key: index for index, key in enumerate(flats)}
    return [table for table, _ in flats], several, [place[key] for key in keys]


class RowSums:
    """The sums that the formulas of several problems read, for blocks of weights."""

    def __init__(
        self,
        prepared: Prepared,
        tables: Sequence[PatternTable],
        dtype: DType,
        *,
        whole_patterns: bool,
    ) -> None:
        self.problems, self.dtype = prepared.problems, dtype
        self._statistics = prepared.statistics
        self._used, self.tables, indices = sums_of_tables(
            prepared, tables, self.problems, whole_patterns=whole_patterns
        )
        settings: dict[Key, tuple[int, TracedInputs]] = {}
        for problem in self.problems:
            if setting_key(problem) not in settings:
                setting = setting_of(prepared, problem, dtype)
                settings[setting_key(problem)] = (len(settings), setting)
        self.settings = tuple(setting for _, setting in settings.values())
        self.layouts = tuple(
            sums_layout_of(
                prepared,
                problem,
                place,
                self.tables[place].starts[problem.shared_key],
                settings[setting_key(problem)][0],
            )
            for problem, place in zip(self.problems, indices, strict=True)
        )

    @cached_property
    def alike(self) -> list[list[int]]:
        """The indices of the problems, grouped by equal sums and equal other inputs."""
        of_key: dict[Key, list[int]] = {}
        for number, each in enumerate(self.layouts):
            key = each.table, each.dense, each.indexed, each.layout, each.setting
            of_key.setdefault(key, []).append(number)
        return [*of_key.values()]

    @property
    def columns(self) -> int:
        """The largest number of indexed sums of a table."""
        return max((sums.indexed_columns for sums in self.tables), default=0)

    @property
    def width(self) -> int:
        """The number of sums that formulas read from a row."""
        return sum(layout.width for layout in self.layouts)

    @property
    def widest(self) -> int:
        """The largest number of sums of a coefficient."""
        return max((layout.width for layout in self.layouts), default=0)

    @property
    def directions(self) -> int:
        """The largest number of directions for the slopes of a coefficient."""
        several = zip(self.problems, self.layouts, strict=True)
        return max((directions(problem, layout.width) for problem, layout in several), default=0)

    def by_problem(
        self, items: tuple[Floats, ...], shown: Shown = None
    ) -> Iterator[tuple[Problem, SumsLayout, Sums]]:
        """Yield each problem with its layout and its sums (column, row), as NumPy arrays."""
        several = [
            sums.on_numpy(items[number], None if shown is None else shown[number])
            for number, sums in zip(self._used, self.tables, strict=True)
        ]
        for problem, layout in zip(self.problems, self.layouts, strict=True):
            dense, indexed = several[layout.table]
            sums_of_problem = dense[slice(*layout.dense)], indexed[slice(*layout.indexed)]
            yield problem, layout, Sums(*sums_of_problem, self.settings[layout.setting].fixed)

    def slopes(self, by_sum: Iterable[Sequence[Array]]) -> list[Slopes]:
        """Return estimates and slopes, from derivatives with respect to dense and indexed sums."""
        return [
            Slopes(
                np.asarray(estimate),
                self._statistics(problem).by_pattern(Sums(dense, indexed, ())),
            )
            for problem, (estimate, dense, indexed) in zip(self.problems, by_sum, strict=True)
        ]

    def indexed(
        self, items: tuple[Floats, ...], some: Sequence[slice] | None = None
    ) -> tuple[Floats, ...]:
        """Return indexed sums (column, row) of each table, over some of its patterns."""
        return tuple(
            sums.by_index.part(ALL if some is None else some[number])
            .of(items[number])
            .astype(self.dtype, copy=False)
            for number, sums in zip(self._used, self.tables, strict=True)
        )

    def padded(self, items: tuple[Array, ...], some: Sequence[slice] | None = None) -> Padded:
        """Return the weights of each table's patterns or parts (row, ...), padded to few sizes.

        ``some`` are the patterns of each table to which the weights belong, by default all.
        """
        numbers = (
            sums.numbers(items[number], self.dtype, ALL if some is None else some[number])
            for number, sums in zip(self._used, self.tables, strict=True)
        )
        return tuple(pad(each, 0.0, axis=1).astype(self.dtype, copy=False) for each in numbers)

    def padded_rows(self, some: Sequence[slice]) -> Padded:
        """Return the statistics of these patterns of each table, padded to one of few sizes."""
        rows = (
            sums.rows_of(some[number]) for number, sums in zip(self._used, self.tables, strict=True)
        )
        return tuple(pad(each, 0.0).astype(self.dtype, copy=False) for each in rows)

    def scales(self, items: tuple[Floats, ...], shown: tuple[int, ...]) -> Padded:
        """Return, for each table, the factors of `scale_without`."""
        return tuple(
            scale_without(items[number], shown[number]).astype(self.dtype) for number in self._used
        )
