"""Sums of numbers and of their squares, without the digits that plain differences lose."""

from __future__ import annotations

import math
from typing import NamedTuple

from iaa_jax.kernels.namespace import Array, Namespace, device_of, divided


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
    """What numbers are counted from, the same for all items, so that moments lose no digits.

    Where sets of them lie far from one another, each number is counted from the nearest of several,
    and the moments of each are summed apart (`sum_of_squares`).
    """

    middles: Array  # (middle,) in order


def centre_of(
    xp: Namespace, value: Array, counted: Array, middles: tuple[float, ...] | None
) -> Centre:
    """The middles that are given, else a middle one of the counted values."""
    if middles is None:
        return Centre(xp.reshape(middle_of(xp, value, counted), (1,)))
    return Centre(xp.asarray(middles, dtype=value.dtype, device=device_of(value)))


def middle_of(xp: Namespace, value: Array, counted: Array) -> Array:
    """A middle one of the counted values; 0 where there is none."""
    if not math.prod(value.shape):
        return xp.zeros((), dtype=value.dtype, device=device_of(value))
    ordered = xp.sort(xp.reshape(xp.where(counted, value, xp.inf), (-1,)))
    count = xp.sum(xp.astype(counted, xp.int32))
    middle = xp.take(ordered, xp.reshape(count // 2, (1,)))[0]
    # where nothing is counted, the first of the sorted values is infinite
    return xp.where(count > 0, middle, xp.zeros_like(middle))


class Counted(NamedTuple):
    """Values less the middle nearest to them, 0 where not counted, and which middle that is."""

    value: Array
    nearest: Array | None  # (..., middle) 1 at the nearest; None where there is one middle alone

    def for_rows(self) -> Counted:
        """The same of rows all of which are counted from one middle."""
        return self if self.nearest is None else self._replace(nearest=self.nearest[:, 0])

    def by_middle(self, xp: Namespace, figures: Array) -> Array:
        """Figures of the values (...,) at the middle that each is counted from: (..., middle)."""
        if self.nearest is None:
            return figures[..., None]
        return xp.where(self.nearest, figures[..., None], xp.zeros_like(figures[..., None]))


def counted_from(
    xp: Namespace, centre: Centre, value: Array, counted: Array, place: Array | None = None
) -> Counted:
    """Values counted from the middle that is nearest to ``place``, by default to themselves."""
    middles = centre.middles
    edges = middles[:-1] + (middles[1:] - middles[:-1]) / 2
    own, nearest = nearest_to(xp, middles, edges, value if place is None else place)
    return Counted(xp.where(counted, value - own, xp.zeros_like(value)), nearest)


def nearest_to(
    xp: Namespace, middles: Array, edges: Array, place: Array
) -> tuple[Array, Array | None]:
    """The middle between whose edges each place lies, and which it is (..., middle)."""
    if middles.shape[0] == 1:
        return middles[0], None
    number = xp.sum(xp.astype(place[..., None] > edges, xp.int32), axis=-1)
    nearest = number[..., None] == xp.arange(middles.shape[0], device=device_of(place))
    return xp.reshape(xp.take(middles, xp.reshape(number, (-1,))), number.shape), nearest


def sum_of_squares(
    xp: Namespace, weight: Array, total: Array, squares: Array, middles: Array
) -> Array:
    """Squares about the mean of all, from the sums (..., middle) about each middle.

    Those within each, and those between the means of each two: none is a difference of squares that
    are larger than what is left, as far as sets of numbers have a middle of their own.
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
    """Values counted from the lowest of their item: exactly 0 where all are equal."""
    lowest = xp.min(xp.where(counted, value, xp.inf), axis=1)
    lowest = xp.where(xp.any(counted, axis=1), lowest, xp.zeros_like(lowest))
    return xp.where(counted, value - lowest[:, None], xp.zeros_like(value))
