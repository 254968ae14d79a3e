"""Comparisons of each rating with the other ratings of its item, and their sums by annotator.

Shares of labels are sparse matrices, so that thousands of labels (such as numbers) cost little.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Integers
from iaa_jax.data.patterns import Codes
from iaa_jax.engine import Clusters, PatternTable

_CELLS = 1 << 27
"""Maximum number of cells (annotator, label); beyond it, annotators are not compared."""

_NEARLY = 0.9
"""Minimum share of an annotator's items that counts as nearly all of them."""

TIED = 1e-9
"""Maximum difference of tied weights of labels (sums of shares p and 1 - p are rounded)."""

AGREE, COMPARED, ITEMS, DISAGREE, CREDIT, VOTED, SHARES = range(7)
"""Columns of ``sums`` by rating; then come the rating's own labels, and the others' labels."""


@dataclass(frozen=True)
class Comparisons:
    """Each rating compared with the other ratings of its item, if there are any.

    A pattern is a set of items with the same ratings. ``weight_of`` is the weight of the rating's
    annotator among the others.

    ``sums`` (rating, column) holds the weights of agreeing comparisons (``AGREE``) and of all
    comparisons (``COMPARED``); 1 if there are any (``ITEMS``), and the mean disagreement with the
    others (``DISAGREE``); the credit for the others' most frequent label (``CREDIT``), and 1 if
    such a label counts (``VOTED``).

    ``own`` and ``others`` (rating, label) are the shares of labels in the rating, and among the
    others. ``disagreement`` (label, label) is None if only equal labels agree. ``by_item`` states
    whether to compute ``item_agreement``, in which each item counts once.
    """

    annotator: NDArray[np.intp]
    pattern: NDArray[np.intp]
    weight_of: Floats
    sums: Floats
    own: csr_array
    others: csr_array
    annotators: int
    disagreement: Floats | None
    table: PatternTable
    by_item: bool = False

    @property
    def labels(self) -> int:
        """Number of labels."""
        return int(self.own.shape[1])

    @property
    def weight(self) -> Floats:
        """Number of items that each rating represents."""
        return self.table.count[self.pattern]

    def by_annotator(self, values: Floats) -> Floats:
        """Return the weighted sum of values (rating,) over the ratings of each annotator."""
        return summed(self.annotator, self.weight * values, self.annotators)

    def among_others(self) -> Floats:
        """Return the agreement of the others with one another on the items of each annotator.

        Items are weighted as in the annotator's own agreement. The result (annotator,) is NaN if
        more than a tenth of the items have only one other rating.
        """
        agreeing, compared = self.sums[:, AGREE], self.sums[:, COMPARED]
        of_rating = self.weight_of[:, None] * np.stack([agreeing, compared], axis=1)
        of_pattern = [summed(self.pattern, column, len(self.table.count)) for column in of_rating.T]
        pairs = np.stack(of_pattern, axis=1)[self.pattern] - 2 * of_rating
        known = pairs[:, 1] > TIED
        shares = np.divide(pairs[:, 0], pairs[:, 1], out=np.zeros(len(of_rating)), where=known)
        times = self.sums[:, ITEMS] if self.by_item else compared
        total, all_times = self.by_annotator(times * known), self.by_annotator(times)
        enough = (total > TIED) & (total >= _NEARLY * all_times)
        return np.where(enough, self.by_annotator(times * shares) / np.maximum(total, TIED), np.nan)

    def totals(self) -> Floats:
        """Return all sums (column, annotator): ``sums``, own shares, and the others' shares."""
        columns = [self.by_annotator(column) for column in self.sums.T]
        return np.concatenate([np.stack(columns), *map(self._labels_summed, self.both)])

    @property
    def both(self) -> tuple[csr_array, csr_array]:
        """Shares of own labels, and of the others' labels."""
        return self.own, self.others

    def _labels_summed(self, shares: csr_array) -> Floats:
        rating, label, share = entries_of(shares)
        cell = label * self.annotators + self.annotator[rating]
        sums = summed(cell, self.weight[rating] * share, self.labels * self.annotators)
        return sums.reshape(self.labels, self.annotators)

    def moments(self, influence: Floats, clusters: Clusters | None) -> tuple[Floats, Floats]:
        """Return the sums of squares and of cubes of influences over the units of each annotator.

        Units are items or clusters. A cluster's influence is the sum over its items.
        """
        if clusters is None:
            return self.by_annotator(influence**2), self.by_annotator(influence**3)
        known = np.nan_to_num(influence)
        of_clusters = self._in_clusters(self.annotator, known, self.annotators, clusters)
        return _by_row(of_clusters.power(2)), _by_row(of_clusters.power(3))

    def moments_of_two(
        self, influence: Floats, first: Integers, second: Integers, clusters: Clusters | None
    ) -> Floats:
        """Return sums over units of the product of two influences, for pairs of annotators."""
        known = np.nan_to_num(influence)
        if clusters is None:
            index = self.annotator, self.pattern
            shape = self.annotators, len(self.table.count)
            of_units = csr_array((known * np.sqrt(self.weight), index), shape=shape)
        else:
            of_units = self._in_clusters(self.annotator, known, self.annotators, clusters)
        return _by_row(of_units[first].multiply(of_units[second]))

    def clusters_of_each(self, clusters: Clusters) -> Floats:
        """Return the number of clusters in which each annotator has items."""
        parts = self._in_clusters(self.annotator, self.sums[:, ITEMS], self.annotators, clusters)
        return _by_row((parts > 0).astype(np.float64))

    def moments_of_bias(
        self, bias: Floats, items: Floats, clusters: Clusters | None
    ) -> tuple[Floats, Floats]:
        """Return the sums of squares and of cubes of influences on biases (annotator, label).

        In a unit without the label, the influence is minus the bias, times the unit's share of the
        annotator's items.
        """
        rating, label, shift = entries_of((self.own - self.others).tocsr())
        counted = self.sums[:, ITEMS]
        if clusters is None:
            cell = self.annotator[rating] * self.labels + label
            part, weight = counted[rating], self.weight[rating]
            units = [self.by_annotator(counted) for _ in range(2)]
        else:
            rows = self.annotator[rating] * self.labels + label
            size = self.annotators * self.labels
            of_clusters = self._in_clusters(rows, shift, size, clusters, self.pattern[rating])
            cell, cluster, shift = entries_of(of_clusters)
            parts = self._in_clusters(self.annotator, counted, self.annotators, clusters)
            part, weight = parts[cell // self.labels, cluster], np.ones(len(cell))
            units = [_by_row(parts.power(power)) for power in (2, 3)]
        known, base = np.nan_to_num(bias), np.where(items > TIED, items, 1.0)[:, None]
        away = shift - part * known.reshape(-1)[cell]
        moments = []
        for power, of_units in zip((2, 3), units, strict=True):
            with_label = summed(cell, weight * part**power, known.size).reshape(known.shape)
            rest = of_units[:, None] - with_label
            rest = np.where(rest > TIED * of_units[:, None], rest, 0.0)  # drop rounding errors
            moment = summed(cell, weight * away**power, known.size).reshape(known.shape)
            moments.append((moment + rest * (-known) ** power) / base**power)
        return moments[0], moments[1]

    def _in_clusters(
        self,
        rows: Integers,
        values: Floats,
        size: int,
        clusters: Clusters,
        pattern: Integers | None = None,
    ) -> csr_array:
        """Return the sums (row, cluster) of values with a row and a pattern each."""
        index = rows, self.pattern if pattern is None else pattern
        of_patterns = csr_array((values, index), shape=(size, len(self.table.count)))
        of_clusters: csr_array = (of_patterns @ clusters.matrix_of(self.table).T).tocsr()
        return of_clusters

    def distinguishable_shares(self) -> tuple[csr_array, csr_array]:
        """Return own and others' shares, with labels merged where chance agreement stays equal.

        If only equal labels agree, a label that no annotator shares with the others never agrees by
        chance. All these labels are merged, separately in own and in others' shares.
        """
        if self.disagreement is not None or self.labels < 3:
            return self.both
        totals = map(self._labels_summed, self.both)
        (common,) = np.nonzero(np.logical_and(*(total > 0 for total in totals)).any(axis=1))
        if len(common) + 2 >= self.labels:
            return self.both
        merged = []
        for side, shares in enumerate(self.both):
            rating, label, share = entries_of(shares)
            column = np.full(self.labels, len(common) + side)
            column[common] = np.arange(len(common))
            shape = (shares.shape[0], len(common) + 2)
            merged.append(csr_array((share, (rating, column[label])), shape=shape))
        return merged[0], merged[1]


def comparisons(
    codes: Codes,
    shares: csr_array,
    disagreement: Floats | None,
    table: PatternTable,
    weight: Floats,
    ties: str,
    *,
    by_item: bool = False,
) -> Comparisons:
    """Return comparisons of each rating with the others of its pattern.

    ``shares`` (code, label) are those of each distinct rating. ``disagreement`` (label, label) has
    rows for the annotator's own label. ``weight`` (annotator,) counts among the others. If ``ties``
    is "skip", tied most frequent labels do not count.
    """
    labels, patterns = shares.shape[1], len(codes.codes)
    known = (codes.codes >= 0) & (table.count > 0)[:, None]
    known &= (known.sum(axis=1) >= 2)[:, None]
    pattern, slot, raters = codes.ratings(known)
    if len(weight) * labels > _CELLS:
        raise IaaError(
            f"{labels:,} labels of {len(weight):,} annotators are too many to compare annotators "
            "on: merge rare labels, or keep some annotators"
        )
    annotator = raters.astype(np.intp)
    code = codes.codes[pattern, slot]
    own, weight_of = shares[code], weight[annotator]
    weighted = diags_array(weight_of) @ own
    rating = np.arange(len(pattern))
    membership = csr_array((np.ones(len(pattern)), (pattern, rating)), (patterns, len(pattern)))
    counted = summed(pattern, weight_of, patterns)
    others = ((membership @ weighted)[pattern] - weighted).tocsr()
    compared = counted[pattern] - weight_of
    has_others = compared > TIED  # there is another annotator with a weight above 0
    others.data[(np.abs(others.data) < TIED) | ~has_others[_rows(others)]] = 0.0
    others.eliminate_zeros()  # drop rounding errors
    if disagreement is None:
        disagreeing = own.sum(axis=1) * others.sum(axis=1) - inner(own, others)
    else:
        disagreeing = _weighted_disagreement(shares, code, others, disagreement)
    row, label, share = entries_of(others)
    largest = np.zeros(len(pattern))
    np.maximum.at(largest, row, share)
    in_front = share >= largest[row] - TIED
    leading = summed(row, in_front, len(pattern))
    voted = has_others & ((leading == 1) | (ties != "skip"))
    front = csr_array((in_front.astype(np.float64), (row, label)), shape=own.shape)
    credit = np.zeros(len(pattern))
    np.divide(inner(own, front), leading, where=voted & (leading > 0), out=credit)
    divisor = np.where(has_others, compared, 1.0)
    compared = np.where(has_others, compared, 0.0)
    item = has_others.astype(np.float64)
    columns = [compared - disagreeing, compared, item, disagreeing / divisor, credit, voted]
    return Comparisons(
        annotator,
        pattern,
        weight_of,
        np.stack(columns, axis=1).astype(np.float64),
        (diags_array(item) @ own).tocsr(),
        (diags_array(1 / divisor) @ others).tocsr(),
        len(weight),
        disagreement,
        table,
        by_item,
    )


def _weighted_disagreement(
    shares: csr_array, code: Integers, others: csr_array, disagreement: Floats
) -> Floats:
    towards = np.asarray(shares @ disagreement)
    rating, label, share = entries_of(others)
    return summed(rating, towards[code[rating], label] * share, len(code))


def chance_disagreement(own: Floats, others: Floats, disagreement: Floats | None) -> Floats:
    """Return the disagreement of own shares (label, ...) with others' shares: ``own' D others``.

    If only equal labels agree, the terms of different labels are added, instead of subtracting the
    equal labels from the total. A single label thus gives exactly 0, and rare labels lose no
    precision.
    """
    return np.asarray((own * towards_labels(others, disagreement)).sum(axis=0))


def towards_labels(shares: Floats, disagreement: Floats | None) -> Floats:
    """Return the disagreement of each label with shares (label, ...) of labels: ``D shares``."""
    if disagreement is not None:
        return np.tensordot(disagreement, shares, axes=(1, 0))
    of_other_labels = np.zeros_like(shares)
    np.cumsum(shares[:-1], axis=0, out=of_other_labels[1:])
    of_other_labels[:-1] += np.cumsum(shares[:0:-1], axis=0)[::-1]
    return of_other_labels


def summed(index: Integers, values: Floats | NDArray[np.bool_], size: int) -> NDArray[np.float64]:
    """Return the sums (size,) of the values with each index."""
    return np.bincount(index, values, minlength=size).astype(np.float64)


def entries_of(table: csr_array) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
    """Return the row, the column and the value of each stored entry."""
    return _rows(table), table.indices.astype(np.intp), table.data


def _rows(table: csr_array) -> NDArray[np.intp]:
    return np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))


def inner(a: csr_array, b: csr_array) -> Floats:
    """Return the inner products of corresponding rows of two matrices."""
    return _by_row(a.multiply(b))


def _by_row(table: csr_array) -> Floats:
    return np.asarray(table.sum(axis=1), dtype=np.float64).reshape(-1)
