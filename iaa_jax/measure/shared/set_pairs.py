"""Comparison of label sets, label by label, in all pairs of ratings of an item."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats, Integers
from iaa_jax.measure.ratings.rated import Rated

_CELLS = 1 << 22
"""Maximum number of cells (item, label, label) or (item, pair of ratings, label) of a block."""


@dataclass
class SetPairs:
    """Sums over items, and values of each pattern, from the comparison of label sets.

    A pattern is the ratings of an item, which other items may share; its weight is its number of
    items. Two ratings match on a label if both have it, or neither. Their ``agreement`` is the
    share of pairs of labels on both of which they match. For an item, ``agreement`` is the mean
    over its pairs of ratings, and NaN with fewer than two ratings. Arrays whose comment has no
    shape are (label, label): ``agreeing`` sums, over items, the share of pairs of ratings that
    match on both labels, and ``squares`` sums the square of this share. The other arrays of this
    shape count pairs of ratings, or items if the name ends in ``_items``.
    """

    panel: NDArray[np.intp]  # (pattern,) number of ratings
    agreement: Floats  # (pattern,)
    single: NDArray[np.bool_]  # (pattern,) every rating has exactly one label
    votes: Floats  # (pattern, label) share of the ratings with the label, NaN without ratings
    empty: Floats  # (pattern,) share of the ratings with no label
    agreeing: Floats
    squares: Floats
    swapped: Floats  # of the two labels, one rating has only the first, the other only the second
    swapped_items: Floats
    alone_items: Floats  # items on which two ratings swap the labels and differ in no other
    either: Floats  # one or both ratings have exactly one of the two labels
    of_annotators: Floats  # (annotator, annotator) sum of the agreement on their common items
    shared: Floats  # (annotator, annotator) common items
    items: float = 0.0  # number of items with a pair of ratings


def set_pairs(tables: Rated, *, of_labels: bool = True) -> SetPairs:
    """Compare the ratings of each item in pairs; ``of_labels`` includes the sums by label pair."""
    mass = tables.distinct_masses
    labels = mass.shape[1]
    count = tables.identified_table.count
    slots = tables.slot_codes
    patterns, annotators = len(count), tables.annotators
    width = labels if of_labels else 0
    square = (width, width)
    sums = SetPairs(
        panel=(slots.codes >= 0).sum(axis=1),
        agreement=np.full(patterns, np.nan),
        single=np.zeros(patterns, dtype=np.bool_),
        votes=np.full((patterns, labels), np.nan),
        empty=np.full(patterns, np.nan),
        agreeing=np.zeros(square),
        squares=np.zeros(square),
        swapped=np.zeros(square),
        swapped_items=np.zeros(square),
        alone_items=np.zeros(square),
        either=np.zeros(square),
        of_annotators=np.zeros((annotators, annotators)),
        shared=np.zeros((annotators, annotators)),
    )
    for rows, sets, annotator_of in _blocks(slots.codes, slots.annotator_of, mass, sums.panel):
        weight = count[rows]
        sums.votes[rows] = sets.mean(axis=1)
        size = sets.sum(axis=2)
        sums.empty[rows] = (size == 0).mean(axis=1)
        sums.single[rows] = (size == 1).all(axis=1)
        if sets.shape[1] < 2:
            continue
        _compare(sums, rows, sets, annotator_of, weight, of_labels=of_labels)
    for matrix in (sums.of_annotators, sums.shared):
        matrix += matrix.T
    return sums


def pair_agreement(matching: Floats | Integers, labels: int) -> Floats:
    """Return the share of pairs of labels that both match, from the number of matching labels."""
    count = np.asarray(matching, dtype=np.float64)
    return count * (count - 1) / (labels * (labels - 1))


def _blocks(
    codes: Integers, annotator_of: Integers | None, mass: Floats, panel: NDArray[np.intp]
) -> Iterator[tuple[NDArray[np.intp], Floats, Integers]]:
    labels = mass.shape[1]
    for size in np.unique(panel[panel > 0]):
        of_size = np.flatnonzero(panel == size)
        cells = labels * max(labels, int(size) * (int(size) - 1) // 2)
        block = max(1, _CELLS // cells)
        for start in range(0, len(of_size), block):
            rows = of_size[start : start + block]
            raters = np.broadcast_to(np.arange(size), (len(rows), size))
            if annotator_of is not None:
                raters = annotator_of[rows, :size]
            yield rows, mass[codes[rows, :size]], raters


def _compare(
    sums: SetPairs,
    rows: NDArray[np.intp],
    sets: Floats,
    annotator_of: Integers,
    weight: Floats,
    *,
    of_labels: bool,
) -> None:
    labels = sets.shape[2]
    left, right = np.triu_indices(sets.shape[1], 1)
    first, second = sets[:, left], sets[:, right]
    match = first * second + (1 - first) * (1 - second)
    agreed = pair_agreement(match.sum(axis=2), labels)
    sums.agreement[rows] = agreed.mean(axis=1)
    sums.items += float(weight.sum())
    annotators = len(sums.shared)
    cell = (annotator_of[:, left] * annotators + annotator_of[:, right]).reshape(-1)
    weights = np.broadcast_to(weight[:, None], agreed.shape)
    for matrix, figure in ((sums.of_annotators, weights * agreed), (sums.shared, weights)):
        totals = np.bincount(cell, figure.reshape(-1), minlength=annotators * annotators)
        matrix += totals.reshape(matrix.shape)
    if not of_labels:
        return
    share = _cross_sums(match, match) / len(left)
    sums.agreeing += np.tensordot(weight, share, axes=1)
    sums.squares += np.tensordot(weight, share * share, axes=1)
    only_first, only_second = first * (1 - second), second * (1 - first)
    swapped = _cross_sums(only_first, only_second)
    swapped += swapped.transpose(0, 2, 1)
    sums.swapped += np.tensordot(weight, swapped, axes=1)
    sums.swapped_items += np.tensordot(weight, (swapped > 0).astype(np.float64), axes=1)
    one_each = (only_first.sum(axis=2) == 1) & (only_second.sum(axis=2) == 1)
    alone = _cross_sums(only_first * one_each[:, :, None], only_second)
    alone += alone.transpose(0, 2, 1)
    sums.alone_items += np.tensordot(weight, (alone > 0).astype(np.float64), axes=1)
    # the four cases in which neither rating has exactly one of the two labels
    absent = (1 - first) * (1 - second)
    neither = sum(
        _weighted(weight, part) for part in (first * second, only_first, only_second, absent)
    )
    sums.either += float(weight.sum()) * len(left) - neither


def _cross_sums(first: Floats, second: Floats) -> Floats:
    """Return the sums (item, label, label) of products over an item's pairs of ratings."""
    return first.transpose(0, 2, 1) @ second


def _weighted(weight: Floats, part: Floats) -> Floats:
    labels = part.shape[2]
    weighted = (weight[:, None, None] * part).reshape(-1, labels)
    return weighted.T @ part.reshape(-1, labels)
