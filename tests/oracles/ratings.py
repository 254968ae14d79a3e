"""The form of the ratings that every oracle reads, and the agreement of two of them.

A cell is ``None`` (not rated) or a dict from label to mass. One label is ``{label: 1.0}``, a
primary and a secondary label are ``{primary: p, secondary: 1 - p}``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

Label = Any
"""Text, a number, or a frozenset of labels."""

Cell = dict[Label, float] | None
Ratings = Sequence[Sequence[Cell]]
LabelFunction = Callable[[Label, Label], float]
"""An agreement or a distance between two labels."""

NAN = float("nan")


class OracleResult(NamedTuple):
    """A coefficient with its two parts; an undefined one has the estimate NaN."""

    estimate: float
    observed: float
    expected: float


def single_labels(rows: Sequence[Sequence[Label | None]]) -> list[list[Cell]]:
    """One label per rating.

    >>> single_labels([["a", None]])
    [[{'a': 1.0}, None]]
    """
    return [[None if label is None else {label: 1.0} for label in row] for row in rows]


def primary_secondary(
    rows: Sequence[Sequence[tuple[Label, Label | None] | None]], p: float
) -> list[list[Cell]]:
    """Pairs (primary, secondary or None); a primary label alone has the whole mass.

    >>> primary_secondary([[("a", "b"), ("a", None), None]], p=0.75)
    [[{'a': 0.75, 'b': 0.25}, {'a': 1.0}, None]]
    """

    def cell(pair: tuple[Label, Label | None] | None) -> Cell:
        if pair is None:
            return None
        primary, secondary = pair
        return {primary: 1.0} if secondary is None else {primary: p, secondary: 1.0 - p}

    return [[cell(pair) for pair in row] for row in rows]


def label_sets(rows: Sequence[Sequence[Sequence[Label] | None]]) -> list[list[Cell]]:
    """Collections of labels: each distinct set is one label.

    >>> label_sets([[["a", "b"], None]]) == [[{frozenset({"a", "b"}): 1.0}, None]]
    True
    """
    return [[None if found is None else {frozenset(found): 1.0} for found in row] for row in rows]


def identity(first: Label, second: Label) -> float:
    """Nominal labels agree when they are the same."""
    return 1.0 if first == second else 0.0


def complement(function: LabelFunction) -> LabelFunction:
    """The distance of an agreement, and the agreement of a distance."""
    return lambda first, second: 1.0 - function(first, second)


def masses(cell: Cell) -> dict[Label, float]:
    """Return the masses of a rating that is known to be there."""
    assert cell is not None
    return cell


def between(first: Cell, second: Cell, of: LabelFunction) -> float:
    """Agreement (or distance) of two ratings: every label of one with every label of the other."""
    total = 0.0
    for label, mass in masses(first).items():
        for other_label, other_mass in masses(second).items():
            total += mass * other_mass * of(label, other_label)
    return total


def ones_unless(weight: Sequence[float] | None, count: int) -> list[float]:
    """Return the weights, or ones where none are given."""
    return [1.0] * count if weight is None else list(weight)


def annotators_in(ratings: Ratings) -> int:
    """Number of columns."""
    return len(ratings[0])


def raters(row: Sequence[Cell], annotator_weight: Sequence[float]) -> list[int]:
    """Annotators whose rating of this item counts: rated, with a weight above zero."""
    return [a for a, cell in enumerate(row) if cell is not None and annotator_weight[a] > 0]


def corrected(disagreement: float, chance_disagreement: float) -> OracleResult:
    """One minus observed over expected disagreement; 0/0 and x/0 are undefined."""
    if disagreement != disagreement or chance_disagreement != chance_disagreement:
        return OracleResult(NAN, 1.0 - disagreement, 1.0 - chance_disagreement)
    if chance_disagreement == 0.0:
        return OracleResult(NAN, 1.0 - disagreement, 1.0)
    estimate = 1.0 - disagreement / chance_disagreement
    return OracleResult(estimate, 1.0 - disagreement, 1.0 - chance_disagreement)
