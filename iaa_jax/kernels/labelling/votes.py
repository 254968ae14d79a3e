"""Votes (how often each annotator gave each label to each item), and sums over them.

Let n_ial be the number of votes of annotator a for label l on item i, possibly a fraction, and let
t be a further index, such as a true label. Many methods need only two sums:

    scores_it = sum_al n_ial table_alt          totals_alt = sum_i n_ial values_it

Other methods take pairs of an item and an annotator, as `VotePairs`.

`DenseVotes` have a column for each annotator; `ListedVotes`, for crowds, have one for each vote of
an item.

Control items are items with a known true label. ``known`` (item, label) has a one-hot row for each
of them, and zeros for other items. Models keep these labels fixed. In methods that weight votes by
skill, the skill of annotators who rated control items comes from these items alone.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol

from iaa_jax.kernels.namespace import Array, namespace, segment_sum


class Votes(Protocol):
    """The operations on votes that a method needs."""

    @property
    def known(self) -> Array | None:
        """The true labels of control items (item, label); None if there are no control items."""

    def scores(self, table: Array) -> Array:
        """Sum a table (annotator, label, ...) over the votes of each item: (item, ...)."""

    def products(self, logs: Array) -> Array | None:
        """Return ``exp(scores(logs))``; None if that is no faster or there are control items."""

    def totals(self, values: Array, annotators: int, labels: int) -> Array:
        """Sum values (item, ...) over the votes of each annotator: (annotator, label, ...)."""

    def pairs(self, labels: int) -> VotePairs:
        """Return the votes of each annotator on each item, whatever the label."""


class VotePairs(Protocol):
    """Pairs of an item and an annotator; values that depend on both are arrays (item, column)."""

    def each(self, values: Array) -> Array:
        """Return the value of each column's annotator, from values (annotator,)."""

    def by_item(self, values: Array) -> Array:
        """Sum values over the votes of each item: (item,)."""

    def by_annotator(self, values: Array, annotators: int) -> Array:
        """Sum values over the votes of each annotator: (annotator,)."""


class DenseVotes(NamedTuple):
    """Votes with a column for each annotator, 0 without a vote."""

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
        """Return None, because exponentials of scores are as fast."""

    def totals(self, values: Array, annotators: int, labels: int) -> Array:
        """Sum values over the votes of each annotator."""
        xp = namespace(self.counts, values)
        flat = xp.reshape(self.counts, (self.counts.shape[0], annotators * labels))
        of_items = xp.reshape(values, (values.shape[0], math.prod(values.shape[1:])))
        return xp.reshape(flat.T @ of_items, (annotators, labels, *values.shape[1:]))

    def pairs(self, labels: int) -> DensePairs:
        """Return pairs with a column for each annotator."""
        return DensePairs(namespace(self.counts).sum(self.counts, axis=2))


class DensePairs(NamedTuple):
    """Pairs with a column for each annotator."""

    share: Array  # (item, annotator) number of votes

    def each(self, values: Array) -> Array:
        """Return the value of each column's annotator, which is the same for all items."""
        return values[None, :]

    def by_item(self, values: Array) -> Array:
        """Sum values over the votes of each item."""
        return namespace(self.share, values).sum(self.share * values, axis=1)

    def by_annotator(self, values: Array, annotators: int) -> Array:
        """Sum values over the votes of each annotator."""
        return namespace(self.share, values).sum(self.share * values, axis=0)


class ListedVotes(NamedTuple):
    """Votes with a column for each vote of an item."""

    cell: Array  # (item, vote) annotator times the number of labels, plus the label
    share: Array  # (item, vote) the fraction of a vote; 0 in an empty column
    known: Array | None = None  # (item, label)

    def scores(self, table: Array) -> Array:
        """Sum a table over the votes of each item."""
        xp = namespace(self.share, table)
        shape = table.shape[2:]
        cells = xp.reshape(table, (math.prod(table.shape[:2]), *shape))
        total = None
        for column in range(self.cell.shape[1]):  # one batch would need much memory
            share = xp.reshape(self.share[:, column], (-1, *(1,) * len(shape)))
            part = share * xp.take(cells, self.cell[:, column], axis=0)
            total = part if total is None else total + part
        return total

    def products(self, logs: Array) -> None:
        """Return None, because exponentials of scores are as fast."""

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
        """Return pairs with a column for each vote, also if one annotator has several votes."""
        return ListedPairs(self.cell // labels, self.share)


class ListedPairs(NamedTuple):
    """Pairs with a column for each vote."""

    annotator: Array  # (item, vote)
    share: Array  # (item, vote)

    def each(self, values: Array) -> Array:
        """Return the value of each vote's annotator."""
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
    """Return label probabilities (item, label), with the known labels of control items."""
    if votes.known is None:
        return probability
    xp = namespace(votes.known, probability)
    controlled = xp.sum(votes.known, axis=1, keepdims=True) > 0
    return xp.where(controlled, votes.known, probability)
