"""Single labels: their shares in the ratings, and coefficients of each label against all others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import entr

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Integers
from iaa_jax.catalog import Measure
from iaa_jax.data.kind import Kind
from iaa_jax.engine import CodedRatings
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import Resolver

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_CELLS = 1 << 26
"""Maximum number of cells of a table (distinct rating, label)."""

LABELS_TOGETHER = 16
"""Number of labels whose coefficients are compiled together."""


_ENOUGH = 200
"""Number of ratings with a label that is always enough to call the label frequent.

With two ratings per item, they are in 100 pairs or more, so that the standard error of a specific
agreement of .5 is at most about .05.
"""

OFTEN = 10
"""Threshold: with fewer ratings or spans of a label than this, agreement on it is mostly
chance."""


def label_shares(tables: Rated, *, sets_as_labels: bool) -> Floats:
    """Return the share (code, label) of each label in each distinct rating.

    Each label of a set has a share of 1. With ``sets_as_labels``, each set is a label of its own.
    For spans, the result is the number of units (one or more spans each) with each label.
    """
    kind, distinct = tables.kind, tables.codes.distinct
    if kind is Kind.SPANS:
        if sets_as_labels:
            raise IaaError(
                "these are spans, and a document has no label of its own: see iaa.span_f1 and its "
                "like"
            )
        from iaa_jax.data.marked.counts import units_by_label

        return units_by_label(tables.spans.markings.distinct)
    if kind is Kind.NUMBERS:
        raise IaaError(
            "these ratings are numbers without labels; if each number is a label, use from_wide"
        )
    whole_sets = kind is Kind.SETS and sets_as_labels
    labels = distinct if whole_sets else len(tables.label_names)
    if distinct * labels > _CELLS:
        raise IaaError(
            f"{labels:,} labels and {distinct:,} distinct ratings are too many to lay out as a "
            "table: merge rare labels"
        )
    if kind is Kind.LABELS or whole_sets:
        return np.eye(labels)
    if kind is Kind.DOUBLES:
        # all codes of pairs, including those that do not occur
        codes = np.arange(distinct)
        primary, secondary = codes // (labels + 1), codes % (labels + 1) - 1
        shares = np.zeros((distinct, labels))
        shares[codes, primary] = 1.0
        double = (secondary >= 0) & (secondary != primary)
        shares[codes[double], primary[double]] = tables.p
        shares[codes[double], secondary[double]] = 1 - tables.p
        return shares
    return np.asarray(tables.distinct_masses, dtype=np.float64)


def sparse_shares(tables: Rated) -> csr_array:
    """Return the shares (code, label) as a sparse array; each label set is a label of its own."""
    from scipy.sparse import csr_array, eye_array

    if tables.kind is Kind.LABELS:
        return eye_array(len(tables.label_names), format="csr")
    if tables.kind is Kind.SETS:
        return eye_array(tables.codes.distinct, format="csr")
    return csr_array(label_shares(tables, sets_as_labels=True))


def label_counts(codes: Integers, shares: Floats) -> Floats:
    """Count the ratings with each label (row, label), from codes (row, column)."""
    counts = np.zeros((len(codes), shares.shape[1]))
    for column in codes.T:
        (rated,) = np.nonzero(column >= 0)
        counts[rated] += shares[column[rated]]
    return counts


def label_use(tables: Rated, codes: Integers) -> tuple[Floats, Floats]:
    """Count ratings, or units of spans: with each label (row, label), and in all (row,)."""
    counts = label_counts(codes, label_shares(tables, sets_as_labels=False))
    if tables.kind.has_labels:
        return counts, (codes >= 0).sum(axis=1).astype(np.float64)
    return counts, counts.sum(axis=1)


def bits_lost(tables: Rated, pairs: Sequence[tuple[int, int]]) -> tuple[Floats, float]:
    """Return the entropy in bits that each merge of two labels loses, and the labels' entropy."""
    counts, _ = label_use(tables, tables.exchangeable.codes)
    count = tables.exchangeable_table.count @ counts
    share = count / count.sum()
    left, right = share[np.array(pairs, dtype=np.intp).reshape(-1, 2)].T
    lost = entr(left) + entr(right) - entr(left + right)
    return lost / np.log(2), float(entr(share).sum() / np.log(2))


def bonferroni(p_values: Floats) -> float:
    """Return the smallest p-value, adjusted for the number of labels (Bonferroni).

    Two labels count as one test, because the share of one determines the share of the other.
    """
    labels = 1 if len(p_values) == 2 else len(p_values)
    return min(1.0, float(p_values.min()) * labels)


def one_per_label(resolver: Resolver, wanted: Request) -> list[Request]:
    """Return a request for each label against all others; for spans, for units of each label."""
    measure = measure_of_labels(wanted)
    if measure.compares:
        labels = range(resolver.tables.label_count)
        return [_units_alone(resolver, wanted, label) for label in labels]
    shares = label_shares(resolver.tables, sets_as_labels=False)
    return [one_versus_rest(resolver, wanted, measure, share) for share in shares.T]


def _units_alone(resolver: Resolver, wanted: Request, label: int) -> Request:
    measure = wanted.problem.measure
    tables = resolver.tables
    data = tables.spans.data(measure, tables.codes_of(measure).codes, label)
    return replace(wanted, problem=replace(wanted.problem, ratings=data))


def measure_of_labels(wanted: Request) -> Measure:
    """Return the measure of the coefficient for the presence and absence of a label."""
    measure = wanted.problem.measure
    if measure.takes_values and wanted.row is not None:
        measure = wanted.row.measure  # presence and absence are nominal
    if measure.takes_values:
        raise IaaError(f"{wanted.name} compares numbers: name a coefficient of labels")
    return measure


def one_versus_rest(
    resolver: Resolver, wanted: Request, measure: Measure, share: Floats
) -> Request:
    """Return the request for one label against all others; ``share`` is its share in each rating.

    Ratings with equal shares of the label become equal, so that a prior on labels has only two:
    presence and absence. Absence has the code 0, as in `iaa_jax.per_label`, so that the draws are
    the same.
    """
    shares = np.array([0.0, 1.0, *np.setdiff1d(share, [0.0, 1.0])])
    order = np.argsort(shares)
    code_of = np.append(order[np.searchsorted(shares[order], share)], -1)
    table = np.append(np.stack([shares, 1 - shares], axis=1), np.full((1, 2), np.nan), axis=0)
    tables = resolver.tables
    problem = replace(
        wanted.problem,
        measure=measure,
        table=tables.table(measure),
        ratings=CodedRatings(code_of[tables.codes_of(measure).codes], table.__getitem__, labels=2),
        label_agreement=None,
        annotator_of=tables.annotator_of(measure),
        power=0,  # labels have no unit, even if they were numbers
    )
    return Request(wanted.name, wanted.row, problem, "identity")


def frequent_from(count: Floats) -> int:
    """Return the minimum number of ratings with which a label counts as frequent.

    It is a quarter of the mean number of ratings per used label, but at least 10 and at most 200.

    Examples
    --------
    >>> frequent_from(np.array([500.0, 480, 20])), frequent_from(np.array([30.0, 12]))
    (84, 10)
    >>> frequent_from(np.array([90_000.0, 9_000, 300]))
    200
    """
    used = max(int((count > 0).sum()), 1)
    return min(max(OFTEN, math.ceil(float(count.sum()) / (4 * used))), _ENOUGH)
