"""Every pair of annotators on its common items."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax.data.patterns import Codes, by_slot
from iaa_jax.engine.problem import Floats

MOST_ANNOTATORS = 1000
"""Annotators beyond which there is no table of all pairs."""

_CELLS = 1 << 26


class Matrices(NamedTuple):
    """Tables (annotator, annotator); the diagonal holds an annotator's own items."""

    shared: Floats
    agreement: Floats
    kappa: Floats


def too_many(annotators: int, labels: int) -> str:
    """Why there is no table of pairs, if there is none."""
    if annotators <= MOST_ANNOTATORS and annotators**2 * max(labels, 1) <= _CELLS:
        return ""
    return (
        f"{annotators:,} annotators make {annotators * (annotators - 1) // 2:,} pairs, too many "
        "for a table of them (keep some annotators)"
    )


def matrices(
    codes: Codes, count: Floats, annotators: int, shares: Floats, disagreement: Floats
) -> Matrices:
    """Agreement and Cohen's kappa of each pair; rows are the first annotator of a weighted one."""
    labels = shares.shape[1]
    shared = np.zeros(annotators**2)
    apart = np.zeros(annotators**2)
    margins = np.zeros((annotators**2, labels))  # of the first annotator of the two
    matrix_rows = shares @ disagreement
    for one, other, own, theirs, weight in _meetings(codes, count):
        for a, b, first, second in ((one, other, own, theirs), (other, one, theirs, own)):
            pair = a * annotators + b
            distance = (matrix_rows[first] * shares[second]).sum(axis=1)
            np.add.at(shared, pair, weight)
            np.add.at(apart, pair, weight * distance)
            np.add.at(margins, pair, weight[:, None] * shares[first])
    square = (annotators, annotators)
    table = margins.reshape(*square, labels)
    chance = np.einsum("abl,lm,bam->ab", table, disagreement, table, optimize=True)
    items = shared.reshape(square)
    away = apart.reshape(square)
    met = items > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        agreement = np.where(met, 1 - away / items, np.nan)
        kappa = np.where(met & (chance > 0), 1 - away * items / chance, np.nan)
    np.fill_diagonal(items, _own_items(codes, count, annotators))
    np.fill_diagonal(agreement, np.nan)
    np.fill_diagonal(kappa, np.nan)
    return Matrices(items, agreement, kappa)


def squared_differences(
    codes: Codes, count: Floats, annotators: int, values: Floats
) -> tuple[Floats, Floats]:
    """For ratings that are numbers: shared items, and the mean squared difference."""
    shared = np.zeros(annotators**2)
    apart = np.zeros(annotators**2)
    for one, other, own, theirs, weight in _meetings(codes, count):
        distance = weight * (values[own] - values[theirs]) ** 2
        for pair in (one * annotators + other, other * annotators + one):
            np.add.at(shared, pair, weight)
            np.add.at(apart, pair, distance)
    items = shared.reshape(annotators, annotators)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(items > 0, apart.reshape(items.shape) / items, np.nan)
    np.fill_diagonal(items, _own_items(codes, count, annotators))
    return items, mean


PairTables = tuple[NDArray[np.intp], Floats]
"""Of each pair a < b of annotators, who they are (pair, 2), and their table of labels."""


def no_pairs(labels: int) -> PairTables:
    """The tables of nobody."""
    return np.zeros((0, 2), dtype=np.intp), np.zeros((0, labels, labels))


def tables_of_pairs(codes: Codes, count: Floats, annotators: int, shares: Floats) -> PairTables:
    """The pairs that have items in common, and their tables."""
    whole = len(shares) == shares.shape[1]  # a rating is one label
    keys, weights = [], []
    base = len(shares)
    for one, other, own, theirs, weight in _meetings(codes, count):
        # annotators ascend within an item, so that the first is the first of the pair
        key = ((one * annotators + other) * base + own) * base + theirs
        kept, place = np.unique(key[weight > 0], return_inverse=True)
        keys.append(kept)
        weights.append(np.bincount(place, weights=weight[weight > 0], minlength=len(kept)))
    if not keys:
        return no_pairs(shares.shape[1])
    found, place = np.unique(np.concatenate(keys), return_inverse=True)
    total = np.bincount(place, weights=np.concatenate(weights), minlength=len(found))
    pair, both = np.divmod(found, base * base)
    own, theirs = np.divmod(both, base)
    met, number = np.unique(pair, return_inverse=True)
    labels = shares.shape[1]
    table = np.zeros((len(met), labels, labels))
    if whole:
        np.add.at(table, (number, own, theirs), total)
    else:
        for start in range(0, len(found), 4096):
            part = slice(start, start + 4096)
            outer = shares[own[part], :, None] * shares[theirs[part], None, :]
            np.add.at(table, number[part], total[part, None, None] * outer)
    return np.stack(np.divmod(met, annotators), axis=1), table


def _meetings(codes: Codes, count: Floats) -> Any:
    """For each pair of slots, the annotators that meet there, their codes, and the weights."""
    placed = by_slot(Codes(codes.codes, codes.distinct, codes.annotator_of))
    rows, whose = placed.codes, placed.annotator_of
    assert whose is not None
    panel = (rows >= 0).sum(axis=1)
    # widest panels first: the patterns with a rating in a slot are then the first ones
    order = np.argsort(-panel, kind="stable")
    rows, whose, weight, panel = rows[order], whose[order], count[order], panel[order]
    for later in range(1, rows.shape[1]):
        stop = int(np.searchsorted(-panel, -(later + 1), side="right"))
        for earlier in range(later):
            yield (
                whose[:stop, earlier].astype(np.intp),
                whose[:stop, later].astype(np.intp),
                rows[:stop, earlier],
                rows[:stop, later],
                weight[:stop],
            )


def _own_items(codes: Codes, count: Floats, annotators: int) -> Floats:
    rows, places = np.nonzero(codes.codes >= 0)
    whose = places if codes.annotator_of is None else codes.annotator_of[rows, places]
    return np.bincount(whose, weights=count[rows], minlength=annotators).astype(np.float64)
