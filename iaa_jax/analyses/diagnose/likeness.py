"""An order of rows in which those that are alike stand side by side."""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from iaa_jax._types import Floats, Integers

_OPTIMAL = 200
"""Rows up to which the best order of the leaves is looked for, which takes their cube."""


def places_by_likeness(likeness: Floats) -> Integers:
    """The place of each row in `order_by_likeness`."""
    return np.argsort(order_by_likeness(likeness))


def order_by_likeness(likeness: Floats) -> Integers:
    """An order in which rows that are alike stand side by side: of average linkage's leaves.

    Parameters
    ----------
    likeness : array (row, row)
        How alike two rows are, the more the higher; NaN where that is unknown, which counts as
        the least. Of two directions the mean counts, and the diagonal is not looked at.

    Returns
    -------
    array (row,)
        The rows in order. Of the two ways to read it the one that begins nearer to the first row.

    References
    ----------
    Bar-Joseph, Z., Gifford, D. K. and Jaakkola, T. S. (2001). Fast optimal leaf ordering for
    hierarchical clustering. Bioinformatics 17. https://doi.org/10.1093/bioinformatics/17.suppl_1.S22

    Examples
    --------
    >>> likeness = np.array([[1, 0.1, 0.8], [0.1, 1, 0.3], [0.8, 0.3, 1]])
    >>> order_by_likeness(likeness)
    array([0, 2, 1])
    """
    rows = len(likeness)
    ways = np.stack([likeness, likeness.T])
    known_ways = np.isfinite(ways).sum(axis=0)
    both = np.full(likeness.shape, np.nan)
    np.divide(np.nansum(ways, axis=0), known_ways, where=known_ways > 0, out=both)
    apart = ~np.eye(rows, dtype=bool)
    known = both[apart & np.isfinite(both)]
    if rows < 3 or not known.size:
        return np.arange(rows)
    distance = np.where(np.isfinite(both), known.max() - both, known.max() - known.min())
    np.fill_diagonal(distance, 0.0)
    tree = linkage(
        squareform(np.maximum(distance, 0.0), checks=False),
        "average",
        optimal_ordering=rows <= _OPTIMAL,
    )
    order = leaves_list(tree).astype(np.int64)
    return order if np.argmin(order) <= rows // 2 else order[::-1]
