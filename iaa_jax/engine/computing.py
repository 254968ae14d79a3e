"""Where and how precisely numbers are computed, as those who call say it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from iaa_jax.engine import precision
from iaa_jax.engine.devices import Device, devices_of, local_devices, plugins_there
from iaa_jax.engine.precision import DType

if TYPE_CHECKING:
    import jax


@dataclass(frozen=True)
class Computing:
    """Where numbers are computed, and how precisely, as the options of a call say.

    Ratings carry it, and so do their tables and what is made of these.

    Attributes
    ----------
    device : {"cpu", "gpu"}, optional
        The kind of device that was asked for. GPUs draw weights by themselves; else the host draws.
    dtype : {"float64", "float32"}
        The precision of rows that are not told another one.
    asked : tuple of device
        The devices of that kind. Any may stand for GPUs: those of the CPU then go their way.
    """

    device: Device | None = None
    dtype: DType = "float64"
    asked: tuple[jax.Device, ...] = ()

    @classmethod
    def on(cls, device: Device | None, dtype: DType = "float64") -> Computing:
        """On the devices of a kind that JAX has here, or on what it works by default."""
        return cls(device, dtype, () if device is None else tuple(devices_of(device)))

    @property
    def devices(self) -> Sequence[jax.Device]:
        """The devices that take turns."""
        return self.asked or local_devices()

    @property
    def device_draws(self) -> bool:
        """Whether weights are drawn on the devices, and not by the host."""
        return self.device == "gpu"

    @property
    def on_processor(self) -> bool:
        """Whether compiled code runs on a processor: on the device asked for, or JAX's own.

        JAX is not imported to see where it has no plugin.
        """
        if self.device is not None:
            return self.device == "cpu"
        imported = "jax" in sys.modules
        return (not imported and not plugins_there()) or local_devices()[0].platform == "cpu"

    @contextmanager
    def scope(self, dtype: DType) -> Iterator[None]:
        """What compiled code needs around it: its precision, and the devices asked for."""
        where: Any = nullcontext()
        if self.asked:
            import jax

            first, *others = self.asked
            where = jax.default_device(first.platform if others else first)
        with where, precision.scope(dtype):
            yield


UNASKED = Computing()
"""What JAX works on by itself, in double precision."""
