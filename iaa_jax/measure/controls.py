"""Control items: those whose true label is known beforehand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Integers
from iaa_jax.wording import keyword

Control = Mapping[Any, Any] | str | None
"""The true label of each control item, or the coordinate that has it."""


def control_codes(ratings: xr.Dataset, control: Control) -> Integers | None:
    """The code of the true label of each item (item,), -1 of items that are no control items.

    Labels of a coordinate that are empty or missing are not known. Unknown items and labels are
    refused with their names.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "b"], ["b", "b"]])
    >>> control_codes(ratings, {1: "b"})
    array([-1,  1])
    """
    if control is None:
        return None
    labels = ratings["label"].values.tolist()
    places = {str(label): code for code, label in enumerate(labels)}
    of_items = (
        _of_coordinate(ratings, control)
        if isinstance(control, str)
        else _by_place(ratings, control)
    )
    unknown = [label for label in of_items.values() if _named(label) not in places]
    if unknown:
        message = (
            f"control items have labels that the ratings do not know: "
            f"{shown(dict.fromkeys(unknown))}; the labels are {shown(labels)}, and "
            f"{keyword('labels')} declares others"
        )
        raise IaaError(message)
    codes = np.full(ratings.sizes["item"], -1)
    for place, label in of_items.items():
        codes[place] = places[_named(label)]
    if not of_items:
        message = f"no item has a known label by {keyword('control')}: leave it out, or name some"
        raise IaaError(message)
    return codes


def _by_place(ratings: xr.Dataset, control: Mapping[Any, Any]) -> dict[int, Any]:
    """The known label by the place of its item."""
    if not isinstance(control, Mapping):
        message = (
            f"{keyword('control')} must be labels by item, as {{'item 1': 'yes'}}, or the name of "
            f"a coordinate along items, not {control!r}"
        )
        raise IaaError(message)
    places = {item: place for place, item in enumerate(ratings["item"].values.tolist())}
    unknown = [item for item in control if item not in places]
    if unknown:
        message = f"control items that the ratings do not have: {shown(unknown)}"
        raise IaaError(message)
    return {places[item]: label for item, label in control.items()}


def _of_coordinate(ratings: xr.Dataset, name: str) -> dict[int, Any]:
    """The known label by place, from a coordinate along items."""
    if name not in ratings.coords or ratings.coords[name].dims != ("item",):
        along = [str(each) for each, found in ratings.coords.items() if found.dims == ("item",)]
        message = (
            f"{keyword('control', name)} names no column along items; there are {shown(along)}"
        )
        raise IaaError(message)
    values = ratings.coords[name].values.tolist()
    return {place: value for place, value in enumerate(values) if not is_missing(value)}


def is_missing(value: Any) -> bool:
    """Whether an item has no known label here."""
    return value is None or value != value or value == ""


def _named(label: Any) -> str:
    """A label as text: numbers of a column with gaps have become 1.0."""
    whole = isinstance(label, float) and label.is_integer()
    return str(int(label)) if whole else str(label)
