"""Which devices compiled code runs on, and what is held on each of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from iaa_jax._errors import IaaError

if TYPE_CHECKING:
    import jax

Platform = Literal["cpu", "gpu"]

Constants = TypeVar("Constants")
Result = TypeVar("Result")

_SHARE = 0.25
"""The share of a device's memory that rows under way may take."""

_HOST = 1 << 28
"""Bytes of rows under way on a device that does not say how much memory it has."""


def devices_of(platform: Platform | None) -> Sequence[jax.Device]:
    """All devices of this host on a platform; by default those on which JAX works anyway."""
    import jax

    devices: list[jax.Device]
    if platform is None:
        chosen: Any = getattr(jax.config, "jax_default_device", None)
        if chosen is not None and not isinstance(chosen, str):
            return [chosen]
        devices = jax.local_devices(backend=chosen)
        return devices
    try:
        devices = jax.local_devices(backend=platform)
    except RuntimeError as error:
        have = jax.default_backend()
        message = (
            f"JAX finds no {platform} here, but {have}: leave the device out, or install JAX for "
            "it (docs.jax.dev has the command)"
        )
        raise IaaError(message) from error
    return devices


class HeldOnEach(Generic[Constants]):
    """Constants that are put on each device once, as the devices take turns."""

    def __init__(self, constants: Constants, devices: Sequence[jax.Device]) -> None:
        self.devices = tuple(devices)
        self._constants = constants
        self._held: dict[jax.Device, Constants] = {}
        self._turns = cycle(self.devices)

    def __len__(self) -> int:
        return len(self.devices)

    def of_next(self) -> Constants:
        """Those of the device whose turn it is."""
        import jax

        device = next(self._turns)
        if device not in self._held:
            self._held[device] = jax.device_put(self._constants, device)
        return self._held[device]


def ahead(results: Iterator[Result], number: int) -> Iterator[Result]:
    """The results in turn, each handed over when the ``number`` after it have been begun."""
    begun: deque[Result] = deque()
    for result in results:
        begun.append(result)
        if len(begun) > number:
            yield begun.popleft()
    yield from begun


def rows_that_fit(device: jax.Device, bytes_of_row: int) -> int:
    """Rows that a device may have under way at once, by the memory it has."""
    statistics = device.memory_stats() or {}
    limit = statistics.get("bytes_limit")
    room = _HOST if limit is None else int(limit * _SHARE)
    return max(room // max(bytes_of_row, 1), 1)
