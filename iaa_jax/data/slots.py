"""Crowds: ratings by slot, where a table of items x annotators would be nearly empty.

Where hundreds of annotators give a few ratings per item, the storage has the dimensions item and
slot instead of item and annotator: slot k holds the k-th rating of an item, and ``annotator_of``
(item, slot) the place of its annotator along the coordinate ``annotator``, -1 in an empty slot.

Within an item the annotators ascend and empty slots stand last. `validate` requires this order:
one comparison then finds repeated annotators too, equal items are equal rows, and codes stay beside
the ratings that they were made of. `in_slots` puts any other order right.

Where annotators voted on items several times, each vote has a slot, in the order in which they were
given, and ``attrs["repeated"]`` says so (`iaa_jax.data.votes`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax import _thresholds as thresholds
from iaa_jax._errors import IaaError
from iaa_jax._types import Integers, Values
from iaa_jax.data.checks import check
from iaa_jax.data.coordinates import carry_along
from iaa_jax.data.door import span_ratings
from iaa_jax.data.storage import (
    OF_SLOTS,
    REPEATED,
    TASKS,
    annotator_memory,
    annotator_of,
    array_of,
    further_votes,
    in_order,
    panel_sizes,
    python_value,
    rated,
    rating_dim,
    repeats_of,
    task_of,
    with_coding,
)
from iaa_jax.data.votes import refuse_votes

if TYPE_CHECKING:
    from iaa_jax.data.patterns import Codes

Scalar = TypeVar("Scalar", bound=np.generic)

GRID_BYTES = 1 << 31  # the largest table of items x annotators that `in_grid` lays out
ROOM = 1 << 27  # bytes that the table of any ratings may take
ROOM_EACH = 2048  # ... and larger ones: times what their ratings take
NAME_BYTES = 128  # about what the name of a place along an axis takes


def wants_slots(annotators: int, largest_panel: int) -> bool:
    """Decide for the slot form: many annotators, of whom few rate the same item.

    Examples
    --------
    >>> wants_slots(747, 3), wants_slots(747, 700), wants_slots(50, 3)
    (True, False, False)
    """
    return (
        annotators >= thresholds.MANY_ANNOTATORS
        and annotators >= thresholds.TIMES_PANEL * largest_panel
    )


def check_room(size: int, filled: int, what: Callable[[], str], way_out: str) -> None:
    """Refuse ratings whose table would be large and nearly empty; sizes are in bytes."""
    if size > max(ROOM, ROOM_EACH * filled):
        msg = f"{what()} would take {size / 2**30:,.1f} GiB, nearly all of it empty; {way_out}"
        raise IaaError(msg)


def in_slots(ratings: xr.Dataset) -> xr.Dataset:
    """Store ratings by slot: the k-th rating of each item, with its annotator beside it.

    Parameters
    ----------
    ratings
        A ratings Dataset. Anonymous ratings stay as they are: their annotators are slots.

    Returns
    -------
    xarray.Dataset
        The same ratings with the dimension slot, and `annotator_of` (item, slot), the place of each
        rating's annotator along the coordinate `annotator` (-1: empty slot); the same Dataset if it
        has slots already.

    Raises
    ------
    IaaError
        If `ratings` is not a ratings Dataset.

    Examples
    --------
    >>> from iaa_jax.data import from_wide
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
    """Store ratings as a table of items x annotators, with a gap where an item was not rated.

    Parameters
    ----------
    ratings
        A ratings Dataset.

    Returns
    -------
    xarray.Dataset
        The same ratings with the dimension annotator; the same Dataset if it has it already.

    Raises
    ------
    IaaError
        If `ratings` is not a ratings Dataset, an annotator has several votes on an item, or the
        table would be larger than 2 GiB.

    Examples
    --------
    >>> from iaa_jax.data import from_wide
    >>> from iaa_jax.data.slots import in_grid, in_slots
    >>> ratings = from_wide([["a", None, "b"], [None, "b", None]])
    >>> in_grid(in_slots(ratings)).identical(ratings)
    True
    """
    ratings = span_ratings(ratings)
    check(ratings)
    if annotator_of(ratings) is None:
        return ratings
    refuse_votes(ratings, "a table of items x annotators has one cell for each of both")
    size = 0
    for name in TASKS[task_of(ratings)]:
        variable = ratings.variables[name]
        size += _grid_cells(ratings) * math.prod(variable.shape[2:]) * variable.dtype.itemsize
    if size > GRID_BYTES:
        msg = (
            f"a table of {ratings.sizes['item']:,} items x {ratings.sizes['annotator']:,} "
            f"annotators would take {size / 2**30:,.1f} GiB: leave these ratings by slot, or keep "
            "fewer items with ratings.isel(item=...) or fewer annotators with keep_annotators"
        )
        raise IaaError(msg)
    return to_grid(ratings)


@dataclass(frozen=True)
class RatingCells:
    """Where each of a list of ratings is stored.

    Attributes
    ----------
    cell : array (rating,)
        Flat position in an array of `shape`.
    shape : pair of int
        Items, and annotators or slots.
    annotator_of : array (item, slot) or None
        Index of each slot's annotator; None in the dense form.
    """

    cell: Integers
    shape: tuple[int, int]
    annotator_of: NDArray[np.int32] | None = None

    def filled(self, values: NDArray[Scalar]) -> NDArray[Scalar]:
        """Lay the values of the ratings out, with -1, NaN or no text in the other cells."""
        trailing = values.shape[1:]
        empty = {"f": np.nan, "O": "", "U": ""}.get(values.dtype.kind, -1)
        laid = np.full((self.shape[0] * self.shape[1], *trailing), empty, dtype=values.dtype)
        laid[self.cell] = values
        return laid.reshape(*self.shape, *trailing)


@dataclass(frozen=True)
class SlotCells(RatingCells):
    """Where ratings by slot are stored, with the annotator of each slot."""

    annotator_of: NDArray[np.int32]


def slot_cells(items: Integers, annotators: Integers, count: int) -> SlotCells:
    """Slots for ratings that stand in the order of item, then annotator."""
    panel = np.bincount(items, minlength=count)
    width = int(panel.max(initial=1))
    slot = np.arange(len(items)) - np.repeat(np.cumsum(panel) - panel, panel)
    cell = items.astype(np.int64) * width + slot
    annotator_index = np.full(count * width, -1, dtype=np.int32)
    annotator_index[cell] = annotators
    return SlotCells(cell, (count, width), annotator_index.reshape(count, width))


def rating_cells(
    items: Integers,
    annotators: Integers,
    names: tuple[Values, Values],
    *,
    anonymous: bool = False,
    size: int = 1,
    votes: bool = False,
) -> tuple[RatingCells, NDArray[np.intp] | None]:
    """Places for ratings in any order, in the form that their number asks for.

    ``names`` are those of all items and annotators; ``size`` is what a rating takes, in bytes;
    ``votes`` that an annotator may have several on an item, which only slots can hold.

    Returns the rows that repeat an earlier row's item and annotator, too; None in the dense form,
    where a repeated rating meets the first in its cell.
    """
    shape = len(names[0]), len(names[1])
    key = items.astype(np.int64) * shape[1] + annotators
    few = not wants_slots(shape[1], 0) and shape[0] * shape[1] * size <= ROOM
    if few and not votes:
        return RatingCells(key, shape), None
    panel = np.bincount(items, minlength=1)
    largest = int(panel.max())
    dense = not votes and (anonymous or not wants_slots(shape[1], largest))
    _check_panel(panel, names[0], shape[1] if dense else largest, size if dense else size + 4)
    if dense:
        return RatingCells(key, shape), None
    order, key = _sorted(key)
    again = np.sort(order[1:][key[1:] == key[:-1]])
    slots = slot_cells(items[order], annotators[order], shape[0])
    cell = np.empty_like(slots.cell)
    cell[order] = slots.cell
    return RatingCells(cell, slots.shape, slots.annotator_of), again


def _check_panel(panel: Integers, items: Values, width: int, size: int) -> None:
    """Refuse a table that is wide for the sake of one item."""
    first = int(panel.argmax())

    def what() -> str:
        others = int(np.delete(panel, first).max(initial=0))
        most = f"item {python_value(items[first])!r} has {int(panel[first]):,} ratings"
        return (
            f"{most}, no other item more than {others:,}: a table of {len(items):,} items x "
            f"{width:,} ratings"
        )

    filled = int(panel.sum()) * min(size, 8)  # of a set, few labels are chosen
    check_room(
        len(items) * width * size, filled, what, "leave this item out, or measure it by itself"
    )


def filled_cells(known: NDArray[np.bool_]) -> tuple[NDArray[np.intp], SlotCells]:
    """The filled cells (flat) of a table of items x annotators, and the slots for them."""
    flat = np.flatnonzero(known)
    items, annotators = np.divmod(flat, max(known.shape[1], 1))
    return flat, slot_cells(items, annotators, len(known))


@carry_along
def to_slots(ratings: xr.Dataset) -> xr.Dataset:
    """Bring ratings in the dense form into the slot form."""
    flat, storage = filled_cells(rated(ratings))
    laid = {}
    for name in (*TASKS[task_of(ratings)], *_of_ratings(ratings)):
        values = array_of(ratings, name)
        laid[name] = storage.filled(values.reshape(-1, *values.shape[2:])[flat])

    return _with_slots(ratings, laid, storage.annotator_of)


@carry_along
def to_grid(ratings: xr.Dataset) -> xr.Dataset:
    """Bring ratings in the slot form into the dense form, of whatever size."""
    annotators = array_of(ratings, "annotator_of")
    items, slots = np.nonzero(annotators >= 0)
    width = ratings.sizes["annotator"]
    storage = RatingCells(items * width + annotators[items, slots], (len(annotators), width))
    laid = {}
    of_ratings = _of_ratings(ratings)
    for name in (*TASKS[task_of(ratings)], *of_ratings):
        variable = ratings.variables[name]
        dims = ("item", "annotator", "label")[: variable.ndim]
        laid[name] = (dims, storage.filled(variable.values[items, slots]), variable.attrs)
    grid = ratings.drop_vars([*laid, "annotator_of"]).assign(laid).set_coords(of_ratings)
    for attribute in OF_SLOTS:
        grid.attrs.pop(attribute, None)
    return with_coding(grid)


@carry_along
def sort_slots(ratings: xr.Dataset) -> xr.Dataset:
    """Slots in order, as many as the largest panel; slots without a rating become empty."""
    known = rated(ratings)
    annotators = np.where(known, array_of(ratings, "annotator_of"), -1).astype(np.int32)
    width = int(panel_sizes(known).max(initial=1))
    # as unsigned numbers empty slots come last
    order = np.argsort(annotators.view(np.uint32), axis=1, kind="stable")[:, :width]
    return _in_this_order(ratings, annotators, order)


def by_code(ratings: xr.Dataset, coded: Callable[[xr.Dataset], Codes]) -> xr.Dataset:
    """An annotator's votes on an item in order of their codes, so that equal items are equal rows.

    What describes single votes is left out. Ratings without further votes stay as they are.
    """
    if further_votes(ratings) is None:
        return ratings
    annotators = array_of(ratings, "annotator_of").astype(np.int32)
    order = np.lexsort((coded(ratings).codes, annotators.view(np.uint32)), axis=1)
    return _in_this_order(ratings.drop_vars(_of_ratings(ratings)), annotators, order)


def _in_this_order(ratings: xr.Dataset, annotators: Integers, order: Integers) -> xr.Dataset:
    """The slots of each item in an order of their own."""
    laid = {}
    for name in (*TASKS[task_of(ratings)], *_of_ratings(ratings)):
        values = array_of(ratings, name)
        index = order[..., None] if values.ndim == 3 else order
        laid[name] = np.take_along_axis(values, index, axis=1)
    return _with_slots(ratings, laid, np.take_along_axis(annotators, order, axis=1))


def to_usual_form(ratings: xr.Dataset) -> xr.Dataset:
    """Bring ratings into the form that their size asks for; anonymous ones and votes stay."""
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


def slot_attrs(names: Values, annotators: Integers) -> dict[str, int | str]:
    """The attributes that the slot form has beside those of the dense form (`OF_SLOTS`)."""
    attrs: dict[str, int | str] = {
        "slots": annotators.shape[1],
        "annotator_order": annotator_memory(names),
    }
    return attrs | ({REPEATED: 1} if repeats_of(annotators).any() else {})


def _with_slots(ratings: xr.Dataset, laid: dict[str, Values], annotators: Integers) -> xr.Dataset:
    """The ratings with new storage by slot."""
    variables: dict[str, object] = {"annotator_of": (("item", "slot"), annotators)}
    for name, values in laid.items():
        dims = ("item", "slot", "label")[: values.ndim]
        variables[name] = (dims, values, ratings.variables[name].attrs)
    bare = ratings.drop_vars(variables, errors="ignore")
    slotted = bare.assign(variables).set_coords(_of_ratings(ratings))
    slotted.attrs.pop(REPEATED, None)
    attrs = slot_attrs(array_of(ratings, "annotator"), annotators)
    return with_coding(slotted.assign_attrs(attrs))


def _of_ratings(ratings: xr.Dataset) -> list[str]:
    """Coordinates with a value a rating, such as its time."""
    cells = ("item", rating_dim(ratings))
    return [str(name) for name, coordinate in ratings.coords.items() if coordinate.dims == cells]


def _grid_cells(ratings: xr.Dataset) -> int:
    return int(ratings.sizes["item"]) * int(ratings.sizes["annotator"])


def _sorted(key: NDArray[np.int64]) -> tuple[Integers, NDArray[np.int64]]:
    """The stable order of the keys, and the keys in it."""
    bits = len(key).bit_length()
    if (int(key.max(initial=0)) + 1).bit_length() + bits > thresholds.SLOT_KEY_BITS:
        order = np.argsort(key, kind="stable")
        return order, key[order]
    # key and row in one number: sorting numbers is several times faster than sorting an index
    both = np.sort((key << bits) | np.arange(len(key)))
    return both & ((1 << bits) - 1), both >> bits
