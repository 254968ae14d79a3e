"""All panels of some annotators in order of size, and what each annotator's share takes of them."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import comb

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats

SMALLEST = 2
"""Annotators that it takes to agree."""


def all_panels(annotators: int) -> NDArray[np.bool_]:
    """Every panel (panel, annotator) of two or more, by size, and by its first members."""
    members = [
        (row, annotator)
        for row, panel in enumerate(
            panel
            for size in range(SMALLEST, annotators + 1)
            for panel in combinations(range(annotators), size)
        )
        for annotator in panel
    ]
    panels = np.zeros((2**annotators - annotators - 1, annotators), dtype=bool)
    panels[tuple(np.array(members).T)] = True
    return panels


def rows_of_size(annotators: int) -> list[slice]:
    """Where the panels of each size stand, from 2 up."""
    numbers = [comb(annotators, size) for size in range(SMALLEST, annotators + 1)]
    ends = np.cumsum([0, *numbers])
    return [slice(*ends_of) for ends_of in pairwise(ends.tolist())]


def shapley_weights(panels: NDArray[np.bool_]) -> Floats:
    """What each panel's figure counts in each annotator's share: (annotator, panel).

    A panel with annotator a counts ``(s - 1)! (A - s)! / A!``, s its size, as what a made of it,
    and one without a counts ``-s! (A - s - 1)! / A!``, as what a found.
    """
    annotators = panels.shape[1]
    size = panels.sum(axis=1)
    # s! (A - s)! / A! is one in so many panels of that size
    among = 1 / np.array([comb(annotators, each) for each in size.tolist()])
    outside = np.where(size < annotators, annotators - size, 1)
    found = np.where(size < annotators, among / outside, 0.0)
    return np.where(panels.T, among / size, -found)
