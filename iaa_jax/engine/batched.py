"""NumPy arrays with a hidden last axis: a formula on them works on many rows of weights at once.

To a formula a `Batched` is the array of one row: shapes, axes and indices are those of a row, and
what the array API names is done to all rows together. So small data need no compiled code, and no
kernel is written for it. Beside its numbers an array may carry their derivatives, row by row along
a direction of its own, which every step passes on by the rules of calculus: exact, as those of
JAX are, and of many directions at once.

The hidden axis is the last one, so that NumPy's innermost loops run over rows.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[Any]
Operand = Any
"""A `Batched`, or what is the same in each row: an array of NumPy, or a number."""


class Batched:
    """An array of which each row has its own.

    Attributes
    ----------
    value : array (..., row)
        A last axis of 1 where all rows have the same.
    slope : array (..., row), optional
        Its derivative along the direction of each row; none where it is 0.
    """

    __slots__ = ("slope", "value")
    __array_ufunc__ = None  # NumPy leaves operators with its arrays on the left to this class

    def __init__(self, value: Numbers, slope: Numbers | None = None) -> None:
        self.value = value
        if slope is not None and slope.shape[:-1] != value.shape[:-1]:
            slope = np.broadcast_to(slope, (*value.shape[:-1], slope.shape[-1]))
        self.slope = slope

    def __array_namespace__(self, api_version: str | None = None) -> BatchedNamespace:
        """The functions for arrays with rows."""
        return NAMESPACE

    @property
    def shape(self) -> tuple[int, ...]:
        """Of one row."""
        return self.value.shape[:-1]

    @property
    def ndim(self) -> int:
        """Of one row."""
        return self.value.ndim - 1

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the numbers."""
        return self.value.dtype

    @property
    def device(self) -> str:
        """That of NumPy."""
        return "cpu"

    @property
    def T(self) -> Batched:
        """Of a matrix, its transpose."""
        return _structural(lambda array: np.swapaxes(array, -2, -3), self)

    def __getitem__(self, key: Any) -> Batched:
        """What stands there in each row."""
        keys = key if isinstance(key, tuple) else (key,)
        if any(each is Ellipsis for each in keys):
            keys = (*keys, slice(None))
        return _structural(lambda array: array[keys], self)

    def reshape(self, *shape: Any) -> Batched:
        """The array in another shape."""
        sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
        return _reshaped(self, sizes)

    def __neg__(self) -> Batched:
        """Each number with the other sign."""
        return _structural(operator.neg, self)

    def __invert__(self) -> Batched:
        """What holds where this does not."""
        return Batched(~self.value)

    def __abs__(self) -> Batched:
        """Without signs."""
        slope = None if self.slope is None else np.sign(self.value) * self.slope
        return Batched(np.abs(self.value), slope)

    def __add__(self, other: Operand) -> Batched:
        """The sum."""
        return _add(self, other)

    __radd__ = __add__

    def __sub__(self, other: Operand) -> Batched:
        """The difference."""
        return _subtract(self, other)

    def __rsub__(self, other: Operand) -> Batched:
        """The difference from another."""
        return _subtract(other, self)

    def __mul__(self, other: Operand) -> Batched:
        """The product."""
        return _multiply(self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Operand) -> Batched:
        """The quotient."""
        return _divide(self, other)

    def __rtruediv__(self, other: Operand) -> Batched:
        """The quotient of another by it."""
        return _divide(other, self)

    def __pow__(self, exponent: float) -> Batched:
        """A power with a number as exponent."""
        slope = self.slope
        if slope is not None:
            slope = exponent * self.value ** (exponent - 1) * slope
        return Batched(self.value**exponent, slope)

    def __matmul__(self, other: Operand) -> Batched:
        """The matrix product."""
        return _matrix_product(self, other)

    def __rmatmul__(self, other: Operand) -> Batched:
        """The matrix product of another with it."""
        return _matrix_product(other, self)

    def __lt__(self, other: Operand) -> Batched:
        """Whether it is less."""
        return _without_slope(np.less, self, other)

    def __le__(self, other: Operand) -> Batched:
        """Whether it is not more."""
        return _without_slope(np.less_equal, self, other)

    def __gt__(self, other: Operand) -> Batched:
        """Whether it is more."""
        return _without_slope(np.greater, self, other)

    def __ge__(self, other: Operand) -> Batched:
        """Whether it is not less."""
        return _without_slope(np.greater_equal, self, other)

    def __eq__(self, other: object) -> Batched:  # type: ignore[override]
        """Whether it is the same."""
        return _without_slope(np.equal, self, other)

    def __ne__(self, other: object) -> Batched:  # type: ignore[override]
        """Whether it is another."""
        return _without_slope(np.not_equal, self, other)

    __hash__ = None  # type: ignore[assignment]

    def __and__(self, other: Operand) -> Batched:
        """Where both hold."""
        return _without_slope(np.logical_and, self, other)

    __rand__ = __and__

    def __or__(self, other: Operand) -> Batched:
        """Where either holds."""
        return _without_slope(np.logical_or, self, other)

    __ror__ = __or__

    def __bool__(self) -> bool:
        """Refused: rows may differ."""
        raise TypeError("an array with rows is neither true nor false: use where")


class BatchedNamespace:
    """The part of the array API that formulas use, for arrays with rows and without.

    What is without rows goes to NumPy as it stands. A function that is not here takes none with
    rows.
    """

    def __getattr__(self, name: str) -> Any:
        """What NumPy has by that name, for arrays without rows."""
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
        """The array as it stands, or in another type."""
        if isinstance(x, Batched):
            return x if dtype is None else self.astype(x, dtype)
        return np.asarray(x, dtype=dtype)

    def astype(self, x: Operand, dtype: Any) -> Operand:
        """The array in another type."""
        if not isinstance(x, Batched):
            return np.asarray(x).astype(dtype)
        return Batched(x.value.astype(dtype), x.slope if np.dtype(dtype).kind == "f" else None)

    def zeros_like(self, x: Operand, dtype: Any = None) -> Operand:
        """Zeros in the shape."""
        return self.full_like(x, 0, dtype=dtype)

    def ones_like(self, x: Operand, dtype: Any = None) -> Operand:
        """Ones in the shape."""
        return self.full_like(x, 1, dtype=dtype)

    def full_like(self, x: Operand, fill_value: float, dtype: Any = None) -> Operand:
        """One number in the shape."""
        if not isinstance(x, Batched):
            return np.full_like(x, fill_value, dtype=dtype)
        return Batched(np.full((*x.shape, 1), fill_value, dtype=dtype or x.dtype))

    def where(self, condition: Operand, x: Operand, y: Operand) -> Operand:
        """The one where the condition holds, else the other."""
        if not (isinstance(condition, Batched) or isinstance(x, Batched) or isinstance(y, Batched)):
            return np.where(condition, x, y)
        holds, of_x, of_y = _value(condition), _slope(x), _slope(y)
        slope = None
        if of_x is not None or of_y is not None:
            slope = np.where(holds, 0.0 if of_x is None else of_x, 0.0 if of_y is None else of_y)
        return Batched(np.where(holds, _value(x), _value(y)), slope)

    def sum(self, x: Operand, axis: Any = None, keepdims: bool = False) -> Operand:
        """The sum over axes of a row."""
        return _reduced(np.sum, x, axis, keepdims)

    def mean(self, x: Operand, axis: Any = None, keepdims: bool = False) -> Operand:
        """The mean over axes of a row."""
        return _reduced(np.mean, x, axis, keepdims)

    def any(self, x: Operand, axis: Any = None, keepdims: bool = False) -> Operand:
        """Whether any holds."""
        return _reduced(np.any, x, axis, keepdims)

    def all(self, x: Operand, axis: Any = None, keepdims: bool = False) -> Operand:
        """Whether all hold."""
        return _reduced(np.all, x, axis, keepdims)

    def max(self, x: Operand, axis: Any = None, keepdims: bool = False) -> Operand:
        """The largest; of several, its slope is their mean."""
        return _extreme(np.max, x, axis, keepdims)

    def min(self, x: Operand, axis: Any = None, keepdims: bool = False) -> Operand:
        """The smallest; of several, its slope is their mean."""
        return _extreme(np.min, x, axis, keepdims)

    def maximum(self, x: Operand, y: Operand) -> Operand:
        """The larger of two."""
        return self.where((x >= y) | self.isnan(x), x, y)

    def minimum(self, x: Operand, y: Operand) -> Operand:
        """The smaller of two."""
        return self.where((x <= y) | self.isnan(x), x, y)

    def isnan(self, x: Operand) -> Operand:
        """Where there is no number."""
        return Batched(np.isnan(x.value)) if isinstance(x, Batched) else np.isnan(x)

    def sign(self, x: Operand) -> Operand:
        """1, 0 or -1."""
        return Batched(np.sign(x.value)) if isinstance(x, Batched) else np.sign(x)

    def abs(self, x: Operand) -> Operand:
        """Without signs."""
        return abs(x) if isinstance(x, Batched) else np.abs(x)

    def sqrt(self, x: Operand) -> Operand:
        """The square root."""
        return _elementwise(np.sqrt, lambda _, root: 0.5 / root, x)

    def exp(self, x: Operand) -> Operand:
        """The exponential."""
        return _elementwise(np.exp, lambda _, power: power, x)

    def log(self, x: Operand) -> Operand:
        """The natural logarithm."""
        return _elementwise(np.log, lambda value, _: 1 / value, x)

    def reshape(self, x: Operand, shape: int | tuple[int, ...]) -> Operand:
        """The array in another shape."""
        if not isinstance(x, Batched):
            return np.reshape(x, shape)
        return _reshaped(x, (shape,) if isinstance(shape, int) else tuple(shape))

    def broadcast_to(self, x: Operand, shape: tuple[int, ...]) -> Operand:
        """The array repeated to a shape."""
        if not isinstance(x, Batched):
            return np.broadcast_to(x, shape)
        return _structural(lambda array: np.broadcast_to(array, (*shape, array.shape[-1])), x)

    def take(self, x: Operand, indices: Operand, axis: int | None = None) -> Operand:
        """What stands at indices along an axis, the same ones in each row."""
        if not isinstance(x, Batched):
            return np.take(x, indices, axis=axis)
        along = (axis or 0) % x.ndim
        return _structural(lambda array: np.take(array, indices, axis=along), x)

    def matrix_transpose(self, x: Operand) -> Operand:
        """Each matrix with its last two axes swapped."""
        if not isinstance(x, Batched):
            return np.swapaxes(x, -1, -2)
        return x.T

    def permute_dims(self, x: Operand, axes: tuple[int, ...]) -> Operand:
        """The axes of a row in another order."""
        if not isinstance(x, Batched):
            return np.transpose(x, axes)
        return _structural(lambda array: np.transpose(array, (*axes, len(axes))), x)

    def flip(self, x: Operand, axis: int | None = None) -> Operand:
        """The other way round."""
        if not isinstance(x, Batched):
            return np.flip(x, axis)
        return _structural(lambda array: np.flip(array, _axes(axis, x.ndim)), x)

    def cumulative_sum(self, x: Operand, axis: int | None = None) -> Operand:
        """Running sums."""
        if not isinstance(x, Batched):
            return np.cumsum(x, axis=axis)
        return _structural(lambda array: np.cumsum(array, axis=(axis or 0) % x.ndim), x)

    def concat(self, arrays: Sequence[Operand], axis: int = 0) -> Operand:
        """One after the other."""
        return _joined(np.concatenate, arrays, axis, 0)

    def stack(self, arrays: Sequence[Operand], axis: int = 0) -> Operand:
        """Side by side along a new axis."""
        return _joined(np.stack, arrays, axis, 1)

    def matmul(self, x: Operand, y: Operand) -> Operand:
        """The matrix product of each row."""
        if not isinstance(x, Batched) and not isinstance(y, Batched):
            return np.matmul(x, y)
        return _matrix_product(x, y)


NAMESPACE = BatchedNamespace()


def _value(x: Operand) -> Any:
    """The numbers, ready to stand beside some with rows."""
    if isinstance(x, Batched):
        return x.value
    return x[..., None] if isinstance(x, np.ndarray) and x.ndim else x


def _slope(x: Operand) -> Numbers | None:
    return x.slope if isinstance(x, Batched) else None


def _add(x: Operand, y: Operand) -> Batched:
    slope, of_second = _slope(x), _slope(y)
    if of_second is not None:
        slope = of_second if slope is None else slope + of_second
    return Batched(_value(x) + _value(y), slope)


def _subtract(x: Operand, y: Operand) -> Batched:
    slope, of_second = _slope(x), _slope(y)
    if of_second is not None:
        slope = -of_second if slope is None else slope - of_second
    return Batched(_value(x) - _value(y), slope)


def _multiply(x: Operand, y: Operand) -> Batched:
    first, second = _value(x), _value(y)
    slope, of_second = _slope(x), _slope(y)
    slope = None if slope is None else slope * second
    if of_second is not None:
        of_second = first * of_second
        slope = of_second if slope is None else slope + of_second
    return Batched(first * second, slope)


def _divide(x: Operand, y: Operand) -> Batched:
    first, second = _value(x), _value(y)
    quotient = first / second
    slope, of_second = _slope(x), _slope(y)
    slope = None if slope is None else slope / second
    if of_second is not None:
        of_second = -quotient / second * of_second
        slope = of_second if slope is None else slope + of_second
    return Batched(quotient, slope)


def _without_slope(function: Callable[..., Numbers], x: Operand, y: Operand) -> Batched:
    return Batched(function(_value(x), _value(y)))


def _structural(function: Callable[[Numbers], Numbers], x: Batched) -> Batched:
    """What only moves numbers, or adds them up, moves their slopes alike."""
    return Batched(function(x.value), None if x.slope is None else function(x.slope))


def _reshaped(x: Batched, sizes: tuple[int, ...]) -> Batched:
    if -1 in sizes:
        known = math.prod(size for size in sizes if size != -1)
        whole = math.prod(x.shape)
        sizes = tuple(whole // max(known, 1) if size == -1 else size for size in sizes)
    return _structural(lambda array: array.reshape(*sizes, array.shape[-1]), x)


def _matrix_product(x: Operand, y: Operand) -> Batched:
    slope = None
    if isinstance(x, Batched) and x.slope is not None:
        slope = _product(Batched(x.slope), y)
    if isinstance(y, Batched) and y.slope is not None:
        of_second = _product(x, Batched(y.slope))
        slope = of_second if slope is None else slope + of_second
    return Batched(_product(x, y), slope)


def _elementwise(
    function: Callable[[Numbers], Numbers],
    derivative: Callable[[Numbers, Numbers], Numbers],
    x: Operand,
) -> Operand:
    if not isinstance(x, Batched):
        return function(x)
    value = function(x.value)
    return Batched(value, None if x.slope is None else derivative(x.value, value) * x.slope)


def _axes(axis: int | tuple[int, ...] | None, ndim: int) -> tuple[int, ...]:
    """Axes of a row, counted from the front."""
    if axis is None:
        return tuple(range(ndim))
    return tuple(each % ndim for each in ((axis,) if isinstance(axis, int) else axis))


def _reduced(function: Callable[..., Numbers], x: Operand, axis: Any, keepdims: bool) -> Operand:
    if not isinstance(x, Batched):
        return function(x, axis=axis, keepdims=keepdims)
    axes = _axes(axis, x.ndim)
    return _structural(lambda array: function(array, axis=axes, keepdims=keepdims), x)


def _extreme(function: Callable[..., Numbers], x: Operand, axis: Any, keepdims: bool) -> Operand:
    if not isinstance(x, Batched):
        return function(x, axis=axis, keepdims=keepdims)
    axes = _axes(axis, x.ndim)
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
    values = [each if isinstance(each, Batched) else Batched(_value(each)) for each in arrays]
    slope = None
    if any(each.slope is not None for each in values):
        slope = function(
            _alike([np.zeros(each.value.shape) if each.slope is None else each.slope
                    for each in values]),
            axis=along,
        )  # fmt: skip
    return Batched(function(_alike([each.value for each in values]), axis=along), slope)


def _alike(arrays: Sequence[Numbers]) -> list[Numbers]:
    """All with as many rows."""
    rows = max(array.shape[-1] for array in arrays)
    return [np.broadcast_to(array, (*array.shape[:-1], rows)) for array in arrays]


def _product(x: Operand, y: Operand) -> Numbers:
    """The matrix product of each row; one BLAS call where one factor is the same in all of them."""
    if x.ndim == 1 or y.ndim <= 2:  # else both have axes before those of a matrix
        if not isinstance(x, Batched):
            return np.asarray(np.tensordot(x, y.value, axes=(-1, max(y.ndim - 2, 0))))
        if not isinstance(y, Batched):
            return np.asarray(np.matmul(np.swapaxes(y, -1, -2) if y.ndim > 1 else y, x.value))
    first, second = _alike([_value(x), _value(y)])
    left = "k" if x.ndim == 1 else "...ik"
    right = "k" if y.ndim == 1 else "...kj"
    out = f"{'' if max(x.ndim, y.ndim) < 2 else '...'}{'i' * (x.ndim > 1)}{'j' * (y.ndim > 1)}"
    return np.asarray(np.einsum(f"{left}z,{right}z->{out}z", first, second))
