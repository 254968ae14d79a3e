"""Weighted sums, over items, of the statistics of a coefficient.

A statistic is an array (item, ...), an `Indexed` array, whose values are added to the sums that an
index names, or a `Fixed` array, which is not summed. A slot holds an item's first, second, ...
rating, whoever gave it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, TypeVar

from iaa_jax.kernels.namespace import Array, namespace, segment_sum, weighted_sum

Statistics = TypeVar("Statistics", bound=tuple[Array, ...])

NamedSums = Any
"""The named tuple of a coefficient's sums; only the coefficient's formula knows the fields."""


class Indexed(NamedTuple):
    """A statistic of each slot (or pair of slots) of an item, added to one of ``size`` sums.

    With many annotators, arrays with a column for each (or for each pair) would be mostly zeros.
    """

    value: Array  # (item, slot, ...)
    index: Array  # (item, slot) index of the sum, from 0; an empty slot has value 0
    size: int
    keys: Array = None  # (size, ...) what each index stands for, if this depends on the data


class Fixed(NamedTuple):
    """An array that the formula needs in addition to the sums, whatever the item weights."""

    value: Array


def sums_over_items(statistics: Statistics, item_weight: Array) -> Statistics:
    """Return statistics summed over items with their weights; `Fixed` ones are not summed."""
    return type(statistics)(*(_summed(statistic, item_weight) for statistic in statistics))


def _summed(statistic: Array | Fixed | Indexed, item_weight: Array) -> Array:
    if isinstance(statistic, Fixed):
        return statistic.value
    if not isinstance(statistic, Indexed):
        return weighted_sum(namespace(item_weight, statistic), item_weight, statistic)
    value, index, size, _ = statistic
    xp = namespace(item_weight, value)
    shape = value.shape[2:]
    weighted = xp.reshape(item_weight, (-1, *(1,) * (len(shape) + 1))) * value
    cells = math.prod(index.shape)
    return segment_sum(xp, xp.reshape(weighted, (cells, *shape)), xp.reshape(index, (cells,)), size)
