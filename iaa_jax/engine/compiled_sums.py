"""Compiled functions that prepare rows of weights, statistics and sums on a device."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp

from iaa_jax.engine.compiled import TRACES, mapped
from iaa_jax.engine.drawing import BLOCK, with_and_without
from iaa_jax.engine.inputs import Entries, LaidOut


@jax.jit
def rows_of_both(rows: jax.Array, shown: int) -> jax.Array:
    """Return rows of weights with, then without the prior (the patterns from ``shown`` on)."""
    TRACES["rows_of_both"] += 1
    both: jax.Array = with_and_without(rows, shown)
    return both


@jax.jit
def laid_out(tables: tuple[tuple[LaidOut, ...], ...]) -> tuple[jax.Array, ...]:
    """Return each table's statistics (pattern, column), summed over the parts of each pattern.

    The parts are ratings and pairs of ratings; see `iaa_jax.engine.parts`.
    """
    TRACES["laid_out"] += 1

    def expanded(rows: jax.Array, by_split: jax.Array | None) -> jax.Array:
        if by_split is None:
            return rows

        def with_split(split: int, sums: jax.Array) -> jax.Array:
            parts = jnp.take(rows, by_split[split], axis=0, mode="fill", fill_value=0)
            return sums + parts

        empty = jnp.zeros((by_split.shape[1], rows.shape[1]), rows.dtype)
        sums: jax.Array = jax.lax.fori_loop(0, len(by_split), with_split, empty)
        return sums

    return tuple(
        jnp.concatenate([expanded(*each) for each in several], axis=1) for several in tables
    )


@partial(jax.jit, static_argnames="columns")
def indexed_sums(weights: jax.Array, entries: Entries, columns: int) -> jax.Array:
    """Return sums (column, row) for a block of rows of weights, from a sparse matrix."""
    TRACES["indexed_sums"] += 1
    if not columns:
        return jnp.zeros((0, len(weights)), weights.dtype)

    def sum_row(row: jax.Array) -> jax.Array:
        parts = entries.value * row[entries.pattern]
        return jax.ops.segment_sum(parts, entries.column, columns, indices_are_sorted=True)

    return mapped(sum_row, weights, BLOCK).T
