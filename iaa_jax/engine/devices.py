"""Which devices compiled code runs on, and what is held on each of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    import jax

Constants = TypeVar("Constants")
Result = TypeVar("Result")


def local_devices() -> Sequence[jax.Device]:
    """All devices of this host on which JAX works; the one alone that the user has chosen."""
    import jax

    chosen: Any = getattr(jax.config, "jax_default_device", None)
    if chosen is not None and not isinstance(chosen, str):
        return [chosen]
    devices: list[jax.Device] = jax.local_devices(backend=chosen)
    return devices


class HeldOnEach(Generic[Constants]):
    """Constants that are put on each device once, as the devices take turns."""

    def __init__(self, constants: Constants) -> None:
        self._constants = constants
        self._devices = local_devices()
        self._held: dict[jax.Device, Constants] = {}
        self._turns = cycle(self._devices)

    def __len__(self) -> int:
        return len(self._devices)

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
