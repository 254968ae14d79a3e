"""Assign ratings to the cells of a table of items x annotators (the dense form), or to slots.

A slot is the position of a rating within its item. Slots are for tables that would be nearly empty.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from iaa_jax import _thresholds as thresholds
from iaa_jax._errors import IaaError
from iaa_jax._types import Integers, Values
from iaa_jax.data.storage import python_value

Scalar = TypeVar("Scalar", bound=np.generic)

ROOM = 1 << 27  # number of bytes up to which any table is allowed
ROOM_EACH = 2048  # maximum size of a larger table, as a multiple of the size of its ratings
NAME_BYTES = 128  # rough number of bytes of a name along an axis


def wants_slots(annotators: int, largest_panel: int) -> bool:
    """Tell whether to store ratings by slot: if there are many annotators, but few per item.

    Examples
    --------
    >>> wants_slots(747, 3), wants_slots(747, 700), wants_slots(50, 3)
    (True, False, False)
    """
    return (
        annotators >= thresholds.MANY_ANNOTATORS
        and annotators >= thresholds.TIMES_PANEL * largest_panel
    )


def check_room(size: int, filled: int, description: Callable[[], str], way_out: str) -> None:
    """Refuse ratings whose table would be large and nearly empty.

    ``size`` is the number of bytes of the table, and ``filled`` the number of bytes of its ratings.
    """
    if size > max(ROOM, ROOM_EACH * filled):
        raise IaaError(
            f"{description()} would take {size / 2**30:,.1f} GiB, nearly all of it empty; {way_out}"
        )


@dataclass(frozen=True)
class RatingCells:
    """The cells in which ratings are stored.

    Attributes
    ----------
    cell : array (rating,)
        Flat position of each rating in an array of shape `shape`.
    shape : pair of int
        Number of items, and of annotators or slots.
    annotator_of : array (item, slot) or None
        Index of the annotator of each slot; None in the dense form.
    """

    cell: Integers
    shape: tuple[int, int]
    annotator_of: NDArray[np.int32] | None = None

    def filled(self, values: NDArray[Scalar]) -> NDArray[Scalar]:
        """Return an array with a value in the cell of each rating, and -1, NaN or "" elsewhere."""
        trailing = values.shape[1:]
        empty = {"f": np.nan, "O": "", "U": ""}.get(values.dtype.kind, -1)
        laid = np.full((self.shape[0] * self.shape[1], *trailing), empty, dtype=values.dtype)
        laid[self.cell] = values
        return laid.reshape(*self.shape, *trailing)


@dataclass(frozen=True)
class SlotCells(RatingCells):
    """The cells of ratings stored by slot."""

    annotator_of: NDArray[np.int32]


def slot_cells(items: Integers, annotators: Integers, count: int) -> SlotCells:
    """Return slots for ratings that are sorted by item, then by annotator."""
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
    """Return the cells of ratings, dense or by slot, and the repeated ratings.

    ``names`` are the names of all items and annotators. ``size`` is the number of bytes of a
    rating. If ``votes``, annotators may rate an item several times, which only slots can store.

    The second result lists the rows that repeat an earlier row's item and annotator. It is None in
    the dense form, in which repeated ratings have the same cell.
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
    """Refuse a table that would be too large because a single item has very many ratings."""
    first = int(panel.argmax())

    def description() -> str:
        others = int(np.delete(panel, first).max(initial=0))
        most = f"item {python_value(items[first])!r} has {int(panel[first]):,} ratings"
        return (
            f"{most}, no other item more than {others:,}: a table of {len(items):,} items x "
            f"{width:,} ratings"
        )

    # a label set has few of the labels, so that a rating counts as at most 8 bytes
    filled = int(panel.sum()) * min(size, 8)
    check_room(
        len(items) * width * size,
        filled,
        description,
        "leave this item out, or measure it by itself",
    )


def filled_cells(known: NDArray[np.bool_]) -> tuple[NDArray[np.intp], SlotCells]:
    """Return the flat positions of the filled cells of items x annotators, and their slots."""
    flat = np.flatnonzero(known)
    items, annotators = np.divmod(flat, max(known.shape[1], 1))
    return flat, slot_cells(items, annotators, len(known))


def _sorted(key: NDArray[np.int64]) -> tuple[Integers, NDArray[np.int64]]:
    bits = len(key).bit_length()
    if (int(key.max(initial=0)) + 1).bit_length() + bits > thresholds.SLOT_KEY_BITS:
        order = np.argsort(key, kind="stable")
        return order, key[order]
    # key and row are one number, because sorting numbers is several times faster than argsort
    both = np.sort((key << bits) | np.arange(len(key)))
    return both & ((1 << bits) - 1), both >> bits
