"""Statistics of items, and their sums: plain ones, ones summed by an index, and fixed ones."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, TypeVar

from iaa_jax.kernels.namespace import Array, namespace, segment_sum, weighted_sum

Statistics = TypeVar("Statistics", bound=tuple[Array, ...])

NamedSums = Any
"""A coefficient's own named tuple of arrays, summed: its formula alone knows its fields."""


class Indexed(NamedTuple):
    """A statistic of each slot (or pair of slots) of an item, which enters one of ``size`` sums.

    Where few of many annotators (or of their pairs) rate an item, a column for each would be nearly
    all zeros.
    """

    value: Array  # (item, slot, ...)
    index: Array  # (item, slot) from 0: the sum that it enters; an empty slot has value 0
    size: int
    keys: Array = None  # (size, ...) what an index stands for, where these data alone decide it


class Fixed(NamedTuple):
    """What the formula needs beside the sums; item weights do not change it."""

    value: Array


def sums_over_items(statistics: Statistics, item_weight: Array) -> Statistics:
    """Every statistic summed over items with their weights."""
    return type(statistics)(*(_summed(statistic, item_weight) for statistic in statistics))


def _summed(statistic: Array | Fixed | Indexed, item_weight: Array) -> Array:
    if isinstance(statistic, Fixed):
        return statistic.value
    if not isinstance(statistic, Indexed):
        return weighted_sum(namespace(item_weight, statistic), item_weight, statistic)
    value, index, size, _ = statistic
    xp = namespace(item_weight, value)
    rest = value.shape[2:]
    weighted = xp.reshape(item_weight, (-1, *(1,) * (len(rest) + 1))) * value
    cells = math.prod(index.shape)
    return segment_sum(xp, xp.reshape(weighted, (cells, *rest)), xp.reshape(index, (cells,)), size)
