# Written by tools/generate.py from the catalogue and the rows of the analyses.
"""What secondary labels add: sweeps over p, classes of items, patterns."""

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
    """Augmented kappa of each item over p, and how many items lie above a cut-off."""

def item_classes(
    ratings: xr.Dataset,
    *,
    tau: float = 0.05,
    high: float = 0.6,
    **options: Unpack[ItemCurvesOptions],
) -> xr.Dataset:
    """The four classes of items by how their agreement moves with p."""

def patterns(ratings: xr.Dataset, *, p: object = 51) -> xr.Dataset:
    """The eleven patterns of two ratings: how often each occurs, and its credit."""

def labels(
    ratings: xr.Dataset,
    *,
    top: int = 10,
    p: object = (0.5, 1.0),
    tau: float = 0.05,
    high: float = 0.6,
    **options: Unpack[ItemCurvesOptions],
) -> xr.Dataset:
    """Label pairs that might be worth a category of their own."""
