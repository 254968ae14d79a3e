"""Listed votes and masses as devices add them up: by annotator, without a race for one sum.

A device that adds thousands of numbers to one sum at the same time adds them one after the other.
So the places are put in the order of the sums that they enter, and cut into chunks of one sum each;
chunks are summed side by side, and then chunks of chunks, until one is left of each sum. Nothing is
added at the same time, and digits are the same in every run.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from iaa_jax.engine.padding import bucket, in_chunks
from iaa_jax.engine.problem import Integers
from iaa_jax.kernels.labelling.masses import ListedMasses
from iaa_jax.kernels.labelling.method import Data
from iaa_jax.kernels.labelling.votes import ListedPairs, ListedVotes
from iaa_jax.kernels.namespace import Array

CHUNK = 32
"""Places of a chunk."""

_NONE = 2**31 - 1
"""A place that is behind all others."""


class Chunks(NamedTuple):
    """Places in the order of the sums that they enter, by chunks, and chunks by chunks of these."""

    levels: tuple[Array, ...]  # (chunk, within) each of what the level before has; behind it: none
    last: Array  # (sum,) the one chunk of each sum that is left; behind them: none

    @classmethod
    def of(cls, index: Integers) -> Chunks:
        """From the sum that each place enters."""
        levels = []
        while True:
            chunk, within, chunks = in_chunks(index, CHUNK)
            number = int(chunks.sum())
            level = np.full((bucket(number), CHUNK), _NONE, dtype=np.int32)
            level[chunk, within] = np.arange(len(index))
            levels.append(level)
            index = np.repeat(np.arange(len(chunks)), chunks)
            if chunks.max(initial=0) <= 1:
                break
        last = np.full(bucket(len(chunks)), _NONE, dtype=np.int32)
        last[index] = np.arange(number)
        return cls(tuple(levels), last)

    def sums(self, values: Array, size: int) -> jax.Array:
        """Sum values (place, ...) by the sum that their places enter: (size, ...)."""
        sums = jnp.asarray(values)
        for level in self.levels:
            each = jnp.take(sums, level, axis=0, mode="fill", fill_value=0)
            sums = jnp.sum(each, axis=1)
        missing = max(0, size - len(self.last))
        last = jnp.pad(jnp.asarray(self.last), (0, missing), constant_values=_NONE)[:size]
        return jnp.take(sums, last, axis=0, mode="fill", fill_value=0)


class ChunkedPairs(NamedTuple):
    """Whose each vote of an item is, likewise."""

    listed: ListedPairs
    chunks: Chunks  # by annotator and label
    labels: int

    def each(self, values: Array) -> Array:
        """Values of the annotator in each place."""
        return self.listed.each(values)

    def by_item(self, values: Array) -> Array:
        """Sum values over the votes of each item."""
        return self.listed.by_item(values)

    def by_annotator(self, values: Array, annotators: int) -> Array:
        """Sum values over the votes of each annotator."""
        values = jnp.reshape(self.listed.share * values, (-1,))
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

    def totals(self, values: Array, annotators: int, labels: int) -> Array:
        """Sum values over the votes of each annotator."""
        shape = values.shape[1:]
        share = jnp.reshape(self.listed.share, (*self.listed.share.shape, *(1,) * len(shape)))
        values = share * values[:, None, ...]
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

    def at_ratings(self, values: Array) -> Array:
        """Figures of annotators at the places of their ratings."""
        return ListedMasses(self.mass, self.rated, self.annotator).at_ratings(values)

    def totals(self, values: Array, annotators: int) -> Array:
        """Sum values over the ratings of each annotator."""
        places = math.prod(self.annotator.shape)
        return self.chunks.sums(jnp.reshape(values, (places, *values.shape[2:])), annotators)


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
