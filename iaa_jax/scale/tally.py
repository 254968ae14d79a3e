"""Count items by their ratings in compact arrays, and add such counts up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import xarray as xr

from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Floats, Integers, Values
from iaa_jax.data.assemble import names_of
from iaa_jax.data.build import long_ratings
from iaa_jax.data.checks import refuse_unpaired
from iaa_jax.data.compression import compress
from iaa_jax.data.duplicates import ways_out
from iaa_jax.data.labels import Label, not_finite, undeclared
from iaa_jax.wording import named
from iaa_jax.wording.formats import counted

BITS = 62
"""Number of bits of an integer that are used for the labels of several annotators."""


def bits_of(known_labels: int) -> int:
    """Return the number of bits for the label of an annotator; the value 0 means no label."""
    return max(known_labels, 1).bit_length()


def annotators_of_a_key(known_labels: int) -> int:
    """Return the number of annotators whose labels fit into one integer."""
    return BITS // bits_of(known_labels)


class Tally(NamedTuple):
    """Counts of items with the same ratings, and the same values in each grouping column.

    Attributes
    ----------
    ratings : array (row, slot)
        Each rating as a number, ``annotator * labels + label``, in ascending order, padded with -1;
        slots are columns for a row's first, second, ... rating.
    items : array (row,)
        Number of items.
    apart : tuple of arrays (row,)
        Values of each grouping column (a column that a user keeps by the option ``by``).
    """

    ratings: Integers
    items: Floats
    apart: tuple[Values, ...] = ()

    def rows(self, rows: Integers) -> Tally:
        """Return a tally with the rows at the given positions."""
        return Tally(self.ratings[rows], self.items[rows], tuple(v[rows] for v in self.apart))


class SingleRatings(NamedTuple):
    """Arrays (rating,): the item, annotator and label (-1: missing) of each rating, as numbers."""

    items: Integers
    annotators: Integers
    labels: Integers


def united(parts: Sequence[Tally]) -> Tally:
    """Return the tally of all parts together, with the counts of equal rows added up."""
    ratings, count, groups = stacked(parts)
    width = ratings.shape[1]
    columns = [ratings[:, slot] + 1 for slot in range(width)]
    columns += [pd.factorize(values, use_na_sentinel=False)[0] for values in groups]
    number = np.zeros(len(count), dtype=np.int64)
    for column in columns:  # rows have the same number if they are equal in the columns so far
        number = pd.factorize(number * (int(column.max(initial=0)) + 1) + column)[0]
    first = np.unique(number, return_index=True)[1]
    return Tally(
        ratings[first],
        np.bincount(number, weights=count, minlength=len(first)).astype(np.float64),
        tuple(values[first] for values in groups),
    )


def stacked(parts: Sequence[Tally]) -> Tally:
    """Return the rows of all parts, one part after the other."""
    width = max(part.ratings.shape[1] for part in parts)
    return Tally(
        np.concatenate([_wide(part.ratings, width) for part in parts]),
        np.concatenate([part.items for part in parts]),
        tuple(np.concatenate(each) for each in zip(*(p.apart for p in parts), strict=True)),
    )


def _wide(ratings: Integers, width: int) -> Integers:
    return np.pad(ratings, ((0, 0), (0, width - ratings.shape[1])), constant_values=-1)


def tally_of_rows(rows: SingleRatings, known_labels: int, groups: Sequence[Values] = ()) -> Tally:
    """Return the tally of single ratings; items without a label become rows without ratings.

    Raises
    ------
    IaaError
        If an annotator rated an item twice, or an item has two values of a grouping column.
    """
    first = _first_rows(rows.items, groups)
    items, ratings = _in_order(rows, known_labels)
    panel = np.bincount(items, minlength=len(first))
    slots = np.arange(len(items)) - np.repeat(np.cumsum(panel) - panel, panel)
    laid = np.full((len(first), max(int(panel.max(initial=0)), 1)), -1, dtype=np.int64)
    laid[items, slots] = ratings
    ones = np.ones(len(first))
    return united([Tally(laid, ones, tuple(np.asarray(each)[first] for each in groups))])


def _first_rows(items: Integers, groups: Sequence[Values]) -> Integers:
    size = int(items.max(initial=-1)) + 1
    first = np.full(size, len(items), dtype=np.int64)
    np.minimum.at(first, items, np.arange(len(items)))
    for values in groups:
        codes = pd.factorize(values, use_na_sentinel=False)[0]
        if (codes != codes[first[items]]).any():
            raise IaaError(UNLIKE)
    return first


def _in_order(rows: SingleRatings, known_labels: int) -> tuple[Integers, Integers]:
    rated = rows.labels >= 0
    different = (int(rows.annotators.max(initial=0)) + 1) * known_labels
    ratings = rows.annotators[rated] * np.int64(known_labels) + rows.labels[rated]
    items, ratings = np.divmod(np.sort(rows.items[rated] * different + ratings), different)
    annotators = ratings // known_labels
    again = (items[1:] == items[:-1]) & (annotators[1:] == annotators[:-1])
    if again.any():
        raise IaaError(twice(int(again.sum())))
    return items, ratings


class Packed(NamedTuple):
    """Ratings packed into integer keys, with a few bits for the label of each annotator.

    Attributes
    ----------
    first : array (key,)
        First row of the key's item.
    part : array (key,)
        Index of the block of annotators whose labels are in the key. A block has as many annotators
        as fit into one key.
    key : array (key,)
        The keys.
    """

    first: Integers
    part: Integers
    key: Integers


def packed(rows: SingleRatings, known_labels: int, groups: Sequence[Values] = ()) -> Packed:
    """Pack single ratings into keys; errors are those of `tally_of_rows`."""
    first = _first_rows(rows.items, groups)
    items, ratings = _in_order(rows, known_labels)
    annotators, labels = np.divmod(ratings, known_labels)
    part, position = np.divmod(annotators, annotators_of_a_key(known_labels))
    bits = (labels + 1) << (position * bits_of(known_labels))
    starts = np.flatnonzero(
        np.append(True, (items[1:] != items[:-1]) | (part[1:] != part[:-1]))[: len(items)]
    )
    nobody = np.flatnonzero(np.bincount(items, minlength=len(first)) == 0)
    none = np.zeros_like(nobody)
    return Packed(
        first[np.concatenate([items[starts], nobody])],
        np.concatenate([part[starts], none]),
        np.concatenate([np.bitwise_or.reduceat(bits, starts), none]),
    )


def unpacked(
    items: Integers, part: Integers, key: Integers, known_labels: int
) -> tuple[SingleRatings, Integers]:
    """Return the single ratings in packed keys, and the position of the key of each rating.

    An empty key becomes a row without a label, so that its item is kept.
    """
    many, width = annotators_of_a_key(known_labels), bits_of(known_labels)
    silent = np.flatnonzero(key == 0)
    rows = [(silent, part[silent], np.full(len(silent), -1))]
    for position in range(many):
        label = (key >> (position * width)) & ((1 << width) - 1)
        rated = np.flatnonzero(label)
        rows.append((rated, part[rated] * many + position, label[rated] - 1))
    where, annotators, labels = (np.concatenate(each) for each in zip(*rows, strict=True))
    return SingleRatings(items[where], annotators, labels), where


UNLIKE = (
    f"an item has several values of a column of {named('by')}: name columns that describe items, "
    "such as the document"
)
"""Message for a grouping column that does not describe items."""


def twice(number: int, examples: str = "") -> str:
    """Return the message that refuses repeated ratings of an item by the same annotator."""
    ratings = "ratings" if number > 1 else "rating"
    return (
        f"{number:,} {ratings} by an annotator who had already rated the item{examples}: if "
        f"several columns name an item together, give all of them to {named('item')}; otherwise "
        f"leave one rating in the files, or read them without a scan, and {ways_out()}"
    )


def ratings_of(
    tally: Tally,
    annotators: Sequence[object] | Values,
    known: Sequence[Label],
    labels: Sequence[object] | None,
    by: Mapping[str, Values],
    *,
    parse: bool = False,
) -> xr.Dataset:
    """Return a tally as compressed ratings.

    ``known`` are the labels as they occur in the data, and ``labels`` the declared labels. ``by``
    has the values of each grouping column, one for each row of the tally. If ``parse`` and all
    labels spell numbers, labels become numbers.
    """
    return compress(laid_out(tally, annotators, known, labels, by, parse=parse), by=list(by))


def laid_out(
    tally: Tally,
    annotators: Sequence[object] | Values,
    known: Sequence[Label],
    labels: Sequence[object] | None,
    by: Mapping[str, Values],
    *,
    parse: bool = False,
) -> xr.Dataset:
    """Return a tally as ratings with an item for each row; the arguments are as in `ratings_of`."""
    rows, slots = np.nonzero(tally.ratings >= 0)
    rating = tally.ratings[rows, slots]
    annotator, label = rating // max(len(known), 1), rating % max(len(known), 1)

    def times_of(places: Sequence[int]) -> str:
        return counted(int(tally.items[rows[np.isin(label, places)]].sum()), "rating")

    if labels is None and (infinite := not_finite(known, parse=parse)):
        raise IaaError(
            f"{times_of(infinite)} with a label that is not a finite number: "
            f"{shown([known[place] for place in infinite])}; correct these cells or leave them "
            "empty"
        )
    if labels is not None and (unknown := undeclared(known, labels, parse=parse)):
        raise IaaError(
            f"{times_of(unknown)} with a label that was not declared: "
            f"{shown([known[place] for place in unknown])}; the declared labels are "
            f"{shown(list(labels))}: add the label to {named('labels')}, or correct the data"
        )
    panel = (tally.ratings >= 0).sum(axis=1)
    if len(annotators) > 1 and len(panel) and panel.max() == 1:
        refuse_unpaired(int(tally.items @ panel))
    nobody = np.flatnonzero(panel == 0)

    def where(position: int) -> str:
        return f"annotator {annotators[int(annotator[position])]}"

    # an item that nobody rated is kept, as a row with a missing rating
    items = np.concatenate([rows, nobody])
    order = np.argsort(items, kind="stable")
    ratings = long_ratings(
        (items[order], np.arange(len(tally.items))),
        (np.concatenate([annotator, np.zeros_like(nobody)])[order], names_of(pd.Index(annotators))),
        [(np.concatenate([label, np.full_like(nobody, -1)])[order], list(known))],
        labels,
        where,
        parse=parse,
    )
    return ratings.assign(item_weight=("item", tally.items)).assign_coords(
        {name: ("item", values) for name, values in by.items()}
    )


def order_of(tally: Tally, together: pd.MultiIndex) -> Integers:
    """Return an order of a tally's rows: by the positions of their groups in ``together``."""
    position = together.get_indexer(pd.MultiIndex.from_arrays(tally.apart))
    return np.argsort(np.where(position < 0, len(together), position), kind="stable")
