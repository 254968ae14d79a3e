"""Agreement between labels, as matrices (label, label) with 1 on the diagonal.

The named matrices are Gwet's functions of the values of the labels; entries lie between 0 and 1.
The metrics of Krippendorff's alpha are distances that are not scaled to 1.

Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed., chapter 3.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Sequence
from typing import TypeVar

from iaa_jax.kernels.namespace import Array, Namespace, device_of, divided, floating, namespace

Label = TypeVar("Label")

LabelSet = Collection[Hashable]


def identity(values: Array) -> Array:
    """Return 1 for equal labels, otherwise 0."""
    xp, a, _ = _grid(values)
    return xp.eye(a.shape[0], dtype=a.dtype, device=device_of(a))


def linear(values: Array) -> Array:
    """Return ``1 - |a - b| / (max - min)``."""
    xp, a, b = _grid(values)
    return 1 - _to_one(xp, xp.abs(a - b))


def quadratic(values: Array) -> Array:
    """Return ``1 - (a - b)^2 / (max - min)^2``."""
    xp, a, b = _grid(values)
    return 1 - _to_one(xp, (a - b) ** 2)


def radical(values: Array) -> Array:
    """Return ``1 - sqrt(|a - b| / (max - min))``."""
    xp, a, b = _grid(values)
    return 1 - _to_one(xp, xp.sqrt(xp.abs(a - b)))


def ordinal(values: Array) -> Array:
    """Return ``1 - C(k + 1, 2) / C(L, 2)`` for two of L labels whose ranks differ by k."""
    xp, a, _ = _grid(values)
    rank = xp.sum(xp.astype(a > a.T, a.dtype), axis=1)
    distance = xp.abs(rank[:, None] - rank[None, :])
    return 1 - _to_one(xp, distance * (distance + 1) / 2)


def ratio(values: Array) -> Array:
    """Return ``1 - ((a - b) / (a + b))^2 / ((max - min) / (max + min))^2``; two zeros agree."""
    xp, a, b = _grid(values)
    low, high = xp.min(a), xp.max(a)
    widest = divided(xp, high - low, high + low) ** 2
    distance = divided(xp, a - b, a + b) ** 2
    return 1 - divided(xp, distance, xp.broadcast_to(widest, distance.shape))


def circular(values: Array) -> Array:
    """Return ``1 - sin^2(pi (a - b) / (max - min + 1))``, scaled so that the minimum is 0.

    The lowest and the highest label are neighbours, as on a circle.
    """
    xp, a, b = _grid(values)
    around = xp.max(a) - xp.min(a) + 1
    return 1 - _to_one(xp, xp.sin(math.pi * (a - b) / around) ** 2)


def bipolar(values: Array) -> Array:
    """Return ``1 - (a - b)^2 / ((a + b - 2 min) (2 max - a - b))``, scaled to a minimum of 0.

    Differences weigh more near either end of the scale.
    """
    xp, a, b = _grid(values)
    low, high = xp.min(a), xp.max(a)
    above, below = (a - low) + (b - low), (high - a) + (high - b)
    return 1 - _to_one(xp, divided(xp, (a - b) ** 2, above * below))


NAMED: dict[str, Callable[[Array], Array]] = {
    "identity": identity,
    "linear": linear,
    "quadratic": quadratic,
    "ordinal": ordinal,
    "radical": radical,
    "ratio": ratio,
    "circular": circular,
    "bipolar": bipolar,
}
"""Named agreements between labels, for the option ``weights=``."""


def interval_distance(values: Array) -> Array:
    """Return Krippendorff's interval metric ``(a - b)^2``."""
    _, a, b = _grid(values)
    return (a - b) ** 2


def ratio_distance(values: Array) -> Array:
    """Return Krippendorff's ratio metric ``((a - b) / (a + b))^2``, which is 0 for two zeros."""
    xp, a, b = _grid(values)
    return divided(xp, a - b, a + b) ** 2


def binary_distance(first: LabelSet, second: LabelSet) -> float:
    """Return 0 for equal sets, otherwise 1."""
    return float(set(first) != set(second))


def jaccard_distance(first: LabelSet, second: LabelSet) -> float:
    """Return ``1 - |A & B| / |A | B|``; two empty sets are equal."""
    a, b = set(first), set(second)
    union = len(a | b)
    return 1 - len(a & b) / union if union else 0.0


def dice_distance(first: LabelSet, second: LabelSet) -> float:
    """Return ``1 - 2 |A & B| / (|A| + |B|)``, which is 1 - F1; two empty sets are equal.

    Dice, L. R. (1945). Measures of the amount of ecologic association between species. Ecology 26.
    """
    a, b = set(first), set(second)
    total = len(a) + len(b)
    return 1 - 2 * len(a & b) / total if total else 0.0


def masi_distance(
    first: LabelSet, second: LabelSet, subset: float = 2 / 3, overlap: float = 1 / 3
) -> float:
    """Return Passonneau's MASI distance, 1 minus the Jaccard index times a factor.

    The factor is 1 for equal sets, 2/3 for a subset, 1/3 for an overlap and 0 for disjoint sets.

    Passonneau, R. (2006). Measuring agreement on set-valued items (MASI). LREC.
    """
    a, b = set(first), set(second)
    if a == b:
        return 0.0
    if a <= b or b <= a:
        monotonicity = subset
    elif a & b:
        monotonicity = overlap
    else:
        monotonicity = 0.0
    return 1 - (1 - jaccard_distance(a, b)) * monotonicity


SET_DISTANCES: dict[str, Callable[[LabelSet, LabelSet], float]] = {
    "binary": binary_distance,
    "masi": masi_distance,
    "jaccard": jaccard_distance,
    "dice": dice_distance,
}
"""Distances between label sets, for the option ``distance=``."""


def table_of_sets(distance: str, sets: Array) -> Array:
    """Return the table (set, set) of a named distance, for sets as rows of 0 and 1 (set, label)."""
    xp = namespace(sets)
    size = xp.sum(sets, axis=1)
    common = sets @ xp.matrix_transpose(sets)
    largest = xp.where(size[:, None] > size[None, :], size[:, None], size[None, :])
    union = size[:, None] + size[None, :] - common
    smallest = union + common - largest
    same, zero = union == common, xp.zeros_like(common)
    if distance == "binary":
        return xp.where(same, zero, zero + 1)
    if distance == "dice":
        return xp.where(same, zero, 1 - divided(xp, 2 * common, union + common))
    jaccard = divided(xp, common, union)
    if distance == "masi":
        inside = xp.where(common == smallest, jaccard * (2 / 3), jaccard * (1 / 3))
        return xp.where(same, zero, 1 - inside)
    return xp.where(same, zero, 1 - jaccard)


def table(distance: Callable[[Label, Label], float], labels: Sequence[Label]) -> list[list[float]]:
    """Return the table (label, label) of a distance function."""
    return [[float(distance(label, other)) for other in labels] for label in labels]


def _grid(values: Array) -> tuple[Namespace, Array, Array]:
    xp = namespace(values)
    values = floating(xp, values)
    shape = (values.shape[0], values.shape[0])
    return xp, xp.broadcast_to(values[:, None], shape), xp.broadcast_to(values[None, :], shape)


def _to_one(xp: Namespace, distance: Array) -> Array:
    return divided(xp, distance, xp.broadcast_to(xp.max(distance), distance.shape))
