"""Variance components, from the analysis of variance and from pairs of ratings.

Cronbach, L. J., Gleser, G. C., Nanda, H., and Rajaratnam, N. (1972). The Dependability of
Behavioral Measurements. Henderson, C. R. (1953). Estimation of variance and covariance components.
Biometrics 9, 226-252. doi:10.2307/3001853.

Tables are lists of items, each a list of labels by annotator, None where not rated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

Table = Sequence[Sequence[Any]]
Distance = Callable[[Any, Any], float]


def mean_square_components(table: Sequence[Sequence[float]]) -> list[float]:
    """Of a complete table of numbers: items, annotators and the rest, by hand."""
    n, k = len(table), len(table[0])
    grand = sum(map(sum, table)) / (n * k)
    rows = [sum(row) / k for row in table]
    columns = [sum(row[a] for row in table) / n for a in range(k)]
    of_items = k * sum((x - grand) ** 2 for x in rows) / (n - 1)
    of_annotators = n * sum((x - grand) ** 2 for x in columns) / (k - 1)
    rest = sum(
        (table[i][a] - rows[i] - columns[a] + grand) ** 2 for i in range(n) for a in range(k)
    )
    rest /= (n - 1) * (k - 1)
    return [(of_items - rest) / k, (of_annotators - rest) / n, rest]


def pair_mean_components(table: Table, distance: Distance) -> list[float]:
    """Of a complete table: half the mean disagreement of each kind of pair."""
    n, k = len(table), len(table[0])
    kinds: dict[tuple[bool, bool], list[float]] = {}
    for i, a, j, b in product(range(n), range(k), range(n), range(k)):
        kinds.setdefault((i == j, a == b), []).append(distance(table[i][a], table[j][b]) / 2)
    within_item, by_annotator, others = (
        sum(kinds[kind]) / len(kinds[kind])
        for kind in ((True, False), (False, True), (False, False))
    )
    return [others - within_item, others - by_annotator, within_item + by_annotator - others]


def henderson(ratings: Sequence[tuple[Any, Any, Any]], distance: Distance) -> list[float]:
    """Of (item, annotator, label), repeated or not: sums over pairs, set equal to what they expect.

    The mean disagreement of a group's pairs, times half its size, is its sum of squares; a pair
    expects the components of all in which its ratings differ.
    """
    repeated = len({row[:2] for row in ratings}) < len(ratings)
    keys: list[Callable[[tuple[Any, Any, Any]], Any]] = [
        lambda row: 0,
        lambda row: row[0],
        lambda row: row[1],
    ]
    if repeated:
        keys.append(lambda row: row[:2])
    equations = []
    for key in keys:
        groups: dict[Any, list[tuple[Any, Any, Any]]] = {}
        for row in ratings:
            groups.setdefault(key(row), []).append(row)
        expected = [Fraction(0)] * len(keys)
        found = 0.0
        for group in groups.values():
            for (p, first), (q, second) in product(enumerate(group), repeat=2):
                if p == q:
                    continue
                found += distance(first[2], second[2]) / (2 * len(group))
                share = Fraction(1, len(group))
                differ = [first[0] != second[0], first[1] != second[1]]
                differ += [any(differ)] if repeated else []
                for place, one in enumerate([*differ, True]):
                    expected[place] += share * one
        equations.append(([*expected], Fraction(found)))
    return solve(equations)


def solve(equations: list[tuple[list[Fraction], Fraction]]) -> list[float]:
    """Gaussian elimination in fractions."""
    rows = [[*left, right] for left, right in equations]
    for place in range(len(rows)):
        pivot = next(k for k in range(place, len(rows)) if rows[k][place])
        rows[place], rows[pivot] = rows[pivot], rows[place]
        rows[place] = [x / rows[place][place] for x in rows[place]]
        for k in range(len(rows)):
            if k != place:
                rows[k] = [
                    x - rows[k][place] * y for x, y in zip(rows[k], rows[place], strict=True)
                ]
    return [float(row[-1]) for row in rows]
