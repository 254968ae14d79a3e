"""Tables that other programs are run on, and what they gave (tools/peers/run.py)."""

from __future__ import annotations

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.reference import all_cases

PATH = Path(__file__).with_name("peers.csv")
DEGENERATE = Path(__file__).with_name("degenerate.json")


class PeerTable(NamedTuple):
    """Items x annotators, None for no rating."""

    table: str
    what: str
    labels: list[Any]
    rows: list[list[Any]]


class PeerValue(NamedTuple):
    """What a program gave; the kind of the error, "nan" or "inf" where it gave no number."""

    program: str
    version: str
    table: str
    coefficient: str
    weights: str
    value: str


@cache
def peer_tables() -> dict[str, PeerTable]:
    """Read the degenerate tables, and those of the reference cases that have rows or cells."""
    degenerate = json.loads(DEGENERATE.read_text(encoding="utf-8"))
    tables = {each["table"]: PeerTable(**each) for each in degenerate}
    for case in all_cases():
        labels = case.categories
        if case.table in tables or labels is None:
            continue
        if case.layout == "items_by_annotators":
            rows = [list(row) for row in case.data]
        elif case.layout == "contingency_two_annotators":
            rows = [
                [first, second]
                for first, line in zip(labels, case.data, strict=True)
                for second, count in zip(labels, line, strict=True)
                for _ in range(count)
            ]
        else:
            continue
        tables[case.table] = PeerTable(case.table, case.table_description, labels, rows)
    return tables


@cache
def peer_values() -> tuple[PeerValue, ...]:
    """Read what the programs gave."""
    with PATH.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows)
        return tuple(PeerValue(*row) for row in rows)
