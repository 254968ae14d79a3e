"""Sort patterns (items with the same ratings) by their labels and annotators, for random draws.

The replicates of a seed then depend only on the ratings, not on the order of items, annotators and
labels, nor on the constructor that made the ratings.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._types import Floats, Integers, Values
from iaa_jax.data.patterns import Codes, Patterns, exchangeable_patterns, identified_patterns
from iaa_jax.data.storage import array_of


class DrawingOrder(NamedTuple):
    """The ranks, from 0, of rating codes and annotators sorted by name; None if already sorted."""

    codes: Integers | None = None
    annotators: Integers | None = None

    def identified(self, patterns: Patterns, distinct: int) -> Patterns:
        """Return identified patterns, in which annotators matter, in drawing order."""
        if self.codes is None and self.annotators is None:
            return patterns
        return patterns.taken(identified_patterns(self._placed(patterns, distinct)).first)

    def exchangeable(self, patterns: Patterns, distinct: int) -> Patterns:
        """Return exchangeable patterns, in which annotators do not matter, in drawing order."""
        if self.codes is None:
            return patterns
        placed = Codes(self._placed_codes(patterns.codes), self._distinct(distinct))
        return patterns.taken(exchangeable_patterns(placed).first)

    def _placed(self, patterns: Patterns, distinct: int) -> Codes:
        codes, slots = self._placed_codes(patterns.codes), patterns.annotator_of
        ranks = self.annotators
        if ranks is None:
            return Codes(codes, self._distinct(distinct), slots)
        if slots is None:
            return Codes(codes[:, np.argsort(ranks)], self._distinct(distinct))
        # slots are sorted by annotator, and the votes of an annotator by code; empty slots are last
        slots = np.where(slots < 0, -1, ranks[slots])
        last = np.where(slots < 0, len(ranks), slots)
        turn = np.argsort(last * (int(codes.max(initial=0)) + 2) + codes, axis=1, kind="stable")
        codes, slots = (np.take_along_axis(each, turn, axis=1) for each in (codes, slots))
        return Codes(codes, self._distinct(distinct), slots)

    def _placed_codes(self, codes: Integers) -> Integers:
        return codes if self.codes is None else np.append(self.codes, -1)[codes]

    def _distinct(self, distinct: int) -> int:
        return distinct if self.codes is None else int(self.codes.max(initial=-1)) + 1


def places_by_name(names: Values) -> NDArray[np.intp] | None:
    """Return the rank of each name: numbers by size, then texts; None if names are in order.

    Examples
    --------
    >>> places_by_name(np.array(["10", "b", "9", "2"]))
    array([2, 3, 1, 0])
    >>> places_by_name(np.array(["a10", "a9"])) is None
    True
    """
    texts = np.array([*map(str, names.tolist())])
    try:
        numbers = texts.astype(np.float64)
    except ValueError:
        numbers = np.array([_number(text) for text in texts.tolist()])
    text = np.isnan(numbers)
    return _places(np.lexsort([texts, np.where(text, 0.0, numbers), text]))


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def places_of_annotators(ratings: xr.Dataset) -> Integers | None:
    """Return the ranks of annotators sorted by name; None if already sorted, or anonymous."""
    if ratings.attrs.get("anonymous", 0):
        return None
    return places_by_name(np.asarray(ratings.variables["annotator"].values))


def places_of_codes(ratings: xr.Dataset, distinct_masses: Floats | None = None) -> Integers | None:
    """Return the ranks of the codes of ratings; None if they are in order.

    For shares and label sets, ``distinct_masses`` (code, label) are the masses (shares) of labels
    in each code.
    """
    task = ratings.attrs["task"]
    if task == "value":
        return None  # numbers are coded in their order
    if task == "spans":
        return _places_of_markings(ratings)
    labels = places_by_name(np.asarray(ratings.variables["label"].values))
    if labels is None or task == "single":
        return labels
    if task == "primary_secondary":
        secondary = np.append(0, labels + 1)  # ratings without a secondary label come first
        return np.asarray(labels[:, None] * (len(labels) + 1) + secondary[None, :]).reshape(-1)
    assert distinct_masses is not None
    by_name = distinct_masses[:, np.argsort(labels)]
    return _places(np.lexsort(by_name.T[::-1]))


def _places_of_markings(ratings: xr.Dataset) -> Integers | None:
    """Return the ranks of markings, the spans of an annotator in a document.

    Markings are sorted by the length of the document, then by their spans one after another.
    """
    from iaa_jax.data.marked.numbers import first_of_each  # imported here, for spans only

    labels = places_by_name(np.asarray(ratings.variables["label"].values))
    label = array_of(ratings, "label_of")
    label = label if labels is None else labels[label]
    marking, unit = array_of(ratings, "marking_of"), array_of(ratings, "unit_of")
    size = int(array_of(ratings, "marked").max(initial=-1)) + 1
    length = array_of(ratings, "length") if "length" in ratings else np.zeros(size, dtype=np.int64)
    order = np.lexsort((unit, label, array_of(ratings, "end"), array_of(ratings, "start"), marking))
    ends = np.cumsum(np.bincount(marking, minlength=size))
    # a unit, which has one or more spans, is identified by the first of them
    number, first = first_of_each(unit[order])
    within = first[number] - np.append(0, ends)[marking[order]]
    parts = [array_of(ratings, name)[order] for name in ("start", "end")]
    if any(part.dtype.kind == "f" for part in parts):  # the bits of floats sort like the floats
        parts = [np.asarray(part, dtype=np.float64).view(np.int64) for part in parts]
    spans = np.stack([*parts, label[order], within], axis=1).astype(">i8")
    keys = [
        (float(size_of), rows.tobytes())
        for size_of, rows in zip(length, np.split(spans, ends[:-1]), strict=True)
    ]
    return _places(np.array(sorted(range(size), key=keys.__getitem__), dtype=np.intp))


def _places(order: NDArray[np.intp]) -> NDArray[np.intp] | None:
    if bool((order[1:] > order[:-1]).all()):
        return None
    places = np.empty(len(order), dtype=np.intp)
    places[order] = np.arange(len(order))
    return places
