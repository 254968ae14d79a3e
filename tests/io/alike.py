"""Ratings out of files with other names."""

from __future__ import annotations

import xarray as xr


def alike(one: xr.Dataset, other: xr.Dataset) -> bool:
    """Whether two Datasets are the same but for the names of their files."""
    return one.assign_attrs(files="").identical(other.assign_attrs(files=""))
