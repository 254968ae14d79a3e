"""Decompose items whose statistics are sums over pairs of ratings, or over single ratings.

A pattern is a set of items with the same ratings. There are often far fewer pairs of labels by two
annotators than patterns. Sums over items are then sums over these pairs (the parts of patterns),
weighted by their frequencies. Statistics that need the whole item do not depend on who gave which
rating. So one pattern represents all patterns in which other annotators gave its ratings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.padding import bucket
from iaa_jax.engine.problem import CodedRatings, Floats, Integers, PatternTable, Problem
from iaa_jax.kernels.sums import NamedSums

if TYPE_CHECKING:
    from scipy.sparse import csc_array

KINDS = ("pairs", "ratings", "whole")
"""The kinds of parts, in the order in which parts are numbered."""


class Split(NamedTuple):
    """A division of patterns into parts: by some annotators' labels, or by whole items.

    Attributes
    ----------
    keys : array (pattern,)
        A number for the part of each pattern.
    present : array (part,)
        The keys that stand for parts, sorted. A key with a missing rating stands for no part.
    codes : array (part, annotator)
        Each part, as an item with these ratings.
    """

    keys: Integers
    present: Integers
    codes: Integers


@dataclass(frozen=True, eq=False)
class KindOfParts:
    """All parts of one kind."""

    splits: tuple[Split, ...]

    @cached_property
    def codes(self) -> Integers:
        """Each part as an item (part, annotator)."""
        return np.concatenate([split.codes for split in self.splits])

    def occurrences(self, count: Floats) -> Floats:
        """Return how often each part occurs if ``count`` items show each pattern."""
        several = []
        for keys, present, _ in self.splits:
            size = int(present[-1]) + 1 if len(present) else 0
            several.append(np.bincount(keys, count, size).astype(np.float64)[present])
        return np.concatenate(several)

    def members(self) -> Iterator[tuple[Integers, Integers]]:
        """Yield the parts of each split, and the patterns that have them."""
        first = 0
        for keys, present, _ in self.splits:
            place = np.full(int(keys.max(initial=0)) + 1, -1)
            place[present] = np.arange(first, first + len(present))
            part = place[keys]
            patterns = np.flatnonzero(part >= 0)
            yield part[patterns], patterns
            first += len(present)


class Parts:
    """The parts of the patterns of one table."""

    def __init__(self, ratings: CodedRatings, table: PatternTable) -> None:
        self._codes, self._table = ratings.codes, table
        self._distinct = int(ratings.codes.max(initial=-1)) + 1

    @property
    def few(self) -> bool:
        """Whether there are few pairs of labels for the number of patterns, and few annotators."""
        patterns, annotators = self._codes.shape
        pairs = annotators * (annotators - 1) // 2
        return bool(2 * self._distinct**2 <= patterns and pairs * patterns <= thresholds.PART_KEYS)

    @cached_property
    def pairs(self) -> KindOfParts:
        """The pairs of labels by each pair of annotators."""
        return self._annotator_sets(2)

    @cached_property
    def ratings(self) -> KindOfParts:
        """The labels by each annotator."""
        return self._annotator_sets(1)

    @cached_property
    def whole(self) -> KindOfParts:
        """The items as unordered sets of ratings (`PatternTable.coarse`); empty if not given."""
        coarse, pattern_of = self._table.coarse, self._table.pattern_of
        if coarse is None or pattern_of is None:
            return KindOfParts(
                (Split(np.zeros(len(self._codes), int), np.empty(0, int), self._codes[:0]),)
            )
        some = np.empty(len(coarse.count), dtype=np.intp)
        some[pattern_of] = np.arange(len(pattern_of))
        return KindOfParts((Split(pattern_of, np.arange(len(some)), self._codes[some]),))

    def kind(self, name: str) -> KindOfParts:
        """Return the parts of one of `KINDS`."""
        parts: KindOfParts = getattr(self, name)
        return parts

    @cached_property
    def begin(self) -> dict[str, int]:
        """The index of the first part of each kind."""
        sizes = [len(self.kind(name).codes) for name in KINDS]
        return dict(zip(KINDS, np.cumsum([0, *sizes]).tolist(), strict=False))

    @property
    def number(self) -> int:
        """The number of parts."""
        return sum(len(self.kind(name).codes) for name in KINDS)

    @cached_property
    def matrix(self) -> csc_array:
        """A sparse matrix (part, pattern) with ones for each pattern's parts."""
        from scipy.sparse import csc_array

        rows, patterns = zip(*self._members(), strict=True)
        place = np.concatenate(rows), np.concatenate(patterns)
        ones = np.ones(len(place[0]), dtype=np.float32)
        return csc_array((ones, place), shape=(self.number, len(self._codes)))

    @cached_property
    def by_split(self) -> Integers:
        """The part of each pattern in each split (split, pattern), or a number past all parts."""
        none = bucket(self.number)
        splits = [*self._members()]
        by_split = np.full((len(splits), len(self._codes)), none, dtype=np.int32)
        for of_split, (part, patterns) in zip(by_split, splits, strict=True):
            of_split[patterns] = part
        return by_split

    def _members(self) -> Iterator[tuple[Integers, Integers]]:
        for name in KINDS:
            for part, patterns in self.kind(name).members():
                yield (part + self.begin[name]).astype(np.int32), patterns.astype(np.int32)

    def _annotator_sets(self, number: int) -> KindOfParts:
        base, annotators = self._distinct + 1, self._codes.shape[1]
        digits = np.ascontiguousarray(self._codes.T, dtype=np.intp) + 1  # 0 for a missing rating
        splits = []
        for some in combinations(range(annotators), number):
            keys = reduce(lambda key, digit: key * base + digit, digits[list(some)])
            occurring = np.flatnonzero(np.bincount(keys, minlength=base**number))
            labels = np.stack(np.unravel_index(occurring, (base,) * number), axis=1)
            rated = (labels > 0).all(axis=1)
            codes = np.full((int(rated.sum()), annotators), -1, dtype=np.intp)
            codes[:, some] = labels[rated] - 1
            narrow = np.min_scalar_type(base**number)
            splits.append(Split(keys.astype(narrow), occurring[rated], codes))
        return KindOfParts(tuple(splits))


class StatisticsOfKind(NamedTuple):
    """The statistics of all parts of a kind; only ``fields`` are used."""

    kind: str
    statistics: NamedSums
    fields: frozenset[str]


def statistics_of_parts(problem: Problem, parts: Parts) -> list[StatisticsOfKind] | None:
    """Return statistics of parts for a coefficient's sums; None if these need more than parts."""
    kernel, ratings = problem.kernel, problem.ratings
    if not (kernel.by_pair or kernel.by_rating) or not isinstance(ratings, CodedRatings):
        return None

    def statistics_for(kind: str, fields: frozenset[str]) -> StatisticsOfKind:
        data = ratings.lay_out(parts.kind(kind).codes)
        statistics = problem.statistics_of(data, problem.raters)
        return StatisticsOfKind(kind, statistics, fields)

    fields = {"pairs": frozenset(kernel.by_pair), "ratings": frozenset(kernel.by_rating)}
    several = [statistics_for(kind, names) for kind, names in fields.items() if names]
    whole = frozenset(several[0].statistics._fields).difference(*fields.values())
    if whole:
        if np.ptp(problem.weight) or not len(parts.whole.codes):
            return None
        several.append(statistics_for("whole", whole))
    return several
