"""Compute codes and ranges of many spans, and convert measured places to whole numbers of steps.

Places are positions in a document that are counted, such as characters, or measured, such as times.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from iaa_jax._types import Integers, Places

_LARGEST = 1 << 62

_FINEST = 1 << 40
"""Maximum number of steps up to the largest measured place."""

_DIGITS = 10  # places with this many decimal digits are rounded to binary steps
_MOST_BITS = 62


def joint(*columns: Integers) -> Integers:
    """Return a code for each row of non-negative integers; codes sort like the rows."""
    key: Integers = np.zeros(len(columns[0]), dtype=np.int64)
    size = 1
    for column in columns:
        width = int(column.max(initial=-1)) + 1
        if size * width > _LARGEST:
            (key, size), (column, width) = _ranks(key), _ranks(column)
        key = key * width + column
        size *= width
    return key


def _ranks(numbers: Integers) -> tuple[Integers, int]:
    distinct, ranks = np.unique(numbers, return_inverse=True)
    return ranks.reshape(-1), len(distinct)


def as_places(*columns: Places) -> tuple[Places, ...]:
    """Return places as integers if all places are whole numbers, otherwise as floats.

    Examples
    --------
    >>> as_places(np.array([0.0, 2.0]), np.array([3]))
    (array([0, 2]), array([3]))
    >>> as_places(np.array([0, 2]), np.array([2.5]))
    (array([0., 2.]), array([2.5]))
    """
    whole = not any((column % 1 != 0).any() for column in columns)
    kind = np.int64 if whole else np.float64
    return tuple(np.asarray(column, dtype=kind) for column in columns)


def steps_per_unit(*columns: Places) -> int:
    """Return the factor that converts measured places to whole numbers; 0 for counted places.

    Decimals with few digits are converted exactly. Other places are rounded, by less than a
    billionth of the largest place.
    """
    if all(column.dtype.kind in "iu" for column in columns):
        return 0
    places = np.concatenate([np.asarray(column, dtype=np.float64) for column in columns])
    longest = max(float(places.max(initial=0)), 1 / _FINEST)
    for digits in range(1, _DIGITS):
        steps = int(10**digits)
        if longest * steps < _FINEST and (np.rint(places * steps) / steps == places).all():
            return steps
    return 1 << min(max(int(np.floor(np.log2(_FINEST / longest))), 0), _MOST_BITS)


def first_of_each(values: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return codes of values in order of first occurrence, and the first position of each code."""
    codes = np.asarray(pd.factorize(values)[0])
    first = np.zeros(codes.max(initial=-1) + 1, dtype=np.intp)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    return codes, first


def expanded(begins: Integers, ends: Integers) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Expand ranges from ``begins`` to ``ends``: return the range of each number, and the numbers.

    The ends are not included, and a range is empty if its end is not above its beginning.
    """
    counts = np.maximum(ends - begins, 0)
    of = np.repeat(np.arange(len(counts)), counts)
    return of, np.arange(len(of)) + np.repeat(begins - (np.cumsum(counts) - counts), counts)


def numbered_units(start: Integers, end: Integers, unit: Integers) -> Integers:
    """Return a number for each unit, equal for units with the same boundaries of all parts."""
    part = np.asarray(pd.factorize(joint(start, end).astype(np.int64))[0])
    units = int(unit.max(initial=-1)) + 1
    if units == len(part):
        return part
    order = np.argsort(unit, kind="stable")
    begins = np.searchsorted(unit[order], np.arange(units + 1))
    parts, part = np.diff(begins), part[order]
    key, distinct = pd.factorize(part[begins[:-1]])
    number = len(distinct)
    for place in range(1, int(parts.max(initial=1))):
        longer = np.flatnonzero(parts > place)
        codes, distinct = pd.factorize(
            joint(key[longer], part[begins[longer] + place]).astype(np.int64)
        )
        key[longer] = number + codes
        number += len(distinct)
    return np.asarray(key)
