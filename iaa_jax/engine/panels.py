"""A coefficient of many panels of annotators, each at many rows of item weights."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from iaa_jax.engine.inputs import inputs_of_ratings
from iaa_jax.engine.padding import pad, pad_items
from iaa_jax.engine.precision import scope
from iaa_jax.engine.problem import Floats, Problem
from iaa_jax.engine.two_way import batch_size_of, knows_weights

BLOCK = 1024
"""Panels that are handed to compiled code together."""


def over_panels(problem: Problem, panels: NDArray[np.bool_], rows: Floats) -> Iterator[Floats]:
    """Estimates (panel, row) block by block, for panels (panel, annotator) and rows (row, pattern).

    Whoever is not in a panel weighs 0. The problem must tell annotators apart. How many are under
    way at once depends on the memory that one needs, and changes no digit.
    """
    import jax

    from iaa_jax.engine import compiled_panels

    block = min(BLOCK, 1 << max(len(panels) - 1, 0).bit_length())
    with scope("float64"):
        by_formula = problem.factored and not knows_weights(problem)
        run = compiled_panels.panel_rows_by_formula if by_formula else compiled_panels.panel_rows
        batch = min(block, batch_size_of(problem, "float64"))
        data = jax.device_put(pad_items(problem.data).astype(np.float64))
        weights = jax.device_put(pad(rows, 0.0, axis=1).astype(np.float64))
        setting = inputs_of_ratings(problem, "float64")
    for start in range(0, len(panels), block):
        part = panels[start : start + block]
        # the last block is filled up with panels of everybody
        filled = np.ones((block, len(problem.weight)))
        filled[: len(part), : panels.shape[1]] = part
        with scope("float64"):
            estimates = run(
                filled * problem.weight, weights, data, setting, problem.measure.kernel, batch
            )
            values = np.asarray(estimates)[: len(part)]
        yield values
