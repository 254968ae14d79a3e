"""Overlapping units of two markings: which units are partners, and how partners are labelled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from iaa_jax import _thresholds as thresholds
from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Integers
from iaa_jax.data.marked.documents import Documents, Markings, Pairs
from iaa_jax.data.marked.numbers import expanded, joint
from iaa_jax.wording import command

_SIZES = 3
"""Binary logarithm of the range of a class of span lengths: lengths differ by less than 8 times."""

_DENSE = 1 << 22
"""Number of cells of an assignment problem above which it is solved as a sparse one."""


MOST_COUPLES = 1 << 25
"""Maximum number of couples that are listed: about 4 GB."""


class _Range(NamedTuple):
    pair: NDArray[np.intp]
    span: Integers
    others: NDArray[np.intp]  # spans of one class of lengths
    low: NDArray[np.intp]  # index of the first of these that may overlap
    high: NDArray[np.intp]


class Couples(NamedTuple):
    """Couples of units, one from each marking of a pair: arrays (couple,).

    ``left`` and ``right`` are numbers of the units of the first and second markings, counted over
    all pairs: a unit has a different number in each pair that its marking is in. ``overlap`` is the
    common length, 0 where two points coincide.
    """

    pair: NDArray[np.intp]
    first: Integers  # units
    second: Integers
    left: NDArray[np.intp]
    right: NDArray[np.intp]
    overlap: Integers

    def take(self, kept: NDArray[np.generic]) -> Couples:
        """Return some of the couples."""
        return Couples(*(each[kept] for each in self))


def same_boundaries(couples: Couples, markings: Markings) -> NDArray[np.bool_]:
    """Tell which couples have the same boundaries, in all their parts."""
    boundaries = markings.boundaries
    return np.asarray(boundaries[couples.first] == boundaries[couples.second])


def overlapping(markings: Markings, pairs: Pairs) -> Couples:
    """Return all couples of units that have a place in common, or the same boundaries."""
    row, one, two = _near(markings, pairs)
    start, end = markings.start, markings.end
    overlap = np.minimum(end[one], end[two]) - np.maximum(start[one], start[two])
    kept = (overlap > 0) | ((start[one] == start[two]) & (end[one] == end[two]))
    pair, one, two, overlap = row[kept], one[kept], two[kept], overlap[kept]
    first, second = markings.units.unit[one], markings.units.unit[two]
    if len(markings.units.label_of) < len(markings.start):
        pair, first, second, overlap = _unit_couples(pair, first, second, overlap)
        kept = (overlap > 0) | (markings.boundaries[first] == markings.boundaries[second])
        pair, first, second, overlap = pair[kept], first[kept], second[kept], overlap[kept]
    left = first + _shift(markings, pairs.first)[pair]
    right = second + _shift(markings, pairs.second)[pair]
    return Couples(pair, first, second, left, right, overlap)


def overlaps_of_pairs(markings: Markings, pairs: Pairs) -> NDArray[np.intp]:
    """Return the number of couples of spans to examine in each pair: not many more than overlap."""
    number = np.zeros(len(pairs.first), dtype=np.intp)
    for pair, _, _, low, high in _ranges(markings, pairs):
        number += np.bincount(pair, np.maximum(high - low, 0), len(number)).astype(np.intp)
    return number


def overlap_densely(markings: Markings, pairs: Pairs, met: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Tell which pairs have so many overlaps that matches are found without a list of couples.

    Pairs with discontinuous units are excluded.
    """
    spans, units = np.diff(markings.begins), np.diff(markings.units.begins)
    whole = spans == units
    sizes = spans[pairs.first] + spans[pairs.second]
    many = (met > thresholds.SPANS_MET * sizes) | (met > MOST_COUPLES)
    return np.asarray(whole[pairs.first] & whole[pairs.second] & many)


def _near(
    markings: Markings, pairs: Pairs
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Return the couples of spans of each pair that may overlap: not many more than do overlap."""
    ranges = [*_ranges(markings, pairs)]
    several = sum(int(np.maximum(each.high - each.low, 0).sum()) for each in ranges)
    if several > MOST_COUPLES:
        raise IaaError(
            f"spans of two annotators overlap about {several:,} times, and up to "
            f"{MOST_COUPLES:,} can be compared one by one: leave annotators, labels or documents "
            f"out; where spans have one part each, {command('agree')} measures all its figures but "
            "gate_span_f1 without such a list"
        )
    found = []
    for pair, one, alike, low, high in ranges:
        row, place = expanded(low, high)
        found.append((pair[row], one[row], alike[place]))
    if not found:
        nothing = np.zeros(0, dtype=np.intp)
        return nothing, nothing, nothing
    of, spans, others = (np.concatenate(each) for each in zip(*found, strict=True))
    return of, spans, others


def _ranges(markings: Markings, pairs: Pairs) -> Iterator[_Range]:
    """Yield, for each class of span lengths, the spans that may overlap each first span."""
    pair, one = expanded(markings.begins[pairs.first], markings.begins[pairs.first + 1])
    start, end, last = _comparable(markings)
    begun = markings.marking_of.astype(np.int64) * last + start
    of_second = pairs.second[pair].astype(np.int64) * last
    # a span overlaps only spans that begin within a short stretch before its end, if lengths are
    # similar; one long span would lengthen this stretch for all spans
    sizes = np.frexp(end - start)[1] // _SIZES
    for size in np.unique(sizes):
        alike = np.flatnonzero(sizes == size)
        longest = (end[alike] - start[alike]).max()
        from_place = of_second + np.maximum(start[one] - longest, -1)
        low = np.searchsorted(begun[alike], from_place, side="right")
        yield _Range(pair, one, alike, low, np.searchsorted(begun[alike], of_second + end[one]))


def _comparable(markings: Markings) -> tuple[Integers, Integers, int]:
    """Map starts and ends so that marking and place combine into one sortable number."""
    start, end = markings.start, np.maximum(markings.end, markings.start + 1)
    last = int(end.max(initial=0)) + 1
    if last * (markings.number + 1) < 1 << 62:
        return start, end, last
    places, ranks = np.unique(np.concatenate([start, end]), return_inverse=True)
    ranks = ranks.reshape(-1)
    return ranks[: len(start)], ranks[len(start) :], len(places) + 1


def _unit_couples(
    pair: NDArray[np.intp], first: Integers, second: Integers, overlap: Integers
) -> tuple[NDArray[np.intp], Integers, Integers, Integers]:
    """Convert couples of spans to couples of the units that the spans are parts of."""
    _, found, couple = np.unique(joint(pair, first, second), return_index=True, return_inverse=True)
    total = np.zeros(len(found), dtype=overlap.dtype)
    np.add.at(total, couple.reshape(-1), overlap)
    return pair[found], first[found], second[found], total


def _shift(markings: Markings, of: Integers) -> NDArray[np.intp]:
    """Return the offset that turns the index of a unit into its number over all pairs."""
    begins = markings.units.begins
    counts = (begins[1:] - begins[:-1])[of]
    return np.asarray(np.cumsum(counts) - counts - begins[of])


def most_couples(couples: Couples) -> Couples:
    """Choose as many couples as possible in which no unit occurs twice.

    All largest choices have the same number of couples per pair, and per label if each couple has
    one label.
    """
    from scipy.sparse.csgraph import maximum_bipartite_matching  # slow to load

    alone = _once(couples.left) & _once(couples.right)
    rest = couples.take(~alone)
    (left, lefts), (right, rights) = _dense(rest.left), _dense(rest.right)
    graph = csr_array((np.ones(len(left), dtype=np.int8), (left, right)), shape=(lefts, rights))
    partner = maximum_bipartite_matching(graph, perm_type="column") if len(left) else left
    alone[~alone] = partner[left] == right if len(left) else False
    return couples.take(alone)


def best_couples(couples: Couples, same_label: NDArray[np.bool_]) -> Couples:
    """Maximise couples of equal labels, then couples of other labels, then overlap.

    Each connected component of the overlaps is an assignment problem of its own. Among choices that
    are equal in all three respects, the order of places and labels decides.
    """
    from scipy.sparse.csgraph import connected_components

    (left, lefts), (right, rights) = _dense(couples.left), _dense(couples.right)
    ones = np.ones(len(left), dtype=np.int8)
    graph = csr_array((ones, (left, right + lefts)), shape=(lefts + rights, lefts + rights))
    _, part_of_node = connected_components(graph, directed=False)
    part = part_of_node[left]
    # where all couples of a component share a unit, only one can be taken
    order = np.lexsort([-couples.overlap, ~same_label, part])
    begins = np.flatnonzero(np.diff(part[order], prepend=-1))
    ends = np.append(begins[1:], len(order))
    star = _one_each(left[order], begins) | _one_each(right[order], begins)
    taken = [order[begins[star]]]
    for begin, end in zip(begins[~star].tolist(), ends[~star].tolist(), strict=True):
        among = np.sort(order[begin:end])
        assigned = _assigned(
            *_dense(left[among]), *_dense(right[among]), couples.overlap[among], same_label[among]
        )
        taken.append(among[assigned])
    return couples.take(np.sort(np.concatenate(taken)))


def _assigned(
    row: NDArray[np.intp],
    rows: int,
    column: NDArray[np.intp],
    columns: int,
    overlap: Integers,
    same_label: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Tell which couples of one connected component to take."""
    from scipy.optimize import linear_sum_assignment
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    # weights whose sum ranks choices by couples of equal labels, then by couples, then by overlap
    couple = float(overlap.sum()) + 1
    weight = overlap + couple + same_label * couple * (min(rows, columns) + 1)
    if rows * columns <= _DENSE:
        gain = np.zeros((rows, columns))
        gain[row, column] = weight
        first, second = linear_sum_assignment(gain, maximize=True)
        partner = np.full(rows, -1)
        partner[first] = second
        return np.asarray(partner[row] == column)
    # a row without a partner gets a column of its own, which costs more than any couple
    alone = np.arange(rows)
    cost = np.concatenate([weight.max() + 1 - weight, np.full(rows, weight.max() + 1)])
    places = np.concatenate([row, alone]), np.concatenate([column, columns + alone])
    graph = csr_array((cost, places), shape=(rows, columns + rows))
    partner = min_weight_full_bipartite_matching(graph)[1]
    return np.asarray(partner[row] == column)


def _once(numbers: NDArray[np.intp]) -> NDArray[np.bool_]:
    return np.asarray(np.bincount(numbers)[numbers] == 1)


def _dense(numbers: NDArray[np.intp]) -> tuple[NDArray[np.intp], int]:
    distinct, places = np.unique(numbers, return_inverse=True)
    return places.reshape(-1), len(distinct)


def _one_each(numbers: NDArray[np.intp], begins: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Tell whether all numbers within a range are equal, for each range."""
    if not len(numbers):
        return np.zeros(0, dtype=bool)
    least = np.minimum.reduceat(numbers, begins)
    return np.asarray(least == np.maximum.reduceat(numbers, begins))


def confusions(
    documents: Documents,
    match: str = "strict",
    duplicates: str = "set",
    weight: Floats | None = None,
) -> Floats:
    """Count units by the labels of the first and the second annotator of each pair.

    Every unit of each pair counts exactly once: on the diagonal with a partner of the same label,
    off it with a partner of another label, and without a partner in the last row or column.

    Parameters
    ----------
    documents
        Documents with a column for each annotator; rows of the result are the first of a pair.
    match
        "strict": partners have the same boundaries; "partial": a place in common. The choice
        maximises couples of equal labels, then couples of other labels, then overlap; remaining
        ties are broken by the order of places and labels.
    duplicates
        As in `iaa_jax.data.marked.counts.pair_counts`.
    weight : array (document,), optional
        How much each document counts; 1 by default.

    Returns
    -------
    array (label + 1, label + 1)

    Examples
    --------
    >>> from iaa_jax.data.marked.documents import documents_of
    >>> from iaa_jax.data.as_ratings import span_ratings
    >>> from iaa_jax.data.spans import from_spans
    >>> marked = {"ann": [(0, 5, "PER")], "bob": [(0, 5, "ORG"), (7, 9, "ORG")]}
    >>> names, documents = documents_of(span_ratings(from_spans({"d1": marked})))
    >>> confusions(documents).tolist()  # ORG, PER, none
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    """
    markings, pairs = _counted(documents, duplicates), documents.pairs
    label_of, labels = markings.units.label_of, markings.labels
    couples = partners(documents, match, duplicates)
    of_pair = _pair_weights(documents, weight)
    table = np.zeros((labels + 1, labels + 1))
    cells = label_of[couples.first], label_of[couples.second]
    np.add.at(table, cells, of_pair[couples.pair])
    weights = (
        np.bincount(each, of_pair, minlength=markings.number)[markings.units.marking_of]
        for each in (pairs.first, pairs.second)
    )
    rows, columns = (np.bincount(label_of, each, minlength=labels) for each in weights)
    table[:-1, -1] = rows - table[:-1, :-1].sum(axis=1)
    table[-1, :-1] = columns - table[:-1, :-1].sum(axis=0)
    return table


def partners(documents: Documents, match: str = "strict", duplicates: str = "set") -> Couples:
    """The couples that `confusions` counts for the same arguments."""
    markings = _counted(documents, duplicates)
    couples = overlapping(markings, documents.pairs)
    if match == "strict":
        couples = couples.take(same_boundaries(couples, markings))
    label_of = markings.units.label_of
    return best_couples(couples, label_of[couples.first] == label_of[couples.second])


def units_met(documents: Documents, duplicates: str = "set", weight: Floats | None = None) -> float:
    """Count the units that overlap a unit of the other marking, partner or not, over all pairs.

    ``documents``, ``duplicates`` and ``weight`` are as in `confusions`.
    """
    couples = overlapping(_counted(documents, duplicates), documents.pairs)
    of_pair = _pair_weights(documents, weight)
    found = (np.unique(each, return_index=True)[1] for each in (couples.left, couples.right))
    return float(sum(of_pair[couples.pair[first]].sum() for first in found))


def _counted(documents: Documents, duplicates: str) -> Markings:
    return documents.markings if duplicates == "multiset" else documents.markings.distinct


def _pair_weights(documents: Documents, weight: Floats | None) -> Floats:
    """Return the weight of each pair: that of its document."""
    of_document = np.ones(len(documents.marked)) if weight is None else weight
    return np.asarray(of_document[documents.pairs.document], dtype=np.float64)
