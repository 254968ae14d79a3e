"""Ratings as masses, for methods that compare each rating with the other ratings of its item.

A mass is one annotator's distribution over the labels. `DenseMasses` have a column per annotator;
`ListedMasses`, for crowds, list each item's ratings in slots. Both have a place for each rating (an
annotator or a slot), with 0 in ``rated`` if it is empty.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol

from iaa_jax.kernels.namespace import Array, namespace, segment_sum


class Masses(Protocol):
    """The operations on masses that a method needs."""

    @property
    def mass(self) -> Array:
        """The mass of each rating (item, place, label)."""

    @property
    def rated(self) -> Array:
        """1 where there is a rating, else 0 (item, place)."""

    def at_ratings(self, values: Array) -> Array:
        """Return values (annotator,) at the places of the annotators' ratings: (item, place)."""

    def totals(self, values: Array, annotators: int) -> Array:
        """Sum values (item, place, ...) over the ratings of each annotator: (annotator, ...)."""


class DenseMasses(NamedTuple):
    """Masses with an annotator at each place."""

    mass: Array  # (item, annotator, label)
    rated: Array  # (item, annotator)

    def at_ratings(self, values: Array) -> Array:
        """Return values of annotators at the places of their ratings."""
        return values[None, :]

    def totals(self, values: Array, annotators: int) -> Array:
        """Sum values over the ratings of each annotator."""
        return namespace(values).sum(values, axis=0)


class ListedMasses(NamedTuple):
    """Masses with one of the item's ratings at each place."""

    mass: Array  # (item, slot, label)
    rated: Array  # (item, slot)
    annotator: Array  # (item, slot) index of the annotator; any index in an empty slot

    def at_ratings(self, values: Array) -> Array:
        """Return values of annotators at the places of their ratings."""
        xp = namespace(values, self.annotator)
        flat = xp.take(values, xp.reshape(self.annotator, (-1,)), axis=0)
        return xp.reshape(flat, self.annotator.shape)

    def totals(self, values: Array, annotators: int) -> Array:
        """Sum values over the ratings of each annotator."""
        xp = namespace(values, self.annotator)
        places = math.prod(self.annotator.shape)
        values = xp.reshape(values, (places, *values.shape[2:]))
        return segment_sum(xp, values, xp.reshape(self.annotator, (places,)), annotators)
