"""Work on a device: where it runs, how long it takes, and what it takes there at least."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from timing import seconds

from iaa_jax.engine.computing import Computing
from iaa_jax.engine.devices import devices_of
from iaa_jax.engine.on_device import computing_on
from iaa_jax.engine.precision import scope

Result = TypeVar("Result")

RUNS, ENOUGH = 5, 6.0
"""Warm runs at most, and seconds of them after which none is begun."""


class Amount(NamedTuple):
    """What a work takes at least, however it is done."""

    numbers: float
    """Random numbers of 64 bits."""
    operations: float
    """Multiplications and additions."""
    bytes: float
    """Read or written in the memory of the device."""


def working(where: Any) -> Computing:
    """A device that draws by itself; for "host" the host draws for the CPU.

    The CPU, asked for by name, goes the way of a GPU.
    """
    if where == "host":
        return computing_on("cpu")
    return computing_on("gpu", devices=devices_of(where))


def name_of(where: Any) -> str:
    """What works, and what draws."""
    devices = devices_of("cpu" if where == "host" else where)
    kind = devices[0].device_kind
    several = f"{len(devices)} x {kind}" if len(devices) > 1 else kind
    return f"{several}, the host draws" if where == "host" else f"{several}, draws itself"


def timed(call: Callable[[], Result], *, compiles: bool = True) -> tuple[Result, dict[str, float]]:
    """What a first call gives; seconds of later ones, and what the first took beyond them.

    What compiles nothing is called once.
    """
    results: list[Result] = []
    first = seconds(lambda: results.append(call()))
    if not compiles:
        return results[0], {"seconds": first, "compiling": 0.0}
    later = [seconds(call)]
    while len(later) < RUNS and sum(later) < ENOUGH:
        later.append(seconds(call))
    warm = float(np.median(later))
    return results[0], {"seconds": warm, "compiling": max(first - warm, 0.0)}


def peak_of(where: Any) -> int | None:
    """The most bytes that were taken on a device, where it says so."""
    if where == "host":
        return None
    stats = [device.memory_stats() or {} for device in devices_of(where)]
    peaks = [each["peak_bytes_in_use"] for each in stats if "peak_bytes_in_use" in each]
    return max(peaks, default=None)


def least(amount: Amount, where: Any, dtype: Any) -> float | None:
    """Seconds that all devices together need at least for the largest part of an amount."""
    if where == "host":
        return None
    devices = devices_of(where)
    each = zip(amount, _rates(devices[0], dtype), strict=True)
    return max(size / rate for size, rate in each) / len(devices)


def _rates(device: jax.Device, dtype: Any) -> Amount:
    """So many a second of each."""
    small = device.platform == "cpu"
    cells, side = (1 << 22, 512) if small else (1 << 27, 8192)
    with scope("float64"), jax.default_device(device), jax.threefry_partitionable(True):
        key, array = jax.random.key(0), jnp.ones(cells)
        matrix = jnp.ones((side, side), dtype=dtype)
        drawn = _best(jax.jit(lambda key: jax.random.bits(key, (cells,), jnp.uint64)), key)
        copied = _best(jax.jit(lambda array: array + 1), array)
        multiplied = _best(jax.jit(lambda matrix: matrix @ matrix), matrix)
    return Amount(cells / drawn, 2 * side**3 / multiplied, 16 * cells / copied)


def _best(call: Callable[[Any], Any], argument: Any) -> float:
    jax.block_until_ready(call(argument))
    return min(seconds(lambda: jax.block_until_ready(call(argument))) for _ in range(3))
