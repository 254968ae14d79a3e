"""Inputs of the engine: tables of rating patterns, and coefficients to evaluate on them.

A rating pattern is a combination of ratings, kept once for all items that have it. A mass is a
rating as a distribution over the labels. A slot holds an item's first, second, ... rating, whoever
gave it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats as Floats, Integers as Integers
from iaa_jax.catalog import Measure
from iaa_jax.engine.computing import UNASKED, Computing
from iaa_jax.engine.padding import FEW_ANNOTATORS, bucket
from iaa_jax.kernels.agreement import Agreement, label_disagreement, symmetrize
from iaa_jax.kernels.kernel import ChainedFormula, Kernel, StatisticsFunction
from iaa_jax.kernels.namespace import Array
from iaa_jax.kernels.raters import Raters
from iaa_jax.kernels.sums import NamedSums

Key = tuple[Hashable, ...]
"""Key under which problems share cached statistics."""


@dataclass(frozen=True, eq=False)
class PatternTable:
    """Distinct rating patterns, and the number of items that show each pattern.

    Attributes
    ----------
    count : array (pattern,)
        Number of items that show the pattern; 0 for patterns without any rating, and for patterns
        that have only prior counts.
    coarse : PatternTable, optional
        A table whose patterns are unions of patterns of this table. Its weights are drawn first, so
        that they do not depend on this table.
    pattern_of : array (pattern,), optional
        The index in ``coarse`` of each pattern.
    prior : array (pattern,), optional
        Prior counts of the patterns, which are added to ``count`` to draw weights from a posterior;
        they may be negative. None by default.
    """

    count: Floats
    coarse: PatternTable | None = None
    pattern_of: NDArray[np.integer] | None = None
    prior: Floats | None = None
    computing: Computing = UNASKED

    def other(
        self,
        count: Floats,
        coarse: PatternTable | None = None,
        pattern_of: NDArray[np.integer] | None = None,
        prior: Floats | None = None,
    ) -> PatternTable:
        """Return a table of other patterns with the same device and precision."""
        return PatternTable(count, coarse, pattern_of, prior, self.computing)

    @property
    def items(self) -> float:
        """The number of rated items."""
        return float(self.count.sum())

    @property
    def posterior(self) -> Floats:
        """The counts plus the prior counts."""
        return self.count if self.prior is None else self.count + self.prior

    def repeated(self, times: float) -> PatternTable:
        """Return the table with all counts multiplied by ``times``.

        Examples
        --------
        >>> PatternTable(np.array([3.0, 2.0])).repeated(1.5).count.tolist()
        [4.5, 3.0]
        """
        coarse = None if self.coarse is None else self.coarse.repeated(times)
        prior = None if self.prior is None else self.prior * times
        return self.other(self.count * times, coarse, self.pattern_of, prior)

    def restricted(self, count: Floats) -> RestrictedTable:
        """Return the patterns with a positive ``count``, or a single pattern if there are none.

        Examples
        --------
        >>> coarse = PatternTable(np.array([3.0, 2.0]))
        >>> fine = PatternTable(np.array([1.0, 2.0, 2.0]), coarse, np.array([0, 0, 1]))
        >>> part = fine.restricted(np.array([0.0, 1.0, 2.0]))
        >>> part.table.count, part.patterns, part.table.coarse.count, part.table.pattern_of
        (array([1., 2.]), array([1, 2]), array([1., 2.]), array([0, 1]))
        """
        shown = np.flatnonzero(count > 0)
        if not len(shown):
            shown = np.zeros(1, dtype=np.intp)
        if self.coarse is None or self.pattern_of is None:
            return RestrictedTable(self.other(count[shown]), shown)
        of_coarse = np.bincount(
            self.pattern_of, weights=count, minlength=len(self.coarse.count)
        ).astype(np.float64)
        coarse = self.coarse.restricted(of_coarse)
        pattern_of = np.maximum(coarse.indices(self.pattern_of[shown]), 0)
        return RestrictedTable(self.other(count[shown], coarse.table, pattern_of), shown, coarse)


@dataclass(frozen=True, eq=False)
class RestrictedTable:
    """A table of some of the items, and its relation to the table of all items.

    Attributes
    ----------
    table : PatternTable
        The patterns of these items, with their counts.
    patterns : array (pattern,)
        The index of each pattern in the table of all items.
    coarse : RestrictedTable, optional
        The restricted coarse table, whose patterns are unions of these patterns.
    """

    table: PatternTable
    patterns: NDArray[np.intp]
    coarse: RestrictedTable | None = None

    def indices(self, patterns: Integers) -> NDArray[np.intp]:
        """Return, for patterns of the full table, the index in this table; -1 for a missing one."""
        index = np.minimum(np.searchsorted(self.patterns, patterns), len(self.patterns) - 1)
        return np.where(self.patterns[index] == patterns, index, -1)


@dataclass(frozen=True, eq=False)
class CodedRatings:
    """Ratings as codes, converted to masses or values at first use.

    Attributes
    ----------
    codes : array (pattern, annotator)
        The code of each rating, from 0; -1 for a missing rating.
    lay_out : callable
        ``codes (..., annotator) -> masses or values (..., annotator[, label])``.
    labels : int
        The number of labels, including unused ones, if codes are label indices; 0 if codes
        represent sets, shares or numbers.
    place : array (code,), optional
        The position of each code in the drawing order of patterns; by default the order of codes.
    """

    codes: Integers
    lay_out: Callable[[Integers], Floats]
    labels: int = 0
    place: Integers | None = None

    @cached_property
    def data(self) -> Floats:
        """All ratings as masses or values."""
        return self.lay_out(self.codes)


@dataclass(frozen=True, eq=False)
class Problem:
    """One coefficient on one table of rating patterns.

    Attributes
    ----------
    table : PatternTable
        The patterns (the rows of the data) and their counts.
    ratings : array or CodedRatings
        Masses (pattern, annotator or slot, label) or values (pattern, annotator or slot).
    label_agreement : array (label, label), optional
        Agreement between labels; the identity by default.
    annotator_weight : array (annotator,), optional
        Weights of the annotators; ones by default.
    annotator_of : array (pattern, slot), optional
        For data by slot: the annotator of each slot, -1 in the empty slots at the end.
    annotators : int, optional
        The number of annotators, if ``annotator_of`` is given.
    options : mapping
        Numerical keyword arguments of the coefficient.
    power : int
        The data times ``2**power`` are in the caller's unit. Observed and expected disagreement are
        squared distances, so ``4**power`` converts them.
    annotator_place : array (annotator,), optional
        The position of each annotator in the order in which annotators are drawn; by default the
        order of the data.
    """

    measure: Measure
    table: PatternTable
    ratings: Floats | CodedRatings
    label_agreement: Floats | None = None
    annotator_weight: Floats | None = None
    annotator_of: Integers | None = None
    annotators: int | None = None
    options: Mapping[str, float] = field(default_factory=dict)
    power: int = 0
    annotator_place: Integers | None = None

    @property
    def computing(self) -> Computing:
        """The device and precision of the computation."""
        return self.table.computing

    @property
    def data(self) -> Floats:
        """The ratings as masses or values."""
        return self.ratings.data if isinstance(self.ratings, CodedRatings) else self.ratings

    @property
    def counted_data(self) -> Floats:
        """The ratings of annotators with positive weight; for data by slot, all ratings."""
        if self.annotator_weight is None or self.annotator_of is not None:
            return self.data
        return self.data[:, self.weight > 0]

    @cached_property
    def weight(self) -> Floats:
        """Annotator weights, ones by default; for data by slot, zeros are appended (`bucket`)."""
        annotator_weight = self.annotator_weight
        if self.annotator_of is None:
            weight = np.ones(self.columns) if annotator_weight is None else annotator_weight
            return np.asarray(weight, dtype=np.float64)
        size = self.annotator_count
        weight = np.zeros(bucket(size, FEW_ANNOTATORS))
        weight[:size] = 1.0 if annotator_weight is None else annotator_weight
        return weight

    def rows(self, rows: slice) -> Floats:
        """Return the ratings of some patterns as masses or values."""
        if isinstance(self.ratings, CodedRatings):
            return self.ratings.lay_out(self.ratings.codes[rows])
        return self.ratings[rows]

    @property
    def columns(self) -> int:
        """The number of annotators or slots of the ratings."""
        ratings = self.ratings
        return int((ratings.codes if isinstance(ratings, CodedRatings) else ratings).shape[1])

    @cached_property
    def labels_in_use(self) -> tuple[Integers, int]:
        """The codes in use, in drawing order, and the largest number of ratings of an item.

        If a single label is in use, all declared labels count as in use.
        """
        ratings = self.ratings
        assert isinstance(ratings, CodedRatings)
        shown_codes = ratings.codes[self.table.count > 0]
        rated = shown_codes >= 0
        codes = np.unique(shown_codes[rated])
        if len(codes) == 1 and ratings.labels:
            codes = np.arange(ratings.labels)
        if ratings.place is not None:
            codes = codes[np.argsort(ratings.place[codes])]
        return codes, int(rated.sum(axis=1).max(initial=0))

    @property
    def annotator_count(self) -> int:
        """The number of annotators."""
        if self.annotator_of is None:
            return self.columns
        return self.annotators or int(self.annotator_of.max()) + 1

    @property
    def annotators_in_turn(self) -> Integers:
        """The annotators in the order in which they are drawn."""
        if self.annotator_place is None:
            return np.arange(self.annotator_count)
        return np.argsort(self.annotator_place)

    @property
    def raters(self) -> Raters:
        """The annotators of the ratings, and their weights."""
        return Raters(self.weight, self.annotator_of)

    @cached_property
    def disagreement(self) -> Floats | None:
        """``1 - label_agreement``, symmetric unless the coefficient reads ordered pairs."""
        disagreement = label_disagreement(self.rows(slice(1)), self.label_agreement)
        if disagreement is None:
            return None
        return np.asarray(disagreement if self.measure.ordered_pairs else symmetrize(disagreement))

    @cached_property
    def _symmetric(self) -> bool:
        matrix = self.label_agreement
        return matrix is None or bool(np.array_equal(matrix, matrix.T))

    @property
    def factored(self) -> bool:
        """Whether the coefficient consists of statistics and a formula."""
        return isinstance(self.measure.kernel, Kernel)

    @property
    def kernel(self) -> Kernel:
        """The kernel, with statistics and a formula; a plain function raises an error."""
        kernel = self.measure.kernel
        if not isinstance(kernel, Kernel):
            raise TypeError("this coefficient is a plain function, without statistics and formula")
        return kernel

    @cached_property
    def _statistics_among_all(self) -> StatisticsFunction:
        kernel = self.kernel
        if kernel.common is None:  # without ``common``, the ratings need not be expanded
            return kernel.statistics
        return kernel.statistics_among(self.data, self.raters)

    def statistics_of(self, data: Floats, raters: Raters) -> NamedSums:
        """Return the statistics of some items, given the ``common`` values of all items."""
        return self._statistics_among_all(data, raters, self.disagreement)

    def from_sums(self, sums: NamedSums, weight: Array | None = None) -> Agreement:
        """Return the result of the formula, with other annotator weights if given."""
        weight = self.weight if weight is None else weight
        return self.kernel.formula(sums, weight, self.disagreement, **self.options)

    def first_step(self, sums: NamedSums, weight: Array | None = None) -> tuple[Array, ...]:
        """Return the result of the first step of a `ChainedFormula`."""
        formula = self.kernel.formula
        assert isinstance(formula, ChainedFormula)
        weight = self.weight if weight is None else weight
        return formula.first(sums, weight, self.disagreement, **self.options)

    @property
    def shared_key(self) -> Key:
        """A key for cached statistics: problems with equal keys have equal statistics."""
        return (
            self.kernel.statistics,
            self.kernel.common,
            id(self.table),
            id(self.ratings),
            id(self.label_agreement),
            self.measure.ordered_pairs and not self._symmetric,
            id(self.annotator_weight),
            id(self.annotator_of),
        )
