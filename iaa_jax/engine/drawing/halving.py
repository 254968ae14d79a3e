"""Multinomial counts by halves: how a device draws them, many patterns at a time.

Why it is exact. Given the total of some patterns, the count of one half of them is binomial, with
the share that the half has; given the counts of both halves, these are multinomial again, and
independent (see `tables`). So the total of each group is halved until every pattern stands alone.
A range of patterns keeps its count where its first pattern stands: halving it leaves there the
count of the first half, and puts what remains where the second half begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax.engine.drawing.tables import roots_of
from iaa_jax.engine.padding import SMALLEST, bucket
from iaa_jax.engine.problem import Floats, Integers, PatternTable
from iaa_jax.kernels.namespace import Array

_STEPS = 8
"""Steps in which a level of the largest possible size is halved."""


class Halving(NamedTuple):
    """How totals are divided among the patterns of a table, in steps of one width.

    All sizes follow from the bucket of the table. What fills them up halves a place behind the
    last pattern, whose count is 0.

    Attributes
    ----------
    group : array (pattern + 1,)
        Of which group each place has the total at first; the one behind the last group is 0.
    first, second : arrays (step, range)
        Where the two halves of each range begin.
    share : array (step, range)
        The share of the first half.
    """

    group: Array
    first: Array
    second: Array
    share: Array

    @classmethod
    def of(cls, count: Floats, group: Integers, groups: int) -> Halving:
        """From the counts of a table and the group of each pattern."""
        patterns, end = len(count), bucket(len(count))
        order = np.argsort(group, kind="stable")
        starts = np.flatnonzero(np.diff(group[order], prepend=-1))
        size = np.diff(np.append(starts, patterns))
        within = np.arange(patterns) - np.repeat(starts, size)
        stop = np.repeat(starts + size, size)
        begins = np.full(end + 1, groups)
        begins[order[starts]] = group[order[starts]]

        width = width_of(end)
        steps = steps_of(end)
        first, second = np.full((2, steps * width), end)
        share = np.zeros(steps * width)
        before = np.append(0.0, np.cumsum(count[order]))
        step = 0
        for level in reversed(range((end - 1).bit_length())):
            half = 1 << level
            middle = np.flatnonzero(within % (2 * half) == half)
            here = slice(step * width, step * width + len(middle))
            left, last = middle - half, np.minimum(middle + half, stop[middle])
            first[here], second[here] = order[left], order[middle]
            both = before[last] - before[left]
            share[here] = (before[middle] - before[left]) / np.where(both > 0, both, 1.0)
            step += -(-len(middle) // width)
        shape = (steps, width)
        return cls(begins, first.reshape(shape), second.reshape(shape), share.reshape(shape))


def width_of(patterns: int) -> int:
    """Ranges that are halved at once, of a table filled up to so many patterns."""
    return max(SMALLEST, -(-patterns // (2 * _STEPS)))


def steps_of(patterns: int) -> int:
    """Steps that are enough for any groups of so many patterns.

    A level that halves ranges of 2 k patterns has at most ``patterns / k`` of them, and the last
    one half as many as there are patterns.
    """
    levels = (patterns - 1).bit_length()
    most = [patterns // max(2, 1 << level) for level in range(levels)]
    return sum(-(-ranges // width_of(patterns)) for ranges in most)


class Root(NamedTuple):
    """A table that refines no other: its draws, how many items they stand for, and its division."""

    draws: float
    items: float
    division: Halving


class Halvings(NamedTuple):
    """How several tables of the same ratings are drawn: roots, and what divides these further.

    Attributes
    ----------
    roots : tuple of Root
    divisions : tuple of Halving or None
        Of each table; None where it is a root.
    """

    roots: tuple[Root, ...]
    divisions: tuple[Halving | None, ...]

    @classmethod
    def of(cls, tables: Sequence[PatternTable]) -> Halvings:
        """The plan of a call; `roots_of` says which root is each table's."""
        of_roots = []
        for root in roots_of(tables)[0]:
            one_group = np.zeros(len(root.count), dtype=np.intp)
            draws = float(max(round(root.items), 1))
            of_roots.append(Root(draws, root.items, Halving.of(root.count, one_group, 1)))
        divisions = [
            None
            if table.coarse is None or table.pattern_of is None
            else Halving.of(table.count, table.pattern_of, len(table.coarse.count))
            for table in tables
        ]
        return cls(tuple(of_roots), tuple(divisions))

    @property
    def every(self) -> list[Halving]:
        """All divisions."""
        of_roots = [root.division for root in self.roots]
        return of_roots + [division for division in self.divisions if division is not None]


def key_words(seed: int) -> NDArray[np.unsignedinteger]:
    """The two words of a device's key, from a seed of any size."""
    return np.random.SeedSequence(seed).generate_state(2, np.uint32)
