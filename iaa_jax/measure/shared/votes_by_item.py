"""Lists of the annotators who gave each label to an item."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats, Values, Variables
from iaa_jax.data.kind import Kind
from iaa_jax.data.patterns import Codes
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.labels import label_shares

SIDE_BY_SIDE = 40
"""Maximum number of annotators for which each annotator has a column."""

_NAMED = 12
"""Maximum number of annotators named after a label; if more gave it, only their number is given."""


def given_labels(tables: Rated, *, blind: bool = False) -> Variables:
    """Return the labels of each item in one line and, for a few known annotators, by annotator.

    With ``blind``, each label is followed by the number of its annotators, not by their names, and
    there are no labels by annotator.
    """
    of_item = tables.identified.pattern_of
    names = names_of_codes(tables)
    lines = _lines(tables, tables.slot_codes, names, blind)
    variables: Variables = {"votes_by_label": ("item", lines[of_item])}
    few = tables.annotators <= SIDE_BY_SIDE and not blind
    if few and not tables.anonymous:
        variables["label_given"] = (("item", "annotator"), _cells(tables, names)[of_item])
    return variables


def votes_of_items(tables: Rated, items: NDArray[np.intp]) -> Values:
    """Return a line for each item in ``items`` (indices), with the annotators of each label."""
    of_item, slots = tables.identified.pattern_of[items], tables.slot_codes
    owner = None if slots.annotator_of is None else slots.annotator_of[of_item]
    codes = Codes(slots.codes[of_item], slots.distinct, owner)
    return _lines(tables, codes, names_of_codes(tables), blind=False)


def _cells(tables: Rated, names: Values) -> Values:
    """Return the labels that each annotator gave; several votes are joined as "x; x; y"."""
    slots, first = tables.slot_codes, tables.first_votes
    cells = np.full((len(slots.codes), tables.annotators), "", dtype=object)
    rows, places, owner = slots.ratings(first)
    cells[rows, owner] = names[slots.codes[rows, places]]
    rows, places, owner = slots.ratings((slots.codes >= 0) & ~first)
    for *cell, code in zip(rows, owner, slots.codes[rows, places], strict=True):
        cells[tuple(cell)] += f"; {names[code]}"
    return cells


def names_of_codes(tables: Rated) -> Values:
    """Return each distinct rating as text."""
    labels = [str(label) for label in tables.label_names.tolist()]
    if tables.kind is Kind.SETS:
        return np.asarray(tables.labels, dtype=object)
    if tables.kind is Kind.LABELS:
        names = labels
    elif tables.kind is Kind.DOUBLES:
        pairs = (divmod(code, len(labels) + 1) for code in range(tables.codes.distinct))
        names = [_with_second(labels, first, second - 1) for first, second in pairs]
    else:
        names = [
            labels[int(row.argmax())] if row.max() == 1 else _with_shares(labels, row)
            for row in label_shares(tables, sets_as_labels=False)
        ]
    return np.array(names, dtype=object)


def _with_second(labels: list[str], first: int, second: int) -> str:
    return labels[first] if second in (-1, first) else f"{labels[first]} / {labels[second]}"


def _with_shares(labels: list[str], row: Floats) -> str:
    return ", ".join(f"{labels[place]} {row[place]:.2g}" for place in np.flatnonzero(row))


def _lines(tables: Rated, slots: Codes, names: Values, blind: bool) -> Values:
    """List the ratings of each row, the most frequent label first: "x: ann, bob; y: cleo"."""
    row, slot = np.nonzero(slots.codes >= 0)
    owner = slot if slots.annotator_of is None else slots.annotator_of[row, slot]
    rating = row * len(names) + slots.codes[row, slot]
    in_order = np.argsort(rating, kind="stable")
    distinct, first, count = np.unique(rating[in_order], return_index=True, return_counts=True)
    pattern, code = np.divmod(distinct, len(names))
    by_pattern = np.lexsort((code, -count, pattern))
    annotators = [*map(str, tables.annotator_names.tolist())]
    whose = np.array(annotators, dtype=object)[owner[in_order]].tolist()
    limit = 0 if tables.anonymous or blind else _NAMED
    lines: list[list[str]] = [[] for _ in slots.codes]
    columns = (column[by_pattern].tolist() for column in (pattern, names[code], first, count))
    for number, name, start, times in zip(*columns, strict=True):
        givers = ", ".join(whose[start : start + times]) if times <= limit else times
        lines[number].append(f"{name}: {givers}")
    return np.array(["; ".join(line) for line in lines], dtype=object)
