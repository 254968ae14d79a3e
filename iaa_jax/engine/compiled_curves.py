"""Compiled functions for one coefficient at many shares p of the primary label.

A rating may be divided between labels, and p is its primary label's share. The coefficient's sums
are polynomials in p (`iaa_jax.engine.sweep`).
"""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp

from iaa_jax.engine.compiled import TRACES
from iaa_jax.engine.flat import Sums, read_back
from iaa_jax.engine.inputs import PolynomialLayout, TracedInputs
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.kernel import PolynomialFormula
from iaa_jax.kernels.namespace import Array

Terms = tuple[Array, ...]
"""The polynomials in p: the dense and indexed sums, or the terms of a formula."""


@partial(jax.jit, static_argnames="curve")
def curve_rows(
    weights: jax.Array,
    matrices: jax.Array,
    indexed: jax.Array,
    basis: jax.Array,
    setting: TracedInputs,
    curve: PolynomialLayout,
) -> jax.Array:
    """Return estimates (row, p, ...) of one coefficient for a block of rows of weights.

    ``matrices`` (node, pattern, column) and ``indexed`` (node, row, column) are given at a few
    values of p, the nodes; ``basis`` (p, node) is the Lagrange basis.
    """
    TRACES["curve_rows"] += 1
    dense = jnp.einsum("rp,npk->rnk", weights, matrices)
    terms = jax.vmap(jax.vmap(partial(curve_terms, curve, setting)))(
        dense, jnp.swapaxes(indexed, 0, 1)
    )
    estimates: jax.Array = jax.vmap(partial(_curve_of, curve, setting, basis))(terms).estimate
    return estimates


@partial(jax.jit, static_argnames="curve")
def curve_whole(
    sums: tuple[jax.Array, jax.Array],
    basis: jax.Array,
    setting: TracedInputs,
    curve: PolynomialLayout,
) -> Agreement:
    """Return one coefficient (p, ...) from its sums (node, column) over all items."""
    TRACES["curve_whole"] += 1
    terms = jax.vmap(partial(curve_terms, curve, setting))(*sums)
    return _curve_of(curve, setting, basis, terms)


@partial(jax.jit, static_argnames="curve")
def curve_gradients(
    sums: tuple[jax.Array, jax.Array],
    basis: jax.Array,
    setting: TracedInputs,
    curve: PolynomialLayout,
) -> tuple[jax.Array, jax.Array]:
    """Return derivatives (p, ..., column) of the estimate at each p with respect to its sums."""
    TRACES["curve_gradients"] += 1
    at_p = (basis @ sums[0], basis @ sums[1])

    def estimate(dense: jax.Array, indexed: jax.Array) -> jax.Array:
        terms = curve_terms(curve, setting, dense, indexed)
        value: jax.Array = _curve_at(curve, setting, terms).estimate
        return value

    slopes: tuple[jax.Array, jax.Array] = jax.vmap(jax.jacrev(estimate, argnums=(0, 1)))(*at_p)
    return slopes


def curve_terms(
    curve: PolynomialLayout, setting: TracedInputs, dense: jax.Array, indexed: jax.Array
) -> Terms:
    """Return the polynomials in p: the terms of the formula if it has terms, otherwise its sums."""
    formula = curve.formula
    if not isinstance(formula, PolynomialFormula):
        return dense, indexed
    sums = read_back(curve.layout, Sums(dense, indexed, setting.fixed))
    weight, disagreement = setting.annotator_weight, setting.disagreement
    terms: Terms = formula.terms(sums, weight, disagreement, **setting.options)
    return terms


def _curve_at(curve: PolynomialLayout, setting: TracedInputs, terms: Terms) -> Agreement:
    if isinstance(curve.formula, PolynomialFormula):
        return curve.formula.from_terms(terms)
    dense, indexed = terms
    sums = read_back(curve.layout, Sums(dense, indexed, setting.fixed))
    return curve.formula(sums, setting.annotator_weight, setting.disagreement, **setting.options)


def _curve_of(
    curve: PolynomialLayout, setting: TracedInputs, basis: jax.Array, terms: Terms
) -> Agreement:
    at_p = jax.tree.map(lambda term: jnp.tensordot(basis, term, axes=1), terms)
    return jax.vmap(partial(_curve_at, curve, setting))(at_p)
