"""Which array library a kernel call runs on, and the few helpers that all need."""

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
"""An array of any library that knows the array API; such libraries share no type."""

Namespace = Any
"""The functions of such a library, or of the layer over it."""


def namespace(*arrays: Array | None) -> Namespace:
    """Pick the array namespace of a kernel call.

    ``jax.numpy`` as soon as any argument is a JAX array or tracer, so that NumPy masses work with
    traced weights; else the namespace of the arrays that are not NumPy's; else NumPy.
    """
    others = _not_of_numpy(arrays)
    if not others:
        # NumPy itself, not its wrapper: that loads all of NumPy's parts first, and is slower
        import numpy

        return numpy
    of_jax = [array for array in others if is_jax_array(array)]
    return array_namespace(*of_jax or others)


def device_of(*arrays: Array | None) -> Any:
    """Where new arrays have to stand beside these; None where the library sees to it itself.

    NumPy has one place. JAX brings what it has made to the arrays that it meets, and a tracer
    stands nowhere yet.
    """
    others = _not_of_numpy(arrays)
    if not others or any(is_jax_array(array) for array in others):
        return None
    return device(others[0])


def _not_of_numpy(arrays: tuple[Array | None, ...]) -> list[Array]:
    """The arrays of other libraries; whatever else is given, NumPy turns into arrays."""
    import numpy

    own = (numpy.ndarray, numpy.generic, type(None), int, float)
    return [a for a in arrays if not isinstance(a, own) and is_array_api_obj(a)]


def floating(xp: Namespace, array: Array, *beside: Array) -> Array:
    """The array as floating point: its own floating dtype, else the default one.

    What is not of the library yet comes to the device of the arrays ``beside`` it.
    """
    array = as_array(xp, array, *beside)
    if xp.isdtype(array.dtype, "real floating"):
        return array
    return xp.astype(array, xp.asarray(0.0).dtype)


def like(xp: Namespace, array: Array, reference: Array) -> Array:
    """The array in the dtype of ``reference``, and beside it."""
    if not _not_of_numpy((array,)):
        return xp.asarray(array, dtype=reference.dtype, device=device_of(reference))
    return array if array.dtype == reference.dtype else xp.astype(array, reference.dtype)


def as_array(xp: Namespace, array: Array, *beside: Array) -> Array:
    """The array in the library; what is not of it yet comes beside the other arrays.

    Arrays of other libraries than NumPy are left alone: PyTorch's ``asarray`` can cut gradients.
    """
    return array if _not_of_numpy((array,)) else xp.asarray(array, device=device_of(*beside))


def divided(xp: Namespace, numerator: Array, denominator: Array) -> Array:
    """Quotient, and 0 where the denominator is 0, with a finite derivative in both cases."""
    zero = denominator == 0
    return xp.where(zero, 0, numerator / xp.where(zero, 1, denominator))


def weighted_sum(xp: Namespace, weight: Array, statistic: Array) -> Array:
    """Sum over items (the first axis) as one contraction: a batch of weights is a matmul."""
    flat = xp.reshape(statistic, (statistic.shape[0], math.prod(statistic.shape[1:])))
    return xp.reshape(weight @ flat, statistic.shape[1:])


def softmax_of_rows(xp: Namespace, scores: Array, shift: Array) -> tuple[Array, Array]:
    """Exponentials of ``scores + shift`` (row, column) as shares of their row; logs of the sums."""
    scores = scores + shift
    top = xp.max(scores, axis=1, keepdims=True)
    powers = xp.exp(scores - top)
    total = xp.sum(powers, axis=1, keepdims=True)
    return powers / total, (top + xp.log(total))[:, 0]


def sum_of_rows(xp: Namespace, weight: Array, table: Array) -> Array:
    """Weighted sum of rows: (column,). On NumPy without BLAS, which shares it among threads.

    These wait for each other on a machine that has more to do: thirty times as long.
    """
    if is_numpy_namespace(xp):
        return xp.einsum("i,ij->j", weight, table)
    return weighted_sum(xp, weight, table)


def largest_change(xp: Namespace, after: Array, before: Array) -> Array:
    """The largest absolute difference; with one array in memory beside the two."""
    change = after - before
    return xp.maximum(xp.max(change), -xp.min(change))


def first_code(xp: Namespace, *cases: tuple[Array, int]) -> Array:
    """The code of the first condition that holds, 0 (defined) where none does: int32."""
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
    """Whether the numbers of the array are there to be looked at, not traced."""
    jax = sys.modules.get("jax")
    return jax is None or not isinstance(array, jax.core.Tracer)


def special(xp: Namespace, name: str, x: Array) -> Array:
    """A special function (``ndtr``, ``ndtri``, ``expit``) of an array, or of a number.

    JAX and PyTorch have their own. Elsewhere SciPy works it out on NumPy's copy of the array, and
    the result is brought back to its device.
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
