"""The list of formats that can be read, its page, and the page of a table written to a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd
import xarray as xr

from iaa_jax import __version__
from iaa_jax.analyses.files.words import WORDS
from iaa_jax.io.registry import readers, tools
from iaa_jax.pages import Block, Column, Facts, Page, Remarks, Table, Text
from iaa_jax.pages.ratings import reading_rows
from iaa_jax.wording import Note

_SHOWN = ("summary", "known_by", "example")


def page(result: xr.Dataset) -> Page:
    """Return the page that lists the formats."""
    shown = [result[key].values.tolist() for key in ("format", *_SHOWN)]
    rows: list[tuple[Text, Text]] = []
    for name, *values in zip(*shown, strict=True):
        code = "format" if values[1] else "format_brief"
        rows += [(name, Note(code, dict(zip(_SHOWN, values, strict=True)))), ("", values[-1])]
    columns = [Column("format", "Format", result["format"].values, "word")]
    for key in ("title", *_SHOWN):
        columns.append(Column(key, key.replace("_", " ").capitalize(), result[key].values, "text"))
    table = Table("formats", columns, noun="formats", in_files=True)
    blocks: list[Block] = [Facts(rows), table, Remarks([Note("more")])]
    return Page("Formats", [], blocks, WORDS, {"formats": result})


def written(table: pd.DataFrame, file: str, notes: Sequence[Note] = ()) -> Page:
    """Return the page of a table that was written to a file, with notes on texts in its cells."""
    spans = int(table["start"].notna().sum()) if "start" in table else None
    counts = Counter(table["status"].tolist() if "status" in table else [])
    status_notes = [Note("status", {"status": k, "count": n}) for k, n in counts.most_common()]
    values = {
        "items": int(table.iloc[:, 0].nunique()),
        "annotators": int(table["annotator"].nunique()) if "annotator" in table else 0,
        "statuses": Note("statuses", {"parts": status_notes}) if status_notes else "",
        "spans": spans or 0,
    }
    of_what = Note("of_labels" if spans is None else "of_spans", values)
    answer = Note("wrote", {"rows": len(table), "file": file, "judgements": of_what})
    facts = [*reading_rows(table.attrs), *(("Note", note) for note in notes)]
    return Page("Table", [answer], [Facts(facts)], WORDS)


def formats() -> xr.Dataset:
    """Return the formats: a summary of each, how its files are recognised, and an example."""
    rows = [
        (tool.name, tool.title, tool.summary, tool.known_by, f"iaa {tool.example}")
        for tool in tools()
    ]
    for reader in readers():  # readers of plug-ins may lack an example or a description
        example = getattr(reader, "example", "")
        known_by = getattr(reader, "known_by", "")
        texts = (reader.name, "tables", reader.summary, known_by)
        rows.append((*texts, f"iaa {example}" if example else ""))
    names, *columns = zip(*rows, strict=True)
    keys = ("title", "summary", "known_by", "example")
    return xr.Dataset(
        {
            key: ("format", np.array(texts, dtype=object))
            for key, texts in zip(keys, columns, strict=True)
        },
        {"format": np.array(names, dtype=object)},
        {"made_by": "formats", "conclusion": "listed", "iaa_jax_version": __version__},
    )


PAGES = {("formats",): page}
