"""Find the distinct patterns of ratings, and count the items with each pattern.

Every rating gets a code. For single labels, this is the code of the label, and for a primary and a
secondary label, the number of the pair among all possible pairs. Distinct label sets, shares and
numbers are numbered in sorted order, and spans have the codes of markings (a marking is all spans
of an annotator in a document). Items with the same codes by the same annotators are one
*identified* pattern. If it does not matter who gave which rating, items with the same codes are one
*exchangeable* pattern.

Ratings by slot (the position of a rating within its item) have the same patterns in the same order
as ratings in a table of items x annotators, so that results and random draws do not depend on the
storage form.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax import _thresholds as thresholds
from iaa_jax._types import Floats, Integers, Values
from iaa_jax.data.coded_sets import CodedSets, coded_sets, distinct_sets
from iaa_jax.data.rating_cells import filled_cells
from iaa_jax.data.storage import annotator_of, array_of, panel_sizes

_SET_BITS = 64  # maximum number of labels for which a set is one whole number


@dataclass(frozen=True)
class Codes:
    """Codes of the ratings of items.

    Attributes
    ----------
    codes : array (item, annotator) or (item, slot)
        Code of each rating; -1 for a missing rating.
    distinct : int
        Number of possible codes.
    annotator_of : array (item, slot) or None
        Index of the annotator of each slot. Annotators ascend within an item, and -1 marks the
        empty slots at the end. None if the columns of `codes` are annotators.
    """

    codes: Integers
    distinct: int
    annotator_of: Integers | None = None

    def ratings(
        self, known: NDArray[np.bool_] | None = None
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], Integers]:
        """Return the row, column and annotator of each rating, or only of the ``known`` ratings."""
        rows, places = np.nonzero(self.codes >= 0 if known is None else known)
        of_slots = self.annotator_of
        return rows, places, places if of_slots is None else of_slots[rows, places]


class Patterns:
    """The distinct rows of codes, with counts; the pattern of each row is computed when needed.

    Attributes
    ----------
    codes : array (pattern, column)
        The distinct rows. Columns are annotators, slots, or an item's ratings in order of code.
    count : array (pattern,)
        Number (total weight) of the items with each pattern.
    annotator_of : array (pattern, slot) or None
        Index of the annotator of each slot, -1 in empty slots; None if columns are not slots.
    """

    def __init__(
        self,
        codes: Integers,
        count: NDArray[np.float64],
        keys: Integers,
        present: Integers,
        annotator_of: Integers | None = None,
        place: NDArray[np.intp] | None = None,
    ) -> None:
        self.codes = codes
        self.count = count
        self.annotator_of = annotator_of
        self._keys = keys
        self._present = present
        self._place = place  # position of each key's pattern; None if patterns are in order of key

    @cached_property
    def panel(self) -> NDArray[np.int64]:
        """The number of ratings in each pattern."""
        return panel_sizes(self.codes >= 0)

    @cached_property
    def pattern_of(self) -> NDArray[np.intp]:
        """The index of the pattern of each row."""
        largest = int(self._present[-1]) if len(self._present) else 0
        if largest >= thresholds.COUNTED_KEYS:
            index = np.searchsorted(self._present, self._keys)
            return index if self._place is None else self._place[index]
        number = np.zeros(largest + 1, dtype=np.intp)
        number[self._present] = (
            np.arange(len(self._present)) if self._place is None else self._place
        )
        return number[self._keys]

    @cached_property
    def first(self) -> NDArray[np.intp]:
        """The first row with each pattern."""
        first = np.empty(len(self.codes), dtype=np.intp)
        first[self.pattern_of[::-1]] = np.arange(len(self.pattern_of))[::-1]
        return first

    def shown_by(self, codes: Codes) -> Patterns:
        """Return the patterns with their codes taken from ``codes``, which has the same rows."""
        annotators = codes.annotator_of
        return self._with_codes(
            codes.codes[self.first], None if annotators is None else annotators[self.first]
        )

    def taken(self, order: Integers) -> Patterns:
        """Return the patterns in another order."""
        position = np.empty(len(order), dtype=np.intp)
        position[order] = np.arange(len(order))
        annotators = self.annotator_of
        return Patterns(
            self.codes[order],
            self.count[order],
            self._keys,
            self._present,
            None if annotators is None else annotators[order],
            position if self._place is None else position[self._place],
        )

    def split_by(self, groups: Integers, weight: NDArray[np.float64] | None) -> Patterns:
        """Return patterns split by group; ``groups`` (row,) is the number of each row's group."""
        number = int(groups.max(initial=0)) + 1
        keys = self.pattern_of * number + groups
        present, _, count = _distinct(keys, weight)
        of = present // number
        annotators = self.annotator_of
        of_slots = None if annotators is None else annotators[of]
        return Patterns(self.codes[of], count, keys, present, of_slots)

    def _with_codes(self, codes: Integers, annotator_of: Integers | None) -> Patterns:
        patterns = Patterns(codes, self.count, self._keys, self._present, annotator_of, self._place)
        for name in ("pattern_of", "first"):
            if name in self.__dict__:
                patterns.__dict__[name] = self.__dict__[name]
        return patterns


def rating_codes(ratings: xr.Dataset) -> Codes:
    """Return the codes of ratings of any task, by slot if the ratings are stored by slot."""
    task = ratings.attrs["task"]
    annotators = annotator_of(ratings)
    if task == "single":
        return Codes(array_of(ratings, "primary"), ratings.sizes["label"], annotators)
    if task == "primary_secondary":
        primary = array_of(ratings, "primary").astype(np.int64)
        secondary = array_of(ratings, "secondary")
        width = ratings.sizes["label"] + 1
        codes = np.where(primary < 0, -1, primary * width + secondary + 1)
        return Codes(codes, ratings.sizes["label"] * width, annotators)
    if task == "spans":
        marked = array_of(ratings, "marked")
        return Codes(marked, int(marked.max(initial=-1)) + 1, annotators)
    if task == "value":
        value = array_of(ratings, "value")
        return _coded_rows(value[..., None], ~np.isnan(value), annotators)
    coded = coded_sets(ratings)
    if coded is not None:
        return _coded_sets(coded, annotators)
    mass = array_of(ratings, "mass")
    return _coded_rows(mass, ~np.isnan(mass[..., 0]), annotators)


def by_slot(codes: Codes) -> Codes:
    """Return codes by slot: the codes of each item without gaps, with their annotators."""
    if codes.annotator_of is not None:
        return codes
    rows, annotators = slots_of(codes)
    return Codes(rows, codes.distinct, annotators)


def slots_of(codes: Codes) -> tuple[Integers, Integers]:
    """Return the codes of each item without gaps (item, slot), and their annotators."""
    if codes.annotator_of is not None:
        return codes.codes, codes.annotator_of
    flat, storage = filled_cells(codes.codes >= 0)
    return storage.filled(codes.codes.reshape(-1)[flat]), storage.annotator_of


def identified_patterns(codes: Codes, weight: NDArray[np.float64] | None = None) -> Patterns:
    """Return the identified patterns: items with the same codes by the same annotators."""
    if codes.annotator_of is not None:
        return _pairs(codes.codes, codes.distinct, codes.annotator_of, weight).shown_by(codes)
    if _nearly_empty(codes.codes):
        return identified_patterns(by_slot(codes), weight).shown_by(codes)
    return _rows(codes.codes, codes.distinct, weight)


def exchangeable_patterns(codes: Codes, weight: NDArray[np.float64] | None = None) -> Patterns:
    """Return the exchangeable patterns: rows of sorted codes, whoever gave them, with gaps last."""
    if _nearly_empty(codes.codes):
        codes = by_slot(codes)
    rows = _in_order(codes.codes)
    # keep as many columns as the maximum number of ratings of an item
    used = rows.shape[1]
    while used > 1 and rows[:, used - 1].max(initial=-1) < 0:
        used -= 1
    return identified_patterns(Codes(rows[:, :used], codes.distinct), weight)


def _nearly_empty(rows: Integers) -> bool:
    most = rows.shape[1] // thresholds.TIMES_PANEL
    if rows.shape[1] < thresholds.MANY_ANNOTATORS:
        return False
    blocks = (
        rows[start : start + thresholds.CODED_TOGETHER]
        for start in range(0, len(rows), thresholds.CODED_TOGETHER)
    )
    return all(np.count_nonzero(block >= 0, axis=1).max() <= most for block in blocks)


def _rows(rows: Integers, distinct: int, weight: NDArray[np.float64] | None) -> Patterns:
    """Return the distinct rows in lexicographic order, with gaps before the lowest code."""
    base = distinct + 1
    width = rows.shape[1]
    if width * math.log2(base) >= thresholds.EXACT_BITS:
        keys = _row_keys(rows, base)
        present, first, count = _distinct(keys, weight)
        return Patterns(rows[first], count, keys, present)
    # the codes of a row, plus 1, are the digits of its key, which a fast product computes exactly
    powers: Floats = float(base) ** np.arange(width - 1, -1, -1)
    keys = np.empty(len(rows), dtype=np.int64)
    # in blocks that stay in the processor's cache
    for start in range(0, len(rows), thresholds.CODED_TOGETHER):
        block = slice(start, start + thresholds.CODED_TOGETHER)
        digits: Floats = rows[block].astype(np.float64)
        # the product is finite; unused vector lanes of the processor may still raise a warning
        with np.errstate(invalid="ignore"):
            keys[block] = digits @ powers + powers.sum()
    if base**width <= thresholds.COUNTED_KEYS or int(keys.max(initial=0)) < thresholds.COUNTED_KEYS:
        present, count = _counted(keys, weight)
    else:
        present, _, count = _distinct(keys, weight)
    codes = np.empty((len(present), width), dtype=rows.dtype)
    left = present
    for column in range(width - 1, -1, -1):
        above = left // base
        codes[:, column] = left - above * base - 1
        left = above
    return Patterns(codes, count, keys, present)


def _pairs(
    rows: Integers, distinct: int, annotators: Integers, weight: NDArray[np.float64] | None
) -> Patterns:
    """Return the distinct rows of (annotator, code) pairs, in the order of a full table's rows.

    If two rows of a table of items x annotators first differ at an annotator who has a rating in
    only one of them, the row without that rating comes first. So if two rows of slots first differ
    in the annotator of a slot, the row with the later annotator comes first.
    """
    last = int(annotators.max(initial=0))
    pairs = np.where(rows < 0, -1, (last - annotators.astype(np.int64)) * distinct + rows)
    known = (last + 1) * distinct
    if known * max(len(rows), 1) >= 1 << thresholds.KEY_BITS:  # the codes are too large for a key
        values, pairs = np.unique(pairs, return_inverse=True)
        pairs = pairs.reshape(rows.shape)
        known = len(values)
    return _rows(pairs, known, weight)


def _in_order(rows: Integers) -> Integers:
    unsigned = rows.view(f"u{rows.dtype.itemsize}")  # unsigned, so that -1 is the largest
    return np.sort(unsigned, axis=1).view(rows.dtype)


def _row_keys(rows: Integers, base: int) -> Integers:
    """Return a number for each row; numbers sort like the rows, with gaps (-1) lowest."""
    keys = np.zeros(len(rows), dtype=np.int64)
    largest = 0
    for column in rows.T:
        if (largest + 1) * base >= 1 << thresholds.KEY_BITS:
            distinct, keys = np.unique(keys, return_inverse=True)
            largest = len(distinct) - 1
        keys = keys * base + column + 1
        largest = largest * base + base - 1
    return keys


def _counted(
    keys: Integers, weight: NDArray[np.float64] | None
) -> tuple[Integers, NDArray[np.float64]]:
    """Return the keys that occur and their weights; memory grows with the largest key."""
    times = np.bincount(keys)
    present = np.flatnonzero(times > 0)
    count = times if weight is None else np.bincount(keys, weights=weight)
    return present, count[present].astype(np.float64)


def _distinct(
    keys: Integers, weight: NDArray[np.float64] | None
) -> tuple[Integers, NDArray[np.intp], NDArray[np.float64]]:
    present, first, number = np.unique(keys, return_index=True, return_inverse=True)
    count = np.bincount(number, weights=weight, minlength=len(present))
    return present, first, count.astype(np.float64)


def _coded_rows(vectors: Floats, known: NDArray[np.bool_], annotators: Integers | None) -> Codes:
    """Return codes for ratings that are vectors: the index among the sorted distinct vectors."""
    codes = np.full(known.shape, -1, dtype=np.int64)
    rows = vectors[known]
    distinct, inverse = _distinct_vectors(rows)
    codes[known] = inverse
    return Codes(codes, len(distinct), annotators)


def _coded_sets(coded: CodedSets, annotators: Integers | None) -> Codes:
    """Return codes for label sets stored as codes, numbered as `_coded_rows` numbers them."""
    used = np.bincount(coded.codes.reshape(-1) + 1, minlength=len(coded.sets))[1:] > 0
    distinct, inverse = _distinct_vectors(coded.sets[:-1][used])
    lookup = np.full(len(coded.sets), -1, dtype=np.int64)  # the last entry is for code -1
    lookup[:-1][used] = inverse
    return Codes(lookup[coded.codes], len(distinct), annotators)


def _distinct_vectors(rows: Floats) -> tuple[Values, NDArray[np.intp]]:
    if rows.shape[1] <= _SET_BITS and bool(((rows == 0) | (rows == 1)).all()):
        return distinct_sets(np.packbits(rows != 0, axis=1))
    # -0.0 and 0.0 are the same number
    distinct, inverse = np.unique(rows + 0.0, axis=0, return_inverse=True)
    return distinct, inverse.reshape(-1)
