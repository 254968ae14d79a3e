"""Effective sample sizes for coefficients whose replicates do not vary.

Such coefficients have no disagreement, or are shares of items that are 0. Their binomial limits are
computed from the effective number of units (items or clusters).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats
from iaa_jax.engine import Problem
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.raters import raters_of
from iaa_jax.kernels.sums import sums_over_items
from iaa_jax.measure.requests.floors import ROUNDING
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.spread import Unanimity


def unanimity(request: Request, agreement: Agreement, degrees: Floats | float) -> Unanimity | None:
    """Return what determines the lower limit of a figure without disagreement; otherwise None.

    The result is also None for numbers, and for figures that are not in the catalogue.
    """
    problem = request.problem
    if request.row is None or problem.measure.takes_values:
        return None
    if np.ndim(agreement.estimate) and not _are_shares(problem):
        return None  # figures along a curve, or by label without known shares of items
    least = np.minimum(agreement.observed, agreement.estimate)
    units = _units_where((agreement.code == 0) & (least >= 1 - ROUNDING), problem, degrees)
    if np.isnan(units).all():
        return None
    largest = 1.0 if problem.disagreement is None else float(problem.disagreement.max())
    return Unanimity(units, largest / (1 - np.asarray(agreement.expected)))


def zero_units(problem: Problem, agreement: Agreement, degrees: Floats | float) -> Floats:
    """Return the effective number of units of each share that is 0; NaN for other figures."""
    is_zero = (agreement.code == 0) & (np.abs(agreement.estimate) <= ROUNDING)
    return _units_where(is_zero & _are_shares(problem), problem, degrees)


def _are_shares(problem: Problem) -> bool:
    """Tell whether the figure is a ratio of sums to which each item adds a known share."""
    return problem.measure.item_share is not None


def _units_where(
    mask: NDArray[np.bool_] | bool, problem: Problem, degrees: Floats | float
) -> Floats:
    if not np.any(mask):
        return np.full(np.shape(mask), np.nan)
    units = np.minimum(effective_items(problem), np.asarray(degrees) + 1)
    return np.where(mask, units, np.nan)


def effective_items(problem: Problem) -> Floats | float:
    """Return the effective number of pairable items: ``(sum w)^2 / sum w^2`` (Kish).

    Here w is the share of an item in the figure, so there is one number per label if the figures
    are by label. An item of weight c enters both sums c times. If the shares are unknown, the
    result is the total weight.
    """
    count = np.where(pairable(problem), problem.table.count, 0.0)
    if problem.measure.item_share is None:
        return float(count.sum())
    raters = raters_of(np, problem.data, problem.weight, problem.annotator_of)
    statistics = problem.statistics_of(problem.data, raters)
    with np.errstate(divide="ignore", invalid="ignore"):  # a label may be unused
        stake = problem.measure.item_share(statistics, sums_over_items(statistics, count))
        return np.asarray(np.round((count @ stake) ** 2 / (count @ stake**2), 9))


def pairable(problem: Problem) -> NDArray[np.bool_]:
    """Return a mask of the patterns (items with the same ratings) with two or more ratings."""
    data = problem.data
    rated = ~np.isnan(data.reshape(*data.shape[:2], -1)).any(axis=-1)
    return np.asarray(rated.sum(axis=1) >= 2)
