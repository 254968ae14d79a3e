"""The compiled entry points, built once. Only functions and shapes are static; numbers are traced.

`TRACES` counts how often each was traced: recompiling for new numbers is a bug, and tests look.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from iaa_jax.engine.flat import Layout, Sums, read_back
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.kernel import Formula, FormulaOfTerms, Kernel, KernelFunction, without_none
from iaa_jax.kernels.raters import Raters

TRACES: Counter[str] = Counter()
"""Traces of each entry point since the process began."""


class SumsLayout(NamedTuple):
    """How one coefficient reads the sums of its table: static, and so part of what is compiled."""

    table: int
    dense: tuple[int, int]
    indexed: tuple[int, int]
    layout: Layout
    formula: Formula
    setting: int


class TracedInputs(NamedTuple):
    """The numbers beside the sums of one coefficient: traced."""

    annotator_weight: Any
    disagreement: Any
    fixed: tuple[Any, ...] = ()
    annotator_of: Any = None
    options: Mapping[str, Any] = {}


@partial(jax.jit, static_argnames="sums_layouts")
def factored_rows(
    weights: tuple[Any, ...],
    matrices: tuple[Any, ...],
    indexed: tuple[Any, ...],
    settings: tuple[TracedInputs, ...],
    sums_layouts: tuple[SumsLayout, ...],
) -> tuple[Any, ...]:
    """Estimates (row, ...) of several coefficients for a block of weight rows of each table.

    ``indexed`` holds the sums by an index of each table (column, row), summed already.
    """
    TRACES["factored_rows"] += 1
    dense = [rows @ matrix for rows, matrix in zip(weights, matrices, strict=True)]
    return tuple(
        jax.vmap(partial(_of_columns, sums_layout, settings[sums_layout.setting]), in_axes=(0, 1))(
            dense[sums_layout.table], indexed[sums_layout.table]
        )
        for sums_layout in sums_layouts
    )


@partial(jax.jit, static_argnames="sums_layouts")
def factored_rows_two_way(
    weights: tuple[Any, ...],
    matrices: tuple[Any, ...],
    indexed: tuple[Any, ...],
    annotators: tuple[Any, ...],
    settings: tuple[TracedInputs, ...],
    sums_layouts: tuple[SumsLayout, ...],
) -> tuple[Any, ...]:
    """The same with annotator weights (row, annotator) of each row, for each of the settings.

    Only for statistics that do not know the annotator weights.
    """
    TRACES["factored_rows_two_way"] += 1
    dense = [rows @ matrix for rows, matrix in zip(weights, matrices, strict=True)]

    def estimate(
        sums_layout: SumsLayout, dense_row: Any, indexed_row: Any, annotator_row: Any
    ) -> Any:
        setting = settings[sums_layout.setting]._replace(annotator_weight=annotator_row)
        return _of_columns(sums_layout, setting, dense_row, indexed_row)

    return tuple(
        jax.vmap(partial(estimate, sums_layout), in_axes=(0, 1, 0))(
            dense[sums_layout.table], indexed[sums_layout.table], annotators[sums_layout.setting]
        )
        for sums_layout in sums_layouts
    )


@partial(jax.jit, static_argnames="sums_layouts")
def factored_slopes(
    weights: tuple[Any, ...],
    matrices: tuple[Any, ...],
    indexed: tuple[Any, ...],
    settings: tuple[TracedInputs, ...],
    sums_layouts: tuple[SumsLayout, ...],
) -> tuple[tuple[Any, Any, Any], ...]:
    """As `factored_rows`, each estimate with its derivatives (row, ..., column) by its own sums.

    They stand beside it, by the dense sums and by those by an index.
    """
    TRACES["factored_slopes"] += 1
    dense = [rows @ matrix for rows, matrix in zip(weights, matrices, strict=True)]

    def slopes(sums_layout: SumsLayout, dense_row: Any, indexed_row: Any) -> tuple[Any, Any, Any]:
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
    sums: tuple[Any, Any],
    directions: tuple[Any, Any],
    setting: TracedInputs,
    sums_layout: SumsLayout,
) -> Any:
    """Second derivatives (direction, ...) of one estimate, along directions of its sums."""
    TRACES["factored_curves"] += 1
    estimate = partial(_estimate, sums_layout, setting)
    return jax.vmap(lambda *along: _curved(estimate, sums, along))(*directions)


@partial(jax.jit, static_argnames="sums_layouts")
def factored_gradients(
    sums: tuple[tuple[Any, Any], ...],
    settings: tuple[TracedInputs, ...],
    sums_layouts: tuple[SumsLayout, ...],
) -> tuple[tuple[Any, Any], ...]:
    """Derivatives (..., column) of several estimates by their sums, dense and indexed."""
    TRACES["factored_gradients"] += 1
    return tuple(
        jax.jacrev(partial(_estimate, sums_layout, settings[sums_layout.setting]), argnums=(0, 1))(
            *row
        )
        for sums_layout, row in zip(sums_layouts, sums, strict=True)
    )


class PolynomialLayout(NamedTuple):
    """How a coefficient over p is read from few p: static, and so part of what is compiled."""

    layout: Layout
    formula: Formula


@partial(jax.jit, static_argnames="curve")
def curve_rows(
    weights: Any,
    matrices: Any,
    indexed: Any,
    basis: Any,
    setting: TracedInputs,
    curve: PolynomialLayout,
) -> Any:
    """Estimates (row, p, ...) of one coefficient for a block of weight rows.

    ``matrices`` (node, pattern, column) and ``indexed`` (node, row, column) stand at the few p
    that fix every sum, and ``basis`` (p, node) is what each of them adds at each p.
    """
    TRACES["curve_rows"] += 1
    dense = jnp.einsum("rp,npk->rnk", weights, matrices)
    terms = jax.vmap(jax.vmap(partial(curve_terms, curve, setting)))(
        dense, jnp.swapaxes(indexed, 0, 1)
    )
    return jax.vmap(partial(_curve_of, curve, setting, basis))(terms).estimate


@partial(jax.jit, static_argnames="curve")
def curve_whole(
    sums: tuple[Any, Any], basis: Any, setting: TracedInputs, curve: PolynomialLayout
) -> Agreement:
    """One coefficient (p, ...) from its sums (node, column) over all items."""
    TRACES["curve_whole"] += 1
    terms = jax.vmap(partial(curve_terms, curve, setting))(*sums)
    return _curve_of(curve, setting, basis, terms)


@partial(jax.jit, static_argnames="curve")
def curve_gradients(
    sums: tuple[Any, Any], basis: Any, setting: TracedInputs, curve: PolynomialLayout
) -> tuple[Any, Any]:
    """Derivatives (p, ..., column) of the estimate at each p by the sums at that p."""
    TRACES["curve_gradients"] += 1
    at_p = (basis @ sums[0], basis @ sums[1])

    def estimate(dense: Any, indexed: Any) -> Any:
        terms = curve_terms(curve, setting, dense, indexed)
        return _curve_at(curve, setting, terms).estimate

    return jax.vmap(jax.jacrev(estimate, argnums=(0, 1)))(*at_p)


def curve_terms(curve: PolynomialLayout, setting: TracedInputs, dense: Any, indexed: Any) -> Any:
    """What is polynomial in p: the terms of the coefficient, or else its sums as they stand."""
    formula = curve.formula
    if not isinstance(formula, FormulaOfTerms):
        return dense, indexed
    sums = read_back(curve.layout, Sums(dense, indexed, setting.fixed))
    return formula.terms(sums, setting.annotator_weight, setting.disagreement, **setting.options)


def _curve_at(curve: PolynomialLayout, setting: TracedInputs, terms: Any) -> Agreement:
    if isinstance(curve.formula, FormulaOfTerms):
        return curve.formula.of_terms(terms)
    dense, indexed = terms
    sums = read_back(curve.layout, Sums(dense, indexed, setting.fixed))
    return curve.formula(sums, setting.annotator_weight, setting.disagreement, **setting.options)


def _curve_of(curve: PolynomialLayout, setting: TracedInputs, basis: Any, terms: Any) -> Agreement:
    at_p = jax.tree.map(lambda term: jnp.tensordot(basis, term, axes=1), terms)
    return jax.vmap(partial(_curve_at, curve, setting))(at_p)


@partial(jax.jit, static_argnames=("kernel", "batch_size"))
def kernel_rows(
    weights: Any, data: Any, setting: TracedInputs, kernel: KernelFunction, batch_size: int
) -> Any:
    """Estimates (row, ...) of one coefficient that is no formula on sums."""
    TRACES["kernel_rows"] += 1
    estimate = partial(_kernel_estimate, kernel, data, setting)
    return jax.lax.map(estimate, weights, batch_size=batch_size)


@partial(jax.jit, static_argnames=("kernel", "batch_size"))
def kernel_rows_two_way(
    weights: Any,
    annotators: Any,
    data: Any,
    setting: TracedInputs,
    kernel: KernelFunction,
    batch_size: int,
) -> Any:
    """Estimates (row, ...) of one coefficient, each row with annotator weights of its own."""
    TRACES["kernel_rows_two_way"] += 1

    def estimate(row: tuple[Any, Any]) -> Any:
        return _kernel_estimate(kernel, data, setting._replace(annotator_weight=row[1]), row[0])

    return jax.lax.map(estimate, (weights, annotators), batch_size=batch_size)


@partial(jax.jit, static_argnames=("kernel", "batch_size"))
def permuted_rows(
    cells: Any,
    sources: Any,
    weight: Any,
    setting: TracedInputs,
    kernel: KernelFunction,
    batch_size: int,
) -> Any:
    """Estimates (row, ...) of one coefficient, the ratings of each row taken from elsewhere.

    ``cells`` are single ratings, and ``sources`` (row, item, column) says which stands where.
    """
    TRACES["permuted_rows"] += 1

    def estimate(source: Any) -> Any:
        return _kernel_estimate(kernel, jnp.take(cells, source, axis=0), setting, weight)

    return jax.lax.map(estimate, sources, batch_size=batch_size)


@partial(jax.jit, static_argnames=("kernel", "batch_size"))
def kernel_slopes(
    weights: Any, data: Any, setting: TracedInputs, kernel: KernelFunction, batch_size: int
) -> tuple[Any, Any]:
    """Estimates (row, ...) of one coefficient, and their derivatives (row, ..., item)."""
    TRACES["kernel_slopes"] += 1
    estimate = partial(_kernel_estimate, kernel, data, setting)
    return jax.lax.map(partial(_with_slopes, estimate), weights, batch_size=batch_size)


@partial(jax.jit, static_argnames=("kernel", "batch_size"))
def kernel_curves(
    weight: Any,
    directions: Any,
    data: Any,
    setting: TracedInputs,
    kernel: KernelFunction,
    batch_size: int,
) -> Any:
    """Second derivatives (direction, ...) of one estimate, along directions of the weights."""
    TRACES["kernel_curves"] += 1
    estimate = partial(_kernel_estimate, kernel, data, setting)
    return jax.lax.map(
        lambda along: _curved(estimate, (weight,), (along,)), directions, batch_size=batch_size
    )


@partial(jax.jit, static_argnames="kernel")
def kernel_gradient(weight: Any, data: Any, setting: TracedInputs, kernel: KernelFunction) -> Any:
    """Derivative (..., item) of one estimate by the item weights."""
    TRACES["kernel_gradient"] += 1
    return jax.jacrev(partial(_kernel_estimate, kernel, data, setting))(weight)


def _with_slopes(estimate: Callable[..., Any], *numbers: Any) -> tuple[Any, ...]:
    """The estimate, and its derivatives by each array of numbers."""
    argnums = tuple(range(len(numbers)))

    def twice(*arguments: Any) -> tuple[Any, Any]:
        value = estimate(*arguments)
        return value, value

    slopes, value = jax.jacrev(twice, argnums=argnums, has_aux=True)(*numbers)
    return (value, *slopes)


def _curved(estimate: Callable[..., Any], at: tuple[Any, ...], along: tuple[Any, ...]) -> Any:
    """The second derivative along one direction."""

    def slope(*arguments: Any) -> Any:
        return jax.jvp(estimate, arguments, along)[1]

    return jax.jvp(slope, at, along)[1]


def _of_columns(
    sums_layout: SumsLayout, setting: TracedInputs, dense_row: Any, indexed_row: Any
) -> Any:
    columns = (dense_row[slice(*sums_layout.dense)], indexed_row[slice(*sums_layout.indexed)])
    return _estimate(sums_layout, setting, *columns)


def _estimate(sums_layout: SumsLayout, setting: TracedInputs, dense: Any, indexed: Any) -> Any:
    sums = read_back(sums_layout.layout, Sums(dense, indexed, setting.fixed))
    agreement = sums_layout.formula(
        sums, setting.annotator_weight, setting.disagreement, **setting.options
    )
    return agreement.estimate


def _kernel_estimate(kernel: KernelFunction, data: Any, setting: TracedInputs, weight: Any) -> Any:
    """One estimate from ratings and both kinds of weights."""
    if isinstance(kernel, Kernel):
        raters = Raters(setting.annotator_weight, setting.annotator_of)
        return kernel.of_ratings(
            data, raters, setting.disagreement, weight, setting.options
        ).estimate
    given = {
        "item_weight": weight,
        "annotator_weight": setting.annotator_weight,
        "label_agreement": None if setting.disagreement is None else 1 - setting.disagreement,
        "annotator_of": setting.annotator_of,
    }
    return jnp.asarray(kernel(data, **without_none(given)).estimate)
