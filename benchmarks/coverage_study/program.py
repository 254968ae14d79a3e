"""The batched program: all figures of many data sets and of their replicates, compiled once.

Only the figures and shapes are static; the numbers of a design are traced. The standard errors,
accelerations and multipliers are the package's own functions, mapped over data sets.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from coverage_study.figures import Figure, Setting
from iaa_jax.kernels import intervals


class Whole(NamedTuple):
    """One figure on each data set."""

    estimate: Any  # (data set,)
    standard_error: Any
    skewness: Any
    expected: Any
    abc: Any  # (confidence, end, data set)


class Replicated(NamedTuple):
    """One figure on the replicates of each data set."""

    replicates: Any  # (data set, replicate)
    errors: Any
    bayesian: Any


@partial(jax.jit, static_argnames=("figures", "confidences"))
def on_data_sets(
    count: Any,
    rows: Any,
    settings: tuple[Setting, ...],
    figures: tuple[Figure, ...],
    confidences: tuple[float, ...],
) -> tuple[Whole, ...]:
    """Estimates with what follows from derivatives, for counts (set, place) and their rows."""

    def one(figure: Figure, setting: Setting, count: Any, rows: Any) -> Whole:
        estimate = partial(figure.estimate, setting=setting)
        sums, items = count @ rows, count.sum()
        gradient = rows @ jax.grad(estimate)(sums)
        influence = intervals.centred_influence(gradient, count)
        sigma = jnp.sqrt(influence**2 @ count) / items
        skewness = intervals.acceleration(gradient, count)
        hessian = jax.hessian(estimate)(sums)
        apart = items * rows - sums  # from all items to one of this pattern alone
        bias = jnp.einsum("p,pk,kl,pl->", count, apart, hessian, apart) / (2 * items**2)
        step = influence / (items * jnp.where(sigma > 0, sigma, 1.0))
        towards = (count * step) @ rows
        quadratic = towards @ hessian @ towards / (2 * jnp.where(sigma > 0, sigma, 1.0))
        ends = []
        for confidence in confidences:
            far = intervals.abc_multipliers(skewness, bias, quadratic, sigma, confidence)
            ends.append(jnp.stack([estimate(sums + one * towards) for one in far]))
        error = intervals.infinitesimal_jackknife(gradient, count)
        expected = figure.expected(sums, setting)
        return Whole(estimate(sums), error, skewness, expected, jnp.stack(ends))

    return tuple(
        jax.vmap(partial(one, figure, setting), out_axes=-1)(count, rows)
        for figure, setting in zip(figures, settings, strict=True)
    )


@partial(jax.jit, static_argnames=("figures",))
def on_replicates(
    weights: Any,
    bayesian: Any,
    rows: Any,
    settings: tuple[Setting, ...],
    figures: tuple[Figure, ...],
) -> tuple[Replicated, ...]:
    """Estimates with standard errors for weights (set, replicate, place) of the rows."""
    sums, smooth = weights @ rows, bayesian @ rows

    def of(figure: Figure, setting: Setting) -> Replicated:
        estimate = partial(figure.estimate, setting=setting)
        value, by_sums = jax.vmap(jax.vmap(jax.value_and_grad(estimate)))(sums)
        gradient = by_sums[..., figure.start : figure.stop] @ jnp.swapaxes(
            rows[..., figure.start : figure.stop], -1, -2
        )
        errors = jax.vmap(jax.vmap(intervals.infinitesimal_jackknife))(gradient, weights)
        return Replicated(value, errors, jax.vmap(jax.vmap(estimate))(smooth))

    return tuple(of(*one) for one in zip(figures, settings, strict=True))
