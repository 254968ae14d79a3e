"""Votes (how often each annotator gave each label to each item), and sums over them.

Let n_ial be the votes of annotator a for label l on item i: one, a fraction, or several. Methods
that do not look at single ratings need only two products:

    scores_it = sum_al n_ial table_alt          totals_alt = sum_i n_ial figures_it

Other methods take votes one by one, as `VotePairs` of an item and an annotator.

`DenseVotes` have a column per annotator; `ListedVotes`, for crowds, list the votes of each item.
Any class with the same methods works too.

Control items, whose true label is known beforehand, have it in ``known`` (item, label): a one-hot
row, or zeros for other items. Models keep these labels fixed, and voting by skill takes skills from
these items.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol

from iaa_jax.kernels.namespace import Array, namespace, segment_sum


class Votes(Protocol):
    """The operations on votes that a method needs."""

    @property
    def known(self) -> Array | None:
        """The true labels of control items (item, label); None without control items."""

    def scores(self, table: Array) -> Array:
        """Sum a table (annotator, label, ...) over the votes of each item: (item, ...)."""

    def products(self, logs: Array) -> Array | None:
        """Return ``exp(scores(logs))`` if that is fast and exact, else None."""

    def totals(self, values: Array, annotators: int, labels: int) -> Array:
        """Sum values (item, ...) over the votes of each annotator: (annotator, label, ...)."""

    def pairs(self, labels: int) -> VotePairs:
        """Return the votes of each annotator on each item, whatever their label."""


class VotePairs(Protocol):
    """Pairs of an item and an annotator; values that depend on both are arrays (item, place)."""

    def each(self, values: Array) -> Array:
        """Return, for each place, the value of its annotator, from values (annotator,)."""

    def by_item(self, values: Array) -> Array:
        """Sum values over the votes of each item: (item,)."""

    def by_annotator(self, values: Array, annotators: int) -> Array:
        """Sum values over the votes of each annotator: (annotator,)."""


class DenseVotes(NamedTuple):
    """Votes with a column per annotator, 0 without a vote."""

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
        """Return None: exponentials of scores are as fast."""

    def totals(self, values: Array, annotators: int, labels: int) -> Array:
        """Sum values over the votes of each annotator."""
        xp = namespace(self.counts, values)
        flat = xp.reshape(self.counts, (self.counts.shape[0], annotators * labels))
        of_items = xp.reshape(values, (values.shape[0], math.prod(values.shape[1:])))
        return xp.reshape(flat.T @ of_items, (annotators, labels, *values.shape[1:]))

    def pairs(self, labels: int) -> DensePairs:
        """Return pairs with an annotator at each place."""
        return DensePairs(namespace(self.counts).sum(self.counts, axis=2))


class DensePairs(NamedTuple):
    """Pairs with an annotator at each place; ``votes`` counts the votes."""

    share: Array  # (item, annotator)

    def each(self, values: Array) -> Array:
        """Return values of the annotator at each place, equal for all items."""
        return values[None, :]

    def by_item(self, values: Array) -> Array:
        """Sum values over the votes of each item."""
        return namespace(self.share, values).sum(self.share * values, axis=1)

    def by_annotator(self, values: Array, annotators: int) -> Array:
        """Sum values over the votes of each annotator."""
        return namespace(self.share, values).sum(self.share * values, axis=0)


class ListedVotes(NamedTuple):
    """Votes listed item by item."""

    cell: Array  # (item, vote) annotator times the number of labels, plus the label
    share: Array  # (item, vote) the fraction of a vote; 0 in an empty place
    known: Array | None = None  # (item, label)

    def scores(self, table: Array) -> Array:
        """Sum a table over the votes of each item."""
        xp = namespace(self.share, table)
        shape = table.shape[2:]
        cells = xp.reshape(table, (math.prod(table.shape[:2]), *shape))
        total = None
        for place in range(self.cell.shape[1]):  # one by one, as one batch needs much memory
            share = xp.reshape(self.share[:, place], (-1, *(1,) * len(shape)))
            part = share * xp.take(cells, self.cell[:, place], axis=0)
            total = part if total is None else total + part
        return total

    def products(self, logs: Array) -> None:
        """Return None: exponentials of scores are as fast."""

    def totals(self, values: Array, annotators: int, labels: int) -> Array:
        """Sum values over the votes of each annotator."""
        xp = namespace(self.share, values)
        shape = values.shape[1:]
        share = xp.reshape(self.share, (*self.share.shape, *(1,) * len(shape)))
        votes = math.prod(self.cell.shape)
        values = xp.reshape(share * values[:, None, ...], (votes, *shape))
        index = xp.reshape(self.cell, (votes,))
        sums = segment_sum(xp, values, index, annotators * labels)
        return xp.reshape(sums, (annotators, labels, *shape))

    def pairs(self, labels: int) -> ListedPairs:
        """Return pairs with a vote at each place; several votes of one annotator stay separate."""
        return ListedPairs(self.cell // labels, self.share)


class ListedPairs(NamedTuple):
    """Pairs with a vote at each place."""

    annotator: Array  # (item, vote)
    share: Array  # (item, vote)

    def each(self, values: Array) -> Array:
        """Values of the annotator in each place."""
        xp = namespace(self.share, values)
        of_votes = xp.take(values, xp.reshape(self.annotator, (-1,)), axis=0)
        return xp.reshape(of_votes, self.annotator.shape)

    def by_item(self, values: Array) -> Array:
        """Sum values over the votes of each item."""
        return namespace(self.share, values).sum(self.share * values, axis=1)

    def by_annotator(self, values: Array, annotators: int) -> Array:
        """Sum values over the votes of each annotator."""
        xp = namespace(self.share, values)
        values = xp.reshape(self.share * values, (-1, 1))
        index = xp.reshape(self.annotator, (-1,))
        return segment_sum(xp, values, index, annotators)[:, 0]


def clamped(votes: Votes, probability: Array) -> Array:
    """Return label probabilities (item, label), certain for control items."""
    if votes.known is None:
        return probability
    xp = namespace(votes.known, probability)
    controlled = xp.sum(votes.known, axis=1, keepdims=True) > 0
    return xp.where(controlled, votes.known, probability)
