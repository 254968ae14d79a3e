"""Compiled functions that return estimates of coefficients for many rows of item weights.

Functions, shapes and batch sizes are static arguments; data are traced. Dense sums over items are
products of item weights with a matrix. Indexed sums, such as sums by pair of annotators, come from
a sparse matrix.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import jax
import jax.numpy as jnp

from iaa_jax.engine.flat import Sums, read_back
from iaa_jax.engine.inputs import SumsLayout, TracedInputs
from iaa_jax.kernels.kernel import Kernel, KernelFunction, without_none
from iaa_jax.kernels.raters import Raters
from iaa_jax.kernels.sums import sums_over_items

Result = TypeVar("Result")

TRACES: Counter[str] = Counter()
"""The number of traces of each function; tests check that new numbers cause no new trace."""

Halves = tuple[tuple[jax.Array, ...], tuple[jax.Array, ...], tuple[jax.Array, ...]]
"""Weights, matrices and indexed sums of each table, as arguments of `factored_rows_of_both`."""


@partial(jax.jit, static_argnames="sums_layouts")
def factored_rows(
    weights: tuple[jax.Array, ...],
    matrices: tuple[jax.Array, ...],
    indexed: tuple[jax.Array, ...],
    settings: tuple[TracedInputs, ...],
    sums_layouts: tuple[SumsLayout, ...],
    annotators: tuple[jax.Array, ...] | None = None,
) -> tuple[jax.Array, ...]:
    """Return estimates (row, ...) of several coefficients, from the ``weights`` of each table.

    ``indexed`` has the indexed sums of each table (column, row), possibly in another dtype. With
    ``annotators``, each row has its own annotator weights: an array (row, annotator) for each
    element of ``settings``. Statistics must not depend on these weights.
    """
    TRACES["factored_rows"] += 1
    return _estimates_at_sums(
        *_sums(weights, matrices, indexed), settings, sums_layouts, annotators
    )


@partial(jax.jit, static_argnames="sums_layouts")
def factored_rows_of_both(
    items: Halves,
    prior: Halves,
    scales: tuple[jax.Array, ...],
    settings: tuple[TracedInputs, ...],
    sums_layouts: tuple[SumsLayout, ...],
) -> tuple[jax.Array, ...]:
    """Return estimates (row, ...) of all rows with the prior, then of all rows without it.

    The prior consists of the patterns that no item shows, which have only prior counts. ``items``
    has the weights, matrices and indexed sums of the patterns that items show, and ``prior`` has
    those of the prior. Without the prior, the sums of a row are multiplied by its number in
    ``scales``.
    """
    TRACES["factored_rows_of_both"] += 1
    (dense, indexed), (of_prior, indexed_of_prior) = _sums(*items), _sums(*prior)

    def both(sums: jax.Array, more: jax.Array, scale: jax.Array) -> jax.Array:
        return jnp.concatenate([sums + more, sums * scale[:, None]])

    dense = tuple(map(both, dense, of_prior, scales))
    upright = zip(indexed, indexed_of_prior, scales, strict=True)
    indexed = tuple(both(one.T, more.T, scale).T for one, more, scale in upright)
    return _estimates_at_sums(dense, indexed, settings, sums_layouts)


@partial(jax.jit, static_argnames="sums_layouts")
def factored_slopes(
    weights: tuple[jax.Array, ...],
    matrices: tuple[jax.Array, ...],
    indexed: tuple[jax.Array, ...],
    settings: tuple[TracedInputs, ...],
    sums_layouts: tuple[SumsLayout, ...],
) -> tuple[tuple[jax.Array, ...], ...]:
    """Return estimates as `factored_rows` does, and derivatives (row, ..., column).

    Each coefficient has derivatives with respect to the dense sums and to the indexed sums.
    """
    TRACES["factored_slopes"] += 1
    dense, indexed = _sums(weights, matrices, indexed)

    def slopes(
        sums_layout: SumsLayout, dense_row: jax.Array, indexed_row: jax.Array
    ) -> tuple[jax.Array, ...]:
        columns = (dense_row[slice(*sums_layout.dense)], indexed_row[slice(*sums_layout.indexed)])
        return _with_slopes(
            partial(_estimate, sums_layout, settings[sums_layout.setting]), *columns
        )

    return tuple(
        jax.vmap(partial(slopes, sums_layout), in_axes=(0, 1))(
            dense[sums_layout.table], indexed[sums_layout.table]
        )
        for sums_layout in sums_layouts
    )


@partial(jax.jit, static_argnames="sums_layout")
def factored_curves(
    sums: tuple[jax.Array, jax.Array],
    directions: tuple[jax.Array, jax.Array],
    setting: TracedInputs,
    sums_layout: SumsLayout,
) -> jax.Array:
    """Return second derivatives (direction, ...) of one estimate, along directions of its sums."""
    TRACES["factored_curves"] += 1
    estimate = partial(_estimate, sums_layout, setting)
    curves: jax.Array = jax.vmap(lambda *along: _curved(estimate, sums, along))(*directions)
    return curves


@partial(jax.jit, static_argnames=("kernels", "batch_size"))
def kernel_rows(
    weights: jax.Array,
    annotators: jax.Array | None,
    data: jax.Array,
    setting: TracedInputs,
    kernels: tuple[KernelFunction, ...],
    batch_size: int,
) -> tuple[jax.Array, ...]:
    """Return estimates (row, ...) of coefficients, computed from the ratings for each row.

    With ``annotators``, each row has annotator weights of its own.
    """
    TRACES["kernel_rows"] += 1

    def estimates_of(row: tuple[jax.Array, jax.Array | None]) -> tuple[jax.Array, ...]:
        weight, own = row
        given = setting if own is None else setting._replace(annotator_weight=own)
        return tuple(kernel_estimate(kernel, data, given, weight) for kernel in kernels)

    return mapped(estimates_of, (weights, annotators), batch_size)


@partial(jax.jit, static_argnames=("kernels", "batch_size"))
def kernel_rows_alike(
    weights: jax.Array,
    annotators: jax.Array,
    data: jax.Array,
    setting: TracedInputs,
    kernels: tuple[Kernel, ...],
    batch_size: int,
) -> tuple[jax.Array, ...]:
    """Return estimates (group, member, ...) of coefficients with the same statistics.

    All rows of item weights (group, member, item) in a group share annotator weights (group,
    annotator), so the statistics are computed once per group.
    """
    TRACES["kernel_rows_alike"] += 1
    disagreement, options = setting.disagreement, setting.options

    def group_estimates(group: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, ...]:
        rows, weight = group
        raters = Raters(weight, setting.annotator_of)
        statistics = kernels[0].statistics_among(data, raters)(data, raters, disagreement)

        def estimates_of(row: jax.Array) -> tuple[jax.Array, ...]:
            sums = sums_over_items(statistics, row)
            formulas = (kernel.formula for kernel in kernels)
            return tuple(
                formula(sums, weight, disagreement, **options).estimate for formula in formulas
            )

        return jax.vmap(estimates_of)(rows)

    return mapped(group_estimates, (weights, annotators), batch_size)


@partial(jax.jit, static_argnames=("kernel", "batch_size"))
def permuted_rows(
    cells: jax.Array,
    sources: jax.Array,
    weights: jax.Array,
    setting: TracedInputs,
    kernel: KernelFunction,
    batch_size: int,
) -> jax.Array:
    """Return estimates (row, ...) of one coefficient, with the ratings of each row rearranged.

    ``cells`` are single ratings; ``sources`` (row, item, column) has the index of the rating that
    each position gets. Item ``weights`` are (row, item), or (item,) for all rows.
    """
    TRACES["permuted_rows"] += 1

    def estimate(row: tuple[jax.Array, jax.Array]) -> jax.Array:
        source, weight = row
        return kernel_estimate(kernel, jnp.take(cells, source, axis=0), setting, weight)

    each = jnp.broadcast_to(weights, sources.shape[:2])
    return mapped(estimate, (sources, each), batch_size)


@partial(jax.jit, static_argnames=("kernel", "batch_size"))
def kernel_slopes(
    weights: jax.Array,
    data: jax.Array,
    setting: TracedInputs,
    kernel: KernelFunction,
    batch_size: int,
) -> tuple[jax.Array, ...]:
    """Return estimates (row, ...) of one coefficient, and their derivatives (row, ..., item)."""
    TRACES["kernel_slopes"] += 1
    estimate = partial(kernel_estimate, kernel, data, setting)
    return mapped(partial(_with_slopes, estimate), weights, batch_size)


@partial(jax.jit, static_argnames=("kernel", "batch_size"))
def kernel_curves(
    weight: jax.Array,
    directions: jax.Array,
    data: jax.Array,
    setting: TracedInputs,
    kernel: KernelFunction,
    batch_size: int,
) -> jax.Array:
    """Return second derivatives (direction, ...) of one estimate, along directions of weights."""
    TRACES["kernel_curves"] += 1
    estimate = partial(kernel_estimate, kernel, data, setting)
    return mapped(lambda along: _curved(estimate, (weight,), (along,)), directions, batch_size)


def mapped(function: Callable[[Any], Result], rows: Any, batch_size: int) -> Result:
    """Return the results of a function for each row, computed in batches."""
    results: Result = jax.lax.map(function, rows, batch_size=batch_size)
    return results


def _with_slopes(estimate: Callable[..., jax.Array], *numbers: jax.Array) -> tuple[jax.Array, ...]:
    argnums = tuple(range(len(numbers)))

    def twice(*arguments: jax.Array) -> tuple[jax.Array, jax.Array]:
        value = estimate(*arguments)
        return value, value

    slopes, value = jax.jacrev(twice, argnums=argnums, has_aux=True)(*numbers)
    return (value, *slopes)


def _curved(
    estimate: Callable[..., jax.Array], at: tuple[jax.Array, ...], along: tuple[jax.Array, ...]
) -> jax.Array:
    def slope(*arguments: jax.Array) -> jax.Array:
        first: jax.Array = jax.jvp(estimate, arguments, along)[1]
        return first

    second: jax.Array = jax.jvp(slope, at, along)[1]
    return second


def _sums(
    weights: tuple[jax.Array, ...],
    matrices: tuple[jax.Array, ...],
    indexed: tuple[jax.Array, ...],
) -> tuple[tuple[jax.Array, ...], tuple[jax.Array, ...]]:
    dense = (rows @ matrix for rows, matrix in zip(weights, matrices, strict=True))
    by_index = (sums.astype(rows.dtype) for sums, rows in zip(indexed, weights, strict=True))
    return tuple(dense), tuple(by_index)


def _estimates_at_sums(
    dense: tuple[jax.Array, ...],
    indexed: tuple[jax.Array, ...],
    settings: tuple[TracedInputs, ...],
    sums_layouts: tuple[SumsLayout, ...],
    annotators: tuple[jax.Array, ...] | None = None,
) -> tuple[jax.Array, ...]:
    def estimate(
        sums_layout: SumsLayout,
        dense_row: jax.Array,
        indexed_row: jax.Array,
        annotator_row: jax.Array | None,
    ) -> jax.Array:
        setting = settings[sums_layout.setting]
        if annotator_row is not None:
            setting = setting._replace(annotator_weight=annotator_row)
        columns = (dense_row[slice(*sums_layout.dense)], indexed_row[slice(*sums_layout.indexed)])
        return _estimate(sums_layout, setting, *columns)

    return tuple(
        jax.vmap(partial(estimate, sums_layout), in_axes=(0, 1, 0))(
            dense[sums_layout.table],
            indexed[sums_layout.table],
            None if annotators is None else annotators[sums_layout.setting],
        )
        for sums_layout in sums_layouts
    )


def _estimate(
    sums_layout: SumsLayout, setting: TracedInputs, dense: jax.Array, indexed: jax.Array
) -> jax.Array:
    sums = read_back(sums_layout.layout, Sums(dense, indexed, setting.fixed))
    given = sums, setting.annotator_weight, setting.disagreement
    estimate: jax.Array = sums_layout.formula(*given, **setting.options).estimate
    return estimate


def kernel_estimate(
    kernel: KernelFunction, data: jax.Array, setting: TracedInputs, weight: jax.Array
) -> jax.Array:
    """Return one estimate from ratings, item weights and annotator weights."""
    if isinstance(kernel, Kernel):
        raters = Raters(setting.annotator_weight, setting.annotator_of)
        of = data, raters, setting.disagreement, weight, setting.options
        estimate: jax.Array = kernel.evaluate(*of).estimate
        return estimate
    given = {
        "item_weight": weight,
        "annotator_weight": setting.annotator_weight,
        "label_agreement": None if setting.disagreement is None else 1 - setting.disagreement,
        "annotator_of": setting.annotator_of,
    }
    return jnp.asarray(kernel(data, **without_none(given)).estimate)
