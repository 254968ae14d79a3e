"""What the engine works on: tables of rating patterns, and coefficients to evaluate on them."""

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
"""What problems are told apart by."""


@dataclass(frozen=True, eq=False)
class PatternTable:
    """Distinct rating patterns and how many items show each.

    Attributes
    ----------
    count : array (pattern,)
        Items that show the pattern; 0 for patterns without any rating.
    coarse : PatternTable, optional
        A table whose patterns are unions of this one's: weights are drawn there first, so that the
        draws of the coarse table do not depend on who else is asked.
    pattern_of : array (pattern,), optional
        The index in ``coarse`` of each pattern.
    prior : array (pattern,), optional
        Items that each pattern counts beyond those that show it, where weights are drawn from a
        posterior; none by default.
    computing : Computing
        Where and how precisely rows of such patterns are drawn and worked out.
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
        """A table of other patterns, which are worked on where these are."""
        return PatternTable(count, coarse, pattern_of, prior, self.computing)

    @property
    def items(self) -> float:
        """Number of rated items."""
        return float(self.count.sum())

    @property
    def posterior(self) -> Floats:
        """The counts with those of the prior."""
        return self.count if self.prior is None else self.count + self.prior

    def repeated(self, times: float) -> PatternTable:
        """The same patterns on so many times the items.

        Examples
        --------
        >>> PatternTable(np.array([3.0, 2.0])).repeated(1.5).count.tolist()
        [4.5, 3.0]
        """
        coarse = None if self.coarse is None else self.coarse.repeated(times)
        prior = None if self.prior is None else self.prior * times
        return self.other(self.count * times, coarse, self.pattern_of, prior)

    def restricted(self, count: Floats) -> RestrictedTable:
        """The patterns that ``count`` items show; where there is none, one that no item shows.

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
    """A table of some of the items.

    Attributes
    ----------
    table : PatternTable
        Their patterns, with the items that show each.
    patterns : array (pattern,)
        The index of each pattern in the table of all items.
    coarse : RestrictedTable, optional
        The same of the table whose patterns are unions of these.
    """

    table: PatternTable
    patterns: NDArray[np.intp]
    coarse: RestrictedTable | None = None

    def indices(self, patterns: Integers) -> NDArray[np.intp]:
        """Where patterns of all items stand in this table; -1 for those that it has not."""
        index = np.minimum(np.searchsorted(self.patterns, patterns), len(self.patterns) - 1)
        return np.where(self.patterns[index] == patterns, index, -1)


@dataclass(frozen=True, eq=False)
class CodedRatings:
    """Ratings as codes, laid out as masses or values when they are first asked for.

    Attributes
    ----------
    codes : array (pattern, annotator)
        A number a rating, from 0; -1 where there is none.
    lay_out : callable
        Masses or values (..., annotator[, label]) of any codes (..., annotator).
    labels : int
        Labels, where each has a code of its own from 0 on, whether it was given or not; 0 where
        codes stand for sets, shares or numbers.
    place : array (code,), optional
        The place of each code in the order in which patterns are drawn; that of the codes by
        default.
    """

    codes: Integers
    lay_out: Callable[[Integers], Floats]
    labels: int = 0
    place: Integers | None = None

    @cached_property
    def data(self) -> Floats:
        """All of them, laid out."""
        return self.lay_out(self.codes)


@dataclass(frozen=True, eq=False)
class Problem:
    """One coefficient on one table.

    Attributes
    ----------
    measure : Measure
        How the coefficient is computed.
    table : PatternTable
        The patterns that the data's rows are, and their counts.
    ratings : array or CodedRatings
        A mass (pattern, annotator, label) or a value (pattern, annotator).
    label_agreement : array (label, label), optional
        Agreement between labels; the identity by default.
    annotator_weight : array (annotator,), optional
        Ones by default.
    annotator_of : array (pattern, slot), optional
        The annotator of each slot, -1 in the empty ones at the end, where the data's second axis
        is the slot.
    annotators : int, optional
        How many annotators there are, beside ``annotator_of``.
    options : mapping
        Numbers that the coefficient takes by name.
    power : int
        The power of two that the data must be multiplied with to be in the caller's unit; observed
        and expected disagreement are in its square.
    annotator_place : array (annotator,), optional
        The place of each annotator in the order in which they are drawn; as they stand by default.
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
        """Where and how precisely it is worked out."""
        return self.table.computing

    @property
    def data(self) -> Floats:
        """The ratings, laid out."""
        return self.ratings.data if isinstance(self.ratings, CodedRatings) else self.ratings

    @property
    def counted_data(self) -> Floats:
        """The ratings of annotators who count; of slots all."""
        if self.annotator_weight is None or self.annotator_of is not None:
            return self.data
        return self.data[:, self.weight > 0]

    @cached_property
    def weight(self) -> Floats:
        """Annotator weights, ones by default; of slots, filled up to a bucket with zeros."""
        given = self.annotator_weight
        if self.annotator_of is None:
            weight = np.ones(self.columns) if given is None else given
            return np.asarray(weight, dtype=np.float64)
        size = self.annotator_count
        weight = np.zeros(bucket(size, FEW_ANNOTATORS))
        weight[:size] = 1.0 if given is None else given
        return weight

    def rows(self, rows: slice) -> Floats:
        """The ratings of some patterns, laid out."""
        if isinstance(self.ratings, CodedRatings):
            return self.ratings.lay_out(self.ratings.codes[rows])
        return self.ratings[rows]

    @property
    def columns(self) -> int:
        """Annotators, or slots, of the ratings."""
        given = self.ratings
        return int((given.codes if isinstance(given, CodedRatings) else given).shape[1])

    @cached_property
    def labels_in_use(self) -> tuple[Integers, int]:
        """The codes of the ratings in use, as they are drawn, and how many an item has at most."""
        ratings = self.ratings
        assert isinstance(ratings, CodedRatings)
        given = ratings.codes[self.table.count > 0]
        rated = given >= 0
        codes = np.unique(given[rated])
        if len(codes) == 1 and ratings.labels:
            # one label alone: others that were declared could have been given
            codes = np.arange(ratings.labels)
        if ratings.place is not None:
            codes = codes[np.argsort(ratings.place[codes])]
        return codes, int(rated.sum(axis=1).max(initial=0))

    @property
    def annotator_count(self) -> int:
        """How many annotators there are."""
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
        """Who gave the ratings in each place of the data."""
        return Raters(self.weight, self.annotator_of)

    @cached_property
    def disagreement(self) -> Floats | None:
        """``1 - label_agreement``, symmetric unless the coefficient reads it as it stands."""
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
        """Whether the coefficient is statistics and a formula."""
        return isinstance(self.measure.kernel, Kernel)

    @property
    def kernel(self) -> Kernel:
        """The statistics and the formula of a factored problem."""
        kernel = self.measure.kernel
        if not isinstance(kernel, Kernel):
            raise TypeError(
                "this coefficient is a function alone, without statistics and a formula"
            )
        return kernel

    @cached_property
    def _statistics_among_all(self) -> StatisticsFunction:
        kernel = self.kernel
        if kernel.common is None:  # else all ratings are laid out for it
            return kernel.statistics
        return kernel.statistics_among(self.data, self.raters)

    def statistics_of(self, data: Floats, raters: Raters) -> NamedSums:
        """The statistics of any of the items, with what all of them have in common.

        ``data`` and ``raters`` are those of some items, in any order, as wide as these need.
        """
        return self._statistics_among_all(data, raters, self.disagreement)

    def from_sums(self, sums: NamedSums, weight: Array | None = None) -> Agreement:
        """The formula of a factored problem, with other annotator weights where they are given."""
        weight = self.weight if weight is None else weight
        return self.kernel.formula(sums, weight, self.disagreement, **self.options)

    def first_step(self, sums: NamedSums, weight: Array | None = None) -> tuple[Array, ...]:
        """The first step of a formula that shares it."""
        formula = self.kernel.formula
        assert isinstance(formula, ChainedFormula)
        weight = self.weight if weight is None else weight
        return formula.first(sums, weight, self.disagreement, **self.options)

    @property
    def shared_key(self) -> Key:
        """Problems with the same key have the same statistics."""
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
