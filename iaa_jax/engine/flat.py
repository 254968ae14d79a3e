"""The statistics of a coefficient as matrices, and its sums as the tuple that the formula takes.

A statistic has a number or an array for each item; the formula takes weighted sums of statistics
over items. A dense statistic has a column per sum. An indexed statistic lists the few sums to which
an item adds, if there are many annotators. A fixed statistic is an array that does not depend on
items. A pattern is a set of items with the same ratings, and a problem is one coefficient on one
table of patterns.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.padding import FEW_ANNOTATORS, bucket
from iaa_jax.engine.parts import Parts, statistics_of_parts
from iaa_jax.engine.problem import Floats, Integers, Problem
from iaa_jax.engine.products import sums_of_rows
from iaa_jax.kernels.namespace import Array
from iaa_jax.kernels.raters import Raters
from iaa_jax.kernels.sums import Fixed, Indexed, NamedSums

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class Part(NamedTuple):
    """The position of a statistic in the dense columns, the indexed columns or the fixed arrays."""

    where: str
    start: int
    shape: tuple[int, ...]

    @property
    def stop(self) -> int:
        """The index after the last column of the statistic."""
        return self.start + math.prod(self.shape)


class Layout(NamedTuple):
    """Where a coefficient finds its sums in flat arrays; a static argument of compiled code."""

    kind: type
    parts: tuple[Part, ...]


class Sums(NamedTuple):
    """A coefficient's statistics summed over items, as flat arrays, and its fixed arrays."""

    dense: Array  # (..., column)
    indexed: Array  # (..., column)
    fixed: tuple[Array, ...]


@dataclass(frozen=True)
class FlatStatistics:
    """Statistics as matrices that turn counts of patterns into sums.

    The rows of the dense statistics are patterns, or a few parts (ratings and pairs of ratings)
    that make up many patterns.
    """

    rows: Floats  # (pattern or part, column)
    indexed: csr_array | None  # (column, pattern)
    fixed: tuple[Array, ...]
    layout: Layout
    parts: Parts | None = None

    @cached_property
    def dense(self) -> Floats:
        """The dense statistics (pattern, column)."""
        return self.rows if self.parts is None else self.parts.matrix.T @ self.rows

    @property
    def columns(self) -> int:
        """The number of dense sums."""
        return int(self.rows.shape[1])

    @property
    def indexed_columns(self) -> int:
        """The number of indexed sums."""
        return 0 if self.indexed is None else int(self.indexed.shape[0])

    def sums(self, weight: Floats) -> Sums:
        """Return the sums over all patterns, given the ``weight`` (pattern,) of each."""
        indexed = np.zeros(0) if self.indexed is None else self.indexed @ weight
        number = weight if self.parts is None else self.parts.matrix @ weight
        return Sums(number @ self.rows, indexed, self.fixed)

    def by_pattern(self, gradient: Sums) -> Floats:
        """Convert derivatives by sum (``gradient``) to derivatives by weight (..., pattern)."""
        shape = np.shape(gradient.dense)[:-1]
        dense, indexed = (
            np.reshape(np.asarray(part), (math.prod(shape), np.shape(part)[-1]))
            for part in gradient[:2]
        )
        by_weight = sums_of_rows(dense, np.ascontiguousarray(self.rows.T)).T
        if self.parts is not None:
            by_weight = by_weight @ self.parts.matrix
        if self.indexed is not None:
            by_weight = by_weight + (self.indexed.T @ indexed.T).T
        return np.reshape(by_weight, (*shape, by_weight.shape[1]))


def flat_by_parts(problem: Problem, parts: Parts) -> FlatStatistics | None:
    """Return the statistics of parts of patterns, or None if the sums do not follow from them."""
    several = statistics_of_parts(problem, parts)
    if several is None:
        return None
    fixed: list[Array] = []
    layout: list[Part] = []
    columns: list[Floats] = []
    start = 0
    for name in several[0].statistics._fields:
        source = next(each for each in several if name in each.fields)
        statistic = getattr(source.statistics, name)
        if isinstance(statistic, Fixed):
            layout.append(Part("fixed", len(fixed), ()))
            fixed.append(statistic.value)
            continue
        if isinstance(statistic, Indexed):
            return None
        layout.append(Part("dense", start, np.shape(statistic)[1:]))
        start = layout[-1].stop
        column_values = np.zeros((parts.number, start - layout[-1].start))
        first = parts.begin[source.kind]
        column_values[first : first + len(statistic)] = np.asarray(statistic).reshape(
            len(statistic), -1
        )
        columns.append(column_values)
    kind = type(several[0].statistics)
    rows = np.concatenate(columns, axis=1)
    return FlatStatistics(rows, None, tuple(fixed), Layout(kind, tuple(layout)), parts)


def flat_statistics(problem: Problem) -> FlatStatistics:
    """Return the statistics of a problem, computed by NumPy; a plain function has none.

    Indexed sums are padded to one of few sizes, so that another number of annotators rarely needs a
    compilation.
    """
    rows: list[Integers] = []
    others: list[list[Fixed | Indexed | None]] = []  # None for a dense statistic
    for part in _by_panel(problem):
        statistics = problem.statistics_of(part.data, part.raters)
        if not rows:
            parts = _dense_parts(statistics)
            columns = max((each.stop for each in parts if each is not None), default=0)
            dense = np.empty((len(problem.data), columns), dtype=problem.data.dtype)
        for each, value in zip(parts, statistics, strict=True):
            if each is not None:
                dense[part.rows, each.start : each.stop] = np.reshape(value, (len(value), -1))
        rows.append(part.rows)
        others.append(
            [
                None if each is not None else _listed(value)
                for each, value in zip(parts, statistics, strict=True)
            ]
        )
    numbers = _numbered(others)
    entries: list[_Entries] = []
    fixed: list[Array] = []
    layout: list[Part] = []
    indexed = 0
    for each, *values in zip(parts, *others, strict=True):
        first = values[0]
        if each is not None:
            layout.append(each)
        elif isinstance(first, Fixed):
            layout.append(Part("fixed", len(fixed), ()))
            fixed.append(first.value if numbers is None else _filled_keys(numbers))
        else:
            size = first.size if numbers is None else len(numbers.keys)
            sums = (bucket(size, FEW_ANNOTATORS), *first.value.sums)
            layout.append(Part("indexed", indexed, sums))
            indexed = layout[-1].stop
            for index, value in enumerate(values):
                number = value.index if numbers is None else numbers.of[index][value.index]
                entries.append(_entries(value.value, np.asarray(number), rows[index], layout[-1]))
    return FlatStatistics(
        dense,
        _sparse(entries, indexed, len(dense)) if entries else None,
        tuple(fixed),
        Layout(type(statistics), tuple(layout)),
    )


def _dense_parts(statistics: Iterable[Array | Fixed | Indexed]) -> list[Part | None]:
    parts: list[Part | None] = []
    start = 0
    for statistic in statistics:
        if isinstance(statistic, (Fixed, Indexed)):
            parts.append(None)
        else:
            part = Part("dense", start, np.shape(statistic)[1:])
            parts.append(part)
            start = part.stop
    return parts


class _PatternsOfPanel(NamedTuple):
    rows: Integers  # indices of the patterns
    data: Floats
    raters: Raters


def _by_panel(problem: Problem) -> Iterator[_PatternsOfPanel]:
    """Yield the patterns in groups that fit into memory.

    For data by slot (an item's first, second, ... rating), a group has items with similar numbers
    of ratings, so that one item with hundreds of ratings does not widen the arrays of all others.
    """
    data, annotator_of = problem.data, problem.annotator_of
    if annotator_of is None:
        raters = problem.raters
        if not problem.measure.identified:  # leave out columns in which no rating counts
            counted = raters.weight > 0
            data, raters = problem.counted_data, Raters(raters.weight[counted])
        together = max(thresholds.LAID_OUT_TOGETHER // max(math.prod(data.shape[1:]), 1), 1)
        for start in range(0, max(len(data), 1), together):
            some = data[start : start + together]
            yield _PatternsOfPanel(np.arange(start, start + len(some)), some, raters)
        return
    panel = (annotator_of >= 0).sum(axis=1)
    order = np.argsort(panel, kind="stable")
    labels = data.shape[-1] if data.ndim == 3 else 1
    start = 0
    while start < len(order):
        widest = panel[order[start:]]
        cells = np.arange(1, len(widest) + 1) * np.maximum(widest * (widest - 1) // 2, 1) * labels
        stop = start + max(
            int(np.searchsorted(cells, thresholds.LAID_OUT_TOGETHER, side="right")), 1
        )
        rows = order[start:stop]
        slots = max(int(panel[rows].max()), 1)
        raters = Raters(problem.weight, annotator_of[rows, :slots])
        yield _PatternsOfPanel(rows, data[rows, :slots], raters)
        start = stop


class _KeyNumbers(NamedTuple):
    keys: Integers  # (number, ...) the distinct keys of all groups
    of: list[Integers]  # for each group, the new number of each of its indices


def _numbered(parts: Sequence[Sequence[Fixed | Indexed | None]]) -> _KeyNumbers | None:
    part_keys: list[Integers] = []
    for part in parts:
        keys = [each.keys for each in part if isinstance(each, Indexed) and each.keys is not None]
        if not keys:
            return None
        part_keys.append(keys[0])
    keys_of_all, number = np.unique(np.concatenate(part_keys), axis=0, return_inverse=True)
    ends = np.cumsum([len(each) for each in part_keys])[:-1]
    return _KeyNumbers(keys_of_all, np.split(number.reshape(-1), ends))


def _filled_keys(numbers: _KeyNumbers) -> Integers:
    missing = bucket(len(numbers.keys), FEW_ANNOTATORS) - len(numbers.keys)
    return np.pad(numbers.keys, ((0, missing), (0, 0)))


def read_back(layout: Layout, sums: Sums) -> NamedSums:
    """Return the sums of one row of weights as the named tuple that the formula takes."""
    parts = []
    for part in layout.parts:
        if part.where == "fixed":
            parts.append(sums.fixed[part.start])
            continue
        row = sums.dense if part.where == "dense" else sums.indexed
        parts.append(row[part.start : part.stop].reshape(part.shape))
    return layout.kind(*parts)


class _NonZeros(NamedTuple):
    """The nonzero numbers of a statistic (row, slot, ...), and their positions."""

    value: Floats
    row: Integers
    slot: Integers
    column: Integers
    sums: tuple[int, ...]


def _listed(statistic: Array | Fixed | Indexed) -> Fixed | Indexed:
    """Return the nonzero numbers of an indexed statistic, whose zeros may not fit into memory."""
    if not isinstance(statistic, Indexed):
        return statistic
    items, slots, *rest = np.shape(statistic.value)
    flat = np.asarray(statistic.value).reshape(items, slots, math.prod(rest))
    row, slot, column = np.nonzero(flat)
    return statistic._replace(
        value=_NonZeros(flat[row, slot, column], row, slot, column, tuple(rest))
    )


class _Entries(NamedTuple):
    value: Floats
    column: Integers
    pattern: Integers


def _entries(filled: _NonZeros, number: Integers, rows: Integers, part: Part) -> _Entries:
    columns = part.start + number[filled.row, filled.slot] * math.prod(filled.sums) + filled.column
    return _Entries(filled.value, columns, rows[filled.row])


def _sparse(entries: list[_Entries], columns: int, rows: int) -> csr_array:
    from scipy.sparse import csr_array

    value, column, row = (np.concatenate(part) for part in zip(*entries, strict=True))
    narrow = np.int32 if max(columns, rows, len(value)) <= np.iinfo(np.int32).max else np.int64
    place = column.astype(narrow), row.astype(narrow)  # int32 uses half the memory
    return csr_array((value, place), shape=(columns, rows))
