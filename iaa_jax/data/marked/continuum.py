"""Place units (marked spans) on the continuum of their document, and find units that meet.

A continuum ends where its document does. It consists of places: positions that are counted, such as
characters, or measured, such as times. The data of chance-corrected agreement on units have the
shape (document, column, column + sums, label): for each annotator (column) and label, the
differences from each other annotator, and then sums over the annotator's own units.
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
    """Distinct units on the continuum, sorted by cell and start; every span is a unit of its own.

    A marking is all that an annotator marked in a document. A cell holds all units of a marking, or
    only its units with one label; the units of a cell should not overlap.

    Attributes
    ----------
    cell, marking, label, start, end : array (unit,)
        Cell, marking and label of each unit, its first place, and the first place after it.
    begins : array (marking + 1,)
        Where the units of each marking begin; the last entry is the number of units.
    length : array (marking,)
        Length of the document of each marking.
    of_label : int
        Number of labels if each label has a cell of its own; 0 if all labels share a cell.
    steps : int
        For measured places, the number of steps in the unit of measurement; 0 for counted places.
    """

    cell: Integers
    marking: Integers
    label: Integers
    start: Integers
    end: Integers
    begins: NDArray[np.intp]
    length: Integers
    of_label: int
    steps: int = 0

    @cached_property
    def extent(self) -> Integers:
        """The length of each unit, in steps or counted places."""
        return self.end - self.start

    def size(self, extent: Integers) -> Floats:
        """Convert lengths from steps to the unit of measurement."""
        return extent / max(self.steps, 1)

    def meeting(self, first: Integers, second: Integers) -> Meeting:
        """Return the units of each pair's first marking, and units of the second that they meet.

        Units meet if they share a place. If each label has a cell, only units with the same label
        meet.
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
    """Units of the first marking of each pair, and units of the second marking that they meet.

    Attributes
    ----------
    pair, unit : array (entry,)
        Each unit of the first marking of each pair.
    alone : array (entry,)
        Whether the unit meets no unit.
    of : array (meeting,)
        The entry of each meeting.
    other : array (meeting,)
        The unit of the second marking.
    """

    pair: NDArray[np.intp]
    unit: NDArray[np.intp]
    alone: NDArray[np.bool_]
    of: NDArray[np.intp]
    other: NDArray[np.intp]


def continuum_of(markings: Markings, *, by_label: bool) -> Continuum:
    """Return the continuum of markings; if ``by_label``, each label has cells of its own."""
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
    """Return the reason why units make no continuum (unknown lengths, or overlaps), or None."""
    if markings.length is None:
        return Unfit(
            "the lengths of the documents are not known, and text that nobody marked counts too: "
            "give them to from_spans as lengths"
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
    """Return a note if units have several parts, since each part is a unit on the continuum."""
    discontinuous = int((np.bincount(markings.units.unit) > 1).sum())
    return (Note("parts_are_units", {"units": discontinuous}),) * bool(discontinuous)


def continuum_data(
    documents: Documents,
    differing: Floats,
    annotator_sums: Floats,
    identified: bool,
    fixed: int = 0,
) -> Floats:
    """Return data from differences (pair, 2, label) and from sums (marking, sum, label).

    A pair has differences in both directions, and each annotator has the sums of one marking. If
    not ``identified``, two columns stand for all annotators, each with half of the sums. The first
    ``fixed`` sums belong to the document, and are not added up over annotators.
    """
    pairs, marked = documents.pairs, documents.marked
    (many, columns), seen = marked.shape, marked >= 0
    if identified:
        data = np.zeros((many, columns, columns + annotator_sums.shape[1], annotator_sums.shape[2]))
        data[pairs.document, pairs.first_column, pairs.second_column] = differing[:, 0]
        data[pairs.document, pairs.second_column, pairs.first_column] = differing[:, 1]
        data[:, :, columns:][seen] = annotator_sums[marked[seen]]
        data[~seen] = np.nan
        return data
    sums = np.zeros((many, *annotator_sums.shape[1:]))
    for column in range(columns):
        there = seen[:, column]
        sums[there] += annotator_sums[marked[there, column]]
    data = two_columns(documents, differing, sums)
    panel = np.maximum(seen.sum(axis=1), 1)
    data[:, :, 2 : 2 + fixed] *= (2 / panel)[:, None, None, None]
    return data


def two_columns(documents: Documents, differing: Floats, sums: Floats) -> Floats:
    """Return data in which two columns stand for all annotators of a document."""
    pairs, panel = documents.pairs, (documents.marked >= 0).sum(axis=1)
    data = np.zeros((len(panel), 2, 2 + sums.shape[1], sums.shape[2]))
    both = np.zeros((len(panel), sums.shape[2]))
    np.add.at(both, pairs.document, differing.sum(axis=1))
    data[:, 0, 1] = data[:, 1, 0] = both / (2 * np.maximum(panel - 1, 1)[:, None])
    data[:, :, 2:] = sums[:, None] / 2
    data[panel < 2] = np.nan
    return data
