"""Segmentations, boundary by boundary and window by window.

Fournier, C. (2013). Evaluating text segmentation using boundary edit distance. ACL P13-1167.
Pevzner, L. and Hearst, M. A. (2002). A critique and improvement of an evaluation metric for text
segmentation. Computational Linguistics 28, 19-36. doi:10.1162/089120102317341756. Beeferman, D.,
Berger, A. and Lafferty, J. (1999). Statistical models for text segmentation. Machine Learning 34,
177-210. doi:10.1023/A:1007506220214.

A segmentation is the list of its segments' lengths; a document has one of each annotator.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

Segments = Sequence[int]


def boundaries(segments: Segments) -> list[bool]:
    """Whether there is a boundary after each place but the last."""
    found = [at == length for length in segments for at in range(1, length + 1)]
    return found[:-1]


def edits(a: Segments, b: Segments, n_t: int) -> tuple[int, list[int], int]:
    """Additions, the spans of transpositions, and matches."""
    one, other = boundaries(a), boundaries(b)
    matches = sum(x and y for x, y in zip(one, other, strict=True))
    left = {place for place in range(len(one)) if one[place] != other[place]}
    spans = []
    for apart in range(1, n_t):
        for place in range(len(one) - apart):
            both = {place, place + apart}
            if both <= left and one[place] != one[place + apart]:
                spans.append(apart)
                left -= both
    return len(left), spans, matches


def boundary_similarity(documents: Sequence[Sequence[Segments]], n_t: int = 2) -> float:
    """Pooled over pairs and documents."""
    cost = count = 0.0
    for document in documents:
        for a, b in combinations(document, 2):
            additions, spans, matches = edits(a, b, n_t)
            cost += additions + sum(apart / n_t for apart in spans)
            count += additions + len(spans) + matches
    return 1 - cost / count if count else float("nan")


def windows(a: Segments, reference: Segments, *, counted: bool) -> tuple[int, int]:
    """Windows that differ, and all."""
    places = sum(reference)
    size = max(2, round(places / len(reference) / 2))
    one, other = boundaries(a), boundaries(reference)
    differing = number = 0
    for start in range(places - size):
        number += 1
        x, y = sum(one[start : start + size]), sum(other[start : start + size])
        differing += x != y if counted else (x == 0) != (y == 0)
    return differing, number


def window_share(
    documents: Sequence[Sequence[Segments]], *, counted: bool, both: bool = True
) -> float:
    """Pooled over pairs and documents, the second of a pair or each of it as the reference."""
    differing = number = 0
    for document in documents:
        for a, b in combinations(document, 2):
            for pair in ((a, b), (b, a))[: 1 + both]:
                found = windows(*pair, counted=counted)
                differing += found[0]
                number += found[1]
    return differing / number if number else float("nan")
