"""The last step of a constructor: what may be meant otherwise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax.data.notices.odd_names import odd_notices
from iaa_jax.data.notices.otherwise import (
    column_notices,
    id_notices,
    label_notices,
    span_notices,
    texts_of,
)
from iaa_jax.data.notices.said import TABLE, OfTable, Said
from iaa_jax.data.reading import with_caution
from iaa_jax.data.storage import array_of
from iaa_jax.wording import Note

IN_TABLE = {
    "gaps_as_labels": "gaps_as_labels_in_table",
    "invisible_labels": "invisible_labels_in_table",
    "label_no_number": "label_no_number_in_table",
    "labels_like_lists": "labels_like_lists_in_table",
    "labels_joined": "labels_joined_in_table",
    "items_like_comments": "items_like_comments_in_table",
    "items_no_numbers": "items_no_numbers_in_table",
    "item_of_totals": "item_of_totals_in_table",
    "rows_of_annotators": "rows_of_annotators_in_table",
    "columns_of_items": "columns_of_items_in_table",
}
"""What is worded otherwise than of files: there is no option, and no file."""


def finished(
    ratings: xr.Dataset, *, rows: object = None, made_up_items: bool = False
) -> xr.Dataset:
    """Ratings with what is to be noted of their labels and names.

    ``rows`` is what the rows of a table with a column an annotator are called. Items that are
    ``made_up`` have no names that anybody wrote.
    """
    looked_at = ratings
    if made_up_items:
        looked_at = ratings.assign_coords(item=np.arange(ratings.sizes["item"]))
    for note in _notices(looked_at, rows):
        ratings = with_caution(ratings, note)
    return ratings


def noted_spans(spans: xr.Dataset) -> xr.Dataset:
    """Spans with what is to be noted of their names and labels."""
    for note in span_notices(spans, OfTable(_declared(spans)), TABLE):
        spans = with_caution(spans, note)
    return spans


def rating_notices(ratings: xr.Dataset, said: Said, layout: str) -> list[Note]:
    """What is to be noted of labels and names, however they were given."""
    texts = texts_of(ratings)
    return [
        *label_notices(ratings, said, layout),
        *id_notices(texts, layout),
        *odd_notices(ratings, texts, said, layout),
    ]


def _notices(ratings: xr.Dataset, rows: object) -> list[Note]:
    said = OfTable(_declared(ratings))
    names = [] if ratings.attrs.get("anonymous", 0) else array_of(ratings, "annotator").tolist()
    named_rows = [] if rows is None else [str(rows)]
    notes = [
        *column_notices(named_rows, [str(name) for name in names], said),
        *rating_notices(ratings, said, TABLE),
    ]
    return [replace(note, code=IN_TABLE.get(note.code, note.code)) for note in notes]


def _declared(ratings: xr.Dataset) -> list[object] | None:
    """The labels if they are declared, or if there are none."""
    if "label" not in ratings.variables or ratings.attrs.get("labels_declared", 0):
        return []
    return None
