"""Compiled functions that evaluate a coefficient for panels (sets of annotators).

Each panel is evaluated at every row of item weights.
"""

from __future__ import annotations

from functools import partial

import jax

from iaa_jax.engine.compiled import TRACES, kernel_estimate, mapped
from iaa_jax.engine.flat import Layout, Sums, read_back
from iaa_jax.engine.inputs import TracedInputs
from iaa_jax.kernels.kernel import Formula, Kernel, KernelFunction
from iaa_jax.kernels.namespace import Array
from iaa_jax.kernels.raters import Raters
from iaa_jax.kernels.sums import sums_over_items


@partial(jax.jit, static_argnames=("kernel", "batch_size"))
def panel_rows(
    panels: jax.Array,
    weights: jax.Array,
    data: jax.Array,
    setting: TracedInputs,
    kernel: KernelFunction,
    batch_size: int,
) -> jax.Array:
    """Return estimates (panel, row)."""
    TRACES["panel_rows"] += 1

    def estimates(panel: jax.Array) -> jax.Array:
        of_panel = setting._replace(annotator_weight=panel)
        values: jax.Array = jax.vmap(partial(kernel_estimate, kernel, data, of_panel))(weights)
        return values

    return mapped(estimates, panels, batch_size)


@partial(jax.jit, static_argnames=("kernel", "batch_size"))
def panel_rows_by_formula(
    panels: jax.Array,
    weights: jax.Array,
    data: jax.Array,
    setting: TracedInputs,
    kernel: Kernel,
    batch_size: int,
) -> jax.Array:
    """Return estimates (panel, row) from statistics that do not depend on annotator weights."""
    TRACES["panel_rows_by_formula"] += 1
    raters = Raters(setting.annotator_weight, setting.annotator_of)
    statistics_of = kernel.statistics_among(data, raters)
    statistics = statistics_of(data, raters, setting.disagreement)
    summed = jax.vmap(partial(sums_over_items, statistics))(weights)

    def estimates(panel: jax.Array) -> jax.Array:
        def estimate(sums: tuple[Array, ...]) -> Array:
            return kernel.formula(sums, panel, setting.disagreement, **setting.options).estimate

        values: jax.Array = jax.vmap(estimate)(summed)
        return values

    return mapped(estimates, panels, batch_size)


@partial(jax.jit, static_argnames=("layout", "formula", "batch_size"))
def panel_rows_by_counts(
    panels: jax.Array,
    keys: jax.Array,
    place: jax.Array,
    table: jax.Array,
    weights: jax.Array,
    setting: TracedInputs,
    layout: Layout,
    formula: Formula,
    batch_size: int,
) -> jax.Array:
    """Return estimates (panel, row) from statistics in a look-up table.

    Each rating has a number in ``keys`` (annotator, item). The sum of an item's numbers over the
    panel's annotators is an index into ``place``, which gives the item's row of ``table``.
    """
    TRACES["panel_rows_by_counts"] += 1

    def estimate(sums: jax.Array) -> jax.Array:
        of_items = read_back(layout, Sums(sums, sums[:0], ()))
        weight, disagreement = setting.annotator_weight, setting.disagreement
        value: jax.Array = formula(of_items, weight, disagreement, **setting.options).estimate
        return value

    def estimates(panel: jax.Array) -> jax.Array:
        of_panel = place[(panel @ keys).astype(place.dtype)]
        values: jax.Array = jax.vmap(estimate)(weights @ table[of_panel])
        return values

    return mapped(estimates, panels, batch_size)
