"""Collect the markings of documents, and pairs of markings, for comparisons of spans.

A marking is all that an annotator marked in a document. Places are positions in a document that are
counted, such as characters, or measured, such as times.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import brief
from iaa_jax._types import Integers, Places, Values
from iaa_jax.data.marked.numbers import (
    expanded,
    first_of_each,
    joint,
    numbered_units,
    steps_per_unit,
)
from iaa_jax.data.storage import MARKED_ALONG_SPAN, annotator_of, array_of


@dataclass(frozen=True)
class Markings:
    """The distinct markings of documents.

    Attributes
    ----------
    number, labels : int
        Number of markings, and of labels.
    marking_of, start, end, label_of, unit_of : array (span,)
        As in ratings of the task "spans", but with measured places in steps. The spans of a marking
        are contiguous, in the order of start, end and label.
    length : array (marking,) or None
        Length of the document of each marking; None if lengths are unknown.
    steps : int
        For measured places, which become whole numbers of steps, the number of steps in the unit of
        measurement, such as a second; 0 for counted places.
    """

    number: int
    labels: int
    marking_of: Integers
    start: Integers
    end: Integers
    label_of: Integers
    unit_of: Integers
    length: Integers | None = None
    steps: int = 0

    def as_given(self, places: Integers) -> Places:
        """Convert places or lengths from steps to the unit of measurement."""
        return places / self.steps if self.steps else places

    @cached_property
    def begins(self) -> NDArray[np.intp]:
        """Where the spans of each marking begin; the last entry is the number of spans."""
        return np.searchsorted(self.marking_of, np.arange(self.number + 1))

    @cached_property
    def units(self) -> Units:
        """The units of the markings; the parts of a discontinuous span are one unit."""
        unit, first = first_of_each(self.unit_of)
        begins = np.searchsorted(self.marking_of[first], np.arange(self.number + 1))
        return Units(self.marking_of[first], self.label_of[first], unit, begins)

    @cached_property
    def extents(self) -> tuple[Integers, Integers]:
        """The first place of each unit, and the first place after the last of its parts."""
        units = self.units
        start = np.full(len(units.label_of), np.iinfo(np.int64).max)
        end = np.zeros(len(start), dtype=np.int64)
        np.minimum.at(start, units.unit, self.start)
        np.maximum.at(end, units.unit, self.end)
        return start, end

    @cached_property
    def boundaries(self) -> Integers:
        """A number for each unit, equal for units with the same boundaries of all parts."""
        return numbered_units(self.start, self.end, self.units.unit)

    @cached_property
    def kinds(self) -> Integers:
        """A number for each unit, equal for units with the same boundaries and label."""
        return np.asarray(pd.factorize(joint(self.boundaries, self.units.label_of))[0])

    @cached_property
    def distinct(self) -> Markings:
        """The markings without duplicate units."""
        again = pd.Series(joint(self.units.marking_of, self.kinds)).duplicated().to_numpy()
        if not again.any():
            return self
        return self._with_spans(~again[self.units.unit])

    def only_label(self, label: int) -> Markings:
        """Return the markings with only the spans of one label."""
        return self._with_spans(self.label_of == label)

    def _with_spans(self, kept: NDArray[np.bool_]) -> Markings:
        return replace(self, **{name: getattr(self, name)[kept] for name in MARKED_ALONG_SPAN})


@dataclass(frozen=True)
class Units:
    """Units of annotation: each is a single span, or all parts of a discontinuous span.

    ``marking_of`` and ``label_of`` are (unit,). ``unit`` (span,) is the unit of each span, and
    ``begins`` (marking + 1,) is where the units of each marking begin; the last entry is the number
    of units.
    """

    marking_of: Integers
    label_of: Integers
    unit: Integers
    begins: NDArray[np.intp]


@dataclass(frozen=True)
class Documents:
    """Documents with the marking of each annotator who has seen them.

    Attributes
    ----------
    marked : array (document, column)
        Code of the marking, -1 if the annotator has not seen the document. Columns are annotators,
        slots (`iaa_jax.data.slots`), or a document's annotators in any order.
    markings : Markings
        The markings that the codes refer to.
    """

    marked: Integers
    markings: Markings

    @cached_property
    def pairs(self) -> Pairs:
        """The pairs of annotators (columns) of each document, the earlier column first."""
        document, column = np.nonzero(self.marked >= 0)
        ends = np.searchsorted(document, document, side="right")
        first, second = expanded(np.arange(len(document)) + 1, ends)
        columns = column[first], column[second]
        codes = [self.marked[document[first], each] for each in columns]
        return Pairs(document[first], *columns, *codes)


@dataclass(frozen=True)
class Pairs:
    """Pairs of markings of the same document: arrays (pair,).

    ``first`` and ``second`` are the codes of the markings; ``first_column`` and ``second_column``
    are the columns of their annotators.
    """

    document: NDArray[np.intp]
    first_column: NDArray[np.intp]
    second_column: NDArray[np.intp]
    first: Integers
    second: Integers

    def take(self, kept: NDArray[np.generic]) -> Pairs:
        """Return only the pairs that ``kept`` selects, as a mask or as positions."""
        return Pairs(*(getattr(self, each.name)[kept] for each in fields(self)))


def documents_of(ratings: xr.Dataset) -> tuple[Values, Documents]:
    """Return the annotators sorted by name, and the documents with a column for each annotator."""
    marked, names = array_of(ratings, "marked"), array_of(ratings, "annotator")
    order = np.argsort(names.astype(str), kind="stable")
    if (slots := annotator_of(ratings)) is not None:
        place = np.empty(len(names), dtype=np.intp)
        place[order] = np.arange(len(names))
        document, slot = np.nonzero(marked >= 0)
        grid = np.full((len(marked), len(names)), -1, dtype=marked.dtype)
        grid[document, place[slots[document, slot]]] = marked[document, slot]
        return names[order], Documents(grid, markings_of(ratings))
    return names[order], Documents(marked[:, order], markings_of(ratings))


def markings_of(ratings: xr.Dataset) -> Markings:
    """Return the markings of ratings of the task "spans"."""
    along: dict[str, Integers] = {name: array_of(ratings, name) for name in MARKED_ALONG_SPAN}
    if (np.diff(along["marking_of"]) < 0).any():
        order = np.argsort(along["marking_of"], kind="stable")
        along = {name: values[order] for name, values in along.items()}
    marked = array_of(ratings, "marked")
    number = max(int(marked.max(initial=-1)), int(along["marking_of"].max(initial=-1))) + 1
    length = array_of(ratings, "length") if "length" in ratings else None
    places = [along["start"], along["end"], *([] if length is None else [length])]
    steps = steps_per_unit(*places)
    if steps:
        whole = [np.rint(each * steps).astype(np.int64) for each in places]
        along["start"], along["end"] = whole[:2]
        length = None if length is None else whole[2]
    return Markings(number, ratings.sizes["label"], **along, length=length, steps=steps)


def where_marked(ratings: xr.Dataset, marking: int) -> str:
    """Return a document and an annotator with this marking, as words for a message."""
    item, column = np.argwhere(array_of(ratings, "marked") == marking)[0]
    if (slots := annotator_of(ratings)) is not None:
        column = slots[item, column]
    document, annotator = array_of(ratings, "item")[item], array_of(ratings, "annotator")[column]
    return f"document {brief(str(document))}, annotator {brief(str(annotator))}"
