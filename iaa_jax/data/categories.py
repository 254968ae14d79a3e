"""Take labels and their order from categorical columns of pandas."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import xarray as xr

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.label_values import label_value
from iaa_jax.data.provenance import with_caution
from iaa_jax.data.storage import array_of
from iaa_jax.wording import Note, named


def ordered_categories(kinds: Sequence[object]) -> list[object] | None:
    """Return the labels that ordered categoricals declare, in order; None if there are none.

    Categories that do not fit into one order are refused.

    Examples
    --------
    >>> scale = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    >>> ordered_categories([scale, pd.CategoricalDtype(["mid", "high"], ordered=True)])
    ['low', 'mid', 'high']
    """
    orders = [kind.categories.tolist() for kind in _categoricals(kinds) if kind.ordered]
    if not orders:
        return None
    longest = max(orders, key=len)
    for order in orders:
        known = set(order)
        if [label for label in longest if label in known] != order:
            raise IaaError(
                f"the categories of two columns have different orders: {shown(longest)} and "
                f"{shown(order)}; declare {named('labels')} in their order"
            )
    return longest


def with_unused(
    ratings: xr.Dataset, kinds: Sequence[object], declared: Sequence[object] | None
) -> xr.Dataset:
    """Return ratings with a caution about unused categories, which do not count as labels."""
    if declared is not None:
        return ratings
    categories = (value for kind in _categoricals(kinds) for value in kind.categories.tolist())
    texts = dict.fromkeys(str(label_value(value)) for value in categories)
    if not texts:
        return ratings
    labels = {str(label) for label in array_of(ratings, "label").tolist()}
    unused = [text for text in texts if text not in labels]
    if not unused:
        return ratings
    note = Note("unused_categories", {"labels": unused, "count": len(unused)}, "caution")
    return with_caution(ratings, note)


def _categoricals(kinds: Sequence[object]) -> list[pd.CategoricalDtype]:
    return [kind for kind in kinds if isinstance(kind, pd.CategoricalDtype)]
