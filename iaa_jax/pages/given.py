"""Columns of a sheet of items: the ratings' own, and who gave what."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr

from iaa_jax._types import Values
from iaa_jax.pages.blocks import Column
from iaa_jax.wording import Note

WORDS = {
    "own_column": "{name:name}",
    "open_labels": "labels that some chose and some did not, with the share who did.",
}

_COLUMNS = 6
"""Annotators up to which a page shows what each gave in a column."""


def to_fill_in(rows: xr.Dataset, decided: Values) -> Iterator[Column]:
    """Of a sheet in a file: a column for what people decide, with what they have decided.

    Of sets there is none: what is decided of them cannot be read back.
    """
    if rows.attrs["task"] != "multi_label":
        known = [str(label) for label in rows["label"].values.tolist()]
        yield Column("adjudicated", "Adjudicated", decided, "label", in_files=True, choices=known)


def own_columns(rows: xr.Dataset, *, without: str = "") -> Iterator[Column]:
    """The ratings' own columns of items, such as their text."""
    number = 0
    for name, coordinate in rows.coords.items():
        if coordinate.dims == ("item",) and name not in ("item", without):
            number += 1
            heading = Note("own_column", {"name": str(name)})
            yield Column(str(name), heading, coordinate.values, "text", brief=str(number))


def given_columns(rows: xr.Dataset) -> Iterator[Column]:
    """What each annotator gave; of many, or in a narrow terminal, the votes by label.

    Of sets the labels in doubt.
    """
    by_name = "label_given" in rows and rows.sizes["annotator"] <= _COLUMNS
    few = by_name and "holds" not in rows
    if "holds" in rows:
        meaning = Note("open_labels")
        yield Column("in_doubt", "In doubt", rows["in_doubt"].values, "text", meaning=meaning)
    by_label = rows["votes_by_label"].values
    in_files = few or "holds" in rows
    stands_for = "annotators" if few else ""
    yield Column(
        "votes_by_label",
        "Given",
        by_label,
        "text",
        spare=2,
        in_files=in_files,
        stands_for=stands_for,
    )
    if "label_given" not in rows:
        return
    for place, name in enumerate(np.asarray(rows["annotator"].values).tolist()):
        heading = Note("own_column", {"name": str(name)})
        given, brief = rows["label_given"].values[:, place], f"#{place + 1}"
        yield Column(
            f"by {name}",
            heading,
            given,
            "label",
            spare=1,
            in_files=not few,
            brief=brief,
            group="annotators",
        )
