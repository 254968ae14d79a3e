"""Tables of documents, annotators and labels for spans.

Every estimate is the coefficient itself: on one document, on an annotator's pairs with others, or
on the spans with one label.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from iaa_jax._errors import IaaError
from iaa_jax._types import Columns, Floats, Integers, Variables
from iaa_jax.analyses.diagnose.label_estimates import (
    LabelTable,
    Survey,
    coefficient_of_labels,
    estimate_columns,
)
from iaa_jax.analyses.diagnose.pairs import MOST_ANNOTATORS, ratings_of_each
from iaa_jax.data.kind import Kind
from iaa_jax.engine import Problem
from iaa_jax.engine.flat import FlatStatistics, Layout, Sums, flat_statistics, read_back
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.namespace import Array, namespace
from iaa_jax.kernels.raters import Raters
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.requests.studies import patterns_of_items, with_identities
from iaa_jax.measure.results import certainty_notes, notes_on
from iaa_jax.measure.shared.labels import label_counts, label_shares, one_per_label
from iaa_jax.wording import named

_DRAWN = 1 << 22
"""Maximum product of the numbers of documents and annotators for intervals of annotators."""

FIGURES = ("estimate", "standard_error", "ci_low", "ci_high", "undefined_replicates")
"""Suffixes of the columns of an estimate and its uncertainty."""

_CELLS = 1 << 27
"""Maximum size of the data over all pairs of ratings."""


def documents(resolver: Resolver, request: Request) -> Columns:
    """Return each document's number of annotators, number of spans, and own coefficient."""
    tables = resolver.tables
    codes = tables.exchangeable.codes
    spans = label_counts(codes, label_shares(tables, sets_as_labels=False)).sum(axis=1)
    panel = (codes >= 0).sum(axis=1)
    agreement = _group_estimates(request.problem)
    of_items = tables.exchangeable_of_items
    return {
        "ratings": panel.astype(np.int64)[of_items],
        "spans": spans.astype(np.int64)[of_items],
        "agreement": agreement[patterns_of_items(tables, request.problem.measure)],
    }


def annotators(survey: Survey, request: Request) -> Variables:
    """Return each annotator's agreement and number of spans, and the agreement of each pair."""
    resolver, options = survey.resolver, survey.options
    tables = resolver.tables
    size = tables.annotators
    pairs = _RatingPairs.of(request, tables)
    shared, spans, bias = _use_of_each(resolver, size)
    figures: Columns = dict.fromkeys(FIGURES, np.full(size, np.nan))
    figures |= {"undefined_replicates": np.zeros(size, dtype=np.int64)}
    if options.interval is None or too_many_to_draw(resolver):
        figures["estimate"] = pairs.annotator_estimates(size)
    else:
        wanted = (pairs.annotator_request(annotator) for annotator in range(size))
        figures = estimate_columns(survey.measured(wanted), options)
    # a single document does not show the variance between documents
    for name in ("standard_error", "ci_low", "ci_high"):
        figures[name] = np.where(shared >= 2, figures[name], np.nan)
    variables: Variables = {"shared_items": ("annotator", shared)}
    variables |= {name: ("annotator", values) for name, values in spans.items()}
    variables |= {
        "agreement" if name == "estimate" else f"agreement_{name}": ("annotator", figures[name])
        for name in FIGURES
    }
    variables["bias"] = (("annotator", "label"), bias)
    if size > MOST_ANNOTATORS:
        return variables
    both = pairs.documents_of_two(size)
    diagonal = ratings_of_each(tables.compact_codes, tables.identified_table.count, size)
    np.fill_diagonal(both, diagonal)
    dims = ("annotator", "annotator_2")
    return variables | {
        "pair_shared_items": (dims, both),
        "pair_agreement": (dims, pairs.pair_estimates(size)),
    }


def labels(survey: Survey, request: Request) -> LabelTable:
    """Return the table of labels: how often each label was marked, and its coefficient."""
    resolver, options = survey.resolver, survey.options
    tables = resolver.tables
    codes, count = tables.exchangeable.codes, tables.exchangeable_table.count
    units = label_counts(codes, label_shares(tables, sets_as_labels=False))
    spans = count @ units
    if options.random.draws_annotators:
        request = replace(request, problem=with_identities(resolver, request.problem))
    measured = [*survey.measured(one_per_label(resolver, request))]
    figures = estimate_columns(measured, options)
    columns = {
        "count": spans,
        "items": count @ (units > 0),
        "share": spans / max(float(spans.sum()), 1.0),
        **coefficient_of_labels(figures),
    }
    notes = certainty_notes(resolver.tables.label_names.tolist(), figures, options)
    return LabelTable(columns, [notes_on(*estimate) for estimate in measured], notes)


def too_many_to_draw(resolver: Resolver) -> bool:
    """Return whether there are too many annotators to resample documents for each."""
    if resolver.tables.kind is not Kind.SPANS:
        return False
    patterns = len(resolver.tables.identified_table.count)
    return resolver.tables.annotators * patterns > _DRAWN


def refuse_options_of_labels(ties: str, annotator_weight: object) -> None:
    """Refuse ``ties`` and ``annotator_weight``, which are about labels of items."""
    options = [("ties", ties != "split"), ("annotator_weight", annotator_weight is not None)]
    if names := [named(name) for name, is_given in options if is_given]:
        raise IaaError(
            f"{' and '.join(names)} is about the label that most others gave, and these are spans: "
            "leave it out"
        )


def _use_of_each(resolver: Resolver, size: int) -> tuple[Floats, Columns, Floats]:
    tables = resolver.tables
    codes, count = tables.compact_codes, tables.identified_table.count
    units = label_shares(tables, sets_as_labels=False)
    rows, slots, raters = codes.ratings()
    own = units[codes.codes[rows, slots]]
    weight = count[rows]
    panel = (codes.codes >= 0).sum(axis=1)
    total = label_counts(codes.codes, units)
    others = (total[rows] - own) / np.maximum(panel[rows] - 1, 1)[:, None]
    together = np.where(panel[rows] >= 2, weight, 0.0)

    def summed(values: Floats, weights: Floats) -> Floats:
        sums = np.zeros((size, *values.shape[1:]))
        np.add.at(sums, raters, weights.reshape(-1, *(1,) * (values.ndim - 1)) * values)
        return sums

    shared = summed(np.ones(len(rows)), together)
    by_own, by_others = summed(own, together), summed(others, together)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = by_own.sum(axis=1) / by_others.sum(axis=1)
        bias = (by_own - by_others) / np.where(shared > 0, shared, np.nan)[:, None]
    ratio[~np.isfinite(ratio)] = np.nan
    return shared, {"spans": summed(own.sum(axis=1), weight), "spans_ratio": ratio}, bias


def _group_estimates(problem: Problem, members: csr_array | None = None) -> Floats:
    """Return the coefficient on each group of patterns (documents with the same annotations).

    ``members`` (group, pattern) counts each group's patterns; by default every pattern is a group.
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
        problem.from_sums(
            read_back(flat.layout, Sums(row[:width], row[width:], flat.fixed))
        ).estimate
        for row in rows
    ]
    return np.array(figures, dtype=np.float64)[group.reshape(-1)]


@dataclass(frozen=True)
class _SummedStatistics:
    """A kernel's statistics function for data (item, column) that are already statistics.

    Statistics are the quantities of an item whose sums the formula takes; NaN counts as 0. Two
    functions with equal layouts share compiled code.
    """

    layout: Layout

    def __call__(self, data: Array, *_: Raters | Array | None) -> tuple[Array, ...]:
        """Return the columns as statistics."""
        xp = namespace(data)
        filled = xp.where(xp.isnan(data), 0, data)
        parts = (
            xp.reshape(filled[:, part.start : part.stop], (-1, *part.shape))
            for part in self.layout.parts
        )
        statistics: tuple[Array, ...] = self.layout.kind(*parts)
        return statistics


@dataclass(frozen=True)
class _RatingPairs:
    """A coefficient of spans on pairs of ratings, each pair as a separate document.

    Attributes
    ----------
    request : Request
        The coefficient on all documents.
    tables : Rated
        The tables of the ratings.
    pattern, first, second : array (pair,)
        The pattern (distinct row of ratings) of each pair's document, and the pair's annotators.
    """

    request: Request
    tables: Rated
    pattern: NDArray[np.intp]
    first: Integers
    second: Integers
    markings: tuple[Integers, Integers]

    @classmethod
    def of(cls, request: Request, tables: Rated) -> _RatingPairs:
        from iaa_jax.data.marked.documents import Documents

        codes = tables.compact_codes
        pairs = Documents(codes.codes, tables.spans.markings).pairs
        first: Integers = pairs.first_column
        second: Integers = pairs.second_column
        if codes.annotator_of is not None:
            first, second = (
                codes.annotator_of[pairs.document, column] for column in (first, second)
            )
        marked = pairs.first, pairs.second
        return cls(request, tables, pairs.document, first, second, marked)

    @property
    def weight(self) -> Floats:
        """Number of documents that each pair represents."""
        return self.tables.identified_table.count[self.pattern]

    @cached_property
    def problem(self) -> Problem:
        """The coefficient's problem (formula and data), with a row for each pair."""
        problem = self.request.problem
        if len(self.pattern) * 8 * max(self.tables.label_count, 1) > _CELLS:
            raise IaaError(
                f"{len(self.pattern):,} pairs of annotators on documents are too many to compare "
                "one by one: keep some annotators"
            )
        measure = replace(problem.measure, identified=False)
        data = self.tables.spans.data(measure, np.stack(self.markings, axis=1))
        return replace(
            problem,
            measure=measure,
            table=problem.table.other(self.weight),
            ratings=data,
            annotator_weight=None,
            annotator_of=None,
            annotators=None,
        )

    @cached_property
    def flat(self) -> FlatStatistics:
        """Statistics of each pair."""
        return flat_statistics(self.problem)

    def annotator_request(self, annotator: int) -> Request:
        """Return the request for the coefficient on the pairs of one annotator, by document."""
        is_own = (self.first == annotator) | (self.second == annotator)
        patterns, dense = self.pattern[is_own], self.flat.dense[is_own]
        table = self.tables.identified_table
        data = np.full((len(table.count), dense.shape[1]), np.nan)
        data[patterns] = 0.0
        np.add.at(data, patterns, dense)
        problem = self.request.problem
        kernel = problem.kernel
        summed = Kernel(kernel.name, _SummedStatistics(self.flat.layout), kernel.formula)
        measure = replace(problem.measure, kernel=replace(summed, options=kernel.options))
        return replace(
            self.request,
            problem=replace(
                self.problem, measure=replace(measure, identified=True), table=table, ratings=data
            ),
        )

    def annotator_estimates(self, annotators: int) -> Floats:
        """Return the coefficient on the pairs of each annotator, computed for all together."""
        pair = np.arange(len(self.pattern))
        index = np.concatenate([self.first, self.second]), np.concatenate([pair, pair])
        shape = annotators, len(pair)
        weight = np.concatenate([self.weight, self.weight])
        return _group_estimates(self.problem, csr_array((weight, index), shape=shape))

    def pair_estimates(self, annotators: int) -> Floats:
        """Return the symmetric matrix of the coefficient of every two annotators."""
        keys, pair = np.unique(
            self.first.astype(np.int64) * annotators + self.second, return_inverse=True
        )
        table = np.full((annotators, annotators), np.nan)
        if len(keys):
            index = (pair.reshape(-1), np.arange(len(pair)))
            members = csr_array((self.weight, index), shape=(len(keys), len(self.pattern)))
            first, second = np.divmod(keys, annotators)
            table[first, second] = table[second, first] = _group_estimates(self.problem, members)
        return table

    def documents_of_two(self, annotators: int) -> Floats:
        """Return the matrix of the numbers of documents that two annotators both saw."""
        table = np.zeros((annotators, annotators))
        np.add.at(table, (self.first, self.second), self.weight)
        return table + table.T
