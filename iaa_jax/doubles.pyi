# Written by tools/generate.py from the lists of coefficients and of analyses.
"""The effect of secondary labels: sweeps over p, classes of items, patterns of two ratings."""

from typing import TypedDict, Unpack

import xarray as xr

class ItemCurvesOptions(TypedDict, total=False):
    """Options of `item_curves` and 2 more."""

    min_common: int

def item_curves(
    ratings: xr.Dataset,
    *,
    p: object = 51,
    above: tuple[float, ...] = (0.6,),
    **options: Unpack[ItemCurvesOptions],
) -> xr.Dataset:
    """Return augmented kappa of each item over p, and how many items lie above a cut-off."""

def item_classes(
    ratings: xr.Dataset,
    *,
    tau: float = 0.05,
    high: float = 0.6,
    **options: Unpack[ItemCurvesOptions],
) -> xr.Dataset:
    """Sort items into four classes by how their agreement changes with p."""

def patterns(ratings: xr.Dataset, *, p: object = 51) -> xr.Dataset:
    """Count the eleven patterns of two ratings, and return the credit of each."""

def labels(
    ratings: xr.Dataset,
    *,
    top: int = 10,
    p: object = (0.5, 1.0),
    tau: float = 0.05,
    high: float = 0.6,
    **options: Unpack[ItemCurvesOptions],
) -> xr.Dataset:
    """Find label pairs that might deserve their own category."""
