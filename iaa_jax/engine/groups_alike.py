"""Groups of rows of weights that share their annotator weights and are computed together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.padding import in_chunks
from iaa_jax.engine.problem import Floats, Integers
from iaa_jax.kernels.namespace import Array

ALIKE = 16
"""The usual number of rows in a group; groups are larger if there are many rows."""

MANY_ALIKE = 128
"""The maximum number of rows in a group."""

TOGETHER = 32
"""The number of groups per call, fixed so that code is compiled only once."""

_WHOLE = 2.0**53
"""Whole numbers below this limit are exact in float64."""


class GroupsAlike(NamedTuple):
    """Rows grouped by their annotator weights."""

    rows: Integers  # (group, member) row indices; row 0 fills a group that has too few rows
    annotators: Floats  # (group, annotator)
    place: Integers  # (row,) position among the members of all groups


def groups_alike(annotators: Array) -> GroupsAlike | None:
    """Return groups of rows with equal weights (row, annotator); None if few are equal."""
    weights = np.asarray(annotators)
    some, vector_of = _distinct(weights)
    if thresholds.ROWS_SHARING * len(some) > len(weights):
        return None
    width = min(max(1 << (len(weights) // 256).bit_length(), ALIKE), MANY_ALIKE)
    group, within, groups = in_chunks(vector_of, width)
    whole = -(-int(groups.sum()) // TOGETHER) * TOGETHER
    rows = np.zeros((whole, width), dtype=np.intp)
    rows[group, within] = np.arange(len(weights))
    of_groups = np.repeat(weights[some], groups, axis=0)
    filled = np.concatenate([of_groups, np.repeat(of_groups[-1:], whole - len(of_groups), axis=0)])
    return GroupsAlike(rows, filled, group * width + within)


def _distinct(weights: Floats) -> tuple[Integers, Integers]:
    base = weights.max(initial=0.0) + 1
    if base ** weights.shape[1] < _WHOLE and bool((weights == np.rint(weights)).all()):
        key = weights.astype(np.float64) @ base ** np.arange(weights.shape[1])
        _, some, vector_of = np.unique(key, return_index=True, return_inverse=True)
    else:
        _, some, vector_of = np.unique(weights, axis=0, return_index=True, return_inverse=True)
    return some, vector_of.reshape(-1)
