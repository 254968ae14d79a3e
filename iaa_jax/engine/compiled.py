"""The compiled entry points, built once. Only functions and shapes are static; numbers are traced.

`TRACES` counts how often each was traced: recompiling for new numbers is a bug, and tests look.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from iaa_jax.engine.problem import unflatten
from iaa_jax.kernels.agreement import Formula

TRACES: Counter[str] = Counter()
"""Traces of each entry point since the process began."""


class Reading(NamedTuple):
    """How one coefficient reads its sums: static, and so part of what is compiled."""

    table: int
    start: int
    stop: int
    kind: type
    shapes: tuple[tuple[int, ...], ...]
    formula: Formula


class Setting(NamedTuple):
    """The numbers beside the sums of one coefficient: traced."""

    annotator_weight: Any
    disagreement: Any


@partial(jax.jit, static_argnames="readings")
def factored_rows(
    weights: tuple[Any, ...],
    matrices: tuple[Any, ...],
    settings: tuple[Setting, ...],
    readings: tuple[Reading, ...],
) -> tuple[Any, ...]:
    """Estimates (row, ...) of several coefficients for a block of weight rows of each table."""
    TRACES["factored_rows"] += 1
    sums = [rows @ matrix for rows, matrix in zip(weights, matrices, strict=True)]

    def estimate(reading: Reading, setting: Setting, row: Any) -> Any:
        return _estimate(reading, setting, row[reading.start : reading.stop])

    return tuple(
        jax.vmap(partial(estimate, reading, setting))(sums[reading.table])
        for reading, setting in zip(readings, settings, strict=True)
    )


@partial(jax.jit, static_argnames="readings")
def factored_gradients(
    sums: tuple[Any, ...], settings: tuple[Setting, ...], readings: tuple[Reading, ...]
) -> tuple[Any, ...]:
    """Derivatives (..., column) of several estimates by their sums."""
    TRACES["factored_gradients"] += 1
    return tuple(
        jax.jacrev(partial(_estimate, reading, setting))(row)
        for reading, setting, row in zip(readings, settings, sums, strict=True)
    )


@partial(jax.jit, static_argnames=("kernel", "rows_together", "takes_values"))
def kernel_rows(
    weights: Any, data: Any, setting: Setting, kernel: Any, rows_together: int, takes_values: bool
) -> Any:
    """Estimates (row, ...) of one coefficient that is no formula on sums."""
    TRACES["kernel_rows"] += 1
    estimate = partial(_kernel_estimate, kernel, takes_values, data, setting)
    return jax.lax.map(estimate, weights, batch_size=rows_together)


@partial(jax.jit, static_argnames=("kernel", "takes_values"))
def kernel_gradient(
    weight: Any, data: Any, setting: Setting, kernel: Any, takes_values: bool
) -> Any:
    """Derivative (..., item) of one estimate by the item weights."""
    TRACES["kernel_gradient"] += 1
    return jax.jacrev(partial(_kernel_estimate, kernel, takes_values, data, setting))(weight)


def _estimate(reading: Reading, setting: Setting, row: Any) -> Any:
    sums = unflatten(row, reading.kind, reading.shapes)
    return reading.formula(sums, setting.annotator_weight, setting.disagreement).estimate


def _kernel_estimate(
    kernel: Any, takes_values: bool, data: Any, setting: Setting, weight: Any
) -> Any:
    if takes_values:
        found = kernel(data, item_weight=weight, annotator_weight=setting.annotator_weight)
    else:
        found = kernel(
            data,
            item_weight=weight,
            annotator_weight=setting.annotator_weight,
            label_agreement=None if setting.disagreement is None else 1 - setting.disagreement,
        )
    return jnp.asarray(found.estimate)
