"""Sets of ratings for the tests of comparisons."""

from __future__ import annotations

from typing import Any

import xarray as xr

import iaa_jax as iaa
from tests.analyses.made import random_rows, wide

NAMES = ["krippendorff_alpha", "conger_kappa", "gwet_ac1"]
FIRST, SECOND = random_rows(1), random_rows(2)


def named(rows: list[list[Any]], prefix: str) -> xr.Dataset:
    """Ratings whose items have ids of their own."""
    ratings = wide(rows)
    return ratings.assign_coords(item=[f"{prefix}{place}" for place in range(len(rows))])


def quick(
    a: xr.Dataset, b: xr.Dataset | None, coefficients: Any = "krippendorff_alpha", **given: Any
):
    """A comparison without replicates and exchanges."""
    return iaa.compare(a, b, coefficients, **{"interval": None, "permutations": 0, **given})
