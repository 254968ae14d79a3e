"""A_m over label pairs, and what goes with it, item by item and cell by cell.

Bhowmick, P. K., Basu, A. and Mitra, P. (2008). An agreement measure for determining inter-annotator
reliability of human judgements on affective text. Coling 2008, Workshop on Human Judgements in
Computational Linguistics, 58-65. doi:10.3115/1611628.1611637. Missing annotators: the pairs that
are there, and each annotator's margins over the items that they saw.

Weights may be fractions: then so are the results.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

from tests.oracles.ratings import (
    NAN,
    Label,
    LabelFunction,
    OracleResult,
    Ratings,
    annotators_in,
    identity,
    masses,
    ones_unless,
    raters,
)

CELLS = ((0, 0), (0, 1), (1, 0), (1, 1))


def has(cell: Any, label: Label, value: int) -> Any:
    """The chance that a rating's indicator of a label is 1, or 0."""
    mass = masses(cell).get(label, 0)
    return mass if value else 1 - mass


def agree_on_pair(one: Any, other: Any, first: Label, second: Label) -> Any:
    """Both indicators match."""
    total: Any = 0
    for g in CELLS:
        a = has(one, first, g[0]) * has(one, second, g[1])
        total += a * has(other, first, g[0]) * has(other, second, g[1])
    return total


def item_agreement(row: Sequence[Any], labels: Sequence[Label], v: Sequence[Any]) -> Any:
    """P_i: mean over label pairs and pairs of annotators; None without a pair."""
    total: Any = 0
    count: Any = 0
    for a, b in combinations(raters(row, v), 2):
        for first, second in combinations(labels, 2):
            total += v[a] * v[b] * agree_on_pair(row[a], row[b], first, second)
            count += v[a] * v[b]
    return total / count if count else None


def joint(
    ratings: Ratings, a: int, first: Label, second: Label, g: tuple[int, int], w: Sequence[Any]
) -> Any:
    """Share of the annotator's items with this combination of two indicators."""
    total: Any = 0
    count: Any = 0
    for i, row in enumerate(ratings):
        if row[a] is not None:
            total += w[i] * has(row[a], first, g[0]) * has(row[a], second, g[1])
            count += w[i]
    return total / count if count else None


def pair_chance(
    ratings: Ratings, a: int, b: int, first: Label, second: Label, w: Sequence[Any]
) -> Any:
    """Chance that two annotators agree on one label pair, over the four cells."""
    total: Any = 0
    for g in CELLS:
        one, other = (joint(ratings, u, first, second, g, w) for u in (a, b))
        if one is None or other is None:
            return None
        total += one * other
    return total


def am_agreement(
    ratings: Ratings,
    *,
    labels: Sequence[Label],
    agreement: LabelFunction = identity,
    item_weight: Sequence[Any] | None = None,
    annotator_weight: Sequence[Any] | None = None,
) -> OracleResult:
    """(P_o - P_e) / (1 - P_e); an agreement between labels plays no part."""
    del agreement
    w: list[Any] = ones_unless(item_weight, len(ratings))
    v: list[Any] = ones_unless(annotator_weight, annotators_in(ratings))
    observed: Any = 0
    items: Any = 0
    for i, row in enumerate(ratings):
        found = item_agreement(row, labels, v)
        if found is not None:
            observed += w[i] * found
            items += w[i]
    expected: Any = 0
    pairs: Any = 0
    for a, b in combinations(range(len(v)), 2):
        for first, second in combinations(labels, 2):
            chance = pair_chance(ratings, a, b, first, second, w)
            if chance is not None:
                expected += v[a] * v[b] * chance
                pairs += v[a] * v[b]
    if not items or not pairs:
        return OracleResult(NAN, NAN, NAN)
    observed, expected = observed / items, expected / pairs
    estimate = NAN if expected == 1 else (observed - expected) / (1 - expected)
    return OracleResult(estimate, observed, expected)


def label_pair_agreement(
    ratings: Ratings, labels: Sequence[Label], w: Sequence[Any]
) -> dict[tuple[Label, Label], Any]:
    """P_o of each label pair: mean over items of the mean over the item's pairs of annotators."""
    found: dict[tuple[Label, Label], Any] = {}
    for first, second in combinations(labels, 2):
        total: Any = 0
        items: Any = 0
        for i, row in enumerate(ratings):
            present = [cell for cell in row if cell is not None]
            pairs = list(combinations(present, 2))
            if pairs:
                agreed = [agree_on_pair(a, b, first, second) for a, b in pairs]
                total += w[i] * sum(agreed) / len(pairs)
                items += w[i]
        found[first, second] = total / items
    return found


def swaps(
    ratings: Ratings, labels: Sequence[Label], w: Sequence[Any]
) -> dict[tuple[Label, Label], tuple[Any, Any, Any]]:
    """Items and annotator pairs where one has only the first label, the other only the second.

    And items with such a pair that differs in nothing else.
    """
    found: dict[tuple[Label, Label], tuple[Any, Any, Any]] = {}
    for first, second in combinations(labels, 2):
        items: Any = 0
        total: Any = 0
        alone: Any = 0
        for i, row in enumerate(ratings):
            present = [cell for cell in row if cell is not None]
            here = 0
            nothing_else = False
            for one, other in product(present, present):
                if one is not other and (
                    has(one, first, 1)
                    and has(one, second, 0)
                    and has(other, first, 0)
                    and has(other, second, 1)
                ):
                    here += 1
                    nothing_else |= all(
                        has(one, label, 1) == has(other, label, 1)
                        for label in labels
                        if label not in (first, second)
                    )
            alone += w[i] * nothing_else
            total += w[i] * here
            items += w[i] * (here > 0)
        found[first, second] = (items, total, alone)
    return found
