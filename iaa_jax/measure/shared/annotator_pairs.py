"""Tables of the labels that two annotators gave to their common items."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats, Integers
from iaa_jax.data.patterns import Codes, slots_of

PairTables = tuple[NDArray[np.intp], Floats]
"""Two arrays: the annotators (pair, 2) of each pair, in ascending order, and the tables (pair,
label, label) of the labels that they gave."""


def no_pairs(labels: int) -> PairTables:
    """Return empty arrays, for ratings without pairs."""
    return np.zeros((0, 2), dtype=np.intp), np.zeros((0, labels, labels))


def tables_of_pairs(codes: Codes, count: Floats, annotators: int, shares: Floats) -> PairTables:
    """Return the pairs of annotators with common items, and the table of labels of each pair.

    ``shares`` (code, label) are the shares of the labels in each distinct rating.
    """
    single_labels = np.array_equal(shares, np.eye(shares.shape[1]))
    keys, weights = [], []
    base = len(shares)
    for first, second, code, other_code, weight in meetings(codes, count):
        # annotators ascend within an item, so that the first of a pair has the lower index
        key = ((first * annotators + second) * base + code) * base + other_code
        distinct, number_of = np.unique(key[weight > 0], return_inverse=True)
        keys.append(distinct)
        weights.append(np.bincount(number_of, weights=weight[weight > 0], minlength=len(distinct)))
    if not keys:
        return no_pairs(shares.shape[1])
    keys_of_all, number_of = np.unique(np.concatenate(keys), return_inverse=True)
    total = np.bincount(number_of, weights=np.concatenate(weights), minlength=len(keys_of_all))
    pair, codes_of_pair = np.divmod(keys_of_all, base * base)
    code, other_code = np.divmod(codes_of_pair, base)
    met, number = np.unique(pair, return_inverse=True)
    labels = shares.shape[1]
    table = np.zeros((len(met), labels, labels))
    if single_labels:
        np.add.at(table, (number, code, other_code), total)
    else:
        for start in range(0, len(keys_of_all), 4096):
            part = slice(start, start + 4096)
            outer = shares[code[part], :, None] * shares[other_code[part], None, :]
            np.add.at(table, number[part], total[part, None, None] * outer)
    return np.stack(np.divmod(met, annotators), axis=1), table


def meetings(
    codes: Codes, count: Floats
) -> Iterator[tuple[Integers, Integers, Integers, Integers, Floats]]:
    """Yield, for each pair of slots, the two annotators, their two codes, and the weights.

    A slot is an item's first, second, ... rating, no matter which annotator gave it.
    """
    rows, raters = slots_of(codes)
    panel = (rows >= 0).sum(axis=1)
    # rows with more ratings come first, so that the rows with a rating in a given slot do too
    order = np.argsort(-panel, kind="stable")
    rows, raters, weight, panel = rows[order], raters[order], count[order], panel[order]
    for later in range(1, rows.shape[1]):
        stop = int(np.searchsorted(-panel, -(later + 1), side="right"))
        for earlier in range(later):
            yield (
                raters[:stop, earlier].astype(np.intp),
                raters[:stop, later].astype(np.intp),
                rows[:stop, earlier],
                rows[:stop, later],
                weight[:stop],
            )
