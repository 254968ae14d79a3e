"""Which devices compiled code runs on, and what is held on each of them."""

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
"""Where replicates are drawn and worked out; by default the host draws for what JAX works on."""

WeightLaw = Literal["multinomial", "dirichlet"]
"""The law of weights: whole counts of items, or what leaves out nothing."""

Constants = TypeVar("Constants")
Result = TypeVar("Result")


@cache
def find_devices() -> None:
    """Refuse a JAX that was told of a device which is not there."""
    import jax

    try:
        jax.devices()
    except (AssertionError, RuntimeError) as error:
        platforms = getattr(jax.config, "jax_platforms", None)
        message = f"JAX finds no device to work on: {error}"
        if platforms:
            message = (
                f"JAX was told to work on {platforms!r} (JAX_PLATFORMS), and finds no such device: "
                "unset it, or install JAX for that device"
            )
        raise IaaError(message) from error


def local_devices() -> Sequence[jax.Device]:
    """All devices of this host on which JAX works; the one alone that the user has chosen."""
    import jax

    chosen: Any = getattr(jax.config, "jax_default_device", None)
    if chosen is not None and not isinstance(chosen, str):
        return [chosen]
    find_devices()
    devices: list[jax.Device] = jax.local_devices(backend=chosen)
    return devices


def devices_of(kind: Device) -> Sequence[jax.Device]:
    """The devices of one kind that JAX has here."""
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
    """Whether JAX has a GPU; where no plugin of it is installed, JAX is not imported to see."""
    if not plugins_there():
        return False
    import jax

    find_devices()
    return jax.default_backend() == "gpu"


@cache
def plugins_there() -> bool:
    """Whether anything is installed by which JAX would work elsewhere than on a processor."""
    named = bool(entry_points(group="jax_plugins"))
    return named or any(find_spec(name) is not None for name in ("jax_plugins", "libtpu"))


class PerDevice(Generic[Constants]):
    """Constants that are put on each device once, as the devices take turns.

    ``made`` is what each device makes of them.
    """

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
        """Those of the device whose turn it is."""
        return self._on(next(self._turns))

    def beside(self, array: jax.Array | NDArray[np.floating]) -> Constants:
        """Those on the device where an array lies; for an array of the host, of the next."""
        return self.next_copy() if isinstance(array, np.ndarray) else self._on(array.device)

    def _on(self, device: Any) -> Constants:
        import jax

        if device not in self._held:
            held = jax.device_put(self._constants, device)
            self._held[device] = held if self._made is None else self._made(held)
        return self._held[device]


def in_flight(results: Iterator[Result], number: int) -> Iterator[Result]:
    """The results in turn, each handed over when the ``number`` after it have been begun."""
    begun: deque[Result] = deque()
    for result in results:
        begun.append(result)
        if len(begun) > number:
            yield begun.popleft()
    yield from begun
