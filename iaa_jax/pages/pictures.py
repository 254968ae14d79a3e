"""Pictures that many pages share: estimates with intervals, and histograms of items."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import xarray as xr

from iaa_jax._types import Floats
from iaa_jax.pages.blocks import Band, Curve, Mark, Picture, Table, Text
from iaa_jax.wording import formats

MOST = 60
"""Maximum number of rows in a picture."""


def forest_of(table: Table, rows: list[str]) -> Picture | None:
    """Return the picture of a table's estimates and intervals; None for fewer than two estimates.

    Parameters
    ----------
    table : Table
        A table, perhaps with a column of the kind "span" (an estimate and its interval).
    rows : list of str
        The names of the table's rows.
    """
    column = next((column for column in table.visible if column.kind == "span"), None)
    shown = [*table.rows_shown][:MOST]
    if column is None or len(shown) < 2:
        return None
    spans = np.full((len(shown), 4), np.nan)
    for k, row in enumerate(shown):
        values = np.asarray(column.values[row], np.float64)
        spans[k, : values.size] = values
    if np.isfinite(spans[:, 0]).sum() < 2:
        return None
    compared = enumerate(spans[:, 3])
    marks = [Mark("", float(figure), k) for k, figure in compared if math.isfinite(figure)]
    title = table.caption or table.columns[0].heading
    return forest(f"{table.id}-drawn", rows, spans[:, :3], title, "", marks)


def forest(
    id: str,
    names: Sequence[str],
    spans: Floats,
    title: Text,
    subtitle: Text,
    marks: Sequence[Mark] = (),
) -> Picture:
    """Return the picture of rows with estimates and intervals.

    ``spans`` has the estimate and the two ends of its interval in each row, NaN if missing.
    """
    return Picture(
        id,
        "intervals",
        title,
        subtitle,
        np.array(names, dtype=object),
        "",
        [Curve("", spans[:, 0])],
        [Band("", spans[:, 1], spans[:, 2])],
        marks,
    )


def bars_of(
    result: xr.Dataset,
    id: str,
    title: Text,
    subtitle: Text,
    x_label: Text,
    noun: str = "items",
    in_percent: bool = False,
) -> Picture:
    """Return a picture with a bar per bin of `iaa_jax.measure.shared.distribution`."""
    written = formats.level if in_percent else formats.short
    low, high = result["bin_low"].values, result["bin_high"].values
    is_range = low < high
    names = [
        f"{written(first)} to {written(last)}" if wide else written(first)
        for first, last, wide in zip(low.round(3), high.round(3), is_range, strict=True)
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
