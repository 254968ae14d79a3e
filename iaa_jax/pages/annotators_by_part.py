"""A table of each annotator's agreement, with a row per part of the items, such as a batch."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr

from iaa_jax._types import Floats
from iaa_jax.pages.blocks import Column, Table, Text
from iaa_jax.wording import Note, Words
from iaa_jax.wording.figures import Kind

PART_WORDS: Words = {
    "course_caption": "Agreement of each annotator with the others, and share of the items rated",
    "course_cell": "{agreement:level} ({items:level})",
    "course_rated": "({items:level})",
    "course_of": "{name:name 20}",
    "course_meaning": (
        "Share of an annotator's comparisons with the others' ratings that agree; in brackets the "
        "share of the items that the annotator rated."
    ),
    "who_rated": "Who rated changed: {moves:join ; }{further}.",
    "rated_share": (
        "{name:name} rated {first:level} of the first items (from {start}) and {last:level} of the "
        "last (from {end})"
    ),
    "rated_share_of_batches": (
        "{name:name} rated {first:level} of the items in {start} and {last:level} in {end}"
    ),
    "and_further": "; and {count:count} more",
}


def annotators_by_part(
    result: xr.Dataset, axis: str, heading: Text, kind: Kind = "label"
) -> Iterator[Table]:
    """Yield the table, if the result has the items of each annotator in each part."""
    if "annotator_items" not in result:
        return
    rated = result["annotator_items"].transpose(axis, "annotator").values
    agreement = np.full(rated.shape, np.nan)
    if "annotator_agreement" in result:
        agreement = result["annotator_agreement"].transpose(axis, "annotator").values
    columns = [Column(axis, heading, result[axis].values, kind)]
    # the columns of annotators whose values vary most are the last to be left out
    spare = np.argsort(np.argsort(-(_range(rated) + _range(agreement)), kind="stable")) + 1
    for number, name in enumerate(result["annotator"].values.tolist()):
        cells = [
            _cell(*figures) for figures in zip(agreement[:, number], rated[:, number], strict=True)
        ]
        above = Note("course_of", {"name": str(name)})
        columns.append(
            Column(str(name), above, cells, "word", 3, int(spare[number]), in_words=True)
        )
    notes = [Note("course_meaning")]
    yield Table("courses", columns, Note("course_caption"), "parts", notes=notes)


def _range(figures: Floats) -> Floats:
    low, high = (np.where(np.isnan(figures), end, figures) for end in (np.inf, -np.inf))
    ranges: Floats = np.maximum(high.max(axis=0) - low.min(axis=0), 0.0)
    return ranges


def _cell(agreement: float, items: float) -> Text:
    if not items > 0:
        return "-"
    values = {"agreement": round(agreement, 2), "items": round(items, 2)}
    return Note("course_rated" if np.isnan(agreement) else "course_cell", values)
