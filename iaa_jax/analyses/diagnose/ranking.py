"""What deserves a look first: the rank of each row of a table, and the first n rows."""

from __future__ import annotations

from collections.abc import Collection, Container
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax._types import Values
from iaa_jax.data.facts import noun_of
from iaa_jax.data.groups import natural
from iaa_jax.measure.results import with_notes
from iaa_jax.wording import Note, named

if TYPE_CHECKING:
    import xarray as xr

RANK = "rank"
"""The variable that tables are sorted by where only ``top`` is given."""

_ROUNDING = 1e-12


def ranks(values: Values, *, falling: bool = False) -> NDArray[np.int64]:
    """The place of each row from 1 on; ties in order, and last what is undefined.

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
    """The rows of a table in the order of a column, as many as asked for.

    Columns are sorted with what deserves a look first, those in ``falling`` from the highest down;
    a minus before the name turns the order round. The attributes keep what was asked for, and a
    note says how many rows are left out.
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
        message = (
            f"{named('sort')} must be one of {', '.join(sortable)} (-NAME reverses the order), not "
            f"{sort!r}"
        )
        raise IaaError(message)
    order = _order(table[column].values, (column in falling) != name.startswith("-"))
    rows = table.isel({axis: order[:top]})
    limit = {} if top is None else {"top": int(top)}
    return with_row_count(rows.assign_attrs(sort=name, **limit), axis, table.sizes[axis])


def with_row_count(table: xr.Dataset, axis: str, rows: int) -> xr.Dataset:
    """A table that says of how many rows it is a part."""
    if table.sizes[axis] == rows:
        return table
    values = {"rows": table.sizes[axis], "of": rows, "noun": f"{noun_of(table.attrs, axis)}s"}
    return with_notes(table, [Note("rows_left_out", values)])


def overlapping(table: xr.Dataset, place: int) -> dict[str, object]:
    """How many of those who agree more have an interval that overlaps with that of the farthest."""
    if "agreement_ci_low" not in table or np.isnan(table["agreement_ci_high"].values[place]):
        return {}
    more = table["agreement"].values > table["agreement"].values[place] + _ROUNDING
    low, high = table["agreement_ci_low"].values, table["agreement_ci_high"].values[place]
    return {"farthest_overlap": int((more & (low <= high)).sum())}


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
    """The figure that says how far annotators agree with the others.

    Where a few items hold half of all comparisons, each item counts once: control items that
    everybody rated would be nearly all of anybody's agreement.
    """
    names = ("item_agreement", "agreement", "disagreement")
    return next(name for name in names if name in variables)
