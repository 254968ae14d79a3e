"""Votes: how often each annotator gave each item each label, as the products that methods need.

With n_ial the votes of annotator a for label l on item i (a whole one, a share of it, or several),
every method that does not look at single ratings stands on two products:

    scores_it = sum_al n_ial table_alt          totals_alt = sum_i n_ial figures_it

One that does, takes them one by one as `VotePairs` of an item and an annotator.

Few annotators stand side by side (`DenseVotes`); of a crowd only the votes that were given
(`ListedVotes`). Other forms with the same parts do as well.

Items whose true label is known beforehand, control items, have it as ``known`` (item, label):
one-hot, and a row of zeros for an item that is none. Models hold them to it, and votes by skill
take the skill from them.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol

from iaa_jax.kernels.namespace import Array, namespace, segment_sum


class Votes(Protocol):
    """What a method needs of votes."""

    @property
    def known(self) -> Array | None:
        """The true labels of control items (item, label), None without any."""

    def scores(self, table: Array) -> Array:
        """Sum a table (annotator, label, ...) over the votes of each item: (item, ...)."""

    def products(self, logs: Array) -> Array | None:
        """``exp(scores(logs))``, where it is fast and nothing is lost; else None."""

    def totals(self, figures: Array, annotators: int, labels: int) -> Array:
        """Sum figures (item, ...) over the votes of each annotator: (annotator, label, ...)."""

    def pairs(self, labels: int) -> VotePairs:
        """The votes of each annotator on each item, whatever their label."""


class VotePairs(Protocol):
    """Items with the annotators that voted on them: figures (item, place) of both."""

    def each(self, values: Array) -> Array:
        """Values (annotator,) of the annotator in each place."""

    def by_item(self, figures: Array) -> Array:
        """Sum figures over the votes of each item: (item,)."""

    def by_annotator(self, figures: Array, annotators: int) -> Array:
        """Sum figures over the votes of each annotator: (annotator,)."""


class DenseVotes(NamedTuple):
    """The votes themselves, 0 where there are none."""

    counts: Array  # (item, annotator, label)
    known: Array | None = None  # (item, label)

    def scores(self, table: Array) -> Array:
        """Sum a table over the votes of each item."""
        items, annotators, labels = self.counts.shape
        xp = namespace(self.counts, table)
        flat = xp.reshape(self.counts, (items, annotators * labels))
        cells = xp.reshape(table, (annotators * labels, math.prod(table.shape[2:])))
        return xp.reshape(flat @ cells, (items, *table.shape[2:]))

    def products(self, logs: Array) -> None:
        """None: exponentials of scores are as fast."""

    def totals(self, figures: Array, annotators: int, labels: int) -> Array:
        """Sum figures over the votes of each annotator."""
        xp = namespace(self.counts, figures)
        flat = xp.reshape(self.counts, (self.counts.shape[0], annotators * labels))
        of_items = xp.reshape(figures, (figures.shape[0], math.prod(figures.shape[1:])))
        return xp.reshape(flat.T @ of_items, (annotators, labels, *figures.shape[1:]))

    def pairs(self, labels: int) -> DensePairs:
        """A place is an annotator."""
        return DensePairs(namespace(self.counts).sum(self.counts, axis=2))


class DensePairs(NamedTuple):
    """How many votes each annotator gave each item."""

    share: Array  # (item, annotator)

    def each(self, values: Array) -> Array:
        """Values of the annotator in each place, alike for all items."""
        return values[None, :]

    def by_item(self, figures: Array) -> Array:
        """Sum figures over the votes of each item."""
        return namespace(self.share, figures).sum(self.share * figures, axis=1)

    def by_annotator(self, figures: Array, annotators: int) -> Array:
        """Sum figures over the votes of each annotator."""
        return namespace(self.share, figures).sum(self.share * figures, axis=0)


class ListedVotes(NamedTuple):
    """The votes that each item got, one after the other."""

    cell: Array  # (item, vote) annotator times the number of labels, plus the label
    share: Array  # (item, vote) how much of a vote it is; 0 in an empty place
    known: Array | None = None  # (item, label)

    def scores(self, table: Array) -> Array:
        """Sum a table over the votes of each item."""
        xp = namespace(self.share, table)
        shape = table.shape[2:]
        cells = xp.reshape(table, (math.prod(table.shape[:2]), *shape))
        total = None
        for place in range(self.cell.shape[1]):  # one by one: all at once would be large
            share = xp.reshape(self.share[:, place], (-1, *(1,) * len(shape)))
            part = share * xp.take(cells, self.cell[:, place], axis=0)
            total = part if total is None else total + part
        return total

    def products(self, logs: Array) -> None:
        """None: exponentials of scores are as fast."""

    def totals(self, figures: Array, annotators: int, labels: int) -> Array:
        """Sum figures over the votes of each annotator."""
        xp = namespace(self.share, figures)
        shape = figures.shape[1:]
        share = xp.reshape(self.share, (*self.share.shape, *(1,) * len(shape)))
        votes = math.prod(self.cell.shape)
        values = xp.reshape(share * figures[:, None, ...], (votes, *shape))
        index = xp.reshape(self.cell, (votes,))
        sums = segment_sum(xp, values, index, annotators * labels)
        return xp.reshape(sums, (annotators, labels, *shape))

    def pairs(self, labels: int) -> ListedPairs:
        """A place is a vote; several of one annotator stay several."""
        return ListedPairs(self.cell // labels, self.share)


class ListedPairs(NamedTuple):
    """Whose each vote of an item is."""

    annotator: Array  # (item, vote)
    share: Array  # (item, vote)

    def each(self, values: Array) -> Array:
        """Values of the annotator in each place."""
        xp = namespace(self.share, values)
        of_votes = xp.take(values, xp.reshape(self.annotator, (-1,)), axis=0)
        return xp.reshape(of_votes, self.annotator.shape)

    def by_item(self, figures: Array) -> Array:
        """Sum figures over the votes of each item."""
        return namespace(self.share, figures).sum(self.share * figures, axis=1)

    def by_annotator(self, figures: Array, annotators: int) -> Array:
        """Sum figures over the votes of each annotator."""
        xp = namespace(self.share, figures)
        values = xp.reshape(self.share * figures, (-1, 1))
        index = xp.reshape(self.annotator, (-1,))
        return segment_sum(xp, values, index, annotators)[:, 0]


def clamped(votes: Votes, probability: Array) -> Array:
    """The probability of labels (item, label), certain for control items."""
    if votes.known is None:
        return probability
    xp = namespace(votes.known, probability)
    controlled = xp.sum(votes.known, axis=1, keepdims=True) > 0
    return xp.where(controlled, votes.known, probability)
