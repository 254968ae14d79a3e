"""Shapley shares by every order of joining, and ratings with somebody replaced: literal loops.

Shapley, L. S. (1953). A value for n-person games. Contributions to the Theory of Games II.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any

Rows = Sequence[Sequence[Any]]


def value_of(rows: Rows, panel: Sequence[int], coefficient: Callable[[Rows], float]) -> float:
    """The coefficient of a panel's ratings alone; 0 for fewer than two, and if undefined."""
    if len(panel) < 2:
        return 0.0
    value = coefficient([[row[annotator] for annotator in sorted(panel)] for row in rows])
    return 0.0 if math.isnan(value) else value


def shapley(rows: Rows, annotators: int, coefficient: Callable[[Rows], float]) -> list[float]:
    """The mean contribution of each annotator to those before, over all orders of joining."""
    totals = [0.0] * annotators
    orders = list(permutations(range(annotators)))
    for order in orders:
        before: list[int] = []
        for annotator in order:
            found = value_of(rows, before, coefficient)
            before.append(annotator)
            totals[annotator] += value_of(rows, before, coefficient) - found
    return [total / len(orders) for total in totals]


def with_expert(rows: Rows, annotator: int) -> list[list[Any]]:
    """The annotator gives the others' most frequent label: the own one where that is among them."""
    replaced = [list(row) for row in rows]
    for row in replaced:
        votes = Counter(
            label for a, label in enumerate(row) if a != annotator and label is not None
        )
        if row[annotator] is None or not votes:
            continue
        tied = [label for label in votes if votes[label] == max(votes.values())]
        if row[annotator] not in tied:
            row[annotator] = min(tied)
    return replaced


def with_echo(rows: Rows, annotator: int, copied: int) -> list[list[Any]]:
    """The annotator gives the label of another where both rated."""
    replaced = [list(row) for row in rows]
    for row in replaced:
        if row[annotator] is not None and row[copied] is not None:
            row[annotator] = row[copied]
    return replaced
