"""Shuffled ratings as weights: the count of each pattern, permutation by permutation.

A pattern is a combination of ratings, kept once for all items that have it. Few labels by few
annotators make few patterns. A permutation is then a row of weights, one for each pattern, like a
bootstrap replicate. If there are many items, they need not be shuffled one by one. Items that
earlier annotators labelled alike form a group. How many items of each group get each label of the
next annotator is a random table with given margins, drawn from hypergeometric distributions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.drawing.permutations import random_tables, shuffled_in_blocks
from iaa_jax.engine.drawing.streams import Purpose, streams_of
from iaa_jax.engine.problem import Floats, Integers, Problem

TABLE_NUMBER = 16
"""The number of ratings that can be shuffled in the time to draw one number of a random table."""

MOST_ITEMS = 10**9
"""NumPy draws hypergeometric numbers only for fewer items than this."""

TABLES = 256
"""The number of permutations whose tables are drawn together, with one stream per annotator."""


class ShuffledPatterns:
    """The patterns that items may show after each annotator's ratings are shuffled.

    ``codes`` (pattern, annotator) identify ratings, -1 for a missing rating; ``count`` (pattern,)
    has whole numbers of items. If columns are not annotators (``by_annotator`` is false), patterns
    are not counted. Otherwise, ``in_turn`` is the order in which the annotators' ratings are
    shuffled.
    """

    def __init__(
        self,
        codes: Integers,
        count: Floats,
        *,
        by_annotator: bool,
        in_turn: Integers | None = None,
    ) -> None:
        self._count = count.astype(np.intp)
        self._place = np.arange(codes.shape[1])
        if by_annotator and in_turn is not None:
            codes, self._place = codes[:, in_turn], np.argsort(in_turn)
        self._rated = codes >= 0
        shown = self._count > 0
        digits = np.zeros(codes.shape, dtype=np.intp)
        # for each annotator, the index of a pattern with each of the annotator's codes
        self._patterns: list[Integers] = []
        for column, own in enumerate(codes.T):
            distinct, first = np.unique(own[shown], return_index=True)
            digits[shown, column] = np.searchsorted(distinct, own[shown])
            self._patterns.append(np.flatnonzero(shown)[first])
        self._sizes = [len(each) for each in self._patterns]
        self._several = prod(self._sizes)
        self.few = by_annotator and 0 < self._several <= thresholds.SHUFFLED_PATTERNS
        self._strides = np.cumprod([1, *self._sizes[:-1]]) if self.few else np.ones(0)
        self._digits = digits
        self.ratings = float(count @ self._rated.sum(axis=1))

    @cached_property
    def _panels(self) -> tuple[NDArray[np.bool_], Integers]:
        """The sets of annotators who rate an item (panel, annotator), and the items per set."""
        shown = self._count > 0
        panels, panel_of = np.unique(self._rated[shown], axis=0, return_inverse=True)
        items = np.bincount(panel_of.reshape(-1), weights=self._count[shown])
        return panels, items.astype(np.int64)

    @cached_property
    def numbers(self) -> float:
        """The cost of a permutation, as a number of shuffled ratings."""
        if not self.few or self._count.sum() >= MOST_ITEMS:
            return self.ratings
        return min(self.ratings, TABLE_NUMBER * self._numbers_of_tables())

    def _numbers_of_tables(self) -> float:
        groups, _ = self._panels
        cells, drawn = np.ones(len(groups)), 0.0
        for column, rated in enumerate(groups.T):
            labels = self._sizes[column] - int(not rated.all())
            drawn += max(cells[rated].sum() - 1, 0) * (labels - 1)
            cells[rated] *= labels
        return drawn

    def rows(self, permutations: int, seed: int) -> Floats:
        """Return the count of each pattern (permutation, pattern)."""
        if self.numbers < self.ratings:
            blocks = (self._by_tables(seed, block) for block in range(-(-permutations // TABLES)))
            return np.concatenate([*blocks])[:permutations]
        return self._by_items(permutations, seed)

    def _by_items(self, permutations: int, seed: int) -> Floats:
        pattern = np.repeat(np.arange(len(self._count)), self._count)
        parts = (self._digits * self._strides)[pattern]
        places = [np.flatnonzero(rated) for rated in self._rated[pattern].T]
        values = [own[place] for own, place in zip(parts.T, places, strict=True)]
        rows = np.empty((permutations, self._several))
        done = 0
        for drawn in shuffled_in_blocks(values, permutations, seed):
            several = len(drawn[0])
            shown = np.zeros((several, len(pattern)), dtype=np.intp)
            for place, own in zip(places, drawn, strict=True):
                shown[:, place] += own
            shown += self._several * np.arange(several)[:, None]
            counted = np.bincount(shown.reshape(-1), minlength=several * self._several)
            rows[done : done + several] = counted.reshape(several, -1)
            done += several
        return rows

    def _by_tables(self, seed: int, block: int) -> Floats:
        stream = streams_of(seed, Purpose.PERMUTED_RATINGS, block)
        groups, items = self._panels
        count = np.broadcast_to(items, (TABLES, len(items)))
        group, pattern = np.arange(len(groups)), np.zeros(len(groups), dtype=np.intp)
        for column, (size, stride) in enumerate(zip(self._sizes, self._strides, strict=True)):
            given = np.bincount(self._digits[:, column], weights=self._count, minlength=size)
            gaps = int(not groups[:, column].all())
            labels = np.arange(gaps, size)
            rated = groups[group, column]
            if not len(labels):
                continue
            drawn = random_tables(stream(column), count[:, rated], given[gaps:].astype(np.int64))
            count = np.concatenate([count[:, ~rated], drawn.reshape(TABLES, -1)], axis=1)
            group = np.concatenate([group[~rated], np.repeat(group[rated], len(labels))])
            further = np.add.outer(pattern[rated], labels * stride).reshape(-1)
            pattern = np.concatenate([pattern[~rated], further])
        rows = np.zeros((TABLES, self._several))
        rows[:, pattern] = count
        return rows

    def on(self, problems: Sequence[Problem], patterns: Integers) -> list[Problem]:
        """Return the problems on a table of these patterns, each pattern with count 1."""
        digits = np.unravel_index(patterns, self._sizes[::-1])[::-1]
        source = [own[digit] for own, digit in zip(self._patterns, digits, strict=True)]
        table = problems[0].table.other(np.ones(len(patterns)))
        # problems that share ratings must also share the new ones, so that statistics are computed
        # once
        data = {
            id(each.ratings): np.stack(
                [each.data[source[place], column] for column, place in enumerate(self._place)],
                axis=1,
            )
            for each in problems
        }
        return [replace(each, table=table, ratings=data[id(each.ratings)]) for each in problems]
