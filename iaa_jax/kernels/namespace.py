"""Which array library a kernel call runs on, and the few helpers that all need."""

from __future__ import annotations

import math
import sys
from typing import Any

Array = Any


def namespace(*arrays: Any) -> Any:
    """Pick the array namespace of a kernel call.

    ``jax.numpy`` as soon as any argument is a JAX array or tracer, so that NumPy masses work with
    traced weights; else the namespace of the first array that names one; else NumPy. JAX is never
    imported here: where it is not loaded, no argument can be a JAX array.
    """
    jax = sys.modules.get("jax")
    if jax is not None and any(isinstance(array, jax.Array) for array in arrays):
        return jax.numpy
    for array in arrays:
        if hasattr(array, "__array_namespace__"):
            return array.__array_namespace__()
    import numpy

    return numpy


def floating(xp: Any, array: Any) -> Any:
    """The array as floating point: its own floating dtype, else the default one."""
    array = xp.asarray(array)
    if xp.isdtype(array.dtype, "real floating"):
        return array
    return xp.astype(array, xp.asarray(0.0).dtype)


def like(xp: Any, array: Any, reference: Any) -> Any:
    """The array in the dtype of ``reference``."""
    array = xp.asarray(array)
    return array if array.dtype == reference.dtype else xp.astype(array, reference.dtype)


def divided(xp: Any, numerator: Any, denominator: Any) -> Any:
    """Quotient, and 0 where the denominator is 0, with a finite derivative in both cases."""
    zero = denominator == 0
    ones = xp.ones_like(denominator)
    return xp.where(zero, xp.zeros_like(denominator), numerator / xp.where(zero, ones, denominator))


def weighted_sum(xp: Any, weight: Any, statistic: Any) -> Any:
    """Sum over items (the first axis) as one contraction: a batch of weights is a matmul."""
    flat = xp.reshape(statistic, (statistic.shape[0], math.prod(statistic.shape[1:])))
    return xp.reshape(weight @ flat, statistic.shape[1:])


def first_code(xp: Any, *cases: tuple[Any, int]) -> Any:
    """The code of the first condition that holds, 0 (defined) where none does: int32."""
    code = xp.zeros(cases[0][0].shape, dtype=xp.int32)
    for condition, value in reversed(cases):
        code = xp.where(condition, xp.asarray(value, dtype=xp.int32), code)
    return code


def segment_sum(xp: Any, values: Any, index: Any, size: int) -> Any:
    """Sum the rows of ``values`` (row, ...) by their ``index`` (row,): (size, ...)."""
    jax = sys.modules.get("jax")
    if jax is not None and xp is jax.numpy:
        return jax.ops.segment_sum(values, index, num_segments=size)
    if xp.__name__ == "numpy":
        width = math.prod(values.shape[1:])
        cell = index[:, None] * width + xp.arange(width)
        sums = xp.bincount(cell.reshape(-1), values.reshape(-1), minlength=size * width)
        return sums.reshape((size, *values.shape[1:])).astype(values.dtype)
    one_hot = xp.astype(xp.arange(size)[:, None] == index[None, :], values.dtype)
    flat = xp.reshape(values, (values.shape[0], math.prod(values.shape[1:])))
    return xp.reshape(one_hot @ flat, (size, *values.shape[1:]))


def is_concrete(array: Any) -> bool:
    """Whether the numbers of the array are there to be looked at, not traced."""
    jax = sys.modules.get("jax")
    return jax is None or not isinstance(array, jax.core.Tracer)


def special(xp: Any) -> Any:
    """The special functions (``ndtr``, ``ndtri``, ``expit``) of a namespace."""
    jax = sys.modules.get("jax")
    if jax is not None and xp is jax.numpy:
        import jax.scipy.special as functions

        return functions
    import scipy.special

    return scipy.special
