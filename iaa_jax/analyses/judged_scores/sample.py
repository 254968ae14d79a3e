"""The items that judges rated, people's ratings of some of them, and the units of sampling."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from iaa_jax._types import Floats, Integers
from iaa_jax.measure.ratings.rated import Rated


class JudgedItems(NamedTuple):
    """The judged items, and the ratings that people gave to some of them.

    Attributes
    ----------
    judged : array (item,)
        The indices of the judged items among all items.
    pattern_of : array (item,)
        The index of each item's pattern. Items with the same ratings by the judges, and by the
        annotators who get a score, form a pattern.
    patterns : array (pattern, column)
        The codes of the ratings of each pattern.
    weight : array (item,)
        The number of items that each item represents.
    rated : array (rated,)
        The indices of the items that people rated, among the judged items.
    item, person, code : array (rating,)
        People's ratings; ``item`` is an index among the rated items.
    """

    judged: Integers
    pattern_of: Integers
    patterns: Integers
    weight: Floats
    rated: Integers
    item: Integers
    person: Integers
    code: Integers

    @property
    def panel(self) -> Floats:
        """The number of people who rated each rated item."""
        return np.asarray(np.bincount(self.item, minlength=len(self.rated)), dtype=np.float64)

    @property
    def rated_weight(self) -> Floats:
        """The weight of each rated item."""
        return np.asarray(self.weight[self.rated])


def sample_of(ratings: Rated, columns: list[int], people: list[int]) -> JudgedItems:
    """Return the items with a rating by each annotator in ``columns``, and people's ratings."""
    row, _, annotator = ratings.codes.ratings()
    code = ratings.codes.codes[ratings.codes.codes >= 0]
    codes = np.full((ratings.items, len(columns)), -1, dtype=np.int64)
    for index, column in enumerate(columns):
        its = np.flatnonzero(annotator == column)[::-1]  # of several votes, the first counts
        codes[row[its], index] = code[its]
    weight = ratings.item_weight
    judged = np.flatnonzero((codes >= 0).all(axis=1) & (weight > 0))
    patterns, pattern_of = _distinct(codes[judged])
    index_of = np.full(ratings.items, -1)
    index_of[judged] = np.arange(len(judged))
    number = np.full(ratings.annotators, -1)
    number[people] = np.arange(len(people))
    theirs = (number[annotator] >= 0) & (index_of[row] >= 0)
    rated, item = np.unique(index_of[row[theirs]], return_inverse=True)
    person = number[annotator[theirs]]
    return JudgedItems(
        judged, pattern_of, patterns, weight[judged], rated, item, person, code[theirs]
    )


def _distinct(rows: Integers) -> tuple[Integers, Integers]:
    """Return the distinct rows, and the index of each row among them."""
    base = int(rows.max(initial=0)) + 1
    key = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:  # keys are renumbered after each column, so that they stay small
        key = np.unique(key * base + column, return_inverse=True)[1].ravel()
    _, first, index = np.unique(key, return_index=True, return_inverse=True)
    return rows[first], index.ravel()


class DrawnUnits:
    """Sampled units, which are items or clusters, and the rated and judged items in them.

    Units without a rated item are called other units. If units are items, other items with the same
    pattern are counted together.

    Attributes
    ----------
    count, other_count : array (unit,)
        The number of units that each entry stands for.
    design : array (rated,)
        The inverse of each rated item's probability of being rated.
    chance : array (unit,)
        The mean probability of being rated, over the rated items of each unit.
    """

    def __init__(self, sample: JudgedItems, probability: Floats, cluster: Integers | None) -> None:
        self.design = 1 / probability
        weight, shape = sample.weight, len(sample.patterns)
        rows = np.arange(len(sample.rated))
        if cluster is None:
            own = sample.pattern_of[sample.rated]
            unrated = weight.copy()
            unrated[sample.rated] = 0.0
            self.rated_unit: Integers = rows
            self.count: Floats = sample.rated_weight
            self.other_count = np.asarray(
                np.bincount(sample.pattern_of, unrated, shape), dtype=np.float64
            )
            self.judged = _matrix(np.ones(len(rows)), rows, own, (len(rows), shape))
            every = np.arange(shape)
            self.others = _matrix(np.ones(shape), every, every, (shape, shape))
            held: Floats = np.ones(len(rows))
        else:
            known, self.rated_unit = np.unique(cluster[sample.rated], return_inverse=True)
            unseen = np.setdiff1d(cluster, known)
            index_of = np.full(int(cluster.max()) + 1, -1)
            index_of[np.append(known, unseen)] = np.arange(len(known) + len(unseen))
            size = (len(known) + len(unseen), shape)
            judged = _matrix(weight, index_of[cluster], sample.pattern_of, size)
            self.judged, self.others = judged[: len(known)], judged[len(known) :]
            self.count = np.asarray(np.ones(len(known)))
            self.other_count = np.asarray(np.ones(len(unseen)))
            held = sample.rated_weight
        self._rated = _matrix(held, self.rated_unit, rows, (len(self.count), len(rows)))
        self.chance = self.sums(probability) / self.sums(np.ones(len(rows)))

    def sums(self, values: Floats) -> Floats:
        """Sum a value over the rated items of each unit."""
        return np.asarray(self._rated @ values)

    @cached_property
    def sizes(self) -> tuple[Floats, Floats]:
        """The number of judged items in each unit, and in each of the other units."""
        return np.asarray(self.judged.sum(axis=1)), np.asarray(self.others.sum(axis=1))

    @property
    def rated(self) -> float:
        """The number of units with a rated item."""
        return float(self.count.sum())

    @property
    def all(self) -> float:
        """The number of all units."""
        return self.rated + float(self.other_count.sum())


def _matrix(values: Floats, row: Integers, column: Integers, shape: tuple[int, int]) -> Any:
    return csr_array((values, (row, column)), shape=shape)
