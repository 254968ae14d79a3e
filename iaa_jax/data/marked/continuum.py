"""Units on the continuum of a document: lengths, the gaps between units, and where units meet.

A continuum ends where its document does. The data of chance-corrected agreement on units are
(document, column, column + own, label): the differences of each pair of columns, then each
annotator's own sums.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats, Integers
from iaa_jax.data.marked.comparison import Unfit
from iaa_jax.data.marked.documents import Documents, Markings
from iaa_jax.data.marked.numbers import expanded
from iaa_jax.wording import Note


@dataclass(frozen=True)
class Continuum:
    """The distinct units of markings, in the order of their cells and starts.

    A cell is a marking, or a marking and one label; the units of a cell do not overlap.
    """

    cell: Integers
    marking: Integers
    label: Integers
    start: Integers
    end: Integers
    begins: NDArray[np.intp]  # (marking + 1,)
    length: Integers  # (marking,)
    of_label: int  # number of labels with a cell each; 0 if all share a cell
    steps: int = 0  # of measured places, as in Markings

    @cached_property
    def extent(self) -> Integers:
        """The length of each unit."""
        return self.end - self.start

    def size(self, extent: Integers) -> Floats:
        """Extents in the unit of the data."""
        return extent / max(self.steps, 1)

    def meeting(self, first: Integers, second: Integers) -> Meeting:
        """For pairs of markings, each unit of the first with the units of the second that it meets.

        Units meet where they share a place; with a cell per label, only units of one label meet.
        """
        pair, unit = expanded(self.begins[first], self.begins[first + 1])
        cell = second[pair].astype(np.int64)
        if self.of_label:
            cell = cell * self.of_label + self.label[unit]
        width = int(self.length.max(initial=0)) + 1
        ends, starts = self.cell * width + self.end, self.cell * width + self.start
        begin = np.searchsorted(ends, cell * width + self.start[unit], side="right")
        end = np.searchsorted(starts, cell * width + self.end[unit], side="left")
        of, other = expanded(begin, end)
        return Meeting(pair, unit, end == begin, of, other)


class Meeting(NamedTuple):
    """Units of the first markings of pairs, and the units of the second that they meet."""

    pair: NDArray[np.intp]  # (entry,)
    unit: NDArray[np.intp]  # (entry,)
    alone: NDArray[np.bool_]  # (entry,) whether the unit meets none
    of: NDArray[np.intp]  # (meeting,) the entry
    other: NDArray[np.intp]  # (meeting,) the unit that is met


def continuum_of(markings: Markings, *, by_label: bool) -> Continuum:
    """The units of markings, without duplicates."""
    distinct = markings.distinct
    labels = markings.labels if by_label else 0
    marking = distinct.marking_of.astype(np.int64)
    cell = marking * labels + distinct.label_of if by_label else marking
    order = np.lexsort([distinct.start, cell])
    length = np.zeros(markings.number) if markings.length is None else markings.length
    return Continuum(
        cell[order],
        marking[order],
        distinct.label_of[order],
        distinct.start[order].astype(np.int64),
        distinct.end[order].astype(np.int64),
        np.searchsorted(marking[order], np.arange(markings.number + 1)),
        length.astype(np.int64),
        labels,
        markings.steps,
    )


def unfit_for_continuum(markings: Markings, *, by_label: bool) -> Unfit | None:
    """Why units make no continuum: no length, or overlaps."""
    if markings.length is None:
        return Unfit(
            "the lengths of the documents are not known, and what nobody marked counts too; "
            "from_spans takes them as lengths"
        )
    continuum = continuum_of(markings, by_label=by_label)
    overlap = (np.diff(continuum.cell) == 0) & (continuum.start[1:] < continuum.end[:-1])
    if not overlap.any():
        return None
    instead = "use gamma or span_f1" if by_label else "use form 'alpha_u', gamma or span_f1"
    of_whom = " of one label" if by_label else ""
    return Unfit(
        f"units{of_whom} of one annotator overlap: leave some out, or {instead}",
        int(continuum.marking[1:][overlap][0]),
    )


def notes_of_continuum(markings: Markings) -> tuple[Note, ...]:
    """Note how many units have several parts, each a unit of its own on the continuum."""
    several = int((np.bincount(markings.units.unit) > 1).sum())
    return (Note("parts_are_units", {"units": several}),) * bool(several)


def continuum_data(
    documents: Documents, differing: Floats, own: Floats, identified: bool, fixed: int = 0
) -> Floats:
    """Data from differences in each direction (pair, 2, label) and own sums (marking, own, label).

    Where annotators need not be identified, two columns stand for all, each with half of the sums.
    The first ``fixed`` own rows belong to the document and are not summed.
    """
    pairs, marked = documents.pairs, documents.marked
    (many, columns), seen = marked.shape, marked >= 0
    if identified:
        data = np.zeros((many, columns, columns + own.shape[1], own.shape[2]))
        data[pairs.document, pairs.first_column, pairs.second_column] = differing[:, 0]
        data[pairs.document, pairs.second_column, pairs.first_column] = differing[:, 1]
        data[:, :, columns:][seen] = own[marked[seen]]
        data[~seen] = np.nan
        return data
    sums = np.zeros((many, *own.shape[1:]))
    for column in range(columns):
        there = seen[:, column]
        sums[there] += own[marked[there, column]]
    data = two_columns(documents, differing, sums)
    panel = np.maximum(seen.sum(axis=1), 1)
    data[:, :, 2 : 2 + fixed] *= (2 / panel)[:, None, None, None]
    return data


def two_columns(documents: Documents, differing: Floats, sums: Floats) -> Floats:
    """Data in which two columns stand for all annotators of a document."""
    pairs, panel = documents.pairs, (documents.marked >= 0).sum(axis=1)
    data = np.zeros((len(panel), 2, 2 + sums.shape[1], sums.shape[2]))
    both = np.zeros((len(panel), sums.shape[2]))
    np.add.at(both, pairs.document, differing.sum(axis=1))
    data[:, 0, 1] = data[:, 1, 0] = both / (2 * np.maximum(panel - 1, 1)[:, None])
    data[:, :, 2:] = sums[:, None] / 2
    data[panel < 2] = np.nan
    return data
