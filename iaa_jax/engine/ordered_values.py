"""Nominal and ordinal alpha of numbers, for many rows of weights; ratings are sorted only once.

Results equal those of the compiled `KERNELS` to 1e-12.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from iaa_jax.engine.problem import Floats, Integers, Problem
from iaa_jax.kernels.alpha_values import (
    WeightedValues,
    corrected_totals,
    differing_values,
    krippendorff_alpha_nominal_values,
    krippendorff_alpha_ordinal_values,
    weighted_values,
)
from iaa_jax.kernels.moments import subtract

KERNELS = (krippendorff_alpha_nominal_values, krippendorff_alpha_ordinal_values)
"""The kernels that are computed here."""


class _Row(NamedTuple):
    """Sums over all items under one row of weights."""

    within: float
    all_pairs: float
    total: float
    self_pairs: float


class OrderedValues:
    """The ratings of a problem, sorted by value."""

    def __init__(self, problem: Problem) -> None:
        data = np.asarray(problem.data, dtype=float)
        self._counted: WeightedValues = weighted_values(data, problem.raters)
        item, column = np.nonzero(self._counted.rated)
        value = data[item, column]
        order = np.argsort(value, kind="stable")
        ordered = value[order]
        self._item: Integers = item[order]
        weight = self._counted.weight[item, column][order]
        self._weight: Floats | None = None if (weight == 1).all() else weight
        first = np.ones(len(ordered), dtype=bool)
        first[1:] = ordered[1:] != ordered[:-1]
        self._begins: Integers | None = None if first.all() else np.flatnonzero(first)
        self._ranked = problem.measure.kernel is krippendorff_alpha_ordinal_values
        if self._ranked:
            # a missing rating has the rank of its item's first rating, and no weight
            place = np.zeros(data.shape, dtype=np.intp)
            place[item[order], column[order]] = np.cumsum(first) - 1
            first_column = np.argmax(self._counted.rated, axis=1)
            first_rank = np.take_along_axis(place, first_column[:, None], axis=1)
            self._place = np.ascontiguousarray(np.where(self._counted.rated, place, first_rank).T)
            self._beside = first_rank[:, 0]
            self._by_column = np.ascontiguousarray(self._counted.weight.T)
        else:
            self._within = self._counted.per_pair * differing_values(np, data, self._counted)

    def estimates(self, rows: Floats) -> Floats:
        """Return the estimates (row,) at weights (row, item)."""
        sums = _Row(*np.array([self._sums(row) for row in rows]).reshape(-1, 4).T)
        estimates: Floats = corrected_totals(np, *sums).estimate
        return estimates

    def _sums(self, row: Floats) -> _Row:
        weight = row.take(self._item)
        if self._weight is not None:
            weight *= self._weight
        if self._begins is not None:
            weight = np.add.reduceat(weight, self._begins)
        total = float(weight.sum())
        if self._ranked:
            rank = np.cumsum(weight)
            rank -= weight / 2
            rank -= total / 2
            counted = weight * rank
            rank_sum, squares = counted.sum(), (counted * rank).sum()
            all_pairs = 2 * float(subtract(np, total * squares, rank_sum * rank_sum))
            within = self._counted.per_pair * self._squared_differences(rank)
        else:
            all_pairs, within = float((weight * (total - weight)).sum()), self._within
        return _Row(
            float((row * within).sum()),
            all_pairs,
            total,
            float((row * self._counted.self_pairs).sum()),
        )

    def _squared_differences(self, rank: Floats) -> Floats:
        """Return the sum of squared rank differences over each item's pairs of ratings.

        It is exactly 0 for equal ranks.
        """
        if not len(rank):
            return np.zeros(len(self._beside))
        first_rank = rank.take(self._beside)
        total, squares = np.zeros((2, len(first_rank)))
        for place, weight in zip(self._place, self._by_column, strict=True):
            difference = rank.take(place)
            difference -= first_rank
            counted = weight * difference
            total += counted
            squares += counted * difference
        return np.asarray(2 * (self._counted.ratings * squares - total * total))
