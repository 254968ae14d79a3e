"""Ratings as masses, for methods that compare each rating with the other ratings of its item.

A mass is one annotator's distribution over the labels. `DenseMasses` have a column for each
annotator; `ListedMasses`, for crowds, have a column (slot) for each rating of an item. ``rated`` is
0 where a column has no rating.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol

from iaa_jax.kernels.namespace import Array, namespace, segment_sum


class Masses(Protocol):
    """The operations on masses that a method needs."""

    @property
    def mass(self) -> Array:
        """The mass of each rating (item, column, label)."""

    @property
    def rated(self) -> Array:
        """The number of votes in each rating, usually 1; 0 without a rating: (item, column)."""

    def at_ratings(self, values: Array) -> Array:
        """Return the value of each rating's annotator, from values (annotator,): (item, column)."""

    def totals(self, values: Array, annotators: int) -> Array:
        """Sum values (item, column, ...) over the ratings of each annotator: (annotator, ...)."""


class DenseMasses(NamedTuple):
    """Masses with a column for each annotator."""

    mass: Array  # (item, annotator, label)
    rated: Array  # (item, annotator)

    def at_ratings(self, values: Array) -> Array:
        """Return the value of each rating's annotator."""
        return values[None, :]

    def totals(self, values: Array, annotators: int) -> Array:
        """Sum values over the ratings of each annotator."""
        return namespace(values).sum(values, axis=0)


class ListedMasses(NamedTuple):
    """Masses with one of the item's ratings in each column."""

    mass: Array  # (item, slot, label)
    rated: Array  # (item, slot)
    annotator: Array  # (item, slot) index of the annotator; any index in an empty slot

    def at_ratings(self, values: Array) -> Array:
        """Return the value of each rating's annotator."""
        xp = namespace(values, self.annotator)
        flat = xp.take(values, xp.reshape(self.annotator, (-1,)), axis=0)
        return xp.reshape(flat, self.annotator.shape)

    def totals(self, values: Array, annotators: int) -> Array:
        """Sum values over the ratings of each annotator."""
        xp = namespace(values, self.annotator)
        ratings = math.prod(self.annotator.shape)
        values = xp.reshape(values, (ratings, *values.shape[2:]))
        return segment_sum(xp, values, xp.reshape(self.annotator, (ratings,)), annotators)
