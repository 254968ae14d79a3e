"""Find the distinct spans of documents, and count the annotators who marked each of them.

A marking is all that an annotator marked in a document, a unit is one or several spans with a
label, and a place is a position in a document, such as a character or a token.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from iaa_jax._types import Integers
from iaa_jax.catalog.labelling import PARTIAL, STRICT
from iaa_jax.data.marked.documents import Documents, Markings
from iaa_jax.data.marked.numbers import expanded, joint

Part = tuple[int, int]


class SharedSpans(NamedTuple):
    """The distinct spans of documents, and the marks (annotators' units) that they consist of.

    Attributes
    ----------
    document : array (span,)
        The document of each span.
    unit : array (span,)
        A unit of the markings with the boundaries of the span.
    label_of, label_tied : array (span,)
        The most frequent label of the span, and whether another label is as frequent.
    votes, exact, seen : array (span,)
        Number of annotators who marked the span, of those who marked exactly these boundaries and
        this label, and of annotators who saw the document.
    span_of, annotator_of : array (mark,)
        The span and the annotator of each mark.
    """

    document: Integers
    unit: Integers
    label_of: Integers
    label_tied: NDArray[np.bool_]
    votes: Integers
    exact: Integers
    seen: Integers
    span_of: Integers
    annotator_of: Integers


def shared_spans(documents: Documents, match: str = STRICT) -> SharedSpans:
    """Return the spans of each document, and the number of annotators who marked each span.

    With "partial" matching, each span is built around a mark (a unit of an annotator). The first
    span is built around the mark that overlaps marks with the same label by the largest number of
    annotators. If marks tie, the number of identical marks decides, then the number of common
    places, then the order of places. The span consists of this mark and of one mark by each of
    these annotators: an identical mark, or else the mark with the most places in common. The search
    continues with the remaining marks. With "boundary" matching, a span has its most frequent
    label.

    Examples
    --------
    >>> from iaa_jax.data.marked.documents import documents_of
    >>> from iaa_jax.data.as_ratings import span_ratings
    >>> from iaa_jax.data.spans import from_spans
    >>> marked = {"ann": [(0, 5, "x")], "bob": [(0, 5, "x"), (8, 9, "x")], "cleo": [(1, 5, "x")]}
    >>> _, documents = documents_of(span_ratings(from_spans({"d": marked})))
    >>> [shared_spans(documents, match).votes.tolist() for match in ("strict", "partial")]
    [[2, 1, 1], [3, 1]]
    """
    markings = documents.markings.distinct
    at, column = np.nonzero(documents.marked >= 0)
    marking = documents.marked[at, column]
    row, unit = expanded(markings.units.begins[marking], markings.units.begins[marking + 1])
    document, annotator = at[row], column[row]
    label = markings.units.label_of[unit]
    if match == PARTIAL:
        group, bounding = _partial(markings, document, annotator, unit)
    else:
        kind = markings.kinds if match == STRICT else markings.boundaries
        _, first, group = np.unique(
            joint(document, kind[unit]), return_index=True, return_inverse=True
        )
        group = group.reshape(-1)
        bounding = unit[first]
    spans = len(bounding)
    table = pd.DataFrame({"group": group, "annotator": annotator, "label": label})
    votes = table.drop_duplicates(["group", "annotator"]).groupby("group").size()
    frequent, tied = _labels(table.drop_duplicates(), spans)
    if match == PARTIAL:
        frequent, tied = markings.units.label_of[bounding], np.zeros(spans, dtype=bool)
    boundaries = markings.boundaries
    exact = (boundaries[unit] == boundaries[bounding[group]]) & (label == frequent[group])
    whose = np.zeros(spans, dtype=np.int64)
    whose[group] = document
    start, end = markings.extents
    order = np.lexsort([frequent, end[bounding], start[bounding], whose])
    place = np.empty(spans, dtype=np.int64)
    place[order] = np.arange(spans)
    seen = (documents.marked >= 0).sum(axis=1)
    return SharedSpans(
        whose[order],
        bounding[order],
        frequent[order],
        tied[order],
        votes.to_numpy(dtype=np.int64)[order],
        np.bincount(group[exact], minlength=spans)[order],
        seen[whose[order]],
        place[group],
        annotator,
    )


def parts_of_units(markings: Markings, units: Iterable[int]) -> list[tuple[Part, ...]]:
    """Return the parts of each of the units, in order, as pairs of start and end."""
    order = np.lexsort([markings.end, markings.start, markings.units.unit])
    begins = np.searchsorted(
        markings.units.unit[order], np.arange(len(markings.units.label_of) + 1)
    ).tolist()
    start, end = markings.start[order].tolist(), markings.end[order].tolist()
    ends = [slice(begins[unit], begins[unit + 1]) for unit in units]
    return [tuple(zip(start[part], end[part], strict=True)) for part in ends]


def _labels(table: pd.DataFrame, spans: int) -> tuple[Integers, NDArray[np.bool_]]:
    """Return the most frequent label of each span, and whether another label is as frequent."""
    count = table.groupby(["group", "label"]).size().reset_index(name="count")
    most = count.groupby("group")["count"].transform("max")
    leads = count[count["count"] == most]
    label = np.zeros(spans, dtype=np.int64)
    first = leads.drop_duplicates("group")
    label[first["group"]] = first["label"]
    return label, np.bincount(leads["group"], minlength=spans) > 1


def _partial(
    markings: Markings, document: Integers, annotator: Integers, unit: Integers
) -> tuple[Integers, Integers]:
    """Return the span of each mark in partial matching, and the unit that bounds each span."""
    start, end = (each[unit] for each in markings.extents)
    label = markings.units.label_of[unit]
    order = np.lexsort([end, start, label, document])
    key = joint(document, label)[order]
    reached = pd.Series(end[order]).groupby(key).cummax().groupby(key).shift()
    # marks that only touch are in the same stretch here, and are separated below
    begins = np.flatnonzero((reached.isna() | (start[order] > reached)).to_numpy())
    group = np.empty(len(unit), dtype=np.int64)
    bounding: list[int] = []
    parts, whose, units = parts_of_units(markings, unit.tolist()), annotator.tolist(), unit.tolist()
    for stretch in np.split(order, begins[1:]) if len(order) else ():
        marks = stretch.tolist()
        for taken, mark in _clusters([parts[m] for m in marks], [whose[m] for m in marks]):
            group[[marks[each] for each in taken]] = len(bounding)
            bounding.append(units[marks[mark]])
    return group, np.array(bounding, dtype=np.int64)


class _Choice(NamedTuple):
    """A possible span: its score, the marks that it consists of, and the mark with its boundaries.

    The score is the number of annotators, of identical marks, and of common places.
    """

    score: tuple[int, int, int]
    taken: list[int]
    mark: int


def _clusters(
    parts: Sequence[tuple[Part, ...]], annotators: Sequence[int]
) -> Iterator[tuple[list[int], int]]:
    """Yield the spans among marks of one label: the marks of each, and the mark that bounds it."""
    if len(set(parts)) == 1 and len(set(annotators)) == len(parts):
        yield [*range(len(parts))], 0
        return
    spans = sorted(range(len(parts)), key=lambda mark: (parts[mark], annotators[mark]))
    near = _near(parts, spans)
    left = set(spans)

    def choice_of(mark: int) -> _Choice:
        partner: dict[int, tuple[tuple[bool, int], int]] = {}
        for other, common in near[mark]:
            value = (parts[other] == parts[mark], common)
            known = partner.get(annotators[other])
            if other in left and (known is None or value > known[0]):
                partner[annotators[other]] = (value, other)
        values = [value for value, _ in partner.values()]
        score = len(values), sum(same for same, _ in values), sum(many for _, many in values)
        return _Choice(score, [other for _, other in partner.values()], mark)

    choices = {mark: choice_of(mark) for mark in spans}  # in order, so that the first of a tie wins
    while choices:
        best = max(choices.values(), key=lambda choice: choice.score)
        yield best.taken, best.mark
        left.difference_update(best.taken)
        for mark in best.taken:
            del choices[mark]
        for mark in {mark for each in best.taken for mark, _ in near[each]} & left:
            choices[mark] = choice_of(mark)


def _near(
    parts: Sequence[tuple[Part, ...]], spans: Sequence[int]
) -> dict[int, list[tuple[int, int]]]:
    """Return the marks that each mark overlaps or equals, with the numbers of common places.

    Each mark is also among its own neighbours.
    """
    near: dict[int, list[tuple[int, int]]] = {mark: [] for mark in spans}
    for place, mark in enumerate(spans):
        last = max(end for _, end in parts[mark])
        for other in spans[place:]:
            if parts[other][0][0] > last:
                break
            common = _common(parts[mark], parts[other])
            if common or parts[mark] == parts[other]:
                near[mark].append((other, common))
                if other != mark:
                    near[other].append((mark, common))
    return near


def _common(one: tuple[Part, ...], other: tuple[Part, ...]) -> int:
    return sum(max(0, min(b, d) - max(a, c)) for a, b in one for c, d in other)
