"""Code the cells of a column by its distinct values, with array operations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from iaa_jax import _thresholds as thresholds
from iaa_jax._errors import IaaError
from iaa_jax._types import Integers, Values
from iaa_jax.data.label_values import SINGLE_ONLY, Label, booleans_as_text, label_value

Column = tuple[Integers, Sequence[Label]]
"""A column as the code of each cell (-1: missing), and the distinct value of each code."""

_FEW = 16
"""If at most this many codes have not occurred yet, a block is searched for each of them."""


def factorize(flat: Values) -> Column:
    """Return the code of each value (-1: None, NaN, NaT or pd.NA), and the distinct values.

    `label_value` converts the values: whole floats become integers, and booleans become the texts
    "False" and "True".
    """
    if flat.dtype.kind == "f" and flat.size and (counted := _counted_in_one_pass(flat)) is not None:
        return counted
    if flat.dtype.kind == "b":
        flat = np.where(flat, "True", "False").astype(object)
    elif flat.dtype.kind == "O":
        flat = booleans_as_text(flat)
    elif flat.dtype.kind not in "iuf":
        flat = flat.astype(object)
    short = flat.dtype.kind == "f" and flat.dtype.itemsize < 8
    try:
        hashed, distinct = pd.factorize(flat.astype(np.float32) if short else flat)
    except TypeError:
        raise IaaError(SINGLE_ONLY) from None
    # numbers of one type need no further conversion; objects may have different types
    plain = flat.dtype.kind in "iuf" and not short
    known = distinct.tolist() if plain else distinct.astype(flat.dtype)
    return hashed, [label_value(value) for value in known]


def _counted_in_one_pass(flat: Values) -> Column | None:
    """Return codes of floats that are whole numbers of one byte, without hashing; None for others.

    While values are coded, the code is the number minus the lowest number of the first block, plus
    1; 0 means missing.
    """
    limits = np.iinfo(np.int8)
    lowest = float(np.fmin.reduce(flat[: thresholds.LABELS_TOGETHER]))
    if not limits.min < lowest <= limits.max or not lowest.is_integer():
        return None
    below = np.int8(lowest - 1)
    codes = np.empty(flat.size, dtype=np.int8)
    there = np.empty(min(thresholds.LABELS_TOGETHER, flat.size), dtype=bool)
    used = np.zeros(limits.max + 1, dtype=bool)
    with np.errstate(invalid="ignore"):  # NaN becomes an arbitrary number, corrected below
        for start in range(0, flat.size, thresholds.LABELS_TOGETHER):
            block, part = (
                flat[start : start + thresholds.LABELS_TOGETHER],
                codes[start : start + thresholds.LABELS_TOGETHER],
            )
            np.copyto(part, block, casting="unsafe")
            unchanged = np.equal(part, block, out=there[: len(block)])
            filled = np.count_nonzero(unchanged)
            # only missing values may change in the cast
            if filled + np.count_nonzero(np.isnan(block)) != len(block):
                return None
            np.subtract(part, below, out=part)
            np.multiply(part, unchanged.view(np.int8), out=part)
            # a number below the lowest of the first block has a code below 1, or overflows
            most = int(part.max())
            lost = part.min() < 0 or most + int(below) > limits.max
            if lost or np.count_nonzero(part) != filled:
                return None
            unseen = np.flatnonzero(~used[: most + 1])
            if len(unseen) > _FEW:
                used[part] = True
            else:  # a few comparisons are faster than a look-up of each number
                used[unseen] = [bool((part == code).any()) for code in unseen]
    present = np.flatnonzero(used[1:])
    if len(present) and present[-1] != len(present) - 1:
        rank = np.full(len(used), -1, dtype=np.int8)
        rank[present + 1] = np.arange(len(present))
        codes = rank[codes]
    else:
        codes -= 1
    return codes, [int(position) + int(below) + 1 for position in present]
