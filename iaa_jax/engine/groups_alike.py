"""Rows that have their annotator weights in common, in groups that are worked out together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.padding import in_chunks
from iaa_jax.engine.problem import Floats, Integers
from iaa_jax.kernels.namespace import Array

ALIKE = 16
"""Rows of a group that have their annotator weights in common; more of many rows."""

MANY_ALIKE = 128
"""Rows of such a group at most."""

TOGETHER = 32
"""Groups that are worked out by one call, so that code is compiled for no other number."""

_WHOLE = 2.0**53
"""Whole numbers below it are exact."""


class GroupsAlike(NamedTuple):
    """Rows by their annotator weights."""

    rows: Integers  # (group, place) the first one again where there are fewer
    annotators: Floats  # (group, annotator)
    place: Integers  # (row,) among the places of all groups


def groups_alike(annotators: Array) -> GroupsAlike | None:
    """Groups of rows with the same weights (row, annotator); None where few are the same."""
    weights = np.asarray(annotators)
    some, vector_of = _distinct(weights)
    if thresholds.ROWS_SHARING * len(some) > len(weights):
        return None
    # as long as half of the rows that a vector has where there are 126, those of five annotators
    width = min(max(1 << (len(weights) // 256).bit_length(), ALIKE), MANY_ALIKE)
    group, within, groups = in_chunks(vector_of, width)
    whole = -(-int(groups.sum()) // TOGETHER) * TOGETHER
    rows = np.zeros((whole, width), dtype=np.intp)
    rows[group, within] = np.arange(len(weights))
    of_groups = np.repeat(weights[some], groups, axis=0)
    filled = np.concatenate([of_groups, np.repeat(of_groups[-1:], whole - len(of_groups), axis=0)])
    return GroupsAlike(rows, filled, group * width + within)


def _distinct(weights: Floats) -> tuple[Integers, Integers]:
    """A row of each distinct vector of weights (row, annotator), and which vector each row has."""
    base = weights.max(initial=0.0) + 1
    if base ** weights.shape[1] < _WHOLE and bool((weights == np.rint(weights)).all()):
        key = weights.astype(np.float64) @ base ** np.arange(weights.shape[1])
        _, some, vector_of = np.unique(key, return_index=True, return_inverse=True)
    else:
        _, some, vector_of = np.unique(weights, axis=0, return_index=True, return_inverse=True)
    return some, vector_of.reshape(-1)
