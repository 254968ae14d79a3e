"""The first n of a table, by one of its columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError
from iaa_jax.measure.request import is_whole


def check_top(top: object) -> None:
    """Refuse a number of rows that is none."""
    if top is not None and (not is_whole(top) or int(top) < 1):  # type: ignore[call-overload]
        message = f"top is a whole number of 1 or more, not {top!r}"
        raise IaaError(message)


def ranked(
    table: xr.Dataset,
    axis: str,
    sort: str | None,
    top: int | None,
    *,
    usual: str,
    descending: Mapping[str, bool],
) -> xr.Dataset:
    """The rows of a table in the order of a column, as many as asked for.

    Columns are sorted with what deserves a look first (``descending`` says which way); a minus
    before the name turns the order round. What is undefined stands last, and ties stay in order.
    """
    check_top(top)
    if sort is None and top is None:
        return table
    name = usual if sort is None else sort
    turned = name.startswith("-")
    column = name.removeprefix("-")
    sortable = [
        str(key)
        for key, variable in table.variables.items()
        if variable.dims == (axis,) and variable.dtype.kind in "biufOU"
    ]
    if column not in sortable:
        message = f"sort is one of {', '.join(sortable)} (-NAME turns it round), not {sort!r}"
        raise IaaError(message)
    order = _order(table[column].values, descending.get(column, False) != turned)
    return table.isel({axis: order if top is None else order[: int(top)]})


def _order(values: Any, falling: bool) -> Any:
    if values.dtype.kind in "OU":
        places = sorted(range(len(values)), key=lambda place: str(values[place]), reverse=falling)
        return np.array(places, dtype=np.intp)
    numbers = np.asarray(values, dtype=np.float64)
    known = np.flatnonzero(~np.isnan(numbers))
    order = known[np.argsort(-numbers[known] if falling else numbers[known], kind="stable")]
    return np.concatenate([order, np.flatnonzero(np.isnan(numbers))])
