"""Unbiased terms for observed and expected disagreement, from a few independent items.

In a coefficient ``1 - D_o / D_e``, let D_o be linear in the statistics of items, and D_e a product
of two linear terms. Two items drawn independently then have terms o and e whose expectations E
satisfy

    E o : E e = D_o : D_e,   so that   E (o - (1 - k) e) = 0 exactly if k is the coefficient,

whatever the label shares and the missing ratings. Items without a pair of ratings do not take part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from iaa_jax.kernels.namespace import Array, namespace
from iaa_jax.kernels.sums import Indexed


class DisagreementTerms(NamedTuple):
    """Terms of each group of independent items; E observed : E expected is D_o : D_e."""

    observed: Array  # (group,) never negative
    expected: Array  # (group,) never negative


class LargestTerms(NamedTuple):
    """The largest possible terms, whatever the items."""

    observed: float
    expected: float


@dataclass(frozen=True)
class IndependentItems:
    """The terms of a coefficient, from groups of independent items.

    Attributes
    ----------
    size : int
        The number of items in a group: one if chance agreement is constant, two if it is a product
        of two items' labels, four if the distances of labels come from two further items.
    terms : callable
        ``(items, annotator_weight, disagreement) -> DisagreementTerms``. ``items[0]`` are the
        statistics of the first item of every group, ``items[1]`` of the second, and so on.
    largest : callable
        ``(statistics, disagreement, farthest) -> LargestTerms``, for any items that do not have
        more ratings than the items of ``statistics``. ``farthest`` is the largest squared
        difference of two numbers.
    holds : callable
        ``(statistics, disagreement) -> bool``: whether E o : E e is D_o : D_e for these items.
    factor : callable, optional
        ``statistics -> (item,)``: a factor of all terms of the item's group, such as the item's
        number of ratings in alpha.
    """

    size: int
    terms: Callable[[Sequence[Any], Array, Array | None], DisagreementTerms]
    largest: Callable[[Any, Array | None, float], LargestTerms]
    holds: Callable[[Any, Array | None], bool] = lambda *_: True
    factor: Callable[[Any], Array] | None = None


def symmetric(product: Callable[[Any, Any], Array], items: Sequence[Any]) -> Array:
    """Return the mean of a product of two items over all ordered pairs in a group."""
    pairs = [*combinations(items, 2)]
    products = [product(one, other) + product(other, one) for one, other in pairs]
    total = products[0]
    for addend in products[1:]:
        total = total + addend
    return total / (2 * len(pairs))


def largest_disagreement(disagreement: Array | None) -> float:
    """Return the largest disagreement of two labels, which is 1 for nominal labels."""
    if disagreement is None:
        return 1.0
    return float(namespace(disagreement).max(disagreement))


def largest_of_labels(_: object, disagreement: Array | None, __: float) -> LargestTerms:
    """Return the largest terms if terms are mean distances of two labels."""
    largest = largest_disagreement(disagreement)
    return LargestTerms(largest, largest)


def all_or_none(rated: Array | Indexed) -> bool:
    """Tell whether each item is rated in every column or in none; False for indexed statistics."""
    if isinstance(rated, Indexed):
        return False
    return bool(namespace(rated).all(rated == rated[:, :1]))
