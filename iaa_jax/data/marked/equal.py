"""Units of two markings that are equal: the same boundaries and label, or the same boundaries."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats, Integers
from iaa_jax.data.marked.documents import Markings, Pairs
from iaa_jax.data.marked.numbers import expanded, joint


def strict_matches(markings: Markings, pairs: Pairs) -> Floats:
    """Units with the same boundaries and label: (pair, label)."""
    return _matches(markings, pairs, markings.kinds, markings.units.label_of, markings.labels)


def boundary_matches(markings: Markings, pairs: Pairs) -> Floats:
    """Units with the same boundaries, labels ignored: (pair, 1)."""
    nothing = np.zeros_like(markings.units.label_of)
    return _matches(markings, pairs, markings.boundaries, nothing, 1)


def _matches(
    markings: Markings, pairs: Pairs, key: Integers, label_of: Integers, labels: int
) -> Floats:
    """What is equal counts as often as the marking has it that has it less often."""
    width = int(key.max(initial=0)) + 1
    codes = markings.units.marking_of.astype(np.int64) * width + key
    known, first, count = np.unique(codes, return_index=True, return_counts=True)
    begins = np.searchsorted(known, np.arange(markings.number + 1, dtype=np.int64) * width)
    pair, at = expanded(begins[pairs.first], begins[pairs.first + 1])
    wanted = pairs.second[pair].astype(np.int64) * width + known[at] % width
    found = np.minimum(np.searchsorted(known, wanted), max(len(known) - 1, 0))
    equal = known[found] == wanted
    pair, at, found = pair[equal], at[equal], found[equal]
    cells = pair * labels + label_of[first[at]]
    many = len(pairs.first)
    shared = np.bincount(cells, np.minimum(count[at], count[found]), minlength=many * labels)
    return shared.reshape(many, labels).astype(np.float64)


def times_before(markings: Markings, key: Integers) -> NDArray[np.intp]:
    """How many units of the same marking and key stand before each unit."""
    code = joint(markings.units.marking_of, key)
    order = np.argsort(code, kind="stable")
    begins = np.searchsorted(code[order], code[order])
    before = np.empty(len(code), dtype=np.intp)
    before[order] = np.arange(len(code)) - begins
    return before
