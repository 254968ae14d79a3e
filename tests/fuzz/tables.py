"""Small tables of every layout that `iaa.read` knows, and files of them."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import pandas as pd

Cell = object
Rows = list[list[str]]
Options = dict[str, object]


@dataclass
class Table:
    """A header, rows of cells, and the options with which they are read."""

    header: list[str]
    rows: list[list[Cell]]
    options: Options = field(default_factory=dict)

    def copy(self) -> Table:
        return Table([*self.header], [[*row] for row in self.rows], {**self.options})


WORDS, WHO = ("joy", "fear", "anger"), ("ann", "ben", "eve")


def _long(cells: tuple[Cell, ...], **options: object) -> Table:
    header = ["item", "annotator", "label"]
    rows = [
        [f"t{item}", who, cells[(item * (k + 1) + item // 3) % len(cells)]]
        for item in range(1, 7)
        for k, who in enumerate(WHO)
    ]
    return Table(header, rows, dict(options))


def _wide(cells: tuple[Cell, ...], **options: object) -> Table:
    long = _long(cells)
    rows = [
        [3 * k + 1, *(row[2] for row in long.rows[3 * k : 3 * k + 3])]
        for k in range(len(long.rows) // 3)
    ]
    return Table(["text_id", *WHO], rows, dict(options))


def _with(table: Table, name: str, cells: Callable[[int], Cell], **options: object) -> Table:
    table.header.append(name)
    for number, row in enumerate(table.rows):
        row.append(cells(number))
    table.options |= options
    return table


def _marks(several: bool) -> Table:
    rows = [
        [
            item,
            who,
            *(int((item + k + (who == "ben")) % 3 == 0 or (several and k == 1)) for k in range(3)),
        ]
        for item in range(1, 6)
        for who in WHO[:2]
    ]
    option = "multi_hot" if several else "one_hot"
    return Table(["item", "annotator", *(f"is.{w}" for w in WORDS)], rows, {option: "is.*"})


def _transposed() -> Table:
    rows = [[who, *(WORDS[(item + k) % 2] for item in range(5))] for k, who in enumerate(WHO)]
    return Table(["annotator", *(f"t{k}" for k in range(5))], rows, {"format": "transposed"})


def _counts() -> Table:
    rows = [[f"t{k}", (k * 2) % 4, 3 - (k * 2) % 4, k % 2] for k in range(6)]
    return Table(["item", *(f"n_{w}" for w in WORDS)], rows, {"counts": "n_*"})


def _contingency() -> Table:
    rows = [[word, *(9 if k == j else k + j for j in range(3))] for k, word in enumerate(WORDS)]
    return Table(["", *WORDS], rows, {"format": "contingency"})


LAYOUTS: dict[str, Table] = {
    "long": _long(WORDS),
    "long numbers": _long((1, 2, 3, 5)),
    "long points": _long((1.5, 2.25, 3.0)),
    "long declared": _long(WORDS, labels=["anger", "fear", "joy", "none"]),
    "long missing": _long((*WORDS, "-1", ""), missing="-1"),
    "long first": _long(WORDS, duplicates="first"),
    "long last": _long(WORDS, duplicates="last"),
    "long votes": _long(WORDS, duplicates="votes"),
    "long second": _with(_long(WORDS), "other", lambda k: "" if k % 2 else "calm",
    secondary="other"),
    "long anonymous": _long(WORDS, item="item", label="label", anonymous=True),
    "long named": _long(("yes", "no"), item="item", annotator="annotator", label="label"),
    "long kept": _with(_long(WORDS), "batch", lambda k: f"b{k // 9}", keep="batch"),
    "long joined": _with(_long(WORDS), "part", lambda k: "head", item="item,part"),
    "long sets": _long(("joy;fear", "joy", "anger;joy"), separator=";"),
    "long lists": _long(('["joy", "fear"]', '["joy"]', "[]")),
    "list of ratings": Table(
        ["item", "scores"],
        [[k, json.dumps([k % 3, (k + 1) % 3, 2])] for k in range(5)],
        {"item": "item", "label": "scores", "anonymous": True},
    ),
    "wide": _wide(WORDS),
    "wide numbers": _wide((1, 2, 3, 5)),
    "wide commas": _wide(("1,5", "2,25", "3,0")),
    "wide missing": _wide((*WORDS, "", "NA")),
    "wide named": _wide(WORDS, item="text_id", annotators="ann,ben,eve"),
    "wide rows": _wide(WORDS, annotators="ann,ben,eve", duplicates="last"),
    "wide kept": _with(_wide(WORDS), "day", lambda k: k * 1.5, keep="day",
    annotators="ann,ben,eve"),
    "wide sets": _wide(('["joy", "fear"]', '["joy"]', "[]"), annotators="ann,ben,eve"),
    "wide anonymous": _wide(WORDS, annotators="b*,e*,ann", anonymous=True, item="text_id"),
    "places of lists": Table(
        ["id", "votes"], [[k, f'["joy", "{WORDS[k % 3]}"]'] for k in range(5)],
        {"annotators": "votes"}
    ),
    "transposed": _transposed(),
    "counts": _counts(),
    "one-hot": _marks(several=False),
    "multi-hot": _marks(several=True),
    "contingency": _contingency(),
}  # fmt: skip


def delimited(table: Table, separator: str = ",") -> str:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerow(table.header)
    writer.writerows(table.rows)
    return text.getvalue()


def rows_of(data: bytes) -> tuple[Rows, str]:
    """The cells of delimited text, and the separator."""
    text = data.decode()
    first = text.partition("\n")[0]
    separator = max(",;\t|", key=first.count)
    return [*csv.reader(io.StringIO(text), delimiter=separator)], separator


def written(
    rows: Sequence[Sequence[object]], separator: str, *, quoted: bool = False, end: str = "\n"
) -> bytes:
    """Delimited text of these cells."""
    target = io.StringIO()
    inside = end == "\r" and any("\n" in str(cell) for row in rows for cell in row)
    quoting = csv.QUOTE_ALL if quoted or inside else csv.QUOTE_MINIMAL
    writer = csv.writer(target, delimiter=separator, quoting=quoting, lineterminator=end)  # type: ignore[arg-type]
    writer.writerows(rows)
    return target.getvalue().encode()


def records(table: Table) -> list[dict[str, Cell]]:
    return [dict(zip(table.header, row, strict=False)) for row in table.rows]


def json_text(table: Table) -> str:
    return json.dumps(records(table), ensure_ascii=False)


def json_lines(table: Table) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in records(table))


def keyed(table: Table) -> str:
    return json.dumps({f"k{k}": row for k, row in enumerate(records(table))}, ensure_ascii=False)


def wrapped(table: Table) -> str:
    return json.dumps({"version": 1, "data": {"rows": records(table)}}, ensure_ascii=False)


def parquet(table: Table) -> bytes:
    frame = pd.DataFrame(records(table), columns=[*dict.fromkeys(table.header)])
    for name in frame.columns:
        kinds = {type(cell) for cell in frame[name] if cell is not None}
        if len(kinds) > 1 or kinds - {int, float, str, bool}:
            frame[name] = [None if cell is None else str(cell) for cell in frame[name]]
    return bytes(frame.to_parquet(compression=None, index=False))


TEXTS: dict[str, Callable[[Table], str]] = {
    "csv": delimited,
    "tsv": lambda table: delimited(table, "\t"),
    "semicolons": lambda table: delimited(table, ";"),
    "bars": lambda table: delimited(table, "|"),
    "json": json_text,
    "jsonl": json_lines,
    "keyed": keyed,
    "records": wrapped,
}
"""Kinds of text by their names."""

ENDINGS = {
    "csv": ".csv", "tsv": ".tsv", "semicolons": ".csv", "bars": ".txt", "json": ".json",
    "jsonl": ".jsonl", "keyed": ".json", "records": ".json", "parquet": ".parquet",
    "xlsx": ".xlsx",
}  # fmt: skip

PACKERS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": (".gz", partial(gzip.compress, mtime=0)),
    "bzip2": (".bz2", bz2.compress),
    "xz": (".xz", lzma.compress),
}
