"""A confidence sequence for Krippendorff's alpha by betting, in slow loops.

Waudby-Smith, I. and Ramdas, A. (2024). Estimating means of bounded random variables by betting.
Journal of the Royal Statistical Society B 86(1). doi:10.1093/jrsssb/qkad009. A bet is on a pair of
items, of which g(k) = m_i m_j ((w_i + w_j) / 2 - (1 - k) b_ij) has the mean 0 at k = alpha.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

Item = Sequence[object]
"""The labels that an item was given."""


def _unlike(one: object, other: object) -> float:
    return float(one != other)


def _within(item: Item) -> float:
    pairs = [(a, b) for a in range(len(item)) for b in range(len(item)) if a != b]
    return sum(_unlike(item[a], item[b]) for a, b in pairs) / len(pairs)


def _between(one: Item, other: Item) -> float:
    return sum(_unlike(a, b) for a in one for b in other) / (len(one) * len(other))


def bets(items: Sequence[Item], unit: int = 1) -> list[tuple[float, float]]:
    """Terms of observed and expected disagreement, from each pair of successive items.

    An item of fewer ratings than the ``unit`` was taken with the chance of their share in it, and
    then counts as one of so many.
    """
    items = [item for item in items if len(item) >= 2]
    made = []
    for one, other in zip(items[::2], items[1::2], strict=False):
        ratings = max(len(one), unit) * max(len(other), unit)
        within = (_within(one) + _within(other)) / 2
        made.append((ratings * within, ratings * _between(one, other)))
    return made


def stakes(made: Sequence[tuple[float, float]], most: float, alpha: float) -> list[float]:
    """The stake of each bet, from earlier bets."""
    found = []
    for number in range(len(made)):
        before = made[:number]
        ratio = (sum(o for o, _ in before) + most / 2) / (sum(e for _, e in before) + most)
        square = sum((o - ratio * e) ** 2 for o, e in before)
        variance = (square + 2 * 0.25 * most**2) / (number + 2)
        length = (number + 15) * math.log(number + 16) / 2
        found.append(math.sqrt(2 * math.log(2 / alpha) / (variance * length)))
    return found


def wealth(
    items: Sequence[Item], k: float, alpha: float, *, above: bool, unit: int = 1
) -> list[float]:
    """The wealth of bets that alpha is above k, or below it, after each pair, from 1."""
    made = bets(items, unit)
    most = float(max(len(item) for item in items)) ** 2
    now, found = 1.0, []
    for (o, e), stake in zip(made, stakes(made, most, alpha), strict=True):
        loss = most if above else (1 - k) * most
        bounded = min(stake, 0.9 / loss) if loss > 0 else stake
        now *= 1 + (-1 if above else 1) * bounded * (o - (1 - k) * e)
        found.append(now)
    return found


def ends(items: Sequence[Item], alpha: float, lowest: float, unit: int = 1) -> tuple[float, float]:
    """The interval that no wealth has ruled out, by bisection."""

    def ruled_out(k: float, *, above: bool) -> bool:
        return max(wealth(items, k, alpha, above=above, unit=unit), default=0.0) >= 2 / alpha

    def end(first: float, last: float, is_out: Callable[[float], bool]) -> float:
        if not is_out(first):
            return first
        for _ in range(60):
            middle = (first + last) / 2
            first, last = (middle, last) if is_out(middle) else (first, middle)
        return first

    low = end(lowest, 1.0, lambda k: ruled_out(k, above=True))
    return low, end(1.0, lowest, lambda k: ruled_out(k, above=False))
