"""Agreement between labels, by the names of Gwet, and distances between sets of labels.

Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th edition, chapter 3 and appendix:
each agreement is 1 minus a distance that is divided by its largest value, so that all lie in
[0, 1]. Linear and quadratic: Cohen, J. (1968). doi:10.1037/h0026256. MASI: Passonneau, R. (2006).
Measuring agreement on set-valued items (MASI) for semantic and pragmatic annotation. LREC 2006.
Jaccard, P. (1912). The distribution of the flora in the alpine zone. New Phytologist 11, 37-50.
doi:10.1111/j.1469-8137.1912.tb05611.x.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence

from tests.oracles.ratings import Label, LabelFunction, identity


def linear(x: float, y: float, low: float, high: float) -> float:
    """|x - y|."""
    return abs(x - y)


def quadratic(x: float, y: float, low: float, high: float) -> float:
    """(x - y)^2."""
    return (x - y) ** 2


def radical(x: float, y: float, low: float, high: float) -> float:
    """sqrt |x - y|."""
    return math.sqrt(abs(x - y))


def ordinal(x: float, y: float, low: float, high: float) -> float:
    """Pairs among the labels from x to y: with n of them, n (n - 1) / 2. x and y are ranks."""
    count = round(abs(x - y)) + 1
    return math.comb(count, 2)


def ratio(x: float, y: float, low: float, high: float) -> float:
    """((x - y) / (x + y))^2; two zeros do not differ."""
    return 0.0 if x == y else ((x - y) / (x + y)) ** 2


def circular(x: float, y: float, low: float, high: float) -> float:
    """sin^2(pi |x - y| / U), U = high - low + 1: the last label is a neighbour of the first."""
    return math.sin(math.pi * (x - y) / (high - low + 1)) ** 2


def bipolar(x: float, y: float, low: float, high: float) -> float:
    """(x - y)^2 / ((x + y - 2 low) (2 high - x - y))."""
    if x == y:
        return 0.0
    return (x - y) ** 2 / ((x + y - 2 * low) * (2 * high - x - y))


DISTANCES: dict[str, Callable[[float, float, float, float], float]] = {
    "linear": linear,
    "quadratic": quadratic,
    "ordinal": ordinal,
    "radical": radical,
    "ratio": ratio,
    "circular": circular,
    "bipolar": bipolar,
}


def is_number(label: Label) -> bool:
    """Booleans are labels, not numbers."""
    return isinstance(label, int | float) and not isinstance(label, bool)


def label_agreement(
    name: str, labels: Sequence[Label], *, weights_on: str = "value"
) -> LabelFunction:
    """Agreement between labels: of their values where all are numbers, else of their ranks.

    ``weights_on="rank"`` takes the ranks 1 to q of the declared order for numbers too. Ordinal
    agreement counts labels and so always takes ranks.
    """
    if name == "identity":
        return identity
    if weights_on not in {"value", "rank"}:
        raise ValueError(weights_on)
    by_value = weights_on == "value" and name != "ordinal" and all(map(is_number, labels))
    place = {label: label if by_value else rank for rank, label in enumerate(labels, start=1)}
    low, high = min(place.values()), max(place.values())
    distance = DISTANCES[name]
    if name == "ratio" and low < 0:
        message = "the ratio agreement is for values of zero or more"
        raise ValueError(message)
    largest = 0.0
    for x in place.values():
        for y in place.values():
            largest = max(largest, distance(x, y, low, high))

    def agreement(first: Label, second: Label) -> float:
        if first == second:
            return 1.0
        return 1.0 - distance(place[first], place[second], low, high) / largest

    return agreement


def label_agreement_matrix(
    name: str, labels: Sequence[Label], *, weights_on: str = "value"
) -> list[list[float]]:
    """Write the same agreement as rows: the first label down, the second across."""
    agreement = label_agreement(name, labels, weights_on=weights_on)
    return [[agreement(label, other) for other in labels] for label in labels]


def from_matrix(labels: Sequence[Label], matrix: Sequence[Sequence[float]]) -> LabelFunction:
    """Read an agreement or a distance from a square table, which may be asymmetric."""
    table = {
        (label, other): float(matrix[row][column])
        for row, label in enumerate(labels)
        for column, other in enumerate(labels)
    }
    return lambda first, second: table[first, second]


def binary(first: Collection[Label], second: Collection[Label]) -> float:
    """Sets differ or not."""
    return 0.0 if set(first) == set(second) else 1.0


def jaccard(first: Collection[Label], second: Collection[Label]) -> float:
    """1 - |intersection| / |union|; two empty sets do not differ."""
    one, other = set(first), set(second)
    if not one and not other:
        return 0.0
    return 1.0 - len(one & other) / len(one | other)


def dice(first: Collection[Label], second: Collection[Label]) -> float:
    """1 - F1 from precision and recall; two empty sets do not differ."""
    one, other = set(first), set(second)
    if not one and not other:
        return 0.0
    common = len(one & other)
    if not common:
        return 1.0
    precision, recall = common / len(other), common / len(one)
    return 1.0 - 2 * precision * recall / (precision + recall)


def masi(
    first: Collection[Label],
    second: Collection[Label],
    *,
    subset: float = 2 / 3,
    overlap: float = 1 / 3,
) -> float:
    """1 - |intersection| / |union| * m; m = 1 equal, ``subset``, ``overlap``, or 0 if disjoint.

    Two empty sets do not differ.
    """
    one, other = set(first), set(second)
    if one == other:
        return 0.0
    if not one & other:
        return 1.0
    monotonicity = subset if one <= other or other <= one else overlap
    return 1.0 - len(one & other) / len(one | other) * monotonicity
