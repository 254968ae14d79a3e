"""The statistics of a coefficient as matrices, and how to read a row of sums back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from iaa_jax.engine.padding import bucket
from iaa_jax.engine.problem import Floats, Problem
from iaa_jax.kernels.sums import Fixed, Indexed

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class Part(NamedTuple):
    """Where one statistic stands: in the plain columns, the indexed ones, or the fixed arrays."""

    where: str
    start: int
    shape: tuple[int, ...]

    @property
    def stop(self) -> int:
        """The column after its last."""
        return self.start + int(np.prod(self.shape, dtype=int))


class Layout(NamedTuple):
    """How a coefficient reads its sums: static, and so part of what is compiled."""

    kind: type
    parts: tuple[Part, ...]


class Sums(NamedTuple):
    """A coefficient's statistics summed over items: flat, and what no weight touches."""

    plain: Any  # (..., column)
    indexed: Any  # (..., column)
    fixed: tuple[Any, ...]


@dataclass(frozen=True)
class Flat:
    """Statistics as matrices from patterns to sums.

    ``indexed`` is sparse: among many annotators a pattern has a part in few of their sums.
    """

    plain: Floats  # (pattern, column)
    indexed: csr_array | None  # (column, pattern)
    fixed: tuple[Any, ...]
    layout: Layout

    @property
    def indexed_columns(self) -> int:
        """Number of sums that stand by an index."""
        return 0 if self.indexed is None else int(self.indexed.shape[0])

    def sums(self, weight: Floats) -> Sums:
        """The sums over all patterns with their weights."""
        indexed = np.zeros(0) if self.indexed is None else self.indexed @ weight
        return Sums(weight @ self.plain, indexed, self.fixed)

    def by_pattern(self, gradient: Sums) -> Floats:
        """Derivatives by the sums (..., column) as derivatives by the weights (..., pattern)."""
        found = np.asarray(gradient.plain) @ self.plain.T
        if self.indexed is not None:
            found = found + (self.indexed.T @ np.asarray(gradient.indexed).T).T
        return np.asarray(found)


def flat_statistics(problem: Problem) -> Flat:
    """The statistics of a factored problem, on NumPy.

    Sums by an index are filled up to a bucket, so that other annotators compile nothing anew.
    """
    if problem.measure.statistics is None:
        message = "this coefficient has no statistics"
        raise TypeError(message)
    statistics = problem.measure.statistics(problem.data, problem.raters, problem.disagreement)
    rows = len(problem.data)
    by_index = any(isinstance(statistic, Indexed) for statistic in statistics)
    plain: list[Floats] = [np.zeros((rows, 0), dtype=problem.data.dtype)]
    entries: list[tuple[Any, Any, Any]] = []
    fixed: list[Any] = []
    parts: list[Part] = []
    starts = {"plain": 0, "indexed": 0}
    for statistic in statistics:
        if isinstance(statistic, Fixed):
            value = np.asarray(statistic.value)
            missing = bucket(len(value)) - len(value) if by_index else 0
            parts.append(Part("fixed", len(fixed), ()))
            fixed.append(np.pad(value, ((0, missing), (0, 0))))
            continue
        where = "indexed" if isinstance(statistic, Indexed) else "plain"
        if isinstance(statistic, Indexed):
            shape = (bucket(statistic.size), *np.shape(statistic.value)[2:])
        else:
            shape = np.shape(statistic)[1:]
        part = Part(where, starts[where], shape)
        starts[where] = part.stop
        parts.append(part)
        if isinstance(statistic, Indexed):
            entries.append(_entries(statistic, part))
        else:
            plain.append(np.asarray(statistic).reshape(rows, -1))
    return Flat(
        np.concatenate(plain, axis=1),
        _sparse(entries, starts["indexed"], rows) if by_index else None,
        tuple(fixed),
        Layout(type(statistics), tuple(parts)),
    )


def read_back(layout: Layout, sums: Sums) -> Any:
    """Sums of one row of weights as the coefficient's own tuple of statistics."""
    parts = []
    for part in layout.parts:
        if part.where == "fixed":
            parts.append(sums.fixed[part.start])
            continue
        row = sums.plain if part.where == "plain" else sums.indexed
        parts.append(row[part.start : part.stop].reshape(part.shape))
    return layout.kind(*parts)


def _entries(statistic: Indexed, part: Part) -> tuple[Any, Any, Any]:
    """The numbers of a statistic that are not 0, with their patterns and columns."""
    value = np.asarray(statistic.value)
    flat = value.reshape(*value.shape[:2], -1)
    row, place, column = np.nonzero(flat)
    index = np.asarray(statistic.index)[row, place]
    return flat[row, place, column], part.start + index * flat.shape[2] + column, row


def _sparse(entries: list[tuple[Any, Any, Any]], columns: int, rows: int) -> csr_array:
    from scipy.sparse import csr_array

    value, column, row = (np.concatenate(part) for part in zip(*entries, strict=True))
    return csr_array((value, (column, row)), shape=(columns, rows))
