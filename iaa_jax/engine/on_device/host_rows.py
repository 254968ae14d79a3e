"""Weights that are drawn on devices, and brought to the host for what works there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.computing import Computing
from iaa_jax.engine.devices import WeightLaw, ahead
from iaa_jax.engine.drawing import BLOCK, Resampling, rows_at_once
from iaa_jax.engine.on_device.draws import DeviceDraws
from iaa_jax.engine.problem import Floats, PatternTable


def item_rows_on(
    weights: WeightLaw, tables: Sequence[PatternTable], replicates: int, seed: int
) -> Iterator[tuple[Floats, ...]]:
    """Rows (row, pattern) of each table, in parts of a block, from the devices of the tables."""
    computing = tables[0].computing
    draws = DeviceDraws(computing, tables, seed, Resampling(weights), "float64")
    part = rows_at_once(max(len(table.count) for table in tables))
    blocks = thresholds.DRAWN_HELD // sum(BLOCK * len(table.count) for table in tables)
    for drawn in ahead(draws.several(replicates, blocks), len(computing.devices)):
        rows = [
            np.asarray(each)[:, : len(table.count)]
            for each, table in zip(drawn, tables, strict=True)
        ]
        for start in range(0, len(rows[0]), part):
            yield tuple(each[start : start + part] for each in rows)


def annotator_rows_on(
    computing: Computing, weights: WeightLaw, number: int, replicates: int, seed: int
) -> Iterator[Floats]:
    """Weights (row, annotator) of so many annotators, a block at a time."""
    everyone = {number: np.arange(number)}
    draws = DeviceDraws(computing, [], seed, Resampling(weights), "float64", everyone)
    for (drawn,) in draws.several(replicates):
        rows = np.asarray(drawn)[:, :number]
        for start in range(0, len(rows), BLOCK):
            yield rows[start : start + BLOCK]
