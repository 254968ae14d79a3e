"""Write the tidy long table to a file."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

import pandas as pd

from iaa_jax._cells import looks_like_formula
from iaa_jax._errors import OptionError
from iaa_jax.wording import Note

ENDINGS = (".csv", ".tsv", ".jsonl", ".parquet")
"""File types of a table."""


def table_bytes(table: pd.DataFrame, ending: str) -> bytes:
    """Return a long table as the bytes of a file with this ending."""
    bare = table.copy()
    bare.attrs = {}
    if ending == ".parquet":
        return bytes(bare.to_parquet(index=False))
    if ending == ".jsonl":
        if table.attrs.get("sets"):
            bare["label"] = [json.loads(t) if isinstance(t, str) else None for t in bare["label"]]
        return "".join(_lines(bare)).encode("utf-8", errors="backslashreplace")
    separator = "\t" if ending == ".tsv" else ","
    # the csv module does not quote a single carriage return, which readers take for the end of a
    # row
    returns = any("\r" in text for text in _texts(bare))
    quoting: Literal[0, 2] = csv.QUOTE_NONNUMERIC if returns else csv.QUOTE_MINIMAL
    text: str = bare.to_csv(index=False, sep=separator, lineterminator="\n", quoting=quoting)
    return text.encode("utf-8", errors="backslashreplace")


def notes_on_texts(table: pd.DataFrame, ending: str) -> list[Note]:
    """Notes on delimited text: what a spreadsheet may run, and what changes when read back."""
    if ending not in (".csv", ".tsv"):
        return []
    texts = list(dict.fromkeys(_texts(table)))
    found = {
        "written_formulas": [text for text in texts if looks_like_formula(text)],
        "written_returns": [text for text in texts if "\r" in text or "\0" in text],
    }
    return [
        Note(code, {"texts": those, "count": len(those)}, "caution")
        for code, those in found.items()
        if those
    ]


def _texts(table: pd.DataFrame) -> Iterator[str]:
    """Yield the distinct texts of each column, with its name."""
    for name in table:
        yield str(name)
        yield from (cell for cell in table[name].unique() if isinstance(cell, str))


def ending_of(path: str) -> str:
    """Return the ending that decides how a table is written; "-" is standard output."""
    ending = ".csv" if path == "-" else Path(path.removeprefix("-")).suffix.lower()
    ending = path[1:].lower() if path.startswith("-.") else ending
    if ending in ENDINGS:
        return ending
    raise OptionError(f"cannot write {path}: the name must end in {', '.join(ENDINGS)}")


def _lines(table: pd.DataFrame) -> Iterable[str]:
    """Yield one JSON record per row without empty cells, except for the offsets of spans.

    Offsets identify spans, even if the first row is an annotator who marked nothing.
    """
    whole = table.astype(object).where(table.notna(), None)
    always = {"start", "end", "label"} if "start" in table else set()
    for row in whole.to_dict("records"):
        cells = {name: cell for name, cell in row.items() if cell is not None or name in always}
        yield json.dumps(cells, ensure_ascii=False, default=lambda cell: cell.item()) + "\n"
