"""The devices on which compiled code runs, and copies of constants on each."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from itertools import cycle
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax.wording import named

if TYPE_CHECKING:
    import jax

Device = Literal["cpu", "gpu"]
"""The kind of device that computes replicates."""

WeightDistribution = Literal["multinomial", "dirichlet"]
"""The distribution of weights: whole counts of items, or positive weights for all items."""

Constants = TypeVar("Constants")
Result = TypeVar("Result")


@cache
def find_devices() -> None:
    """Raise an error if JAX finds no device to work on."""
    import jax

    try:
        jax.devices()
    except (AssertionError, RuntimeError) as error:
        platforms = getattr(jax.config, "jax_platforms", None)
        message = f"JAX finds no device to work on: {error}"
        if platforms:
            message = (
                f"JAX_PLATFORMS tells JAX to use {platforms!r}, but JAX finds no such device: "
                "unset it, or install JAX for that device"
            )
        raise IaaError(message) from error


def local_devices() -> Sequence[jax.Device]:
    """Return the devices of this host on which JAX computes by default."""
    import jax

    chosen: Any = getattr(jax.config, "jax_default_device", None)
    if chosen is not None and not isinstance(chosen, str):
        return [chosen]
    find_devices()
    devices: list[jax.Device] = jax.local_devices(backend=chosen)
    return devices


def devices_of(kind: Device) -> Sequence[jax.Device]:
    """Return the devices of one kind that JAX finds on this host."""
    import jax

    find_devices()
    try:
        devices: list[jax.Device] = jax.local_devices(backend=kind)
    except RuntimeError as error:
        raise IaaError(
            f"JAX finds no {kind.upper()} here: install JAX for it, as https://docs.jax.dev says, "
            f"or leave {named('device')} out"
        ) from error
    return devices


def gpu_there() -> bool:
    """Tell whether JAX uses a GPU by default."""
    if not plugins_there():
        return False
    import jax

    find_devices()
    return jax.default_backend() == "gpu"


@cache
def plugins_there() -> bool:
    """Tell whether a plugin is installed that would make JAX use a device other than the CPU."""
    named = bool(entry_points(group="jax_plugins"))
    return named or any(find_spec(name) is not None for name in ("jax_plugins", "libtpu"))


class PerDevice(Generic[Constants]):
    """Constants, copied to each device once, and transformed there by ``made``."""

    def __init__(
        self,
        constants: Constants,
        devices: Sequence[jax.Device],
        made: Callable[[Constants], Constants] | None = None,
    ) -> None:
        self._constants, self._made = constants, made
        self._devices = devices
        self._held: dict[jax.Device, Constants] = {}
        self._turns = cycle(self._devices)

    def __len__(self) -> int:
        return len(self._devices)

    def next_copy(self) -> Constants:
        """Return the copy on the device whose turn it is."""
        return self._on(next(self._turns))

    def beside(self, array: jax.Array | NDArray[np.floating]) -> Constants:
        """Return the copy on the device of an array; for an array on the host, the next copy."""
        return self.next_copy() if isinstance(array, np.ndarray) else self._on(array.device)

    def _on(self, device: Any) -> Constants:
        import jax

        if device not in self._held:
            held = jax.device_put(self._constants, device)
            self._held[device] = held if self._made is None else self._made(held)
        return self._held[device]


def in_flight(results: Iterator[Result], number: int) -> Iterator[Result]:
    """Yield results in order, while up to ``number`` later results are being computed."""
    begun: deque[Result] = deque()
    for result in results:
        begun.append(result)
        if len(begun) > number:
            yield begun.popleft()
    yield from begun
