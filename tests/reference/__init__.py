"""Reference values of agreement coefficients: published tables and runs of other programs.

``coefficients.json`` holds 256 cases on 44 tables. `agreement_cases` are those that are not
intraclass correlations.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.oracles.ratings import Cell, Label, label_sets, single_labels

PATH = Path(__file__).with_name("coefficients.json")

INTRACLASS = frozenset({"icc1", "icc2", "icc3", "icc1k", "icc2k", "icc3k"})

REST = "(rest)"
"""The label that stands for all others where a case is collapsed to one label."""


@dataclass(frozen=True)
class ReferenceCase:
    """One coefficient of one table, as it stands in the file."""

    id: str
    table: str
    table_description: str
    source: str
    provenance: str
    layout: str
    data: list[list[Any]]
    categories: list[Label] | None
    coefficient: str
    options: dict[str, Any]
    expected: dict[str, float]
    abs_tol: float
    recomputed: dict[str, float]
    verified_by: list[str]
    abs_tol_by_field: dict[str, float] | None = None
    peer_disagreements: dict[str, Any] | None = None
    convention: str | None = None
    note: str | None = None

    def tolerance(self, field: str) -> float:
        """Half a unit of the last printed digit of that field."""
        return (self.abs_tol_by_field or {}).get(field, self.abs_tol)


@dataclass(frozen=True)
class OracleInput:
    """A table as items of annotators of cells; weights where a row stands for several items."""

    ratings: list[list[Cell]]
    labels: list[Label]
    item_weight: list[float]


@cache
def all_cases() -> tuple[ReferenceCase, ...]:
    """Read every case of the file."""
    return tuple(ReferenceCase(**case) for case in json.loads(PATH.read_text(encoding="utf-8")))


@cache
def agreement_cases() -> tuple[ReferenceCase, ...]:
    """Leave out the intraclass correlations."""
    return tuple(case for case in all_cases() if case.coefficient not in INTRACLASS)


def slots(counts: Sequence[int], labels: Sequence[Label], width: int) -> list[Label | None]:
    """Write one item's counts of labels as ratings by annotators without names."""
    row: list[Label | None] = []
    for label, count in zip(labels, counts, strict=True):
        row.extend([label] * count)
    return row + [None] * (width - len(row))


def oracle_input(case: ReferenceCase) -> OracleInput:
    """Turn the table of a case into the input of the oracles, collapsed where the case says so.

    A cell of a contingency table is one item that weighs its count.
    """
    if case.layout == "label_sets":
        ratings = label_sets(case.data)
        labels: list[Label] = []
        for row in ratings:
            for cell in row:
                labels.extend(label for label in cell or () if label not in labels)
        return OracleInput(ratings, labels, [1.0] * len(ratings))

    labels = list(case.categories or [])
    if case.layout == "items_by_annotators":
        rows: list[list[Label | None]] = [list(row) for row in case.data]
        item_weight = [1.0] * len(rows)
    elif case.layout == "items_by_category_counts":
        width = max(sum(counts) for counts in case.data)
        rows = [slots(counts, labels, width) for counts in case.data]
        item_weight = [1.0] * len(rows)
    elif case.layout == "contingency_two_annotators":
        rows = [[first, second] for first in labels for second in labels]
        item_weight = [float(count) for line in case.data for count in line]
    else:
        raise ValueError(case.layout)

    if "collapse_to_category" in case.options:
        kept = case.options["collapse_to_category"]
        labels = [kept, REST]
        rows = [
            [None if label is None else (label if label == kept else REST) for label in row]
            for row in rows
        ]
    return OracleInput(single_labels(rows), labels, item_weight)


__all__ = [
    "REST",
    "OracleInput",
    "ReferenceCase",
    "agreement_cases",
    "all_cases",
    "oracle_input",
    "slots",
]
