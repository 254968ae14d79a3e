"""NumPy derivatives (slopes) of formulas that use label totals only in a quadratic form.

With r the totals and D the disagreement, the slope with respect to r is ``2 D r`` times the slope
with respect to the form ``r' D r``. A single slope thus replaces one per total.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax._types import Floats
from iaa_jax.engine.flat import Layout, Part, Sums
from iaa_jax.engine.on_numpy import estimate_rows, slope_rows
from iaa_jax.engine.problem import Problem
from iaa_jax.engine.products import sums_of_rows
from iaa_jax.kernels.agreement import Agreement, disagreement_with
from iaa_jax.kernels.kernel import Formula
from iaa_jax.kernels.namespace import Array
from iaa_jax.kernels.sums import NamedSums

_PAIR = np.array([[0.0, 0.5], [0.5, 0.0]])
"""The matrix of a quadratic form whose value at (x, 1) is x."""


@dataclass(frozen=True)
class _FormulaOfForm:
    """A formula that gets the value of the form, and 1, in place of the totals."""

    formula: Formula

    def __call__(
        self, sums: NamedSums, annotator_weight: Array, _disagreement: object, **options: Any
    ) -> Agreement:
        return self.formula(sums, annotator_weight, _PAIR, **options)


class Form:
    """A coefficient as a function of its quadratic form and its other sums."""

    def __init__(self, problem: Problem, layout: Layout) -> None:
        kernel = problem.kernel
        names: tuple[str, ...] = layout.kind._fields  # type: ignore[attr-defined]
        totals = layout.parts[names.index(kernel.quadratic)]
        self.totals = slice(totals.start, totals.stop)
        kernel = replace(kernel, formula=_FormulaOfForm(kernel.formula))
        self._problem = replace(problem, measure=replace(problem.measure, kernel=kernel))
        columns = max(part.stop for part in layout.parts if part.where == "dense")
        labels = totals.stop - totals.start

        def place(part: Part) -> Part:
            if part is totals:
                return Part("dense", columns - labels, (2,))
            behind = part.where == "dense" and part.start > totals.start
            return part._replace(start=part.start - labels) if behind else part

        self._layout = layout._replace(parts=tuple(map(place, layout.parts)))

    def estimates(self, others: Sums, form: Floats) -> Floats:
        """Return the estimates (row, ...) at the other sums (column, row) and the form (row,)."""
        return estimate_rows([self._problem], self._layout, _with(others, form))[0]

    def slopes(self, others: Sums, form: Floats) -> tuple[Floats, Floats, Floats]:
        """Return estimates, and slopes for the other sums (row, ..., column) and for the form."""
        estimate, slope, _ = slope_rows(self._problem, self._layout, _with(others, form))
        return estimate, slope[..., :-2], slope[..., -2:-1]


def _with(others: Sums, form: Floats) -> Sums:
    return others._replace(dense=np.stack([*others.dense, form, np.ones(len(form))]))


def has_form(problem: Problem) -> bool:
    """Tell whether one slope for the form takes less time than slopes for all labels."""
    if not problem.kernel.quadratic:
        return False
    return bool(problem.rows(slice(1)).shape[-1] > thresholds.FEW_LABELS)


def directions(problem: Problem, sums: int) -> int:
    """Return the number of directions in which the slopes for this many sums are computed."""
    return sums - problem.rows(slice(1)).shape[-1] + 2 if has_form(problem) else sums


def slopes_of_sums(problem: Problem, layout: Layout, sums: Sums) -> tuple[Floats, Floats, Floats]:
    """Return estimates, and slopes by dense and by indexed sum, in few directions if possible."""
    if not has_form(problem):
        return slope_rows(problem, layout, sums)
    form = Form(problem, layout)
    totals = sums.dense[form.totals].T
    matrix = problem.disagreement
    against = disagreement_with(totals, None) if matrix is None else sums_of_rows(totals, matrix).T
    others = sums._replace(dense=np.delete(sums.dense, form.totals, axis=0))
    value = np.einsum("ij,ij->i", against, totals)
    estimate, by_others, by_form = form.slopes(others, value)
    slope = np.empty((len(value), len(sums.dense)))
    slope[:, form.totals] = 2 * by_form * against
    slope[:, : form.totals.start] = by_others[:, : form.totals.start]
    slope[:, form.totals.stop :] = by_others[:, form.totals.start :]
    return estimate, slope, np.zeros((len(value), 0))
