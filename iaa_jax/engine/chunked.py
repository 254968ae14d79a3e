"""Listed votes and masses as devices add them up: by annotator, without a race for one sum.

A device that adds thousands of numbers to one sum at the same time adds them one after the other.
So the places are put in the order of the sums that they enter, and cut into chunks of one sum each:
chunks are summed side by side, and of a sum few chunks are left. The order of the additions is
fixed, and digits are the same in every run.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from iaa_jax.engine.padding import bucket
from iaa_jax.engine.problem import Integers
from iaa_jax.kernels.labelling.masses import ListedMasses
from iaa_jax.kernels.labelling.method import Data
from iaa_jax.kernels.labelling.votes import ListedPairs, ListedVotes
from iaa_jax.kernels.namespace import Array

CHUNK = 32
"""Places of a chunk."""


class Chunks(NamedTuple):
    """Places in the order of the sums that they enter."""

    place: Array  # (chunk, within) of what fills a chunk up the one behind the last
    index: Array  # (chunk,) the sum that it enters

    @classmethod
    def of(cls, index: Integers) -> Chunks:
        """From the sum that each place enters."""
        order = np.argsort(index, kind="stable")
        size = np.bincount(index)
        chunks = -(-size // CHUNK)
        within = np.arange(len(order)) - np.repeat(np.cumsum(size) - size, size)
        chunk = np.repeat(np.cumsum(chunks) - chunks, size) + within // CHUNK
        number = int(chunks.sum())
        place = np.full((bucket(number), CHUNK), len(order), dtype=np.int32)
        place[chunk, within % CHUNK] = order
        entered = np.repeat(np.arange(len(size), dtype=np.int32), chunks)
        return cls(place, np.pad(entered, (0, len(place) - number), mode="edge"))

    def sums(self, values: Array, size: int) -> jax.Array:
        """Sum values (place, ...) by the sum that their places enter: (size, ...)."""
        each = jnp.take(jnp.asarray(values), self.place, axis=0, mode="fill", fill_value=0)
        return jax.ops.segment_sum(
            jnp.sum(each, axis=1), jnp.asarray(self.index), size, indices_are_sorted=True
        )


class ChunkedPairs(NamedTuple):
    """Whose each vote of an item is, likewise."""

    listed: ListedPairs
    chunks: Chunks  # by annotator and label
    labels: int

    def each(self, values: Array) -> Array:
        """Values of the annotator in each place."""
        return self.listed.each(values)

    def by_item(self, figures: Array) -> Array:
        """Sum figures over the votes of each item."""
        return self.listed.by_item(figures)

    def by_annotator(self, figures: Array, annotators: int) -> Array:
        """Sum figures over the votes of each annotator."""
        values = jnp.reshape(self.listed.share * figures, (-1,))
        sums = self.chunks.sums(values, annotators * self.labels)
        return jnp.sum(jnp.reshape(sums, (annotators, self.labels)), axis=1)


class ChunkedVotes(NamedTuple):
    """The votes that each item got, and the order in which they are added up."""

    listed: ListedVotes
    chunks: Chunks  # by annotator and label

    @property
    def known(self) -> Array | None:
        """The true labels of control items."""
        return self.listed.known

    def scores(self, table: Array) -> Array:
        """Sum a table over the votes of each item."""
        return self.listed.scores(table)

    def products(self, logs: Array) -> None:
        """None: exponentials of scores are as fast."""

    def totals(self, figures: Array, annotators: int, labels: int) -> Array:
        """Sum figures over the votes of each annotator."""
        shape = figures.shape[1:]
        share = jnp.reshape(self.listed.share, (*self.listed.share.shape, *(1,) * len(shape)))
        values = share * figures[:, None, ...]
        sums = self.chunks.sums(
            jnp.reshape(values, (math.prod(self.listed.cell.shape), *shape)), annotators * labels
        )
        return jnp.reshape(sums, (annotators, labels, *shape))

    def pairs(self, labels: int) -> ChunkedPairs:
        """A place is a vote; several of one annotator stay several."""
        return ChunkedPairs(self.listed.pairs(labels), self.chunks, labels)


class ChunkedMasses(NamedTuple):
    """Ratings one after the other, and the order in which they are added up."""

    mass: Array
    rated: Array
    annotator: Array
    chunks: Chunks  # by annotator

    def of_places(self, figures: Array) -> Array:
        """Figures of annotators at the places of their ratings."""
        return ListedMasses(self.mass, self.rated, self.annotator).of_places(figures)

    def totals(self, figures: Array, annotators: int) -> Array:
        """Sum figures over the ratings of each annotator."""
        places = math.prod(self.annotator.shape)
        return self.chunks.sums(jnp.reshape(figures, (places, *figures.shape[2:])), annotators)


def chunked(data: Data) -> Data:
    """Listed data with the order in which a device adds them up; other data as they are."""
    if isinstance(data, ListedVotes):
        return ChunkedVotes(data, Chunks.of(_flat(data.cell)))
    if isinstance(data, ListedMasses):
        return ChunkedMasses(*data, Chunks.of(_flat(data.annotator)))
    return data


def _flat(index: Array) -> Integers:
    flat: Integers = np.asarray(index).reshape(-1)
    return flat
