"""Compute the data of unitizing alphas: the lengths over which annotators agree or differ.

The coefficients are from Krippendorff et al. (2016). A continuum is a document as an annotator
divided it into units (marked spans) and gaps, where there is no unit. The values on a continuum are
the labels of its units, and one value for gaps. The data hold the differences between annotators,
and three sums for each annotator and value: the length that is compared with other annotators, the
squared lengths of units, and the length of units. For gaps, the second sum is their length if
positions are counted, and 0 if positions are measured.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.data.marked.comparison import Comparison, Unfit
from iaa_jax.data.marked.continuum import (
    Continuum,
    continuum_data,
    continuum_of,
    notes_of_continuum,
    two_columns,
    unfit_for_continuum,
)
from iaa_jax.data.marked.documents import Documents, Markings

_OWN = 3
"""Number of sums of an annotator for each value."""


class _Overlaps(NamedTuple):
    """Overlaps between units of two annotators: arrays (overlap,)."""

    pair: Integers
    unit: Integers
    other: Integers
    start: Integers
    end: Integers

    extent: Floats


def _overlaps(continuum: Continuum, first: Integers, second: Integers) -> _Overlaps:
    meeting = continuum.meeting(first, second)
    unit, other = meeting.unit[meeting.of], meeting.other
    start = np.maximum(continuum.start[unit], continuum.start[other])
    end = np.minimum(continuum.end[unit], continuum.end[other])
    return _Overlaps(meeting.pair[meeting.of], unit, other, start, end, continuum.size(end - start))


def _value_lengths(documents: Documents, identified: bool, *, binary: bool) -> Floats:
    """Return the data on labels and gaps; if ``binary``, all labels count as one."""
    markings, pairs = documents.markings, documents.pairs
    continuum = continuum_of(markings, by_label=False)
    values = 1 if binary else markings.labels
    label = np.zeros_like(continuum.label) if binary else continuum.label
    extent = continuum.size(continuum.extent)
    annotator_sums = np.zeros((markings.number, _OWN, values + 1))
    for row, of_unit in ((0, extent), (1, extent**2), (2, extent)):
        sums = np.bincount(
            continuum.marking * values + label, of_unit, minlength=markings.number * values
        )
        annotator_sums[:, row, :values] = sums.reshape(-1, values)
    length = continuum.size(continuum.length)
    annotator_sums[:, 0, values] = annotator_sums[:, 1, values] = length - annotator_sums[:, 0].sum(
        axis=1
    )
    if continuum.steps:
        annotator_sums[:, 1, values] = 0  # if positions are measured, a position has no length
    met = _overlaps(continuum, pairs.first, pairs.second)
    both = np.bincount(met.pair, met.extent, minlength=len(pairs.first))
    same = label[met.unit] == label[met.other]
    place = (met.pair * values + label[met.unit])[same]
    alike = np.bincount(place, met.extent[same], minlength=len(pairs.first) * values)
    # gaps of both annotators: the document without the units of either of them
    lengths = [annotator_sums[each, 0] for each in (pairs.first, pairs.second)]
    units = sum(each[:, :values].sum(axis=1) for each in lengths)
    no_unit = length[pairs.first] - units + both
    alike = np.concatenate([alike.reshape(-1, values), no_unit[:, None]], axis=1)
    return continuum_data(
        documents, np.stack([each - alike for each in lengths], axis=1), annotator_sums, identified
    )


def _meeting_lengths(documents: Documents, identified: bool) -> Floats:
    """Return the data on the labels of units, wherever units of two annotators overlap.

    The data are for all annotators of a document together, because they state how much of each unit
    the units of all other annotators cover.
    """
    if identified:
        raise ValueError(
            "all annotators of a document enter this comparison together: none can be weighted"
        )
    markings, pairs = documents.markings, documents.pairs
    continuum = continuum_of(markings, by_label=False)
    labels, many = markings.labels, len(documents.marked)
    first = np.concatenate([pairs.first, pairs.second])
    second = np.concatenate([pairs.second, pairs.first])
    met = _overlaps(continuum, first, second)
    document = np.concatenate([pairs.document, pairs.document])[met.pair]
    columns = np.concatenate([pairs.first_column, pairs.second_column])[met.pair]
    label = continuum.label[met.unit]
    panel = (documents.marked >= 0).sum(axis=1)

    def summed(row: Integers, label: Integers, lengths: Floats, rows: int) -> Floats:
        sums = np.bincount(row * labels + label, lengths, minlength=rows * labels)
        return sums.astype(np.float64).reshape(rows, labels)

    annotator_sums = np.zeros((many, _OWN, labels))
    annotator_sums[:, 0] = (
        summed(document, label, met.extent, many) / np.maximum(panel - 1, 1)[:, None]
    )
    # the part of each unit that units of other annotators cover
    annotator = document * documents.marked.shape[1] + columns
    key, steps = _covered(annotator * (len(continuum.cell) + 1) + met.unit, met)
    covered = continuum.size(steps)
    unit = key % (len(continuum.cell) + 1)
    of_unit = key // (len(continuum.cell) + 1) // documents.marked.shape[1]
    annotator_sums[:, 1] = summed(of_unit, continuum.label[unit], covered**2, many)
    extent = continuum.size(continuum.extent)
    marked = summed(continuum.marking, continuum.label, extent, markings.number)
    for column in documents.marked.T:
        annotator_sums[column >= 0, 2] += marked[column[column >= 0]]
    different = label != continuum.label[met.other]
    differing = summed(met.pair[different], label[different], met.extent[different], len(first))
    both = np.stack(np.split(differing, 2), axis=1)
    return two_columns(documents, both, annotator_sums)


def _covered(key: Integers, met: _Overlaps) -> tuple[Integers, Integers]:
    """Return the distinct keys, and the length that the overlaps with each key cover together."""
    order = np.lexsort([met.start, key])
    key, start, end = key[order], met.start[order], met.end[order]
    keys, begins = np.unique(key, return_index=True)
    if not len(keys):
        return keys, np.zeros(0, dtype=np.int64)
    rank = np.searchsorted(keys, key)
    width = int(end.max()) + 1
    reached = np.maximum.accumulate(rank * width + end) - rank * width
    before = np.roll(reached, 1)
    before[begins] = 0
    new = np.maximum(end - np.maximum(start, before), 0)
    return keys, np.add.reduceat(new, begins)


def _unfit(markings: Markings) -> Unfit | None:
    return unfit_for_continuum(markings, by_label=False)


def _cells(markings: Markings, columns: int, more: int) -> int:
    return columns * (columns + _OWN) * (markings.labels + more)


def _comparison(data: Callable[..., Floats], more: int, *, weighs_annotators: bool) -> Comparison:
    cells = partial(_cells, more=more)
    return Comparison(data, _unfit, cells, weighs_annotators, notes_of_continuum)


VALUES = _comparison(partial(_value_lengths, binary=False), 1, weighs_annotators=True)
"""Comparison of labels and gaps."""

BINARY = _comparison(partial(_value_lengths, binary=True), 1, weighs_annotators=True)
"""Comparison of units and gaps, whatever the labels."""

MEETINGS = _comparison(_meeting_lengths, 0, weighs_annotators=False)
"""Comparison of the labels of units where units overlap."""
