"""Sums of numbers and of their squares, computed so that their differences keep their digits."""

from __future__ import annotations

import math
from typing import NamedTuple

from iaa_jax.kernels.namespace import Array, Namespace, device_of, divided


def rounding(xp: Namespace, whole: Array) -> Array:
    """Return the largest difference of two sums near ``whole`` that counts as rounding error."""
    return 64 * float(xp.finfo(whole.dtype).eps) * xp.abs(whole)


def subtract(xp: Namespace, whole: Array, *parts: Array) -> Array:
    """Return ``whole`` minus the parts, or 0 if the difference may be rounding error."""
    difference = whole
    for part in parts:
        difference = difference - part
    small = xp.abs(difference) <= rounding(xp, whole)
    return xp.where(small, xp.zeros_like(difference), difference)


class Centre(NamedTuple):
    """The middle value that is subtracted from all numbers, so that moments keep their digits.

    If sets of numbers lie far from each other, there are several middles: the nearest middle is
    subtracted from each number, and moments are summed by middle (`sum_of_squares`).
    """

    middles: Array  # (middle,) in ascending order


def centre_of(
    xp: Namespace, value: Array, counted: Array, middles: tuple[float, ...] | None
) -> Centre:
    """Return the given middles, or by default a middle value among the counted values."""
    if middles is None:
        return Centre(xp.reshape(middle_of(xp, value, counted), (1,)))
    return Centre(xp.asarray(middles, dtype=value.dtype, device=device_of(value)))


def middle_of(xp: Namespace, value: Array, counted: Array) -> Array:
    """Return a middle value among the counted values, or 0 if there are none."""
    if not math.prod(value.shape):
        return xp.zeros((), dtype=value.dtype, device=device_of(value))
    ordered = xp.sort(xp.reshape(xp.where(counted, value, xp.inf), (-1,)))
    count = xp.sum(xp.astype(counted, xp.int32))
    middle = xp.take(ordered, xp.reshape(count // 2, (1,)))[0]
    # if no value is counted, the first of the sorted values is infinite
    return xp.where(count > 0, middle, xp.zeros_like(middle))


class Counted(NamedTuple):
    """Values minus their middle, 0 where not counted, and an indicator of the middle."""

    value: Array
    nearest: Array | None  # (..., middle) True for the value's middle; None if there is only one

    def for_rows(self) -> Counted:
        """Return the values with one indicator per row, for rows whose values share a middle."""
        return self if self.nearest is None else self._replace(nearest=self.nearest[:, 0])

    def by_middle(self, xp: Namespace, values: Array) -> Array:
        """Return ``values`` (...) as (..., middle): each at its own middle, and 0 at the others."""
        if self.nearest is None:
            return values[..., None]
        return xp.where(self.nearest, values[..., None], xp.zeros_like(values[..., None]))


def counted_from(
    xp: Namespace, centre: Centre, value: Array, counted: Array, position: Array | None = None
) -> Counted:
    """Return values minus the middle nearest to ``position`` (by default, to the value itself)."""
    middles = centre.middles
    edges = middles[:-1] + (middles[1:] - middles[:-1]) / 2
    middle, nearest = nearest_to(xp, middles, edges, value if position is None else position)
    return Counted(xp.where(counted, value - middle, xp.zeros_like(value)), nearest)


def nearest_to(
    xp: Namespace, middles: Array, edges: Array, position: Array
) -> tuple[Array, Array | None]:
    """Return the middle nearest to each position, and an indicator of it (..., middle).

    If there is only one middle, the indicator is None.
    """
    if middles.shape[0] == 1:
        return middles[0], None
    number = xp.sum(xp.astype(position[..., None] > edges, xp.int32), axis=-1)
    nearest = number[..., None] == xp.arange(middles.shape[0], device=device_of(position))
    return xp.reshape(xp.take(middles, xp.reshape(number, (-1,))), number.shape), nearest


def sum_of_squares(
    xp: Namespace, weight: Array, total: Array, squares: Array, middles: Array
) -> Array:
    """Return the sum of squares about the overall mean, from sums (..., middle) about each middle.

    It is the sum of squares within the sets of numbers that share a middle, plus the sum of squares
    between the means of these sets, so no large squares are subtracted.
    """
    within = subtract(xp, squares, divided(xp, total * total, weight))
    if middles.shape[0] == 1:
        return within[..., 0]
    mean = divided(xp, total, weight)
    away = (middles[:, None] - middles[None, :]) + (mean[..., :, None] - mean[..., None, :])
    pairs = weight[..., :, None] * weight[..., None, :] * away * away
    between = xp.sum(xp.sum(pairs, axis=-1), axis=-1)
    return xp.sum(within, axis=-1) + divided(xp, between, 2 * xp.sum(weight, axis=-1))


def above_lowest(xp: Namespace, value: Array, counted: Array) -> Array:
    """Return values minus the lowest value of their item; exactly 0 if all are equal."""
    lowest = xp.min(xp.where(counted, value, xp.inf), axis=1)
    lowest = xp.where(xp.any(counted, axis=1), lowest, xp.zeros_like(lowest))
    return xp.where(counted, value - lowest[:, None], xp.zeros_like(value))
