"""Code the values of ratings as labels, for all constructors and file formats."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Integers, Values
from iaa_jax.data.factorize import Column
from iaa_jax.data.label_names import (
    bare,
    names_as_declared,
    names_by_value,
    note_on_one,
    note_on_several,
)
from iaa_jax.data.label_values import (
    AS_WHOLE,
    EXACT as EXACT,
    Label as Label,
    label_value,
    listed,
    parse_number as parse_number,
    refuse_no_text,
)
from iaa_jax.wording import Note, named
from iaa_jax.wording.formats import counted

Where = Callable[[int], str]
"""A function that describes a flat position in messages, as in "item 'x', annotator 'y'"."""

CODES_END = 2**64  # larger floats were not converted from integers of 64 bits, and are allowed
OFFENDERS = 3  # maximum number of wrong positions that a message describes
TRUTHS = {"False", "True"}


@dataclass(frozen=True)
class CodedLabels:
    """Columns of label codes (-1: missing), and the labels that the codes refer to.

    ``declared`` says whether the user declared the labels, and ``ordered`` whether they have a
    meaningful order, because it was declared or the labels are numbers.
    """

    codes: tuple[NDArray[np.signedinteger], ...]
    values: Values
    declared: bool
    ordered: bool
    notes: tuple[Note, ...] = ()


def code_columns(
    columns: Sequence[Column], labels: Sequence[object] | None, where: Where, *, parse: bool = False
) -> CodedLabels:
    """Code flat columns of values with one set of labels.

    Parameters
    ----------
    columns
        Factorized columns of the same length: the primary labels, then any secondary labels.
    labels
        The declared labels in their order; if None, the labels that occur: numbers ascending, or
        text alphabetically. If numbers and text are mixed, all labels become text, and all
        spellings of a number are one label (`names_by_value`).
    parse
        Whether text that spells a number is read as a number, as in files. Labels become numbers if
        all values spell numbers; otherwise all spellings of a number are one label.
    """
    distinct = [value for _, known in columns for value in known]
    notes: tuple[Note, ...] = ()
    if labels is None and _truths_beside_numbers(distinct):
        distinct = [_as_declared_number(value) for value in distinct]
        notes = (Note("truths_as_numbers", {}, "caution"),)
    if labels is None:
        keys, values = _occurring_labels(distinct, parse)
        notes += _notes_on_spelling(distinct, keys, parse)
    else:
        keys, values = _declared_labels(distinct, labels, parse)
    refuse_no_text([value for value in values if isinstance(value, str)])
    _refuse_infinite(columns, keys, where)
    _refuse_inexact(columns, where)
    position = {value: code for code, value in enumerate(values)}
    codes_of_keys = np.array([position.get(key, -2) for key in keys] + [-1])
    if labels is not None:
        _refuse_unknown(columns, codes_of_keys, values, where)
    dtype = next(t for t in (np.int8, np.int16, np.int32) if len(values) <= np.iinfo(t).max)
    codes: list[NDArray[np.signedinteger]] = []
    start = 0
    for index, known in columns:
        # the last entry is for index -1, the missing values
        of_column = codes_of_keys[start : start + len(known)]
        if np.array_equal(of_column, np.arange(len(of_column))):
            codes.append(np.asarray(index).astype(dtype, copy=False))
        else:
            lookup: NDArray[np.signedinteger] = np.append(of_column, -1).astype(dtype)
            codes.append(lookup.take(index))
        start += len(known)
    numeric = _are_numbers(values)
    return CodedLabels(
        codes=tuple(codes),
        values=label_array(values),
        declared=labels is not None,
        ordered=labels is not None or (numeric and bool(values)),
        notes=notes,
    )


def label_text(label: object) -> str:
    """Return a label as text; whole numbers have no decimals."""
    return str(int(label) if isinstance(label, float) and label.is_integer() else label)


def undeclared(
    known: Sequence[Label], labels: Sequence[object], *, parse: bool = False
) -> list[int]:
    """Return the positions of values that match no declared label.

    Examples
    --------
    >>> undeclared(["1", "2.0", "3"], [1, 2], parse=True)
    [2]
    """
    keys, values = _declared_labels(known, labels, parse)
    declared = set(values)
    return [place for place, key in enumerate(keys) if key not in declared]


def not_finite(known: Sequence[Label], *, parse: bool = False) -> list[int]:
    """Return the positions of infinite labels, if all labels are numbers.

    Examples
    --------
    >>> not_finite(["1", "inf"], parse=True), not_finite(["a", "inf"], parse=True)
    ([1], [])
    """
    keys, _ = _occurring_labels(known, parse)
    return [place for place, key in enumerate(keys) if _is_infinite(key)]


def _is_infinite(key: Label) -> bool:
    return isinstance(key, float) and not math.isfinite(key)


def label_array(values: Sequence[Label]) -> Values:
    """Return labels as the array of a coordinate: of int64, of float64, or of texts as objects."""
    if values and _are_numbers(values):
        all_whole = all(isinstance(value, int) for value in values)
        return np.array(values, dtype=np.int64 if all_whole else np.float64)
    texts = np.empty(len(values), dtype=object)
    texts[:] = [_text(value) for value in values]
    return texts


def offenders(positions: Integers, where: Where) -> str:
    """Return a description of the first positions, and the number of others, for a message."""
    names = [where(int(position)) for position in positions[:OFFENDERS]]
    more = len(positions) - len(names)
    return "; ".join(names) + (f"; and {more:,} more" if more else "")


def _are_numbers(values: Sequence[Label]) -> TypeGuard[Sequence[float]]:
    return not any(isinstance(value, str) for value in values)


def _text(value: Label) -> str:
    return value if isinstance(value, str) else repr(value)


def _by_value(distinct: Sequence[Label], parse: bool) -> bool:
    """Tell whether all spellings of a number are one label: if parsed, or if a value is no text."""
    return parse or any(not isinstance(value, str) for value in distinct)


def _notes_on_spelling(
    distinct: Sequence[Label], keys: Sequence[Label], parse: bool
) -> tuple[Note, ...]:
    texts = [_text(value) for value in distinct]
    if _are_numbers(keys):
        return tuple(note_on_one(texts, numbers=True)) if parse else ()
    if not _by_value(distinct, parse):
        return tuple(note_on_several(texts))
    names = [name for name in keys if isinstance(name, str)]
    return (*note_on_one(texts), *note_on_several(names))


def _parsed(values: Sequence[Label]) -> Sequence[float] | None:
    numbers = [parse_number(value) if isinstance(value, str) else value for value in values]
    known = [number for number in numbers if number is not None]
    return known if len(known) == len(numbers) else None


def _occurring_labels(
    distinct: Sequence[Label], parse: bool
) -> tuple[Sequence[Label], Sequence[Label]]:
    parsed = _parsed(distinct) if parse else None
    # a column that holds nothing but "inf" is not numeric
    if parsed and any(math.isfinite(key) for key in parsed):
        distinct = parsed
    if _are_numbers(distinct):
        return distinct, sorted({*distinct})
    keys = [_text(value) for value in distinct]
    if _by_value(distinct, parse):
        names = names_by_value(keys)
        keys = [names.get(key, key) for key in keys]
    return keys, sorted({*keys})


def _declared_labels(
    distinct: Sequence[Label], labels: Sequence[object], parse: bool
) -> tuple[Sequence[Label], Sequence[Label]]:
    """Return the declared label of each value (the value if none matches), and all labels."""
    labels = listed(labels)
    if not labels:
        raise IaaError(
            f"the list of labels is empty: name the labels, or leave {named('labels')} out"
        )
    if any(value is None or value is pd.NA or value != value for value in labels):
        raise IaaError("a declared label is missing (None or NaN); name real labels only")
    values: Sequence[Label] = [label_value(value) for value in labels]
    parsed = _parsed(values) if parse else None
    several_spellings = len({bare(_text(value)) for value in values}) > len({*(parsed or ())})
    if parsed and all(math.isfinite(key) for key in parsed) and not several_spellings:
        values = parsed
    keys: Sequence[Label]
    bare_texts: list[str] = []
    if _are_numbers(values):
        if not all(math.isfinite(value) for value in values):
            raise IaaError(f"a declared label is not a finite number: {shown(values)}")
        keys = [_as_declared_number(value) for value in distinct]
    else:
        by_value = _by_value([*distinct, *values], parse)
        values = texts = [_text(value) for value in values]
        keys = occurring = [_text(value) for value in distinct]
        if by_value:
            name_of = names_as_declared(occurring, texts)
            keys = [name_of.get(text, text) for text in occurring]
            bare_texts = [bare(text) for text in texts]
    times = Counter(bare_texts or values)
    twice = sorted((value for value, count in times.items() if count > 1), key=str)
    if twice:
        raise IaaError(f"{counted(len(twice), 'label')} declared more than once: {shown(twice)}")
    return keys, values


def _truths_beside_numbers(distinct: Sequence[Label]) -> bool:
    known = {*distinct}
    return bool(known & TRUTHS) and bool(known - TRUTHS) and known - TRUTHS <= {0, 1}


def _as_declared_number(value: Label) -> Label:
    """Return the number that a value spells, or else the value; False and True are 0 and 1."""
    if value in TRUTHS:
        return int(value == "True")
    number = parse_number(value) if isinstance(value, str) else value
    return value if number is None else number


def _refuse_infinite(columns: Sequence[Column], keys: Sequence[Label], where: Where) -> None:
    wrong = np.array([*map(_is_infinite, keys), False], dtype=bool)
    if wrong.any():
        positions = _positions(columns, wrong)
        infinite = dict.fromkeys(keys[index] for index in np.flatnonzero(wrong).tolist())
        raise IaaError(
            f"{counted(len(positions), 'rating')} with a label that is not a finite number: "
            f"{shown(infinite)}, at {offenders(positions, where)}; "
            "correct these cells or leave them empty"
        )


def _refuse_inexact(columns: Sequence[Column], where: Where) -> None:
    """Refuse whole numbers that floats cannot represent exactly, since these may have changed."""
    distinct = [value for _, known in columns for value in known]
    mixed_up = [isinstance(value, float) and EXACT <= abs(value) < CODES_END for value in distinct]
    wrong = np.array([*mixed_up, False], dtype=bool)
    if wrong.any():
        positions = _positions(columns, wrong)
        floats = [distinct[index] for index in np.flatnonzero(wrong).tolist()]
        raise IaaError(
            f"{counted(len(positions), 'rating')} with a whole number that floats cannot hold "
            f"exactly: {shown(dict.fromkeys(floats))}, at {offenders(positions, where)}; "
            f"{AS_WHOLE}; numbers on a scale go to from_values"
        )


def _refuse_unknown(
    columns: Sequence[Column],
    codes_of_keys: Integers,
    values: Sequence[Label],
    where: Where,
) -> None:
    wrong = codes_of_keys == -2
    if not wrong.any():
        return
    distinct = [value for _, known in columns for value in known]
    unknown = list(dict.fromkeys(distinct[index] for index in np.flatnonzero(wrong).tolist()))
    positions = _positions(columns, wrong)
    raise IaaError(
        f"{counted(len(positions), 'rating')} with a label that was not declared: "
        f"{shown(unknown)}, at {offenders(positions, where)}; "
        f"the declared labels are {shown(values)}: add the label to {named('labels')}, or correct "
        "the data"
    )


def _positions(columns: Sequence[Column], wrong: NDArray[np.bool_]) -> Integers:
    positions, start = [], 0
    for index, known in columns:
        lookup = np.append(wrong[start : start + len(known)], False)
        positions.append(np.flatnonzero(lookup[index]))
        start += len(known)
    return np.sort(np.concatenate(positions))
