"""Replicates of coefficients, drawn and computed on devices."""

from __future__ import annotations

import numpy as np

from iaa_jax.engine.computing import Computing
from iaa_jax.engine.drawing import ITEMS, Resampling
from iaa_jax.engine.on_device.draws import DeviceDraws
from iaa_jax.engine.precision import DType
from iaa_jax.engine.prepared import Prepared, tables_of
from iaa_jax.engine.problem import Floats
from iaa_jax.engine.route import Route
from iaa_jax.engine.rows import Progress, collect
from iaa_jax.engine.units import drawn_annotators


def bootstrap_on(
    computing: Computing,
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
    """Return replicates (replicate, ...) of each estimate, drawn and computed on devices in turn.

    ``rows_at_once`` defaults to the number that fits into memory. ``without_prior`` returns
    (replicate, 2, ...): each draw with and without the prior (the patterns with only prior counts).
    """
    tables = tables_of(prepared.problems)
    annotators = {}
    if resampling.annotators:
        sizes = sorted({problem.annotator_count for problem in prepared.problems})
        annotators = {size: drawn_annotators(prepared.problems, size) for size in sizes}
    with computing.scope(dtype):
        route = Route(
            *(prepared, tables, replicates, dtype),
            annotators=[*annotators],
            drawn_by=computing,
            without_prior=without_prior,
        )
        draws = DeviceDraws(computing, tables, seed, resampling, dtype, annotators)
        size = rows_at_once or draws.rows_at_once(replicates, route.width)
        rows = (
            draws.weights(np.arange(first, first + size)) for first in range(0, replicates, size)
        )
        outputs = len(prepared.problems)
        return collect(
            *(route, outputs, rows, size, replicates),
            batch=2 * size,
            paired=without_prior,
            progress=progress,
        )
