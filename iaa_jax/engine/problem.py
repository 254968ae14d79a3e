"""What the engine works on: tables of rating patterns, and coefficients to evaluate on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from iaa_jax.catalog import Measure
from iaa_jax.kernels.agreement import label_disagreement, symmetric

Floats = NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class Table:
    """Distinct rating patterns and how many items show each.

    Attributes
    ----------
    count : array (pattern,)
        Items that show the pattern; 0 for patterns without any rating.
    coarse : Table, optional
        A table whose patterns are unions of this one's: weights are drawn there first, so that the
        draws of the coarse table do not depend on who else is asked.
    pattern_of : array (pattern,), optional
        The index in ``coarse`` of each pattern.
    """

    count: Floats
    coarse: Table | None = None
    pattern_of: NDArray[np.integer] | None = None

    @property
    def items(self) -> float:
        """Number of rated items."""
        return float(self.count.sum())


@dataclass(frozen=True, eq=False)
class Problem:
    """One coefficient on one table.

    Attributes
    ----------
    measure : Measure
        How the coefficient is computed.
    table : Table
        The patterns that the data's rows are, and their counts.
    data : array
        A mass (pattern, annotator, label) or a value (pattern, annotator).
    label_agreement : array (label, label), optional
        Agreement between labels; the identity by default.
    annotator_weight : array (annotator,), optional
        Ones by default.
    """

    measure: Measure
    table: Table
    data: Floats
    label_agreement: Floats | None = None
    annotator_weight: Floats | None = None

    @cached_property
    def weight(self) -> Floats:
        """Annotator weights, ones by default."""
        if self.annotator_weight is not None:
            return np.asarray(self.annotator_weight, dtype=self.data.dtype)
        return np.ones(self.data.shape[1], dtype=self.data.dtype)

    @cached_property
    def disagreement(self) -> Floats | None:
        """``1 - label_agreement``, symmetric unless the coefficient reads it as it stands."""
        disagreement = label_disagreement(self.data, self.label_agreement)
        if disagreement is None:
            return None
        return np.asarray(disagreement if self.measure.ordered_pairs else symmetric(disagreement))

    @cached_property
    def _symmetric(self) -> bool:
        matrix = self.label_agreement
        return matrix is None or bool(np.array_equal(matrix, matrix.T))

    @property
    def factored(self) -> bool:
        """Whether the coefficient is statistics and a formula."""
        return self.measure.statistics is not None and self.measure.formula is not None

    @property
    def shared_key(self) -> tuple[Any, ...]:
        """Problems with the same key have the same statistics."""
        return (
            self.measure.statistics,
            id(self.table),
            id(self.data),
            id(self.label_agreement),
            self.measure.ordered_pairs and not self._symmetric,
            id(self.annotator_weight),
        )


@dataclass(frozen=True)
class Flat:
    """Statistics as one matrix (pattern, column), and how to read a row of sums back."""

    matrix: Floats
    kind: type
    shapes: tuple[tuple[int, ...], ...] = field(default=())


def flat_statistics(problem: Problem) -> Flat:
    """The statistics of a factored problem, on NumPy."""
    if problem.measure.statistics is None:
        message = "this coefficient has no statistics"
        raise TypeError(message)
    statistics = problem.measure.statistics(problem.data, problem.weight, problem.disagreement)
    rows = len(problem.data)
    columns = [np.asarray(statistic).reshape(rows, -1) for statistic in statistics]
    return Flat(
        np.concatenate(columns, axis=1),
        type(statistics),
        tuple(np.shape(statistic)[1:] for statistic in statistics),
    )


def unflatten(row: Any, kind: type, shapes: Sequence[tuple[int, ...]]) -> Any:
    """A row of sums as the coefficient's own tuple of statistics."""
    parts, start = [], 0
    for shape in shapes:
        size = int(np.prod(shape, dtype=int))
        parts.append(row[start : start + size].reshape(shape))
        start += size
    return kind(*parts)
