"""Recognises missing cells of text files, and converts columns of cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Integers, Values
from iaa_jax.data.factorize import Column
from iaa_jax.data.label_names import names_by_value
from iaa_jax.data.label_values import scores_of_one
from iaa_jax.data.labels import Label, parse_number
from iaa_jax.wording import Note, keyword

# Cells of label and annotator columns that mean "missing", unless declared as labels.
MISSING = frozenset({"", "NA", "N/A", "NaN", "nan", "None", "null", ".", "*"})

# numbers with or without a decimal comma, as in "3,5"; in "3,500", the comma may mark thousands
_COMMA = re.compile(r"[+-]?\d*,\d+|[+-]?\d+")
_VECTOR = re.compile(r"[01](,\s*[01])+")
_SURE = re.compile(r"[+-]?\d*,(\d{1,2}|\d{4,})|[+-]?0?,\d+")


@dataclass(frozen=True)
class Missing:
    """Cells that mean "missing": texts, and numbers in any spelling."""

    texts: frozenset[str] = field(default=MISSING)
    numbers: frozenset[float] = frozenset()

    def __contains__(self, cell: str) -> bool:
        """Tell whether a cell, without surrounding blanks, is missing."""
        return cell in self.texts or (bool(self.numbers) and parse_number(cell) in self.numbers)

    def none_of(self, cells: Sequence[str]) -> bool:
        """Tell whether no cell is missing."""
        if not self.texts.isdisjoint(cells):
            return False
        return not self.numbers or not any(parse_number(cell) in self.numbers for cell in cells)


class Rows(Protocol):
    """Rows of a file, with cells in columns."""

    def where(self, row: int) -> str:
        """Return where a row is, for messages."""

    def column(self, name: str, missing: Missing) -> Column:
        """Return a column: the code of each row, and the distinct cells."""


# Item ids are missing only if blank, since "NA" or "null" may be the rated word.
BLANK = Missing(frozenset({""}))


def is_word(value: object) -> bool:
    """Tell whether a value is text, except for truth values and usual words for "missing"."""
    if not isinstance(value, str) or value.strip() in MISSING:
        return False
    return value.strip().casefold() not in ("true", "false")


def missing_labels(
    labels: Sequence[object] | None, given: Sequence[object] | None = None
) -> Missing:
    """Return the cells that mean "not rated": the usual ones that are no label, and ``given``.

    Examples
    --------
    >>> missing = missing_labels(["NA", "b"], [-1])
    >>> "NA" in missing, "N/A" in missing, "-1.0" in missing
    (False, True, True)
    """
    declared = {str(label).strip() for label in labels or ()}
    codes = {str(code).strip() for code in given or ()}
    both = sorted(declared & codes)
    if both:
        raise IaaError(f"{shown(both)} cannot be both a label and a code for missing")
    numbers = {number for code in codes if (number := parse_number(code)) is not None}
    return Missing(frozenset((MISSING - declared) | codes), frozenset(numbers))


def as_numbers(labels: Sequence[object]) -> list[object]:
    """Convert labels to numbers if all are numeric; otherwise unify the spelling of numbers.

    Examples
    --------
    >>> as_numbers(["1", "2.5"]), as_numbers(["1.0", "b"])
    ([1, 2.5], ['1', 'b'])
    """
    spelt = [parse_number(str(label)) for label in labels]
    if None not in spelt:
        return list(spelt)
    names = names_by_value(map(str, labels))
    return [names.get(str(label), label) for label in labels]


def with_decimal_points(columns: Sequence[Column]) -> list[Column] | None:
    """Convert decimal commas to points; None if that is impossible.

    All cells must be numbers, and at least one comma must certainly be decimal.

    Examples
    --------
    >>> with_decimal_points([([0, 1], ["3,5", "4"])])
    [([0, 1], ['3.5', '4'])]
    >>> with_decimal_points([([0, 1], ["1,000", "4"])]) is None
    True
    """
    texts = [str(cell) for _, distinct in columns for cell in distinct]
    if texts and all(map(_VECTOR.fullmatch, texts)):
        raise IaaError(
            f"cells such as {texts[0]!r} may be vectors, where each position is a label, or "
            f"numbers: give {keyword('separator', ',')} for vectors, or write numbers with points"
        )
    if not any("," in text for text in texts) or not all(map(_COMMA.fullmatch, texts)):
        return None
    if not any(map(_SURE.fullmatch, texts)):
        return None
    return [
        (codes, [str(cell).replace(",", ".") for cell in distinct]) for codes, distinct in columns
    ]


def with_plain_numbers(
    columns: Sequence[Column], labels: Sequence[object] | None
) -> tuple[list[Column], list[Note]]:
    """Convert decimal commas, or scores such as "7/10", to plain numbers, with a note.

    Examples
    --------
    >>> with_plain_numbers([([0, 1], ["7/10", "10/10"])], None)[0]
    [([0, 1], ['7', '10'])]
    """
    if labels is not None:
        return list(columns), []
    points = with_decimal_points(columns)
    if points is not None:
        return points, [Note("read_decimal_commas")]
    texts = [str(cell) for _, distinct in columns for cell in distinct]
    score_of = scores_of_one(texts)
    if len(score_of) < max(2, len({*texts})):
        return list(columns), []
    first = texts[0]
    plain: list[Column] = [
        (codes, [score_of[str(cell)] for cell in distinct]) for codes, distinct in columns
    ]
    return plain, [Note("read_scores", {"example": first, "number": score_of[first]})]


def names(column: Column) -> tuple[Integers, Values]:
    """Return a column with its distinct cells as an array."""
    codes, distinct = column
    texts = np.empty(len(distinct), dtype=object)
    texts[:] = distinct
    return codes, texts


def merge_columns(columns: Sequence[Column]) -> tuple[Integers, list[Label]]:
    """Combine columns into one grid of codes, which index a common list of distinct cells.

    The codes of one of the ``columns`` may be a grid themselves.

    Examples
    --------
    >>> merge_columns([([0, 1], ["b", "a"]), (np.array([[0, 1], [-1, 0]]), ["a", "c"])])
    (array([[ 0,  1,  2],
           [ 1, -1,  1]], dtype=int8), ['b', 'a', 'c'])
    """
    index: dict[Label, int] = {}
    lookups = [
        [*(index.setdefault(cell, len(index)) for cell in distinct), -1] for _, distinct in columns
    ]
    dtype = np.min_scalar_type(-max(1, len(index)))
    grids = [np.asarray(codes).reshape(len(codes), -1) for codes, _ in columns]
    ends = np.cumsum([0, *(codes.shape[1] for codes in grids)])
    grid = np.empty((len(grids[0]), ends[-1]), dtype=dtype)
    for start, end, codes, lookup in zip(ends[:-1], ends[1:], grids, lookups, strict=True):
        if lookup[:-1] == list(range(len(lookup) - 1)):
            grid[:, start:end] = codes
        else:
            # code -1 (missing) takes the last entry of the lookup, which is -1 too
            grid[:, start:end] = np.array(lookup, dtype=dtype).take(codes)
    return grid, list(index)


def keep_used(column: Column, keep: NDArray[np.bool_]) -> Column:
    """Set cells outside `keep` to missing, and remove values that no longer occur."""
    codes, distinct = column
    again, codes_used = pd.factorize(np.where(keep & (codes >= 0), codes, -1))
    lookup = np.where(codes_used < 0, -1, np.cumsum(codes_used >= 0) - 1)
    return lookup[again], [distinct[code] for code in codes_used if code >= 0]


def slot_names(count: int, noun: str = "rating") -> Values:
    """Return names for numbered slots, such as "rating 1" for the first rating of an item."""
    return np.array([f"{noun} {number}" for number in range(1, count + 1)], dtype=object)
