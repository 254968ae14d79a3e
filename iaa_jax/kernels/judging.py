"""The alternative annotator test: a judge compared with each annotator, who is left out in turn.

A judge is a further rater, such as a language model. On each item, the judge and the annotator are
compared by the similarity of their ratings to those of the other annotators.

Calderon, N., Reichart, R. and Dror, R. (2025). The alternative annotator test for LLM-as-a-judge:
how to statistically justify replacing human annotators with LLMs. ACL 2025.
https://doi.org/10.18653/v1/2025.acl-long.782
"""

from __future__ import annotations

import math
from typing import NamedTuple

from iaa_jax.kernels.namespace import Array, as_array, divided, floating, namespace

_ROUNDING = 1e-9


def leads(of_judges: Array, between: Array) -> Array:
    """Return who is closer to an item's other annotators: judge (1), annotator (-1), neither (0).

    Let s(x, k) be the similarity of x's rating to annotator k's rating. For judge f and annotator
    a, the result is ``sign(sum_k s(f, k) - sum_k s(a, k))`` over the item's other annotators k.

    The similarities are ``of_judges`` (item, judge, annotator) and ``between`` (item, annotator,
    annotator), NaN where one of the two ratings is missing. The result (item, judge, annotator) is
    NaN where the judge or the annotator has no rating, or nobody else rated the item.

    Examples
    --------
    A judge that agrees with two of three annotators:

    >>> import numpy as np
    >>> rows, judge = np.array([[0, 0, 1]]), np.array([[0]])
    >>> match = lambda x, y: (x[..., :, None] == y[..., None, :]).astype(float)
    >>> leads(match(judge, rows), match(rows, rows))
    array([[[0., 0., 1.]]])
    """
    xp = namespace(of_judges, between)
    of_judges, between = as_array(xp, of_judges), as_array(xp, between)
    size = between.shape[-1]
    other = ~xp.isnan(between) & ~xp.eye(size, dtype=xp.bool)
    of_other = xp.astype(other, between.dtype)
    rated = ~xp.isnan(of_judges)
    filled = xp.where(rated, of_judges, xp.zeros_like(of_judges))
    of_judge = filled @ xp.matrix_transpose(of_other)
    of_annotator = xp.sum(xp.where(other, between, xp.zeros_like(between)), axis=-1)[..., None, :]
    ahead = of_judge - of_annotator
    scale = xp.maximum(xp.abs(of_judge), xp.abs(of_annotator))
    ahead = xp.where(xp.abs(ahead) <= _ROUNDING * scale, xp.zeros_like(ahead), ahead)
    alone = (xp.sum(of_other, axis=-1) == 0)[..., None, :]
    return xp.where(rated & ~alone, xp.sign(ahead), xp.full_like(ahead, math.nan))


class AgainstAnnotator(NamedTuple):
    """A judge compared with one annotator, over units (items, or clusters of items)."""

    advantage: Array  # share of items on which the judge is as close or closer
    difference: Array  # the annotator's advantage minus the judge's
    standard_error: Array
    units: Array


class UnitSums(NamedTuple):
    """Sums over the items of each unit: arrays (unit, ...)."""

    items: Array  # number of items
    advantage: Array  # number of items that the judge wins or ties
    difference: Array  # the annotator's leads minus the judge's


def unit_sums(lead: Array) -> UnitSums:
    """Return the sums with each item as a unit, from the leads that `leads` returns."""
    xp = namespace(lead)
    known = ~xp.isnan(lead)
    zero = xp.zeros_like(lead)
    return UnitSums(
        xp.astype(known, lead.dtype),
        xp.astype(known & (lead >= 0), lead.dtype),
        xp.where(known, -lead, zero),
    )


def compare(sums: UnitSums, weight: Array) -> AgainstAnnotator:
    """Return advantages, and the standard error of their difference, at weights (..., unit).

    With N_u the number of items and D_u the summed differences of unit u, ``d = sum w D / sum w N``
    and ``SE^2 = m / (m - 1) sum w (D_u - d N_u)^2 / (sum w N)^2`` for the m units compared. If each
    unit is an item, this is the standard error of the paired t-test.

    The arrays are (..., judge, annotator). All but ``units`` are NaN if no item is compared. The
    standard error is also NaN if there is only one unit.
    """
    xp = namespace(*sums, weight)
    weight = floating(xp, weight, sums.items)

    def total(values: Array) -> Array:
        return xp.tensordot(weight, values, axes=((-1,), (0,)))

    items, difference, advantage = map(total, (sums.items, sums.difference, sums.advantage))
    units = total(xp.astype(sums.items > 0, weight.dtype))
    known = items > 0
    mean = xp.where(known, divided(xp, difference, items), xp.full_like(items, math.nan))
    squares = (
        total(sums.difference**2)
        - 2 * mean * total(sums.difference * sums.items)
        + mean**2 * total(sums.items**2)
    )
    squares = xp.where(squares <= _ROUNDING * items, xp.zeros_like(squares), squares)
    variance = divided(xp, units * squares, (units - 1) * items**2)
    error = xp.sqrt(xp.where(units > 1, variance, xp.full_like(variance, math.nan)))
    share = xp.where(known, divided(xp, advantage, items), xp.full_like(items, math.nan))
    return AgainstAnnotator(share, mean, error, units)
