"""The one place that sets precision: scoped, so that the user's JAX configuration is untouched."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from typing import Literal

from iaa_jax._errors import IaaError
from iaa_jax.engine.devices import find_devices

DType = Literal["float64", "float32"]


@contextmanager
def scope(dtype: DType) -> Iterator[None]:
    """64-bit JAX for float64, and full-precision products for either, in this thread only."""
    if _process() != os.getpid():
        raise IaaError(
            "this process was forked from one in which JAX had been used, and JAX would hang in "
            "it: start processes by 'spawn' or 'forkserver' (multiprocessing.get_context), or use "
            "threads"
        )
    import jax

    find_devices()
    with (
        jax.enable_x64(dtype == "float64"),
        jax.default_matmul_precision("highest"),
        jax.numpy_dtype_promotion("standard"),
        jax.numpy_rank_promotion("allow"),
        # an undefined replicate is a value here, whatever the user's own code is checked for
        jax.debug_nans(False),
        # so does a number that a user's guard keeps from reaching the device unasked
        jax.transfer_guard("allow"),
        # inside a user's jit, ratings are constants: work on them now. Only there: elsewhere this
        # would compile every constant of our own traces by itself
        jax.ensure_compile_time_eval() if _traced() else nullcontext(),
    ):
        yield


@cache
def _process() -> int:
    """The process in which JAX was first used; its threads do not come along with a fork."""
    return os.getpid()


def _traced() -> bool:
    import jax

    return isinstance(jax.numpy.zeros(()), jax.core.Tracer)
