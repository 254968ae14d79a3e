"""A coefficient on each of many groups, of items or of pairs of ratings: sums of its statistics."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Integers
from iaa_jax.engine import PatternTable, Problem
from iaa_jax.engine.flat import FlatStatistics, Layout, Sums, flat_statistics, read_back
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.namespace import Array, namespace
from iaa_jax.kernels.raters import Raters
from iaa_jax.measure.rated import Rated
from iaa_jax.measure.request import Request

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_CELLS = 1 << 27
"""Cells of data, over all pairs of ratings, beyond which they are not compared one by one."""


def figures_of_groups(problem: Problem, members: csr_array | None = None) -> Floats:
    """The coefficient on each group: (group,).

    ``members`` (group, pattern) is how often a group has each pattern; by default every pattern is
    a group of its own.
    """
    flat = flat_statistics(problem)
    dense = flat.dense if members is None else members @ flat.dense
    indexed = np.zeros((len(dense), 0))
    if flat.indexed is not None:
        by_pattern = flat.indexed.T.tocsr()
        indexed = (by_pattern if members is None else members @ by_pattern).toarray()
    rows, group = np.unique(np.hstack([dense, indexed]), axis=0, return_inverse=True)
    width = dense.shape[1]
    figures = [
        problem.of_sums(read_back(flat.layout, Sums(row[:width], row[width:], flat.fixed))).estimate
        for row in rows
    ]
    return np.array(figures, dtype=np.float64)[group.reshape(-1)]


@dataclass(frozen=True)
class SummedStatistics:
    """The statistics of data (item, column) that are statistics already; NaN where there is none.

    Equal layouts are equal functions, so that nothing is compiled anew.
    """

    layout: Layout

    def __call__(self, data: Array, *_: Raters | Array | None) -> tuple[Array, ...]:
        """As the columns say."""
        xp = namespace(data)
        filled = xp.where(xp.isnan(data), 0, data)
        parts = (
            xp.reshape(filled[:, part.start : part.stop], (-1, *part.shape))
            for part in self.layout.parts
        )
        statistics: tuple[Array, ...] = self.layout.kind(*parts)
        return statistics


@dataclass(frozen=True)
class RatingPairs:
    """A coefficient of spans on pairs of ratings of a document, each pair a document of its own.

    Attributes
    ----------
    request : Request
        The coefficient on all documents.
    tables : Rated
        Those of the ratings.
    pattern, first, second : array (pair,)
        The identified pattern of each pair, and its two annotators.
    """

    request: Request
    tables: Rated
    pattern: NDArray[np.intp]
    first: Integers
    second: Integers
    markings: tuple[Integers, Integers]

    @classmethod
    def of(cls, request: Request, tables: Rated) -> RatingPairs:
        """All pairs of ratings of the same document."""
        from iaa_jax.data.marked.documents import Documents

        codes = tables.compact_codes
        pairs = Documents(codes.codes, tables.spans.markings).pairs
        first: Integers = pairs.first_column
        second: Integers = pairs.second_column
        if codes.annotator_of is not None:
            first, second = (codes.annotator_of[pairs.document, each] for each in (first, second))
        marked = pairs.first, pairs.second
        return cls(request, tables, pairs.document, first, second, marked)

    @property
    def weight(self) -> Floats:
        """For how many documents each pair stands."""
        return self.tables.identified_table.count[self.pattern]

    @cached_property
    def problem(self) -> Problem:
        """The coefficient with a row for each pair."""
        problem = self.request.problem
        if len(self.pattern) * 8 * max(self.tables.label_count, 1) > _CELLS:
            message = (
                f"{len(self.pattern):,} pairs of annotators of a document are too many to compare "
                "one by one: keep some annotators"
            )
            raise IaaError(message)
        measure = replace(problem.measure, identified=False)
        data = self.tables.spans.data(measure, np.stack(self.markings, axis=1))
        return replace(
            problem,
            measure=measure,
            table=PatternTable(self.weight),
            ratings=data,
            annotator_weight=None,
            annotator_of=None,
            annotators=None,
        )

    @cached_property
    def flat(self) -> FlatStatistics:
        """The statistics of each pair."""
        return flat_statistics(self.problem)

    def of_annotator(self, annotator: int) -> Request:
        """The coefficient on the pairs of one annotator, document by document."""
        own = (self.first == annotator) | (self.second == annotator)
        patterns, dense = self.pattern[own], self.flat.dense[own]
        table = self.tables.identified_table
        data = np.full((len(table.count), dense.shape[1]), np.nan)
        data[patterns] = 0.0
        np.add.at(data, patterns, dense)
        problem = self.request.problem
        kernel = problem.kernel
        summed = Kernel(kernel.name, SummedStatistics(self.flat.layout), kernel.formula)
        measure = replace(problem.measure, kernel=replace(summed, options=kernel.options))
        return replace(
            self.request,
            problem=replace(
                self.problem, measure=replace(measure, identified=True), table=table, ratings=data
            ),
        )

    def of_each(self, annotators: int) -> Floats:
        """The coefficient on the pairs of each annotator, of all annotators at once."""
        from scipy.sparse import csr_array

        pair = np.arange(len(self.pattern))
        place = np.concatenate([self.first, self.second]), np.concatenate([pair, pair])
        shape = annotators, len(pair)
        weight = np.concatenate([self.weight, self.weight])
        return figures_of_groups(self.problem, csr_array((weight, place), shape=shape))

    def of_two(self, annotators: int) -> Floats:
        """The coefficient of each two annotators on the documents that both saw: symmetric."""
        from scipy.sparse import csr_array

        keys, pair = np.unique(
            self.first.astype(np.int64) * annotators + self.second, return_inverse=True
        )
        table = np.full((annotators, annotators), np.nan)
        if len(keys):
            place = (pair.reshape(-1), np.arange(len(pair)))
            members = csr_array((self.weight, place), shape=(len(keys), len(self.pattern)))
            first, second = np.divmod(keys, annotators)
            table[first, second] = table[second, first] = figures_of_groups(self.problem, members)
        return table

    def documents_of_two(self, annotators: int) -> Floats:
        """How many documents each two annotators both saw."""
        table = np.zeros((annotators, annotators))
        np.add.at(table, (self.first, self.second), self.weight)
        return table + table.T
