"""Find overlapping units of two markings, match them one to one, and count their labels.

A marking is what one annotator marked in one document, a unit is one or several spans with a label,
and a couple is two units, one from each of the two markings.
"""

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
"""Spans are in classes of length: within a class, lengths differ by less than a factor of 2^3."""

_DENSE = 1 << 22
"""Maximum number of cells of an assignment problem that is solved with a dense matrix."""


MOST_COUPLES = 1 << 25
"""Maximum number of couples that are listed, which take about 4 GB."""


class _Range(NamedTuple):
    """For each span of the first markings, the spans of one class of lengths that may overlap it.

    ``pair`` is the pair of markings, and ``span`` a span of its first marking. The spans of the
    second marking that may overlap it are ``others[low]`` up to, but not including,
    ``others[high]``.
    """

    pair: NDArray[np.intp]
    span: Integers
    others: NDArray[np.intp]
    low: NDArray[np.intp]
    high: NDArray[np.intp]


class Couples(NamedTuple):
    """Couples of units, one from each marking of a pair: arrays (couple,).

    ``first`` and ``second`` are the units. ``left`` and ``right`` are further numbers of the two
    units, by which a unit has a different number in each pair. ``overlap`` is the common length,
    which is 0 for two points at the same place.
    """

    pair: NDArray[np.intp]
    first: Integers
    second: Integers
    left: NDArray[np.intp]
    right: NDArray[np.intp]
    overlap: Integers

    def take(self, kept: NDArray[np.generic]) -> Couples:
        """Return only the couples that ``kept`` selects, as a mask or as positions."""
        return Couples(*(each[kept] for each in self))


def same_boundaries(couples: Couples, markings: Markings) -> NDArray[np.bool_]:
    """Tell which couples consist of units with the same boundaries of all parts."""
    boundaries = markings.boundaries
    return np.asarray(boundaries[couples.first] == boundaries[couples.second])


def overlapping(markings: Markings, pairs: Pairs) -> Couples:
    """Return all couples of units that share a place, or have the same boundaries."""
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
    """Return an upper bound of the number of overlapping couples of spans in each pair."""
    number = np.zeros(len(pairs.first), dtype=np.intp)
    for pair, _, _, low, high in _ranges(markings, pairs):
        number += np.bincount(pair, np.maximum(high - low, 0), len(number)).astype(np.intp)
    return number


def overlap_densely(markings: Markings, pairs: Pairs, met: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Tell for which pairs of markings a sweep matches faster than a list of couples.

    These are pairs with many overlaps (``met`` is their number, or an upper bound) and without
    discontinuous units.
    """
    spans, units = np.diff(markings.begins), np.diff(markings.units.begins)
    whole = spans == units
    sizes = spans[pairs.first] + spans[pairs.second]
    many = (met > thresholds.SPANS_MET * sizes) | (met > MOST_COUPLES)
    return np.asarray(whole[pairs.first] & whole[pairs.second] & many)


def _near(
    markings: Markings, pairs: Pairs
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Return the couples of spans that may overlap: their pair, and both spans."""
    ranges = [*_ranges(markings, pairs)]
    couples = sum(int(np.maximum(each.high - each.low, 0).sum()) for each in ranges)
    if couples > MOST_COUPLES:
        raise IaaError(
            f"spans of two annotators overlap about {couples:,} times, and up to "
            f"{MOST_COUPLES:,} can be compared one by one: leave annotators, labels or documents "
            f"out; if spans have one part each, {command('agree')} measures all its figures except "
            "gate_span_f1 without this limit"
        )
    parts = []
    for pair, one, same_class, low, high in ranges:
        row, place = expanded(low, high)
        parts.append((pair[row], one[row], same_class[place]))
    if not parts:
        empty = np.zeros(0, dtype=np.intp)
        return empty, empty, empty
    of, spans, others = (np.concatenate(each) for each in zip(*parts, strict=True))
    return of, spans, others


def _ranges(markings: Markings, pairs: Pairs) -> Iterator[_Range]:
    """Yield, for each class of lengths, the spans that may overlap each span of a first marking."""
    pair, one = expanded(markings.begins[pairs.first], markings.begins[pairs.first + 1])
    start, end, last = _comparable(markings)
    begun = markings.marking_of.astype(np.int64) * last + start
    of_second = pairs.second[pair].astype(np.int64) * last
    # spans that overlap a span begin before its end, and after its start minus the longest length;
    # classes of lengths keep a single long span from widening this range for all spans
    sizes = np.frexp(end - start)[1] // _SIZES
    for size in np.unique(sizes):
        same_class = np.flatnonzero(sizes == size)
        longest = (end[same_class] - start[same_class]).max()
        from_place = of_second + np.maximum(start[one] - longest, -1)
        low = np.searchsorted(begun[same_class], from_place, side="right")
        yield _Range(
            pair, one, same_class, low, np.searchsorted(begun[same_class], of_second + end[one])
        )


def _comparable(markings: Markings) -> tuple[Integers, Integers, int]:
    """Return starts, ends, and a bound above both.

    If an integer cannot hold a marking and a place, the places are replaced by their ranks.
    """
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
    _, kept, couple = np.unique(joint(pair, first, second), return_index=True, return_inverse=True)
    total = np.zeros(len(kept), dtype=overlap.dtype)
    np.add.at(total, couple.reshape(-1), overlap)
    return pair[kept], first[kept], second[kept], total


def _shift(markings: Markings, of: Integers) -> NDArray[np.intp]:
    """Return the offset of each pair from the index of a unit to its number over all pairs."""
    begins = markings.units.begins
    counts = (begins[1:] - begins[:-1])[of]
    return np.asarray(np.cumsum(counts) - counts - begins[of])


def most_couples(couples: Couples) -> Couples:
    """Return as many couples as possible in which no unit occurs twice.

    The number of couples in each pair of markings is the same for every such choice. If all couples
    have units with equal labels, so is the number of couples with each label.
    """
    from scipy.sparse.csgraph import maximum_bipartite_matching  # slow to load

    alone = _once(couples.left) & _once(couples.right)
    rivals = couples.take(~alone)
    (left, lefts), (right, rights) = _dense(rivals.left), _dense(rivals.right)
    graph = csr_array((np.ones(len(left), dtype=np.int8), (left, right)), shape=(lefts, rights))
    partner = maximum_bipartite_matching(graph, perm_type="column") if len(left) else left
    alone[~alone] = partner[left] == right if len(left) else False
    return couples.take(alone)


def best_couples(couples: Couples, same_label: NDArray[np.bool_]) -> Couples:
    """Return couples in which no unit occurs twice, chosen by labels, number and overlap.

    The choice maximises the number of couples with equal labels, then the number of all couples,
    then the overlap. If choices tie, the order of places and labels decides.
    """
    from scipy.sparse.csgraph import connected_components

    (left, lefts), (right, rights) = _dense(couples.left), _dense(couples.right)
    ones = np.ones(len(left), dtype=np.int8)
    graph = csr_array((ones, (left, right + lefts)), shape=(lefts + rights, lefts + rights))
    _, part_of_node = connected_components(graph, directed=False)
    part = part_of_node[left]
    # if all couples of a component share a unit, only the best couple can be chosen
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
    from scipy.optimize import linear_sum_assignment
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    # the sum of these weights ranks choices by couples with equal labels, all couples, and overlap
    couple = float(overlap.sum()) + 1
    weight = overlap + couple + same_label * couple * (min(rows, columns) + 1)
    if rows * columns <= _DENSE:
        gain = np.zeros((rows, columns))
        gain[row, column] = weight
        first, second = linear_sum_assignment(gain, maximize=True)
        partner = np.full(rows, -1)
        partner[first] = second
        return np.asarray(partner[row] == column)
    # each row also gets a column that stands for no partner, at a higher cost than any couple
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
    """Count matched units by the labels of the first and the second annotator of each pair.

    A couple of matched units counts on the diagonal if the labels are equal, otherwise off the
    diagonal. A unit without a partner counts in the last row or column.

    With "strict" matching, matched units have the same boundaries; with "partial", they share a
    place or have the same boundaries. `best_couples` chooses the couples. ``weight`` (document,) is
    how much each document counts. The result is (label + 1, label + 1), with the labels of the
    first annotator as rows.

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
    """Return the couples of matched units that `confusions` counts, for the same arguments."""
    markings = _counted(documents, duplicates)
    couples = overlapping(markings, documents.pairs)
    if match == "strict":
        couples = couples.take(same_boundaries(couples, markings))
    label_of = markings.units.label_of
    return best_couples(couples, label_of[couples.first] == label_of[couples.second])


def units_met(documents: Documents, duplicates: str = "set", weight: Floats | None = None) -> float:
    """Return the number of units of all pairs that overlap a unit of the other marking.

    Such units count whether or not they are matched.
    """
    couples = overlapping(_counted(documents, duplicates), documents.pairs)
    of_pair = _pair_weights(documents, weight)
    firsts = (np.unique(each, return_index=True)[1] for each in (couples.left, couples.right))
    return float(sum(of_pair[couples.pair[first]].sum() for first in firsts))


def _counted(documents: Documents, duplicates: str) -> Markings:
    return documents.markings if duplicates == "multiset" else documents.markings.distinct


def _pair_weights(documents: Documents, weight: Floats | None) -> Floats:
    of_document = np.ones(len(documents.marked)) if weight is None else weight
    return np.asarray(of_document[documents.pairs.document], dtype=np.float64)
