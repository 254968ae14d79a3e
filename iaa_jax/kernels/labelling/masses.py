"""Ratings as masses, for methods that look at each rating beside the others of its item.

A mass is how one annotator spreads a judgement over the labels. Few annotators stand side by side
(`DenseMasses`); of a crowd only the ratings that were given, each item's one after the other
(`ListedMasses`). Both have a place for each rating, and 0 in ``rated`` where there is none.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol

from iaa_jax.kernels.namespace import Array, namespace, segment_sum


class Masses(Protocol):
    """What a method needs of masses."""

    @property
    def mass(self) -> Array:
        """The mass of each rating (item, place, label)."""

    @property
    def rated(self) -> Array:
        """1 where there is a rating, else 0 (item, place)."""

    def at_ratings(self, figures: Array) -> Array:
        """Figures of annotators (annotator,) at the places of their ratings: (item, place)."""

    def totals(self, figures: Array, annotators: int) -> Array:
        """Sum figures (item, place, ...) over the ratings of each annotator: (annotator, ...)."""


class DenseMasses(NamedTuple):
    """A place is an annotator."""

    mass: Array  # (item, annotator, label)
    rated: Array  # (item, annotator)

    def at_ratings(self, figures: Array) -> Array:
        """Figures of annotators at the places of their ratings."""
        return figures[None, :]

    def totals(self, figures: Array, annotators: int) -> Array:
        """Sum figures over the ratings of each annotator."""
        return namespace(figures).sum(figures, axis=0)


class ListedMasses(NamedTuple):
    """A place is the next rating of the item."""

    mass: Array  # (item, slot, label)
    rated: Array  # (item, slot)
    annotator: Array  # (item, slot) whose rating it is; any in an empty slot

    def at_ratings(self, figures: Array) -> Array:
        """Figures of annotators at the places of their ratings."""
        xp = namespace(figures, self.annotator)
        flat = xp.take(figures, xp.reshape(self.annotator, (-1,)), axis=0)
        return xp.reshape(flat, self.annotator.shape)

    def totals(self, figures: Array, annotators: int) -> Array:
        """Sum figures over the ratings of each annotator."""
        xp = namespace(figures, self.annotator)
        places = math.prod(self.annotator.shape)
        values = xp.reshape(figures, (places, *figures.shape[2:]))
        return segment_sum(xp, values, xp.reshape(self.annotator, (places,)), annotators)
