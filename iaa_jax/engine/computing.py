"""Where and how precisely numbers are computed, as those who call say it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from iaa_jax.engine import precision
from iaa_jax.engine.devices import Device, WeightLaw, local_devices, plugins_there
from iaa_jax.engine.precision import DType

if TYPE_CHECKING:
    import jax

    from iaa_jax._types import Floats


class Drawer(Protocol):
    """What draws weights on devices, in place of the host."""

    def rows(
        self, weights: WeightLaw, tables: Sequence[Any], replicates: int, seed: int
    ) -> Iterator[tuple[Floats, ...]]:
        """Rows (row, pattern) of each `PatternTable`, in parts of a block, on their devices."""

    def annotators(
        self, computing: Computing, weights: WeightLaw, number: int, replicates: int, seed: int
    ) -> Iterator[Floats]:
        """Weights (row, annotator) of so many annotators, a block at a time."""


@dataclass(frozen=True)
class Computing:
    """Where numbers are computed, and how precisely, as the options of a call say.

    Ratings carry it, and so do their tables and what is made of these.
    `iaa_jax.engine.on_device.computing_on` makes it of a device.

    Attributes
    ----------
    device : {"cpu", "gpu"}, optional
        The kind that was asked for.
    dtype : {"float64", "float32"}
        The precision of rows that are not told another one.
    asked : tuple of device
        The devices of that kind.
    drawer : Drawer, optional
        What draws weights there; by default the host does.
    """

    device: Device | None = None
    dtype: DType = "float64"
    asked: tuple[jax.Device, ...] = ()
    drawer: Drawer | None = None

    @property
    def devices(self) -> Sequence[jax.Device]:
        """The devices that take turns."""
        return self.asked or local_devices()

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
