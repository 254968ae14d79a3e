"""How a figure of items is distributed over them: counts in few bins."""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Columns, Floats, Variables
from iaa_jax.wording.figures import Figure

MOST_VALUES = 11
"""Different values up to which each is a bin of its own."""

_BINS = 10
_MIDDLE = 0.5
_ROUNDING = 9

BINS = (
    Figure("bin_low", "the least value of a bin"),
    Figure("bin_high", "where it ends; equal to ``bin_low`` for a value of its own"),
    Figure("bin_items", "items in it", "count"),
)
"""Along bins of a figure of items, from the lowest up."""


def distribution(values: Floats, weight: Floats | None = None) -> Columns:
    """The items in each bin of a figure: a bin for each value of few, else ten equal ones.

    Parameters
    ----------
    values : array (item,)
        A figure; NaN where an item has none, which counts nowhere. Of figures from 0 to 1,
        some of them at .5 or below, the bins go from 0 to 1, of others from the lowest to the
        highest. The last bin holds its end.
    weight : array (item,), optional
        How often each item counts; once by default.

    Examples
    --------
    >>> distribution(np.array([1, 0.5, 1, np.nan]))["bin_items"]
    array([1., 2.])
    """
    known = np.isfinite(values)
    figures = np.round(np.asarray(values, np.float64)[known], _ROUNDING) + 0.0
    counts = np.ones(figures.shape) if weight is None else np.asarray(weight, np.float64)[known]
    distinct, places = np.unique(figures, return_inverse=True)
    if len(distinct) <= MOST_VALUES:
        low, high = distinct, distinct
    else:
        within = 0 <= distinct[0] <= _MIDDLE and distinct[-1] <= 1
        first, last = (0.0, 1.0) if within else (float(distinct[0]), float(distinct[-1]))
        edges = np.linspace(first, last, _BINS + 1)
        places = np.clip(np.searchsorted(edges, figures, "right") - 1, 0, _BINS - 1)
        low, high = edges[:-1], edges[1:]
    items = np.bincount(places.ravel(), weights=counts, minlength=len(low))
    return {"bin_low": low, "bin_high": high, "bin_items": items}


def along_bins(values: Floats, weight: Floats | None = None) -> Variables:
    """The same as variables of a result."""
    return {name: ("bin", column) for name, column in distribution(values, weight).items()}
