"""How many items the members of each panel share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats
from iaa_jax.analyses.panels.subsets import rows_of_size
from iaa_jax.measure.ratings.rated import Rated

_FEW = 0.5
"""Share of the items that some panel of the size has, below which a panel has few."""


def items_of_panels(tables: Rated, panels: NDArray[np.bool_]) -> Floats:
    """How many items two members or more of each panel rated: (panel,).

    Of a panel S, those with a rating of nobody in S are what its complement alone rated, and those
    with one of annotator a alone what the complement and a rated, less these.
    """
    annotators = panels.shape[1]
    power = 1 << np.arange(annotators)
    who = (tables.grid_codes.codes >= 0) @ power
    of_some = np.bincount(who, tables.identified.count, 1 << annotators)
    inside = of_some.reshape((2,) * annotators)
    for axis in range(annotators):  # sums over all that raters of a subset of the place rated
        inside = np.cumsum(inside, axis=axis)
    rated_by = inside.reshape(-1)
    outside = ~panels @ power
    nobody = rated_by[outside]
    one = (rated_by[outside[:, None] | power] - nobody[:, None]).sum(axis=1)
    return np.asarray(of_some.sum() - nobody - one)


def items_rated(tables: Rated) -> Floats:
    """How many items each annotator rated: (annotator,)."""
    rated: Floats = tables.identified.count @ (tables.grid_codes.codes >= 0)
    return rated


def share_few(items: Floats, panels: NDArray[np.bool_], rated: Floats) -> NDArray[np.bool_]:
    """Which panels have fewer than half of the items that some panel of their size has.

    And those with a member who ``rated`` fewer than half as many items as its members on average:
    they are hardly more than a panel of the others. Not where all of a size are so.
    """
    few = np.zeros(len(items), dtype=bool)
    average = panels @ rated / panels.sum(axis=1)
    least = np.where(panels, rated, np.inf).min(axis=1)
    for rows in rows_of_size(panels.shape[1]):
        few[rows] = items[rows] < _FEW * items[rows].max()
        hardly = few[rows] | (least[rows] < _FEW * average[rows])
        if not hardly.all():
            few[rows] = hardly
    return few
