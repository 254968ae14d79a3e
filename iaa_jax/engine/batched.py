"""NumPy arrays with a hidden last axis, so that a formula handles many rows of weights at once.

A row of weights is one replicate's weight of each item. A formula sees a `Batched` as the array of
one row: shapes, axes and indices refer to a row, and operations of the array API apply to all rows
together. An array may also carry derivatives of its numbers, each row along a direction of its own.
Every operation propagates them by the rules of calculus (forward mode), so derivatives are exact.

With rows on the last axis, NumPy's innermost loops run over rows.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from iaa_jax.engine.row_arrays import (
    Numbers,
    Operand,
    RowArray,
    add,
    alike,
    axes_of,
    divide,
    matrix_product,
    multiply,
    reshaped,
    slope_of,
    structural,
    subtract,
    value_of,
    without_slope,
)


class Batched(RowArray):
    """One array per row, with the operators and functions of a single array."""

    __slots__ = ()
    __array_ufunc__ = None  # makes NumPy defer to this class when a NumPy array is on the left

    def __array_namespace__(self, api_version: str | None = None) -> BatchedNamespace:
        return NAMESPACE

    @property
    def device(self) -> str:
        """The name of NumPy's device."""
        return "cpu"

    @property
    def T(self) -> Batched:
        """The transpose of a matrix."""
        return Batched(*structural(lambda array: np.swapaxes(array, -2, -3), self))

    def __getitem__(self, key: Any) -> Batched:
        keys = key if isinstance(key, tuple) else (key,)
        if any(each is Ellipsis for each in keys):
            keys = (*keys, slice(None))
        return Batched(*structural(lambda array: array[keys], self))

    def reshape(self, *shape: Any) -> Batched:
        """Return the array in another shape."""
        sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
        return Batched(*reshaped(self, sizes))

    def __neg__(self) -> Batched:
        return Batched(*structural(operator.neg, self))

    def __invert__(self) -> Batched:
        return Batched(~self.value)

    def __abs__(self) -> Batched:
        slope = None if self.slope is None else np.sign(self.value) * self.slope
        return Batched(np.abs(self.value), slope)

    def __add__(self, other: Operand) -> Batched:
        return Batched(*add(self, other))

    __radd__ = __add__

    def __sub__(self, other: Operand) -> Batched:
        return Batched(*subtract(self, other))

    def __rsub__(self, other: Operand) -> Batched:
        return Batched(*subtract(other, self))

    def __mul__(self, other: Operand) -> Batched:
        return Batched(*multiply(self, other))

    __rmul__ = __mul__

    def __truediv__(self, other: Operand) -> Batched:
        return Batched(*divide(self, other))

    def __rtruediv__(self, other: Operand) -> Batched:
        return Batched(*divide(other, self))

    def __pow__(self, exponent: float) -> Batched:
        slope = self.slope
        if slope is not None:
            slope = exponent * self.value ** (exponent - 1) * slope
        return Batched(self.value**exponent, slope)

    def __matmul__(self, other: Operand) -> Batched:
        return Batched(*matrix_product(self, other))

    def __rmatmul__(self, other: Operand) -> Batched:
        return Batched(*matrix_product(other, self))

    def __lt__(self, other: Operand) -> Batched:
        return Batched(*without_slope(np.less, self, other))

    def __le__(self, other: Operand) -> Batched:
        return Batched(*without_slope(np.less_equal, self, other))

    def __gt__(self, other: Operand) -> Batched:
        return Batched(*without_slope(np.greater, self, other))

    def __ge__(self, other: Operand) -> Batched:
        return Batched(*without_slope(np.greater_equal, self, other))

    def __eq__(self, other: object) -> Batched:  # type: ignore[override]
        return Batched(*without_slope(np.equal, self, other))

    def __ne__(self, other: object) -> Batched:  # type: ignore[override]
        return Batched(*without_slope(np.not_equal, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __and__(self, other: Operand) -> Batched:
        return Batched(*without_slope(np.logical_and, self, other))

    __rand__ = __and__

    def __or__(self, other: Operand) -> Batched:
        return Batched(*without_slope(np.logical_or, self, other))

    __ror__ = __or__

    def __bool__(self) -> bool:
        raise TypeError("an array with rows is neither true nor false: use where")


class BatchedNamespace:
    """The functions of the array API that formulas use, for arrays with and without rows.

    Arrays without rows are passed to NumPy. A function that is not defined here is NumPy's, and
    raises an error if an argument has rows.
    """

    def __getattr__(self, name: str) -> Any:
        of_numpy = getattr(np, name)
        if isinstance(of_numpy, type) or not callable(of_numpy):
            return of_numpy

        def plain(*arguments: Any, **options: Any) -> Any:
            if any(isinstance(each, Batched) for each in arguments):
                raise NotImplementedError(
                    f"{name} is not written for arrays with rows: add it to {__name__}"
                )
            return of_numpy(*arguments, **options)

        return plain

    def asarray(
        self,
        x: Operand,
        dtype: Any = None,
        device: Any = None,  # noqa: ARG002 - part of the array API
    ) -> Operand:
        """Return the array, in another dtype if one is given."""
        if isinstance(x, Batched):
            return x if dtype is None else self.astype(x, dtype)
        return np.asarray(x, dtype=dtype)

    def astype(self, x: Operand, dtype: Any) -> Operand:
        """Return the array in another dtype."""
        if not isinstance(x, Batched):
            return np.asarray(x).astype(dtype)
        return Batched(x.value.astype(dtype), x.slope if np.dtype(dtype).kind == "f" else None)

    def zeros_like(self, x: Operand, dtype: Any = None) -> Operand:
        """Return zeros of the same shape."""
        return self.full_like(x, 0, dtype=dtype)

    def ones_like(self, x: Operand, dtype: Any = None) -> Operand:
        """Return ones of the same shape."""
        return self.full_like(x, 1, dtype=dtype)

    def full_like(self, x: Operand, fill_value: float, dtype: Any = None) -> Operand:
        """Return an array of the same shape, filled with one number."""
        if not isinstance(x, Batched):
            return np.full_like(x, fill_value, dtype=dtype)
        return Batched(np.full((*x.shape, 1), fill_value, dtype=dtype or x.dtype))

    def where(self, condition: Operand, x: Operand, y: Operand) -> Operand:
        """Return the elements of ``x`` where the condition holds, and those of ``y`` elsewhere."""
        if not (isinstance(condition, Batched) or isinstance(x, Batched) or isinstance(y, Batched)):
            return np.where(condition, x, y)
        holds, of_x, of_y = value_of(condition), slope_of(x), slope_of(y)
        slope = None
        if of_x is not None or of_y is not None:
            slope = np.where(holds, 0.0 if of_x is None else of_x, 0.0 if of_y is None else of_y)
        return Batched(np.where(holds, value_of(x), value_of(y)), slope)

    def sum(self, x: Operand, axis: Any = None, keepdims: bool = False) -> Operand:
        """Sum over axes of a row."""
        return _reduced(np.sum, x, axis, keepdims)

    def mean(self, x: Operand, axis: Any = None, keepdims: bool = False) -> Operand:
        """Average over axes of a row."""
        return _reduced(np.mean, x, axis, keepdims)

    def any(self, x: Operand, axis: Any = None, keepdims: bool = False) -> Operand:
        """Tell whether any element is true."""
        return _reduced(np.any, x, axis, keepdims)

    def all(self, x: Operand, axis: Any = None, keepdims: bool = False) -> Operand:
        """Tell whether all elements are true."""
        return _reduced(np.all, x, axis, keepdims)

    def max(self, x: Operand, axis: Any = None, keepdims: bool = False) -> Operand:
        """Return the largest number; its derivative is the mean over tied numbers."""
        return _extreme(np.max, x, axis, keepdims)

    def min(self, x: Operand, axis: Any = None, keepdims: bool = False) -> Operand:
        """Return the smallest number; its derivative is the mean over tied numbers."""
        return _extreme(np.min, x, axis, keepdims)

    def maximum(self, x: Operand, y: Operand) -> Operand:
        """Return the larger of two numbers, element by element."""
        return self.where((x >= y) | self.isnan(x), x, y)

    def minimum(self, x: Operand, y: Operand) -> Operand:
        """Return the smaller of two numbers, element by element."""
        return self.where((x <= y) | self.isnan(x), x, y)

    def isnan(self, x: Operand) -> Operand:
        """Return True where numbers are NaN."""
        return Batched(np.isnan(x.value)) if isinstance(x, Batched) else np.isnan(x)

    def sign(self, x: Operand) -> Operand:
        """Return the sign: 1, 0 or -1."""
        return Batched(np.sign(x.value)) if isinstance(x, Batched) else np.sign(x)

    def abs(self, x: Operand) -> Operand:
        """Return absolute values."""
        return abs(x) if isinstance(x, Batched) else np.abs(x)

    def sqrt(self, x: Operand) -> Operand:
        """Return the square root."""
        return _elementwise(np.sqrt, lambda _, root: 0.5 / root, x)

    def exp(self, x: Operand) -> Operand:
        """Return the exponential."""
        return _elementwise(np.exp, lambda _, power: power, x)

    def log(self, x: Operand) -> Operand:
        """Return the natural logarithm."""
        return _elementwise(np.log, lambda value, _: 1 / value, x)

    def reshape(self, x: Operand, shape: int | tuple[int, ...]) -> Operand:
        """Return the array in another shape."""
        if not isinstance(x, Batched):
            return np.reshape(x, shape)
        return Batched(*reshaped(x, (shape,) if isinstance(shape, int) else tuple(shape)))

    def broadcast_to(self, x: Operand, shape: tuple[int, ...]) -> Operand:
        """Return the array, broadcast to a shape."""
        if not isinstance(x, Batched):
            return np.broadcast_to(x, shape)
        return Batched(
            *structural(lambda array: np.broadcast_to(array, (*shape, array.shape[-1])), x)
        )

    def take(self, x: Operand, indices: Operand, axis: int | None = None) -> Operand:
        """Return the elements at indices along an axis; all rows have the same indices."""
        if not isinstance(x, Batched):
            return np.take(x, indices, axis=axis)
        along = (axis or 0) % x.ndim
        return Batched(*structural(lambda array: np.take(array, indices, axis=along), x))

    def matrix_transpose(self, x: Operand) -> Operand:
        """Return the array with its last two axes swapped."""
        if not isinstance(x, Batched):
            return np.swapaxes(x, -1, -2)
        return x.T

    def permute_dims(self, x: Operand, axes: tuple[int, ...]) -> Operand:
        """Return the array with the axes of a row in another order."""
        if not isinstance(x, Batched):
            return np.transpose(x, axes)
        return Batched(*structural(lambda array: np.transpose(array, (*axes, len(axes))), x))

    def flip(self, x: Operand, axis: int | None = None) -> Operand:
        """Reverse the order along an axis, or along all axes by default."""
        if not isinstance(x, Batched):
            return np.flip(x, axis)
        return Batched(*structural(lambda array: np.flip(array, axes_of(axis, x.ndim)), x))

    def cumulative_sum(self, x: Operand, axis: int | None = None) -> Operand:
        """Return cumulative sums."""
        if not isinstance(x, Batched):
            return np.cumsum(x, axis=axis)
        return Batched(*structural(lambda array: np.cumsum(array, axis=(axis or 0) % x.ndim), x))

    def concat(self, arrays: Sequence[Operand], axis: int = 0) -> Operand:
        """Join arrays along an axis."""
        return _joined(np.concatenate, arrays, axis, 0)

    def stack(self, arrays: Sequence[Operand], axis: int = 0) -> Operand:
        """Join arrays along a new axis."""
        return _joined(np.stack, arrays, axis, 1)

    def matmul(self, x: Operand, y: Operand) -> Operand:
        """Return the matrix product in each row."""
        if not isinstance(x, Batched) and not isinstance(y, Batched):
            return np.matmul(x, y)
        return Batched(*matrix_product(x, y))


NAMESPACE = BatchedNamespace()


def _elementwise(
    function: Callable[[Numbers], Numbers],
    derivative: Callable[[Numbers, Numbers], Numbers],
    x: Operand,
) -> Operand:
    if not isinstance(x, Batched):
        return function(x)
    value = function(x.value)
    return Batched(value, None if x.slope is None else derivative(x.value, value) * x.slope)


def _reduced(function: Callable[..., Numbers], x: Operand, axis: Any, keepdims: bool) -> Operand:
    if not isinstance(x, Batched):
        return function(x, axis=axis, keepdims=keepdims)
    axes = axes_of(axis, x.ndim)
    return Batched(*structural(lambda array: function(array, axis=axes, keepdims=keepdims), x))


def _extreme(function: Callable[..., Numbers], x: Operand, axis: Any, keepdims: bool) -> Operand:
    if not isinstance(x, Batched):
        return function(x, axis=axis, keepdims=keepdims)
    axes = axes_of(axis, x.ndim)
    value = function(x.value, axis=axes, keepdims=keepdims)
    if x.slope is None:
        return Batched(value)
    reached = x.value == function(x.value, axis=axes, keepdims=True)
    slope = np.sum(reached * x.slope, axis=axes, keepdims=keepdims)
    return Batched(value, slope / np.sum(reached, axis=axes, keepdims=keepdims))


def _joined(
    function: Callable[..., Numbers], arrays: Sequence[Operand], axis: int, new: int
) -> Operand:
    with_rows = [each for each in arrays if isinstance(each, Batched)]
    if not with_rows:
        return function(arrays, axis=axis)
    along = axis % (with_rows[0].ndim + new)
    values = [each if isinstance(each, Batched) else Batched(value_of(each)) for each in arrays]
    slope = None
    if any(each.slope is not None for each in values):
        slope = function(
            alike([np.zeros(each.value.shape) if each.slope is None else each.slope
                    for each in values]),
            axis=along,
        )  # fmt: skip
    return Batched(function(alike([each.value for each in values]), axis=along), slope)
