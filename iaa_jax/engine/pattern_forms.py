"""Quadratic forms of many labels as those of few patterns.

Where a formula reads the label totals r only by ``r' D r``, D the disagreement, and r is the rows R
of patterns summed with their weights w, it is ``w' (R D R') w``: no totals are made of any row of
weights, no product with D, and nothing is compiled for so many sums. What is 0 stays 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax._types import Floats
from iaa_jax.engine.evaluators import Block
from iaa_jax.engine.flat import Part, Sums
from iaa_jax.engine.on_numpy import estimate_rows, slope_rows
from iaa_jax.engine.prepared import Prepared
from iaa_jax.engine.problem import Problem
from iaa_jax.engine.products import sums_of_rows
from iaa_jax.engine.table_sums import Slopes
from iaa_jax.kernels.agreement import Agreement, disagreement_with
from iaa_jax.kernels.kernel import Formula
from iaa_jax.kernels.namespace import Array
from iaa_jax.kernels.sums import NamedSums

_PAIR = np.array([[0.0, 0.5], [0.5, 0.0]])
"""Of a number and 1 the form is the number itself."""


@dataclass(frozen=True)
class _FormulaOfForm:
    """A formula that is given ``r' D r``, and 1 beside it, in the place of r."""

    formula: Formula

    def __call__(
        self, sums: NamedSums, annotator_weight: Array, disagreement: object, **options: Any
    ) -> Agreement:
        return self.formula(sums, annotator_weight, _PAIR, **options)


class PatternForm:
    """A coefficient with a quadratic form, ready for many rows of weights (row, pattern)."""

    def __init__(self, prepared: Prepared, problem: Problem) -> None:
        kernel, flat = problem.kernel, prepared.statistics(problem)
        names = flat.layout.kind._fields
        totals = flat.layout.parts[names.index(kernel.quadratic)]
        of_labels = flat.dense[:, totals.start : totals.stop]
        self._between = disagreement_with(of_labels, problem.disagreement) @ of_labels.T
        self._rows = np.delete(flat.dense, np.s_[totals.start : totals.stop], axis=1)
        self._by_pattern = np.ascontiguousarray(self._rows.T)
        kernel = replace(kernel, formula=_FormulaOfForm(kernel.formula))
        self._problem = replace(problem, measure=replace(problem.measure, kernel=kernel))
        self._fixed = flat.fixed
        self._layout = flat.layout._replace(
            parts=tuple(self._place(part, totals) for part in flat.layout.parts)
        )

    def _place(self, part: Part, totals: Part) -> Part:
        """Where a statistic stands when the form stands behind all others."""
        if part is totals:
            return Part("dense", self._rows.shape[1], (2,))
        behind = part.where == "dense" and part.start > totals.start
        return part._replace(start=part.start - totals.stop + totals.start) if behind else part

    def estimates(self, weights: Floats) -> Floats:
        """The estimates (row, ...)."""
        _, sums = self._sums(weights)
        return estimate_rows([self._problem], self._layout, sums)[0]

    def slopes(self, weights: Floats) -> Slopes:
        """The estimates, and their derivatives by the weights of patterns."""
        against, sums = self._sums(weights)
        estimate, slope, _ = slope_rows(self._problem, self._layout, sums)
        against *= 2 * slope[:, -2:-1]
        against += sums_of_rows(slope[:, :-2], self._by_pattern).T
        return Slopes(estimate, against)

    def _sums(self, weights: Floats) -> tuple[Floats, Sums]:
        """The disagreement of each pattern with all of a row, and the sums of the rows."""
        against = np.ascontiguousarray(sums_of_rows(weights, self._between).T)
        form = np.einsum("ij,ij->i", against, weights)
        dense = np.stack([*sums_of_rows(weights, self._rows), form, np.ones(len(form))])
        return against, Sums(dense, np.zeros((0, len(form))), self._fixed)


class PatternForms:
    """Several such coefficients; ``places`` are those of their tables."""

    compiles = False
    devices = 1

    def __init__(self, prepared: Prepared, places: Sequence[int]) -> None:
        self._forms = [PatternForm(prepared, problem) for problem in prepared.problems]
        self._places = places

    def __call__(self, block: Block) -> list[Floats]:
        """The estimates (row, ...) of each problem."""
        items = block.rows()
        several = zip(self._forms, self._places, strict=True)
        return [form.estimates(items[place]) for form, place in several]

    def slopes(self, items: tuple[Floats, ...]) -> list[Slopes]:
        """The estimates of each problem, and their derivatives by the weights of patterns."""
        several = zip(self._forms, self._places, strict=True)
        return [form.slopes(items[place]) for form, place in several]


def are_fewer(problem: Problem, rows: int) -> bool:
    """Whether patterns are no more than the labels of a form, for so many rows of weights."""
    if not problem.kernel.quadratic or rows < thresholds.FORM_ROWS:
        return False
    return bool(len(problem.table.count) <= problem.rows(slice(1)).shape[-1])
