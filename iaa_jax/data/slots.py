"""Store the ratings of a crowd by slot, since a table of items x annotators would be nearly empty.

If hundreds of annotators give a few ratings per item, the storage has the dimensions item and slot
instead of item and annotator: slot k has the k-th rating of an item, and ``annotator_of`` (item,
slot) is the position of its annotator along the coordinate ``annotator``, or -1 in an empty slot.

Within an item, annotators ascend, and empty slots come last. `validate` requires this order,
because repeated annotators are then in neighbouring slots, and equal items are equal rows.

If annotators have several votes on an item, each vote has a slot, in the given order, and
``attrs["repeated"]`` is 1 (`iaa_jax.data.votes`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax._types import Integers, Values
from iaa_jax.data.as_ratings import span_ratings
from iaa_jax.data.checks import check
from iaa_jax.data.coded_sets import CodedSets, coded_sets
from iaa_jax.data.coordinates import carry_along
from iaa_jax.data.rating_cells import RatingCells, filled_cells, wants_slots
from iaa_jax.data.storage import (
    OF_SLOTS,
    REPEATED,
    TASKS,
    annotator_of,
    array_of,
    further_votes,
    in_order,
    panel_sizes,
    rated,
    rating_dim,
    slot_attrs,
    task_of,
    with_coding,
)
from iaa_jax.data.votes import refuse_votes

if TYPE_CHECKING:
    from iaa_jax.data.patterns import Codes

GRID_BYTES = 1 << 31  # maximum number of bytes of a table that `in_grid` makes


def in_slots(ratings: xr.Dataset) -> xr.Dataset:
    """Return ratings stored by slot: slot k has the k-th rating of each item.

    Parameters
    ----------
    ratings
        A ratings Dataset. Anonymous ratings are unchanged, since their annotators are mere slots.

    Returns
    -------
    xarray.Dataset
        The same ratings with the dimension slot, and with `annotator_of` (item, slot), the position
        of each rating's annotator along the coordinate `annotator` (-1: empty slot). Ratings by
        slot are returned with their slots in order.

    Raises
    ------
    IaaError
        If `ratings` is not a valid ratings Dataset.

    Examples
    --------
    >>> from iaa_jax import from_wide
    >>> from iaa_jax.data.slots import in_slots
    >>> ratings = in_slots(from_wide([["a", None, "b"], [None, "b", None]]))
    >>> ratings["primary"].values.tolist(), ratings["annotator_of"].values.tolist()
    ([[0, 1], [1, -1]], [[0, 2], [1, -1]])
    """
    ratings = span_ratings(ratings)
    check(ratings, any_order=True)
    annotators = annotator_of(ratings)
    if annotators is not None:
        return ratings if in_order(annotators) else sort_slots(ratings)
    return ratings if ratings.attrs.get("anonymous", 0) else to_slots(ratings)


def in_grid(ratings: xr.Dataset) -> xr.Dataset:
    """Return ratings stored as a table of items x annotators, with a gap for each missing rating.

    Parameters
    ----------
    ratings
        A ratings Dataset.

    Returns
    -------
    xarray.Dataset
        The same ratings with the dimension annotator. A Dataset in this form is returned unchanged.

    Raises
    ------
    IaaError
        If `ratings` is not a valid ratings Dataset, an annotator has several votes on an item, or
        the table would be larger than 2 GiB.

    Examples
    --------
    >>> from iaa_jax import from_wide
    >>> from iaa_jax.data.slots import in_grid, in_slots
    >>> ratings = from_wide([["a", None, "b"], [None, "b", None]])
    >>> in_grid(in_slots(ratings)).identical(ratings)
    True
    """
    ratings = span_ratings(ratings)
    check(ratings)
    if annotator_of(ratings) is None:
        return ratings
    refuse_votes(ratings, "a table has one cell for each item and annotator")
    size = 0
    for name in TASKS[task_of(ratings)]:
        variable, coded = ratings.variables[name], coded_sets(ratings)
        of_cell = math.prod(variable.shape[2:]) * variable.dtype.itemsize
        size += _grid_cells(ratings) * (of_cell if coded is None else coded.codes.itemsize)
    if size > GRID_BYTES:
        raise IaaError(
            f"a table of {ratings.sizes['item']:,} items x {ratings.sizes['annotator']:,} "
            f"annotators would take {size / 2**30:,.1f} GiB: use the ratings by slot, or keep "
            "fewer items with ratings.isel(item=...) or fewer annotators with keep_annotators"
        )
    return to_grid(ratings)


@carry_along
def to_slots(ratings: xr.Dataset) -> xr.Dataset:
    """Return ratings stored by annotator as ratings stored by slot."""
    flat, storage = filled_cells(rated(ratings))
    laid = {}
    for name in (*TASKS[task_of(ratings)], *_rating_values(ratings)):
        laid[name] = _moved(
            ratings, name, lambda v: storage.filled(v.reshape(-1, *v.shape[2:])[flat])
        )
    return _with_slots(ratings, laid, storage.annotator_of)


@carry_along
def to_grid(ratings: xr.Dataset) -> xr.Dataset:
    """Return ratings by slot as a table of items x annotators, however large it is."""
    annotators = array_of(ratings, "annotator_of")
    items, slots = np.nonzero(annotators >= 0)
    width = ratings.sizes["annotator"]
    storage = RatingCells(items * width + annotators[items, slots], (len(annotators), width))
    laid = {}
    of_ratings = _rating_values(ratings)
    for name in (*TASKS[task_of(ratings)], *of_ratings):
        variable = ratings.variables[name]
        dims = ("item", "annotator", "label")[: variable.ndim]
        values = _moved(ratings, name, lambda v: storage.filled(v[items, slots]))
        laid[name] = (dims, values, variable.attrs)
    grid = ratings.drop_vars([*laid, "annotator_of"]).assign(laid).set_coords(of_ratings)
    for attribute in OF_SLOTS:
        grid.attrs.pop(attribute, None)
    return with_coding(grid)


@carry_along
def sort_slots(ratings: xr.Dataset) -> xr.Dataset:
    """Return ratings with sorted slots, as many as the maximum number of ratings of an item.

    Slots without a rating become empty.
    """
    known = rated(ratings)
    annotators = np.where(known, array_of(ratings, "annotator_of"), -1).astype(np.int32)
    width = int(panel_sizes(known).max(initial=1))
    # as unsigned numbers, the -1 of empty slots sorts last
    order = np.argsort(annotators.view(np.uint32), axis=1, kind="stable")[:, :width]
    return _in_this_order(ratings, annotators, order)


def by_code(ratings: xr.Dataset, coded: Callable[[xr.Dataset], Codes]) -> xr.Dataset:
    """Return ratings in which the votes of an annotator on an item are sorted by code.

    Equal items are then equal rows. Coordinates of single ratings are dropped. Ratings without
    repeated votes are unchanged.
    """
    if further_votes(ratings) is None:
        return ratings
    annotators = array_of(ratings, "annotator_of").astype(np.int32)
    order = np.lexsort((coded(ratings).codes, annotators.view(np.uint32)), axis=1)
    return _in_this_order(ratings.drop_vars(_rating_values(ratings)), annotators, order)


def _in_this_order(ratings: xr.Dataset, annotators: Integers, order: Integers) -> xr.Dataset:
    laid = {}
    for name in (*TASKS[task_of(ratings)], *_rating_values(ratings)):
        laid[name] = _moved(
            ratings,
            name,
            lambda v: np.take_along_axis(v, order[..., None] if v.ndim == 3 else order, axis=1),
        )
    return _with_slots(ratings, laid, np.take_along_axis(annotators, order, axis=1))


def to_usual_form(ratings: xr.Dataset) -> xr.Dataset:
    """Return ratings by annotator or by slot, as suits their size.

    Anonymous ratings, and ratings with several votes of an annotator on an item, are unchanged.
    """
    if ratings.attrs.get("anonymous", 0) or further_votes(ratings) is not None:
        return ratings
    dense = annotator_of(ratings) is None
    annotators = ratings.sizes["annotator"]
    if dense and not wants_slots(annotators, 0):
        return ratings
    largest = int(panel_sizes(rated(ratings)).max(initial=0))
    if wants_slots(annotators, largest):
        return to_slots(ratings) if dense else ratings
    return ratings if dense else to_grid(ratings)


def _with_slots(
    ratings: xr.Dataset, laid: Mapping[str, Values | CodedSets], annotators: Integers
) -> xr.Dataset:
    variables: dict[str, object] = {"annotator_of": (("item", "slot"), annotators)}
    for name, values in laid.items():
        dims = ("item", "slot", "label")[: values.ndim]
        variables[name] = (dims, values, ratings.variables[name].attrs)
    bare = ratings.drop_vars(variables, errors="ignore")
    slotted = bare.assign(variables).set_coords(_rating_values(ratings))
    slotted.attrs.pop(REPEATED, None)
    attrs = slot_attrs(array_of(ratings, "annotator"), annotators)
    return with_coding(slotted.assign_attrs(attrs))


def _moved(
    ratings: xr.Dataset, name: str, move: Callable[[NDArray[Any]], NDArray[Any]]
) -> NDArray[Any] | CodedSets:
    coded = coded_sets(ratings) if name == "mass" else None
    if coded is None:
        return move(array_of(ratings, name))
    return CodedSets(move(coded.codes), coded.sets)


def _rating_values(ratings: xr.Dataset) -> list[str]:
    cells = ("item", rating_dim(ratings))
    return [str(name) for name, coordinate in ratings.coords.items() if coordinate.dims == cells]


def _grid_cells(ratings: xr.Dataset) -> int:
    return int(ratings.sizes["item"]) * int(ratings.sizes["annotator"])
