"""The array library of a kernel call, and functions that not every array library has."""

from __future__ import annotations

import math
import sys
from typing import Any

from array_api_compat import (
    array_namespace,
    device,
    is_array_api_obj,
    is_jax_array,
    is_jax_namespace,
    is_numpy_namespace,
    is_torch_namespace,
)

Array = Any
"""An array of any library with the array API; these libraries have no common type."""

Namespace = Any
"""The module of an array library, or the layer that makes it compatible with the array API."""


def namespace(*arrays: Array | None) -> Namespace:
    """Pick the array namespace of a kernel call.

    It is ``jax.numpy`` if any argument is a JAX array or tracer. Otherwise it is NumPy if all
    arrays are NumPy's, or else the library of the other arrays.
    """
    others = _not_of_numpy(arrays)
    if not others:
        import numpy

        return numpy
    of_jax = [array for array in others if is_jax_array(array)]
    return array_namespace(*of_jax or others)


def device_of(*arrays: Array | None) -> Any:
    """Return the device of new arrays that are to be combined with the given ones, or None.

    It is None for NumPy, which has only one device, and for JAX, which moves new arrays to the
    device of the arrays with which they are combined.
    """
    others = _not_of_numpy(arrays)
    if not others or any(is_jax_array(array) for array in others):
        return None
    return device(others[0])


def _not_of_numpy(arrays: tuple[Array | None, ...]) -> list[Array]:
    import numpy

    of_numpy = (numpy.ndarray, numpy.generic, type(None), int, float)
    return [a for a in arrays if not isinstance(a, of_numpy) and is_array_api_obj(a)]


def floating(xp: Namespace, array: Array, *others: Array) -> Array:
    """Return the array, in the default floating-point dtype if its own is not floating point."""
    array = as_array(xp, array, *others)
    if xp.isdtype(array.dtype, "real floating"):
        return array
    return xp.astype(array, xp.asarray(0.0).dtype)


def like(xp: Namespace, array: Array, reference: Array) -> Array:
    """Return the array in the dtype of ``reference``; NumPy arrays also move to its device."""
    if not _not_of_numpy((array,)):
        return xp.asarray(array, dtype=reference.dtype, device=device_of(reference))
    return array if array.dtype == reference.dtype else xp.astype(array, reference.dtype)


def as_array(xp: Namespace, array: Array, *others: Array) -> Array:
    """Convert a NumPy array to the library ``xp``, on the device of the other arrays.

    Arrays of other libraries are returned unchanged, because PyTorch's ``asarray`` can cut
    gradients.
    """
    return array if _not_of_numpy((array,)) else xp.asarray(array, device=device_of(*others))


def divided(xp: Namespace, numerator: Array, denominator: Array) -> Array:
    """Return the quotient, or 0 where the denominator is 0; derivatives are finite there too."""
    zero = denominator == 0
    return xp.where(zero, 0, numerator / xp.where(zero, 1, denominator))


def weighted_sum(xp: Namespace, weight: Array, statistic: Array) -> Array:
    """Return the weighted sum over items (the first axis), as one matrix product."""
    flat = xp.reshape(statistic, (statistic.shape[0], math.prod(statistic.shape[1:])))
    return xp.reshape(weight @ flat, statistic.shape[1:])


def softmax_of_rows(xp: Namespace, scores: Array, shift: Array) -> tuple[Array, Array]:
    """Return ``exp(scores + shift)`` (row, column) divided by row sums, and the log of each sum."""
    scores = scores + shift
    top = xp.max(scores, axis=1, keepdims=True)
    powers = xp.exp(scores - top)
    total = xp.sum(powers, axis=1, keepdims=True)
    return powers / total, (top + xp.log(total))[:, 0]


def sum_of_rows(xp: Namespace, weight: Array, table: Array) -> Array:
    """Return the weighted sum of rows (column,); NumPy computes it without BLAS.

    On a busy machine, BLAS takes thirty times as long.
    """
    if is_numpy_namespace(xp):
        return xp.einsum("i,ij->j", weight, table)
    return weighted_sum(xp, weight, table)


def largest_change(xp: Namespace, after: Array, before: Array) -> Array:
    """Return the largest absolute difference, with one temporary array."""
    change = after - before
    return xp.maximum(xp.max(change), -xp.min(change))


def first_code(xp: Namespace, *cases: tuple[Array, int]) -> Array:
    """Return the code (int32) of the first condition that holds, or 0 if none holds."""
    code = xp.zeros_like(cases[0][0], dtype=xp.int32)
    for condition, value in reversed(cases):
        code = xp.where(condition, value, code)
    return code


def segment_sum(xp: Namespace, values: Array, index: Array, size: int) -> Array:
    """Sum the rows of ``values`` (row, ...) by their ``index`` (row,): (size, ...)."""
    if is_jax_namespace(xp):
        return sys.modules["jax"].ops.segment_sum(values, index, num_segments=size)
    if is_numpy_namespace(xp):
        width = math.prod(values.shape[1:])
        cell = index[:, None] * width + xp.arange(width)
        sums = xp.bincount(cell.reshape(-1), values.reshape(-1), minlength=size * width)
        return sums.reshape((size, *values.shape[1:])).astype(values.dtype)
    if is_torch_namespace(xp):
        zeros = values.new_zeros((size, *values.shape[1:]))
        return zeros.index_add(0, xp.astype(index, xp.int64), values)
    one_hot = xp.arange(size, device=device_of(index))[:, None] == index[None, :]
    flat = xp.reshape(values, (values.shape[0], math.prod(values.shape[1:])))
    return xp.reshape(xp.astype(one_hot, values.dtype) @ flat, (size, *values.shape[1:]))


def is_concrete(array: Array) -> bool:
    """Tell whether the numbers of the array are known, that is, not traced."""
    jax = sys.modules.get("jax")
    return jax is None or not isinstance(array, jax.core.Tracer)


def special(xp: Namespace, name: str, x: Array) -> Array:
    """Return the value of a special function (such as ``ndtr``) for an array or a number.

    For libraries other than JAX and PyTorch, SciPy computes it from a NumPy copy.
    """
    if is_jax_namespace(xp):
        import jax.scipy.special as of_jax

        return getattr(of_jax, name)(x)
    other = bool(_not_of_numpy((x,)))
    if other and is_torch_namespace(xp):
        return getattr(xp.special, name)(x)
    import numpy
    import scipy.special

    function = getattr(scipy.special, name)
    if is_numpy_namespace(xp):
        return function(x)
    if not other:
        return float(function(x))
    result = function(numpy.from_dlpack(x, device="cpu"))
    return xp.asarray(result, dtype=x.dtype, device=device(x))
