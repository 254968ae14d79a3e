"""The distribution of values of items, such as their agreement, in a few bins."""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Columns, Floats, Variables
from iaa_jax.wording.figures import Figure

MOST_VALUES = 11
"""Maximum number of distinct values for which each value has a bin of its own."""

_BINS = 10
_NEAR = 1e-9
_MIDDLE = 0.5
_ROUNDING = 9

BINS = (
    Figure("bin_low", "lower end of a bin"),
    Figure("bin_high", "upper end of the bin; equal to ``bin_low`` for a bin of a single value"),
    Figure("bin_items", "items in the bin", "count"),
)


def distribution(
    values: Floats, weight: Floats | None = None, *, of_shares: bool = True
) -> Columns:
    """Count the items by value: in a bin for each value, or in ten equal bins for many values.

    Parameters
    ----------
    values : array (item,)
        The value of each item; items with NaN are ignored. If the values are shares, and some are
        .5 or less, the ten bins cover 0 to 1, and 1 has a further bin if it occurs. Otherwise the
        ten bins go from the lowest to the highest value, which is in the last bin.
    of_shares : bool
        Whether the values are shares, with a maximum of 1.

    Examples
    --------
    >>> distribution(np.array([1, 0.5, 1, np.nan]))["bin_items"]
    array([1., 2.])
    """
    known = np.isfinite(values)
    figures = np.asarray(values, np.float64)[known]
    counts = np.ones(figures.shape) if weight is None else np.asarray(weight, np.float64)[known]
    size = max(np.abs(figures).max(initial=0.0), np.finfo(float).tiny)
    distinct, places = np.unique(np.round(figures / size, _ROUNDING), return_inverse=True)
    low = high = distinct * size
    if len(distinct) > MOST_VALUES:
        ends = (low[0], low[-1])
        whole = of_shares and 0 <= ends[0] <= _MIDDLE and ends[1] <= 1
        edges = np.linspace(0.0, 1.0, _BINS + 1) if whole else np.linspace(*ends, _BINS + 1)
        # a value at an edge must not fall below it through rounding
        nearly = low[places] + _NEAR * (edges[-1] - edges[0])
        places = np.clip(np.searchsorted(edges, nearly, "right") - 1, 0, _BINS - 1)
        low, high = edges[:-1], edges[1:]
        if whole and ends[1] == 1:
            places = np.where(figures >= 1 - _NEAR, _BINS, places)
            low, high = np.append(low, 1.0), np.append(high, 1.0)
    items = np.bincount(places.ravel(), weights=counts, minlength=len(low))
    return {"bin_low": low, "bin_high": high, "bin_items": items}


def along_bins(
    values: Floats, weight: Floats | None = None, *, of_shares: bool = True
) -> Variables:
    """Return the distribution as variables of a result."""
    columns = distribution(values, weight, of_shares=of_shares)
    return {name: ("bin", column) for name, column in columns.items()}
