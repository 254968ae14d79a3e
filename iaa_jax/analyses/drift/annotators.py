"""Figures without each annotator in turn: what other annotators would change.

Annotators are few and stay, and their items change: without one of them all figures change at once.
So the errors of differences come from leaving an annotator out of all times together. What one who
worked all the time does alike everywhere cancels, and what those do who worked only before or only
after does not.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats
from iaa_jax.analyses.drift.windows import Local, WindowWeights
from iaa_jax.engine.units import present_annotators
from iaa_jax.wording import keyword

LEAST, MOST = 3, 500
"""Annotators of whom one can be left out: two must remain, and each is a study of its own."""


class WithoutEach(NamedTuple):
    """What leaving annotators out tells of several figures."""

    covariance: Floats  # (row, row); NaN where a figure is undefined without one of them
    sampled: Floats  # (row,) what of its diagonal the drawing of items alone makes
    degrees: float

    @property
    def of_annotators(self) -> Floats:
        """The covariance without what items alone make, which have an error of their own.

        Where it is less than nothing there, it is nothing.
        """
        known = np.isfinite(np.diag(self.covariance))
        covariance = np.where(known & known[:, None], self.covariance, 0.0)
        covariance = covariance - np.diag(np.where(known, self.sampled, 0.0))
        value, vector = np.linalg.eigh(covariance)
        return np.asarray((vector * np.maximum(value, 0.0)) @ vector.T)


def without_each_annotator(local: Local, rows: WindowWeights) -> WithoutEach:
    """The jackknife over annotators for figures at weight rows.

    ``(A - 1) / A sum_a (f_a - fbar) (f_a - fbar)'`` with f_a the figures without annotator a. The
    derivatives of f_a - fbar by the items' weights say how much of it the items make.
    """
    problem, size = local.problem, local.problem.annotator_count
    present = np.flatnonzero(present_annotators([problem], size))
    advice = f"leave {keyword('annotators', 'random')} out"
    if len(present) < LEAST:
        message = (
            f"{len(present):,} annotators are too few to take them as random, for without one of "
            f"them two must be left: {advice}"
        )
        raise IaaError(message)
    if len(present) > MOST:
        message = (
            f"{len(present):,} annotators are too many to leave each of them out: {advice} (so "
            f"many are near enough to all there could be), or keep {MOST} of them"
        )
        raise IaaError(message)
    estimates = []
    total, squares = np.zeros(rows.weight.shape), np.zeros(len(rows.weight))
    for annotator in present:
        weight = np.array(problem.weight[:size])
        weight[annotator] = 0.0
        without = Local(replace(problem, annotator_weight=weight))
        figures = without.at(rows, keep=True)
        derivative = np.nan_to_num(figures.centred)
        estimates.append(figures.missing)
        total = total + derivative
        squares = squares + (rows.square * derivative**2).sum(axis=1)
    number = len(present)
    factor = (number - 1) / number
    away = np.stack(estimates) - np.mean(estimates, axis=0)
    sampled = squares - (rows.square * total**2).sum(axis=1) / number
    return WithoutEach(factor * away.T @ away, factor * sampled, number - 1.0)
