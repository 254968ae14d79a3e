"""Add cautions about labels and names to ratings, as the last step of a constructor.

A caution is a note to users who may have meant something else than what was read from the data.
"""

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
    unmarked_notices,
)
from iaa_jax.data.notices.odd_names import odd_notices
from iaa_jax.data.provenance import with_caution
from iaa_jax.data.storage import array_of
from iaa_jax.wording import Note

_FEWEST_COLUMNS, _MOST_COLUMNS = 3, 100
"""Minimum and maximum number of columns that are compared by their labels."""

OF_LABELS = (
    *("gaps_as_labels", "invisible_labels", "labels_alike", "labels_misspelt", "labels_of_scores"),
    *("labels_joined", "labels_like_lists", "labels_no_numbers", "labels_like_numbers"),
)
"""Codes of the cautions about labels that `rating_notices` returns."""

_FEWEST_RATINGS = 8
"""Minimum number of items, since few ratings may share no label by chance."""

_PAIR = 2


def finished(
    ratings: xr.Dataset, *, rows: object = None, made_up_items: bool = False
) -> xr.Dataset:
    """Return ratings with cautions about their labels and names.

    ``rows`` is the name of the index of a table with a column for each annotator. If
    ``made_up_items``, the names of items are not the user's, and are not examined.
    """
    examined = ratings
    if made_up_items:
        examined = ratings.assign_coords(item=np.arange(ratings.sizes["item"]))
    names = [] if ratings.attrs.get("anonymous", 0) else array_of(ratings, "annotator").tolist()
    named_rows = [] if rows is None else [str(rows)]
    notes = column_notices(named_rows, [str(name) for name in names], TABLE)
    if named_rows:
        notes += _columns_of_other_labels(ratings)
    for note in [*notes, *rating_notices(examined, _declared(examined), TABLE)]:
        ratings = with_caution(ratings, note)
    return ratings


def _columns_of_other_labels(ratings: xr.Dataset) -> list[Note]:
    """Return a caution on columns that share no label with another column, if other columns do.

    Such columns may describe the items, as columns of dates or ids do.
    """
    size = ratings.sizes["annotator"]
    if "primary" not in ratings or ratings["primary"].dims != ("item", "annotator"):
        return []
    if not _FEWEST_COLUMNS <= size <= _MOST_COLUMNS or ratings.sizes["item"] < _FEWEST_RATINGS:
        return []
    codes = array_of(ratings, "primary")
    used = [frozenset(np.unique(column[column >= 0]).tolist()) for column in codes.T]
    others = [frozenset().union(*used[:place], *used[place + 1 :]) for place in range(size)]
    apart = [bool(own) and own.isdisjoint(rest) for own, rest in zip(used, others, strict=True)]
    if not any(apart) or size - sum(apart) < _PAIR:
        return []
    names = array_of(ratings, "annotator")[np.array(apart)].tolist()
    return [Note("columns_unlike", {"columns": names, "count": len(names)}, "caution")]


def noted_spans(spans: xr.Dataset, *, marks_alone: bool) -> xr.Dataset:
    """Return spans with cautions about their names and labels, and about who saw a document.

    ``marks_alone`` says whether only spans say who saw a document.
    """
    unmarked = unmarked_notices(spans) if marks_alone else []
    for note in [*span_notices(spans, _declared(spans), TABLE), *unmarked]:
        spans = with_caution(spans, note)
    return spans


def rating_notices(
    ratings: xr.Dataset,
    declared: Sequence[object] | None,
    layout: str,
    separator: str | None = None,
) -> list[Note]:
    """Return cautions about labels, unless they are ``declared``, and about names."""
    return [
        *label_notices(ratings, declared, layout),
        *id_notices(ratings, layout),
        *odd_notices(ratings, declared, layout, separator),
    ]


def _declared(ratings: xr.Dataset) -> list[object] | None:
    """Return None if labels are to be examined; [] if they are declared, or there are none."""
    if "label" not in ratings.variables or ratings.attrs.get("labels_declared", 0):
        return []
    return None
