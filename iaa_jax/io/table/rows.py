"""Tables with a row for each rating: what was rated, by whom, and what is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.assemble import Indexed, named, plain
from iaa_jax.data.labels import plural
from iaa_jax.io.base import Options
from iaa_jax.io.table.cells import Missing, names
from iaa_jax.io.table.columns import ANNOTATOR, ITEM, check_columns, split, usual
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.tables import Tables, repeats

ROOM = 32  # pairs of item and annotator for each rating, up to which a table marks those seen


@dataclass(frozen=True)
class Roles:
    """The columns that say what was rated and by whom."""

    ids: tuple[str, ...]
    annotator: str | None
    from_file: bool = False

    @property
    def columns(self) -> list[str]:
        """All of them."""
        return [*self.ids, *([] if self.annotator is None else [self.annotator])]

    def told(self) -> str:
        """Say where items and annotators come from."""
        whom = "annotators unknown"
        if self.annotator is not None:
            whom = f"annotators from {self.annotator!r}"
        elif self.from_file:
            whom = "annotators from file names"
        return f"items from {shown(self.ids)}, {whom}"


@dataclass(frozen=True)
class Rows:
    """Items and annotators of the rows of all files."""

    found: Tables
    items: Indexed
    annotators: Indexed | None  # None: anonymous

    def where(self, row: int) -> str:
        """Say where a row stands, and name its item and annotator."""
        if self.annotators is None:
            codes, known = self.items
            item = None if codes[row] < 0 else plain(known[codes[row]])
            return f"{self.found.place(row)} (item {item!r})"
        return f"{self.found.place(row)} ({named(self.items, self.annotators, row)})"

    def raters(self, told: NDArray[np.bool_]) -> Indexed:
        """Give the annotator of each row; anonymous ones are slots, filled in the order of rows."""
        if self.annotators is not None:
            return self.annotators
        return slots(self.items[0], told)

    def repeated(self, told: NDArray[np.bool_], how: str) -> NDArray[np.integer[Any]]:
        """Find the ratings to leave out because their annotator rated the item before."""
        if self.annotators is None:
            return np.empty(0, dtype=np.int64)
        items, (annotators, known) = self.items[0], self.annotators
        rated = told & (items >= 0) & (annotators >= 0)
        if not rated.all():
            items, annotators = items[rated], annotators[rated]
        key = items * np.int64(len(known))
        key += annotators
        size = len(self.items[1]) * len(known)
        if size <= ROOM * len(key):
            seen = np.zeros(size, dtype=bool)
            seen[key] = True
            if np.count_nonzero(seen) == len(key):
                return np.empty(0, dtype=np.int64)
        what = "of the same item by the same annotator"
        return repeats(
            np.flatnonzero(rated), key, how, ("rating", what, self.where, self.found.place)
        )

    def nobodies(self, told: NDArray[np.bool_]) -> int:
        """Count the rows with neither a rating nor an item and annotator."""
        lacking = self.items[0] < 0
        if self.annotators is not None:
            lacking = lacking | (self.annotators[0] < 0)
        return int(np.count_nonzero(lacking & ~told))


def roles(source: Source, options: Options, others: Sequence[str | None]) -> Roles:
    """Tell the columns of item and annotator from what was said and usual names."""
    found = head(source).names
    from_file = options.annotator is None and source.annotator is not None
    if options.anonymous and (options.annotator is not None or from_file):
        msg = (
            "anonymous says that nobody knows who rated, but the annotator is named as well; "
            "give one of the two"
        )
        raise IaaError(msg)
    given = () if options.item is None else split(options.item, found)
    free = [name for name in found if name not in {options.annotator, *others, *given}]
    annotator = options.annotator
    if annotator is None and not options.anonymous and not from_file:
        annotator = usual(free, ANNOTATOR)
        if annotator is None:
            hint = "; if nobody knows who rated, give anonymous=True"
            raise IaaError(unnamed(source, "annotator", hint))
    ids = given
    if options.item is None:
        best = usual([name for name in free if name != annotator], ITEM)
        if best is None:
            raise IaaError(unnamed(source, "item"))
        ids = (best,)
    check_columns(source, found, ids, "item")
    if annotator is not None:
        check_columns(source, found, [annotator], "annotator")
    return Roles(ids, annotator, from_file)


def unnamed(source: Source, option: str, hint: str = "") -> str:
    """Say that no column has a usual name for its role."""
    return (
        f"{source}: no column is named like the {option} column of a long table, name it "
        f"with {option}=; the columns are {shown(head(source).names, 12)}{hint}"
    )


def rows_of(found: Tables, who: Roles, missing: Missing) -> Rows:
    """Index the items and annotators of all rows."""
    items = found.items(who.ids)
    annotators: Indexed | None = None
    if who.annotator is not None:
        annotators = names(found.column(who.annotator, missing))
    elif who.from_file:
        annotators = names(found.annotators())
    return Rows(found, items, annotators)


def slots(items: NDArray[Any], told: NDArray[np.bool_]) -> Indexed:
    """Number the ratings of each item in their order; -1 where there is none.

    Examples
    --------
    >>> codes, names = slots(np.array([0, 1, 0, 0]), np.array([True, True, False, True]))
    >>> codes.tolist(), names.tolist()
    ([0, 0, -1, 1], ['rating 1', 'rating 2'])
    """
    rated = np.flatnonzero(told & (items >= 0))
    order = rated[np.argsort(items[rated], kind="stable")]
    ordered = items[order]
    first = np.flatnonzero(np.diff(ordered, prepend=-1))
    sizes = np.diff(np.append(first, len(ordered)))
    codes = np.full(len(items), -1, dtype=np.int64)
    # a rating without its item keeps a slot, so that the item is what its refusal names
    codes[told] = 0
    codes[order] = np.arange(len(order)) - np.repeat(first, sizes)
    return codes, slot_names(int(codes.max(initial=-1)) + 1)


def slot_names(count: int, noun: str = "rating") -> NDArray[Any]:
    """Name places in which ratings stand: "rating 1" and so on."""
    return np.array([f"{noun} {place}" for place in range(1, count + 1)], dtype=object)


def left_out(again: int, nobodies: int, how: str) -> str:
    """Say what was left out."""
    parts = []
    if again:
        parts.append(f"{plural(again, 'repeated rating')} (kept the {how})")
    if nobodies:
        parts.append(f"{plural(nobodies, 'row')} without label and without item or annotator")
    return ", ".join(parts)
