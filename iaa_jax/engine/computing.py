"""The device and precision that the caller chose for a computation."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from iaa_jax.engine import precision
from iaa_jax.engine.devices import Device, WeightDistribution, local_devices, plugins_there
from iaa_jax.engine.precision import DType

if TYPE_CHECKING:
    import jax

    from iaa_jax._types import Floats


class Drawer(Protocol):
    """A source of random weights, drawn on devices instead of the host."""

    def rows(
        self, weights: WeightDistribution, tables: Sequence[Any], replicates: int, seed: int
    ) -> Iterator[tuple[Floats, ...]]:
        """Yield weights (row, pattern) of each `PatternTable`, up to a block of rows at a time."""

    def annotators(
        self,
        computing: Computing,
        weights: WeightDistribution,
        number: int,
        replicates: int,
        seed: int,
    ) -> Iterator[Floats]:
        """Yield weights (row, annotator) of ``number`` annotators, block by block."""


@dataclass(frozen=True)
class Computing:
    """The device and precision of a computation, from the options of a call.

    Attributes
    ----------
    device : {"cpu", "gpu"}, optional
        The kind of device that was requested.
    dtype : {"float64", "float32"}
        The default precision of estimates for rows of weights.
    asked : tuple of device
        The devices of the requested kind; empty if no kind was requested.
    drawer : Drawer, optional
        The source of weights on these devices; by default the host draws them.
    """

    device: Device | None = None
    dtype: DType = "float64"
    asked: tuple[jax.Device, ...] = ()
    drawer: Drawer | None = None

    @property
    def devices(self) -> Sequence[jax.Device]:
        """The devices, which compute blocks of rows in turn."""
        return self.asked or local_devices()

    @property
    def on_processor(self) -> bool:
        """Whether the requested device, by default JAX's default device, is a CPU."""
        if self.device is not None:
            return self.device == "cpu"
        imported = "jax" in sys.modules
        return (not imported and not plugins_there()) or local_devices()[0].platform == "cpu"

    @contextmanager
    def scope(self, dtype: DType) -> Iterator[None]:
        """Return a context for compiled code, with its precision and devices."""
        where: Any = nullcontext()
        if self.asked:
            import jax

            first, *others = self.asked
            where = jax.default_device(first.platform if others else first)
        with where, precision.scope(dtype):
            yield


UNASKED = Computing()
"""JAX's default device, in double precision."""
