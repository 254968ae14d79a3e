"""Shuffled ratings as weights: how many items show each pattern, permutation by permutation.

Few labels of few annotators make few patterns. Shuffled ratings are then rows of weights on these,
as replicates are, and all coefficients share them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.drawing.permutations import shuffles
from iaa_jax.engine.problem import Floats, Integers, PatternTable, Problem


class ShuffledPatterns:
    """The patterns that ratings may show when each annotator's are shuffled.

    ``problems`` are on one table, with the same places rated; ``cell`` (item, annotator) are these
    places in the order in which they are drawn, in ``groups`` by annotator, and ``source`` is whose
    rating stands there, numbered row by row in the data. A pattern is a number with a digit for
    each annotator, one of them for "not rated" where there are gaps.
    """

    def __init__(
        self,
        problems: Sequence[Problem],
        cell: Integers,
        source: Integers,
        groups: Sequence[Integers],
    ) -> None:
        self.problems, self._groups = problems, groups
        patterns, columns = problems[0].data.shape[:2]
        self._item, column = np.divmod(cell, columns)
        self._items = int(self._item.max(initial=-1)) + 1
        # what several problems on the same ratings have is taken once
        data = {id(each.ratings): each.data for each in problems}
        flat = [each.reshape(patterns * columns, -1) for each in data.values()]
        ratings = np.concatenate(flat, axis=1)
        widths = np.cumsum([each.shape[1] for each in flat])[:-1]
        digit = np.zeros(len(cell), dtype=np.intp)
        self._of_digit: list[Floats] = [np.full((1, ratings.shape[1]), np.nan)] * columns
        for group in groups:
            distinct, place = np.unique(ratings[source[group]], axis=0, return_inverse=True)
            of = int(column[group[0]])
            gaps = int(len(group) < self._items)
            digit[group] = place.reshape(-1) + gaps
            self._of_digit[of] = np.concatenate([self._of_digit[of][:gaps], distinct])
        self._parts = dict(zip(data, np.split(np.arange(ratings.shape[1]), widths), strict=True))
        self._sizes = [len(each) for each in self._of_digit]
        self.few = prod(self._sizes) <= thresholds.SHUFFLED_PATTERNS
        if self.few:
            self._part = digit * np.cumprod([1, *self._sizes[:-1]])[column]

    def rows(self, permutations: int, seed: int) -> Floats:
        """How many items show each pattern (permutation, pattern)."""
        several = prod(self._sizes)
        rows = np.empty((permutations, several))
        places = [self._item[group] for group in self._groups]
        for row, drawn in enumerate(shuffles(self._part, self._groups, permutations, seed)):
            shown = np.zeros(self._items, dtype=np.intp)
            start = 0
            for place in places:
                shown[place] += drawn[start : start + len(place)]
                start += len(place)
            rows[row] = np.bincount(shown, minlength=several)
        return rows

    def on(self, patterns: Integers) -> list[Problem]:
        """The same coefficients on these patterns, each shown once."""
        digits = np.unravel_index(patterns, self._sizes[::-1])[::-1]
        columns = [each[digit] for each, digit in zip(self._of_digit, digits, strict=True)]
        laid_out = np.stack(columns, axis=1)
        table = PatternTable(np.ones(len(patterns)))
        data = {
            id(each.ratings): laid_out[..., self._parts[id(each.ratings)]].reshape(
                len(patterns), *each.data.shape[1:]
            )
            for each in self.problems
        }
        return [
            replace(each, table=table, ratings=data[id(each.ratings)]) for each in self.problems
        ]
