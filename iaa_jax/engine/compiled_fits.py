"""The compiled loop of the methods that make gold labels."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from iaa_jax.engine.compiled import TRACES
from iaa_jax.kernels.labelling.method import Data, Method, Options, Weights


@partial(jax.jit, static_argnames="method")
def fit_rows(
    data: Data,
    weights: Weights,
    probability: jax.Array,
    options: Options,
    tolerance: tuple[jax.Array, jax.Array],
    method: Method,
) -> tuple[Any, ...]:
    """The state that each row of weights (row, item) and (row, annotator) ends in.

    Beside it the skills, the steps that it took, and whether the last one changed less than the
    tolerance. All rows start at one probability (item, label), or each at its own, with rows first.
    """
    TRACES["fit_rows"] += 1
    smallest, most = tolerance

    def of_row(weights: Weights, options: Options, probability: jax.Array) -> tuple[Any, ...]:
        def unfinished(at: tuple[Any, jax.Array]) -> jax.Array:
            state, steps = at
            going: jax.Array = ~(state.change < smallest) & (steps < most)
            return going

        def next_step(at: tuple[Any, jax.Array]) -> tuple[Any, jax.Array]:
            state, steps = at
            return method.step(data, weights, state, options), steps + 1

        start = method.start(data, weights, probability, options)
        state, steps = jax.lax.while_loop(unfinished, next_step, (start, jnp.zeros((), int)))
        return state, state.skill, steps, state.change < smallest

    in_axes = (0, 0, 0 if probability.ndim == 3 else None)
    fitted: tuple[Any, ...] = jax.vmap(of_row, in_axes)(weights, options, probability)
    return fitted
