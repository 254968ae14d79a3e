"""Ratings of a crowd, listed item by item, with sums by annotator that are fast on devices.

A crowd has many annotators, and few of them rate each item. A rating is a vote (for one label) or a
mass (a distribution over the labels). A device adds the numbers of one sum one by one. Here the
numbers are sorted by the sum to which they belong, and cut into chunks. Chunks are summed in
parallel, then chunks of chunks, until each sum has a single chunk. The order is fixed, so results
always have the same digits.
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
"""The maximum number of numbers in a chunk."""

_NONE = 2**31 - 1
"""An index after all numbers, for padding."""


class Chunks(NamedTuple):
    """For each sum, the chunks of its numbers, the chunks of these chunks, and so on."""

    levels: tuple[Array, ...]  # (chunk, within) indices of numbers, then of chunks, and so on
    last: Array  # (sum,) the chunk of each sum in the last level

    @classmethod
    def of(cls, index: Integers) -> Chunks:
        """Return the chunks, given the index of the sum to which each number belongs."""
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
        """Return ``size`` sums (sum, ...) of values (number, ...)."""
        sums = jnp.asarray(values)
        for level in self.levels:
            each = jnp.take(sums, level, axis=0, mode="fill", fill_value=0)
            sums = jnp.sum(each, axis=1)
        missing = max(0, size - len(self.last))
        last = jnp.pad(jnp.asarray(self.last), (0, missing), constant_values=_NONE)[:size]
        return jnp.take(sums, last, axis=0, mode="fill", fill_value=0)


class ChunkedPairs(NamedTuple):
    """The votes of each item, one by one, and chunks for sums by annotator."""

    listed: ListedPairs
    chunks: Chunks  # sums by annotator and label
    labels: int

    def each(self, values: Array) -> Array:
        """Return the value of each vote's annotator."""
        return self.listed.each(values)

    def by_item(self, values: Array) -> Array:
        """Return sums of values over the votes of each item."""
        return self.listed.by_item(values)

    def by_annotator(self, values: Array, annotators: int) -> Array:
        """Sum values over the votes of each annotator."""
        values = jnp.reshape(self.listed.share * values, (-1,))
        sums = self.chunks.sums(values, annotators * self.labels)
        return jnp.sum(jnp.reshape(sums, (annotators, self.labels)), axis=1)


class ChunkedVotes(NamedTuple):
    """Votes listed item by item, and chunks for their sums."""

    listed: ListedVotes
    chunks: Chunks  # sums by annotator and label

    @property
    def known(self) -> Array | None:
        """The labels of items whose true label is known in advance (control items), if any."""
        return self.listed.known

    def scores(self, table: Array) -> Array:
        """Sum a table (annotator, label, ...) over the votes of each item."""
        return self.listed.scores(table)

    def products(self, logs: Array) -> None:
        """Return None: a device computes ``exp(scores(logs))`` as fast without this shortcut."""

    def totals(self, values: Array, annotators: int, labels: int) -> Array:
        """Sum values over the votes of each annotator for each label."""
        shape = values.shape[1:]
        share = jnp.reshape(self.listed.share, (*self.listed.share.shape, *(1,) * len(shape)))
        values = share * values[:, None, ...]
        sums = self.chunks.sums(
            jnp.reshape(values, (math.prod(self.listed.cell.shape), *shape)), annotators * labels
        )
        return jnp.reshape(sums, (annotators, labels, *shape))

    def pairs(self, labels: int) -> ChunkedPairs:
        """Return the votes of each item; several votes of one annotator stay separate."""
        return ChunkedPairs(self.listed.pairs(labels), self.chunks, labels)


class ChunkedMasses(NamedTuple):
    """Masses listed item by item, and chunks for their sums by annotator."""

    mass: Array
    rated: Array
    annotator: Array
    chunks: Chunks  # by annotator

    def at_ratings(self, values: Array) -> Array:
        """Return the value of each rating's annotator."""
        return ListedMasses(self.mass, self.rated, self.annotator).at_ratings(values)

    def totals(self, values: Array, annotators: int) -> Array:
        """Sum values over the ratings of each annotator."""
        places = math.prod(self.annotator.shape)
        return self.chunks.sums(jnp.reshape(values, (places, *values.shape[2:])), annotators)


def chunked(data: Data) -> Data:
    """Return listed votes or masses with chunks for a device, and other data unchanged."""
    if isinstance(data, ListedVotes):
        return ChunkedVotes(data, Chunks.of(_flat(data.cell)))
    if isinstance(data, ListedMasses):
        return ChunkedMasses(*data, Chunks.of(_flat(data.annotator)))
    return data


def _flat(index: Array) -> Integers:
    flat: Integers = np.asarray(index).reshape(-1)
    return flat
