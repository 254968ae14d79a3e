"""Figures of numbers by loops over pairs, in exact arithmetic: rows of ratings, NaN for none.

An item of weight w stands for w items.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations

Distance = Callable[[Fraction, Fraction], Fraction]


def squared(a: Fraction, b: Fraction) -> Fraction:
    """Krippendorff's interval metric."""
    return (a - b) ** 2


def relative(a: Fraction, b: Fraction) -> Fraction:
    """Krippendorff's ratio metric; two zeros are the same."""
    return ((a - b) / (a + b)) ** 2 if a + b else Fraction(0)


def exact_rows(rows: Sequence[Sequence[float]]) -> list[list[Fraction]]:
    """The ratings of each item, without gaps."""
    return [[Fraction(float(x)) for x in row if x == x] for row in rows]


def mean_distance(pairs: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    """The mean squared difference."""
    return sum((squared(a, b) for a, b in pairs), Fraction(0)) / len(pairs)


def alpha(
    rows: Sequence[Sequence[float]], distance: Distance, weight: Sequence[int] | None = None
) -> float:
    """``1 - D_o / D_e`` over items with two ratings or more."""
    copies = weight or [1] * len(rows)
    items = [(row, w) for row, w in zip(exact_rows(rows), copies, strict=True) if len(row) > 1]
    number = sum(w * len(row) for row, w in items)
    observed = sum(
        Fraction(w, len(row) - 1) * sum(2 * distance(a, b) for a, b in combinations(row, 2))
        for row, w in items
    )
    everything = [(x, w) for row, w in items for x in row]
    # floats of exact distances: a sum of thousands of fractions of 1,000 digits takes minutes
    expected = sum(float(distance(a, b)) * v * w for a, v in everything for b, w in everything)
    return 1 - float(observed) * (number - 1) / expected


def icc1(rows: Sequence[Sequence[float]]) -> float:
    """``s / (s + e)`` of the one-way analysis of variance, as many ratings as there are."""
    items = [row for row in exact_rows(rows) if row]
    total = sum(len(row) for row in items)
    mean = sum(map(sum, items)) / Fraction(total)
    means = [sum(row) / len(row) for row in items]
    pairs = list(zip(items, means, strict=True))
    within = sum((x - m) ** 2 for row, m in pairs for x in row) / Fraction(total - len(items))
    between = sum(len(row) * (m - mean) ** 2 for row, m in pairs) / Fraction(len(items) - 1)
    usual = (total - Fraction(sum(len(row) ** 2 for row in items), total)) / (len(items) - 1)
    share = (between - within) / usual
    return float(share / (share + within))


def concordance(first: Sequence[float], second: Sequence[float]) -> float:
    """Lin's, of the items that both rated."""
    both = [row for row in exact_rows(list(zip(first, second, strict=True))) if len(row) == 2]
    means = [sum(row[k] for row in both) / len(both) for k in (0, 1)]
    spread = sum((row[k] - means[k]) ** 2 for row in both for k in (0, 1)) / len(both)
    return float(1 - mean_distance([(a, b) for a, b in both]) / (spread + squared(*means)))
