"""Sums of numbers and of their squares, without the digits that plain differences lose."""

from __future__ import annotations

import math
from typing import NamedTuple

from iaa_jax.kernels.namespace import Array, Namespace, device_of


def rounding(xp: Namespace, whole: Array) -> Array:
    """What a difference of sums as large as ``whole`` can be by rounding alone."""
    return 64 * float(xp.finfo(whole.dtype).eps) * xp.abs(whole)


def subtract(xp: Namespace, whole: Array, *parts: Array) -> Array:
    """``whole`` less the parts, and 0 where that is less than their rounding error."""
    difference = whole
    for part in parts:
        difference = difference - part
    small = xp.abs(difference) <= rounding(xp, whole)
    return xp.where(small, xp.zeros_like(difference), difference)


class Centre(NamedTuple):
    """What numbers are counted from, the same for all items, so that moments lose no digits."""

    middle: Array  # ()


def middle_of(xp: Namespace, value: Array, counted: Array) -> Array:
    """A middle one of the counted values; 0 where there is none."""
    if not math.prod(value.shape):
        return xp.zeros((), dtype=value.dtype, device=device_of(value))
    ordered = xp.sort(xp.reshape(xp.where(counted, value, xp.inf), (-1,)))
    count = xp.sum(xp.astype(counted, xp.int32))
    middle = xp.take(ordered, xp.reshape(count // 2, (1,)))[0]
    # where nothing is counted, the first of the sorted values is infinite
    return xp.where(count > 0, middle, xp.zeros_like(middle))


def counted_from(xp: Namespace, middle: Array, value: Array, counted: Array) -> Array:
    """Values less the middle one; 0 where not counted."""
    return xp.where(counted, value - middle, xp.zeros_like(value))


def above_lowest(xp: Namespace, value: Array, counted: Array) -> Array:
    """Values counted from the lowest of their item: exactly 0 where all are equal."""
    lowest = xp.min(xp.where(counted, value, xp.inf), axis=1)
    lowest = xp.where(xp.any(counted, axis=1), lowest, xp.zeros_like(lowest))
    return xp.where(counted, value - lowest[:, None], xp.zeros_like(value))
