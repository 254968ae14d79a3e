"""The picture of a plan: how narrow the interval is with more items and annotators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from iaa_jax.pages import Curve, Mark, Picture
from iaa_jax.pages.figures import SERIES
from iaa_jax.wording import Note

if TYPE_CHECKING:
    import xarray as xr

WORDS = {
    "picture_precision": (
        "The half-width goes from {first:estimate 3} with {fewest:count item} to {last:estimate 3} "
        "with {most:count} ({annotators:short} annotators per item)"
    ),
    "picture_precision_of": "Half-width in {assurance:level} of samples",
    "picture_items_axis": "Items",
    "picture_annotators": "{annotators:short} annotators per item",
    "picture_target": "goal",
}


def of_precision(result: xr.Dataset) -> Iterator[Picture]:
    """The half-width over numbers of items, a curve for a few numbers of annotators."""
    items, sizes = result["items"].values, result["annotators"].values
    widths = result["half_width"].values
    shown = [column for column in range(len(sizes)) if np.isfinite(widths[:, column]).all()]
    if len(items) < 2 or not shown:
        return
    middle = min(shown, key=lambda column: abs(sizes[column] - float(result["pilot_annotators"])))
    near = sorted(shown, key=lambda column: abs(column - middle))[: len(SERIES)]
    of_middle = widths[:, middle]
    values = {
        "first": float(of_middle[0]),
        "last": float(of_middle[-1]),
        "fewest": float(items[0]),
        "most": float(items[-1]),
        "annotators": float(sizes[middle]),
    }
    target = result.attrs.get("target_half_width")
    yield Picture(
        "precision",
        "lines",
        Note("picture_precision", values),
        Note("picture_precision_of", {"assurance": float(result.attrs["assurance"])}),
        items.astype(np.float64),
        Note("picture_items_axis"),
        [
            Curve(Note("picture_annotators", {"annotators": float(sizes[k])}), widths[:, k])
            for k in sorted(near)
        ],
        marks=[] if target is None else [Mark(Note("picture_target"), y=float(target))],
        y_most=None,
    )
