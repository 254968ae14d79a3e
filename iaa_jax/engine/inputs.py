"""Inputs of compiled code other than weights and sums: traced numbers and static layouts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from iaa_jax.engine.flat import Layout
from iaa_jax.engine.padding import pad_items
from iaa_jax.engine.precision import DType
from iaa_jax.engine.problem import Problem
from iaa_jax.kernels.kernel import Formula
from iaa_jax.kernels.namespace import Array


class SumsLayout(NamedTuple):
    """Where a coefficient finds its sums in the tables of sums; a static argument of compiled code.

    It reads the ranges ``dense`` and ``indexed`` of the columns of table number ``table``.
    """

    table: int
    dense: tuple[int, int]
    indexed: tuple[int, int]
    layout: Layout
    formula: Formula
    setting: int

    @property
    def width(self) -> int:
        """The number of sums that the formula reads."""
        return sum(stop - start for start, stop in (self.dense, self.indexed))


class PolynomialLayout(NamedTuple):
    """How a coefficient at any p follows from sums at a few values of p; a static argument.

    `iaa_jax.engine.sweep` explains p, the primary label's share of a divided rating.
    """

    layout: Layout
    formula: Formula


class Entries(NamedTuple):
    """The non-zero contributions of patterns to sparse columns, sorted by column; traced."""

    value: Array
    column: Array
    pattern: Array


class LaidOut(NamedTuple):
    """The statistics of patterns, or of their parts (`iaa_jax.engine.parts`); traced."""

    rows: Array  # (pattern or part, column)
    by_split: Array | None  # (split, pattern) index of a row; an index past the rows means none


class TracedInputs(NamedTuple):
    """The inputs of one coefficient other than its sums or ratings; traced."""

    annotator_weight: Array
    disagreement: Array | None
    fixed: tuple[Array, ...] = ()
    annotator_of: Array | None = None
    options: Mapping[str, Array] = {}


def inputs_of_sums(problem: Problem, fixed: tuple[Array, ...], dtype: DType) -> TracedInputs:
    """Return the inputs of a problem other than its sums, with its ``fixed`` statistics."""
    matrix = problem.disagreement
    return TracedInputs(
        problem.weight.astype(dtype),
        None if matrix is None else matrix.astype(dtype),
        fixed,
        options={name: np.asarray(number, dtype) for name, number in problem.options.items()},
    )


def inputs_of_ratings(problem: Problem, dtype: DType) -> TracedInputs:
    """Return the inputs of a problem other than its ratings."""
    annotator_of = None if problem.annotator_of is None else pad_items(problem.annotator_of)
    return inputs_of_sums(problem, (), dtype)._replace(annotator_of=annotator_of)
