"""The last step of a constructor: notes on readings that may not be what the user meant."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import xarray as xr

from iaa_jax.data.notices.ambiguous import (
    TABLE,
    column_notices,
    id_notices,
    label_notices,
    span_notices,
)
from iaa_jax.data.notices.odd_names import odd_notices
from iaa_jax.data.provenance import with_caution
from iaa_jax.data.storage import array_of
from iaa_jax.wording import Note


def finished(
    ratings: xr.Dataset, *, rows: object = None, made_up_items: bool = False
) -> xr.Dataset:
    """Ratings with notes on their labels and names.

    ``rows`` are the row names of a table with a column per annotator. ``made_up`` items have
    default names.
    """
    looked_at = ratings
    if made_up_items:
        looked_at = ratings.assign_coords(item=np.arange(ratings.sizes["item"]))
    names = [] if ratings.attrs.get("anonymous", 0) else array_of(ratings, "annotator").tolist()
    named_rows = [] if rows is None else [str(rows)]
    notes = column_notices(named_rows, [str(name) for name in names], TABLE)
    for note in [*notes, *rating_notices(looked_at, _declared(looked_at), TABLE)]:
        ratings = with_caution(ratings, note)
    return ratings


def noted_spans(spans: xr.Dataset) -> xr.Dataset:
    """Spans with notes on their names and labels."""
    for note in span_notices(spans, _declared(spans), TABLE):
        spans = with_caution(spans, note)
    return spans


def rating_notices(
    ratings: xr.Dataset,
    declared: Sequence[object] | None,
    layout: str,
    separator: str | None = None,
) -> list[Note]:
    """Notes on labels that are not ``declared``, and on names."""
    return [
        *label_notices(ratings, declared, layout),
        *id_notices(ratings, layout),
        *odd_notices(ratings, declared, layout, separator),
    ]


def _declared(ratings: xr.Dataset) -> list[object] | None:
    """The labels if they are declared, or if there are none."""
    if "label" not in ratings.variables or ratings.attrs.get("labels_declared", 0):
        return []
    return None
