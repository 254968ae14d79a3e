"""Spans that any number of annotators of a document share."""

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
    """The distinct spans that were marked: arrays (span,); and who marked them: arrays (mark,).

    ``unit`` is a unit of the markings with the boundaries of the span; ``label_of`` is the label of
    the span; ``label_tied`` says whether another label is as frequent; ``votes`` counts the
    annotators who marked it, ``exact`` the annotators with exactly these boundaries and this label,
    ``seen`` the annotators who saw the document.
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

    With "partial" matching, the first span is the one that the most annotators overlap with a span
    of the same label. Ties go to the span that the most annotators marked exactly, then to the one
    with the most places in common, then to the first. It takes one span of each of these
    annotators: an identical one, or else the one with the most places in common. The remaining
    spans are searched again. With "boundary" matching a span has its most frequent label.

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
        group, own = _partial(markings, document, annotator, unit)
    else:
        kind = markings.kinds if match == STRICT else markings.boundaries
        _, first, group = np.unique(
            joint(document, kind[unit]), return_index=True, return_inverse=True
        )
        group = group.reshape(-1)
        own = unit[first]
    spans = len(own)
    table = pd.DataFrame({"group": group, "annotator": annotator, "label": label})
    votes = table.drop_duplicates(["group", "annotator"]).groupby("group").size()
    frequent, tied = _labels(table.drop_duplicates(), spans)
    if match == PARTIAL:
        frequent, tied = markings.units.label_of[own], np.zeros(spans, dtype=bool)
    boundaries = markings.boundaries
    exact = (boundaries[unit] == boundaries[own[group]]) & (label == frequent[group])
    whose = np.zeros(spans, dtype=np.int64)
    whose[group] = document
    start, end = markings.extents
    order = np.lexsort([frequent, end[own], start[own], whose])
    place = np.empty(spans, dtype=np.int64)
    place[order] = np.arange(spans)
    seen = (documents.marked >= 0).sum(axis=1)
    return SharedSpans(
        whose[order],
        own[order],
        frequent[order],
        tied[order],
        votes.to_numpy(dtype=np.int64)[order],
        np.bincount(group[exact], minlength=spans)[order],
        seen[whose[order]],
        place[group],
        annotator,
    )


def parts_of_units(markings: Markings, units: Iterable[int]) -> list[tuple[Part, ...]]:
    """Return the parts of each unit, as pairs of start and end, in order."""
    order = np.lexsort([markings.end, markings.start, markings.units.unit])
    begins = np.searchsorted(
        markings.units.unit[order], np.arange(len(markings.units.label_of) + 1)
    ).tolist()
    start, end = markings.start[order].tolist(), markings.end[order].tolist()
    ends = [slice(begins[unit], begins[unit + 1]) for unit in units]
    return [tuple(zip(start[part], end[part], strict=True)) for part in ends]


def _labels(table: pd.DataFrame, spans: int) -> tuple[Integers, NDArray[np.bool_]]:
    """Return each span's most frequent label (the first of a tie), and whether it is tied."""
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
    """Return the group of each mark, and the unit whose boundaries each group has."""
    start, end = (each[unit] for each in markings.extents)
    label = markings.units.label_of[unit]
    order = np.lexsort([end, start, label, document])
    key = joint(document, label)[order]
    reached = pd.Series(end[order]).groupby(key).cummax().groupby(key).shift()
    # spans that only touch stay together here, and are separated below
    begins = np.flatnonzero((reached.isna() | (start[order] > reached)).to_numpy())
    group = np.empty(len(unit), dtype=np.int64)
    own: list[int] = []
    parts, whose, units = parts_of_units(markings, unit.tolist()), annotator.tolist(), unit.tolist()
    for stretch in np.split(order, begins[1:]) if len(order) else ():
        marks = stretch.tolist()
        for taken, mark in _clusters([parts[m] for m in marks], [whose[m] for m in marks]):
            group[[marks[each] for each in taken]] = len(own)
            own.append(units[marks[mark]])
    return group, np.array(own, dtype=np.int64)


class _Choice(NamedTuple):
    """The quality of a span, the marks that it takes, and the mark that has its boundaries."""

    score: tuple[int, int, int]
    taken: list[int]
    mark: int


def _clusters(
    parts: Sequence[tuple[Part, ...]], annotators: Sequence[int]
) -> Iterator[tuple[list[int], int]]:
    """Group the marks of one stretch and label into spans, each with the mark that bounds it."""
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

    choices = {mark: choice_of(mark) for mark in spans}  # in order: ties go to the first
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
    """Return the marks that each mark overlaps or equals, and the number of common places.

    Marks are in the order of ``spans``, and each is its own neighbour.
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
    """Return the number of places that two units have in common."""
    return sum(max(0, min(b, d) - max(a, c)) for a, b in one for c, d in other)
