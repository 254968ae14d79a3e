"""Compute the data of alpha_u (Krippendorff, 1995): squared differences between annotators.

A marking is all that an annotator marked in a document, and a unit is a marked span. Besides the
differences between annotators, each marking has these rows for each label:

========= =============================================================================
row       meaning
========= =============================================================================
0, 1      length of the document; length that the annotator worked on
2, 3, 4   number of units; sums over their lengths l: of (2 l^3 - 3 l^2 + l) / 3; of l (l - 1)
5 ...     for each distinct length l of units: l^2 times the number of units of this length,
...       and g - l + 1 summed over gaps of length g from l up
========= =============================================================================

If lengths are measured, as times are, and not counted, the rows are the limits for ever finer
units of measurement: the sums of 2 l^3 / 3 and of g - l, and the sum of l^2 minus the length of the
document.
"""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.data.marked.comparison import Comparison, Unfit
from iaa_jax.data.marked.continuum import (
    Continuum,
    continuum_data,
    continuum_of,
    notes_of_continuum,
    unfit_for_continuum,
)
from iaa_jax.data.marked.documents import Documents, Markings, Pairs
from iaa_jax.data.marked.numbers import expanded

_SUMS = 5
"""Number of rows before the rows for distinct lengths."""


def _data(documents: Documents, identified: bool) -> Floats:
    markings = documents.markings
    continuum = continuum_of(markings, by_label=True)
    differing = squared_differences(continuum, documents.pairs)
    both_ways = np.stack([differing, differing], axis=1)
    return continuum_data(documents, both_ways, _own(continuum, markings), identified, fixed=1)


def squared_differences(continuum: Continuum, pairs: Pairs) -> Floats:
    """Return the sums of squared differences of pairs (pair, label).

    The differences are the distances between the starts, and between the ends, of units that meet,
    and the lengths of units that lie in a gap of the other annotator.
    """
    labels = continuum.of_label
    sums = np.zeros(len(pairs.first) * labels)
    for first, second, met in ((pairs.first, pairs.second, 1), (pairs.second, pairs.first, 0)):
        meeting = continuum.meeting(first, second)
        place = meeting.pair * labels + continuum.label[meeting.unit]
        extent = continuum.size(continuum.extent[meeting.unit])
        sums += np.bincount(place, meeting.alone * extent**2, minlength=len(sums))
        if met:  # the units that meet are the same in both directions
            one, other = meeting.unit[meeting.of], meeting.other
            distances = continuum.size(continuum.start[one] - continuum.start[other]) ** 2
            distances += continuum.size(continuum.end[one] - continuum.end[other]) ** 2
            sums += np.bincount(place[meeting.of], distances, minlength=len(sums))
    return sums.reshape(-1, labels)


def _own(continuum: Continuum, markings: Markings) -> Floats:
    """Return the rows of each marking (marking, row, label), which the table above describes."""
    cells, labels = markings.number * markings.labels, markings.labels
    keys, begins = _lengths(continuum)
    known = continuum.size(keys % _width(continuum))
    extent = continuum.size(continuum.extent)
    place = 0.0 if continuum.steps else 1.0  # the length of a place
    columns = _columns(begins)
    annotator_rows = np.zeros((markings.number, _SUMS + 2 * columns, labels))
    annotator_rows[:, :2] = continuum.size(continuum.length)[:, None, None]
    powers = (np.ones_like(extent), (2 * extent**3 - 3 * place * extent**2 + place * extent) / 3)
    for row, of_unit in enumerate((*powers, extent * (extent - place)), start=2):
        sums = np.bincount(continuum.cell, of_unit, minlength=cells)
        annotator_rows[:, row] = sums.reshape(markings.number, labels)
    if continuum.steps:
        annotator_rows[:, 4] -= annotator_rows[:, 1]
    at = np.searchsorted(keys, continuum.label * _width(continuum) + continuum.extent)
    at = at - begins[continuum.label]
    squares = np.bincount(continuum.cell * columns + at, extent**2, minlength=cells * columns)
    cell, gap = _gaps(continuum, cells)
    label = cell % labels
    below = np.searchsorted(keys, label * _width(continuum) + gap, side="right") - begins[label]
    long = below > 0  # gaps with room for the shortest unit of the label
    at = (cell * columns + below - 1)[long]
    gaps, room = (
        np.bincount(at, of_gap, cells * columns).astype(np.float64).reshape(cells, columns)
        for of_gap in (np.ones(len(at)), continuum.size(gap[long]) + place)
    )
    of_label = np.zeros((labels, columns))
    label_of, length = expanded(begins[:-1], begins[1:])
    of_label[label_of, length - begins[label_of]] = known
    of_cell = np.tile(of_label, (markings.number, 1))
    room = _from_above(room) - of_cell * _from_above(gaps)
    shape = (markings.number, labels, columns)
    annotator_rows[:, _SUMS : _SUMS + columns] = squares.reshape(shape).swapaxes(1, 2)
    annotator_rows[:, _SUMS + columns :] = room.reshape(shape).swapaxes(1, 2)
    return annotator_rows


def _width(continuum: Continuum) -> int:
    return int(continuum.length.max(initial=0)) + 1


def _lengths(continuum: Continuum) -> tuple[Integers, Integers]:
    """Return the distinct lengths of units by label, as keys, and where each label's keys begin."""
    width = _width(continuum)
    keys = np.unique(continuum.label.astype(np.int64) * width + continuum.extent)
    return keys, np.searchsorted(keys, np.arange(continuum.of_label + 1) * width)


def _columns(begins: Integers) -> int:
    """Return the number of columns for distinct lengths of a label.

    The number is a power of two, so that kernels are rarely recompiled.
    """
    most = max(int(np.diff(begins).max(initial=1)), 1)
    return 1 << (most - 1).bit_length()


def _gaps(continuum: Continuum, cells: int) -> tuple[Integers, Integers]:
    """Return the cell and the length of each gap: before, between and after the units of a cell."""
    first = np.ones(len(continuum.cell), dtype=bool)
    first[1:] = continuum.cell[1:] != continuum.cell[:-1]
    before = np.where(first, 0, np.roll(continuum.end, 1))
    last = np.zeros(cells, dtype=np.int64)
    np.maximum.at(last, continuum.cell, continuum.end)
    cell = np.concatenate([continuum.cell, np.arange(cells)])
    after = np.repeat(continuum.length, continuum.of_label) - last
    return cell, np.concatenate([continuum.start - before, after])


def _from_above(sums: Floats) -> Floats:
    return np.flip(np.cumsum(np.flip(sums, axis=1), axis=1), axis=1)


def _unfit(markings: Markings) -> Unfit | None:
    return unfit_for_continuum(markings, by_label=True)


def _cells(markings: Markings, columns: int) -> int:
    begins = _lengths(continuum_of(markings, by_label=True))[1]
    return columns * (columns + _SUMS + 2 * _columns(begins)) * markings.labels


SQUARED = Comparison(_data, _unfit, _cells, notes=notes_of_continuum)
"""Comparison for alpha_u of Krippendorff (1995)."""
