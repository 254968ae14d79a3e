"""Tables of how often two labels occur together on the same items."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats, Integers

_CELLS = 1 << 23


class Confusions(NamedTuple):
    """Tables (label, label) of pairs of ratings; each rating's pairs have a total weight of 1."""

    coincidences: Floats
    expected: Floats


def confusions(
    codes: NDArray[np.integer], count: Floats, shares: Floats, *, sets: bool
) -> Confusions:
    """Return coincidences within items, and the coincidences that are expected by chance.

    The coincidences are ``o_kl = sum_i w_i sum_{a != b} m_iak m_ibl / (n_i - 1)`` over items i with
    n_i > 1 ratings and weight w_i, where m_iak is the mass of label k in rating a of item i. The
    expectation is ``e_kl = (R_k R_l - sum_ia w_i m_iak m_ial) / (N - 1)``. Here R_k is the number
    of ratings with label k on these items, and N the number of all ratings. Unless ratings are
    sets, both tables sum to N. If ratings are sets, two ratings confuse k and l (k != l) if one has
    k without l and the other l without k, and they agree on k if both have k.
    """
    labels = shares.shape[1]
    panel = (codes >= 0).sum(axis=1)
    used = np.flatnonzero((panel >= 2) & (count > 0))
    observed = np.zeros((labels, labels))
    totals = np.zeros((labels, labels))
    self_pairs = np.zeros((labels, labels))
    ratings = 0.0
    table = np.concatenate([shares, np.zeros((1, labels))])
    step = max(1, _CELLS // max(codes.shape[1] * labels * (labels if sets else 1), 1))
    for start in range(0, len(used), step):
        rows = used[start : start + step]
        mass = table[codes[rows]]  # (row, column, label); zeros for missing ratings
        weight = count[rows]
        n = panel[rows]
        ratings += float(weight @ n)
        scale = weight / (n - 1)
        if not sets:
            sums = mass.sum(axis=1)
            same = np.einsum("i,iak,ial->kl", scale, mass, mass, optimize=True)
            observed += (scale[:, None] * sums).T @ sums - same
            totals += np.outer(weight @ sums, np.ones(labels))
            self_pairs += np.einsum("i,iak,ial->kl", weight, mass, mass, optimize=True)
            continue
        # with_without[i, k, l]: ratings with k and without l; on the diagonal, ratings with k
        with_without = np.einsum("iak,ial->ikl", mass, 1.0 - mass, optimize=True)
        present = mass.sum(axis=1)
        with_without[:, np.arange(labels), np.arange(labels)] = present
        both = with_without * with_without.transpose(0, 2, 1)
        both[:, np.arange(labels), np.arange(labels)] -= present
        observed += np.einsum("i,ikl->kl", scale, both)
        totals += np.einsum("i,ikl->kl", weight, with_without)
        self_pairs += np.diag(weight @ present)
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = (totals * totals.T - self_pairs) / (ratings - 1)
    return Confusions(observed, expected)


def coincidences_of_items(codes: NDArray[np.integer], shares: Floats) -> Floats:
    """Return the coincidences (row, label x label) that an item with each row of codes adds."""
    labels = shares.shape[1]
    panel = (codes >= 0).sum(axis=1)
    table = np.concatenate([shares, np.zeros((1, labels))])
    parts = np.zeros((len(codes), labels * labels))
    step = max(1, _CELLS // max(codes.shape[1] * labels * labels, 1))
    for start in range(0, len(codes), step):
        rows = slice(start, start + step)
        mass = table[codes[rows]]
        sums = mass.sum(axis=1)
        pairs = sums[:, :, None] * sums[:, None, :] - np.einsum("iak,ial->ikl", mass, mass)
        number = np.where(panel[rows] > 1, panel[rows] - 1.0, np.inf)
        parts[rows] = (pairs / number[:, None, None]).reshape(-1, labels * labels)
    return parts


def first_connected(connected: NDArray[np.bool_]) -> Integers:
    """Return the first row with which each row is connected, directly or through other rows.

    SciPy has this for graphs, but takes long to load.

    Examples
    --------
    >>> confused = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool)
    >>> first_connected(confused).tolist()
    [0, 1, 0]
    """
    rows = len(connected)
    first = np.arange(rows)
    while True:
        nearer = np.minimum(first, np.where(connected, first, rows).min(axis=1))
        if (nearer == first).all():
            return first
        first = nearer
