"""Reference values for gold labels, each verified by a peer, by hand, or twice by own code.

``aggregation.json`` holds 94 cases; its ``conventions`` say what each method means there. The crowd
label sets that seven cases name stand in ``data/``.
"""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import iaa_jax as iaa

PATH = Path(__file__).with_name("aggregation.json")


@dataclass(frozen=True)
class Votes:
    """Votes as counts, with the names of what they are along."""

    counts: NDArray[np.float64]  # (item, annotator, label)
    items: list[str]
    annotators: list[str]
    labels: list[str]
    item_weight: NDArray[np.float64]


@dataclass(frozen=True)
class AggregationCase:
    """One method on one table, with what it must come to."""

    id: str
    method: str
    options: dict[str, Any]
    expected: dict[str, Any]
    abs_tol: Any  # a number, or of the real sets one for each method
    record: dict[str, Any]

    @cached_property
    def rows(self) -> list[tuple[str, str, str]]:
        """(item, annotator, label) a vote, as text."""
        if "labels_file" in self.record:
            return _csv_rows(self.record["labels_file"])
        of = self.record.get("ratings_from")
        found = (_records()[of] if of else self.record)["ratings"]
        return [(str(item), str(annotator), str(label)) for item, annotator, label in found]

    @cached_property
    def truth(self) -> dict[str, str]:
        """The true label of each item that has one."""
        if "truth_file" in self.record:
            return dict(_csv_rows(self.record["truth_file"]))
        return {str(item): str(label) for item, label in self.record.get("truth", {}).items()}

    @cached_property
    def votes(self) -> Votes:
        """The votes counted: repeated ones count as often as they stand there."""
        if "patterns" in self.record:
            return _patterns(self.record["patterns"])
        items, annotators, labels = (_sorted({row[k] for row in self.rows}) for k in range(3))
        counts = np.zeros((len(items), len(annotators), len(labels)))
        places = [
            {name: k for k, name in enumerate(names)} for names in (items, annotators, labels)
        ]
        for row in self.rows:
            counts[tuple(place[name] for place, name in zip(places, row, strict=True))] += 1
        return Votes(counts, items, annotators, labels, np.ones(len(items)))

    @cached_property
    def repeated(self) -> bool:
        """Whether an annotator gave an item several votes."""
        return len({row[:2] for row in self.rows}) < len(self.rows)

    def ratings(self) -> Any:
        """The same as a Dataset, labels in sorted order, with several votes as such."""
        items, annotators, labels = zip(*self.rows, strict=True)
        frame = {"item": list(items), "annotator": list(annotators), "label": list(labels)}
        return iaa.from_long(frame, labels=_sorted(set(labels)), duplicates="votes")


def aggregation_cases(*methods: str) -> list[AggregationCase]:
    """The cases of some methods, all if none is named."""
    return [
        AggregationCase(
            record["id"],
            record["method"],
            record["options"],
            record["expected"],
            record["abs_tol"],
            record,
        )
        for record in _records().values()
        if not methods or record["method"] in methods
    ]


def _patterns(patterns: list[list[int]]) -> Votes:
    """Rows of labels, one of each annotator, that end in the number of items that show them."""
    table = np.array(patterns)
    given, item_weight = table[:, :-1], table[:, -1].astype(float)
    values = np.unique(given)
    counts = (given[:, :, None] == values).astype(float)
    names = [str(number + 1) for number in range(given.shape[1])]
    items = [" ".join(map(str, row)) for row in given.tolist()]
    return Votes(counts, items, names, [str(value) for value in values], item_weight)


def _sorted(names: set[str]) -> list[str]:
    """In order, numbers by their size."""
    return sorted(names, key=lambda name: (0, int(name), "") if name.isdigit() else (1, 0, name))


@cache
def _csv_rows(name: str) -> Any:
    with (PATH.parent / name).open(encoding="utf-8", newline="") as file:
        return [tuple(row) for row in csv.reader(file)][1:]


@cache
def _records() -> dict[str, dict[str, Any]]:
    cases = json.loads(PATH.read_text(encoding="utf-8"))["cases"]
    return {case["id"]: case for case in cases}
