"""Weights drawn on devices and copied to the host, for computations there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import jax
import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.computing import Computing
from iaa_jax.engine.devices import Device, WeightDistribution, devices_of, in_flight
from iaa_jax.engine.drawing import BLOCK, Resampling, rows_at_once
from iaa_jax.engine.on_device.draws import DeviceDraws
from iaa_jax.engine.precision import DType
from iaa_jax.engine.problem import Floats, PatternTable


@dataclass(frozen=True)
class DeviceDrawer:
    """Draws weights on devices and copies them to the host."""

    def rows(
        self,
        weights: WeightDistribution,
        tables: Sequence[PatternTable],
        replicates: int,
        seed: int,
    ) -> Iterator[tuple[Floats, ...]]:
        """Yield weights (row, pattern) of each table, at most a block of rows at a time."""
        computing = tables[0].computing
        draws = DeviceDraws(computing, tables, seed, Resampling(weights), "float64")
        part = rows_at_once(max(len(table.count) for table in tables))
        blocks = thresholds.DRAWN_HELD // sum(BLOCK * len(table.count) for table in tables)
        for drawn in in_flight(draws.several(replicates, blocks), len(computing.devices)):
            rows = [
                np.asarray(each)[:, : len(table.count)]
                for each, table in zip(drawn, tables, strict=True)
            ]
            for start in range(0, len(rows[0]), part):
                yield tuple(each[start : start + part] for each in rows)

    def annotators(
        self,
        computing: Computing,
        weights: WeightDistribution,
        number: int,
        replicates: int,
        seed: int,
    ) -> Iterator[Floats]:
        """Yield weights (row, annotator) of ``number`` annotators, block by block."""
        everyone = {number: np.arange(number)}
        draws = DeviceDraws(computing, [], seed, Resampling(weights), "float64", everyone)
        for (drawn,) in draws.several(replicates):
            rows = np.asarray(drawn)[:, :number]
            for start in range(0, len(rows), BLOCK):
                yield rows[start : start + BLOCK]


def computing_on(
    device: Device, dtype: DType = "float64", devices: Sequence[jax.Device] | None = None
) -> Computing:
    """Return the `Computing` for devices of this kind; GPUs also draw the weights.

    With ``device="gpu"`` and CPUs as ``devices``, CPUs take the code path of a GPU.
    """
    asked = tuple(devices_of(device) if devices is None else devices)
    return Computing(device, dtype, asked, None if device == "cpu" else DeviceDrawer())
