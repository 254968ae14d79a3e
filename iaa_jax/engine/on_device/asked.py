"""The device that a call asked for: what is drawn within the call is drawn there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

import jax
import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.devices import Device, WeightLaw, ahead, asking, devices_of
from iaa_jax.engine.drawing import BLOCK, Resampling, rows_at_once
from iaa_jax.engine.on_device.draws import DeviceDraws
from iaa_jax.engine.problem import Floats, PatternTable


@dataclass(frozen=True)
class DeviceDrawer:
    """Weights that are drawn on devices, and brought to the host for what works there."""

    devices: Sequence[jax.Device]

    def rows(
        self, weights: WeightLaw, tables: Sequence[PatternTable], replicates: int, seed: int
    ) -> Iterator[tuple[Floats, ...]]:
        """Rows (row, pattern) of each table, in parts of a block."""
        draws = DeviceDraws(self.devices, tables, seed, Resampling(weights), "float64")
        part = rows_at_once(max(len(table.count) for table in tables))
        blocks = thresholds.DRAWN_HELD // sum(BLOCK * len(table.count) for table in tables)
        for drawn in ahead(draws.several(replicates, blocks), len(self.devices)):
            rows = [
                np.asarray(each)[:, : len(table.count)]
                for each, table in zip(drawn, tables, strict=True)
            ]
            for start in range(0, len(rows[0]), part):
                yield tuple(each[start : start + part] for each in rows)

    def annotators(
        self, weights: WeightLaw, number: int, replicates: int, seed: int
    ) -> Iterator[Floats]:
        """Weights (row, annotator) of so many annotators, a block at a time."""
        everyone = {number: np.arange(number)}
        draws = DeviceDraws(self.devices, [], seed, Resampling(weights), "float64", everyone)
        for (drawn,) in draws.several(replicates):
            rows = np.asarray(drawn)[:, :number]
            for start in range(0, len(rows), BLOCK):
                yield rows[start : start + BLOCK]


def working_on(
    device: Device, devices: Sequence[jax.Device] | None = None
) -> AbstractContextManager[None]:
    """All within is drawn and worked out on devices of this kind; asked for the CPU, on the host.

    Other ``devices`` may stand in for them: those of the CPU then go the way of a GPU.
    """
    several = devices_of(device) if devices is None else devices
    return asking(device, several, None if device == "cpu" else DeviceDrawer(several))
