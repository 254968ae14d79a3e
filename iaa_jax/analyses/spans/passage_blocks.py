"""The most disputed passages as blocks of a page: their texts, and each annotator's marks."""

from __future__ import annotations

from itertools import groupby

import xarray as xr

from iaa_jax.pages import Block, Column, Passage, Passages, Remarks, Table, Underline
from iaa_jax.wording import Note
from iaa_jax.wording.figures import Kind

_OF_MARKS: dict[str, Kind] = {
    "annotator": "label",
    "label": "label",
    "start": "count",
    "end": "count",
}


def passage_blocks(result: xr.Dataset) -> list[Block]:
    """Return the passages as a block of the page, and the marks in them as a table for files."""
    shown = result.sizes["passage"]
    values = {"shown": shown, "all": result.attrs["disputed_passages"]}
    if not shown:
        return []
    has_text = any(result["text"].values)
    return [
        Passages([_passage(result, row) for row in range(shown)], Note("passages", values)),
        _table(result),
        *([] if has_text else [Remarks([Note("no_text")])]),
    ]


def _passage(result: xr.Dataset, row: int) -> Passage:
    passage, names = result.isel(passage=row), result["annotator"].values.tolist()
    begins, ends = (passage[name].item() for name in ("text_begins", "text_ends"))
    start, end = (result[f"mark_{name}"].values for name in ("start", "end"))
    in_text = (start < ends) & (end > begins) | (start == end) & (start >= begins) & (end <= ends)
    has_text = bool(passage["text"].item())
    marks = result.isel(mark=(result["passage_of"].values == row) & (in_text | (not has_text)))
    underlines: dict[object, list[Underline]] = {
        name: [] for name, seen in zip(names, passage["seen"].values, strict=True) if seen
    }
    columns = ("mark_annotator", "unit_of", "mark_label", "is_disputed")
    places = ("mark_start", "mark_end", "text_from", "text_to")
    rows = zip(*(marks[name].values.tolist() for name in (*columns, *places)), strict=True)
    for (annotator, _, label, disputed), parts in groupby(rows, key=lambda part: part[:4]):
        places_of = [part[4:] for part in parts]
        where = ", ".join(f"{start}-{end}" for start, end, *_ in places_of)
        text = [(a, b) for *_, a, b in places_of]
        underlines[annotator].append(Underline(text, str(label), where, bool(disputed)))
    heading = {"number": row + 1, "document": str(passage["document"].item())}
    heading |= {name: passage[name].item() for name in ("start", "end", "disputed", "pairs")}
    whole = not has_text or (begins <= heading["start"] and ends >= heading["end"])
    part = "" if whole else Note("part_of_passage", {"start": begins, "end": ends})
    return Passage(
        Note("passage", {**heading, "part": part}),
        str(passage["text"].item()),
        [(str(name), drawn) for name, drawn in underlines.items()],
        (has_text and begins > 0, bool(passage["text_goes_on"].item())),
    )


def _table(result: xr.Dataset) -> Table:
    of = result["passage_of"].values
    columns = [
        Column("passage", "", of + 1, "count"),
        Column("document", "", result["document"].values[of], "label"),
        Column("disputed", "", result["disputed"].values[of], "short"),
        *(
            Column(name, "", result[f"mark_{name}"].values, kind)
            for name, kind in _OF_MARKS.items()
        ),
        Column("is_disputed", "", result["is_disputed"].values, "word"),
    ]
    return Table("passages", columns, noun="marks", in_files=True)
