"""Set the precision of JAX within a scope; after the scope, the user's settings apply again."""

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
    """Use 64-bit JAX for float64, and full-precision products, in this thread only."""
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
        # an undefined replicate is a valid value here, even if the user's code is checked for NaN
        jax.debug_nans(False),
        # implicit transfers to the device must work here, even if the user's guard refuses them
        jax.transfer_guard("allow"),
        # inside a user's jit, ratings are constants: compute with them eagerly
        jax.ensure_compile_time_eval() if _traced() else nullcontext(),
    ):
        yield


@cache
def _process() -> int:
    """Return the id of the process that first used JAX; JAX's threads do not survive a fork."""
    return os.getpid()


def _traced() -> bool:
    import jax

    return isinstance(jax.numpy.zeros(()), jax.core.Tracer)
