"""What sentences of many pages hold: the coefficient, the confidence, the ends of an interval."""

from __future__ import annotations

import numpy as np
import xarray as xr

from iaa_jax._types import Floats
from iaa_jax.catalog import title_of


def title(result: xr.Dataset) -> str:
    """The coefficient that a result is about, in words."""
    return title_of(str(result.attrs["coefficient"]))


def confidence(result: xr.Dataset) -> dict[str, object]:
    """The confidence of its intervals, as a value of a note."""
    return {"confidence": float(result.attrs["confidence"])}


def ends_of(figures: xr.Dataset, name: str = "") -> list[float]:
    """Both ends of the interval of a single figure."""
    key = f"{name}_ci".removeprefix("_")
    return [float(figures[f"{key}_{end}"]) for end in ("low", "high")]


def both_ends(rows: xr.Dataset, name: str) -> Floats:
    """The variables NAME_low and NAME_high of rows, side by side."""
    return np.stack([rows[f"{name}_{end}"].values for end in ("low", "high")], axis=-1)
