"""Rows of a result, for analyses that do not take them from `iaa_jax.pages.records` yet."""

from __future__ import annotations

from typing import Any

import xarray as xr

from iaa_jax.report.records import plain


def rows_of(found: xr.Dataset, axis: str) -> list[dict[str, Any]]:
    """The rows along an axis: every variable and coordinate that has it alone; None for NaN."""
    names: list[str] = [axis] if axis in found.coords else []
    names += [
        str(name)
        for name, variable in found.variables.items()
        if variable.dims == (axis,) and name != axis
    ]
    columns = [[plain(value) for value in found[name].values.tolist()] for name in names]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
