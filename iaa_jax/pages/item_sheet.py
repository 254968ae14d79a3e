"""The sheet in which people decide items, and the columns that it shares with pages of items."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._cells import ADJUDICATED, NO_LABEL, SEVERAL, SUGGESTED, among_others
from iaa_jax._types import Values
from iaa_jax.data.free_texts import is_free_text
from iaa_jax.pages.blocks import Column, Table
from iaa_jax.wording import Note

SHEET = "sheet"
"""Id of the table that people fill in."""

WORDS = {
    "own_column": "{name:name}",
    "open_labels": "labels that only some annotators chose, with the share who chose them.",
}

_COLUMNS = 6
"""Maximum number of annotators for which a page shows one column each."""


def sheet_of(
    rows: xr.Dataset, is_open: NDArray[np.bool_], suggested: Values, decided: Values
) -> Table:
    """Return the sheet that people fill in: undecided items, and what helps to decide them."""
    undecided = np.flatnonzero(is_open)
    items = rows.isel(item=undecided)
    further = sorted(
        own_columns(items), key=lambda column: not is_free_text(np.asarray(column.values))
    )
    known = [str(label) for label in rows["label"].values.tolist()]
    takes_sets = rows.attrs["task"] == "multi_label"
    columns = [
        Column("item", "Item", items["item"].values, "label"),
        *further,
        *_votes_columns(items),
        Column(SUGGESTED, "Suggested", np.asarray(suggested, dtype=object)[undecided], "label"),
        Column(
            ADJUDICATED,
            "Adjudicated",
            np.asarray(decided, dtype=object)[undecided],
            "label",
            choices=[*known, NO_LABEL] if takes_sets else known,
            several=takes_sets,
        ),
    ]
    return Table(SHEET, columns, noun="items to decide", in_files=True)


def _votes_columns(rows: xr.Dataset) -> Iterator[Column]:
    yield from (column for column in given_columns(rows) if column.key != "votes_by_label")
    if "label_given" not in rows:
        yield Column("votes_by_label", "Given", rows["votes_by_label"].values, "text")


def sets_as_filled_in(holds: NDArray[np.bool_], known: NDArray[np.bool_], labels: Values) -> Values:
    """Return each item's label set as the text of a cell, or "" if the set is unknown.

    ``holds`` (item, label) states which labels are in the set of an item.
    """
    names = [among_others(str(label)) for label in labels.tolist()]
    sets, numbers = np.unique(holds, axis=0, return_inverse=True)
    texts = [SEVERAL.join(names[k] for k in np.flatnonzero(row)) or NO_LABEL for row in sets]
    return np.where(known, np.array(texts, dtype=object)[numbers.reshape(-1)], "")


def own_columns(rows: xr.Dataset, *, without: str = "") -> Iterator[Column]:
    """Yield the further columns of the ratings file that describe items, such as their texts."""
    number = 0
    for name, coordinate in rows.coords.items():
        if coordinate.dims == ("item",) and name not in ("item", without):
            number += 1
            heading = Note("own_column", {"name": str(name)})
            yield Column(str(name), heading, coordinate.values, "text", brief=str(number))


def given_columns(rows: xr.Dataset) -> Iterator[Column]:
    """Yield the column of votes by label, and the columns of labels by annotator.

    Pages show the votes by label only if there are many annotators or little room. For label sets,
    the column of labels in doubt comes first.
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
    for number, name in enumerate(np.asarray(rows["annotator"].values).tolist()):
        heading = Note("own_column", {"name": str(name)})
        labels, brief = rows["label_given"].values[:, number], f"#{number + 1}"
        yield Column(
            f"by {name}",
            heading,
            labels,
            "label",
            spare=1,
            in_files=not few,
            brief=brief,
            group="annotators",
        )
