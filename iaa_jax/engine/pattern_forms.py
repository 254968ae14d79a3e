"""Quadratic forms in many labels, computed as quadratic forms in few patterns.

A pattern is a set of items with the same ratings. The label totals are ``r = R' w``, with R the
label statistics of the patterns and w their weights, so ``r' D r`` is ``w' (R D R') w``. A row of
weights then needs no totals and no product with the disagreement D.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax._types import Floats
from iaa_jax.engine.evaluators import Block
from iaa_jax.engine.flat import Sums
from iaa_jax.engine.prepared import Prepared
from iaa_jax.engine.problem import Problem
from iaa_jax.engine.products import sums_of_rows
from iaa_jax.engine.quadratic import Form
from iaa_jax.engine.table_sums import Slopes
from iaa_jax.kernels.agreement import disagreement_with


class PatternForm:
    """A coefficient with a quadratic form, prepared for many rows of weights (row, pattern)."""

    def __init__(self, prepared: Prepared, problem: Problem) -> None:
        flat = prepared.statistics(problem)
        self._form = Form(problem, flat.layout)
        of_labels = flat.dense[:, self._form.totals]
        self._between = disagreement_with(of_labels, problem.disagreement) @ of_labels.T
        self._rows = np.delete(flat.dense, self._form.totals, axis=1)
        self._by_pattern = np.ascontiguousarray(self._rows.T)
        self._fixed = flat.fixed

    def estimates(self, weights: Floats) -> Floats:
        """Return the estimates (row, ...)."""
        return self._form.estimates(self._others(weights), _form(weights, self._against(weights)))

    def slopes(self, weights: Floats) -> Slopes:
        """Return the estimates, and their derivatives with respect to the patterns' weights."""
        against = self._against(weights)
        estimate, by_others, by_form = self._form.slopes(
            self._others(weights), _form(weights, against)
        )
        against *= 2 * by_form
        against += sums_of_rows(by_others, self._by_pattern).T
        return Slopes(estimate, against)

    def _against(self, weights: Floats) -> Floats:
        return np.ascontiguousarray(sums_of_rows(weights, self._between).T)

    def _others(self, weights: Floats) -> Sums:
        return Sums(sums_of_rows(weights, self._rows), np.zeros((0, len(weights))), self._fixed)


def _form(weights: Floats, against: Floats) -> Floats:
    return np.asarray(np.einsum("ij,ij->i", against, weights))


class PatternForms:
    """Several coefficients with quadratic forms; ``places`` are the indices of their tables."""

    compiles = False
    devices = 1

    def __init__(self, prepared: Prepared, places: Sequence[int]) -> None:
        self._forms = [PatternForm(prepared, problem) for problem in prepared.problems]
        self._places = places

    def __call__(self, block: Block) -> list[Floats]:
        """Return the estimates (row, ...) of each coefficient."""
        items = block.rows()
        several = zip(self._forms, self._places, strict=True)
        return [form.estimates(items[place]) for form, place in several]

    def slopes(self, items: tuple[Floats, ...]) -> list[Slopes]:
        """Return each coefficient's estimates and derivatives."""
        several = zip(self._forms, self._places, strict=True)
        return [form.slopes(items[place]) for form, place in several]


def are_fewer(problem: Problem, rows: int) -> bool:
    """Tell whether a form in patterns is faster: no more patterns than labels, and many rows."""
    if not problem.kernel.quadratic or rows < thresholds.FORM_ROWS:
        return False
    return bool(len(problem.table.count) <= problem.rows(slice(1)).shape[-1])
