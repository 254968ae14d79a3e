"""Documents and what was marked in them: what comparisons of spans take."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._types import Integers


@dataclass(frozen=True)
class Markings:
    """The distinct markings of documents, and their spans in the order of start, end and label.

    Attributes
    ----------
    number, labels : int
        How many markings there are, and labels.
    marking_of, start, end, label_of, unit_of : array (span,)
        As in ratings of the task "spans".
    length : array (marking,) or None
        Length of the document that each stands in, where it is known.
    """

    number: int
    labels: int
    marking_of: Integers
    start: Integers
    end: Integers
    label_of: Integers
    unit_of: Integers
    length: Integers | None = None

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """The spans of each marking after those of the one before."""
        return np.argsort(self.marking_of, kind="stable")

    @cached_property
    def begins(self) -> NDArray[np.intp]:
        """Where the spans of each marking begin in this order; the last entry is their end."""
        ordered = self.marking_of[self.order]
        return np.searchsorted(ordered, np.arange(self.number + 1))

    @cached_property
    def units(self) -> Units:
        """The units that the spans make: a span each, but for discontinuous ones."""
        _, first, unit = np.unique(self.unit_of, return_index=True, return_inverse=True)
        return Units(self.marking_of[first], self.label_of[first], unit.reshape(-1))


@dataclass(frozen=True)
class Units:
    """What annotators marked as one: a span, or several parts under one label.

    Attributes
    ----------
    marking_of, label_of : array (unit,)
        The marking that it belongs to, and its label.
    unit : array (span,)
        The unit of each span.
    """

    marking_of: Integers
    label_of: Integers
    unit: Integers


@dataclass(frozen=True)
class Documents:
    """Documents with the marking of everybody who has seen them.

    Attributes
    ----------
    marked : array (document, column)
        Codes of markings, -1 for who has not seen the document. A column is an annotator, a slot,
        or one of a document's annotators in any order.
    """

    marked: Integers
    markings: Markings

    @cached_property
    def pairs(self) -> Pairs:
        """Each pair of columns that both saw a document, the earlier column first."""
        known = self.marked >= 0
        first, second = np.triu_indices(self.marked.shape[1], 1)
        document, pair = np.nonzero(known[:, first] & known[:, second])
        columns = first[pair], second[pair]
        codes = [self.marked[document, column] for column in columns]
        return Pairs(document, *columns, *codes)


@dataclass(frozen=True)
class Pairs:
    """Pairs of markings of the same document: arrays (pair,)."""

    document: NDArray[np.intp]
    first_column: NDArray[np.intp]
    second_column: NDArray[np.intp]
    first: Integers
    second: Integers


def markings_of(ratings: xr.Dataset) -> Markings:
    """The markings of ratings that are spans."""
    marking_of, start, end, label_of, unit_of = (
        np.asarray(ratings.variables[name].values)
        for name in ("marking_of", "start", "end", "label_of", "unit_of")
    )
    marked = np.asarray(ratings.variables["marked"].values)
    number = max(int(marked.max(initial=-1)), int(marking_of.max(initial=-1))) + 1
    length = np.asarray(ratings.variables["length"].values) if "length" in ratings else None
    labels = ratings.sizes["label"]
    return Markings(number, labels, marking_of, start, end, label_of, unit_of, length)
