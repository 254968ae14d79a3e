"""The influence of each item on a coefficient."""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Values
from iaa_jax.engine import Prepared, estimates, influences
from iaa_jax.engine.precision import DType
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.intervals import centred_influence
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.requests.studies import patterns_of_items


def influence_by_item(
    resolver: Resolver, request: Request, dtype: DType = "float64"
) -> tuple[Values, Values, Agreement]:
    """Return each item's influence and effect (item, ...), and the coefficient of all items.

    The effect is the approximate change of the coefficient if the item is left out.
    """
    problem = request.problem
    prepared = Prepared([problem])
    (whole,) = estimates(prepared)
    estimate = np.asarray(whole.estimate, dtype=np.float64)
    count = problem.table.count
    gradient = np.asarray(influences(prepared, dtype)[0], dtype=np.float64)
    gradient = np.where(count > 0, gradient, 0.0)
    gradient = np.where(np.isnan(estimate)[..., None], np.nan, gradient)
    centred = np.where(count > 0, centred_influence(gradient, count), 0.0)
    centred = np.where(np.isnan(estimate)[..., None], np.nan, centred)
    pattern_of = patterns_of_items(resolver.tables, problem.measure)
    by_item = np.moveaxis(centred, -1, 0)[pattern_of]
    weight = resolver.tables.item_weight.reshape(-1, *(1,) * estimate.ndim)
    # adding 0 turns -0 into 0
    return by_item, -weight * np.moveaxis(gradient, -1, 0)[pattern_of] + 0.0, whole
