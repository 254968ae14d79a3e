"""Count the labels that annotators give, the gold labels of what they rated, and the right ones."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.judge.gold_labels import GoldLabels
from iaa_jax.data.patterns import Patterns
from iaa_jax.engine.drawing import Purpose, stream
from iaa_jax.engine.rows import Progress, tell
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.labels import label_shares

CELLS = 1 << 26
"""Maximum number of counts by label, or of cells of confusion tables, over all replicates."""


class Counts(NamedTuple):
    """Numbers of items (..., annotator, label), as sums of weights.

    ``right`` counts the items that have the label and were given it, ``gold`` those that have it,
    and ``given`` those that were given it.
    """

    right: Floats
    gold: Floats
    given: Floats

    @classmethod
    def of(cls, tables: Floats) -> Counts:
        """Sum confusion tables (..., annotator, gold label, label)."""
        right = np.diagonal(tables, axis1=-2, axis2=-1)
        return cls(right, tables.sum(axis=-1), tables.sum(axis=-2))

    @property
    def over_labels(self) -> Counts:
        """The sums over labels (..., annotator, 1), from which accuracy is computed."""
        return Counts(*(count.sum(axis=-1, keepdims=True) for count in self))

    @property
    def no_rows(self) -> Counts:
        """Counts of no replicates, with these annotators and labels."""
        return Counts(*(count[None][:0] for count in self))

    def like(self, counts: Counts) -> Counts:
        """Return these counts of replicates, or none of them if they were summed over labels."""
        return self if self.right.shape[-1] == counts.right.shape[-1] else counts.no_rows


class CountsOfRatings(NamedTuple):
    """The counts of the data, or of replicates along a first axis.

    ``whole`` counts whole ratings, where each label set is a label of its own. ``by_label`` counts
    single labels. ``tables`` (..., annotator, gold label, label) are confusion tables, if any.
    """

    whole: Counts
    by_label: Counts
    tables: Floats | None = None

    @classmethod
    def of(cls, tables: Floats) -> CountsOfRatings:
        """Take all counts from confusion tables."""
        counts = Counts.of(tables)
        return cls(counts, counts, tables)


@dataclass(frozen=True)
class LabelEntries:
    """A long table of ratings, with an entry for each label of a rating.

    Attributes
    ----------
    item, annotator, label, share : array (entry,)
        ``item`` is the index of a pattern (items with the same ratings and gold labels), and
        ``share`` the share of the label in the rating (1 for each label of a set).
    annotators, labels : int
        Numbers of annotators and labels.
    """

    item: Integers
    annotator: Integers
    label: Integers
    share: Floats
    annotators: int
    labels: int

    def tables(self, gold: Integers, weight: Floats) -> Floats:
        """Return confusion tables (annotator, gold label, label).

        ``gold`` (pattern,) is the code of the gold label, and ``weight`` (pattern,) the number of
        items, 0 for those without a gold label.
        """
        row = self.annotator * self.labels + gold[self.item]
        cell = row * self.labels + self.label
        return self._sums(cell, self._items(weight), self.labels, self.labels)

    def expected_tables(self, gold: Floats, weight: Floats) -> Floats:
        """Return the expected tables for probabilities (pattern, label) of gold labels."""
        tables = np.zeros((self.annotators, self.labels, self.labels))
        for label, probability in enumerate(gold.T):
            tables += self.tables(np.full(len(gold), label), weight * probability)
        return tables

    def counts(self, gold: Integers, weight: Floats) -> Counts:
        """Return the sums of `tables`, without laying these out."""
        items, of_gold = self._items(weight), gold[self.item]
        return Counts(
            self._by_label(self.label, items * (of_gold == self.label)),
            self._by_label(of_gold, items),
            self._by_label(self.label, items),
        )

    def expected_counts(self, gold: Floats, weight: Floats) -> Counts:
        """Return the sums of `expected_tables`, without laying these out."""
        items, shape = self._items(weight), (self.annotators, len(weight))
        rated = csr_array((items, (self.annotator, self.item)), shape=shape)
        return Counts(
            self._by_label(self.label, items * gold[self.item, self.label]),
            rated @ gold,
            self._by_label(self.label, items),
        )

    def given(self, weight: Floats) -> Floats:
        """Return the number of items (annotator, label) that were given each label."""
        return self._by_label(self.label, self._items(weight))

    def _items(self, weight: Floats) -> Floats:
        return np.asarray(self.share * weight[self.item])

    def _by_label(self, label: Integers, items: Floats) -> Floats:
        return self._sums(self.annotator * self.labels + label, items, self.labels)

    def _sums(self, cell: Integers, items: Floats, *shape: int) -> Floats:
        shape = (self.annotators, *shape)
        sums = np.bincount(cell, items, minlength=math.prod(shape))
        return np.asarray(sums, dtype=np.float64).reshape(shape)


class RatingsWithGold(NamedTuple):
    """Ratings, and the code of the gold label of each pattern.

    If gold labels are not certain, ``probability`` (pattern, label) is given. For label sets, codes
    are those of sets, ``members`` (set, label) is 1 for each label of a set, and ``right`` has an
    entry for each label of a rating that the gold set has, too.
    """

    whole: LabelEntries
    gold: Integers
    probability: Floats | None = None
    members: Floats | None = None
    right: LabelEntries | None = None

    @property
    def unsure(self) -> Integers:
        """The patterns whose gold labels are not certain."""
        if self.probability is None:
            return np.zeros(0, dtype=np.intp)
        return np.flatnonzero(~np.isin(self.probability, (0.0, 1.0)).all(axis=1))

    def counted(self, weight: Floats, *, replicates: int = 1) -> CountsOfRatings:
        """Count the ratings of patterns; ``weight`` (pattern,) is their number of items.

        Tables of more than `CELLS` cells, in all ``replicates``, are not laid out.
        """
        whole, gold, probability = self[:3]
        if self.members is not None and self.right is not None:
            counts = whole.counts(gold, weight)
            right, members = self.right.given(weight), self.members
            return CountsOfRatings(
                counts, Counts(right, counts.gold @ members, counts.given @ members)
            )
        if replicates * whole.annotators * whole.labels**2 <= CELLS:
            return CountsOfRatings.of(
                whole.tables(gold, weight)
                if probability is None
                else whole.expected_tables(probability, weight)
            )
        counts = (
            whole.counts(gold, weight)
            if probability is None
            else whole.expected_counts(probability, weight)
        )
        return CountsOfRatings(counts, counts)

    def replicated(
        self, weights: Iterator[Floats], replicates: int, seed: int, progress: Progress | None
    ) -> CountsOfRatings:
        """Count the ratings of replicates; uncertain gold labels are drawn by their probabilities.

        If there are more than `CELLS` counts, they are summed over labels.
        """
        cells, unsure = replicates * self.whole.annotators, self.unsure
        kept: list[Floats] = []
        for number, weight in zip(range(replicates), weights, strict=False):
            drawn = self._drawn(unsure, weight, stream(seed, Purpose.GOLD_LABELS, number))
            counted = drawn.counted(weight, replicates=replicates)
            if counted.tables is not None:
                parts: tuple[Floats, ...] = (counted.tables,)
            else:
                of = (counted.whole,) if self.right is None else counted[:2]
                few = (
                    counts if cells * counts.right.shape[1] <= CELLS else counts.over_labels
                    for counts in of
                )
                parts = tuple(part for counts in few for part in counts)
            kept = kept or [np.zeros((replicates, *part.shape)) for part in parts]
            for rows, part in zip(kept, parts, strict=True):
                rows[number] = part
            tell(progress, number + 1, replicates)
        if len(kept) == 1:
            return CountsOfRatings.of(kept[0])
        return CountsOfRatings(Counts(*kept[:3]), Counts(*kept[-3:]))

    def _drawn(
        self, unsure: Integers, weight: Floats, random: np.random.Generator
    ) -> RatingsWithGold:
        """Draw the gold labels of a replicate that are not certain."""
        if self.probability is None:
            return self
        drawn = self.probability.copy()
        drawn[unsure] = _shares_drawn(random, weight[unsure], drawn[unsure])
        return self._replace(probability=drawn)


def _shares_drawn(random: np.random.Generator, weight: Floats, probability: Floats) -> Floats:
    """Return the shares of gold labels drawn for each pattern.

    One label is drawn for each item, or for each pattern if weights are fractional.
    """
    probability = probability / probability.sum(axis=1, keepdims=True)
    if not np.array_equal(weight, np.rint(weight)):
        return random.multinomial(1, probability).astype(np.float64)
    times = random.multinomial(weight.astype(np.int64), probability)
    return np.asarray(times / np.maximum(weight, 1.0)[:, None])


def with_gold(tables: Rated, patterns: Patterns, gold: GoldLabels) -> RatingsWithGold:
    """Lay out the ratings of patterns, and their gold labels."""
    item, slot = np.nonzero(patterns.codes >= 0)
    annotator = slot if patterns.annotator_of is None else patterns.annotator_of[item, slot]
    codes = patterns.codes[item, slot]
    shares = label_shares(tables, sets_as_labels=False)
    of_patterns = np.maximum(gold.codes[patterns.first], 0)  # unknown labels have no weight
    given = shares[codes]
    if gold.members is not None:
        given = given * gold.members[of_patterns[item]]
    rating, label = np.nonzero(given)
    entries = LabelEntries(
        item[rating],
        annotator[rating].astype(np.intp),
        label,
        given[rating, label],
        tables.annotators,
        shares.shape[1],
    )
    if gold.members is None:
        probability = gold.probability
        return RatingsWithGold(
            entries, of_patterns, None if probability is None else probability[patterns.first]
        )
    ones, sets = np.ones(len(codes)), len(gold.members)
    whole = LabelEntries(item, annotator.astype(np.intp), codes, ones, tables.annotators, sets)
    return RatingsWithGold(whole, of_patterns, None, gold.members, entries)
