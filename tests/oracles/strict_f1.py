"""Strict F1 of marks by loops, pooled over documents and pairs of annotators.

Hripcsak, G. and Rothschild, A. S. (2005). Agreement, the F-measure, and reliability in information
retrieval. Journal of the American Medical Informatics Association 12(3), 296-298.
doi:10.1197/jamia.M1733.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from tests.oracles.ratings import NAN

Marks = Mapping[str, Sequence[tuple[int, int, str]]]
"""By annotator what he marked in a document: (start, end, label)."""


def f1(
    documents: Sequence[Marks],
    weights: Sequence[float] | None = None,
    annotators: Mapping[str, float] | None = None,
    label: str | None = None,
) -> float:
    """Twice what pairs share of what both hold; ``annotators`` are weights of these."""
    shared = held = 0.0
    for document, weight in zip(documents, weights or [1.0] * len(documents), strict=True):
        for a, b in combinations(document, 2):
            pair = weight * (annotators[a] * annotators[b] if annotators else 1.0)
            first, second = (
                {mark for mark in document[who] if label is None or mark[2] == label}
                for who in (a, b)
            )
            shared += pair * 2 * len(first & second)
            held += pair * (len(first) + len(second))
    return shared / held if held else NAN
