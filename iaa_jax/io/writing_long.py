"""From the tidy long table to a file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from iaa_jax._errors import OptionError

ENDINGS = (".csv", ".tsv", ".jsonl", ".parquet")
"""What a table is written as."""


def table_bytes(table: pd.DataFrame, ending: str) -> bytes:
    """A long table as a file with this ending holds it."""
    bare = table.copy()
    bare.attrs = {}
    if ending == ".parquet":
        return bytes(bare.to_parquet(index=False))
    if ending == ".jsonl":
        if table.attrs.get("sets"):
            bare["label"] = [json.loads(t) if isinstance(t, str) else None for t in bare["label"]]
        return "".join(_lines(bare)).encode("utf-8", errors="backslashreplace")
    separator = "\t" if ending == ".tsv" else ","
    text = bare.to_csv(index=False, sep=separator, lineterminator="\n")
    return text.encode("utf-8", errors="backslashreplace")


def ending_of(path: str) -> str:
    """The ending that says how a table is written; "-" is standard output."""
    ending = ".csv" if path == "-" else Path(path.removeprefix("-")).suffix.lower()
    ending = path[1:].lower() if path.startswith("-.") else ending
    if ending in ENDINGS:
        return ending
    msg = f"cannot write {path}: the name must end in {', '.join(ENDINGS)}"
    raise OptionError(msg)


def _lines(table: pd.DataFrame) -> Iterable[str]:
    """A record of JSON a row, without the cells that hold nothing, but for places of spans.

    Spans are recognised by these, also where the first row is of one who marked nothing.
    """
    whole = table.astype(object).where(table.notna(), None)
    always = {"start", "end", "label"} if "start" in table else set()
    for row in whole.to_dict("records"):
        cells = {name: cell for name, cell in row.items() if cell is not None or name in always}
        yield json.dumps(cells, ensure_ascii=False, default=lambda cell: cell.item()) + "\n"
