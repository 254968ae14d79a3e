"""An order of rows in which those that are alike stand side by side."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats, Integers, Variables

MOST_ORDERED = 300
"""Rows beyond which they stay as they are: nobody looks at so many, and the work grows cubed."""

_GAP = 1e-9
"""Eigenvalues nearer than this, as a share of the largest, are equal: then no order is better."""


def places_of_pairs(variables: Variables) -> Variables:
    """The place of each annotator where those who agree stand side by side; none without pairs."""
    names = ("pair_kappa", "pair_agreement", "pair_disagreement")
    name = next((name for name in names if name in variables), None)
    if name is None:
        return {}
    figure = variables[name][1]
    likeness = -figure if name == "pair_disagreement" else figure
    return {"pair_place": ("annotator_2", places_by_likeness(likeness))}


def places_by_likeness(likeness: Floats) -> Integers:
    """The place of each row in `order_by_likeness`."""
    return np.argsort(order_by_likeness(likeness))


def order_by_likeness(likeness: Floats) -> Integers:
    """An order in which rows that are alike stand side by side: that of the Fiedler vector.

    It makes ``sum_ij w_ij (x_i - x_j)^2`` least over vectors x of mean 0 and length 1, with the
    likeness of two rows above the least likeness as their weight w. Where these fall into parts
    with no weight between them, each part is ordered by itself, the part of the first row first.

    Parameters
    ----------
    likeness : array (row, row)
        How alike two rows are, the more the higher; NaN where that is unknown, which counts as
        the least. Of two directions the mean counts, and the diagonal is not looked at.

    Returns
    -------
    array (row,)
        The rows in order, from the end that is nearer to the first row; as they are where no order
        is better than another, or there are more than 300.

    References
    ----------
    Atkins, J. E., Boman, E. G. and Hendrickson, B. (1998). A spectral algorithm for seriation and
    the consecutive ones problem. SIAM Journal on Computing 28(1).
    https://doi.org/10.1137/S0097539795285771

    Examples
    --------
    >>> likeness = np.array([[1, 0.1, 0.8], [0.1, 1, 0.3], [0.8, 0.3, 1]])
    >>> order_by_likeness(likeness)
    array([0, 2, 1])
    """
    rows = len(likeness)
    apart = ~np.eye(rows, dtype=bool)
    known = np.isfinite(likeness) & apart
    if rows < 3 or rows > MOST_ORDERED or not known.any():
        return np.arange(rows)
    weight = np.where(known, likeness, likeness[known].min()) - likeness[known].min()
    weight = np.where(apart, weight + weight.T, 0.0)
    weight[weight <= _GAP * weight.max()] = 0.0
    part = _first_connected(weight > 0)
    parts = [np.flatnonzero(part == first) for first in np.unique(part)]
    return np.concatenate([members[_along_fiedler(weight, members)] for members in parts])


def _first_connected(connected: NDArray[np.bool_]) -> Integers:
    """The first of the rows with which each row is connected, by way of others too."""
    rows = len(connected)
    first = np.arange(rows)
    while True:
        nearer = np.minimum(first, np.where(connected, first, rows).min(axis=1))
        if (nearer == first).all():
            return first
        first = nearer


def _along_fiedler(weight: Floats, members: Integers) -> Integers:
    """An order of rows that weights connect, from the end nearer to the first of them."""
    of_members = weight[np.ix_(members, members)]
    as_they_are = np.arange(len(members))
    if len(members) < 3:
        return as_they_are
    values, vectors = np.linalg.eigh(np.diag(of_members.sum(axis=1)) - of_members)
    if values[2] - values[1] <= _GAP * values[-1]:
        return as_they_are
    order = np.argsort(np.round(vectors[:, 1], 9), kind="stable")
    return order if np.argmin(order) <= len(members) // 2 else order[::-1]
