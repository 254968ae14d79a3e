"""Update the markings of ratings of spans after a selection, join markings, and count units.

A marking is all that an annotator marked in a document.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._types import Integers
from iaa_jax.data.marked.ratings import distinct_markings
from iaa_jax.data.storage import (
    MARKED_ALONG_SPAN,
    OF_MARKINGS,
    array_of,
    marking_memory,
    weight_of,
)


def renewed(ratings: xr.Dataset, label_codes: Integers | None = None) -> xr.Dataset:
    """Return ratings with only the markings that occur in their cells, in order of occurrence.

    ``label_codes`` is the new code of each label, or -1 if its spans are dropped. Markings that
    become equal are merged.
    """
    marked = array_of(ratings, "marked")
    shown = pd.unique(marked[marked >= 0])
    # the last entry is for code -1, not seen
    number = np.full(max(int(marked.max(initial=-1)), _last(ratings)) + 2, -1)
    number[shown] = np.arange(len(shown))
    of_span: dict[str, Integers] = {name: array_of(ratings, name) for name in MARKED_ALONG_SPAN}
    if label_codes is not None:
        of_span["label_of"] = label_codes[of_span["label_of"]]
    rows = number[of_span.pop("marking_of")]
    kept = (rows >= 0) & (of_span["label_of"] >= 0)
    of_span = {name: values[kept] for name, values in of_span.items()}
    length = array_of(ratings, "length")[shown] if "length" in ratings.variables else None
    codes, first, spans = distinct_markings(rows[kept], of_span, len(shown), length)
    new = np.append(codes, -1).astype(marked.dtype)[number[marked]]
    renewed = ratings.drop_vars(OF_MARKINGS, errors="ignore")
    renewed = renewed.assign_attrs(markings=marking_memory(spans))
    renewed["marked"] = (ratings.variables["marked"].dims, new)
    renewed = renewed.assign({name: ("span", values) for name, values in spans.items()})
    return renewed if length is None else renewed.assign(length=("marking", length[first]))


def markings_together(parts: Sequence[xr.Dataset]) -> tuple[list[xr.Dataset], xr.Dataset]:
    """Return two sets of ratings with codes for their united markings, and the united markings.

    Lengths of documents are kept if both sets have them.
    """
    first, second = parts
    shift = {"marking_of": _last(first) + 1, "unit_of": int(array_of(first, "unit_of").max()) + 1}
    marked = array_of(second, "marked")
    moved = np.where(marked < 0, -1, marked + shift["marking_of"]).astype(marked.dtype)
    second = second.assign(marked=(second.variables["marked"].dims, moved))
    arrays = {
        name: np.concatenate([array_of(first, name), array_of(second, name) + shift.get(name, 0)])
        for name in MARKED_ALONG_SPAN
    }
    markings = xr.Dataset({name: ("span", values) for name, values in arrays.items()})
    bare = [part.drop_vars(OF_MARKINGS, errors="ignore") for part in (first, second)]
    if all("length" in part.variables for part in parts):
        lengths = np.concatenate([array_of(part, "length") for part in parts])
        markings["length"] = ("marking", lengths)
    return bare, markings


def used_labels(ratings: xr.Dataset) -> NDArray[np.bool_]:
    """Tell which labels occur in a marking to which a cell refers."""
    shown = np.isin(array_of(ratings, "marking_of"), array_of(ratings, "marked"))
    used = np.zeros(ratings.sizes["label"], dtype=bool)
    used[array_of(ratings, "label_of")[shown]] = True
    return used


def units_of_cells(ratings: xr.Dataset) -> NDArray[np.int64]:
    """Return the number of units in each cell; the parts of a discontinuous span are one unit."""
    _, first = np.unique(array_of(ratings, "unit_of"), return_index=True)
    marked = array_of(ratings, "marked")
    size = max(int(marked.max(initial=-1)), _last(ratings)) + 2
    return np.bincount(array_of(ratings, "marking_of")[first], minlength=size)[marked]


def unit_count(ratings: xr.Dataset) -> float:
    """Return the number of units in all cells, weighted by ``item_weight``."""
    weight = weight_of(ratings)
    units = units_of_cells(ratings).sum(axis=1)
    return float(units.sum() if weight is None else weight @ units)


def _last(ratings: xr.Dataset) -> int:
    """Return the highest code of a marking."""
    if "length" in ratings.variables:
        return len(ratings.variables["length"]) - 1
    marked, marking_of = (array_of(ratings, name) for name in ("marked", "marking_of"))
    return max(int(marked.max(initial=-1)), int(marking_of.max(initial=-1)))
