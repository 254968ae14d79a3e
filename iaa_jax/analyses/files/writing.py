"""Convert a table with one row per rating or span to the bytes of a file."""

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
"""Endings of the files that a table can be written to."""


def table_bytes(table: pd.DataFrame, ending: str) -> bytes:
    """Return a table as the bytes of a file with the given ending."""
    bare = table.copy()
    bare.attrs = {}
    if ending == ".parquet":
        return bytes(bare.to_parquet(index=False))
    if ending == ".jsonl":
        if table.attrs.get("sets"):
            bare["label"] = [json.loads(t) if isinstance(t, str) else None for t in bare["label"]]
        return "".join(_lines(bare)).encode("utf-8", errors="backslashreplace")
    separator = "\t" if ending == ".tsv" else ","
    # the csv module does not quote a lone carriage return, which may be read as the end of a row
    returns = any("\r" in text for text in _texts(bare))
    quoting: Literal[0, 2] = csv.QUOTE_NONNUMERIC if returns else csv.QUOTE_MINIMAL
    text: str = bare.to_csv(index=False, sep=separator, lineterminator="\n", quoting=quoting)
    return text.encode("utf-8", errors="backslashreplace")


def notes_on_texts(table: pd.DataFrame, ending: str) -> list[Note]:
    """Return notes on cells of a .csv or .tsv file that look like formulas or lose characters."""
    if ending not in (".csv", ".tsv"):
        return []
    texts = list(dict.fromkeys(_texts(table)))
    texts_of = {
        "written_formulas": [text for text in texts if looks_like_formula(text)],
        "written_returns": [text for text in texts if "\r" in text or "\0" in text],
    }
    return [
        Note(code, {"texts": noted, "count": len(noted)}, "caution")
        for code, noted in texts_of.items()
        if noted
    ]


def _texts(table: pd.DataFrame) -> Iterator[str]:
    for name in table:
        yield str(name)
        yield from (cell for cell in table[name].unique() if isinstance(cell, str))


def ending_of(path: str) -> str:
    """Return the ending of a path, which decides the type of file; "-" (standard output) is CSV."""
    ending = ".csv" if path == "-" else Path(path.removeprefix("-")).suffix.lower()
    ending = path[1:].lower() if path.startswith("-.") else ending
    if ending in ENDINGS:
        return ending
    raise OptionError(f"cannot write {path}: the name must end in {', '.join(ENDINGS)}")


def _lines(table: pd.DataFrame) -> Iterable[str]:
    """Yield a JSON record for each row, without its empty cells.

    In a table of spans, every record has start, end and label, by which the file is recognised.
    """
    whole = table.astype(object).where(table.notna(), None)
    always = {"start", "end", "label"} if "start" in table else set()
    for row in whole.to_dict("records"):
        cells = {name: cell for name, cell in row.items() if cell is not None or name in always}
        yield json.dumps(cells, ensure_ascii=False, default=lambda cell: cell.item()) + "\n"
