"""Strict F1 of marks by loops, pooled over documents and pairs of annotators.

Hripcsak, G. and Rothschild, A. S. (2005). Agreement, the F-measure, and reliability in information
retrieval. Journal of the American Medical Informatics Association 12(3), 296-298.
doi:10.1197/jamia.M1733.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from tests.oracles.ratings import NAN

Marks = Mapping[str, Sequence[tuple[int, int, str]]]
"""The marks of each annotator in a document: (start, end, label)."""


class Counts(NamedTuple):
    """Twice the matched marks of two annotators of a document, and the marks of both."""

    document: object
    first: str
    second: str
    shared: float
    held: float


def counts(documents: Mapping[object, Marks], label: str | None = None) -> list[Counts]:
    """Counts for each pair of annotators of a document; marks are sets, of one label or all."""
    found = []
    for name, document in documents.items():
        for a, b in combinations(document, 2):
            first, second = (
                {mark for mark in document[who] if label is None or mark[2] == label}
                for who in (a, b)
            )
            found.append(Counts(name, a, b, 2 * len(first & second), len(first) + len(second)))
    return found


def share(rows: Iterable[Counts]) -> float:
    """The matched share of all marks."""
    rows = list(rows)
    held = sum(row.held for row in rows)
    return sum(row.shared for row in rows) / held if held else NAN


def f1(
    documents: Sequence[Marks],
    weights: Sequence[float] | None = None,
    annotators: Mapping[str, float] | None = None,
    label: str | None = None,
) -> float:
    """Twice the matched marks over the marks of both; ``annotators`` has their weights."""
    weighted = []
    for row in counts(dict(enumerate(documents)), label):
        weight = weights[row.document] if weights else 1.0
        if annotators:
            weight *= annotators[row.first] * annotators[row.second]
        weighted.append(row._replace(shared=weight * row.shared, held=weight * row.held))
    return share(weighted)
