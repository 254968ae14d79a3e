"""Orders of the rows of a table: by a column, or with similar rows next to each other."""

from __future__ import annotations

from collections.abc import Collection, Container

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Integers, Values, Variables
from iaa_jax.data.facts import noun_of
from iaa_jax.data.groups import natural
from iaa_jax.measure.results import with_notes
from iaa_jax.measure.shared.confusions import first_connected
from iaa_jax.wording import Note, named

RANK = "rank"
"""The variable by which tables are sorted if only ``top`` is given."""

MOST_ORDERED = 300
"""Maximum number of rows to order by likeness; the work is cubic."""

_GAP = 1e-9
"""Maximum difference of eigenvalues that count as equal, as a share of the largest."""


def ranks(values: Values, *, falling: bool = False) -> NDArray[np.int64]:
    """Return the ranks of rows, from 1 on; tied rows keep their order, undefined rows come last.

    Examples
    --------
    >>> ranks(np.array([0.5, np.nan, 0.1, 0.5]))
    array([2, 4, 1, 3])
    """
    rank = np.empty(len(values), dtype=np.int64)
    rank[_order(values, falling)] = np.arange(1, len(values) + 1)
    return rank


def sort_rows(
    table: xr.Dataset, axis: str, sort: str | None, top: int | None, falling: Collection[str]
) -> xr.Dataset:
    """Return a table sorted by the column ``sort``, with only the first ``top`` rows.

    Only columns in ``falling`` are sorted from high to low. A minus before the name reverses the
    order.
    """
    if sort is None and top is None:
        return table
    name = sort or RANK
    column = name.removeprefix("-")
    sortable = [
        str(key)
        for key, variable in table.variables.items()
        if variable.dims == (axis,) and variable.dtype.kind in "biufOU"
    ]
    if column not in sortable:
        raise IaaError(
            f"{named('sort')} must be one of {', '.join(sortable)} (-NAME reverses the order), not "
            f"{sort!r}"
        )
    order = _order(table[column].values, (column in falling) != name.startswith("-"))
    rows = table.isel({axis: order[:top]})
    limit = {} if top is None else {"top": int(top)}
    return with_row_count(rows.assign_attrs(sort=name, **limit), axis, table.sizes[axis])


def with_row_count(table: xr.Dataset, axis: str, rows: int) -> xr.Dataset:
    """Add a note on how many rows the whole table has, if some are left out."""
    if table.sizes[axis] == rows:
        return table
    values = {"rows": table.sizes[axis], "of": rows, "noun": f"{noun_of(table.attrs, axis)}s"}
    return with_notes(table, [Note("rows_left_out", values)])


def _order(values: Values, falling: bool) -> NDArray[np.intp]:
    if values.dtype.kind in "OU":
        texts = [natural(str(value)) for value in values]
        rows = sorted(range(len(values)), key=texts.__getitem__, reverse=falling)
        return np.array(rows, dtype=np.intp)
    numbers = np.asarray(values, dtype=np.float64)
    known = np.flatnonzero(~np.isnan(numbers))
    order = known[np.argsort(-numbers[known] if falling else numbers[known], kind="stable")]
    return np.concatenate([order, np.flatnonzero(np.isnan(numbers))])


def ranked_by(variables: Container[object]) -> str:
    """Return the name of the variable that ranks annotators by agreement with the others.

    If a few items hold half of all comparisons, each item counts once, because control items that
    everybody rated would otherwise dominate everyone's agreement.
    """
    names = ("item_agreement", "agreement", "disagreement")
    return next(name for name in names if name in variables)


def places_of_pairs(variables: Variables) -> Variables:
    """Return positions of annotators that put similar ones side by side; empty without pairs."""
    names = ("pair_kappa", "pair_agreement", "pair_disagreement")
    name = next((name for name in names if name in variables), None)
    if name is None:
        return {}
    figure = variables[name][1]
    likeness = -figure if name == "pair_disagreement" else figure
    return {"pair_place": ("annotator_2", places_by_likeness(likeness))}


def places_by_likeness(likeness: Floats) -> Integers:
    """Return each row's position in `order_by_likeness`."""
    return np.argsort(order_by_likeness(likeness))


def order_by_likeness(likeness: Floats) -> Integers:
    """Return rows in an order with similar rows next to each other, by the Fiedler vector.

    This vector minimises ``sum_ij w_ij (x_i - x_j)^2`` over vectors x of mean 0 and length 1. The
    weight w_ij is the likeness of rows i and j, minus the lowest likeness of any two rows. If the
    rows fall into groups with no weight between them, each group is ordered separately, and the
    group of the first row comes first.

    Parameters
    ----------
    likeness : array (row, row)
        Likeness of every two rows; NaN if unknown, which counts as the lowest. The mean of both
        directions is used, and the diagonal is ignored.

    Returns
    -------
    array (row,)
        The rows in order, from the end that is nearer to the first row; in their original order if
        no order is better, or if there are more than 300 rows.

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
    different = ~np.eye(rows, dtype=bool)
    known = np.isfinite(likeness) & different
    if rows < 3 or rows > MOST_ORDERED or not known.any():
        return np.arange(rows)
    weight = np.where(known, likeness, likeness[known].min()) - likeness[known].min()
    weight = np.where(different, weight + weight.T, 0.0)
    weight[weight <= _GAP * weight.max()] = 0.0
    part = first_connected(weight > 0)
    parts = [np.flatnonzero(part == first) for first in np.unique(part)]
    return np.concatenate([members[_along_fiedler(weight, members)] for members in parts])


def _along_fiedler(weight: Floats, members: Integers) -> Integers:
    """Return an order of connected rows, from the end nearer to the first row."""
    of_members = weight[np.ix_(members, members)]
    unchanged = np.arange(len(members))
    if len(members) < 3:
        return unchanged
    values, vectors = np.linalg.eigh(np.diag(of_members.sum(axis=1)) - of_members)
    if values[2] - values[1] <= _GAP * values[-1]:
        return unchanged
    order = np.argsort(np.round(vectors[:, 1], 9), kind="stable")
    return order if np.argmin(order) <= len(members) // 2 else order[::-1]
