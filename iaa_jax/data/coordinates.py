"""Find further coordinates of ratings, such as dates, and their value for each rating."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown, suggestion
from iaa_jax._types import Integers, Values
from iaa_jax.data.provenance import columns_of_items
from iaa_jax.data.storage import annotator_of, further_votes, rated, rating_dim
from iaa_jax.wording import keyword
from iaa_jax.wording.formats import whole_as_written


def item_coordinates(ratings: xr.Dataset) -> list[str]:
    """Return the names of the coordinates along items, except the coordinate ``item``."""
    return [
        str(name)
        for name, coordinate in ratings.coords.items()
        if coordinate.dims == ("item",) and name != "item"
    ]


def rating_coordinates(ratings: xr.Dataset) -> list[str]:
    """Return the names of the coordinates that have a value for each rating."""
    dims = ("item", rating_dim(ratings))
    return [
        str(name)
        for name, coordinate in ratings.coords.items()
        if coordinate.dims == dims and name != "annotator_of"
    ]


def values_by_rating(ratings: xr.Dataset, name: str) -> tuple[Values, NDArray[np.intp]]:
    """Return the value of a coordinate for each rating, and the index of each rating's item.

    Examples
    --------
    >>> from iaa_jax import from_wide
    >>> ratings = from_wide([["a", "b"], [None, "a"]]).assign_coords(team=("annotator", ["x", "y"]))
    >>> [values.tolist() for values in values_by_rating(ratings, "team")]
    [['x', 'y', 'y'], [0, 0, 1]]
    """
    items, columns = np.nonzero(rated(ratings))
    coordinate = ratings.coords[name]
    if coordinate.dims == ("item",):
        return coordinate.values[items], items
    if coordinate.dims == ("annotator",):
        slots = annotator_of(ratings)
        return coordinate.values[columns if slots is None else slots[items, columns]], items
    return coordinate.values[items, columns], items


def shown_together(ratings: object) -> str | None:
    """Return the name of the coordinate whose groups of items were shown to annotators together.

    The attribute ``shown_together`` names the coordinate. None without this attribute, or if all
    items are in one group, or some items have no group.
    """
    if not isinstance(ratings, xr.Dataset):
        return None
    name = ratings.attrs.get("shown_together")
    if name not in ratings.coords or ratings.coords[name].dims != ("item",):
        return None
    known = {str(value) for value in ratings.coords[name].values.tolist()}
    return str(name) if len(known) > 1 and "" not in known else None


def what_there_is(others: Sequence[str], wanted: str) -> str:
    """Return a list of the available coordinates, and advice on how to add one, for a message."""
    known = f"the coordinates are {shown(others, 12)}{suggestion(wanted, others)}"
    return (
        f"{known if others else 'there is none'}; iaa.read and iaa.from_long keep a column by "
        f"{keyword('keep', wanted)}, and ratings.assign_coords adds one"
    )


def refuse_of_ratings(
    ratings: xr.Dataset,
    name: str,
    wanted: str,
    otherwise: Callable[[Values, str], str] = lambda _values, _name: "",
) -> None:
    """Refuse a coordinate of ratings where one along items or annotators is needed.

    ``otherwise`` makes advice for the message from the values and the name of the coordinate.
    """
    if name not in rating_coordinates(ratings):
        return
    values, items = values_by_rating(ratings, name)
    filled = np.array([value == value and value != "" for value in values.tolist()], dtype=bool)
    values, items = values[filled], items[filled]
    _, first, number = np.unique(items, return_index=True, return_inverse=True)
    different = np.flatnonzero(values != values[first][number])
    example = ""
    if different.size:
        row = different[:1]
        item, a, b = ratings["item"].values[items[row]], values[first[number[row]]], values[row]
        (before,), (after,) = a.tolist(), b.tolist()
        example = f": item {item.tolist()[0]!r} has {_shown(before)} and {_shown(after)}"
    more = otherwise(ratings[name].values, name)
    if not more and pd.DataFrame({"item": items, "value": values}).duplicated().any():
        columns = [*columns_of_items(ratings), name]
        joint = ",".join(columns if columns[1:] else ["NAME", name])
        more = f"; make it part of the item by {keyword('item', joint)}"
    raise IaaError(f"{name!r} describes ratings, not {wanted}{example}{more}")


def _shown(value: object) -> str:
    return whole_as_written(value) if isinstance(value, float) else repr(value)


def lay_out(
    ratings: xr.Dataset, items: Integers, annotators: Integers, values: Values
) -> tuple[tuple[str, str], Values]:
    """Return a coordinate of ratings, as dimensions and values, from the value of each rating.

    Several votes of an annotator on an item stay in order. Cells without a rating have NaN, NaT or
    an empty text.
    """
    dims = ("item", rating_dim(ratings))
    shape = tuple(ratings.sizes[dim] for dim in dims)
    cells = _cells(ratings, items, annotators)
    if len(cells) < shape[0] * shape[1] and values.dtype.kind in "iub":
        values = values.astype(np.float64)
    empty = {"f": np.nan, "m": "NaT", "M": "NaT", "O": "", "U": ""}.get(values.dtype.kind, 0)
    grid = np.full(shape, empty, dtype=values.dtype)
    grid.flat[cells] = values
    return dims, grid


def carry_along(change: Callable[[xr.Dataset], xr.Dataset]) -> Callable[[xr.Dataset], xr.Dataset]:
    """Let a function that moves ratings to other cells also move the coordinates of ratings."""

    @wraps(change)
    def changed(ratings: xr.Dataset) -> xr.Dataset:
        names = rating_coordinates(ratings)
        if not names:
            return change(ratings)
        items, columns = np.nonzero(rated(ratings))
        slots = annotator_of(ratings)
        annotators = columns if slots is None else slots[items, columns]
        carried = change(ratings.drop_vars(names))
        return carried.assign_coords(
            {
                name: lay_out(carried, items, annotators, ratings[name].values[items, columns])
                for name in names
            }
        )

    return changed


def _cells(ratings: xr.Dataset, items: Integers, annotators: Integers) -> Integers:
    width = ratings.sizes["annotator"]
    keys = items.astype(np.int64) * width + annotators
    slots = annotator_of(ratings)
    if slots is None:
        return keys
    filled = np.flatnonzero(slots >= 0)
    # the keys ascend, because annotators ascend within an item
    known = filled // slots.shape[1] * width + slots.ravel()[filled]
    first = np.searchsorted(known, keys)
    if further_votes(ratings) is None:
        return filled[first]
    turn: Integers = pd.Series(keys).groupby(keys).cumcount().to_numpy()
    return np.asarray(filled[first + turn])
