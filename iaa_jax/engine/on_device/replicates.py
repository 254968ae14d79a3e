"""Replicates of coefficients, drawn and worked out on devices."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np

from iaa_jax.engine.compiled import TRACES
from iaa_jax.engine.drawing import ITEMS, Resampling
from iaa_jax.engine.on_device.draws import DeviceDraws
from iaa_jax.engine.padding import pad
from iaa_jax.engine.precision import DType, scope
from iaa_jax.engine.prepared import Prepared, tables_of
from iaa_jax.engine.problem import Floats
from iaa_jax.engine.route import Route
from iaa_jax.engine.rows import Progress, collect, in_pairs
from iaa_jax.engine.units import drawn_annotators
from iaa_jax.kernels.namespace import Array


def bootstrap_on(
    devices: Sequence[jax.Device],
    prepared: Prepared,
    *,
    replicates: int,
    seed: int,
    resampling: Resampling = ITEMS,
    dtype: DType = "float64",
    rows_at_once: int | None = None,
    without_prior: bool = False,
    progress: Progress | None = None,
) -> list[Floats]:
    """As `bootstrap`, drawn and worked out on these devices in turn.

    ``rows_at_once`` follows from their memory; it changes memory and speed, and no draw.
    """
    each = 2 if without_prior else 1
    tables = tables_of(prepared.problems)
    annotators = {}
    if resampling.annotators:
        sizes = sorted({problem.annotator_count for problem in prepared.problems})
        annotators = {size: drawn_annotators(prepared.problems, size) for size in sizes}
    with scope(dtype):
        route = Route(
            *(prepared, tables, each * replicates, dtype), annotators=[*annotators], devices=devices
        )
        draws = DeviceDraws(devices, tables, seed, resampling, dtype, annotators)
        size = rows_at_once or draws.rows_at_once(replicates, each * route.width)
        rows = (
            draws.weights(np.arange(first, first + size)) for first in range(0, replicates, size)
        )
        outputs = len(prepared.problems)
        if not without_prior:
            return collect(
                *(route, outputs, rows, size, replicates), batch=2 * size, progress=progress
            )
        seen = tuple(pad(np.where(table.count > 0, 1.0, 0.0), 0.0) for table in tables)
        several = collect(
            *(route, outputs, (_with_and_without(each, seen) for each in rows)),
            *(2 * size, 2 * replicates),
            batch=4 * size,
            progress=in_pairs(progress),
        )
        return [values.reshape(replicates, 2, *values.shape[1:]) for values in several]


@jax.jit
def _with_and_without(
    rows: tuple[jax.Array, ...], seen: tuple[Array, ...]
) -> tuple[jax.Array, ...]:
    """Each row of weights, and behind it the same without what a prior counts."""
    TRACES["with_and_without"] += 1

    def twice(weights: jax.Array, shown: Array) -> jax.Array:
        left = weights * shown
        left *= weights.sum(axis=1, keepdims=True) / left.sum(axis=1, keepdims=True)
        return jnp.stack([weights, left], axis=1).reshape(-1, weights.shape[1])

    return tuple(twice(*pair) for pair in zip(rows, seen, strict=True))
