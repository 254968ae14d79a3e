"""A long table of ratings, and how far each agrees with the other ratings of its item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats, Integers
from iaa_jax.data.marked.counts import pair_counts
from iaa_jax.data.marked.documents import Documents, Markings
from iaa_jax.measure.shared.versus_others import VersusOthers

Mask = NDArray[np.bool_]


class OthersOfItems(NamedTuple):
    """Codes of the other ratings of each rating's item: an entry for each rating and code."""

    rating: Integers
    code: Integers
    share: Floats  # share of the other ratings that have this code


class RatedPairs(NamedTuple):
    """Pairs of ratings of an item, by index, and their agreement (pair,)."""

    first: Integers
    second: Integers
    agreement: Floats


@dataclass(frozen=True, kw_only=True)
class LongRatings(VersusOthers):
    """A long table of ratings, with their codes.

    Attributes
    ----------
    code : array (rating,)
        The code of each rating; equal ratings have the same code.
    place : array (rating,)
        The index of each rating among all ratings as they were read.
    codes : int
        The number of codes.
    similarity : array (code, code) or None
        How far two codes agree; None if only equal codes agree.
    numbers : array (code,) or None
        The numbers that the codes stand for; the agreement of two is minus their squared distance.
    masses : array (code, label) or None
        The sets of labels that the codes stand for.
    markings : Markings or None
        The spans that the codes stand for.
    pairs : RatedPairs or None
        How far the two ratings of each pair agree, if this does not follow from their codes; NaN if
        undefined.
    moments : array or None
        The time of each rating that was read; NaN if unknown.
    are_labels : bool
        Whether codes are single labels.
    """

    code: Integers
    place: Integers
    codes: int
    similarity: Floats | None = None
    numbers: Floats | None = None
    masses: Floats | None = None
    markings: Markings | None = None
    pairs: RatedPairs | None = None
    moments: Floats | None = None
    are_labels: bool = False

    OF_RATINGS: ClassVar[tuple[str, ...]] = ("item", "annotator", "code", "place")

    @property
    def values(self) -> Floats:
        """The number of each rating; its code if there are no numbers."""
        return self.code.astype(np.float64) if self.numbers is None else self.numbers[self.code]

    @property
    def is_weighted(self) -> bool:
        """Whether ratings can agree in part."""
        return self.numbers is not None or (self.are_labels and self.similarity is not None)

    @cached_property
    def moment(self) -> Floats:
        """The time of each rating; NaN if unknown."""
        if self.moments is None:
            return np.full(len(self.item), np.nan)
        return np.asarray(self.moments[self.place])

    @cached_property
    def _cells(self) -> tuple[Integers, Integers]:
        _, cell, count = np.unique(
            self.item * self.codes + self.code, return_inverse=True, return_counts=True
        )
        return cell, count

    @cached_property
    def others(self) -> OthersOfItems:
        """Codes of the other ratings of each rating's item."""
        cell, count = self._cells
        first = np.unique(cell, return_index=True)[1]
        item_of_cell, code_of_cell = self.item[first], self.code[first]
        cells = np.bincount(item_of_cell, minlength=len(self.weight))
        start = np.cumsum(cells) - cells
        entries = np.where(self.size > 1, cells[self.item], 0)
        rating = np.repeat(np.arange(len(self.item)), entries)
        along = np.arange(len(rating)) - np.repeat(np.cumsum(entries) - entries, entries)
        entry = start[self.item[rating]] + along
        number = count[entry] - (entry == cell[rating])
        kept = number > 0
        rating, entry = rating[kept], entry[kept]
        return OthersOfItems(rating, code_of_cell[entry], number[kept] / (self.size[rating] - 1))

    @cached_property
    def agreement(self) -> Floats:
        """Mean agreement of each rating with the others of its item; NaN if there are none."""
        if self.pairs is not None:
            return self._agreement_from_pairs(self.pairs)
        if self.numbers is not None:
            x = self.numbers[self.code]
            squared_distance = (
                self.size * x**2 - 2 * x * self.summed_by_item(x) + self.summed_by_item(x**2)
            )
            return np.asarray(-squared_distance / self.others_there)
        if self.similarity is None:
            cell, count = self._cells
            return np.asarray((count[cell] - 1) / self.others_there)
        rating, code, share = self.others
        credit = share * self.similarity[self.code[rating], code]
        summed = np.bincount(rating, credit, len(self.item))
        return np.where(self.size > 1, summed, np.nan)

    def _agreement_from_pairs(self, pairs: RatedPairs) -> Floats:
        last = int(max(pairs.first.max(initial=-1), pairs.second.max(initial=-1), *self.place[-1:]))
        now = np.full(last + 1, -1)
        now[self.place] = np.arange(len(self.place))
        first, second = now[pairs.first], now[pairs.second]
        both = (first >= 0) & (second >= 0)
        ends = np.concatenate([first[both], second[both]])
        total = np.bincount(ends, np.tile(pairs.agreement[both], 2), len(self.item))
        return np.asarray(total / self.others_there)

    @cached_property
    def item_agreement(self) -> Floats:
        """Mean agreement of each item's pairs of ratings; NaN if there is no pair."""
        total = np.bincount(self.item, self.agreement, len(self.weight))
        number = np.bincount(self.item, minlength=len(self.weight))
        return np.where(number > 1, total / np.maximum(number, 1), np.nan)

    @cached_property
    def among_others(self) -> Floats:
        """Mean agreement of the other ratings with one another; NaN if there are fewer than two."""
        further = np.where(self.size > 2, self.size - 2.0, np.nan)
        return np.asarray((self.summed_by_item(self.agreement) - 2 * self.agreement) / further)

    @cached_property
    def shortfall(self) -> Floats:
        """How much less each rating agrees with the others than the others agree with one another.

        Its mean is 0 if annotators are exchangeable, however hard the items are.
        """
        return self.among_others - self.agreement

    def agreement_as(self, rows: Integers, codes: Integers) -> Floats:
        """Return the agreement of ``rows`` with the others if they had these codes."""
        wanted = np.full(len(self.item), -1)
        wanted[rows] = codes
        rating, code, share = self.others
        of_rows = wanted[rating] >= 0
        rating, code, share = rating[of_rows], code[of_rows], share[of_rows]
        equal = wanted[rating] == code
        credit = equal if self.similarity is None else self.similarity[wanted[rating], code]
        sums: Floats = np.bincount(rating, share * credit, len(self.item)).astype(np.float64)
        return sums[rows]

    def beside(self) -> Floats:
        """Return the sums of ``others.share`` by annotator, own code and others' code."""
        rating, code, share = self.others
        key = (self.annotator[rating] * self.codes + self.code[rating]) * self.codes + code
        shape = (self.annotators, self.codes, self.codes)
        total = np.bincount(key, share * self.times[rating], int(np.prod(shape)))
        return np.asarray(total, dtype=np.float64).reshape(shape)

    def recoded(
        self, rows: Integers, codes: Integers, numbers: Floats | None = None
    ) -> LongRatings:
        """Return the ratings with new codes in some rows; ``numbers`` are of additional codes."""
        code = self.code.copy()
        code[rows] = codes
        if numbers is None or self.numbers is None:
            return replace(self, code=code)
        every = np.concatenate([self.numbers, numbers])
        return replace(self, code=code, codes=len(every), numbers=every)

    def with_sets(self, rows: Integers, sets: Floats) -> LongRatings:
        """Return the ratings with new sets of labels (row, label) in some rows."""
        every = sets if self.masses is None else np.concatenate([self.masses, sets])
        code = self.code.copy()
        code[rows] = self.codes + np.arange(len(rows))
        masses, same = np.unique(every, axis=0, return_inverse=True)
        code, codes = same.reshape(-1)[code], len(masses)
        similarity = shared_of_sets(masses)
        return replace(self, code=code, codes=codes, masses=masses, similarity=similarity)

    def marked(self, code: Integers, markings: Markings) -> LongRatings:
        """Return the ratings with new markings (sets of spans), and the F1 of every two.

        F1 is computed for every two ratings of a document; it is 1 if both are without spans.
        """
        column = np.arange(len(self.item)) - np.searchsorted(self.item, self.item)
        grid = np.full((len(self.weight), int(column.max(initial=0)) + 1), -1)
        rating = grid.copy()
        grid[self.item, column], rating[self.item, column] = code, self.place
        counts = pair_counts(Documents(grid, markings))
        document = counts.pairs.document
        first = rating[document, counts.pairs.first_column]
        second = rating[document, counts.pairs.second_column]
        number = (counts.first + counts.second).sum(axis=1)
        shared = counts.matched.sum(axis=1)
        f1 = np.where(number > 0, 2 * shared / np.where(number > 0, number, 1.0), 1.0)
        pairs = RatedPairs(first, second, f1)
        return replace(self, code=code, codes=markings.number, markings=markings, pairs=pairs)

    def with_annotators_merged(self, groups: Sequence[tuple[int, ...]]) -> LongRatings:
        """Return the ratings with each group's ratings attributed to its first annotator."""
        whose = np.arange(self.annotators)
        for first, *further in groups:
            whose[further] = first
        return replace(self, annotator=whose[self.annotator])

    def without(self, rows: Integers) -> LongRatings:
        """Return the ratings without some rows."""
        return self.taken(~np.isin(np.arange(len(self.item)), rows))


def shared_of_sets(masses: Floats) -> Floats:
    """Return the Jaccard similarity of every two sets of labels; 1 if both are empty."""
    both = np.minimum(masses[:, None], masses).sum(axis=2)
    either = np.maximum(masses[:, None], masses).sum(axis=2)
    return np.asarray(np.where(either > 0, both / np.where(either > 0, either, 1.0), 1.0))


def inflation(residual: Floats, times: Floats, units: Integers | None) -> float:
    """Return how much dependence within units (clusters) inflates a mean's variance: 1 or more."""
    if units is None or not (squares := float(times @ residual**2)) > 0:
        return 1.0
    return max(1.0, float((np.bincount(units, times * residual) ** 2).sum()) / squares)
