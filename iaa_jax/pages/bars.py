"""The distribution of a figure over items as a picture."""

from __future__ import annotations

import numpy as np
import xarray as xr

from iaa_jax.pages.blocks import Curve, Picture, Text
from iaa_jax.wording import formats


def bars_of(
    result: xr.Dataset, id: str, title: Text, subtitle: Text, x_label: Text, noun: str = "items"
) -> Picture:
    """Bars of a result's bins, as `iaa_jax.measure.distribution` makes them, of items."""
    low, high = result["bin_low"].values, result["bin_high"].values
    apart = low < high
    names = [
        f"{formats.short(first)} to {formats.short(last)}" if wide else formats.short(first)
        for first, last, wide in zip(low.round(3), high.round(3), apart, strict=True)
    ]
    heights = np.asarray(result["bin_items"].values, np.float64)
    return Picture(
        id,
        "bars",
        title,
        subtitle,
        np.array(names, dtype=object),
        x_label,
        [Curve(noun, heights)],
        y_most=None,
        y_label=noun.capitalize(),
    )
