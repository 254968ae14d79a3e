"""Each annotator's share of the items over time, and agreement with the others."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr

from iaa_jax._types import Columns, Floats, Variables
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.shared.annotators_in_parts import MOST_PARTS, agreement_in_parts
from iaa_jax.measure.shared.times import Times
from iaa_jax.wording import Note

_FEW, _MANY = 10, 2.0
"""Minimum number of items in the first and in the last stretch, and minimum factor between an
annotator's shares of both, for a note that this annotator came or went.
"""

_NAMED = 3
"""Maximum number of annotators named."""

_STRETCHES = 4
"""Number of stretches (consecutive items, about equally many in each) in place of batches."""


def courses(resolver: Resolver, times: Times) -> tuple[Variables, Columns]:
    """Return variables and coordinates by annotator and stretch; both may be empty."""
    weight, position = resolver.tables.item_weight, times.position
    timed = np.isfinite(position)
    starts = _starts(position[timed], weight[timed].astype(np.float64), times)
    if len(starts) < 2:
        return {}, {}
    member = np.where(timed, np.searchsorted(starts, position, side="right") - 1, -1)
    figures = agreement_in_parts(resolver, member, len(starts), "stretch")
    if not figures:
        return {}, {}
    figures["stretch_items"] = ("stretch", np.bincount(member[timed], weight[timed], len(starts)))
    return figures, {
        "stretch": times.coordinate_of(starts),
        "annotator": resolver.tables.annotator_names,
    }


def _starts(position: Floats, weight: Floats, times: Times) -> Floats:
    distinct, index = np.unique(position, return_inverse=True)
    if times.batches is not None and len(distinct) <= MOST_PARTS:
        return distinct
    before = np.cumsum(np.bincount(index, weight)) - np.bincount(index, weight)
    shares = np.arange(_STRETCHES) / _STRETCHES * weight.sum()
    return np.unique(distinct[np.searchsorted(before, shares, side="right") - 1])


def who_rated(result: xr.Dataset, times: Times) -> Iterator[Note]:
    """Yield a note on annotators whose share of items at least doubles or halves over time."""
    if "annotator_items" not in result or not times.in_order:
        return
    if min(result["stretch_items"].values[[0, -1]]) < _FEW:
        return
    ends = result.isel(stretch=[0, -1])
    first, last = ends["annotator_items"].transpose("stretch", "annotator").values
    start, end = (times.note_of(time) for time in ends["stretch"].values)
    most = np.maximum(first, last)
    moved = (most > 0) & (most >= _MANY * np.minimum(first, last))
    order = np.argsort(-np.abs(last - first), kind="stable")
    code = "rated_share" if times.batches is None else "rated_share_of_batches"
    moves = [
        Note(
            code,
            {
                "name": str(result["annotator"].values[index]),
                "first": round(float(first[index]), 2),
                "last": round(float(last[index]), 2),
                "start": start,
                "end": end,
            },
        )
        for index in order[moved[order]].tolist()
    ]
    if moves:
        more = len(moves) - _NAMED
        further = Note("and_further", {"count": more}) if more > 0 else ""
        yield Note("who_rated", {"moves": moves[:_NAMED], "further": further})
