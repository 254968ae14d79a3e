"""What a few independent items say of observed and expected disagreement, without bias.

A coefficient ``1 - D_o / D_e`` whose D_o is linear in the items and whose D_e is a product of two
of them has terms o and e of any two items drawn independently, with

    E o : E e = D_o : D_e,   so that   E (o - (1 - k) e) = 0 exactly where k is the coefficient,

whatever the labels, their skew and the gaps. What watches a coefficient bets on that: see
`iaa_jax.kernels.betting`. Items that have no pair of ratings have no part in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from iaa_jax.kernels.namespace import Array, namespace
from iaa_jax.kernels.sums import Indexed


class DisagreementTerms(NamedTuple):
    """Of each group of independent items; E observed : E expected is D_o : D_e."""

    observed: Array  # (group,) from 0
    expected: Array  # (group,) from 0


class LargestTerms(NamedTuple):
    """What terms can be at most, whatever the items."""

    observed: float
    expected: float


@dataclass(frozen=True)
class IndependentItems:
    """The terms of a coefficient.

    Attributes
    ----------
    size : int
        How many items a group has: one where chance agreement is a constant, two where it is a
        product of two items' labels, four where the distance of labels is another one.
    terms : callable
        ``(items, annotator_weight, disagreement) -> DisagreementTerms``: ``items`` are the
        statistics of the first items of all groups, of the second ones, and so on.
    largest : callable
        ``(statistics, disagreement, farthest) -> LargestTerms``, of any items that have no more
        ratings than these. ``farthest`` is the largest squared difference of two numbers.
    holds : callable
        ``(statistics, disagreement) -> bool``, whether the proportion is that of the coefficient
        for such items.
    factor : callable, optional
        ``statistics -> (item,)``: the factor that each item brings to all terms of its group, as
        its number of ratings does in alpha.
    """

    size: int
    terms: Callable[[Sequence[Any], Array, Array | None], DisagreementTerms]
    largest: Callable[[Any, Array | None, float], LargestTerms]
    holds: Callable[[Any, Array | None], bool] = lambda *_: True
    factor: Callable[[Any], Array] | None = None


def symmetric(product: Callable[[Any, Any], Array], items: Sequence[Any]) -> Array:
    """The mean of a product of two items over all ordered pairs of a group's items."""
    pairs = [*combinations(items, 2)]
    both = [product(one, other) + product(other, one) for one, other in pairs]
    total = both[0]
    for each in both[1:]:
        total = total + each
    return total / (2 * len(pairs))


def largest_disagreement(disagreement: Array | None) -> float:
    """What two labels can be apart at most: 1 of nominal ones."""
    if disagreement is None:
        return 1.0
    return float(namespace(disagreement).max(disagreement))


def largest_of_labels(_: object, disagreement: Array | None, __: float) -> LargestTerms:
    """Of terms that are a mean distance of two labels."""
    largest = largest_disagreement(disagreement)
    return LargestTerms(largest, largest)


def all_or_none(given: Array | Indexed) -> bool:
    """Whether each item (item, column) has every column or none."""
    if isinstance(given, Indexed):
        return False
    return bool(namespace(given).all(given == given[:, :1]))
