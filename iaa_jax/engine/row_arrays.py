"""Arrays with rows: their numbers and derivatives, and the operations on both.

A row is, for instance, a replicate. Shapes, axes and indices refer to one row; the hidden row axis
is the last. Each row has a derivative along its own direction, which every operation propagates.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[Any]
Operand = Any
"""A `RowArray`, or a NumPy array or number that is the same in all rows."""

Parts = tuple[Numbers, Numbers | None]
"""Numbers (..., row) and their slope; None for a slope of 0."""


class RowArray:
    """One array per row.

    Attributes
    ----------
    value : array (..., row)
        The numbers, with a last axis of size 1 if all rows are equal.
    slope : array (..., row), optional
        The derivative along the direction of each row; None for 0.
    """

    __slots__ = ("slope", "value")

    def __init__(self, value: Numbers, slope: Numbers | None = None) -> None:
        self.value = value
        if slope is not None and slope.shape[:-1] != value.shape[:-1]:
            slope = np.broadcast_to(slope, (*value.shape[:-1], slope.shape[-1]))
        self.slope = slope

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one row."""
        return self.value.shape[:-1]

    @property
    def ndim(self) -> int:
        """The number of axes of one row."""
        return self.value.ndim - 1

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the numbers."""
        return self.value.dtype


def value_of(x: Operand) -> Any:
    """Return the numbers, in a shape that broadcasts with rows."""
    if isinstance(x, RowArray):
        return x.value
    return x[..., None] if isinstance(x, np.ndarray) and x.ndim else x


def slope_of(x: Operand) -> Numbers | None:
    """Return the derivatives; None if they are 0."""
    return x.slope if isinstance(x, RowArray) else None


def add(x: Operand, y: Operand) -> Parts:
    """Add two arrays and their slopes."""
    slope, of_second = slope_of(x), slope_of(y)
    if of_second is not None:
        slope = of_second if slope is None else slope + of_second
    return value_of(x) + value_of(y), slope


def subtract(x: Operand, y: Operand) -> Parts:
    """Subtract an array and its slopes from another."""
    slope, of_second = slope_of(x), slope_of(y)
    if of_second is not None:
        slope = -of_second if slope is None else slope - of_second
    return value_of(x) - value_of(y), slope


def multiply(x: Operand, y: Operand) -> Parts:
    """Return the product, with its slopes."""
    first, second = value_of(x), value_of(y)
    slope, of_second = slope_of(x), slope_of(y)
    slope = None if slope is None else slope * second
    if of_second is not None:
        of_second = first * of_second
        slope = of_second if slope is None else slope + of_second
    return first * second, slope


def divide(x: Operand, y: Operand) -> Parts:
    """Return the quotient, with its slopes."""
    first, second = value_of(x), value_of(y)
    quotient = first / second
    slope, of_second = slope_of(x), slope_of(y)
    slope = None if slope is None else slope / second
    if of_second is not None:
        of_second = -quotient / second * of_second
        slope = of_second if slope is None else slope + of_second
    return quotient, slope


def without_slope(function: Callable[..., Numbers], x: Operand, y: Operand) -> Parts:
    """Apply a function with zero slope, such as a comparison."""
    return function(value_of(x), value_of(y)), None


def structural(function: Callable[[Numbers], Numbers], x: RowArray) -> Parts:
    """Apply a linear function, such as a sum, to both the numbers and the slopes."""
    return function(x.value), None if x.slope is None else function(x.slope)


def reshaped(x: RowArray, sizes: tuple[int, ...]) -> Parts:
    """Return the array in another shape; one size may be -1."""
    if -1 in sizes:
        known = math.prod(size for size in sizes if size != -1)
        whole = math.prod(x.shape)
        sizes = tuple(whole // max(known, 1) if size == -1 else size for size in sizes)
    return structural(lambda array: array.reshape(*sizes, array.shape[-1]), x)


def matrix_product(x: Operand, y: Operand) -> Parts:
    """Return the matrix product, with its slopes."""
    slope = None
    if isinstance(x, RowArray) and x.slope is not None:
        slope = product(RowArray(x.slope), y)
    if isinstance(y, RowArray) and y.slope is not None:
        of_second = product(x, RowArray(y.slope))
        slope = of_second if slope is None else slope + of_second
    return product(x, y), slope


def axes_of(axis: int | tuple[int, ...] | None, ndim: int) -> tuple[int, ...]:
    """Return axes of a row, numbered from the front."""
    if axis is None:
        return tuple(range(ndim))
    return tuple(each % ndim for each in ((axis,) if isinstance(axis, int) else axis))


def alike(arrays: Sequence[Numbers]) -> list[Numbers]:
    """Broadcast all arrays to equally many rows."""
    rows = max(array.shape[-1] for array in arrays)
    return [np.broadcast_to(array, (*array.shape[:-1], rows)) for array in arrays]


def product(x: Operand, y: Operand) -> Numbers:
    """Return the matrix product in each row, mostly by BLAS if a factor is equal in all rows."""
    if x.ndim == 1 or y.ndim <= 2:  # otherwise y has axes before its matrix axes
        if not isinstance(x, RowArray):
            return np.asarray(np.tensordot(x, y.value, axes=(-1, max(y.ndim - 2, 0))))
        if not isinstance(y, RowArray):
            return np.asarray(np.matmul(np.swapaxes(y, -1, -2) if y.ndim > 1 else y, x.value))
    first, second = alike([value_of(x), value_of(y)])
    left = "k" if x.ndim == 1 else "...ik"
    right = "k" if y.ndim == 1 else "...kj"
    out = f"{'' if max(x.ndim, y.ndim) < 2 else '...'}{'i' * (x.ndim > 1)}{'j' * (y.ndim > 1)}"
    return np.asarray(np.einsum(f"{left}z,{right}z->{out}z", first, second))
