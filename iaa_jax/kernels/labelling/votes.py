"""Votes: how often each annotator gave each item each label, as the products that methods need.

With n_ial the votes of annotator a for label l on item i (a whole one, a share of it, or several),
every method that does not look at single ratings stands on two products:

    scores_it = sum_al n_ial table_alt          totals_alt = sum_i n_ial figures_it

Few annotators stand side by side (`DenseVotes`); of a crowd only the votes that were given
(`ListedVotes`). Other forms with the same three methods do as well.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol

from iaa_jax.kernels.namespace import Array, namespace, segment_sum


class Votes(Protocol):
    """What a method needs of votes."""

    def scores(self, table: Array) -> Array:
        """Sum a table (annotator, label, ...) over the votes of each item: (item, ...)."""

    def totals(self, figures: Array, annotators: int, labels: int) -> Array:
        """Sum figures (item, ...) over the votes of each annotator: (annotator, label, ...)."""


class DenseVotes(NamedTuple):
    """The votes themselves, 0 where there are none."""

    counts: Array  # (item, annotator, label)

    def scores(self, table: Array) -> Array:
        """Sum a table over the votes of each item."""
        items, annotators, labels = self.counts.shape
        xp = namespace(self.counts, table)
        flat = xp.reshape(self.counts, (items, annotators * labels))
        cells = xp.reshape(table, (annotators * labels, math.prod(table.shape[2:])))
        return xp.reshape(flat @ cells, (items, *table.shape[2:]))

    def totals(self, figures: Array, annotators: int, labels: int) -> Array:
        """Sum figures over the votes of each annotator."""
        xp = namespace(self.counts, figures)
        flat = xp.reshape(self.counts, (self.counts.shape[0], annotators * labels))
        of_items = xp.reshape(figures, (figures.shape[0], math.prod(figures.shape[1:])))
        return xp.reshape(flat.T @ of_items, (annotators, labels, *figures.shape[1:]))


class ListedVotes(NamedTuple):
    """The votes that each item got, one after the other."""

    cell: Array  # (item, vote) annotator times the number of labels, plus the label
    share: Array  # (item, vote) how much of a vote it is; 0 in an empty place

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
